//! `--layouts K`: builds whose code is placed otherwise, and answers that rest on their number.

use std::collections::BTreeSet;
use std::fs;

use crate::ab::{ab, git, lab};
use crate::go::{go, lab as go_lab};
use crate::support::{Lab, has};

/// A build that writes down which layout it makes.
fn build(lab: &Lab) -> String {
    format!(
        "--build 'echo $ETALON_LAYOUT >> {}; make FLAGS=-DEXTRA=0$ETALON_LAYOUT'",
        lab.path("log").display()
    )
}

/// The layouts that were built since this was asked last.
fn built(lab: &Lab) -> String {
    let log = fs::read_to_string(lab.path("log")).unwrap_or_default();
    let _none = fs::remove_file(lab.path("log"));
    log.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Would catch layouts that are built without their number or used as others' builds, second builds that are called layouts,
/// and a control that withholds what layouts are there to show.
#[test]
fn each_side_is_built_once_a_layout() {
    let Some(lab) = lab() else { return };
    let words = format!("old {} --layouts 3 -r 6", build(&lab));
    let ended = ab(&lab, &format!("{words} -- ./p")).expect(0);
    assert_eq!(built(&lab), "1 1 2 2 3 3");
    has(&ended.stdout, &["3 layouts a side", "ETALON_LAYOUT=1 … 3"]);
    assert!(!ended.stdout.contains("second build"), "{}", ended.stdout);
    let json = ab(&lab, &format!("{words} --json -- ./p")).expect(0).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(built(&lab), "");
    assert_eq!(json["controls"], serde_json::json!([]));
    let of_time = json["comparisons"].as_array().unwrap().iter();
    let of_time = of_time.filter(|it| it["metric"] == "sec/op").collect::<Vec<_>>();
    assert!(!of_time.is_empty());
    assert!(of_time.iter().all(|it| it["layouts"]["each"] == 3), "{of_time:?}");
    // More layouts use those that there are; second builds without layouts are others.
    ab(&lab, &format!("{} -- ./p", words.replace("--layouts 3", "--layouts 4"))).expect(0);
    assert_eq!(built(&lab), "4 4");
    has(&lab.done(["report", "@last"]), &["4 layouts a side"]);
    let usual = ab(&lab, &format!("old {} -r 6 -- ./p", build(&lab))).expect(0);
    assert_eq!(built(&lab), "");
    assert!(!usual.stdout.contains("layouts a side"), "{}", usual.stdout);
}

/// Would catch an option that does nothing.
#[test]
fn layouts_take_a_build() {
    let Some(lab) = lab() else { return };
    let ended = ab(&lab, "old --layouts 3 -r 6 -- cat p.c").expect(2);
    has(&ended.stderr, &["--layouts", "--build"]);
    let ended = ab(&lab, "old --build make --layouts 2 -r 6 -- cat p.c").expect(2);
    has(&ended.stderr, &["from 3 to 9"]);
}

/// Would catch an answer about the code however it is placed from builds that place it alike, and one that is refused only
/// when all of them are made.
#[test]
fn builds_that_place_code_alike_are_refused() {
    let Some(lab) = lab() else { return };
    let alike = build(&lab).replace("$ETALON_LAYOUT'", "1'");
    let ended = ab(&lab, &format!("old {alike} --layouts 4 -r 6 -- ./p")).expect(2);
    has(
        &ended.stderr,
        &["--layouts", "the same programs with ETALON_LAYOUT=1 and 2", "etalon help layouts"],
    );
    assert_eq!(built(&lab), "1 1 2");
    assert!(lab.saved().is_empty());
}

/// A benchmark that writes down where its code lies.
const PLACED: &str = r#"package m

import (
	"fmt"
	"os"
	"testing"
)

func BenchmarkPlaced(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
	file, _ := os.OpenFile(os.Getenv("UP"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	fmt.Fprintf(file, "%p\n", BenchmarkPlaced)
	file.Close()
}
"#;

/// Would catch test binaries of Go that are the same in each layout.
#[test]
fn etalon_places_code_of_go() {
    let Some(lab) = go_lab() else { return };
    lab.write("m/placed_test.go", PLACED);
    git(&lab, "add -A && git COMMIT placed");
    let words = "--base HEAD --layouts 3 -bench Placed -benchtime 1x -r 6";
    let ended = go(&lab, words).expect(0);
    has(&ended.stdout, &["3 layouts a side"]);
    let places = String::from_utf8(lab.read("up")).unwrap();
    let different: BTreeSet<&str> = places.lines().collect();
    // Two sides alone would have two places at most.
    assert!(different.len() >= 3, "{places}");
}
