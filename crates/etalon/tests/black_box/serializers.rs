//! The serializers of the published comparison, measured: examples/serializers/serializers.toml.

use std::path::Path;

use crate::support::{Lab, has, joined, skip};

const FILE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/serializers/serializers.toml");

/// The published sizes: job, raw value (that of `buffer`, the largest of every row), percent of `msgpack`.
const SIZES: [(&str, &str, u32); 14] = [
    ("array-16", "146", 13),
    ("array-32", "290", 12),
    ("array-128", "1,154", 11),
    ("array-1024", "9,219", 29),
    ("array-1e6", "9,000,006", 54),
    ("farray-16", "146", 95),
    ("farray-1e3", "9,003", 100),
    ("farray-1e6", "9,000,006", 100),
    ("vectors-3-1000", "29,003", 64),
    ("entities-1", "61", 44),
    ("entities-100", "6,100", 47),
    ("entities-1000", "61,001", 53),
    ("tree-2-8", "2,814", 18),
    ("tree-8-7", "19,473,554", 12),
];

/// Whether the library is there whose sizes were published.
fn has_msgpack() -> bool {
    let is_there =
        ["/usr/share/lua/5.1/MessagePack.lua", "/usr/local/share/lua/5.1/MessagePack.lua"]
            .iter()
            .any(|path| Path::new(path).exists());
    if !is_there {
        skip("lua-MessagePack is not installed");
    }
    is_there
}

/// The cells of a row of a Markdown table, from a heading on.
fn row(page: &str, heading: &str, name: &str) -> Vec<String> {
    let table =
        page.split(heading).nth(1).expect("a table").split("\n### ").next().expect("its end");
    let begins = |line: &&str| line.trim_start_matches(['|', ' ']).starts_with(name);
    let line = table.lines().find(begins).expect("a row");
    line.trim_matches('|').split('|').skip(1).map(|cell| cell.trim().to_owned()).collect()
}

/// Would catch a generator that makes other values, a size that is not the published one, and a mean of rounded ratios.
#[test]
fn the_published_sizes_come_out_of_a_live_run() {
    if !has_msgpack() {
        return;
    }
    let lab = Lab::new();
    let filter = "/impl:(buffer OR msgpack) AND /jit:on";
    lab.run(["run", "--quiet", "-r", "1", "--filter", filter, FILE]).expect(0);
    let page = lab.done(["report", "@last", "--format", "markdown"]);
    for (job, raw, percent) in SIZES {
        let expected = ["100 %".to_owned(), format!("{percent} %"), raw.to_owned()];
        assert_eq!(row(&page, "### Size (bytes)", &format!("{job} ")), expected, "{job}");
    }
    assert_eq!(row(&page, "### Size (bytes)", "geometric mean")[..2], ["100 %", "35 %"]);
}

/// Would catch a table without a library that is missing, one of JIT on that is of JIT off, a verdict on five measures, and a
/// question that the record cannot answer.
#[test]
fn a_part_of_the_matrix_answers_other_questions_too() {
    let lab = Lab::new();
    let filter = "/job:(array-16 OR tree-2-8 OR entities-1) AND /impl:(buffer OR reference OR none OR binser)";
    let screen = lab.done(["run", "-r", "5", "--filter", filter, FILE]);
    assert!(
        screen.contains(" more, among them all of ") && screen.lines().count() < 80,
        "{screen}"
    );
    let shown = lab.done(["report", "@last", "--full"]);
    has(&shown, &["Packing time (ns, CPU time), jit on", "Packing time (ns, CPU time), jit off"]);
    has(&shown, &["Unpacking time (ns, CPU time), jit on", "Size (bytes)", "geometric mean"]);
    has(&shown, &["Keeps references", "Awkward values", "Damaged inputs"]);
    let lines: Vec<String> = shown.lines().map(joined).collect();
    for line in
        ["bufferLuaJIT0", "referenceLua1", "buffer8", "reference8", "buffer1,000", "reference1,000"]
    {
        assert!(lines.iter().any(|known| known == line), "{line}: {shown}");
    }
    assert!(!shown.contains("declared exact"), "{shown}");
    has(&shown, &["5 measures a cell are too few to say who is best in a row: that takes 7"]);
    if !Path::new("/usr/share/lua/5.1/binser.lua").exists() {
        has(&shown, &["not installed"]);
    }
    let pack = ".unit:pack-cpu-sec/op";
    let report = |arguments: &[&str]| lab.done([&["report", "@last"], arguments].concat());
    let rows = report(&[
        "--filter",
        ".unit:size-B/op",
        "--row",
        "/impl",
        "--col",
        "/job",
        "--view",
        "plain",
    ]);
    has(&rows, &["array-16", "tree-2-8", "buffer", "146", "2,814"]);
    let one = format!("{pack} AND /job:tree-2-8");
    let two = report(&[
        "--filter", &one, "--row", "/job", "--col", "/impl", "--table", "/jit", "--view", "of-max",
    ]);
    assert!(two.contains("tree-2-8") && !two.contains("array-16"), "{two}");
    let jit = report(&["--filter", pack, "--row", "/job,/impl", "--col", "/jit", "--full"]);
    has(&jit, &["on", "off", "tree-2-8 reference"]);
    let on = format!("{pack} AND /jit:on");
    let raw = report(&["--filter", &on, "--row", "/job", "--col", "/impl", "--view", "plain"]);
    has(&raw, &["array-16", "reference"]);
    let ratio = report(&[
        "--filter",
        &on,
        "--row",
        "/job",
        "--col",
        "/impl@(reference buffer)",
        "--view",
        "ratio",
    ]);
    has(&ratio, &["1.000", "buffer"]);
}
