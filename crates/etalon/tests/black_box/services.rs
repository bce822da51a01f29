//! Services: there while something is measured, and gone afterwards whatever happens. Real servers, daemons and programs
//! that do not want to end.

use std::fs;
use std::io::Write;
use std::net::TcpListener;

use serde_json::Value;

use crate::support::{
    Lab, Running, at_terminal, closed_terminal, has, joined, marked, signal, skip, until,
};

/// A service that says in a file what happens to it, and stays until SIGTERM.
const POLITE: &str = "echo start $1 >> order
trap 'echo stop $1 >> order; exit 0' TERM
: > $1.up
while :; do sleep 0.02; done";

/// One that takes no notice of SIGTERM.
const STUBBORN: &str = "trap ': > term' TERM
: > $1.up
while :; do sleep 0.02; done";

/// A table of a service that is a script of the laboratory.
fn table(name: &str, script: &str, more: &str) -> String {
    format!(
        "[service.{name}]\nstart = './{script} {name}'\nready = {{ command = 'test -e {name}.up' }}\n{more}\n"
    )
}

/// A laboratory with the two scripts.
fn lab() -> Lab {
    let lab = Lab::new();
    lab.script("polite", POLITE);
    lab.script("stubborn", STUBBORN);
    lab
}

/// A port that nobody listens at.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// What happened, in order.
fn order(lab: &Lab) -> String {
    String::from_utf8(lab.read("order")).unwrap().replace('\n', ", ")
}

/// The service lines of the newest record.
fn recorded(lab: &Lab) -> Vec<Value> {
    lab.record().of_type("service").into_iter().cloned().collect()
}

/// Arguments of an execution with the services of `s.toml`.
fn with_services<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["cmd", "-N", "--service", "s.toml"], more].concat()
}

/// Would catch services that are started late, together or in another order, that are stopped before a cleanup, that
/// are not recorded or not shown, and an environment or directory that they do not get.
#[test]
fn services_surround_setup_and_cleanup_and_are_recorded() {
    let lab = lab();
    fs::create_dir(lab.path("sub")).unwrap();
    let version =
        "version = \"sh -c 'echo; echo $COLOUR $(basename $PWD) >&2'\"\nenv = { COLOUR = 'red' }";
    let a =
        "[service.a]\nstart = '../polite a'\nready = { command = 'test -e a.up' }\ncwd = 'sub'\n";
    lab.write("s.toml", format!("{a}{version}\n{}", table("b", "polite", "")));
    fs::hard_link(lab.write("order", ""), lab.path("sub/order")).unwrap();
    let hooks =
        ["--setup", "echo setup >> order", "--cleanup", "echo cleanup >> order", "-r", "3", "true"];
    lab.run(with_services(&hooks)).expect(0);
    lab.assert_nothing_left();
    assert_eq!(order(&lab), "start a, start b, setup, cleanup, stop b, stop a, ");
    let services = recorded(&lab);
    assert_eq!(services.len(), 2);
    assert_eq!(services[0]["name"], "a");
    assert_eq!(services[0]["start"], "../polite a");
    assert_eq!(services[0]["version"], "red sub");
    assert_eq!(services[1]["name"], "b");
    assert_eq!(services[1]["ended"], "stopped");
    assert_eq!(services[1].get("version"), None);
    let shown = lab.done(["report", "@last", "--full"]);
    has(&shown, &["Services", "../polite a", "red sub", "stopped (exit code 0)", " B\n"]);
    assert!(!lab.done(["report", "@last"]).contains("Services"));
    let json = lab.json(["report", "@last", "--json"]);
    let services = &json["executions"][0]["services"];
    assert_eq!(
        (&services[0]["version"], &services[1]["version"]),
        (&"red sub".into(), &Value::Null)
    );
    assert_eq!((&services[1]["ended"], services[1]["code"].as_i64()), (&"stopped".into(), Some(0)));
}

/// Would catch a server that is taken for ready before it answers, or with another status than the one asked for.
#[test]
fn a_server_is_ready_when_it_answers() {
    for ready in
        ["{ tcp = '127.0.0.1:PORT' }", "{ http = 'http://localhost:PORT/none', status = 404 }"]
    {
        let lab = Lab::new();
        let port = free_port().to_string();
        let ready = ready.replace("PORT", &port);
        let start = format!("python3 -u -m http.server {port}");
        lab.write(
            "s.toml",
            format!("[service.web]\nstart = '{start}'\nready = {ready}\nready_within = '1min'"),
        );
        let ask = format!(
            "python3 -c \"import urllib.request as r; r.urlopen('http://127.0.0.1:{port}/s.toml')\""
        );
        lab.run(with_services(&["-r", "2", &ask])).expect(0);
        lab.assert_nothing_left();
        let services = recorded(&lab);
        let log = services[0]["log"].as_str().unwrap();
        has(log, &["Serving HTTP", "GET /s.toml"]);
        assert_eq!(services[0]["log_bytes"].as_u64(), u64::try_from(log.len()).ok());
        assert_eq!(services[0]["outcome"]["killed"], libc::SIGTERM);
    }
}

/// Would catch the end of a log that is lost, a log kept whole, and one that holds the memory.
#[test]
fn the_end_of_a_log_is_kept() {
    let lab = Lab::new();
    lab.script("talks", "seq 1 100000; : > up; exec sleep 1000");
    lab.write("s.toml", "[service.t]\nstart = './talks'\nready = { command = 'test -e up' }");
    lab.run(with_services(&["-r", "1", "true"])).expect(0);
    let service = &recorded(&lab)[0];
    let log = service["log"].as_str().unwrap();
    assert_eq!((service["log_bytes"].as_u64(), log.len()), (Some(588_895), 65_536));
    assert!(log.ends_with("\n99999\n100000\n"));
}

/// Would catch a stop command that is not executed, or not waited for, or after which a signal is sent all the same; and
/// one that fails and leaves the service.
#[test]
fn a_stop_command_stops_it() {
    let lab = Lab::new();
    lab.script(
        "waits",
        "trap ': > term; exit 0' TERM\n: > up\nuntil test -e quit; do sleep 0.02; done",
    );
    let table = |stop: &str| {
        let text = format!(
            "[service.w]\nstart = './waits'\nready = {{ command = 'test -e up' }}\nstop = \"{stop}\""
        );
        lab.write("s.toml", text);
    };
    table("touch quit");
    lab.run(with_services(&["-r", "1", "true"])).expect(0);
    lab.assert_nothing_left();
    assert!(!lab.path("term").exists());
    assert_eq!(recorded(&lab)[0]["ended"], "stopped");
    let about = |note: &Value| note["about"] == "service w";
    assert!(!lab.record().of_type("note").into_iter().any(about));

    ["quit", "up"].iter().for_each(|name| fs::remove_file(lab.path(name)).unwrap());
    table("sh -c 'echo cannot >&2; exit 4'");
    let ended = lab.run(with_services(&["-r", "1", "true"])).expect(0);
    lab.assert_nothing_left();
    assert!(lab.path("term").exists());
    let said = "its stop command exited with code 4 (cannot)";
    assert!(joined(&ended.stdout).contains(&joined(said)), "{}", ended.stdout);
}

/// Would catch a service that is waited for without end, or killed without a word.
#[test]
fn one_that_does_not_stop_is_killed() {
    let lab = lab();
    lab.write("s.toml", table("s", "stubborn", "stop_within = '300ms'"));
    let ended = lab.run(with_services(&["-r", "1", "true"])).expect(0);
    lab.assert_nothing_left();
    assert!(lab.path("term").exists());
    has(&ended.stdout, &["service s: did not stop within 300ms, and was killed"]);
    let service = &recorded(&lab)[0];
    assert_eq!(
        (&service["ended"], service["outcome"]["killed"].as_i64()),
        (&"killed".into(), Some(9))
    );
}

/// Would catch a daemon that is taken for a service that has ended, or is left behind.
#[test]
fn a_daemon_is_a_service() {
    let lab = Lab::new();
    lab.script(
        "inner",
        "trap 'echo stop >> order; exit 0' TERM\n: > up\nwhile :; do sleep 0.02; done",
    );
    lab.script("daemon", "setsid ./inner > /dev/null 2>&1 &\nsetsid sh -c 'sleep 1000 &'\nexit 0");
    lab.write("s.toml", "[service.d]\nstart = './daemon'\nready = { command = 'test -e up' }");
    lab.run(with_services(&["-r", "3", "true"])).expect(0);
    lab.assert_nothing_left();
    assert_eq!(order(&lab), "stop, ");
    let service = &recorded(&lab)[0];
    assert_eq!(service["ended"], "stopped");

    // Its end is the service's end.
    fs::remove_file(lab.path("up")).unwrap();
    lab.script(
        "inner",
        "trap 'exit 0' TERM\necho $$ > pid; : > up\nuntil test -e go; do sleep 0.02; done\nexit 5",
    );
    lab.script("daemon", "setsid ./inner > /dev/null 2>&1 &\nexit 0");
    lab.script("ends-it", ": > go; while kill -0 $(cat pid) 2> /dev/null; do :; done");
    let ended = lab.run(with_services(&["-r", "1", "./ends-it"])).expect(2);
    has(&ended.stderr, &["service d ended while something was measured", "exited with code 5"]);
    lab.assert_nothing_left();
}

/// Would catch one that ends early taken for ready or waited for, an error without its last words, and services before it
/// that are left.
#[test]
fn one_that_ends_before_it_is_ready_is_an_error() {
    let lab = lab();
    let port = free_port();
    for (script, expected) in [
        (
            "echo first; echo cannot bind >&2; exit 3",
            &["exited with code 3 before 127.0.0.1:", "\n  | first\n  | cannot bind\n", "by hand"]
                [..],
        ),
        ("exit 0", &["exited with code 0 before 127.0.0.1:", "it wrote nothing", "without -d"]),
        ("kill -9 $$", &["was ended by signal 9"]),
    ] {
        let before = table("a", "polite", "");
        let ends = format!("[service.e]\nstart = './ends'\nready = {{ tcp = '127.0.0.1:{port}' }}");
        lab.script("ends", script);
        lab.write("s.toml", format!("{before}{ends}"));
        let ended = lab.run(with_services(&["-r", "1", "touch measured"])).expect(2);
        has(&ended.stderr, &["etalon: service e: `./ends` "]);
        has(&ended.stderr, expected);
        assert_eq!(
            ended.stderr.matches("service").count(),
            ended.stderr.matches("etalon: service").count() + usize::from(script == "exit 0")
        );
        lab.assert_nothing_left();
        assert!(lab.saved().is_empty() && !lab.path("measured").exists());
    }
    assert_eq!(order(&lab), "start a, stop a, ".repeat(3));
}

/// Would catch waiting without end, and an error that does not say for what.
#[test]
fn one_that_is_not_ready_in_time_is_an_error() {
    for (ready, expected) in [
        (
            "{ tcp = '127.0.0.1:PORT' }",
            "within 1s 127.0.0.1:PORT did not answer (Connection refused",
        ),
        (
            "{ http = 'http://127.0.0.1:PORT/x' }",
            "within 1s http://127.0.0.1:PORT/x did not answer well (",
        ),
        (
            "{ command = 'sh -c \"echo no; exit 7\"' }",
            "did not succeed (it exited with code 7: no)",
        ),
        ("{ command = 'sleep 1000' }", "`sleep 1000` did not succeed (it took too long)"),
    ] {
        let lab = Lab::new();
        // One that fails has to have the time to do so.
        let within = if ready.contains("exit 7") { "3s" } else { "1s" };
        let port = free_port().to_string();
        let ready = ready.replace("PORT", &port);
        let text = format!(
            "[service.slow]\nstart = \"sh -c 'echo getting ready; sleep 1000'\"\nready = {ready}\nready_within = '{within}'"
        );
        lab.write("s.toml", text);
        let ended = lab.run(with_services(&["-r", "1", "true"])).expect(2);
        let expected = expected.replace("PORT", &port);
        has(&ended.stderr, &["service slow: ", &expected, "| getting ready", "ready_within"]);
        lab.assert_nothing_left();
        assert!(lab.saved().is_empty());
    }
}

/// Would catch measuring somebody else's server.
#[test]
fn an_address_that_is_taken_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    for ready in ["{ tcp = 'ADDRESS' }", "{ http = 'http://ADDRESS/health' }"] {
        let lab = Lab::new();
        let ready = ready.replace("ADDRESS", &address);
        lab.write("s.toml", format!("[service.s3]\nstart = 'touch started'\nready = {ready}"));
        let ended = lab.run(with_services(&["true"])).expect(2);
        has(&ended.stderr, &[&format!("service s3: something else answers at {address} already")]);
        assert!(!lab.path("started").exists());
        lab.assert_nothing_left();
    }
}

/// Would catch going on without a service, losing what was measured with it, and an end in the last blocks that nobody
/// hears of.
#[test]
fn one_that_dies_while_measuring_ends_it() {
    let dies =
        "echo last words; echo $$ > pid; : > up; until test -e go; do sleep 0.02; done; exit 9";
    let start = || {
        let lab = Lab::new();
        lab.script("dies", dies);
        lab.write("s.toml", "[service.d]\nstart = './dies'\nready = { command = 'test -e up' }");
        lab
    };
    let said = "service d ended while something was measured: `./dies` exited with code 9";
    // In the first blocks, in one of many, and in an execution that would take the batch for hours.
    for (command, fewest) in [
        ("sh -c ': > go'", 1),
        ("sh -c 'printf x >> done; test -s done && : > go; sleep 0.01'", 1),
        ("./slow", 2),
    ] {
        let lab = start();
        lab.script(
            "slow",
            "printf x >> done; test $(wc -c < done) -lt 3 || { : > go; exec sleep 1000; }",
        );
        let ended = lab.run(with_services(&["-r", "100000", command])).expect(2);
        has(&ended.stderr, &[said, "| last words"]);
        lab.assert_nothing_left();
        let record = lab.record();
        assert_eq!(record.stopped_by().as_deref(), Some("error"));
        assert!((fewest..100_000).contains(&record.measured().len()));
        assert!(
            record.measured().iter().all(|o| o.get("outcome").is_none()),
            "a killed one counted"
        );
        let service = &recorded(&lab)[0];
        assert_eq!(
            (&service["ended"], service["outcome"]["failed"].as_i64()),
            (&"itself".into(), Some(9))
        );
        has(&lab.done(["report", "@last", "--full"]), &["topped by an error", "ended by itself"]);
    }
    // In the last of all.
    let lab = start();
    let last = "printf x >> done; test $(wc -c < done) -lt 3 || { : > go; while kill -0 $(cat pid) 2> /dev/null; do :; done; }";
    lab.script("last", last);
    has(&lab.run(with_services(&["-r", "3", "./last"])).expect(2).stderr, &[said]);
    assert!(lab.record().measured().len() >= 2);
    lab.assert_nothing_left();
    // And if a command fails for want of it.
    let lab = start();
    lab.script(
        "fails",
        ": > go; while kill -0 $(cat pid) 2> /dev/null; do :; done; echo no service >&2; exit 1",
    );
    has(&lab.run(with_services(&["-r", "3", "./fails"])).expect(2).stderr, &["| no service", said]);
    lab.assert_nothing_left();
}

/// Would catch an interrupt that waits for what will never be ready, that leaves services or a record of nothing, or does
/// not show in the exit code.
#[test]
fn an_interrupt_while_they_are_started() {
    for with in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let lab = lab();
        let waits = "[service.b]\nstart = './polite b'\nready = { command = 'sleep 1000' }\nready_within = '1h'";
        lab.write("s.toml", format!("{}{waits}", table("a", "polite", "")));
        let running = Running::start(lab.etalon(with_services(&["true"])));
        until("the services", || lab.path("b.up").exists());
        signal(running.pid(), with);
        let ended = running.end().expect(130);
        has(&ended.stderr, &["interrupted before service b was ready: nothing was measured"]);
        lab.assert_nothing_left();
        assert_eq!(order(&lab), "start a, start b, stop b, stop a, ");
        assert!(lab.saved().is_empty());
    }
}

/// Would catch services that an interrupt leaves, or that are stopped without being recorded.
#[test]
fn an_interrupt_while_something_is_measured() {
    let lab = lab();
    lab.write("s.toml", format!("{}{}", table("a", "polite", ""), table("b", "polite", "")));
    let running =
        Running::start(lab.etalon(with_services(&["-r", "100000", "sh -c 'printf x >> done'"])));
    until("executions", || lab.read("done").len() > 5);
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    lab.assert_nothing_left();
    assert_eq!(order(&lab), "start a, start b, stop b, stop a, ");
    assert_eq!(recorded(&lab).len(), 2);
    assert_eq!(lab.record().stopped_by().as_deref(), Some("interrupt"));
}

/// Would catch a Ctrl-C that reaches services before etalon, and a closed terminal that etalon, or its services, do not
/// survive long enough.
#[test]
fn at_a_terminal() {
    let measured = ["-r", "100000", "sh -c 'printf x >> done'"];
    let start = || {
        let lab = lab();
        // A shell that is hit by a Ctrl-C or a hang-up says so.
        lab.script("polite", &format!("trap 'echo hit >> order; exit 1' INT HUP\n{POLITE}"));
        lab.write("s.toml", format!("{}{}", table("a", "polite", ""), table("b", "polite", "")));
        lab
    };
    let lab = start();
    let ended = at_terminal(lab.etalon(with_services(&measured)), |keyboard| {
        until("executions", || lab.read("done").len() > 5);
        keyboard.write_all(b"\x03").expect("the terminal takes a Ctrl-C");
    });
    let Some((code, shown)) = ended else { return skip("no pseudo-terminal: services") };
    assert_eq!(code, Some(130), "{shown}");
    assert!(shown.contains("starting a, b"), "{shown}");
    lab.assert_nothing_left();
    assert_eq!(order(&lab), "start a, start b, stop b, stop a, ");

    let lab = start();
    closed_terminal(lab.etalon(with_services(&measured)), || {
        until("executions", || lab.read("done").len() > 5);
    });
    lab.assert_nothing_left();
    assert_eq!(order(&lab), "start a, start b, stop b, stop a, ");
}

/// Would catch a second interrupt that waits for a service that does not stop: one that comes while it is stopped, and
/// one while it is started.
#[test]
fn a_second_interrupt_kills() {
    let lab = lab();
    lab.write("s.toml", table("s", "stubborn", "stop_within = '1h'"));
    let running = Running::start(lab.etalon(with_services(&["-r", "1", "true"])));
    until("SIGTERM to the service", || lab.path("term").exists());
    until("the end", || {
        signal(running.pid(), libc::SIGINT);
        std::thread::sleep(std::time::Duration::from_millis(20));
        marked(&lab.mark()).is_empty()
    });
    running.end().expect(0);
    assert_eq!(recorded(&lab)[0]["ended"], "killed");

    let lab = self::lab();
    let never = "[service.s]\nstart = './stubborn s'\nready = { command = 'false' }\nready_within = '1h'\nstop_within = '1h'";
    lab.write("s.toml", never);
    let running = Running::start(lab.etalon(with_services(&["-r", "1", "true"])));
    until("the service", || lab.path("s.up").exists());
    until("the end", || {
        signal(running.pid(), libc::SIGINT);
        std::thread::sleep(std::time::Duration::from_millis(20));
        marked(&lab.mark()).is_empty()
    });
    running.end().expect(130);
}

/// Would catch anything that outlives etalon for good: while services are started, while something is measured, while they
/// are stopped; and services that are stopped in another order, or without their command, when nobody is there to tell them.
#[test]
fn kill_nine_of_etalon_stops_them() {
    for (when, expected) in [
        ("b.up", "start a, start b, stop b, stop a, "),
        ("done", "start a, start b, start c, stop c, stop b, command, stop a, "),
    ] {
        let lab = lab();
        let a = table("a", "polite", "");
        let c = table("c", "polite", "");
        let b = match when {
            "done" => table("b", "polite", "stop = \"sh -c 'kill $(cat b.pid); while kill -0 $(cat b.pid) 2> /dev/null; do sleep 0.02; done; echo command >> order'\""),
            _ => "[service.b]\nstart = './polite b'\nready = { command = 'false' }\nready_within = '1h'\n".to_owned(),
        };
        lab.script("polite", &format!("echo $$ > $1.pid\n{POLITE}"));
        lab.write("s.toml", format!("{a}{b}{c}"));
        let running = Running::start(lab.etalon(with_services(&[
            "-r",
            "100000",
            "sh -c 'printf x >> done'",
        ])));
        until("it is under way", || lab.path(when).exists());
        signal(running.pid(), libc::SIGKILL);
        running.end();
        lab.assert_nothing_left();
        assert_eq!(order(&lab), expected);
    }
    let lab = lab();
    lab.write("s.toml", table("s", "stubborn", "stop_within = '1s'"));
    let running = Running::start(lab.etalon(with_services(&["-r", "1", "true"])));
    until("SIGTERM to the service", || lab.path("term").exists());
    signal(running.pid(), libc::SIGKILL);
    running.end();
    lab.assert_nothing_left();
}

/// Would catch a process left at any instant that nobody chose.
#[test]
fn kill_nine_at_any_instant() {
    for pause in [0, 5_000, 20_000, 40_000, 60_000, 90_000, 150_000] {
        let lab = lab();
        lab.write("s.toml", format!("{}{}", table("a", "polite", ""), table("b", "polite", "")));
        lab.killed_after(pause, lab.etalon(with_services(&["-r", "20", "true"])));
    }
}

/// Would catch the death of the process that looks after a service taken for the service's health, or its service left.
#[test]
fn a_guard_that_is_killed_is_an_error() {
    let lab = lab();
    lab.write("s.toml", table("a", "polite", ""));
    let running =
        Running::start(lab.etalon(with_services(&["-r", "100000", "sh -c 'printf x >> done'"])));
    until("executions", || lab.read("done").len() > 5);
    let is_guard = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.starts_with(b"etalon-service\0")
    };
    let guard = marked(&lab.mark()).into_iter().find(is_guard).unwrap();
    signal(guard, libc::SIGKILL);
    let ended = running.end().expect(2);
    has(&ended.stderr, &["service a: its guard ended unexpectedly"]);
    lab.assert_nothing_left();
    assert!(!lab.record().measured().is_empty());
}

/// Would catch a resumed execution without its services.
#[test]
fn a_resumed_execution_has_them_again() {
    let lab = lab();
    lab.write("s.toml", table("a", "polite", ""));
    lab.script("slow", "test -e a.up || exit 1; printf x >> done; test -e fast || exec sleep 0.02");
    let running = Running::start(lab.etalon(with_services(&["-r", "500", "./slow"])));
    until("executions", || lab.read("done").len() > 5);
    signal(running.pid(), libc::SIGINT);
    running.end().expect(130);
    lab.write("fast", "");
    lab.run(["cmd", "--resume", "@last"]).expect(0);
    assert_eq!(order(&lab), "start a, stop a, ".repeat(2));
    assert_eq!(recorded(&lab).len(), 2);
    assert_eq!(lab.record().measured().len(), 500);
    lab.assert_nothing_left();
}

/// Would catch functions that are measured without the services they need, and services that a broken suite leaves.
#[test]
fn functions_have_services_too() {
    let lab = lab();
    lab.write("s.toml", table("a", "polite", ""));
    let run = |code: &str| {
        lab.run(["run", "--service", "s.toml", "-r", "2", "--budget", "0.2", "-e", code])
    };
    run("assert(io.open('a.up')):close()").expect(0);
    lab.assert_nothing_left();
    assert_eq!(order(&lab), "start a, stop a, ");
    assert_eq!(recorded(&lab)[0]["ended"], "stopped");
    run("error('broken')").expect(1);
    lab.assert_nothing_left();
    assert_eq!(order(&lab), "start a, stop a, ".repeat(2));
}

/// Would catch mistakes in files that are found after something was started, or told without their place.
#[test]
fn mistakes_are_told_before_anything_is_started() {
    let lab = lab();
    let good = table("a", "polite", "");
    for (more, expected) in [
        (
            "[service.b]\nstart = 'no-such-program'\nready = { tcp = 'x:1' }",
            "service b: start `no-such-program`: no-such-program: not found in PATH: check the name, or give its path",
        ),
        (
            "[service.b]\nstart = 'sleep 1 | cat'\nready = { tcp = 'x:1' }",
            "`|` at character 9 is an operator of one: write sh -c '…'",
        ),
        (
            "[service.b]\nstart = ''\nready = { tcp = 'x:1' }",
            "service b: start ``: the command is empty",
        ),
        (
            "[service.b]\nstart = 'sleep 1'\ncwd = 'none'\nready = { tcp = 'x:1' }",
            "is not a directory: check `cwd`",
        ),
        (
            "[service.b]\nstart = 'sleep 1'\nenv = { 'A=B' = 'c' }\nready = { tcp = 'x:1' }",
            "service b: env `A=B`: ",
        ),
        (
            "[service.b]\nstrat = 'sleep 1'",
            "s.toml:7:1: unknown key `strat`: did you mean `start`?",
        ),
    ] {
        lab.write("s.toml", format!("{good}\n{more}"));
        let ended = lab.run(with_services(&["true"])).expect(2);
        has(&ended.stderr, &[expected]);
        assert_eq!(order(&lab), "");
    }
    let ended = lab.run(["cmd", "--service", "none.toml", "true"]).expect(2);
    has(&ended.stderr, &["none.toml"]);
    lab.write("s.toml", good);
    let ended = lab.run(["cmd", "--service", "s.toml", "--service", "s.toml", "true"]).expect(2);
    has(&ended.stderr, &["a second service called a: rename one of them"]);
    assert!(lab.saved().is_empty());
}
