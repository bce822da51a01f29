//! Programs that stop themselves, wherever etalon waits for one: nobody continues them, so each is ended, and it is said
//! that it stopped itself and by which signal. A shell above one is not stopped, and would wait for ever.

use crate::support::{Ended, Lab, Running, has, joined, signal, until};
use crate::{ab, go};

/// A script that stops itself, and says before that it is there.
const STOPS: &str = ": > there; kill -STOP $$; echo went on";

/// The words of it.
const STOPPED: &str =
    "stopped itself by SIGSTOP (nothing continues it here: leave out whatever sends it)";

#[track_caller]
fn told(lab: &Lab, ended: Ended, code: i32, parts: &[&str]) -> Ended {
    let ended = ended.expect(code);
    let said = joined(&format!("{}\n{}", ended.stderr, ended.stdout));
    assert!(!said.contains("endedaftercleanup"), "what was killed counts as left: {said}");
    for part in parts {
        assert!(said.contains(&joined(part)), "no {part} in {said}");
    }
    lab.assert_nothing_left();
    ended
}

/// Would catch a hook that stops itself, or has a shell above it, and is waited for without end.
#[test]
fn a_hook_that_stops_itself_is_ended() {
    let lab = Lab::new();
    lab.script("stops", STOPS);
    for hook in ["setup", "prepare", "conclude", "cleanup"] {
        for text in ["exec ./stops", "./stops; true"] {
            let option = format!("--{hook}");
            let ended = lab.run(["cmd", "-w0", "-r3", &option, text, "true"]);
            told(&lab, ended, 1, &[&format!("{hook} `{text}` {STOPPED}")]);
        }
    }
}

/// Would catch a hook that neither its timeout nor the user can end once it is stopped.
#[test]
fn a_stopped_hook_can_be_ended() {
    let lab = Lab::new();
    lab.script("stops", STOPS);
    let hook = "./stops; true";
    let ended = lab.run(["cmd", "-r1", "--timeout", "0.2", "--prepare", hook, "true"]);
    told(&lab, ended, 1, &["prepare", "took longer than"]);
    for end in [libc::SIGINT, libc::SIGTERM] {
        std::fs::remove_file(lab.path("there")).unwrap();
        let running = Running::start(lab.etalon(["cmd", "-r1", "--prepare", hook, "true"]));
        until("the hook", || lab.path("there").exists());
        signal(running.pid(), end);
        running.end().expect(130);
        lab.assert_nothing_left();
    }
}

/// Would catch a command that is said to have been killed by a signal that kills nobody, on a screen, in a saved report,
/// as JSON and in what is exported; and one below a shell that is waited for without end.
#[test]
fn a_command_that_stopped_itself_is_told_as_that() {
    let lab = Lab::new();
    lab.script("stops", STOPS);
    for (name, code) in [("TSTP", "SIGTSTP"), ("TTIN", "SIGTTIN"), ("TTOU", "SIGTTOU")] {
        lab.script("other", &format!("kill -{name} $$; echo went on"));
        let by = format!("command `./other` stopped itself by {code} (");
        told(&lab, lab.run(["cmd", "-r1", "./other"]), 1, &[&by]);
    }
    told(&lab, lab.run(["cmd", "-r1", "./stops"]), 1, &[&format!("`./stops` {STOPPED}")]);
    let below = lab.run(["cmd", "-s", "sh -c", "-r1", "./stops; true"]);
    told(&lab, below, 1, &[&format!("`./stops; true` {STOPPED}")]);
    let report = lab.done(["report", "@last", "--html", "x.html"]);
    has(&joined(&report), &[&joined(&format!("1 of 1 executions {STOPPED}"))]);
    has(&lab.json(["report", "@last", "--json"]).to_string(), &[STOPPED]);
    has(&String::from_utf8(lab.read("x.html")).unwrap(), &["stopped itself by SIGSTOP"]);
    has(&lab.done(["report", "@last", "--format", "markdown"]), &["stopped itself by SIGSTOP"]);
    let cell = "[[subject]]\nname = 'x'\ncommand = './stops'\n";
    lab.write(
        "x.toml",
        format!(
            "[measure]\nruns = 2\n{cell}{}",
            cell.replace("./stops", "true").replace("'x'", "'y'")
        ),
    );
    told(&lab, lab.run(["run", "x.toml"]), 1, &["x stopped itself (SIGSTOP)"]);
}

/// Would catch what is needed, built or served and is waited for without end, or ended for its time.
#[test]
fn what_is_around_commands_and_stops_itself_is_ended() {
    let lab = Lab::new();
    lab.script("stops", STOPS);
    let file = |text: &str| {
        lab.write(
            "x.toml",
            format!("[measure]\nruns = 1\n[[subject]]\nname = 'x'\ncommand = 'true'\n{text}"),
        );
        lab.run(["run", "x.toml"])
    };
    let service = |text: &str| format!("[service.s]\n{text}\nstop_within = '60s'\n");
    let ready = "ready = { command = 'true' }";
    let with = |text: &str| file(&service(text));
    let ended = with(&format!("start = './stops'\n{}", ready.replace("true", "false")));
    told(&lab, ended, 2, &["service s", "`./stops`", STOPPED]);
    let ended = with("start = 'sleep 1000'\nready = { command = './stops' }\nready_within = '1s'");
    told(&lab, ended, 2, &["service s", STOPPED]);
    let ended = with(&format!("start = 'sleep 1000'\n{ready}\nstop = './stops'"));
    told(&lab, ended, 0, &["service s", STOPPED]);
    let ended = file("requires = './stops; true'\n");
    told(&lab, ended, 1, &[STOPPED]);
}

/// Would catch a build that is waited for without end, and a command that stops while it is looked at which files it reads.
#[test]
fn a_build_that_stops_itself_is_ended() {
    let Some(lab) = ab::lab() else { return };
    let stops = lab.script("stops", STOPS).display().to_string();
    for build in [format!("exec {stops}"), format!("{stops}; make")] {
        let ended = ab::ab(&lab, &format!("old --build '{build}' -- ./p"));
        told(&lab, ended, 1, &["base does not build", STOPPED]);
    }
    lab.script("m/s.sh", STOPS);
    ab::git(&lab, "add -A && git COMMIT script && git tag -f old");
    let ended = ab::ab(&lab, "old -r 1 -- sh s.sh");
    told(&lab, ended, 1, &["`sh s.sh`", STOPPED]);
    let ended = ab::ab(&lab, "old -r 1 -- sh -c 'sh s.sh; true'");
    told(&lab, ended, 1, &[STOPPED]);
    let facts = lab.record().of_type("header")[0]["context"].clone();
    has(facts["sides.untraced"].as_str().unwrap_or_default(), &["stopped itself by SIGSTOP"]);
    let ended = ab::ab(&lab, "old -r 1 --same-output -- sh s.sh");
    told(&lab, ended, 1, &[STOPPED]);
}

/// Would catch a binary of Go that is waited for without end, or is said to have been killed.
#[test]
fn a_benchmark_of_go_that_stops_itself_is_ended() {
    let Some(lab) = go::lab() else { return };
    let stops = "package m\nimport (\"os\"; \"syscall\"; \"testing\")\n\
                 func BenchmarkStops(b *testing.B) { syscall.Kill(os.Getpid(), syscall.SIGSTOP) }\n";
    lab.write("m/stops_test.go", stops);
    let ended = go::go(&lab, "-r 2 --bench Stops");
    told(&lab, ended, 1, &["Stops", STOPPED]);
}

/// Would catch a case that is waited for until its time is over, and one that is said to have been killed.
#[test]
fn a_case_that_stops_itself_is_ended() {
    let lab = Lab::new();
    lab.write(
        "x_bench.lua",
        "local measure, ffi = require('measure'), require('ffi')
         ffi.cdef('int raise(int)')
         measure.describe('itself'):run(function() ffi.C.raise(19) end)
         measure.describe('below'):run(function() os.execute('sh -c \"kill -STOP $$; true\"; true') end)
         measure.describe('fine'):run(function() measure.sink({}) end)",
    );
    let ended = lab.run(["run", "x_bench.lua", "-r", "2", "--timeout", "100s"]);
    told(&lab, ended, 1, &["itself", "below", &format!("its process {STOPPED}")]);
}
