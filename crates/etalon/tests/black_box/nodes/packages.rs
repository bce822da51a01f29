//! `etalon go --on ssh:…`: test binaries are built here, and executed where there is no Go.

use std::fs;

use super::on::{NODES, blocks_of_nodes, nothing_left, nothing_left_on};
use super::ssh::SshNodes;
use crate::support::{Ended, Lab, Record, Running, has};

/// Two benchmarks that report what they read in the directory of their package, and what was compiled into them.
const BENCHMARKS: &str = r#"package m

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func read(b *testing.B, path string) float64 {
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil {
		b.Fatal(err)
	}
	return number
}

func BenchmarkOne(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
	b.ReportMetric(read(b, "testdata/deep/number"), "data-items")
	b.ReportMetric(Cost, "own-items")
}

func BenchmarkTwo(b *testing.B) {
	b.Run("sub", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
		}
		b.ReportMetric(read(b, "../shared/number"), "shared-items")
	})
}
"#;

/// A module of two commits in a directory, of which the last is the working tree. Its numbers are of their commits.
pub(super) fn module(lab: &Lab, top: &str) {
    let at = |name: &str| format!("{top}/{name}");
    fs::create_dir_all(lab.path(&at("p/testdata/deep"))).unwrap();
    fs::create_dir_all(lab.path(&at("shared"))).unwrap();
    lab.write(&at("go.mod"), "module example.com/m\n\ngo 1.20\n");
    lab.write(&at("p/m_test.go"), BENCHMARKS);
    for (tag, number) in [("old", 100), ("new", 200)] {
        lab.write(&at("p/m.go"), format!("package m\n\nconst Cost = {number}\n"));
        lab.write(&at("p/testdata/deep/number"), format!("{}", number + 1));
        lab.write(&at("shared/number"), format!("{}", number + 2));
        let git = format!(
            "cd {top} && git init -q . && git add -A && git -c user.name=n -c user.email=e commit -qm {tag} && git tag {tag}"
        );
        Running::start(lab.shell(&git)).end().expect(0);
    }
}

/// A laboratory with the module and so many nodes, if there is a Go.
fn lab(count: usize) -> Option<(Lab, SshNodes)> {
    let lab = crate::go::lab()?;
    fs::remove_dir_all(lab.path("m")).unwrap();
    module(&lab, "m");
    let nodes = SshNodes::start(&lab, count)?;
    Some((lab, nodes))
}

/// `etalon go` in the module.
fn go(lab: &Lab, nodes: &SshNodes, words: &str) -> Ended {
    let mut command = lab.shell(&format!("cd m && exec \"$E\" go {words}"));
    nodes.reachable(&mut command);
    Running::start(command).end()
}

/// The values of a unit by benchmark and side, each once.
fn values(record: &Record, unit: &str) -> Vec<(String, String, f64)> {
    let benchmarks = record.of_type("benchmark");
    let of = |observation: &serde_json::Value| {
        let value = &observation["values"][unit];
        let value = value["value"].as_f64().or_else(|| value.as_f64())?;
        let benchmark = benchmarks[usize::try_from(observation["benchmark"].as_u64()?).ok()?];
        let side = benchmark["configuration"]["side"].as_str().unwrap_or_default();
        Some((benchmark["name"].as_str()?.to_owned(), side.to_owned(), value))
    };
    let mut all: Vec<_> = record.measured().iter().filter_map(|it| of(it)).collect();
    all.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
    all.dedup();
    all
}

/// Would catch a package that is built on each node or not executed in its directory, data that is not sent, a benchmark
/// that each node numbers by itself, and a block that lacks one.
#[test]
fn packages_are_built_once_and_executed_without_go() {
    let Some((lab, nodes)) = lab(3) else { return };
    let words = "./p -r 12 --benchtime 10x --send shared --on ssh:n1,n2,n3";
    let ended = go(&lab, &nodes, words).expect(0);
    has(&ended.stdout, &["One", "Two/sub"]);
    let record = lab.record();
    let of_nodes = blocks_of_nodes(&record, 12);
    assert!(of_nodes.len() == 3 && !of_nodes.contains(&0), "{of_nodes:?}");
    assert_eq!(record.of_type("benchmark").len(), 2);
    let found = |unit: &str| {
        let values = values(&record, unit);
        values.into_iter().map(|(_, _, value)| value).collect::<Vec<f64>>()
    };
    assert_eq!(found("data-items"), [201.0]);
    assert_eq!(found("own-items"), [200.0]);
    assert_eq!(found("shared-items"), [202.0]);
    let context = &record.of_type("header")[0]["context"];
    assert!(context["go.version"].as_str().is_some_and(|it| it.starts_with("go")), "{context}");
    for benchmark in record.of_type("benchmark") {
        let facts = &benchmark["configuration"];
        assert!(facts["pkg"] == "example.com/m/p" && facts["cpu"].is_null(), "{facts}");
    }
    has(&lab.done(["report", "@last"]), &["One"]);
    has(&lab.done(["convert", "@last", "--to", "go"]), &["BenchmarkTwo/sub", "202.0 shared-items"]);
    for node in NODES {
        nothing_left_on(&nodes, node);
    }
    // A package that does not travel, and one whose data was not sent.
    let mut command =
        lab.shell("cd m/shared && exec \"$E\" go ../p -r 3 --benchtime 1x --on ssh:n1");
    nodes.reachable(&mut command);
    let ended = Running::start(command).end().expect(2);
    has(&ended.stderr, &["--on with the package in", "start etalon further up"]);
    let ended = go(&lab, &nodes, "./p -r 3 --benchtime 1x --bench Two --on ssh:n1");
    let ended = ended.expect(1);
    has(&(ended.stdout + &ended.stderr), &["shared/number"]);
    nothing_left(&lab, nodes, &NODES);
}

/// Would catch a side that is executed on another one's data, a build of a side that is missing, facts of the sides that
/// are lost, and a comparison that knows of no machines.
#[test]
fn both_sides_of_packages_travel() {
    let Some((lab, nodes)) = lab(2) else { return };
    let words = "./p --base old -r 20 --benchtime 10x --on ssh:n1,n2";
    let ended = go(&lab, &nodes, words).expect(0);
    has(&ended.stderr, &["each machine is sent the builds"]);
    let record = lab.record();
    let of_nodes = blocks_of_nodes(&record, 20);
    assert!(of_nodes.len() == 2 && !of_nodes.contains(&0), "{of_nodes:?}");
    assert_eq!(record.of_type("benchmark").len(), 8);
    let found = |unit: &str| {
        let values = values(&record, unit);
        values.into_iter().map(|(_, side, value)| (side, value)).collect::<Vec<_>>()
    };
    let of = |base: f64, head: f64| [("base".to_owned(), base), ("head".to_owned(), head)];
    assert_eq!(found("own-items"), of(100.0, 200.0));
    // The head's benchmarks on both sides: what they read is the head's.
    assert_eq!(found("data-items"), of(201.0, 201.0));
    assert_eq!(found("shared-items"), of(202.0, 202.0));
    let context = &record.of_type("header")[0]["context"];
    for fact in ["base.revision", "builds", "build.command", "go.version"] {
        assert!(context[fact].is_string(), "{fact}: {context}");
    }
    let document = lab.json(["compare", "@last", "--json"]);
    has(&document.to_string(), &["\"nodes\""]);
    nothing_left(&lab, nodes, &["n1", "n2"]);
}

/// Would catch packages of a file that are built on each node, or for one side only, a binary that is executed on another
/// side's data, and a number that is lost on its way.
#[test]
fn packages_of_files_travel() {
    let Some((lab, nodes)) = lab(2) else { return };
    let text = "[axes]\nbenchmark = [\"One\", \"Two/sub\"]\n\n[[subject]]\ngo = \"../p\"\nbenchtime = \"10x\"\n\n\
                [metric.data]\nunit = \"count\"\nkind = \"exact\"\ngo = \"data-items\"\n\
                [metric.own]\nunit = \"count\"\nkind = \"exact\"\ngo = \"own-items\"\n\
                [metric.shared]\nunit = \"count\"\nkind = \"exact\"\ngo = \"shared-items\"\n\n\
                [measure]\nruns = 12\n";
    fs::create_dir(lab.path("m/files")).unwrap();
    lab.write("m/files/work.toml", text);
    let measured = |words: &str| {
        let words = format!("cd m && exec \"$E\" run files/work.toml {words} --on ssh:n1,n2");
        let mut command = lab.shell(&words);
        nodes.reachable(&mut command);
        Running::start(command).end()
    };
    let values = |unit: &str| {
        let record = lab.record();
        let benchmarks = record.of_type("benchmark");
        let of = |observation: &serde_json::Value| {
            let value = observation["values"][unit].as_f64()?;
            let number = usize::try_from(observation["benchmark"].as_u64()?).ok()?;
            let side = benchmarks[number]["params"]["side"].as_str().unwrap_or_default();
            Some((side.to_owned(), value.to_string()))
        };
        record.measured().iter().filter_map(|it| of(it)).collect::<std::collections::BTreeSet<_>>()
    };
    let is = |unit: &str, all: &[(&str, u64)]| {
        let all = all.iter().map(|(side, value)| ((*side).to_owned(), value.to_string())).collect();
        assert_eq!(values(unit), all, "{unit}");
    };
    measured("--send shared").expect(0);
    let of_nodes = blocks_of_nodes(&lab.record(), 12);
    assert!(of_nodes.len() == 2 && !of_nodes.contains(&0), "{of_nodes:?}");
    is("data", &[("", 201)]);
    is("own", &[("", 200)]);
    is("shared", &[("", 202)]);
    // Each side executes its own benchmarks on its own data.
    measured("--base old").expect(0);
    blocks_of_nodes(&lab.record(), 12);
    is("data", &[("base", 101), ("head", 201)]);
    is("own", &[("base", 100), ("head", 200)]);
    is("shared", &[("base", 102), ("head", 202)]);
    // One that is elsewhere.
    fs::create_dir(lab.path("m/deep")).unwrap();
    lab.write("m/deep/work.toml", text.replace("runs = 12", "runs = 2"));
    let mut command = lab.shell("cd m/deep && exec \"$E\" run work.toml --on ssh:n1");
    nodes.reachable(&mut command);
    let ended = Running::start(command).end().expect(2);
    has(&ended.stderr, &["--on with the package in", "start etalon further up"]);
    nothing_left(&lab, nodes, &["n1", "n2"]);
}
