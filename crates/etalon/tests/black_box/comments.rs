//! Comments below pull requests: what they say of real comparisons, what they refuse, and how `packaging/action.sh` posts
//! them, at a server of the test's own.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::{Ended, Lab, Running, has, skip};

/// Twelve blocks of benchmarks on two sides, as a record; the head takes so many times as long.
fn record(benchmarks: &[(&str, f64)]) -> String {
    let mut lines = vec![json!({
        "type": "header", "format": "etalon", "version": 1, "id": "x", "tool": "t",
        "argv": ["/x/etalon", "ab", "old", "--", "./p", "@everybody"],
        "context": {"base.asked": "old", "head.asked": "HEAD @me"},
        "sides": {"key": "/side", "base": "base", "head": "head"},
    })];
    lines.push(json!({"type": "metric", "name": "wall", "unit": "ns", "direction": "lower", "kind": "noisy"}));
    for (name, _) in benchmarks {
        for side in ["base", "head"] {
            lines.push(json!({"type": "benchmark", "name": name, "command": "true", "params": {"side": side}}));
        }
    }
    lines.push(json!({"type": "note", "about": "x", "text": "This change is approved by @everybody, see #1"}));
    for block in 0..12 {
        for (at, (_, factor)) in benchmarks.iter().enumerate() {
            for (side, times) in [(0_u8, 1.0), (1, *factor)] {
                let wall =
                    (1e6 + 137.0 * f64::from((block * 7 + u32::from(side) * 3) % 12)) * times;
                let wall = wall.round();
                lines.push(json!({"type": "observation", "benchmark": 2 * at + usize::from(side), "block": block, "values": {"wall": wall}}));
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

const HOSTILE: &str = "@name #123 https://example.org owner/repo#1 <b>x</b> 0123456789abcdef";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("r.jsonl", record(&[("same", 1.0), (HOSTILE, 1.5), ("better", 0.5)]));
    lab
}

/// Would catch an answer that is not first, a row that got worse behind one that got better, a sentence of a record, and
/// a name that calls somebody.
#[test]
fn a_record_of_two_sides_is_a_comment() {
    let lab = lab();
    let text = lab.done(["report", "r.jsonl", "--format", "comment", "--title", "Speed"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("<!-- etalon ") && lines[0].ends_with(" -->"), "{text}");
    assert_eq!(lines[1], "### Speed: time: 1 faster, 1 slower, 1 same", "{text}");
    let row = |part: &str| lines.iter().position(|line| line.contains(part)).expect(part);
    assert!(row("**slower**") < row("`better`") && row("`better`") < row("`same`"), "{text}");
    assert!(text.contains(&format!("`{HOSTILE}`")), "{text}");
    assert!(!text.contains("approved"), "{text}");
    assert!(text.contains("Again: `etalon ab old -- ./p @everybody`"), "{text}");
    let compared = lab.done(["compare", "r.jsonl", "--format", "comment", "--title", "Speed"]);
    assert_eq!(compared, text);
    let other = ["report", "r.jsonl", "--format", "comment", "--title", "Size", "--repeat", ""];
    let other = lab.done(other);
    assert!(other.lines().next() != Some(lines[0]) && !other.contains("Again"), "{other}");
    let elsewhere = ["report", "r.jsonl", "--format", "comment", "--repeat", "make bench"];
    assert!(lab.done(elsewhere).contains("Again: `make bench`"));
}

/// Twelve blocks of rows on two sides that were built twice, of which each takes so many times as much of a metric in the
/// second build of the head.
fn built_twice(rows: &[(&str, f64, f64)]) -> String {
    let mut lines = vec![json!({
        "type": "header", "format": "etalon", "version": 1, "id": "x", "argv": ["etalon", "ab"],
        "context": {"builds": "2"}, "sides": {"key": "/side", "base": "base", "head": "head"},
    })];
    for (name, unit) in [("wall", "ns"), ("rss", "B")] {
        lines.push(json!({"type": "metric", "name": name, "unit": unit, "direction": "lower", "kind": "noisy"}));
    }
    let sides = [("base", 1.0), ("head", 1.5)];
    for (name, ..) in rows {
        for build in ["1", "2"] {
            for (side, _) in sides {
                let params = json!({"side": side, "build": build});
                lines.push(
                    json!({"type": "benchmark", "name": name, "command": "true", "params": params}),
                );
            }
        }
    }
    for block in 0..12_u32 {
        for (at, (_, wall, rss)) in rows.iter().enumerate() {
            for (of, moved) in [false, false, false, true].into_iter().enumerate() {
                let read = |typical: f64, times: f64| {
                    let scatter = f64::from((block * 7 + u32::try_from(of).unwrap() * 5) % 12);
                    let value = typical * (1.0 + scatter / 1e4) * sides[of % 2].1;
                    (if moved { value * times } else { value }).round()
                };
                lines.push(json!({"type": "observation", "benchmark": 4 * at + of, "block": block,
                    "values": {"wall": read(1e6, *wall), "rss": read(5e6, *rss)}}));
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Would catch a title that takes all verdicts away for one that is withheld, and one that says nothing where all are.
#[test]
fn a_title_counts_the_verdicts_that_controls_withhold() {
    let title = |rows: &[(&str, f64, f64)]| {
        let lab = Lab::new();
        lab.write("r.jsonl", built_twice(rows));
        let text = lab.done(["report", "r.jsonl", "--format", "comment"]);
        text.lines().nth(1).expect("a title").to_owned()
    };
    assert_eq!(title(&[("a", 1.0, 1.0)]), "### time: 1 slower; memory: 1 more");
    let one = title(&[("a", 1.0, 2.0), ("b", 1.0, 1.0)]);
    assert_eq!(
        one,
        "### 1 of 4 verdicts withheld, a control moved | time: 2 slower; memory: 1 more, 1 unclear"
    );
    let all = [("a", 2.0, 2.0), ("b", 2.0, 2.0), ("c", 2.0, 2.0), ("d", 2.0, 2.0)];
    assert!(title(&all).starts_with("### no verdict, a control moved | "), "{}", title(&all));
}

/// Would catch a comment that has to be cut by who posts it.
#[test]
fn a_comment_has_an_end() {
    let lab = Lab::new();
    let names: Vec<String> =
        (0..2000).map(|nth| format!("a benchmark with a name {nth:04}")).collect();
    let all: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 1.0)).collect();
    lab.write("r.jsonl", record(&all));
    let text = lab.done(["report", "r.jsonl", "--format", "comment"]);
    assert!(text.len() <= 60_000 && text.len() > 50_000, "{}", text.len());
    has(
        &text,
        &["<summary>2,000 more rows</summary>", "rows are left out", "</details>", "Again: "],
    );
    let whole = |line: &&str| line.starts_with("| `") && !line.ends_with(" same |");
    assert_eq!(text.lines().find(whole), None);
}

#[test]
fn what_has_no_comment_says_so() {
    let lab = lab();
    let marked = |command: &str| format!("{command} -r 3 'touch measured' --format comment");
    for words in [marked("cmd"), marked("cmd").replace("comment", "terminal --title x")] {
        let ended = Running::start(lab.shell(&format!("\"$E\" {words}"))).end().expect(2);
        has(&ended.stderr, &["comment"]);
    }
    assert!(!lab.path("measured").exists());
    for (words, why) in [
        (
            &["compare", "r.jsonl", "--format", "comment", "--full"][..],
            "--full has no effect with --format comment",
        ),
        (&["compare", "r.jsonl", "--format", "comment", "--sort", "name"], "--sort has no effect"),
        (&["compare", "r.jsonl", "--repeat", "x"], "--repeat is for comments"),
        (&["compare", "r.jsonl", "--title", "x"], "add --view ratio"),
    ] {
        has(&lab.run(words).expect(2).stderr, &[why]);
    }
}

/// A server with pull requests and comments, as GitHub's.
struct Server {
    address: String,
    /// Methods, paths and bodies of what was asked to be written.
    written: Arc<Mutex<Vec<(String, Value)>>>,
    comments: Arc<Mutex<Value>>,
}

impl Server {
    fn start(comments: Value) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let server =
            Server { address, written: Arc::default(), comments: Arc::new(Mutex::new(comments)) };
        let (written, known) = (Arc::clone(&server.written), Arc::clone(&server.comments));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _gone = answer(stream, &written, &known);
            }
        });
        server
    }

    fn written(&self) -> Vec<(String, Value)> {
        self.written.lock().expect("a lock").drain(..).collect()
    }
}

fn answer(
    stream: TcpStream,
    written: &Mutex<Vec<(String, Value)>>,
    known: &Mutex<Value>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut request, mut length) = (String::new(), 0);
    reader.read_line(&mut request)?;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        if header.trim().is_empty() {
            break;
        }
        if let Some(bytes) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = bytes.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let asked = request.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let (status, reply) = match asked.as_str() {
        asked if asked.starts_with("GET /repos/o/r/pulls?") => (
            "200 OK",
            json!([{"number": 6, "head": {"sha": "old"}}, {"number": 7, "head": {"sha": "new"}}]),
        ),
        asked if asked.starts_with("GET /repos/o/r/issues/7/comments?") => {
            ("200 OK", known.lock().expect("a lock").clone())
        }
        asked if !asked.starts_with("GET ") => {
            let body = serde_json::from_slice(&body).unwrap_or_default();
            written.lock().expect("a lock").push((asked.to_owned(), body));
            ("200 OK", json!({}))
        }
        _ => ("404 Not Found", json!({})),
    };
    let reply = reply.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        reply.len()
    );
    reader.get_mut().write_all((head + &reply).as_bytes())
}

fn posted(lab: &Lab, server: &Server, record: &str) -> Ended {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/action.sh");
    fs::create_dir_all(lab.path("bin")).unwrap();
    let link = lab.path("bin/etalon");
    if !link.exists() {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_etalon"), link).unwrap();
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = lab.shell(&format!("exec sh {} comment", script.display()));
    command
        .env("PATH", format!("{}:{path}", lab.path("bin").display()))
        .env("RUNNER_TEMP", lab.path("."))
        .env("GITHUB_API_URL", &server.address)
        .env("GITHUB_REPOSITORY", "o/r")
        .envs([
            ("TITLE", "Speed"),
            ("HEAD", "me:branch"),
            ("HEAD_SHA", "new"),
            ("GH_TOKEN", "secret"),
        ])
        .env("RECORD", lab.path(record));
    Running::start(command).end()
}

/// Would catch a comment that is doubled, one of somebody else that is replaced, and a job that ends for a comment.
#[test]
fn the_action_writes_one_comment() {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    if let Some(missing) = ["curl", "jq"].into_iter().find(|program| !there(program)) {
        return skip(&format!("packaging/action.sh comment: {missing} is not installed"));
    }
    let lab = lab();
    let marker = lab.done(["report", "r.jsonl", "--format", "comment", "--title", "Speed"]);
    let marker = marker.lines().next().unwrap().to_owned();
    let by = |login: &str, kind: &str, id: u32, body: &str| json!({"id": id, "body": body, "user": {"login": login, "type": kind}});
    let others = [
        by("somebody", "User", 1, &format!("{marker}\nmine")),
        by("other[bot]", "Bot", 2, &format!("{marker}\nmine")),
        by("github-actions[bot]", "Bot", 3, &format!("{marker} and more\nmine")),
        by("github-actions[bot]", "Bot", 4, &format!("Quoted:\n{marker}\nmine")),
    ];
    let server = Server::start(json!(others));
    posted(&lab, &server, "r.jsonl").expect(0);
    let written = server.written();
    assert_eq!(written.len(), 1, "{written:?}");
    assert_eq!(written[0].0, "POST /repos/o/r/issues/7/comments");
    let body = written[0].1["body"].as_str().unwrap();
    assert!(
        body.starts_with(&format!("{marker}\n### Speed: ")) && !body.contains("Again"),
        "{body}"
    );

    let own = by("github-actions[bot]", "Bot", 5, &format!("{marker}\r\nold"));
    *server.comments.lock().unwrap() = json!([&others[..], &[own]].concat());
    posted(&lab, &server, "r.jsonl").expect(0);
    let written = server.written();
    assert_eq!(written.len(), 1, "{written:?}");
    assert_eq!(written[0].0, "PATCH /repos/o/r/issues/comments/5");

    // What is no record replaces a comment, and begins none; a link is not followed.
    lab.write("torn.jsonl", "{\"type\":\"header\"");
    std::os::unix::fs::symlink(lab.path("r.jsonl"), lab.path("link.jsonl")).unwrap();
    for record in ["torn.jsonl", "link.jsonl", "nothing"] {
        posted(&lab, &server, record).expect(0);
        let written = server.written();
        let body = written[0].1["body"].as_str().unwrap();
        assert!(body.starts_with(&format!("{marker}\n### Speed: no result")), "{record}: {body}");
    }
    *server.comments.lock().unwrap() = json!(others);
    posted(&lab, &server, "nothing").expect(0);
    assert_eq!(server.written(), []);

    let gone = Server { address: "http://127.0.0.1:1".to_owned(), ..Server::start(json!([])) };
    let ended = posted(&lab, &gone, "r.jsonl").expect(0);
    has(&ended.stdout, &["::warning", "was not posted"]);
    assert!(!ended.stdout.contains("secret") && !ended.stderr.contains("secret"));
}
