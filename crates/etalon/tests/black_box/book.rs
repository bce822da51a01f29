//! The pages of `docs/guide` that are written for it (the others include a file of `docs/`): each page's commands are
//! executed in order in a directory of their own. Would catch an option renamed, an example that fails or cannot be
//! pasted, an output that etalon does not print any more, and a picture that shows other figures than the page.

use std::path::PathBuf;

use super::readme::{Example, layout, place, printed, root};

/// The comment on the line before a block that is not executed; its reason follows.
const NOT_EXECUTED: &str = "<!-- not executed: ";

fn pages() -> PathBuf {
    root().join("docs/guide/src")
}

/// Pages with text of their own, by name.
fn own() -> Vec<(String, String)> {
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        (name.ends_with(".md") && !text.starts_with("{{#include")).then_some((name, text))
    };
    let mut pages: Vec<(String, String)> =
        std::fs::read_dir(pages()).unwrap().filter_map(read).collect();
    pages.sort();
    pages
}

/// The commands of a page's console blocks with what they print; reasons of those that are not executed are said.
fn examples(name: &str, page: &str) -> Vec<Example> {
    let (mut inside, mut reason) = (false, None);
    let mut examples: Vec<Example> = Vec::new();
    for line in page.lines() {
        if let Some(why) = line.strip_prefix(NOT_EXECUTED) {
            reason = why.strip_suffix(" -->");
        } else if line == "```" && (inside || reason.is_some()) {
            (inside, reason) = (false, None);
        } else if line.starts_with("```") {
            assert_eq!(line, "```console", "{name}: a block that no test looks at");
            inside = reason.is_none();
        } else if let (Some(why), true) = (reason, line.starts_with("$ ")) {
            println!("{name}: not executed: {line}: {why}");
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            examples.push(Example { command: command.to_owned(), output: String::new() });
        } else if let Some(example) = examples.last_mut().filter(|_| inside) {
            example.output += &format!("{line}\n");
        }
    }
    examples
}

/// A figure of a file is the same on every machine; of what is measured here, only the words are.
#[test]
fn every_command_of_the_book_works_and_prints_what_the_page_shows() {
    for (name, page) in own() {
        let place = place();
        for Example { command, output } in examples(&name, &page) {
            let stdout = printed(&command, place.path());
            if output.is_empty() {
                continue;
            }
            if command.contains("compare") {
                assert_eq!(stdout, output, "{name}: {command}");
            } else {
                assert_eq!(layout(&output), layout(&stdout), "{name}: {command}\n{stdout}");
            }
        }
    }
}

/// Would catch a page that nobody finds, and a line of the contents without a page.
#[test]
fn the_contents_name_every_page() {
    let summary = std::fs::read_to_string(pages().join("SUMMARY.md")).unwrap();
    let listed = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let mut listed: Vec<String> = listed.map(str::to_owned).collect();
    let names = std::fs::read_dir(pages()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<String> =
        names.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect();
    listed.sort();
    pages.sort();
    assert_eq!(listed, pages);
}

/// Would catch a link of a page that leads nowhere: to a file that is not there, or a heading that is not in it.
#[test]
fn links_between_pages_lead_somewhere() {
    for (name, page) in own() {
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = pages().join(if file.is_empty() { &name } else { file });
            let mut text = std::fs::read_to_string(&path)
                .unwrap_or_else(|error| panic!("{name}: {link}: {error}"));
            if let Some(other) = text.strip_prefix("{{#include ") {
                let other = other.trim_end().trim_end_matches('}');
                text = std::fs::read_to_string(pages().join(other)).unwrap();
            }
            let found = text.lines().any(|line| anchor(line) == heading);
            assert!(heading.is_empty() || found, "{name}: {link}");
        }
    }
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

/// The picture of the page on verdicts, drawn from what the program prints. `INSTA_UPDATE=always` writes it anew.
#[test]
fn the_picture_shows_what_the_page_says() {
    let place = place();
    let shown = |options: &str, margin, said| {
        let files = "docs/samples/old.txt docs/samples/new.txt";
        let command = format!("etalon compare --full --filter '.unit:sec/op' {options} {files}");
        Shown::read(&printed(&command, place.path()), margin, said)
    };
    let rows = [
        shown("", 1.0, "two runs, margin 1 %"),
        shown("--between 0 --margin 1%", 1.0, "readings only, 1 %"),
        shown("--between 0 --margin 5%", 5.0, "readings only, 5 %"),
    ];
    let verdicts: Vec<&str> = rows.iter().map(|row| row.verdict.as_str()).collect();
    assert_eq!(verdicts, ["unclear", "slower", "same"]);
    let drawn: String = rows.iter().zip([20, 80, 140]).map(|(row, top)| row.drawn(top)).collect();
    let axis = [-10, -5, 0, 5, 10].map(|at| {
        format!("<text text-anchor=\"middle\" x=\"{}\" y=\"210\">{at:+} %</text>\n", 400 + 18 * at)
    });
    let picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 680 220\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>Unclear, slower and same: one change, three intervals</title>\n\
         <style>line {{ stroke: #246; stroke-width: 3 }} circle {{ fill: #246 }} .margin {{ fill: #cdb }} \
         .zero {{ stroke: #777; stroke-width: 1 }}</style>\n\
         <rect width=\"680\" height=\"220\" fill=\"#fff\"/>\n{drawn}\
         <line class=\"zero\" x1=\"400\" y1=\"10\" x2=\"400\" y2=\"195\"/>\n{}</svg>\n",
        axis.concat()
    );
    let path = pages().join("verdicts.svg");
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(&path, &picture).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, picture, "INSTA_UPDATE=always cargo test -p etalon --test black_box book::");
}
