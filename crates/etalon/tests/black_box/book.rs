//! The pages of `docs`, the guide: each page's commands are executed in order in a directory of their own. Would catch an
//! option renamed, an example that fails or cannot be pasted, an output that etalon does not print any more, and a picture
//! that shows other figures than the page.

use std::path::{Path, PathBuf};

use super::readme::{Example, layout, place, printed, root};

/// The comment on the line before a block that is not executed; its reason follows.
const NOT_EXECUTED: &str = "<!-- not executed: ";

fn pages() -> PathBuf {
    root().join("docs")
}

/// Pages whose blocks are not looked at here: references, whose examples other tests have (`openresty`, `format_doc`, `nodes`),
/// and tables of figures.
const ELSEWHERE: [&str; 10] = [
    "bisect.md",
    "experiments.md",
    "format.md",
    "history.md",
    "json.md",
    "lua.md",
    "nodes.md",
    "openresty.md",
    "performance.md",
    "statistics.md",
];

/// Pages whose commands have to work again in the same directory.
const BEGINNERS: [&str; 2] = ["first.md", "which.md"];

/// Every page, by name.
fn all() -> Vec<(String, String)> {
    documents(&pages())
}

/// The documents of a directory, by name.
fn documents(directory: &Path) -> Vec<(String, String)> {
    let names = std::fs::read_dir(directory).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect();
    names.sort();
    let read = |name: String| {
        let text = std::fs::read_to_string(directory.join(&name)).unwrap();
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// What a line of a page stands in.
enum Within {
    Prose,
    /// Commands with what they print.
    Console,
    /// A block that is not executed, or that another test looks at (`text`: pages of `etalon help`, `toml`: `checks_files`).
    Other,
}

/// The commands of a page's console blocks with what they print; reasons of those that are not executed are said.
fn examples(name: &str, page: &str) -> Vec<Example> {
    let (mut within, mut reason) = (Within::Prose, None);
    let mut examples: Vec<Example> = Vec::new();
    for line in page.lines() {
        match (&within, line) {
            (Within::Prose, _) if line.starts_with(NOT_EXECUTED) => {
                reason = line.strip_prefix(NOT_EXECUTED).and_then(|why| why.strip_suffix(" -->"));
            }
            (Within::Prose, "```console") if reason.is_none() => within = Within::Console,
            (Within::Prose, _) if line.starts_with("```") => {
                assert!(
                    reason.is_some() || ["```text", "```toml"].contains(&line),
                    "{name}: {line}: no test looks at it"
                );
                within = Within::Other;
            }
            (Within::Prose, _) => assert!(!line.starts_with("    etalon "), "{name}: {line}"),
            (_, "```") => (within, reason) = (Within::Prose, None),
            (Within::Other, _) => {
                if let Some(why) = reason {
                    println!("{name}: not executed: {line}: {why}");
                }
            }
            (Within::Console, _) => match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => {
                    examples.push(Example { command: command.to_owned(), output: String::new() });
                }
                (None, Some(example)) => example.output += &format!("{line}\n"),
                (None, None) => panic!("{name}: {line}: no command prints it"),
            },
        }
    }
    examples
}

/// The blocks of a page that are files of `--checks`.
fn checks_files(page: &str) -> impl Iterator<Item = &str> {
    let blocks = page.split("\n```toml\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks.filter(|text| text.contains("[[threshold]]"))
}

/// A figure of a file is the same on every machine; of what is measured here, only the words are.
fn works(name: &str) {
    let page = std::fs::read_to_string(pages().join(name)).unwrap();
    let place = place();
    for checks in checks_files(&page) {
        std::fs::write(place.path().join("checks.toml"), checks).unwrap();
        let samples = "docs/samples/old.txt docs/samples/new.txt";
        printed(&format!("etalon compare --checks checks.toml {samples}"), place.path());
    }
    let examples = examples(name, &page);
    // Whoever begins pastes everything twice.
    let times = if BEGINNERS.contains(&name) { 2 } else { 1 };
    for Example { command, output } in examples.iter().cycle().take(times * examples.len()) {
        let stdout = printed(command, place.path());
        if output.is_empty() {
            continue;
        }
        if command.contains("compare") {
            assert_eq!(&stdout, output, "{name}: {command}");
        } else {
            assert_eq!(layout(output), layout(&stdout), "{name}: {command}\n{stdout}");
        }
    }
}

/// A test for each page, so that pages are executed side by side.
macro_rules! pages_that_work {
    ($($page:ident: $name:literal,)*) => {
        mod every_command_works_and_prints_what_the_page_shows_of {
            $(#[test]
            fn $page() {
                super::works($name);
            })*
        }

        const EXECUTED: &[&str] = &[$($name),*];
    };
}

pages_that_work! {
    bestguess: "bestguess.md",
    benchstat: "benchstat.md",
    ci: "ci.md",
    commands: "commands.md",
    compare: "compare.md",
    exports: "exports.md",
    first: "first.md",
    harnesses: "harnesses.md",
    hyperfine: "hyperfine.md",
    lua_measure: "lua-measure.md",
    machine: "machine.md",
    revisions: "revisions.md",
    runs: "runs.md",
    serializer: "serializer.md",
    verdicts: "verdicts.md",
    which: "which.md",
}

/// Would catch a page that nobody executes.
#[test]
fn every_page_is_executed_or_tested_elsewhere() {
    let mut pages: Vec<&str> = EXECUTED.iter().chain(&ELSEWHERE).copied().collect();
    pages.sort_unstable();
    let all: Vec<String> = all().into_iter().map(|(name, _)| name).collect();
    assert_eq!(pages, all);
}

/// Would catch a page that nobody finds, and a line of the contents without a page.
#[test]
fn the_contents_name_every_page() {
    let summary = std::fs::read_to_string(pages().join("SUMMARY.md")).unwrap();
    let listed = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut listed: Vec<String> = listed.map(str::to_owned).collect();
    let pages: Vec<String> = all().into_iter().map(|(name, _)| name).collect();
    listed.sort();
    assert_eq!(listed, pages);
}

/// Would catch a link of a page that leads nowhere, to a file that is not there or a heading that is not in it, and one
/// that leaves the book: mdBook makes no page of what the contents do not list.
#[test]
fn links_between_pages_lead_somewhere() {
    for (name, page) in all() {
        for link in links(&page) {
            let outside = link.starts_with("../") || link.starts_with("notes/");
            assert!(!outside, "{name}: {link}: not in the book");
            leads_somewhere(&pages(), &name, link);
        }
    }
}

/// Would catch a note whose page was renamed.
#[test]
fn links_of_notes_lead_somewhere() {
    let notes = pages().join("notes");
    let all = documents(&notes);
    assert!(!all.is_empty());
    for (name, note) in all {
        for link in links(&note) {
            leads_somewhere(&notes, &name, link);
        }
    }
}

/// Would catch a README that grows into a second guide: it has the answer, four screens, and where to read on.
#[test]
fn the_readme_is_short() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= 900, "{words} words");
    for link in links(&readme) {
        leads_somewhere(&root(), "README.md", link);
    }
}

/// Would catch a changelog that nobody can look through: paragraphs in place of lines, a section whose lines stand in no
/// order, and a list of what there is that grows into another guide.
#[test]
fn the_changelog_has_a_line_an_item() {
    let text = std::fs::read_to_string(root().join("CHANGELOG.md")).unwrap();
    let long = text.lines().find(|line| line.chars().count() > 160);
    assert_eq!(long, None);
    let (_, first) = text.split_once("\n## 0.1.0\n").unwrap();
    assert!(first.len() <= 6_000, "{} bytes", first.len());
    let (_, next) = text.split_once("\n## Unreleased\n").unwrap();
    let headings = next.lines().take_while(|line| !line.starts_with("## "));
    let headings: Vec<&str> = headings.filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!(headings, ["Numbers", "Files and exit codes", "Added", "Fixed"]);
}

/// Would catch a map that needs more than three places for one thing: the house is wrong there, not the map.
#[test]
fn the_map_names_at_most_three_places_a_line() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, places) = map.split_once("\n## Where things go\n").unwrap();
    let is_place = |code: &&str| code.contains("::") || code.contains('/');
    for line in places.lines().filter(|line| line.starts_with("- ")) {
        let places = line.split('`').skip(1).step_by(2).filter(is_place).count();
        assert!(places <= 3, "{places}: {line}");
    }
}

/// Would catch a guide that nobody reads to its end: its stories belong into notes beside it. Bars of tables and signs of
/// formulas are no words.
#[test]
fn the_guide_is_short() {
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let words: usize =
        all().iter().map(|(_, page)| page.split_whitespace().filter(is_word).count()).sum();
    assert!(words <= 45_000, "{words} words");
}

/// Would catch a paragraph pasted in as it came. Tables, pictures, examples and what has no space cannot be wrapped.
#[test]
fn pages_are_wrapped_at_120_columns() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for (name, page) in all().into_iter().chain([("README.md".to_owned(), readme)]) {
        let mut is_prose = true;
        for line in page.lines() {
            is_prose ^= line.starts_with("```");
            let whole = ["|", "![", "    "].iter().any(|start| line.starts_with(start));
            let fits = line.chars().count() <= 120 || !line.trim().contains(' ');
            assert!(!is_prose || whole || fits, "{name}: {line}");
        }
    }
}

/// Where the links of a text lead, but for those to other places of the web.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    ends.filter(|link| !link.starts_with("http"))
}

/// Asserts that the file of a link is there, seen from `directory`, and that it has the heading.
fn leads_somewhere(directory: &Path, name: &str, link: &str) {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let path = directory.join(if file.is_empty() { name } else { file });
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {link}: {error}"));
    let found = text.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
    assert!(heading.is_empty() || found, "{name}: {link}");
}

/// What a heading is called in a link.
fn anchor(line: &str) -> String {
    let words = line.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// What the picture shows of one output: the interval of `Split` and the margin it is held against.
struct Shown {
    verdict: String,
    change: f64,
    low: f64,
    high: f64,
    margin: f64,
    said: &'static str,
}

impl Shown {
    /// Of the line `Split  +1.8 % (+1.1 … +2.7)  0.003  slower [1]` of `--full`.
    fn read(stdout: &str, margin: f64, said: &'static str) -> Self {
        let of_split = |line: &&str| line.trim_start().starts_with("Split") && line.contains('(');
        let line = stdout.lines().find(of_split).unwrap();
        let number = |text: &str| {
            text.trim_end_matches(|c: char| !c.is_ascii_digit()).trim().parse().unwrap()
        };
        let (before, rest) = line.split_once('(').unwrap();
        let (interval, rest) = rest.split_once(')').unwrap();
        let (low, high) = interval.split_once('…').unwrap();
        let change = before.trim_end().rsplit("  ").next().unwrap();
        let verdict = rest
            .split_whitespace()
            .find(|word| word.len() > 3 && word.chars().all(char::is_alphabetic))
            .unwrap()
            .to_owned();
        Self { verdict, change: number(change), low: number(low), high: number(high), margin, said }
    }

    fn drawn(&self, top: u32) -> String {
        let at = |percent: f64| 400.0 + 18.0 * percent;
        let (low, high, change) = (at(self.low), at(self.high), at(self.change));
        let (left, width) = (at(-self.margin), 36.0 * self.margin);
        let (line, label) = (top + 20, top + 24);
        format!(
            "<rect class=\"margin\" x=\"{left:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"40\"/>\n\
             <line x1=\"{low:.1}\" y1=\"{line}\" x2=\"{high:.1}\" y2=\"{line}\"/>\n\
             <circle cx=\"{change:.1}\" cy=\"{line}\" r=\"5\"/>\n\
             <text x=\"10\" y=\"{label}\"><tspan font-weight=\"bold\">{}</tspan>  {}</text>\n",
            self.verdict, self.said
        )
    }
}

/// One change, an interval a row, drawn from what the program prints; the verdicts. `INSTA_UPDATE=always` writes `file` anew.
fn drawn(file: &str, title: &str, rows: &[(&str, f64, &'static str)]) -> Vec<String> {
    let place = place();
    let read = |(options, margin, said): &(&str, f64, &'static str)| {
        let files = "docs/samples/old.txt docs/samples/new.txt";
        let command = format!("etalon compare --full --filter '.unit:sec/op' {options} {files}");
        Shown::read(&printed(&command, place.path()), *margin, said)
    };
    let rows: Vec<Shown> = rows.iter().map(read).collect();
    let drawn: String = rows.iter().zip([20, 80, 140]).map(|(row, top)| row.drawn(top)).collect();
    let axis = [-10, -5, 0, 5, 10].map(|at| {
        format!("<text text-anchor=\"middle\" x=\"{}\" y=\"210\">{at:+} %</text>\n", 400 + 18 * at)
    });
    let picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 220\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>{title}</title>\n\
         <style>line {{ stroke: #246; stroke-width: 3 }} circle {{ fill: #246 }} .margin {{ fill: #cdb }} \
         .zero {{ stroke: #777; stroke-width: 1 }}</style>\n\
         <rect width=\"680\" height=\"220\" fill=\"#fff\"/>\n{drawn}\
         <line class=\"zero\" x1=\"400\" y1=\"10\" x2=\"400\" y2=\"195\"/>\n{}</svg>\n",
        axis.concat()
    );
    let path = pages().join(file);
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(&path, &picture).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, picture, "INSTA_UPDATE=always cargo test -p etalon --test black_box book::");
    rows.into_iter().map(|row| row.verdict).collect()
}

/// Would catch a picture that shows other figures than the program prints, and a verdict that is not the page's.
#[test]
fn the_picture_of_verdicts_shows_what_the_page_says() {
    let rows = [
        ("", 1.0, "two runs, margin 1 %"),
        ("--between 0 --margin 1%", 1.0, "readings only, 1 %"),
        ("--between 0 --margin 5%", 5.0, "readings only, 5 %"),
    ];
    let title = "Unclear, slower and same: one change, three intervals";
    assert_eq!(drawn("verdicts.svg", title, &rows), ["unclear", "slower", "same"]);
}

/// The same of what runs differ by.
#[test]
fn the_picture_of_runs_shows_what_the_page_says() {
    let rows = [
        ("", 1.0, "nothing is known"),
        ("--between 1%", 1.0, "runs differ by 1 %"),
        ("--between 0", 1.0, "runs do not differ"),
    ];
    let title =
        "One change, three intervals: runs that may differ, that differ by 1 %, that do not differ";
    assert_eq!(drawn("between.svg", title, &rows), ["unclear", "unclear", "slower"]);
}
