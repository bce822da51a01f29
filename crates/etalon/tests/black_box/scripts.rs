//! `--script`: a Lua file that is measured as it is, once in every block; what it prints becomes metrics.

use serde_json::Value;

use crate::openresty::nginx;
use crate::suites::{broken, names, run};
use crate::support::{Lab, Record, has, joined, skip};

/// Values of a metric in the record, by benchmark.
fn values(record: &Record, benchmark: usize, metric: &str) -> Vec<f64> {
    let value = |line: &&Value| line["values"][metric].as_f64();
    record.of(benchmark).iter().filter_map(value).collect()
}

/// Hosts that are there.
fn hosts() -> Vec<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_there =
        |name: &str| std::env::split_paths(&path).any(|place| place.join(name).is_file());
    let mut hosts = vec!["embedded"];
    for name in ["luajit", "lua5.4"] {
        match is_there(name) {
            true => hosts.push(name),
            false => skip(&format!("etalon run --script on {name}: it is not installed")),
        }
    }
    hosts.extend(nginx().map(|_| "openresty"));
    hosts
}

/// Would catch a script that is warmed up, repeated or executed to look at it; one that does not find its own files;
/// a time of more than its chunk; and a printed number that is lost.
#[test]
fn a_script_is_executed_once_in_a_fresh_process() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("d")).expect("a directory");
    lab.write("data", "x");
    lab.write(
        "d/s.lua",
        "#!/usr/bin/env lua
         assert(not seen) seen = true
         assert(arg[0] == 'd/s.lua' and io.open('data')) -- where etalon was started
         local file = io.open('executed', 'a') file:write('x') file:close()
         print('size: 1.5 kB') print('elapsed: 1') print('elapsed: 4e-08') print('some text')
         print('wall = 7')",
    );
    for host in hosts() {
        lab.write("executed", "");
        let ended = run(&lab, &["--lua", host, "--script", "d/s.lua"]).expect(0);
        assert_eq!(lab.read("executed"), b"xx", "{host}: twice in two blocks");
        let record = lab.record();
        assert_eq!(names(&record), ["d/s.lua"]);
        assert_eq!(values(&record, 0, "elapsed"), [4e-8; 2], "{host}");
        assert_eq!(values(&record, 0, "size"), [1.5; 2]);
        assert_eq!(values(&record, 0, "printed.wall"), [7.0; 2]);
        let (walls, processes) = (values(&record, 0, "wall"), values(&record, 0, "process"));
        assert_eq!((walls.len(), processes.len()), (2, 2));
        assert!(walls.iter().zip(&processes).all(|(wall, process)| wall < process));
        let metrics = record.of_type("metric");
        let unit =
            |name: &str| metrics.iter().find(|line| line["name"] == name).map(|line| &line["unit"]);
        assert_eq!(unit("size").and_then(Value::as_str), Some("kB"));
        has(&joined(&ended.stdout), &["process", "size1.50kB", "elapsed0.000000040"]);
        lab.assert_nothing_left();
    }
    let by = lab.done(["report", "@last", "--metric", "elapsed"]);
    has(&by, &["elapsed 0.000000040"]);
    has(&lab.done(["report", "@last", "--full"]), &["some text", "size", "kB"]);
}

/// Would catch a script whose end is taken for a failure, and a failure for an end.
#[test]
fn a_script_may_end_its_process() {
    let lab = Lab::new();
    lab.write("ends.lua", "print('n: 3') os.exit(0)");
    lab.write("ends_so.lua", "print('n: 3') os.exit(true)");
    lab.write("exits.lua", "print('n: 3') os.exit(4)");
    lab.write("breaks.lua", "print('n: 3')\nerror('boom')");
    lab.write("garbled.lua", "local x = ");
    for host in hosts() {
        let mut asked = vec!["--lua", host];
        for script in ["ends.lua", "ends_so.lua", "exits.lua", "breaks.lua", "garbled.lua"] {
            asked.extend(["--script", script]);
        }
        if host == "openresty" {
            lab.write("ends_so.lua", "ngx.say('n: ', 3) ngx.exit(0)");
        }
        run(&lab, &asked).expect(1);
        let record = lab.record();
        for ended in [0, 1] {
            assert_eq!(values(&record, ended, "n"), [3.0; 2], "{host}");
            assert_eq!(values(&record, ended, "wall").len(), 2);
        }
        assert_eq!(broken(&record, "exits.lua").0, "{\"failed\":4}");
        has(&broken(&record, "breaks.lua").1, &["breaks.lua:2: boom"]);
        has(&broken(&record, "garbled.lua").1, &["garbled.lua:1:"]);
        for failed in [2, 3, 4] {
            assert!(values(&record, failed, "wall").is_empty(), "{host}");
        }
        lab.assert_nothing_left();
    }
}

/// Would catch scripts that are measured one after the other, and a file that cannot be one.
#[test]
fn scripts_are_compared_within_blocks() {
    let lab = Lab::new();
    lab.write("less.lua", "local n = 0 for i = 1, 1e5 do n = n + i % 7 end print('n: ', n)");
    lab.write("more.lua", "local n = 0 for i = 1, 4e7 do n = n + i % 7 end");
    let asked = ["run", "-r", "8", "--script", "less.lua", "--script", "more.lua"];
    let ended = lab.run(asked).expect(0);
    has(&joined(&ended.stdout), &["less.lua", "more.lua", "8interleavedblocks"]);
    let record = lab.record();
    for block in 0..8 {
        let there = |script| record.of(script).iter().any(|line| line["block"] == block);
        assert!(there(0) && there(1), "block {block}");
    }
    for (script, said) in [("none.lua", "No such file"), (".", "name a Lua file")] {
        has(&lab.run(["run", "--script", script]).expect(2).stderr, &[said]);
    }
    has(&lab.run(["run", "--list", "--script", "less.lua"]).expect(0).stdout, &["less.lua"]);
}

/// Would catch a script for OpenResty that has to be changed to be measured: clock, output and warm-up are its own.
#[test]
fn a_script_for_openresty_is_measured_unchanged() {
    if nginx().is_none() {
        return;
    }
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local calls = 0
         local function f() calls = calls + 1 return ngx.re.match('abc', '(b)', 'jo')[1] end
         for _ = 1, 100 do f() end
         ngx.update_time()
         local start = ngx.now()
         ngx.sleep(0.02)
         ngx.update_time()
         ngx.say('slept: ', ngx.now() - start, ' s')
         ngx.say('calls: ', calls)",
    );
    run(&lab, &["--lua", "openresty", "--script", "s.lua"]).expect(0);
    let record = lab.record();
    assert_eq!(values(&record, 0, "calls"), [100.0; 2]);
    let slept = values(&record, 0, "slept");
    let walls = values(&record, 0, "wall");
    assert!(
        slept.iter().zip(&walls).all(|(slept, wall)| *slept >= 0.019 && *wall >= 2e7),
        "{slept:?} {walls:?}"
    );
}
