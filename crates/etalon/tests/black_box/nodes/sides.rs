//! `etalon ab --on ssh:…`: both sides are built here, and measured elsewhere.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::on::{NODES, blocks_of_nodes, nothing_left, nothing_left_on, run, start};
use super::ssh::SshNodes;
use crate::support::{Lab, Running, has};

/// The build counts itself, and leaves what a tree can have: a program, a link to it, and a directory that is empty.
const BUILD: &str = "echo built >>\"$COUNT\"\nmkdir -p out/empty\ncp source out/program\n\
                     chmod 755 out/program\nln -s program out/link\n";

/// A project of two commits in `m`, whose program reads a file of its side and writes into the empty directory.
pub(super) fn project(lab: &Lab) {
    fs::create_dir_all(lab.path("m/sub")).unwrap();
    let source = |own: &str| {
        format!(
            "#!/bin/sh\n[ \"$(cat sub/own)\" = {own} ] && [ -d .git ] || : >out/empty/here\nsleep 0.02\n"
        )
    };
    lab.write("m/build.sh", BUILD);
    lab.write("m/.gitignore", "out\n");
    for (own, tag) in [("one", "old"), ("two", "new")] {
        lab.write("m/sub/own", own);
        lab.write("m/source", source(own));
        let git = format!(
            "cd m && git init -q . && git add -A && git -c user.name=n -c user.email=e commit -qm {own} && git tag {tag}"
        );
        Running::start(lab.shell(&git)).end().expect(0);
    }
}

/// `etalon ab` in the project.
fn ab(lab: &Lab, nodes: &SshNodes, words: &str) -> Running {
    let mut command = lab.shell(&format!("cd m && exec \"$E\" ab {words}"));
    command.env("COUNT", lab.path("count"));
    nodes.reachable(&mut command);
    Running::start(command)
}

/// Would catch a side that is built on each node, a build that is not sent as it is, a block that lacks a side or a
/// control, what was found out of the sides before and is lost, and anything left behind.
#[test]
fn builds_are_made_once_and_measured_on_nodes() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    project(&lab);
    let words = "old new --build 'sh build.sh' -r 12 -w 1 --on ssh:n1,n2,n3 --same-output -- {side}/out/link";
    let ended = ab(&lab, &nodes, words).end().expect(0);
    has(&ended.stderr, &["each machine is sent the builds"]);
    assert_eq!(fs::read_to_string(lab.path("count")).unwrap().lines().count(), 4);
    let record = lab.record();
    let of_nodes = blocks_of_nodes(&record, 12);
    assert!(of_nodes.len() == 3 && !of_nodes.contains(&0), "{of_nodes:?}");
    assert_eq!(record.of_type("benchmark").len(), 4);
    let context = &record.of_type("header")[0]["context"];
    for fact in ["base.revision", "builds", "build.command", "sides.read"] {
        assert!(context[fact].is_string(), "{fact}: {context}");
    }
    has(&lab.done(["report", "@last"]), &["base", "head"]);
    let document = lab.json(["compare", "@last", "--json"]);
    let text = document.to_string();
    has(&text, &["\"nodes\""]);
    for node in NODES {
        nothing_left_on(&nodes, node);
    }
    // A directory below the top, hooks in it, and sides that are ready.
    let words = "old --no-control -r 3 --on ssh:n1 -p 'test -e own' -- cat own";
    let mut command = lab.shell(&format!("cd m/sub && exec \"$E\" ab {words}"));
    nodes.reachable(&mut command);
    Running::start(command).end().expect(0);
    assert_eq!(blocks_of_nodes(&lab.record(), 3), [3]);
    for side in ["ready/one", "ready/two"] {
        fs::create_dir_all(lab.path(side)).unwrap();
        lab.script(&format!("{side}/p"), "exit 0");
    }
    let ready = ["ab", "ready/one", "ready/two", "--dir", "-r", "3", "--on", "ssh:n2", "--", "./p"];
    run(&lab, &nodes, &ready).expect(0);
    assert_eq!(blocks_of_nodes(&lab.record(), 3), [3]);
    drop(nodes);
    lab.assert_nothing_left();
}

/// Would catch a machine without room that is filled, a tree that somebody has forgotten, a program for another
/// architecture that fails on each node, and an option that has no sense there.
#[test]
fn what_cannot_be_sent_is_told_before() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 1) else { return };
    project(&lab);
    let build = "--build 'sh build.sh; truncate -s 5G out/forgotten'";
    let ended = ab(&lab, &nodes, &format!("old {build} --no-cache --on ssh:n1 -- out/link"));
    has(
        &ended.end().expect(2).stderr,
        &["more than 4 GB", "out, 5120 MB", "have the build remove"],
    );
    for side in ["ready/one", "ready/two"] {
        fs::create_dir_all(lab.path(side)).unwrap();
        // The header of a program for 64 bits of ARM.
        let mut header = vec![0; 64];
        header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        (header[16], header[18], header[20], header[52], header[54]) = (2, 183, 1, 64, 56);
        lab.write(&format!("{side}/p"), header);
        let path = lab.path(&format!("{side}/p"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let ready = ["ab", "ready/one", "ready/two", "--dir", "-r", "3", "--on", "ssh:n1", "--", "./p"];
    let ended = start(&lab, &nodes, &ready).end();
    has(&ended.expect(2).stderr, &["is built for aarch64"]);
    // Every copy takes room of its own, though contents are sent once.
    fs::create_dir(nodes.path("n1", "home/bin")).unwrap();
    let df = nodes.path("n1", "home/bin/df");
    fs::write(&df, "#!/bin/sh\necho /dev/x 900000 0 300000 0% /\n").unwrap();
    fs::set_permissions(&df, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(nodes.path("n1", "home/.bashrc"), "PATH=$HOME/bin:$PATH\n").unwrap();
    let build = "--build 'sh build.sh; truncate -s 100M out/data'";
    let ended = ab(&lab, &nodes, &format!("old {build} --no-cache --on ssh:n1 -- out/link"));
    has(&ended.end().expect(2).stderr, &["n1: ", "MB are needed", "make room"]);
    nothing_left(&lab, nodes, &["n1"]);
}

/// Would catch sides that are copied and built for machines that nobody reaches, one that is tried and named twice, and the
/// machines of a list that measures nothing.
#[test]
fn machines_are_reached_before_sides_are_built() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    project(&lab);
    fs::write(nodes.path("n1", "authorized_keys"), "").unwrap();
    lab.write("m/work.toml", "[[subject]]\ncommand = \"out/link\"\n[measure]\nruns = 3\n");
    lab.write("m/s_bench.lua", "require('measure').describe('x'):run(function() end)\n");
    let etalon = |words: &str| {
        let mut command = lab.shell(&format!("cd m && exec \"$E\" {words}"));
        command.env("COUNT", lab.path("count"));
        nodes.reachable(&mut command);
        Running::start(command).end()
    };
    let build = "--build 'sh build.sh'";
    for words in [
        format!("ab old {build} --on ssh:n1 -- out/link"),
        format!("run work.toml --base old {build} --on ssh:n1"),
        format!("run s_bench.lua --base old {build} --on ssh:n1"),
    ] {
        has(&etalon(&words).expect(2).stderr, &["n1: ", "Permission denied"]);
    }
    assert!(!lab.path("count").exists());
    let ended = etalon(&format!("ab old {build} -r 3 --on ssh:n1,n2 -- out/link")).expect(0);
    assert_eq!(ended.stderr.matches("n1: ").count(), 1, "{}", ended.stderr);
    let record = lab.record();
    assert_eq!(blocks_of_nodes(&record, 3), [3]);
    has(&format!("{:?}", record.of_type("note")), &["left out: n1: "]);
    etalon(&format!("run s_bench.lua --base old {build} --list --on ssh:n1")).expect(0);
    nothing_left(&lab, nodes, &["n2"]);
}
