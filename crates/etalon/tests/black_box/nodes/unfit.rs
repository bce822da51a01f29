//! Machines of no use, each in its own way: one message with the name of each, and the others go on.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::on::{blocks_of_nodes, commands, nothing_left, run};
use super::ssh::SshNodes;
use crate::support::{Lab, Running, has};

/// Gives a node a program of its own in place of the machine's.
fn replace(nodes: &SshNodes, node: &str, program: &str, script: &str) {
    let path = nodes.path(node, &format!("home/bin/{program}"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(nodes.path(node, "home/.bashrc"), "PATH=$HOME/bin:$PATH\n").unwrap();
}

/// Would catch a program that is sent to another architecture, one that is looked for in directories where none can be
/// executed, a banner that is taken for an error, and a message without the machine's name.
#[test]
fn machines_that_cannot_execute_it_are_named() {
    let lab = Lab::new();
    let Some(mut nodes) = SshNodes::start(&lab, 3) else { return };
    replace(&nodes, "n1", "uname", "[ \"$1\" = -m ] && exec echo riscv64; exec /bin/uname \"$@\"");
    let noexec = "for at in /tmp /var/tmp ~root; do mount -t tmpfs -o noexec none $at; done";
    nodes.inside("n2", noexec);
    nodes.cut("n3");
    let banner = nodes.path("n3", "banner");
    fs::write(&banner, "Welcome. Unauthorised use is prohibited.\n").unwrap();
    let path = nodes.path("n3", "sshd_config");
    let text = fs::read_to_string(&path).unwrap() + "Banner /run/node/banner\nPrintMotd yes\n";
    fs::write(&path, text).unwrap();
    nodes.power_on("n3");
    let on = ["cmd", "-r", "3", "--on", "ssh:n1,n2,n3", "true", "false", "-i"];
    let ended = run(&lab, &nodes, &on).expect(0);
    let lines: Vec<&str> = ended.stderr.lines().collect();
    let line = |name: &str| {
        let of_it = lines.iter().filter(|line| line.contains(&format!("{name}: ")));
        let of_it: Vec<_> = of_it.collect();
        assert_eq!(of_it.len(), 1, "{name}: {}", ended.stderr);
        of_it[0].to_string()
    };
    has(&line("n1"), &["of another architecture: there is no etalon for it; the others go on"]);
    has(&line("n2"), &["no program can be executed in /tmp, /var/tmp, /root there", "TMPDIR"]);
    assert!(!ended.stderr.contains("prohibited"), "{}", ended.stderr);
    assert_eq!(blocks_of_nodes(&lab.record(), 3), [3]);
    nothing_left(&lab, nodes, &["n1", "n3"]);
}

/// Would catch a line that was torn, or is of somebody else's block, and counts; and a machine that is left out for it
/// without its name.
#[test]
fn answers_that_are_not_whole_are_refused() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 3) else { return };
    commands(&lab, "~");
    fs::create_dir(lab.path("bin")).unwrap();
    // Each observation that n1 sends lacks its end; what n2 sends is of a block that it was not asked for.
    let wrapper = "PATH=${PATH#*:}\ncase \"$*\" in\n\
                   *'-- n1 '*' worker'*) ssh \"$@\" | sed -u '/\"observation\"/s/.....$//' ;;\n\
                   *'-- n2 '*' worker'*) ssh \"$@\" | sed -u 's/\"first\":\\([0-9]\\)/\"first\":7\\1/' ;;\n\
                   *) exec ssh \"$@\" ;;\nesac";
    lab.script("bin/ssh", wrapper);
    let on = ["cmd", "-r", "6", "--on", "ssh:n1,n2,n3", "--send", "below", "./one", "./two"];
    let mut command = lab.etalon(on);
    nodes.reachable(&mut command);
    before_all(&lab, &mut command);
    let ended = Running::start(command).end().expect(0);
    for node in ["n1", "n2"] {
        let said = format!(
            "{node} is left out from here on: what it delivered is not what it was asked for"
        );
        has(&ended.stderr, &[&said]);
    }
    has(&ended.stderr, &["it is of another block"]);
    assert_eq!(blocks_of_nodes(&lab.record(), 6), [0, 0, 6]);
    nothing_left(&lab, nodes, &["n1", "n2", "n3"]);
}

/// Has a command look for programs in `bin` of the laboratory first.
pub(super) fn before_all(lab: &Lab, command: &mut Command) {
    let set = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, value)| value);
    let paths = std::env::split_paths(set.expect("a PATH")).collect::<Vec<_>>();
    let paths = std::iter::once(lab.path("bin")).chain(paths);
    command.env("PATH", std::env::join_paths(paths).unwrap());
}
