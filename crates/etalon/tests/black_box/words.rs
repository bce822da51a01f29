//! From what is typed to what a program gets, and to what is shown: words, command files, names.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use crate::support::{Lab, Running, has, joined, tame};

/// A laboratory with a program that writes its arguments down, one in brackets each.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.script("args", "for a in \"$@\"; do printf '[%s]' \"$a\"; done >> got; echo >> got");
    lab
}

fn names(lab: &Lab) -> Vec<String> {
    let record = lab.record();
    let name = |line: &&serde_json::Value| line["name"].as_str().expect("a name").to_owned();
    record.of_type("benchmark").iter().map(name).collect()
}

/// Would catch quotes or backslashes passed through to the program, and anything expanded.
#[test]
fn words_are_split_as_a_shell_splits_them() {
    let lab = lab();
    let cases = [
        ("./args a  b", "[a][b]"),
        ("./args 'a b' \"c d\"", "[a b][c d]"),
        ("./args a\\ b \\\\ '\\n'", "[a b][\\][\\n]"),
        ("./args '' \"\"", "[][]"),
        ("./args \"a \\\" b\" 'it'\\''s'", "[a \" b][it's]"),
        (r"./args \$HOME '*' \~ '`x`' \; '|' \> x \&", "[$HOME][*][~][`x`][;][|][>][x][&]"),
        ("'./args' x''y", "[xy]"),
        ("./args 'two\nlines'", "[two\nlines]"),
    ];
    for (typed, got) in cases {
        lab.write("got", "");
        lab.done(["cmd", "-N", "-r", "1", typed]);
        assert_eq!(String::from_utf8_lossy(&lab.read("got")), format!("{got}\n"), "{typed}");
        assert_eq!(lab.record().of_type("benchmark")[0]["command"], typed);
    }
}

/// Would catch arguments that go through text on their way to the program or into the record.
#[test]
fn bytes_that_are_no_text_reach_the_program() {
    let lab = lab();
    let typed = OsStr::from_bytes(b"./args \xff\xfe 'a \x80'");
    let arguments: [&OsStr; 4] = ["cmd".as_ref(), "-r".as_ref(), "2".as_ref(), typed];
    let shown = lab.done(arguments);
    assert_eq!(lab.read("got"), b"[\xff\xfe][a \x80]\n".repeat(2));
    tame(&shown);
    has(&shown, &["./args \u{fffd}\u{fffd} 'a \u{fffd}'"]);
    let argv = lab.record().of_type("benchmark")[0]["argv"].clone();
    assert_eq!(argv[1], serde_json::json!({"bytes": "fffe"}));
    assert_eq!(shown, lab.done(["report", "@last"]));
}

/// Would catch a shell that gets the command in pieces, and an empty command that is refused where
/// it measures the shell.
#[test]
fn a_shell_gets_the_command_as_one_argument() {
    let lab = lab();
    lab.done(["cmd", "-N", "-r", "2", "-s", "./args -c", "", "echo 'a"]);
    let got = String::from_utf8_lossy(&lab.read("got")).into_owned();
    assert_eq!(got.matches("[-c][]\n").count(), 2);
    assert_eq!(got.matches("[-c][echo 'a]\n").count(), 2);
    has(&lab.done(["report", "@last"]), &["(empty)", "echo 'a"]);
    assert_eq!(lab.record().of_type("benchmark")[0]["shell"], "./args -c");
}

/// Would catch a note about a command that is empty and therefore about nothing.
#[test]
fn a_note_about_the_empty_command_names_it() {
    let lab = lab();
    let ended = lab.run(["cmd", "-N", "-i", "-r", "2", "-s", "false -c", ""]).expect(0);
    has(&ended.stdout, &["(empty): 2 of 2 executions"]);
}

/// Would catch comments executed, `-n` lines given to the wrong command, carriage returns that
/// become arguments, and a last line without a newline that is lost or fatal.
#[test]
fn a_command_file() {
    let lab = lab();
    let list =
        "# a comment\r\n\r\n./args one\r\n-n \"first name\"\r\n  ./args two  \r\n\t\n./args three";
    lab.write("list", list);
    let shown = lab.done(["cmd", "-r", "1", "-f", "list", "./args zero"]);
    assert_eq!(names(&lab), ["./args zero", "first name", "./args two", "./args three"]);
    let mut got: Vec<String> =
        String::from_utf8_lossy(&lab.read("got")).lines().map(str::to_owned).collect();
    got.sort();
    assert_eq!(got, ["[one]", "[three]", "[two]", "[zero]"]);
    has(&shown, &["first name", "./args two"]);
}

/// Would catch names before the first command going to another one, in a file too.
#[test]
fn names_before_the_first_command_name_in_order() {
    let lab = lab();
    lab.done(["cmd", "-N", "-r", "1", "-n", "A", "-n", "B", "./args a", "./args b", "./args c"]);
    assert_eq!(names(&lab), ["A", "B", "./args c"]);
    lab.done(["cmd", "-N", "-r", "1", "./args a", "-n", "A", "./args b", "--name", "B"]);
    assert_eq!(names(&lab), ["A", "B"]);
    lab.write("list", "-n 'A'\n-n \"B B\"\n./args a\n./args b\n");
    lab.done(["cmd", "-N", "-r", "1", "-f", "list"]);
    assert_eq!(names(&lab), ["A", "B B"]);
}

/// Would catch `-f -` reading a file called `-`, or commands inheriting what is left of it.
#[test]
fn a_command_file_on_standard_input() {
    let lab = lab();
    lab.write("list", "./args one\n-n two\n./args two");
    let mut command = lab.etalon(["cmd", "-N", "-r", "1", "-f", "-"]);
    command.stdin(Stdio::from(std::fs::File::open(lab.path("list")).expect("the list")));
    Running::start_with_input(command).end().expect(0);
    assert_eq!(names(&lab), ["two", "./args two"]);
}

/// Would catch the command line being lost behind a display name, on screen or in the data.
#[test]
fn a_display_name_does_not_hide_the_command() {
    let lab = lab();
    let shown =
        lab.done(["cmd", "-r", "2", "-n", "short", "./args 'what is' executed", "-o", "raw.csv"]);
    has(&shown, &["short   ", "Command: ./args 'what is' executed\n"]);
    let json = lab.json(["report", "@last", "--json"]);
    assert_eq!(json["benchmarks"][0]["name"], "short");
    assert_eq!(json["benchmarks"][0]["command"], "./args 'what is' executed");
    let raw = lab.read("raw.csv");
    let mut rows = csv::Reader::from_reader(&raw[..]);
    for row in rows.records() {
        let row = row.expect("a row");
        assert_eq!((&row[0], &row[2]), ("./args 'what is' executed", "short"));
    }
}

/// Names nothing good would come of if they were printed as they are.
fn hostile() -> Vec<String> {
    vec![
        "a | b │ c".into(),
        "say \"hello\" 'there'".into(),
        "two\nlines\rand\ttabs".into(),
        "\x1b[31mred\x1b[0m \x1b]0;title\x07".into(),
        "漢字かな交じり文".repeat(12),
        "x".repeat(300),
        "word ".repeat(60).trim_end().to_owned(),
        "\u{202e}reversed\u{200b}invisible\u{9b}31m".into(),
        "e\u{301}\u{301} \u{1f468}\u{200d}\u{1f469}".into(),
        "-".into(),
        "100%d {} \\".into(),
    ]
}

/// The characters that stay as they are when a name is shown.
fn visible(name: &str) -> String {
    let shown =
        |c: &char| !c.is_control() && !c.is_whitespace() && !matches!(*c, '\u{200b}'..='\u{202e}');
    name.chars().filter(shown).collect()
}

/// Would catch names that break tables, drive the terminal, are cut off or wider than the page.
#[test]
fn hostile_names_are_shown_safely_and_whole() {
    let lab = lab();
    let mut arguments: Vec<OsString> = ["cmd", "-r", "6"].map(OsString::from).to_vec();
    for name in hostile() {
        arguments.extend(["true".into(), format!("--name={name}").into()]);
    }
    let live = lab.done(&arguments);
    assert_eq!(names(&lab), hostile());
    for view in [&["-M"][..], &["--full"], &["--style", "bestguess"], &["-E"]] {
        let shown = lab.done([&["report", "@last"], view].concat());
        tame(&shown);
        let letters = joined(&shown);
        for name in hostile() {
            if view == ["-E"] && unicode_width::UnicodeWidthStr::width(&name[..]) > 40 {
                continue; // numbers stand between its lines; the next test looks at those
            }
            // Escapes stand between the characters of some.
            for part in name.split(|c: char| !visible(&c.to_string()).contains(c)) {
                assert!(
                    letters.contains(&joined(part)),
                    "{part:?} of {name:?} in {view:?}:\n{shown}"
                );
            }
        }
    }
    assert_eq!(live, lab.done(["report", "@last"]));
    for line in lab.done(["runs"]).lines().chain(lab.done(["runs", "show", "@last"]).lines()) {
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
}

/// Would catch a long name of which only the beginning appears in the sections of the report.
#[test]
fn a_long_name_is_whole_in_every_section() {
    let lab = lab();
    let name: String = ('!'..='~').chain('À'..='ž').chain('ぁ'..='ん').collect();
    lab.done(["cmd", "-r", "6", "sleep 0.001", &format!("--name={name}"), "true"]);
    let shown = lab.done(["report", "@last", "--full", "-E"]);
    tame(&shown);
    let (tables, tests) = shown.split_once("Tests of wall clock").expect("its tests");
    let (figures, shapes) = tables.split_once(": distribution").expect("its shapes");
    for section in [figures, shapes, tests] {
        assert!(joined(section).contains(&name), "{section}");
    }
}

/// Would catch what a failing command wrote driving the terminal.
#[test]
fn a_hostile_message_is_shown_safely() {
    let lab = lab();
    lab.script("bad", "printf '\\033]0;title\\007\\033[2Jgone \\377\\n' >&2; exit 1");
    let ended = lab.run(["cmd", "-r", "1", "./bad \x1b[31m"]).expect(1);
    assert!(ended.stderr.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", ended.stderr);
    has(&ended.stderr, &["gone"]);
}
