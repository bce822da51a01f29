//! `-G`, `-B`, `-D`, `-T` and `-x`, as typed. Would catch a letter that is taken and shows nothing, a
//! setting that is accepted and ignored, and one that a later report has forgotten.

use crate::support::{Lab, hand_written, has, tame};
use serde_json::json;

/// Two commands of 120 blocks, the second 10 % slower: 2 ms and 2.2 ms with a little noise.
fn data(lab: &Lab) {
    let noise = |i: usize| (i * 7919 % 101) as f64;
    let rows: Vec<_> = (0..120)
        .map(|i| {
            let (a, b) = (2000.0 + noise(i), 2200.0 + noise(i * 3 + 1));
            [(json!(a * 1100.0), json!(a)), (json!(b * 1100.0), json!(b))]
        })
        .collect();
    let blocks: Vec<&[_]> = rows.iter().map(<[_; 2]>::as_slice).collect();
    lab.write("data.jsonl", hand_written(&blocks));
}

#[test]
fn every_letter_shows_its_section_alone_and_together_with_the_others() {
    let lab = Lab::new();
    data(&lab);
    let report = |options: &[&str]| lab.done([&["report", "data.jsonl"], options].concat());
    let sections = [
        ("-G", "--graph", "│▭▭▭▭▭"),
        ("-B", "--boxplot", "Box plot legend"),
        ("-D", "--dist-stats", "ex. kurtosis"),
        ("-T", "--tail-stats", ": tail"),
    ];
    let plain = report(&["-N"]);
    for (letter, long, shows) in sections {
        assert!(!plain.contains(shows));
        let shown = report(&["-N", letter]);
        has(&shown, &[shows, "  against "]);
        assert_eq!(shown, report(&["-N", long]));
        assert_eq!(sections.iter().filter(|(.., other)| shown.contains(other)).count(), 1);
        tame(&shown);
        has(&report(&["-M", letter]), &[shows, " mode"]);
    }
    let all = report(&["-NGBDTE"]);
    tame(&all);
    let places: Vec<_> = ["ex. kurtosis", ": tail", "│▭▭", "Box plot", "--margin", "Hodges"]
        .iter()
        .map(|part| all.find(part).expect("every section"))
        .collect();
    assert!(places.is_sorted(), "{places:?}\n{all}");
}

#[test]
fn a_live_report_shows_what_a_later_one_does() {
    let lab = Lab::new();
    let live = lab.done(["cmd", "-r", "8", "-w", "1", "-NGBDT", "true", "sh -c :"]);
    assert_eq!(live, lab.done(["report", "@last", "-NGBDT"]));
    tame(&live);
}

#[test]
fn width_acts_on_every_section_that_can_grow() {
    let lab = Lab::new();
    data(&lab);
    for columns in [80, 100, 300] {
        let width = format!("width={columns}");
        let wide = lab.done(["report", "data.jsonl", "-NGBE", "-x", &width]);
        let widths = wide.lines().map(unicode_width::UnicodeWidthStr::width);
        assert_eq!(widths.max(), Some(columns));
    }
}

#[test]
fn what_x_asks_for_acts_is_recorded_and_listed() {
    let lab = Lab::new();
    data(&lab);
    let settings = |options: &[&str]| {
        let options = [&["report", "data.jsonl", "--json"], options].concat();
        lab.json(options)
    };
    let verdict = |options: &[&str]| settings(options)["comparisons"][0]["verdict"].clone();
    assert_eq!(verdict(&[]), "slower");
    assert_eq!(verdict(&["-x", "effect=500"]), "same");
    assert_eq!(settings(&["-x", "effect=500"]), settings(&["--margin", "500us"]));
    assert_eq!(settings(&["-x", "alpha=0.01"]), settings(&["--alpha", "0.01"]));
    assert_eq!(verdict(&["-x", "epsilon=150"]), "slower");
    assert_eq!(verdict(&["-x", "epsilon=250"]), "unclear");
    assert_eq!(verdict(&["-x", "super=0.33"]), "slower");
    let asked = settings(&["-x", "epsilon=250", "-x", "super=0.33"]);
    assert_eq!(asked["settings"]["epsilon"], json!(250e-6));
    assert_eq!(asked["settings"]["superiority"], json!(0.33));
    let shown = lab.done(["report", "data.jsonl", "-NE", "-x", "epsilon=250", "-x", "super=0.33"]);
    has(&shown, &["-x epsilon    250 µs", "-x super      0.33", "when moved by ± 250 µs"]);

    let live = ["cmd", "-r", "8", "-x", "epsilon=250", "-x", "super=0.4", "-NE", "true", "sh -c :"];
    let live = lab.done(live);
    has(&live, &["250 µs", "0.4"]);
    assert_eq!(live, lab.done(["report", "@last", "-NE"]));
}

#[test]
fn what_x_cannot_mean_is_refused_before_anything_is_measured() {
    let lab = Lab::new();
    data(&lab);
    let cases: [(&[&str], &str); 9] = [
        (&["-x", "delta=3"], "width, alpha, effect, epsilon, super"),
        (&["-x", "width"], "KEY=VALUE"),
        (&["-x", "width=20"], "from 80"),
        (&["-x", "alpha=7"], "between 0 and 1"),
        (&["-x", "effect=-5"], "µs"),
        (&["-x", "super=1.5"], "between 0 and 1"),
        (&["-x", "width=90", "-x", "width=100"], "twice"),
        (&["-x", "effect=5", "--margin", "1%"], "--margin"),
        (&["-x", "epsilon=5", "--metric", "rss"], "is a time"),
    ];
    for (options, says) in cases {
        let refused = lab.run([&["cmd", "-r", "1", "touch measured"], options].concat()).expect(2);
        has(&refused.stderr, &[says]);
        assert!(refused.stdout.is_empty() && lab.saved().is_empty());
        assert!(!lab.path("measured").exists(), "{options:?}");
    }
    let refused = lab.run(["report", "data.jsonl", "-x", "delta=3"]).expect(2);
    has(&refused.stderr, &["width, alpha, effect, epsilon, super"]);
}
