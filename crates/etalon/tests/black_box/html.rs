//! `--html` through the real binary: one page that says what the terminal says, needs nothing else, and lets no
//! text become markup.

use crate::support::{Lab, has};

const HOSTILE: &str = "</title><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";

/// The page without its own script and the data for it, which are at its end.
fn page(lab: &Lab) -> String {
    let whole = String::from_utf8(lab.read("page.html")).expect("UTF-8");
    let (markup, scripts) = whole.split_once("</main>").expect("a main part");
    let is_known = |script: &str| {
        script.starts_with(">/*\nThe MIT License")
            || script.starts_with(" type=\"application/json\" id=\"observations\">{")
            || script.starts_with(" type=\"application/octet-stream\" id=\"column-")
    };
    assert!(scripts.split("<script").skip(1).all(is_known), "{scripts}");
    assert_eq!(scripts.matches("<script").count(), scripts.matches("</script").count());
    let is_scripted = scripts.contains("<script");
    let foot = "Made without scripts";
    assert_eq!(markup.matches(foot).count(), usize::from(!is_scripted), "{markup}");
    assert_eq!(markup.contains("script-src 'sha256-"), is_scripted, "{markup}");
    markup.to_owned()
}

/// Would catch scripts or a style that grow: a page of a few executions is mostly those.
#[test]
fn a_page_of_little_is_small() {
    let lab = Lab::new();
    lab.done(["cmd", "-r", "2", "true", "--html", "page.html"]);
    let size = lab.read("page.html").len();
    assert!(size < 150_000, "{size} bytes");
}

/// Would catch another wording than the terminal's, tables that are none to a screen reader, and missing pictures.
#[test]
fn the_page_says_what_the_terminal_says() {
    let lab = Lab::new();
    lab.done(["cmd", "-r", "6", "true", "sleep 0.02", "--html", "page.html"]);
    let shown = lab.done(["report", "@last"]);
    let page = page(&lab);
    let answer = shown.lines().next().expect("an answer");
    has(&page.replace('\u{a0}', " "), &["<p class=\"answer\">", answer]);
    has(&page, &["<th scope=\"col\"", "<th scope=\"row\"", "class=\"band\"", "class=\"box\""]);
    has(&page, &["<h2>To repeat it</h2>", "etalon cmd -r 6 true &#39;sleep 0.02&#39;"]);
    let pictures =
        ["class=\"hill\"", "class=\"curve s1\"", "class=\"points s0\"", "within each block"];
    has(&page, &pictures);
    assert_eq!(page.matches("<svg ").count(), page.matches("<desc>").count());
    lab.done(["report", "@last", "--html", "again.html"]);
    assert_eq!(lab.read("again.html"), lab.read("page.html"));
}

/// The files of a directory, sorted.
fn names(lab: &Lab, directory: &str) -> Vec<String> {
    let files = std::fs::read_dir(lab.path(directory)).expect("a directory");
    let name = |it: std::io::Result<std::fs::DirEntry>| it.expect("an entry").file_name();
    let mut names: Vec<String> = files.map(|it| name(it).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Would catch a comparison that does not show its rows together, and a report of Go benchmarks without their growth.
#[test]
fn rows_of_go_benchmarks_are_drawn_together() {
    let lab = Lab::new();
    let file = |scale: u32| -> String {
        let rows = (0..9_u32).flat_map(|row| (0..6_u32).map(move |at| (1 << row, at)));
        let line = |(n, at): (u32, u32)| {
            let ns = n * (1000 + at) * scale;
            format!("BenchmarkSum/n={n} 1 {ns} ns/op {}.5 MB/s\n", 900_000 / (1000 + at) / scale)
        };
        format!("pkg: p\n{}PASS\nok  \tp\t1s\n", rows.map(line).collect::<String>())
    };
    lab.write("old.txt", file(1));
    lab.write("new.txt", file(2));
    let kinds = |directory: &str| -> Vec<String> {
        let kind = |it: String| it.trim_end_matches(".svg")[3..].to_owned();
        names(&lab, directory).into_iter().map(kind).collect()
    };
    let shown = lab.done(["compare", "old.txt", "new.txt", "--svg", "rows", "--html", "page.html"]);
    // Equal changes: in the order of the files.
    let rows: Vec<&str> =
        shown.lines().filter_map(|line| line.trim().strip_prefix("Sum/n=")).collect();
    let sizes = rows.iter().filter_map(|row| row.split(' ').next()?.parse().ok());
    assert_eq!(sizes.take(9).collect::<Vec<u32>>(), [1, 2, 4, 8, 16, 32, 64, 128, 256]);
    let of_unit = ["scatter", "sorted", "growth"];
    let of_rows =
        [&["changes", "changes"][..], &of_unit[..], &of_unit[..], &["quantiles", "quantiles"]];
    assert_eq!(kinds("rows"), of_rows.concat());
    let page = page(&lab);
    assert_eq!(page.matches("<svg ").count(), kinds("rows").len());
    let (beside, over) = ("new.txt (upwards) against old.txt (across)", "of Sum/n={n} over n");
    has(&page, &[beside, over, ">new.txt<title>new.txt</title>", "grows as n^1.00"]);
    lab.done(["report", "old.txt", "--svg", "growth"]);
    assert_eq!(kinds("growth").iter().filter(|it| *it == "growth").count(), 2);
}

/// Would catch pictures that are missing, that differ from the page's, or that need its style sheet.
#[test]
fn pictures_are_files_too() {
    let lab = Lab::new();
    lab.done(["cmd", "-r", "6", "true", "sleep 0.02", "--svg", "pictures/of"]);
    let names = |directory: &str| names(&lab, directory);
    let all = ["01-ratios.svg", "02-spread.svg", "03-cumulative.svg", "04-over-time.svg"];
    let found = names("pictures/of");
    assert_eq!(found[..4], all, "{found:?}");
    let ratios = String::from_utf8(lab.read("pictures/of/01-ratios.svg")).expect("UTF-8");
    has(&ratios, &["xmlns=", "<title>", "<desc>", "prefers-color-scheme: dark", "fill: #"]);
    assert!(!ratios.contains("var("));
    lab.done(["report", "@last", "--svg", "again", "--html", "page.html"]);
    assert_eq!(names("again"), found);
    assert_eq!(page(&lab).matches("<svg ").count(), found.len());
    // Marks of quantiles are a family: of 6 readings none has an interval, of equal ones none moves.
    lab.done(["cmd", "-r", "6", "true", "sleep 0.02"]);
    lab.done(["compare", "@-2", "@last", "--svg", "changes"]);
    assert_eq!(names("changes")[0], "01-changes.svg");
    assert!(names("changes").iter().any(|it| it.ends_with("-quantiles.svg")));
    lab.write("file", "x");
    lab.run(["report", "@last", "--svg", "file"]).expect(2);
}

/// Would catch text that is not escaped, anything that is fetched.
#[test]
fn nothing_in_it_is_executed_or_fetched() {
    let lab = Lab::new();
    lab.done(["cmd", "-r", "2", "true", "-n", HOSTILE, "true", "-n", "x", "--html", "page.html"]);
    let page = page(&lab);
    has(&page, &["default-src 'none'", "&lt;script&gt;alert(1)", "&lt;img src=x"]);
    for never in ["<script", "<img", "http://", "https://", "<link", "style=\"", "url("] {
        assert!(!page.contains(never), "{never}");
    }
}

/// Would catch a comparison without page, one whose words differ, and tables that lack rows or pictures.
#[test]
fn a_comparison_is_a_page_too() {
    let lab = Lab::new();
    for run in ["old.jsonl", "new.jsonl"] {
        lab.done(["cmd", "-r", "6", "true", "-n", HOSTILE, "true", "-n", "x", "-o", run]);
    }
    let shown = lab.done(["compare", "old.jsonl", "new.jsonl", "--html", "page.html"]);
    let page = page(&lab);
    let answer = shown.lines().next().expect("an answer").split("   ").next().expect("a lead");
    has(&page, &[answer, "<h2>Every row</h2>", "class=\"mark\"", "&lt;script&gt;alert(1)"]);
    has(&page, &["new.jsonl as a multiple of old.jsonl", "default-src 'none'"]);
    has(&page, &["at each tenth of the readings, as a multiple of that of"]);
    for never in ["<script", "<img", "style=\""] {
        assert!(!page.contains(never), "{never}");
    }
    lab.run(["compare", "old.jsonl", "new.jsonl", "--html", "old.jsonl"]).expect(2);
    lab.done(["report", "old.jsonl", "--view", "plain", "--html", "plain.html"]);
    has(&String::from_utf8_lossy(&lab.read("plain.html")), &["<table>"]);
}

/// Would catch a page that does not say on which machine its data were measured, that says another's, or does not say how to
/// make it again; and side effects between what matters.
#[test]
fn every_page_says_where_and_how() {
    let lab = Lab::new();
    let go = |cpu: &str, ns: u32| {
        let line = |at: u32| {
            let ns = ns + at;
            format!("BenchmarkX 1 {ns} ns/op 8 B/op {ns} user-sec/op\n")
        };
        let lines: String = (0..8).map(line).collect();
        format!("goos: linux\ngoarch: riscv64\npkg: p\ncpu: {cpu}\n{lines}PASS\nok  \tp\t1s\n")
    };
    lab.write("the old.txt", go("First <i>CPU</i>", 1000));
    lab.write("new.txt", go("Second CPU", 2000));
    lab.done(["compare", "the old.txt", "new.txt", "--html", "page.html"]);
    let compared = page(&lab);
    let (_, end) = compared.split_once("<h2>Where it was measured</h2>").expect("a section");
    has(end, &["<caption>the old.txt</caption>", "First &lt;i&gt;CPU&lt;/i&gt;", "linux, riscv64"]);
    has(end, &["<caption>new.txt</caption>", "Second CPU"]);
    has(
        end,
        &["<h2>To repeat it</h2>", "etalon compare &#39;the old.txt&#39; new.txt --html page.html"],
    );
    // Between runs an interval of readings would be too narrow.
    has(
        &compared,
        &[
            "at each tenth of the readings, as a multiple of that of the old.txt; a dot without an interval says nothing by itself; shaded",
        ],
    );
    // What is the same without doubt takes no picture.
    assert!(!compared.contains("B/op: new.txt as a multiple of"), "{compared}");
    let places = ["id=\"look\"", "<h2>Every row</h2>", "<h2>Parts and side effects</h2>"];
    let places = places.map(|it| compared.find(it).expect(it));
    assert!(places.is_sorted(), "{places:?}");
    let (leading, parts) = compared.split_at(places[2]);
    let is_drawn = |page: &str, unit: &str| page.contains(&format!("{unit} (pkg: p): new.txt as"));
    let drawn =
        |page: &str| ["sec/op", "user-sec/op"].map(|unit| is_drawn(page, &format!(">{unit}")));
    assert_eq!([drawn(leading), drawn(parts)], [[true, false], [false, true]], "{compared}");

    for run in ["old.jsonl", "new.jsonl"] {
        lab.done(["cmd", "-r", "6", "/bin/true", "-o", run]);
    }
    lab.done(["compare", "old.jsonl", "new.jsonl", "--html", "page.html"]);
    let compared = page(&lab);
    for command in
        ["etalon cmd -r 6 /bin/true -o old.jsonl", "etalon cmd -r 6 /bin/true -o new.jsonl"]
    {
        assert_eq!(compared.matches(command).count(), 1);
    }
    has(&compared, &["etalon compare old.jsonl new.jsonl --html page.html"]);
}

const FILE: &str = r#"
title = "words"

[axes]
job = ["one", "two"]
impl = ["a", "b"]

[[subject]]
command = "true {job} {impl}"

[measure]
runs = 4

[[table]]
title = "Time of <b>words</b>"
metric = "wall"
rows = "job"
columns = "impl"
fastest = true

[page]
title = "All about <i>words</i>"

[[page.section]]
title = "What"
text = "*Few* words <script>alert(1)</script>, and [more](javascript:alert(2))."

[[page.section]]
tables = "all"
"#;

/// Would catch the ranking in place of the file's page, a page of the record that differs, and prose that is executed.
#[test]
fn the_page_of_an_experiment_is_that_of_its_file() {
    let lab = Lab::new();
    lab.write("words.toml", FILE);
    lab.done(["run", "words.toml", "--html", "page.html"]);
    let page = page(&lab);
    has(&page, &["<h1>All about &lt;i&gt;words&lt;/i&gt;</h1>", "<h2>What</h2>", "<em>Few</em>"]);
    has(&page, &["<h2>Where it was measured</h2>", "etalon run words.toml --html page.html"]);
    has(&page, &["Time of &lt;b&gt;words", "<th scope=\"row\"", "best", "&lt;script&gt;"]);
    has(&page, &["class=\"hot\""]);
    for never in ["<script", "<b>", "<i>", "javascript:", "style=\""] {
        assert!(!page.contains(never), "{never}");
    }
    lab.done(["report", "@last", "--html", "again.html"]);
    assert_eq!(lab.read("again.html"), lab.read("page.html"));
}

/// Would catch a page whose script looks for readings where there are none, and ends with an error.
#[test]
fn a_page_without_readings_has_none_to_draw() {
    let lab = Lab::new();
    lab.run(["cmd", "-N", "-r", "2", "-i", "--html", "p.html", "--", "sh -c 'kill -9 $$'"])
        .expect(1);
    let page = String::from_utf8(lab.read("p.html")).expect("UTF-8");
    assert!(page.contains("<html") && !page.contains("\"metrics\":[]"));
    assert!(!page.contains("id=\"observations\""));
}
