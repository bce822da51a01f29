//! Goldens of the pictures of a page, and what they are for who does not see them.

use etalon_core::analysis::{Analysis, analyse};
use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::model::Case;
use etalon_core::plan::{Order, Settings};
use etalon_core::plots::{self, Pair};
use etalon_core::tables::{Method, Query, Style, beside, natural, tabulate};
use etalon_report::html::{Data, page};
use etalon_report::svg::{Compared, Drawn, Still, changes, standing_alone, stills};

use crate::cases;
use crate::columns::{RunSet, data};
use crate::compare::{between, dataset};
use crate::golden::{cost, run_set, three};

fn analysed(data: &Dataset) -> Analysis {
    let settings = Settings { metric: metrics::CPU.to_owned(), ..Settings::default() };
    let mut analysis = analyse(data, &settings).unwrap();
    analysis.explain(data);
    analysis
}

fn pictures(set: RunSet) -> Vec<Still> {
    let data = data(&[set]);
    let analysis = analysed(&data);
    let (groups, growing) = (plots::analysis_groups(&analysis, &data), plots::growing(&analysis));
    stills(&analysis, Drawn { groups: &groups, growing: &growing })
}

fn named<'a>(stills: &'a [Still], name: &str) -> &'a Still {
    let names: Vec<&str> = stills.iter().map(|it| it.name).collect();
    stills.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("{name} of {names:?}"))
}

/// A drawing with its description, as lines.
fn golden(still: &Still) -> String {
    format!("{}\n{}\n{}\n", still.caption, still.said.join("\n"), still.markup())
}

/// Would catch any change of a picture that nobody meant.
#[test]
fn pictures_of_commands() {
    let stills = pictures(three());
    for name in ["spread", "cumulative", "over-time", "differences", "quantiles"] {
        insta::assert_snapshot!(format!("picture_{name}"), golden(named(&stills, name)));
    }
}

/// Would catch a figure of another quantile than the median, and names that lose their room to that of the base.
#[test]
fn quantiles_say_the_median() {
    let costs = [cost("a", 1e-3, 2e6), cost("b", 2e-3, 2e6), cost("c", 3e-3, 2e6)];
    let stills = pictures(run_set(&costs, 250, Order::Blocks));
    let quantiles = named(&stills, "quantiles");
    for (said, name) in quantiles.said.iter().zip(["b", "c"]) {
        let is_it = said.starts_with(&format!("{name}: 50 % ")) && said.contains(", 99 % ");
        assert!(is_it, "{said}");
    }
    assert!(quantiles.caption.contains("as a multiple of that of a,"), "{}", quantiles.caption);
}

/// Would catch curves that fall apart, and a power of something else.
#[test]
fn over_a_parameter() {
    let costs =
        [cost("sort 10", 1e-3, 2e6), cost("sort 100", 11e-3, 2e6), cost("sort 1000", 0.13, 2e6)];
    let mut set = run_set(&costs, 12, Order::Blocks);
    for (benchmark, n) in set.benchmarks.iter_mut().zip(["10", "100", "1000"]) {
        benchmark.key.params = vec![("n".to_owned(), n.to_owned())];
    }
    let stills = pictures(set);
    let growth = named(&stills, "growth");
    assert!(growth.said[0].starts_with("sort {n}: grows as n^1.06"), "{:?}", growth.said);
    insta::assert_snapshot!("picture_growth", golden(growth));
}

/// Would catch a page that grows with the readings, an extreme that is not drawn, and silence about what is left out.
#[test]
fn some_of_many_readings_are_drawn() {
    let stills =
        pictures(run_set(&[cost("a", 1e-3, 2e6), cost("b", 2e-3, 2e6)], 20_000, Order::Blocks));
    for still in &stills {
        assert!(still.markup().len() < 60_000, "{}: {} bytes", still.name, still.markup().len());
    }
    for name in ["over-time", "differences"] {
        let caption = &named(&stills, name).caption;
        assert!(caption.contains("of many readings the smallest and the largest"), "{caption}");
    }
}

/// So many benchmarks, each of a name of its own.
fn many(benchmarks: usize, blocks: u32) -> RunSet {
    let costs: Vec<_> = (0..benchmarks).map(|_| cost("b", 1e-3, 2e6)).collect();
    let mut set = run_set(&costs, blocks, Order::Blocks);
    for (at, benchmark) in set.benchmarks.iter_mut().enumerate() {
        benchmark.key.name = format!("b{at}");
    }
    set
}

/// Would catch intervals of a level that the caption does not name: verdicts' own differ by row.
#[test]
fn quantiles_have_the_level_that_is_said() {
    let costs: Vec<_> = (0..4).map(|at| cost("b", 1e-3 + 1e-6 * f64::from(at * at), 2e6)).collect();
    let data = data(&[run_set(&costs, 60, Order::Blocks)]);
    let analysis = analysed(&data);
    let groups = plots::analysis_groups(&analysis, &data);
    let pairs = &groups[0].pairs;
    let shown: Vec<f64> = pairs.iter().map(|it| it.evidence.shown().level).collect();
    assert!(shown.iter().any(|level| *level != 0.95), "{shown:?}");
    let levels =
        pairs.iter().flat_map(|it| &it.quantiles).filter_map(|it| it.interval).map(|it| it.level);
    assert!(levels.clone().count() > 9 && levels.clone().all(|level| level == 0.95));
    let stills = stills(&analysis, Drawn { groups: &groups, growing: &[] });
    let caption = &named(&stills, "quantiles").caption;
    assert!(caption.contains("with intervals that hold together at 95\u{a0}%"), "{caption}");
}

/// The width of the median's interval, of the pairs that are drawn.
fn widths<'a>(pairs: impl Iterator<Item = &'a Pair>) -> Vec<f64> {
    let median = |it: &Pair| it.quantiles.iter().find(|it| it.q == 0.5)?.interval;
    pairs.filter_map(median).map(|it| it.hi / it.lo).collect()
}

/// Would catch intervals that forget the comparisons that are not drawn: four of many are chosen, because they changed
/// most or are first by their medians, and of forty equal ones the four largest are off in every other picture.
#[test]
fn quantiles_are_a_family_with_what_is_not_drawn() {
    let of_ranking = |benchmarks: usize| {
        let at = |at: usize| cost("b", 1e-3 * (1.0 + 0.1 * at as f64), 2e6);
        let costs: Vec<_> = (0..benchmarks).map(at).collect();
        let mut set = run_set(&costs, 400, Order::Blocks);
        for (at, benchmark) in set.benchmarks.iter_mut().enumerate() {
            benchmark.key.name = format!("b{at}");
        }
        let data = data(&[set]);
        let analysis = analysed(&data);
        widths(plots::analysis_groups(&analysis, &data)[0].pairs.iter())
    };
    let of_table = |rows: u32| {
        let file = |scale: f64| -> String {
            let lines = (0..rows).flat_map(|row| (0..60_u32).map(move |at| (row, at)));
            let line = |(row, at): (u32, u32)| {
                let value = 1e3 + f64::from(at * 7 % 60) * scale - f64::from(row);
                format!("BenchmarkB{row} 1 {value} ns/op\n")
            };
            lines.map(line).collect()
        };
        let data = dataset(&[("old.txt", file(1.0)), ("new.txt", file(1.01))]);
        let (asked, method) = (natural(&data), Method::new(Style::Etalon));
        let criteria = Criteria { between: Some(0.0), ..method.criteria };
        let method = Method { criteria, ..method };
        let tables = tabulate(&data, Query::new(asked.clone()), &method);
        widths(beside(&data, Query::new(asked), &method, &tables).iter().map(|it| &it.pair))
    };
    for (few, many) in [(of_ranking(5), of_ranking(40)), (of_table(4), of_table(40))] {
        assert_eq!([few.len(), many.len()], [4, 4]);
        assert!(few.iter().zip(&many).all(|(few, many)| few < many), "{few:?} {many:?}");
    }
}

/// Would catch a dot without an interval that passes for a difference.
#[test]
fn the_meaning_of_a_mark_is_said() {
    let caption = |blocks| {
        let costs = [cost("a", 1e-3, 2e6), cost("b", 2e-3, 2e6)];
        let stills = pictures(run_set(&costs, blocks, Order::Blocks));
        named(&stills, "quantiles").caption.clone()
    };
    let (few, some, many) = (caption(5), caption(30), caption(800));
    assert!(!few.contains("intervals that hold") && few.contains("without an interval"), "{few}");
    for all in [&some, &many] {
        assert!(all.contains("one that misses the line is a difference there"), "{all}");
    }
    assert!(some.contains("a dot without an interval says nothing by itself"), "{some}");
    assert!(!many.contains("without an interval"), "{many}");
}

/// Would catch pictures that leave comparisons out in silence.
#[test]
fn some_of_many_comparisons_are_drawn() {
    let stills = pictures(many(7, 12));
    for name in ["differences", "quantiles"] {
        let caption = &named(&stills, name).caption;
        assert!(caption.ends_with("; the first 4 of 6"), "{caption}");
    }
}

/// Would catch notes that change how the answer is read and stand far from it.
#[test]
fn notes_stand_below_the_answer() {
    let analysis = analysed(&data(&[three()]));
    let page = page(&analysis, Drawn::default(), &Data::default());
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(at("</table>") < at("<ul>") && at("<ul>") < at("<h2>"));
}

/// Would catch a picture that grows with the benchmarks, and silence about those that are left out.
#[test]
fn some_of_many_benchmarks_have_a_row() {
    let stills = pictures(many(130, 3));
    for (name, of) in [("ratios", 129), ("boxes", 130)] {
        let caption = &named(&stills, name).caption;
        assert!(caption.contains(&format!("; the first 100 of {of}")), "{caption}");
    }
}

/// Would catch a page that grows with the benchmarks, and silence about rows that it has not.
#[test]
fn a_page_of_many_benchmarks_has_the_first() {
    let analysis = analysed(&data(&[many(2_100, 1)]));
    let page = page(&analysis, Drawn::default(), &Data::default());
    assert!(page.len() < 5_000_000, "{} bytes", page.len());
    for said in ["The first 1000 of 2100 rows;", "The first 200 of 2109 tables; `-E`"] {
        let near: Vec<&str> = page.split("The first ").skip(1).map(|it| &it[..30]).collect();
        assert!(page.contains(said), "{said} in {near:?}");
    }
}

/// Would catch a name that becomes markup, in a page or in a file of its own.
#[test]
fn names_stay_text() {
    let hostile = "</title><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";
    let costs = [cost(hostile, 1e-3, 2e6), cost("]]>x", 2e-3, 2e6)];
    let data = data(&[run_set(&costs, 12, Order::Blocks)]);
    let analysis = analysed(&data);
    let groups = plots::analysis_groups(&analysis, &data);
    let drawn = Drawn { groups: &groups, growing: &[] };
    let alone: String = stills(&analysis, drawn).iter().map(standing_alone).collect();
    for markup in [page(&analysis, drawn, &Data::default()), alone] {
        assert!(markup.contains("&lt;script&gt;alert(1)"), "it is there");
        for never in ["<script>alert", "<img", "]]>", "style=\""] {
            assert!(!markup.contains(never), "{never}");
        }
    }
}

/// Would catch pictures of what does not scatter, or of too little, that divide by nothing.
#[test]
fn little_has_pictures_too() {
    for n in [1, 2, 3, 5] {
        let stills =
            pictures(run_set(&[cost("a", 1e-3, 2e6), cost("b", 0.0, 2e6)], n, Order::Blocks));
        for still in &stills {
            let markup = still.markup();
            assert!(!markup.contains("NaN") && !markup.contains("inf"), "{n}: {markup}");
        }
    }
}

/// Twelve benchmarks of four sizes in two files, one kind of which changes with its size.
fn sizes(scale: f64) -> String {
    let mut text = String::from("goos: linux\npkg: example.org/lode\n");
    for (name, power) in [("Sort", 1.1), ("Find", 0.5), ("Walk", 1.0)] {
        for n in [10_u32, 100, 1_000, 10_000] {
            for at in 0..12_u32 {
                let wobble = 1.0 + f64::from(at * 7 % 12) / 600.0 - 0.01;
                let changed = if name == "Sort" { scale } else { 1.0 };
                let ns = 50.0 * f64::from(n).powf(power) * wobble * changed;
                let rate = 8e3 * f64::from(n) / ns;
                text.push_str(&format!(
                    "Benchmark{name}/n={n}-8 100 {ns:.2} ns/op {rate:.2} MB/s\n"
                ));
            }
        }
    }
    text
}

fn row_stills(files: &[(&str, String)]) -> Vec<Still> {
    let data = dataset(files);
    let tables = between(&data, &natural(&data), Some(0.0));
    changes(&tables, Compared::default())
}

/// Would catch any change that nobody meant of what is drawn of all rows together.
#[test]
fn pictures_of_rows_together() {
    let stills = row_stills(&[("old.txt", sizes(1.0)), ("new.txt", sizes(1.2))]);
    for name in ["scatter", "sorted", "growth"] {
        insta::assert_snapshot!(format!("picture_rows_{name}"), golden(named(&stills, name)));
    }
    let rates = stills.iter().rfind(|it| it.name == "growth").unwrap();
    assert!(rates.caption.starts_with("B/s (pkg: example.org/lode) over n"), "{}", rates.caption);
    assert!(rates.markup().contains(" GB/s</text>"), "{}", rates.markup());
}

/// Would catch a picture of a single file that names columns, and rows without sizes that have curves.
#[test]
fn pictures_of_rows_of_one_file() {
    let stills = row_stills(&[("only.txt", sizes(1.0))]);
    let names: Vec<&str> = stills.iter().map(|it| it.name).collect();
    assert_eq!(names, ["growth", "growth"]);
    assert!(stills[0].said[0].starts_with("Sort/n={n}-8: grows as n^1.10"), "{:?}", stills[0].said);
}

/// Would catch a page that grows with the rows, names that become markup, and silence about what is left out.
#[test]
fn some_of_many_rows_are_drawn() {
    let text = |scale: f64| -> String {
        let lines = (0..1_500_u32).flat_map(|row| (0..4_u32).map(move |at| (row, at)));
        let line = |(row, at): (u32, u32)| {
            let value = f64::from(row + 1) * scale * (1.0 + f64::from(at) / 1e3);
            format!("Benchmark<b>{row}/n={row} 1 {value} ns/op\n")
        };
        lines.map(line).collect()
    };
    let stills = row_stills(&[("old.txt", text(1.0)), ("new.txt", text(1.1))]);
    for still in &stills {
        assert!(still.markup().len() < 120_000, "{}: {} bytes", still.name, still.markup().len());
        assert!(!still.markup().contains("<b>"), "{}", still.name);
    }
    for (name, said) in [("scatter", "400 of 1500 rows"), ("sorted", "through 480 of its rows")] {
        let caption = &named(&stills, name).caption;
        assert!(caption.contains(said), "{caption}");
    }
}

/// Would catch a throughput that is not of the bytes that a case declares, or has no interval.
#[test]
fn throughput_of_cases_over_a_size() {
    let sizes = [1e3, 1e4, 1e5];
    let of_size = |bytes: &f64| {
        let case = Case { bytes: Some(*bytes), ..cases::case("encode_bench.lua", None) };
        ("encode", case, cases::cost(1e-6 + bytes * 1e-9, 0.0))
    };
    let all: Vec<_> = sizes.iter().map(of_size).collect();
    let mut set = cases::run_set(&all, 10);
    for (benchmark, bytes) in set.benchmarks.iter_mut().zip(sizes) {
        benchmark.key.params = vec![("n".to_owned(), bytes.to_string())];
    }
    let data = data(&[set]);
    let settings = Settings { metric: metrics::WALL.to_owned(), ..Settings::default() };
    let analysis = analyse(&data, &settings).unwrap();
    let growing = plots::growing(&analysis);
    let stills = stills(&analysis, Drawn { groups: &[], growing: &growing });
    let growths: Vec<&Still> = stills.iter().filter(|it| it.name == "growth").collect();
    let captions: Vec<&str> =
        growths.iter().map(|it| it.caption.split(';').next().unwrap()).collect();
    assert_eq!(
        captions,
        [
            "Wall clock per call over n, with intervals",
            "Throughput (by the median time) over n, with intervals"
        ]
    );
    for ((at, rate), bytes) in growing[1].curves[0].points.iter().zip(sizes) {
        let time = growing[0].curves[0].points.iter().find(|it| it.0 == *at).unwrap().1;
        assert_eq!(rate.value, bytes / time.value);
        assert_eq!(rate.interval.unwrap().lo, bytes / time.interval.unwrap().hi);
    }
    insta::assert_snapshot!("picture_throughput", golden(growths[1]));
}
