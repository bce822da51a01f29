//! Checks of `etalon compare`, each by its reason: a difference, a benchmark or a table that is lost, too few values, and
//! executions that failed; and where the reason is told. `checks` has their exit codes, and inputs that are broken.

use crate::compare::{executions, lines};
use crate::support::{Lab, has};

/// Each check fails for its reason and passes without it. Would catch a gate that cannot fail.
#[test]
fn checks_fail_for_their_reason() {
    let lab = Lab::new();
    lab.write("base.txt", lines("A", 1.0) + &lines("B", 1.0));
    lab.write("slow.txt", lines("A", 1.0) + &lines("B", 1.1));
    lab.write("lost.txt", lines("A", 1.0));
    let code = |arguments: &[&str], said: &str| {
        let ended = lab.run([&["compare", "--quiet", "--between", "0"], arguments].concat());
        assert!(ended.stderr.contains(said), "{arguments:?}: {said} in {}", ended.stderr);
        ended.code.unwrap()
    };
    assert_eq!(code(&["base.txt", "slow.txt"], ""), 0);
    assert_eq!(code(&["--fail-on", "slower", "base.txt", "slow.txt"], "B-8"), 1);
    assert_eq!(code(&["--fail-on", "slower:5%", "base.txt", "slow.txt"], "slower:5%"), 1);
    assert_eq!(code(&["--fail-on", "slower:20%", "base.txt", "slow.txt"], ""), 0);
    assert_eq!(code(&["--fail-on", "slower", "slow.txt", "base.txt"], ""), 0);
    assert_eq!(code(&["--fail-on", "slower", "base.txt", "lost.txt"], "missing: B-8"), 1);
    assert_eq!(code(&["--fail-on", "slower", "base.txt"], "nothing was compared"), 1);
    assert_eq!(code(&["--require", "B", "base.txt", "lost.txt"], "--require B: missing"), 1);
    assert_eq!(code(&["--require", "C", "base.txt", "slow.txt"], "no such benchmark"), 1);
    assert_eq!(code(&["--require", "A", "--require", "B-8", "base.txt", "slow.txt"], ""), 0);
    assert_eq!(code(&["--fail-on", "faster", "base.txt", "slow.txt"], "[UNIT:]worse[:P]"), 2);
    // Only executions that waited for a CPU say how long.
    let waited = "BenchmarkA-8 1 5 cpu_wait-ns/op\nBenchmarkA-8 1 6 cpu_wait-ns/op\n";
    lab.write("waited.txt", lines("A", 1.0) + waited);
    assert_eq!(code(&["--require", "A", "base.txt", "waited.txt"], ""), 0);
    assert_eq!(code(&["--require", "A", "waited.txt", "base.txt"], ""), 0);
}

/// A whole package, or a unit, that one data set lacks is in no table of both: it fails a check all the
/// same, and has a line of its own. Would catch a gate that looks within tables only.
#[test]
fn a_lost_table_fails_a_check() {
    let lab = Lab::new();
    let memory = |text: String| text.replace(" ns/op", " ns/op 64 B/op");
    let packages =
        |second: &str| format!("pkg: a\n{}PASS\npkg: b\n{second}PASS\n", lines("A", 1.0));
    lab.write("base.txt", memory(packages(&lines("B", 1.0))));
    lab.write("unit.txt", packages(&lines("B", 1.0)));
    lab.write("package.txt", memory(packages("")));
    let checked = |check: &[&str], new: &str| {
        lab.run([&["compare", "--summary"], check, &["base.txt", new]].concat()).expect(1)
    };
    let unit = checked(&["--fail-on", "slower"], "unit.txt");
    has(&unit.stderr, &["missing: a, B/op, unit.txt", "missing: b, B/op, unit.txt"]);
    has(&unit.stdout, &["B/op (pkg: a), unit.txt: missing", "sec/op (pkg: a), unit.txt: 0 faster"]);
    let package = checked(&["--fail-on", "slower"], "package.txt");
    has(&package.stderr, &["missing: b, sec/op, package.txt"]);
    assert!(!package.stderr.contains("missing: a"), "{}", package.stderr);
    // Also where the others could be compared.
    let three = ["compare", "--require", "B", "base.txt", "BASE=base.txt", "package.txt"];
    let three = lab.run(three).expect(1);
    has(&three.stderr, &["--require B: missing: b, B-8, sec/op, package.txt"]);
}

/// One value a side: no p can be small enough, and a check that cannot fail has not passed.
#[test]
fn too_few_values_for_any_verdict_fail_every_check() {
    let lab = Lab::new();
    lab.write("a.txt", "BenchmarkA 1 5 ns/op\n");
    lab.write("b.txt", "BenchmarkA 1 50 ns/op\n");
    for check in ["slower", "slower:5%", "unclear"] {
        let ended = lab.run(["compare", "--fail-on", check, "a.txt", "b.txt"]).expect(3);
        let reason =
            format!("--fail-on {check}: A, sec/op, b.txt: not enough data: needs at least 3");
        has(&ended.stderr, &[&reason]);
    }
    // Enough for an interval, and too few for a family of this size: none of forty can be slower.
    let five = |name: &str, scale: f64| -> String {
        lines(name, scale).lines().take(5).map(|line| format!("{line}\n")).collect()
    };
    let many = |scale: f64| -> String { (0..40).map(|i| five(&format!("B{i}"), scale)).collect() };
    lab.write("a.txt", many(1.0));
    lab.write("b.txt", many(1.5));
    let family = ["compare", "--fail-on", "slower", "--between", "0", "a.txt", "b.txt"];
    let family = lab.run(family).expect(3);
    has(&family.stderr, &["B39-8, sec/op, b.txt: not enough data: needs at least"]);
}

/// Only `/` parts and processors may be left out of a name.
#[test]
fn a_required_name_is_no_prefix() {
    let lab = Lab::new();
    let record = |names: [&str; 2]| {
        let result = |name: &str| {
            format!(r#"{{"command":"x","name":{name:?},"times":[1,1.1,1.2,1.3,1.1,1.0,1.2]}}"#)
        };
        format!(r#"{{"results":[{}]}}"#, names.map(result).join(","))
    };
    lab.write("a.json", record(["concat | \"x\"", "Encode/format=gob"]));
    let code = |name: &str| lab.run(["compare", "--require", name, "a.json", "b=a.json"]).code;
    assert_eq!(code("concat"), Some(1));
    assert_eq!(code("concat | \"x\""), Some(0));
    assert_eq!(code("Encode"), Some(0));
    let keys = ["compare", "--row", "/format .name", "--require", "Encode"];
    lab.write("go.txt", lines("Encode/format=gob", 1.0));
    assert_eq!(lab.run([&keys[..], &["go.txt", "b=go.txt"]].concat()).code, Some(0));
}

/// What is remarked about a record, or failed in it, is told; what does not count fails every check.
#[test]
fn executions_that_failed_are_told_and_fail_a_check() {
    let lab = Lab::new();
    lab.write("ok.json", executions(0, 0));
    lab.write("some.json", executions(7, 127));
    lab.write("all.json", executions(12, 127));
    lab.write("other.json", executions(3, 1));
    let plain = lab.run(["compare", "ok.json", "some.json"]).expect(0);
    let said = "some.json: job: 7 of 12 executions failed and do not count";
    has(&plain.stderr, &[said, "7 executions have exit code 127"]);
    assert_eq!(lab.run(["compare", "--quiet", "ok.json", "some.json"]).expect(0).stderr, "");
    for check in [["--fail-on", "unclear"], ["--require", "job"]] {
        let both = [&["compare", "--quiet"], &check[..], &["ok.json", "new=some.json"]].concat();
        has(&lab.run(both).expect(1).stderr, &["new: job: 7 of 12 executions failed"]);
    }
    let other =
        ["compare", "--fail-on", "slower", "--filter", ".unit:sec/op", "ok.json", "some.json"];
    lab.run(other).expect(1);
    let counted = lab.run(["compare", "--require", "job", "ok.json", "other.json"]).expect(0);
    has(&counted.stderr, &["3 of 12 executions ended with another exit code than 0, and count"]);
    let empty = lab.run(["compare", "ok.json", "all.json"]).expect(2);
    has(&empty.stderr, &["no results in it; job: 12 of 12 executions failed"]);
}

/// A benchmark that a filter leaves out fails no check.
#[test]
fn what_is_filtered_out_fails_no_check() {
    let lab = Lab::new();
    let two = |failed| {
        let good = executions(0, 0).replace("job", "good");
        let (good, bad) = (good.strip_suffix("]}").unwrap(), executions(failed, 127));
        format!("{good},{}", bad.strip_prefix(r#"{"results":["#).unwrap())
    };
    lab.write("a.json", two(0));
    lab.write("b.json", two(7));
    let code = |filter: &str| {
        let files = ["a.json", "b.json"];
        let checked = ["compare", "--quiet", "--fail-on", "slower", "--filter", filter];
        lab.run([&checked[..], &files].concat()).code
    };
    assert_eq!(code(".name:good"), Some(0));
    assert_eq!(code(".name:job"), Some(1));
}

#[test]
fn few_values_are_unclear_and_fail_that_check() {
    let lab = Lab::new();
    lab.write("a.txt", "BenchmarkA 1 5 ns/op\n");
    lab.write("b.txt", "BenchmarkA 1 9 ns/op\n");
    let ended = lab.run(["compare", "--fail-on", "unclear", "a.txt", "b.txt"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.stdout.contains("unclear"), "{}", ended.stdout);
    has(&lab.done(["compare", "--full", "a.txt", "b.txt"]), &["± ∞"]);
}

/// A pull request has to say why its check failed, and annotations which package they are about.
#[test]
fn reasons_and_packages_are_named() {
    let lab = Lab::new();
    let file = |scale: f64| {
        let of = |package: &str| format!("pkg: {package}\n{}", lines("A", scale));
        of("one") + &of("two\u{1b}[31m")
    };
    lab.write("a.txt", file(1.0));
    lab.write("b.txt", file(2.0));
    let shown = |format: &str| {
        let options = ["compare", "--fail-on", "slower", "--format", format, "a.txt", "b.txt"];
        let ended = lab.run(options).expect(1);
        assert!(!ended.stdout.contains('\u{1b}'), "{}", ended.stdout);
        ended.stdout
    };
    let markdown = shown("markdown");
    let reason = markdown.find("one, A-8, sec/op, b.txt: ratio 2.000").unwrap();
    assert!(reason < markdown.find("| ").unwrap(), "{markdown}");
    has(&shown("github"), &["A-8 (sec/op, pkg: one): slower", "A-8 (sec/op, pkg: two"]);
    has(&shown("json"), &["--fail-on slower: one, A-8, sec/op, b.txt"]);
}
