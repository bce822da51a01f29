//! Published tables: figures that others printed, beside one's own.

use crate::support::{Lab, has};

const PUBLISHED: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/serializers/published.csv");

/// The row `geo. mean` of the published page, by table and column.
const GEO_MEANS: [(&str, [(&str, u32); 6]); 3] = [
    (
        "pack-cpu",
        [
            ("buffer", 3),
            ("ldf", 24),
            ("ldf-stable", 40),
            ("msgpack", 59),
            ("bitser", 23),
            ("binser", 81),
        ],
    ),
    (
        "unpack-cpu",
        [
            ("buffer", 10),
            ("ldf", 38),
            ("ldf-stable", 39),
            ("msgpack", 89),
            ("bitser", 40),
            ("binser", 34),
        ],
    ),
    // Rounded cells give 37 for the last one: the page has 38, from ratios that were not rounded.
    (
        "size",
        [
            ("buffer", 100),
            ("ldf", 32),
            ("ldf-stable", 32),
            ("msgpack", 35),
            ("bitser", 36),
            ("binser", 37),
        ],
    ),
];

/// Would catch a geometric mean over other rows, or of other numbers, than the author's; and published figures that are
/// tested as if somebody had measured them here.
#[test]
fn geometric_means_of_published_cells_are_those_of_their_author() {
    let lab = Lab::new();
    for (metric, expected) in GEO_MEANS {
        let unit = format!(".unit:\"{metric}-%/op\"");
        let asked =
            ["--from", "table", PUBLISHED, "--filter", &unit, "--row", "/job", "--col", "/impl"];
        let view = ["compare", "--view", "of-max", "--format", "markdown"];
        let shown = lab.done([&view[..], &asked[..]].concat());
        let cells = |has: &str| -> Vec<String> {
            let line = shown.lines().find(|line| line.starts_with('|') && line.contains(has));
            let line = line.expect("a row of the table").trim_matches('|').split('|');
            line.map(|cell| cell.trim().to_owned()).collect()
        };
        let (header, means) = (cells(" buffer "), cells("geometric mean"));
        for (name, mean) in expected {
            let place = header.iter().position(|cell| cell == name).expect("a column");
            assert_eq!(means[place], format!("{mean} %"), "{metric} {name}: {shown}");
        }
        for word in ["faster", "slower", "p=", "unclear", "interval"] {
            assert!(!shown.contains(word), "{word}: {shown}");
        }
    }
}

/// Would catch figures of others that are ranked as if they had been measured here, and ratios that are not shown.
#[test]
fn published_figures_are_shown_and_not_ranked() {
    let lab = Lab::new();
    lab.write("t.csv", "job,tool,time ms\na,x,2\na,y,3\nb,x,2\nb,y,5\n");
    let shown = lab.done(["report", "--from", "table", "t.csv"]);
    assert!(shown.contains("5,000,000") && !shown.contains("Holm"), "{shown}");
    let asked = ["--from", "table", "t.csv", "--row", "/job", "--col", "/tool", "--view", "ratio"];
    let ratios = lab.done([&["compare"], &asked[..]].concat());
    has(&ratios, &["published: one number each, nothing to test", "1.500", "2.500"]);
}

/// Would catch a table that is half read, and a mistake without its place.
#[test]
fn a_plain_table_is_read_whole_or_told_where_not() {
    let lab = Lab::new();
    lab.write("t.tsv", "# from somewhere\nname\ttool\ttime ms\tsize kB\na\tx\t1.5\t2\na\ty\t3\t\n");
    let plain = lab.done([
        "compare", "--from", "table", "t.tsv", "--row", ".name", "--col", "/tool", "--view",
        "plain",
    ]);
    has(&plain, &["1,500,000", "3,000,000", "2,000"]);
    lab.write("late.tsv", "# tabs below an empty line\n\n\r\nname\ttime ms\na, b\t1.5\n");
    let late = lab.done(["compare", "--from", "table", "late.tsv", "--view", "plain"]);
    has(&late, &["a, b", "1,500,000"]);
    lab.write("none.tsv", "# remark\n\nname\ttime\na\t1.5\n");
    let ended = lab.run(["compare", "--from", "table", "none.tsv"]).expect(2);
    has(&ended.stderr, &["none.tsv:3", "no heading ends in a unit"]);
    lab.write("words.csv", "data set,time ms\nx,3\n");
    let ended = lab.run(["compare", "--from", "table", "--strict", "words.csv"]).expect(2);
    let told =
        "a heading with a space ends in a unit, so that of a column of keys has none: `data-set`";
    has(&ended.stderr, &["words.csv:2", "column 1 (`data set`): `x` is no number", told]);
    lab.write("bad.csv", "tool,time ms\nx,soon\ny,3\n");
    let ended = lab.run(["compare", "--from", "table", "--strict", "bad.csv"]).expect(2);
    has(&ended.stderr, &["bad.csv:2", "column 2 (`time ms`): `soon` is no number"]);
    lab.write("none.csv", "tool,time\nx,3\n");
    let ended = lab.run(["compare", "--from", "table", "none.csv"]).expect(2);
    has(&ended.stderr, &["none.csv:1", "no heading ends in a unit"]);
    lab.write("twice.csv", "tool,time ms\nx,3\nx,4\n");
    let ended = lab.run(["compare", "--from", "table", "twice.csv"]).expect(2);
    has(&ended.stderr, &["twice.csv:3", "the same keys as in line 2"]);
    lab.write("torn.csv", "tool,time ms\nx,3\ny\n");
    has(&lab.run(["compare", "--from", "table", "torn.csv"]).expect(2).stderr, &["torn.csv:3"]);
}
