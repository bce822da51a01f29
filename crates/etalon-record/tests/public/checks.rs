//! The file of checks of a project.

use etalon_core::tables::Day;
use etalon_record::checks::parse;

const FILE: &str = r#"
# What may not be worse.
[[threshold]]
at-most = "5%"

[[threshold]]
benchmark = "Sum/large"
unit = "ns/op"
at-most = "12.5 %"

[[threshold]]
metric = "rss"

[[waiver]]
benchmark = "/^Encode/"
unit = "allocs/op"
up-to = "20%"
reason = "a checksum"
expires = 2026-12-31
"#;

/// Would catch a key that is read into another one's place, and a unit that is held against no table.
#[test]
fn every_key_of_the_file_is_read() {
    let checks = parse(FILE).expect("a file of checks");
    let shown: Vec<String> = checks.thresholds.iter().map(ToString::to_string).collect();
    let expected = ["everything: at most 5%", "Sum/large, sec/op: at most 12.5%", "rss: not worse"];
    assert_eq!(shown, expected);
    let [waiver] = &checks.waivers[..] else { panic!("one waiver") };
    assert_eq!(waiver.to_string(), "/^Encode/, allocs/op: waived up to 20% until 2026-12-31");
    assert_eq!(waiver.reason, "a checksum");
    assert_eq!(waiver.expires, Day { year: 2026, month: 12, day: 31 });
    assert!(waiver.expires < Day { year: 2027, month: 1, day: 1 });
}

/// Would catch a mistake that is taken, and an error that does not say where it is and what to write.
#[test]
fn mistakes_are_told_with_line_and_remedy() {
    let waiver = |without: &str, with: &str| {
        let all = ["benchmark = \"a\"", "up-to = \"5%\"", "reason = \"r\"", "expires = 2026-12-31"];
        let lines: Vec<&str> = all.into_iter().filter(|it| !it.starts_with(without)).collect();
        format!("[[waiver]]\n{}\n{with}", lines.join("\n"))
    };
    for (text, line, said) in [
        (String::new(), 1, "declares nothing"),
        ("# nothing\n".to_owned(), 1, "declares nothing"),
        ("[[threshold]]\nat-most = \"5\"".to_owned(), 2, "write a percentage above 0"),
        ("[[threshold]]\nat-most = \"0%\"".to_owned(), 2, "write a percentage above 0"),
        ("[[threshold]]\nat-most = \"NaN%\"".to_owned(), 2, "write a percentage above 0"),
        ("[[threshold]]\nat-most = 5".to_owned(), 2, "string"),
        ("[[threshold]]\nbenchmark = \"/(/\"".to_owned(), 2, "no regular expression"),
        ("[[threshold]]\nunit = \" \"".to_owned(), 2, "`unit` is empty"),
        ("[[threshold]]\n\n[[threshold]]\n".to_owned(), 3, "a second threshold of everything"),
        ("[[threshold]]\nmost = \"5%\"".to_owned(), 2, "most"),
        ("[[treshold]]\n".to_owned(), 1, "treshold"),
        ("[threshold]\nat-most = \"5%\"".to_owned(), 1, "write [[threshold]]"),
        ("at-most = ".to_owned(), 1, ""),
        (waiver("benchmark", ""), 1, "write benchmark"),
        (waiver("up-to", ""), 1, "write up-to"),
        (waiver("reason", ""), 1, "write reason"),
        (waiver("expires", ""), 1, "write expires"),
        (waiver("reason", "reason = \" \""), 5, "needs a reason"),
        (waiver("reason", &format!("reason = \"{}\"", "x".repeat(501))), 5, "shorten it"),
        (waiver("expires", "expires = 12:00:00"), 5, "is a day"),
        (waiver("expires", "expires = \"2026-12-31\""), 5, "without quotes"),
    ] {
        let error = parse(&text).expect_err(&text);
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.message.contains(said), "{text}: {error}");
    }
    let many = "[[threshold]]\nbenchmark = \"x\"\n".repeat(1001);
    assert!(parse(&many).expect_err("too many").message.contains("1000 entries"));
}
