//! Names of any writing: titles, files and cases with what some program could take for syntax, or does not show.

use crate::suites::{plain, run};
use crate::support::{Lab, has};

/// Combining marks, a no-break space, a joiner, a wide space, quotes, backslashes, a right-to-left override, Markdown and HTML.
const NAMES: [&str; 8] = [
    "हिन्दी",
    "cafe\u{301}",
    "a\u{a0}b",
    "全角\u{3000}空白",
    "👩\u{200d}💻",
    "q\"uo\\te'",
    "\u{202e}abc",
    "pi|pe <b>&amp; `x` *y*",
];

/// A text of TOML, as JSON has it.
fn toml(text: &str) -> String {
    serde_json::to_string(text).expect("a text")
}

/// Asks in every way in which a run is shown again. Would catch a name that stops what was measured from being shown.
fn is_shown_again(lab: &Lab, filters: &[String], shown: &[&str]) {
    let again = lab.run(["report", "@last"]).expect(0).stdout;
    has(&again, shown);
    lab.run([
        "report",
        "@last",
        "--html",
        "page.html",
        "--svg",
        "pictures",
        "--format",
        "markdown",
    ])
    .expect(0);
    assert!(!lab.read("page.html").is_empty());
    for svg in std::fs::read_dir(lab.path("pictures")).expect("pictures") {
        let name = svg.expect("a file").file_name().into_string().expect("a name");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
        assert!(
            name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_plain),
            "{name}"
        );
    }
    for filter in filters {
        lab.run(["compare", "@last", "--filter", filter, "--row", ".fullname"]).expect(0);
    }
    for format in ["csv", "json"] {
        lab.run(["report", "@last", "--format", format]).expect(0);
    }
}

#[test]
fn an_experiment_with_names_of_any_writing_is_shown_again() {
    let lab = Lab::new();
    let axis: Vec<String> = (1..)
        .zip(NAMES)
        .map(|(arg, name)| {
            format!("{{ name = {}, arg = {arg}, about = {} }}", toml(name), toml(name))
        })
        .collect();
    let [first, second, .., last] = NAMES.map(toml);
    let file = format!(
        "title = {last}\n[axes]\njob = [{}]\nart = [\"x\u{a0}y\", \"z\"]\n\
         [[subject]]\nname = {second}\ncommand = \"echo work: {{job.arg}} ns\"\n\
         [metric.work]\nunit = \"ns\"\n[measure]\nruns = 3\nseed = 1\n\
         [[table]]\ntitle = {first}\nmetric = \"work\"\nrows = \"job\"\ncolumns = \"art\"\nfastest = true\n\
         [[table]]\ntitle = {last}\nmetric = \"work\"\nrows = \"art\"\ncolumns = \"job\"\nonly = {{ job = [{first}, {second}] }}\n\
         [[table]]\nmetric = \"work\"\nrows = \"art\"\ncolumns = []\n\
         [page]\ntitle = {last}\n[[page.section]]\ntitle = {first}\nlegend = \"job\"\n\
         [[page.section]]\ncommands = \"job\"\n[[page.section]]\ntables = \"all\"\n",
        axis.join(", ")
    );
    lab.write("cafe\u{301} हि.toml", file);
    let ended = lab.run(["run", "cafe\u{301} हि.toml"]).expect(0);
    let shown =
        ["हिन्दी", "cafe\u{301}", "全角\u{3000}空白", "q\"uo\\te'", "pi|pe <b>&amp; `x` *y*"];
    has(&ended.stdout, &shown);
    let filters: Vec<String> = NAMES
        .iter()
        .map(|name| format!("/job:{} AND .unit:sec/op", etalon_core::query::quoted(name)))
        .collect();
    is_shown_again(&lab, &filters, &shown);
}

#[test]
fn a_suite_with_names_of_any_writing_is_shown_again() {
    let lab = Lab::new();
    let cases: Vec<String> =
        NAMES.iter().map(|name| name.replace('\\', "\\\\").replace('\'', "\\'")).collect();
    let cases: Vec<&str> = cases.iter().map(String::as_str).collect();
    plain(&lab, "cafe\u{301} हि_bench.lua", &cases);
    run(&lab, &["cafe\u{301} हि_bench.lua"]).expect(0);
    let filters: Vec<String> =
        NAMES.iter().map(|name| format!(".name:{}", etalon_core::query::quoted(name))).collect();
    is_shown_again(&lab, &filters, &["हिन्दी", "全角\u{3000}空白"]);
    for filter in &filters {
        run(&lab, &["--filter", filter, "cafe\u{301} हि_bench.lua"]).expect(0);
    }
}

/// Would catch a line to be copied that asks for something else than what it was made of.
#[test]
fn a_line_to_be_copied_is_the_line_that_was_typed() {
    let lab = Lab::new();
    let name = "a\u{202e}b 'c'.json";
    lab.run(["cmd", "-r", "3", "--quiet", "-o", name, "true"]).expect(0);
    let shown = lab.run(["runs", "show", "@last"]).expect(0).stdout;
    let line = shown
        .lines()
        .find_map(|line| line.split_once("command line").map(|it| it.1.trim().to_owned()));
    let words = line.expect("a command line");
    let (_, words) = words.split_once(' ').expect("words behind the program");
    let script = format!("printf '%s\\n' {words}");
    let read = lab.shell(&script).output().expect("a shell");
    let read = String::from_utf8(read.stdout).expect("UTF-8");
    assert_eq!(read.lines().collect::<Vec<_>>(), ["cmd", "-r", "3", "--quiet", "-o", name, "true"]);
}
