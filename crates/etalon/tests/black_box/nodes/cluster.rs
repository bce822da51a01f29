//! `--on slurm`: an experiment on a real Slurm, and what goes wrong with it.

use std::fs;
use std::path::{Path, PathBuf};

use super::on::{blocks_of_nodes, commands};
use super::packages::module;
use super::sides::project;
use super::slurm::Slurm;
use crate::support::{Ended, Lab, Running, has, joined, marked, signal, until};

fn start(lab: &Lab, slurm: &Slurm, arguments: &[&str]) -> Running {
    let mut command = lab.etalon(arguments);
    slurm.reachable(&mut command);
    // Directories of nodes are there, to be looked at.
    command.env("TMPDIR", lab.path("tmp"));
    Running::start(command)
}

fn run(lab: &Lab, slurm: &Slurm, arguments: &[&str]) -> Ended {
    start(lab, slurm, arguments).end()
}

fn entries(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[track_caller]
fn nothing_left(lab: &Lab, slurm: &Slurm) {
    until("an empty queue", || slurm.ask(&["squeue", "-h"]).is_empty());
    lab.assert_nothing_left();
    assert_eq!(entries(&slurm.shared()), [] as [&str; 0]);
    assert_eq!(entries(&lab.path("tmp")), [] as [&str; 0]);
}

/// Contents are in one file for all nodes, and in none that is a node's own.
#[track_caller]
fn sent_once(room: &Path, length: u64) {
    let size = |path: PathBuf| fs::metadata(path).map_or(0, |about| about.len());
    assert!(size(room.join("contents")) >= length);
    for life in entries(room).iter().map(|name| room.join(name)).filter(|it| it.is_dir()) {
        let own: u64 = entries(&life).iter().map(|name| size(life.join(name))).sum();
        assert!(own < length / 2, "{}: {own}", life.display());
    }
}

fn lab() -> Lab {
    let lab = Lab::new();
    commands(&lab, &lab.path("$(uname -n)").display().to_string());
    ["tmp", "n1", "n2", "n3"].iter().for_each(|name| fs::create_dir(lab.path(name)).unwrap());
    lab
}

/// Has nodes hold what can be held from so many executions on each.
fn hold(lab: &Lab, nodes: &[&str], from: usize) {
    nodes.iter().for_each(|node| drop(lab.write(&format!("{node}/hold"), from.to_string())));
}

fn release(lab: &Lab, nodes: &[&str]) {
    nodes.iter().for_each(|node| fs::remove_file(lab.path(&format!("{node}/hold"))).unwrap());
}

fn executions(lab: &Lab, node: &str) -> usize {
    lab.read(&format!("{node}/done")).len()
}

/// Waits until all nodes are held.
fn until_held(lab: &Lab, nodes: &[&str], from: usize) {
    until("some blocks", || nodes.iter().all(|node| executions(lab, node) >= from));
}

/// Has a task that waits to be begun again start now; by itself it would in two minutes. Slurm kills a task that starts in
/// the second in which its last life was ended (its credential is revoked), and refuses one whose last life is ending.
fn start_again(slurm: &Slurm, meanwhile: impl FnOnce()) {
    let pending = || slurm.ask(&["squeue", "-h", "-r", "-t", "PD", "-o", "%i"]);
    until("the lost task in the queue", || !pending().is_empty());
    std::thread::sleep(std::time::Duration::from_secs(3));
    meanwhile();
    until("the lost task begun again", || {
        let pending = pending();
        pending.lines().for_each(|task| {
            slurm.ask(&["scontrol", "update", &format!("jobid={task}"), "StartTime=now"]);
        });
        pending.is_empty()
    });
}

/// Would catch a block that is executed twice or never, a task without a block, a node without its name, and jobs,
/// processes and files that are left.
#[test]
fn blocks_are_shared_by_tasks() {
    let lab = lab();
    let Some(slurm) = Slurm::start(3) else { return };
    let shared = slurm.shared().display().to_string();
    let on =
        ["cmd", "-r", "12", "-w", "1", "--on", "slurm:main", "--nodes", "3", "--shared", &shared];
    let options = ["--same", "cpu", "--time-limit", "30m", "--send", "below", "./one", "./two"];
    let ended = run(&lab, &slurm, &[&on[..], &options].concat()).expect(0);
    has(&ended.stdout, &["one", "two"]);
    let record = lab.record();
    let of_nodes = blocks_of_nodes(&record, 12);
    assert!(of_nodes.len() == 3 && !of_nodes.contains(&0), "{of_nodes:?}");
    let mut names: Vec<String> =
        record.of_type("node").iter().map(|node| node["name"].as_str().unwrap().into()).collect();
    names.sort();
    assert_eq!(names, ["n1", "n2", "n3"]);
    assert_eq!(record.warm_ups().len(), 6);
    nothing_left(&lab, &slurm);
}

/// Would catch a block that is lost with its node, or counts twice, a node whose task begins anew and gets no blocks, one
/// that is another node then, and a directory that stays on a node whose power was cut.
#[test]
fn a_task_that_is_lost_comes_back() {
    let lab = lab();
    let Some(mut slurm) = Slurm::start(2) else { return };
    let shared = slurm.shared().display().to_string();
    let on = ["cmd", "-r", "60", "--on", "slurm", "--nodes", "2", "--shared", &shared];
    let options = ["-w", "1", "--send", "below", "./one", "./two"];
    hold(&lab, &["n1", "n2"], 6);
    let running = start(&lab, &slurm, &[&on[..], &options].concat());
    until_held(&lab, &["n1", "n2"], 6);
    let tasks = slurm.ask(&["squeue", "-h", "-r", "-t", "R", "-o", "%i %N"]);
    let on_n2 = tasks.lines().find_map(|line| line.strip_suffix(" n2")).expect("a task on n2");
    slurm.ask(&["scontrol", "requeue", on_n2]);
    start_again(&slurm, || {
        // It warms up and executes blocks again, and is held before it has executed all.
        hold(&lab, &["n2"], executions(&lab, "n2") + 4);
    });
    let record = || fs::read_to_string(lab.saved().last().expect("a record")).unwrap_or_default();
    // A node warms up once more where it begins anew.
    until("the task again", || record().matches(r#""phase":"warmup""#).count() >= 6);
    slurm.cut("n1");
    release(&lab, &["n1", "n2"]);
    let ended = running.end().expect(0);
    has(&ended.stderr, &["n2 is left out", "Slurm took its node away", "n2 is there from here on"]);
    has(&ended.stderr, &["n1 is left out"]);
    let record = lab.record();
    assert_eq!(record.of_type("node").len(), 2);
    blocks_of_nodes(&record, 60);
    slurm.power_on("n1");
    until("idle nodes", || slurm.idle() == 2);
    let again =
        ["-r", "3", "--on", "slurm", "--nodes", "2", "--shared", &shared, "true", "false", "-i"];
    run(&lab, &slurm, &[&["cmd"][..], &again].concat()).expect(0);
    nothing_left(&lab, &slurm);
}

/// Would catch jobs that outlive an interrupt, half a block, a run that cannot be resumed, and workers that outlive
/// whoever asks them.
#[test]
fn jobs_end_with_the_run() {
    let lab = lab();
    let Some(slurm) = Slurm::start(2) else { return };
    let shared = slurm.shared().display().to_string();
    let on = ["cmd", "-r", "40", "--on", "slurm", "--nodes", "2", "--shared", &shared];
    let arguments = [&on[..], &["--send", "below", "./one", "./two"]].concat();
    lab.write("below/large", vec![b'x'; 3 << 20]);
    hold(&lab, &["n1", "n2"], 4);
    let running = start(&lab, &slurm, &arguments);
    until_held(&lab, &["n1", "n2"], 4);
    sent_once(&slurm.shared().join(&entries(&slurm.shared())[0]), 3 << 20);
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    release(&lab, &["n1", "n2"]);
    nothing_left(&lab, &slurm);
    let there = lab.record();
    blocks_of_nodes(&there, there.measured().len() / 2);
    run(&lab, &slurm, &["cmd", "--resume", "@last"]).expect(0);
    blocks_of_nodes(&lab.record(), 40);

    let from = 4 + executions(&lab, "n1").max(executions(&lab, "n2"));
    hold(&lab, &["n1", "n2"], from);
    let mut long = arguments.clone();
    long[2] = "400";
    let running = start(&lab, &slurm, &long);
    until_held(&lab, &["n1", "n2"], from);
    signal(running.pid(), libc::SIGKILL);
    running.end();
    // A minute without a sign is too long for a test: whoever removes the lease ends them at once.
    let room = slurm.shared().join(&entries(&slurm.shared())[0]);
    fs::remove_file(room.join("lease")).unwrap();
    until("an empty queue", || slurm.ask(&["squeue", "-h"]).is_empty());
    until("no process of a worker", || marked(&lab.mark()).is_empty());
    let of_nodes = |name: &String| name.starts_with("etalon-node-");
    assert!(!entries(&lab.path("tmp")).iter().any(of_nodes));
    fs::remove_dir_all(room).unwrap();
    // What is left here goes with the next run.
    let again = ["-r", "3", "--on", "slurm", "--nodes", "1", "--shared", &shared, "true"];
    run(&lab, &slurm, &[&["cmd"][..], &again].concat()).expect(0);
    nothing_left(&lab, &slurm);
}

/// Would catch a door whose job a cluster does not execute: its copies, suites, files of an experiment and test binaries;
/// and a side that is built before a cluster that takes no such job refuses it.
#[test]
fn every_door_measures_on_a_cluster() {
    let lab = lab();
    let Some(slurm) = Slurm::start(2) else { return };
    let on = format!("--on slurm --nodes 2 --shared '{}'", slurm.shared().display());
    let etalon = |words: &str| {
        let mut command = lab.shell(words);
        slurm.reachable(&mut command);
        command.env("TMPDIR", lab.path("tmp")).env("COUNT", lab.path("count"));
        Running::start(command).end()
    };
    let measured = |words: &str| {
        etalon(words).expect(0);
        let of_nodes = blocks_of_nodes(&lab.record(), 12);
        assert!(of_nodes.len() == 2 && !of_nodes.contains(&0), "{words}: {of_nodes:?}");
    };
    project(&lab);
    let ab = "cd m && exec \"$E\" ab old new --build 'sh build.sh' -r 12";
    let refused = format!("{ab} --on slurm:none --nodes 2 --shared '{}'", slurm.shared().display());
    has(
        &joined(&etalon(&format!("{refused} -- out/link")).expect(2).stderr),
        &["invalidpartition"],
    );
    assert!(!lab.path("count").exists());
    measured(&format!("{ab} {on} -- '{{side}}/out/link'"));
    assert_eq!(lab.record().of_type("benchmark").len(), 4);
    lab.write("s_bench.lua", "require('measure').describe('x'):run(function() end)\n");
    etalon(&format!("exec \"$E\" run s_bench.lua -r 12 --budget 1s {on}")).expect(0);
    assert_eq!(lab.record().of_type("node").len(), 2);
    let file = "[[subject]]\nname = \"one\"\ncommand = \"./one\"\n[[subject]]\nname = \"two\"\ncommand = \"./two\"\n[measure]\nruns = 12\non = \"slurm\"\n";
    lab.write("work.toml", file);
    measured(&format!("exec \"$E\" run work.toml --send below {on}"));
    if crate::go::lab().is_some() {
        module(&lab, "g");
        measured(&format!("cd g && exec \"$E\" go ./p --base old -r 12 --benchtime 10x {on}"));
        assert_eq!(lab.record().of_type("benchmark").len(), 8);
    }
    nothing_left(&lab, &slurm);
}

/// Would catch an option that is handed to Slurm as a partition, a missing option that is not named, a refusal or a task
/// that waits that nobody hears of, and a directory that is not shared and is taken for one that is.
#[test]
fn what_slurm_refuses_is_said() {
    let lab = lab();
    let Some(slurm) = Slurm::start(2) else { return };
    let shared = slurm.shared().display().to_string();
    let refused = |arguments: &[&str], status: i32| {
        let ended = run(&lab, &slurm, &[&["cmd", "-r", "3"], arguments, &["true"]].concat());
        joined(&ended.expect(status).stderr)
    };
    for (arguments, said) in [
        (&["--on", "slurm:--wrap=x"][..], "begins with `-`"),
        (&["--on", "slurm:a b"], "no name of Slurm"),
        (&["--on", "slurm", "--shared", &shared], "--on slurm needs --nodes N"),
        (&["--on", "slurm", "--nodes", "2"], "--on slurm needs --shared DIR"),
        (&["--on", "ssh:n1", "--nodes", "2"], "goes with --on slurm"),
        (&["--nodes", "2"], "needs --on WHERE"),
        (&["--on", "slurm", "--nodes", "2", "--shared", "none"], "the shared directory none"),
        (&["--on", "slurm:none", "--nodes", "2", "--shared", &shared], "invalid partition"),
        (
            &["--on", "slurm:short", "--nodes", "2", "--shared", &shared, "--time-limit", "2h"],
            "time limit",
        ),
        (&["--on", "slurm", "--nodes", "2", "--shared", &shared, "--constraint", "gpu"], "feature"),
    ] {
        let stderr = refused(arguments, 2);
        has(&stderr, &[&joined(said)]);
    }
    slurm.inside("n2", &format!("mount -t tmpfs none '{shared}'"));
    let on = ["cmd", "-r", "6", "--on", "slurm", "--nodes", "2", "--shared", &shared];
    let ended = run(&lab, &slurm, &[&on[..], &["true", "false", "-i"]].concat()).expect(0);
    has(&joined(&ended.stderr), &[&joined(&format!("n2 does not see {shared}"))]);
    assert_eq!(lab.record().of_type("node").len(), 1);
    slurm.inside("n2", &format!("umount '{shared}'"));

    // A third node is waited for, said, and gone without.
    let more = ["cmd", "-r", "6", "--on", "slurm", "--nodes", "3", "--shared", &shared];
    let ended = run(&lab, &slurm, &[&more[..], &["true", "false", "-i"]].concat()).expect(0);
    has(&joined(&ended.stderr), &[&joined("1 of 3 nodes wait in Slurm's queue (Resources)")]);
    assert_eq!(lab.record().of_type("node").len(), 2);
    nothing_left(&lab, &slurm);
}

/// Submits a job of somebody else's to the urgent partition, on so many nodes, which lasts as long as there is a file.
fn urgent(lab: &Lab, slurm: &Slurm, nodes: &str) {
    lab.write("busy", "");
    let busy = lab.path("busy").display().to_string();
    lab.script("urgent", &format!("while [ -e '{busy}' ]; do sleep 0.05; done"));
    let job =
        ["-p", "urgent", "-w", nodes, "-N", "1-2", "--exclusive", "-o", "/dev/null", "./urgent"];
    let mut command = lab.program("sbatch", job);
    slurm.reachable(&mut command);
    Running::start(command).end().expect(0);
}

/// Would catch a node that is lost to another job and nobody says why, its blocks lost with it, and a job that waits in the
/// queue without a word or stays there when the user does not want it any more.
#[test]
fn nodes_that_others_have_are_waited_for_and_lost_by_name() {
    let lab = lab();
    let Some(slurm) = Slurm::start(2) else { return };
    let shared = slurm.shared().display().to_string();
    let on = ["cmd", "-r", "20", "--on", "slurm", "--nodes", "2", "--shared", &shared];
    hold(&lab, &["n1", "n2"], 4);
    let running = start(&lab, &slurm, &[&on[..], &["--send", "below", "./one", "./two"]].concat());
    until_held(&lab, &["n1", "n2"], 4);
    urgent(&lab, &slurm, "n2");
    let record = || fs::read_to_string(lab.saved().last().expect("a record")).unwrap_or_default();
    until("a node that is lost", || record().contains("n2 is left out from here on"));
    release(&lab, &["n1", "n2"]);
    let ended = running.end().expect(0);
    has(&ended.stderr, &["n2 is left out from here on: Slurm took its node away; job "]);
    blocks_of_nodes(&lab.record(), 20);

    // Now all of them are somebody else's.
    urgent(&lab, &slurm, "n1");
    until("no idle node", || slurm.idle() == 0);
    let words =
        format!("exec \"$E\" cmd -r 6 --on slurm --nodes 2 --shared '{shared}' true 2>said");
    let mut command = lab.shell(&words);
    slurm.reachable(&mut command);
    command.env("TMPDIR", lab.path("tmp"));
    let waiting = Running::start(command);
    let said = || String::from_utf8(lab.read("said")).unwrap();
    until("a word of the queue", || said().contains("2 of 2 nodes wait in Slurm's queue"));
    signal(waiting.pid(), libc::SIGINT);
    waiting.end().expect(130);
    fs::remove_file(lab.path("busy")).unwrap();
    nothing_left(&lab, &slurm);
}

/// Would catch a job that is over by its time limit and whose node is waited for, blocks that are lost with it, and a reason
/// that nobody hears.
#[test]
fn a_job_that_is_over_by_its_time_limit_is_said() {
    let lab = lab();
    let Some(slurm) = Slurm::start(2) else { return };
    let shared = slurm.shared().display().to_string();
    let on = ["cmd", "-r", "20", "--on", "slurm", "--nodes", "2", "--shared", &shared];
    let options = ["--time-limit", "30m", "--send", "below", "./one", "./two"];
    hold(&lab, &["n1", "n2"], 4);
    let running = start(&lab, &slurm, &[&on[..], &options].concat());
    until_held(&lab, &["n1", "n2"], 4);
    let tasks = slurm.ask(&["squeue", "-h", "-r", "-t", "R", "-o", "%i %N %L"]);
    assert!(tasks.lines().all(|line| line.contains(" 29:") || line.contains(" 30:")), "{tasks}");
    // Minutes are too long for a test: the end of one of them is now. Slurm looks every half a minute.
    let on_n2 = tasks.lines().find(|line| line.contains(" n2 ")).expect("a task on n2");
    let job = format!("jobid={}", on_n2.split(' ').next().unwrap());
    slurm.ask(&["scontrol", "update", &job, "EndTime=now"]);
    let record = || fs::read_to_string(lab.saved().last().expect("a record")).unwrap_or_default();
    until("a node that is lost", || record().contains("n2 is left out from here on"));
    release(&lab, &["n1", "n2"]);
    let ended = running.end().expect(0);
    has(&ended.stderr, &["n2 is left out from here on: the time limit of its job is over"]);
    let record = lab.record();
    assert!(blocks_of_nodes(&record, 20).iter().all(|blocks| *blocks > 0));
    nothing_left(&lab, &slurm);
}
