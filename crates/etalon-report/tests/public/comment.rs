//! Comments below pull requests, held against goldens: one row, thirty, two thousand, and names that are not names.

use etalon_core::notes::{BuiltSide, CheckNote, Moved, Note, NoteKind, SidesNote, Visible};
use etalon_core::tables::{Tables, natural};
use etalon_report::compare::{Frame, Remarks, comment};
use pulldown_cmark::{Event, Options, Parser, Tag};

use crate::compare::{between, dataset, file};

const FRAME: Frame<'static> =
    Frame { title: Some("Speed of the store"), again: Some("etalon ab main --build make -- ./p") };

/// Two data sets of benchmarks by name, time, and how many times as long the second takes.
fn tables(benchmarks: &[(String, f64, f64)]) -> Tables {
    let side = |is_second: bool| {
        let of = |(name, ns, times): &'_ (String, f64, f64)| -> (String, f64) {
            (name.clone(), if is_second { ns * times } else { *ns })
        };
        let all: Vec<(String, f64)> = benchmarks.iter().map(of).collect();
        let all: Vec<(&str, f64, f64, u64)> =
            all.iter().map(|(name, ns)| (name.as_str(), *ns, 64.0, 3)).collect();
        file("Example 9000", 8, &all)
    };
    let data = dataset(&[("main", side(false)), ("HEAD", side(true))]);
    between(&data, &natural(&data), Some(0.0))
}

fn of_sides(what: SidesNote) -> Note {
    Note { about: "sides".to_owned(), what: NoteKind::Sides(what) }
}

/// The remarks of a run of `etalon ab`.
fn remarks() -> Vec<Note> {
    let side = |side, asked: &str, revision: &str| BuiltSide {
        side,
        asked: asked.to_owned(),
        revision: Some(revision.to_owned()),
        kept: None,
    };
    let base = side("base", "main", "0123456789abcdef0123456789abcdef01234567");
    let head = side("head", "the working tree", "89abcdef0123456789abcdef0123456789abcdef");
    let visible = Visible { unit: "sec/op".to_owned(), row: 0.012, whole: Some(0.004) };
    let recorded = "Approved by @everybody, see https://example.org".to_owned();
    vec![
        of_sides(SidesNote::Made { sides: Box::new([base, head]), built: None }),
        of_sides(SidesNote::BuildsAgree { compared: 60, moved: 0, visible: Some(visible) }),
        of_sides(SidesNote::BuildsAveraged),
        Note { about: "x".to_owned(), what: NoteKind::Recorded { text: recorded, code: None } },
    ]
}

fn said(tables: &Tables, remarks: &[Note]) -> String {
    comment(tables, Remarks { remarks, ..Remarks::default() }, FRAME)
}

/// Thirty benchmarks: three slower, two faster.
fn thirty() -> Vec<(String, f64, f64)> {
    let times = |nth: usize| match nth {
        3 => 1.06,
        11 => 1.62,
        20 => 1.2,
        5 => 0.8,
        27 => 0.93,
        _ => 1.0,
    };
    let name = |nth: usize| format!("Store/objects={nth}");
    (0..30).map(|nth| (name(nth), 1_000.0 * (1.0 + nth as f64), times(nth))).collect()
}

#[test]
fn one_row_stands_open() {
    let tables = tables(&[("Encode".to_owned(), 1_250.0, 1.25)]);
    let text = said(&tables, &remarks());
    insta::assert_snapshot!("comment_1", text);
    assert!(!text.contains("more row"), "{text}");
}

#[test]
fn what_got_worse_comes_first() {
    let text = said(&tables(&thirty()), &remarks());
    insta::assert_snapshot!("comment_30", text);
    let place = |name: &str| text.find(&format!("={name}-8`")).expect(name);
    let order = ["11", "20", "3", "5", "27"].map(place);
    assert!(order.is_sorted(), "{text}");
    assert!(order[4] < text.find("<details>").expect("a fold"), "{text}");
    assert!(!text.contains("Approved"), "{text}");
}

/// Would catch a comment that nobody takes, one that is cut within a row, and one that does not say so.
#[test]
fn two_thousand_rows_end_at_a_row() {
    let mut all = thirty();
    all.extend((30..2_000).map(|nth| (format!("Store/objects={nth}"), 1e3 + f64::from(nth), 1.5)));
    let text = said(&tables(&all), &remarks());
    assert!((55_000..=60_000).contains(&text.len()), "{}", text.len());
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(
        rows.iter().all(|row| row.ends_with(" |") && row.matches(" | ").count() == 5),
        "{text}"
    );
    let (open, folded) = text.split_once("<details>").expect("a fold");
    assert_eq!(open.matches("\n| `").count(), 10, "{open}");
    let left = folded.lines().find(|line| line.contains("left out")).expect("what is left out");
    let left: usize = left.split(' ').next().unwrap().replace(',', "").parse().unwrap();
    // Times, sizes and allocations of each.
    assert_eq!(rows.len() + left, 3 * 2_000);
    assert!(text.ends_with("Again: `etalon ab main --build make -- ./p`\n"), "{text}");
    insta::assert_snapshot!("comment_2000", open);
}

const HOSTILE: [&str; 8] = [
    "@name",
    "#123",
    "owner/repo#1",
    "https://example.org/@name",
    "<img/src=x/onerror=y>",
    "</details>|</table>",
    "0123456789abcdef0123456789abcdef01234567",
    "`a`[b](c)**d**",
];

/// Names of several words that a record gives are code and no sentence. Would catch a unit in the title, and a key that all
/// rows share, as words of the workflow.
#[test]
fn names_of_several_words_are_code() {
    let said_by_code = "Approved by the maintainers, please merge";
    let rows = [("Encode".to_owned(), 1_250.0, 1.25)];
    let moved = Moved {
        unit: "sec/op".to_owned(),
        side: "head".to_owned(),
        row: Some(vec![Some(said_by_code.to_owned())]),
        ratio: Some(1.03),
    };
    let mut tables = tables(&rows);
    tables.table_keys = vec!["pkg".to_owned()];
    for table in &mut tables.tables {
        table.labels = vec![Some(format!("{said_by_code} today"))];
        table.rows.iter_mut().for_each(|row| row.labels = vec![Some(said_by_code.to_owned())]);
        if table.unit != "sec/op" {
            table.unit = format!("{said_by_code}/op");
        }
    }
    let text = said(&tables, &[remarks(), vec![of_sides(SidesNote::Moved(moved))]].concat());
    let mut plain = String::new();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        if let Event::Text(part) = event {
            plain.push_str(&part);
        }
    }
    assert!(text.contains(said_by_code), "{text}");
    assert!(!plain.contains("Approved") && !plain.contains("merge"), "{plain}");
}

#[test]
fn hostile_names_are_names() {
    let all: Vec<(String, f64, f64)> = HOSTILE
        .iter()
        .zip(1..)
        .map(|(name, n)| ((*name).to_owned(), f64::from(n) * 1e3, 1.3))
        .collect();
    let moved = Moved {
        unit: "sec/op".to_owned(),
        side: "head".to_owned(),
        row: Some(vec![Some("@name #123 <b>https://example.org</b>".to_owned())]),
        ratio: Some(1.03),
    };
    let broken = CheckNote::Broken { reason: "@name: https://example.org".to_owned() };
    let failed = Note { about: "--fail-on worse".to_owned(), what: NoteKind::Check(broken) };
    let remarks = [remarks(), vec![of_sides(SidesNote::Moved(moved))]].concat();
    let frame = Frame { title: Some("@title"), again: Some("etalon ab '@name'") };
    let said = Remarks { failed: &[failed], remarks: &remarks, interleaved_by: None };
    let text = comment(&tables(&all), said, frame);
    insta::assert_snapshot!("comment_hostile", text);
    // Outside of code, no word calls anybody or is a link, and no markup is somebody else's.
    let mut plain = String::new();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        match event {
            Event::Text(part) => plain.push_str(&part),
            Event::Html(part) => {
                let known = ["<!-- etalon ", "<details>", "<summary>", "</details>"];
                assert!(known.iter().any(|it| part.starts_with(it)), "{part}");
            }
            Event::InlineHtml(_) | Event::Start(Tag::Link { .. } | Tag::Image { .. }) => {
                panic!("{event:?}");
            }
            _ => {}
        }
    }
    for live in ["@name", "@title", "#123", "://", "0123456"] {
        assert!(!plain.contains(live), "{live} in {plain}");
    }
}
