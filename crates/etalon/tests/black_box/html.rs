//! `--html` through the real binary: one page that says what the terminal says, needs nothing else, and lets no
//! text become markup.

use crate::support::{Lab, has};

const HOSTILE: &str = "</title><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";

fn page(lab: &Lab) -> String {
    String::from_utf8(lab.read("page.html")).expect("UTF-8")
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
    assert_eq!(page.matches("<svg ").count(), 2);
    lab.done(["report", "@last", "--html", "again.html"]);
    assert_eq!(lab.read("again.html"), page.as_bytes());
}

/// Would catch text that is not escaped, anything that is fetched, and a page that has grown fat.
#[test]
fn nothing_in_it_is_executed_or_fetched() {
    let lab = Lab::new();
    lab.done(["cmd", "-r", "2", "true", "-n", HOSTILE, "true", "-n", "x", "--html", "page.html"]);
    let page = page(&lab);
    has(&page, &["default-src 'none'", "&lt;script&gt;alert(1)", "&lt;img src=x"]);
    for never in ["<script", "<img", "http://", "https://", "<link", "style=\"", "url("] {
        assert!(!page.contains(never), "{never}");
    }
    assert!(page.len() < 150_000, "{} bytes", page.len());
}
