//! Experiment files over other machines.

use std::fs;

use super::on::{blocks_of_nodes, nothing_left, run, start};
use super::sides::project;
use super::ssh::SshNodes;
use crate::support::{Lab, Running, has, held, signal, until};

/// Two subjects with what a file can ask for: hooks, a requirement, a file that it writes, a number that is printed.
const EXPERIMENT: &str = r#"title = "work"
setup = "sh setup.sh"

[axes]
n = [1, 2]

[[subject]]
name = "script"
command = "sh work.sh data/{n}"
requires = "test -e needed"
prepare = "test -e ready"
env = { OWN = "{n}" }

[[subject]]
name = "program"
command = "./program {n}"
cwd = "inner"

[file."generated.txt"]
text = "generated"

[metric.items]
unit = "count"
kind = "exact"

[measure]
runs = 40
on = "ssh:n1,n2"
"#;

fn experiment(lab: &Lab) {
    fs::create_dir_all(lab.path("bench/data")).unwrap();
    fs::create_dir_all(lab.path("bench/inner")).unwrap();
    lab.write("bench/work.toml", EXPERIMENT);
    lab.write("bench/setup.sh", "cp needed ready");
    lab.write(
        "bench/work.sh",
        format!("cat generated.txt >/dev/null && {}; echo items: $(cat \"$1\")", held("~")),
    );
    lab.write("bench/needed", "");
    for n in ["1", "2"] {
        lab.write(&format!("bench/data/{n}"), n);
    }
    lab.script("bench/inner/program", "sleep 0.02; echo items: $1");
}

/// Would catch a file from somebody else that starts programs on other machines, a subject whose files are not sent, a
/// requirement that is held against this machine, and a number that is lost on its way.
#[test]
fn a_file_is_measured_elsewhere_where_the_user_says_so_too() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    experiment(&lab);
    let file = "bench/work.toml";
    let refused = run(&lab, &nodes, &["run", file]).expect(2);
    has(&refused.stderr, &["bench/work.toml:28:6", "type `--on ssh:n1,n2`"]);
    let refused = run(&lab, &nodes, &["run", file, "--on", "ssh:n1"]).expect(2);
    has(&refused.stderr, &["type `--on ssh:n1,n2`"]);
    assert!(lab.saved().is_empty());
    has(&run(&lab, &nodes, &["run", file, "--list"]).expect(0).stdout, &["script [n=1]"]);
    let sends = ["--send", "bench/data", "--send", "bench/needed"];
    let words = [&["run", file, "--on", "ssh:n1,n2"][..], &sends].concat();
    let both = ["n1", "n2"];
    both.iter().for_each(|node| nodes.hold(node, 6));
    let running = start(&lab, &nodes, &words);
    until("some blocks", || both.iter().all(|node| nodes.executions(node) >= 6));
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    both.iter().for_each(|node| nodes.release(node));
    run(&lab, &nodes, &["run", "--resume", "@last"]).expect(0);
    let record = lab.record();
    let of_nodes = blocks_of_nodes(&record, 40);
    assert!(of_nodes.len() == 2 && !of_nodes.contains(&0), "{of_nodes:?}");
    for observation in record.measured() {
        let n = observation["benchmark"].as_u64().unwrap() / 2 + 1;
        assert_eq!(observation["values"]["items"], n, "{observation}");
    }
    // What is declared wrongly is said by its name.
    lab.write("silent.toml", "[[subject]]\ncommand = \"true\"\n[metric.items]\nunit = \"count\"\n");
    let silent = run(&lab, &nodes, &["run", "silent.toml", "--on", "ssh:n1"]);
    has(&silent.expect(2).stderr, &["n1: no command printed `items`"]);
    // Words that cannot be obeyed have their place.
    for (text, why) in [
        ("on = \"slow\"", "work.toml:2:6: write ssh:HOST"),
        ("on = \"ssh:-x\"", "work.toml:2:6: `-x` begins with `-`"),
    ] {
        lab.write("work.toml", format!("[measure]\n{text}\n[[subject]]\ncommand = \"true\"\n"));
        let ended = run(&lab, &nodes, &["run", "work.toml", "--on", "ssh:n1"]).expect(2);
        has(&ended.stderr, &[why]);
    }
    nothing_left(&lab, nodes, &["n1", "n2"]);
}

/// Would catch a file of two sides whose cells are executed in other directories than the copies that were sent.
#[test]
fn a_file_of_two_sides_is_measured_elsewhere() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    project(&lab);
    let text = "[[subject]]\ncommand = \"out/link\"\n[file.\"sub/own.txt\"]\ntext = \"x\"\n\
                [measure]\nruns = 6\n";
    lab.write("m/work.toml", text);
    let words = "run work.toml --base old --build 'sh build.sh' --on ssh:n1,n2";
    let mut command = lab.shell(&format!("cd m && exec \"$E\" {words}"));
    command.env("COUNT", lab.path("count"));
    nodes.reachable(&mut command);
    Running::start(command).end().expect(0);
    let record = lab.record();
    blocks_of_nodes(&record, 6);
    assert_eq!(record.of_type("benchmark").len(), 4);
    nothing_left(&lab, nodes, &["n1", "n2"]);
}
