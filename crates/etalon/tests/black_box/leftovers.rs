//! What hooks leave running: it is there until after cleanup, however it was started, and nowhere afterwards, however the
//! experiment ended. The server is a real one on a socket, and what is measured is a client of it.

use crate::suites::{QUICK, plain};
use crate::support::{Lab, Running, has, marked, signal, until};

/// Serves `socket` until SIGTERM, which it takes note of.
const SERVER: &str = "import os, signal, socket, sys
def end(*_):
    open('told', 'a').write('end ')
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
served = socket.socket(socket.AF_UNIX)
served.bind('new')
served.listen()
os.rename('new', 'socket')
while True:
    client, _ = served.accept()
    client.sendall(b'pong')
    client.close()";

/// Exits with 0 if the server answers, and takes note of what it was given as a word.
const CLIENT: &str = "import socket, sys
client = socket.socket(socket.AF_UNIX)
client.connect('socket')
assert client.recv(4) == b'pong'
open('told', 'a').write(sys.argv[1] + ' ')";

/// Ways to start it in the background.
const WAYS: [&str; 5] = [
    "python3 server.py &",
    "setsid -f python3 server.py",
    "nohup python3 server.py > log 2>&1 &",
    "(setsid python3 server.py & ) & wait",
    "python3 server.py 2>&1 | cat &",
];

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("server.py", SERVER);
    lab.write("client.py", CLIENT);
    lab
}

/// A hook that starts the server in such a way, and is over when that can be asked.
fn start(way: &str) -> String {
    format!("rm -f socket\n{way}\nuntil test -e socket; do sleep 0.01; done")
}

fn told(lab: &Lab) -> String {
    String::from_utf8(lab.read("told")).expect("text").trim_end().to_owned()
}

fn notes(lab: &Lab) -> Vec<String> {
    let record = lab.record();
    let texts = record.of_type("note").into_iter().filter(|note| note["about"] == "hooks");
    texts.map(|note| note["text"].as_str().expect("text").to_owned()).collect()
}

/// An experiment that goes on until it is stopped, once the server has answered.
fn endless(lab: &Lab) -> Running {
    let setup = start("setsid -f python3 server.py");
    let waits = "python3 client.py c && touch asked && exec sleep 100000";
    let arguments =
        ["cmd", "-s", "/bin/sh -c", "--setup", &setup, "--cleanup", "python3 client.py C", waits];
    let running = Running::start(lab.etalon(arguments));
    until("the server to be asked", || lab.path("asked").exists());
    running
}

/// Would catch a server that ends with its hook, that is killed before cleanup or without a word, and one that stays.
#[test]
fn a_server_of_setup_lives_until_after_cleanup() {
    for way in WAYS {
        let lab = lab();
        let hooks = ["--setup", &start(way), "--cleanup", "python3 client.py C"];
        let ended =
            lab.run([&["cmd", "-r", "2"], &hooks[..], &["python3 client.py c"]].concat()).expect(0);
        lab.assert_nothing_left();
        assert_eq!(told(&lab), "c c C end", "{way}");
        let processes = if way.contains('|') {
            "2 processes that --setup started were"
        } else {
            "1 process that --setup started was"
        };
        let note = format!("{processes} ended after cleanup");
        assert_eq!(notes(&lab), [note.as_str()], "{way}");
        has(&ended.stdout.split_whitespace().collect::<Vec<_>>().join(" "), &[&note]);
        for observation in lab.record().of_type("observation") {
            assert!(observation["leftovers"].is_null(), "{way}: {observation}");
        }
    }
}

/// Would catch an ending that leaves the server: a failure of command, hook or cleanup.
#[test]
fn nothing_is_left_after_a_failure() {
    for (extra, command) in [
        (&[][..], "false"),
        (&["--prepare", "false"], "true"),
        (&["--cleanup", "false"], "true"),
        // The hook has as long, and starts Python.
        (&["--timeout", "10s"], "sleep 1000"),
    ] {
        let lab = lab();
        let setup = start("python3 server.py &");
        lab.run([&["cmd", "-r", "2", "--setup", &setup], extra, &[command]].concat()).expect(1);
        lab.assert_nothing_left();
        assert_eq!(told(&lab), "end", "{extra:?}");
        assert_eq!(notes(&lab).len(), 1, "{extra:?}");
    }
    let lab = lab();
    let setup = format!("{}\nfalse", start("setsid -f python3 server.py"));
    lab.run(["cmd", "-r", "2", "--setup", &setup, "true"]).expect(1);
    lab.assert_nothing_left();
    assert_eq!(told(&lab), "end");
}

/// Would catch an interrupt after which the server is left, or ended before cleanup.
#[test]
fn nothing_is_left_after_an_interrupt() {
    for stop in [libc::SIGINT, libc::SIGTERM] {
        let lab = lab();
        let running = endless(&lab);
        signal(running.pid(), stop);
        running.end().expect(130);
        lab.assert_nothing_left();
        assert_eq!(told(&lab), "c C end");
        assert_eq!(notes(&lab).len(), 1);
    }
}

/// Would catch a server that outlives etalon, or the launcher that looks after it, when nobody could say goodbye.
#[test]
fn nothing_is_left_when_etalon_or_its_launcher_is_killed() {
    let launcher = |lab: &Lab| {
        let is_launcher = |pid: &i32| {
            std::fs::read_to_string(format!("/proc/{pid}/comm"))
                .is_ok_and(|name| name.starts_with("etalon-launch"))
        };
        marked(&lab.mark()).into_iter().find(is_launcher).expect("a launcher")
    };
    for kills_launcher in [false, true] {
        let lab = lab();
        let running = endless(&lab);
        let victim = if kills_launcher { launcher(&lab) } else { running.pid() };
        signal(victim, libc::SIGKILL);
        running.end();
        lab.assert_nothing_left();
        assert_eq!(told(&lab), "c end", "asked to end, and not killed at once");
    }
}

/// Would catch a command's leftovers that go on beside the server, or a server ended with them.
#[test]
fn what_a_command_leaves_is_ended_at_once() {
    let lab = lab();
    let leaves = "python3 client.py c; setsid -f sleep 100000; sleep 100000 &";
    let setup = start("python3 server.py &");
    lab.run(["cmd", "-r", "3", "-s", "/bin/sh -c", "--setup", &setup, leaves]).expect(0);
    lab.assert_nothing_left();
    assert_eq!(told(&lab), "c c c end");
    for observation in lab.record().of_type("observation") {
        assert_eq!(observation["leftovers"], 2, "{observation}");
    }
    assert_eq!(notes(&lab), ["1 process that --setup started was ended after cleanup"]);
}

/// Would catch processes of other hooks that are not counted, and a cleanup whose own stay.
#[test]
fn every_hook_may_leave_something() {
    let lab = lab();
    let sleep = "sleep 100000 &";
    let hooks =
        ["--prepare", sleep, "--conclude", "sleep 100000 & sleep 100000 &", "--cleanup", sleep];
    lab.run([&["cmd", "-r", "2"], &hooks[..], &["true"]].concat()).expect(0);
    lab.assert_nothing_left();
    assert_eq!(
        notes(&lab),
        [
            "2 processes that --prepare started were ended after cleanup",
            "4 processes that --conclude started were ended after cleanup",
            "1 process that --cleanup started was ended after cleanup",
        ]
    );
}

/// Would catch a server that cleanup has ended and that seems to be there for ever, because nobody reaps it.
#[test]
fn what_cleanup_ends_is_gone_and_not_told() {
    let lab = lab();
    let setup = start("setsid -f python3 server.py");
    lab.write(
        "server.py",
        format!("import os\nopen('pid', 'w').write(str(os.getpid()))\n{SERVER}"),
    );
    let cleanup =
        "kill $(cat pid); while kill -0 $(cat pid) 2>/dev/null; do :; done; echo gone >> told";
    lab.run(["cmd", "-r", "1", "--setup", &setup, "--cleanup", cleanup, "true"]).expect(0);
    assert_eq!(told(&lab), "end gone");
    assert_eq!(notes(&lab), [] as [&str; 0]);
}

/// Would catch a wait for a process that does not want to end, and one for a pipe that is kept open or full.
#[test]
fn what_does_not_end_by_itself_is_killed_and_what_writes_hangs_nobody() {
    let lab = lab();
    // One process from the moment that it can be seen: `:` is no program, and what is ignored stays so behind `exec`.
    let stubborn = "sh -c 'trap \"\" TERM; : > trapped; exec sleep 100000' & until test -e trapped; do :; done";
    let chatty = "yes 'a word on standard error' >&2 &";
    let both = format!("{stubborn}; {chatty}");
    lab.run(["cmd", "-r", "2", "--setup", &both, "true"]).expect(0);
    lab.assert_nothing_left();
    assert_eq!(notes(&lab), ["2 processes that --setup started were ended after cleanup"]);
}

/// Would catch a preparation that fills the machine.
#[test]
fn there_is_a_limit_to_what_hooks_may_leave() {
    let lab = lab();
    let ended = lab.run(["cmd", "-r", "300", "--prepare", "sleep 100000 &", "true"]).expect(1);
    has(
        &ended.stderr,
        &["--prepare", "200 processes that it started before are still there", "conclude"],
    );
    lab.assert_nothing_left();
}

/// Would catch a server that ends with the setup of the first stage, or stays for another stage than its own.
#[test]
fn servers_of_stages_end_with_their_stage() {
    let lab = lab();
    let setup = format!("echo {{n}} >> told; {}", start("python3 server.py &"));
    let arguments = [
        "cmd",
        "-r",
        "1",
        "-L",
        "n",
        "1,2",
        "--setup",
        &setup,
        "--cleanup",
        "rm socket",
        "python3 client.py c{n}",
    ];
    lab.run(arguments).expect(0);
    lab.assert_nothing_left();
    assert_eq!(
        told(&lab).split_whitespace().collect::<Vec<_>>(),
        ["1", "c1", "end", "2", "c2", "end"]
    );
    assert_eq!(notes(&lab), ["2 processes that --setup started were ended after cleanup"]);
}

/// Would catch hooks of experiment files and of suites that are ended at once.
#[test]
fn hooks_of_files_and_suites_may_start_servers() {
    let lab = lab();
    let start = start("setsid -f python3 server.py").replace('\n', "; ");
    lab.write(
        "around.toml",
        format!(
            "setup = '''{start}'''\ncleanup = \"python3 client.py C\"\n[[subject]]\ncommand = \"python3 client.py c\"\n\
             [measure]\nruns = 2\n"
        ),
    );
    lab.run(["run", "around.toml"]).expect(0);
    lab.assert_nothing_left();
    assert_eq!(told(&lab), "c c C end");
    assert_eq!(
        notes(&lab),
        ["1 process that setup (a key of around.toml) started was ended after cleanup"]
    );

    let lab = self::lab();
    plain(&lab, "plain_bench.lua", &["x"]);
    let hooks = ["--setup", &start, "--cleanup", "python3 client.py C"];
    lab.run([&["run", "plain_bench.lua"][..], &QUICK, &hooks].concat()).expect(0);
    lab.assert_nothing_left();
    assert_eq!(told(&lab), "C end");
    assert_eq!(notes(&lab), ["1 process that --setup started was ended after cleanup"]);
}
