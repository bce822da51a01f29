//! What a suite finds around it: its directory, its limits, its descriptors, its modules.

use std::fs::create_dir_all;

use crate::suites::{QUICK, broken, printed, run, samples};
use crate::support::{Ended, Lab, Running, has};

/// `etalon run`, quickly, after something a shell does to itself.
fn after(lab: &Lab, preparation: &str, arguments: &str) -> Ended {
    let quick = QUICK.join(" ");
    Running::start(lab.shell(&format!("{preparation} exec \"$E\" run {quick} {arguments}"))).end()
}

/// Would catch a hard limit that etalon tries to raise, which only root can (batch systems and shared hosts
/// set one), and, as root, one that it lifts.
#[test]
fn a_hard_memory_limit_is_kept() {
    for gigabytes in [1, 2, 4, 8] {
        let lab = Lab::new();
        lab.write(
            "s.lua",
            "for line in io.lines('/proc/self/limits') do
                 local soft, hard = line:match('^Max address space +(%d+) +(%d+)')
                 if soft then print('soft ' .. soft, 'hard ' .. hard) end
             end
             require('measure').describe('a'):run(function() end)",
        );
        let allowed = gigabytes * 1_000_000 * 1024_u64;
        for option in ["", "--memory-limit 16GB"] {
            let limit = format!("ulimit -v {};", allowed / 1024);
            let ended = after(&lab, &limit, &format!("{option} s.lua")).expect(0);
            let record = lab.record();
            assert!(samples(&record, "a") >= 6);
            let said = record.of_type("output")[0]["text"].as_str().expect("text").to_owned();
            let number = |word: &str| {
                said.split_whitespace().skip_while(|w| *w != word).nth(1).expect("a number").parse()
            };
            let (soft, hard): (u64, u64) = (number("soft").unwrap(), number("hard").unwrap());
            assert_eq!(soft, hard);
            assert!(soft <= allowed, "{soft} of {allowed}");
            let asked_for_more = !option.is_empty() || soft == allowed;
            assert_eq!(soft == allowed, asked_for_more, "{}", ended.stderr);
            let recorded = record.of_type("header")[0]["context"]["memory_limit"].clone();
            assert_eq!(recorded, soft.to_string());
        }
    }
}

/// Would catch a case that met a limit and does not say which.
#[test]
fn too_little_memory_names_the_limit() {
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "require('measure').describe('grows'):run(function()
             local s = 'x' while true do s = s .. s end
         end)",
    );
    for (limit, option, said) in [
        (
            "ulimit -v 700000;",
            "",
            "its process may have 717 MB (etalon was started under this limit",
        ),
        ("", "--memory-limit 200MB", "its process may have 200 MB (--memory-limit)"),
        ("ulimit -v 9000000;", "--memory-limit 200MB", "may have 200 MB (--memory-limit)"),
    ] {
        after(&lab, limit, &format!("{option} s.lua")).expect(1);
        has(&broken(&lab.record(), "grows").1, &["not enough memory", said]);
    }
}

/// What a suite finds beside itself, by every way of looking.
const BESIDE: &str = "local measure = require('measure')
    local function read(path) return assert(io.open(path)):read('*a') end
    assert(read('data.txt') == 'beside')
    assert(io.popen('cat data.txt'):read('*a') == 'beside')
    local source = debug.getinfo(1, 'S').source
    assert(read(source:match('^@(.*/)') .. 'data.txt') == 'beside', source)
    assert(read(arg[0]:match('^(.*/)') .. 'data.txt') == 'beside', arg[0])
    assert(require('lib.near') == 'near' and require('far') == 'far')
    measure.describe('a'):setup(function() read('data.txt') end):run(function() end)";

/// Would catch suites that open files beside themselves and have to be started from there; and search paths
/// that are relative to somewhere else than where they were written.
#[test]
fn a_suite_is_executed_in_its_own_directory() {
    let lab = Lab::new();
    create_dir_all(lab.path("d e/lib")).expect("a directory");
    lab.write("data.txt", "not beside");
    lab.write("far.lua", "return 'far'");
    lab.write("d e/data.txt", "beside");
    lab.write("d e/lib/near.lua", "return 'near'");
    lab.write("d e/s_bench.lua", BESIDE);
    let absolute = lab.path("d e").join("s_bench.lua");
    for path in ["d e", "./d e", "d e/s_bench.lua", absolute.to_str().expect("UTF-8")] {
        run(&lab, &[path]).expect(0);
        let record = lab.record();
        let case = record.of_type("benchmark")[0]["case"].clone();
        assert_eq!(case["directory"], lab.path("d e").to_str().expect("UTF-8"));
        assert!(case["file"].as_str().is_some_and(|file| file.ends_with("d e/s_bench.lua")));
        assert_eq!(case["line"], 9);
    }
}

/// Would catch `--cwd` that is ignored, changes what paths on the command line mean, or is not recorded; and
/// chunks that are executed elsewhere than where they were typed.
#[test]
fn another_directory_can_be_asked_for() {
    let lab = Lab::new();
    create_dir_all(lab.path("d/lib")).expect("a directory");
    create_dir_all(lab.path("w")).expect("a directory");
    lab.write("w/data.txt", "from w");
    lab.write("data.txt", "from here");
    lab.write("far.lua", "return 'far'");
    lab.write("d/lib/near.lua", "return 'near'");
    lab.write(
        "d/s_bench.lua",
        "assert(require('lib.near') == 'near' and require('far') == 'far')
         print(assert(io.open('data.txt')):read('*a'))
         assert(io.open(arg[0]))
         require('measure').describe('a'):run(function() end)
         require('measure').describe('b'):run(function() error('no') end)",
    );
    for (cwd, said) in [("w", "from w\n"), (".", "from here\n")] {
        run(&lab, &["--cwd", cwd, "d/s_bench.lua"]).expect(1);
        let record = lab.record();
        assert_eq!(record.of_type("output")[0]["text"], said);
        let directory = lab.path(".").join(if cwd == "." { "" } else { cwd });
        let case = record.of_type("benchmark")[0]["case"].clone();
        let recorded = case["directory"].as_str().expect("a directory");
        assert_eq!(std::path::Path::new(recorded), directory.components().as_path());
        assert_eq!(case["line"], 4);
        assert_eq!(broken(&record, "b").1, "d/s_bench.lua:5: no");
    }
    let chunk = "assert(io.open('data.txt'):read('*a') == 'from here' and require('far') == 'far')";
    run(&lab, &["-e", chunk]).expect(0);
    let chunk = "assert(io.open('data.txt'):read('*a') == 'from w' and require('far') == 'far')";
    run(&lab, &["--cwd", "w", "-e", chunk]).expect(0);
    for (cwd, said) in [("gone", "No such file"), ("data.txt", "is no directory")] {
        has(&run(&lab, &["--cwd", cwd, "d"]).expect(2).stderr, &["--cwd", cwd, said]);
    }
}

/// Would catch messages that name files as seen from another directory than the user's.
#[test]
fn messages_name_files_as_they_were_named() {
    let lab = Lab::new();
    create_dir_all(lab.path("d/lib")).expect("a directory");
    lab.write("d/lib/near.lua", "return function()\nerror('no') end");
    lab.write("far.lua", "return function()\nerror('no') end");
    let head = "local near, far = require('lib.near'), require('far')\nrequire('measure')";
    let run_of = |f: &str| format!("{head}.describe('a'):run({f})");
    for (code, said) in [
        (run_of("near"), "d/lib/near.lua:2: no"),
        (run_of("far"), "far.lua:2: no"),
        (run_of("function() error('no') end"), "d/s.lua:2: no"),
        (run_of("function() error('no', 0) end"), "d/s.lua:2: no"),
        ("x = = 1".to_owned(), "d/s.lua:1: unexpected symbol"),
        (format!("{head}.describe('a')"), "d/s.lua:2: case 'a' has no run"),
        ("require('measure').optoins()".to_owned(), "d/s.lua:1: "),
    ] {
        lab.write("d/s.lua", &code);
        run(&lab, &["d/s.lua"]).expect(1);
        let record = lab.record();
        let message = record.of(0).iter().find_map(|o| o["stderr"].as_str().map(str::to_owned));
        let message = message.expect("why it broke");
        assert!(message.starts_with(said), "{message}");
    }
}

/// Would catch a channel that cannot be had where few descriptors may be, taken for an exit of the suite;
/// and an error that does not name the limit.
#[test]
fn few_descriptors_are_enough_or_the_limit_is_named() {
    let lab = Lab::new();
    lab.write("s.lua", "require('measure').describe('a'):run(function() end)");
    after(&lab, "ulimit -n 16;", "s.lua").expect(0);
    assert!(samples(&lab.record(), "a") >= 6);
    let case = |n: usize| format!("require('measure').describe('a{n}'):run(function() end)\n");
    lab.write("many.lua", (0..12).map(case).collect::<String>());
    let ended = after(&lab, "ulimit -n 16;", "many.lua").expect(2);
    has(&ended.stderr, &["Too many open files", "ulimit -n"]);
    lab.assert_nothing_left();
}

/// Would catch a worker that gets a closed stream of etalon's, or another file under its number.
#[test]
fn closed_streams_do_no_harm() {
    for closed in ["<&-", "2>&-", "<&- 2>&-", "<&- >&- 2>&-"] {
        let lab = Lab::new();
        lab.write(
            "s.lua",
            "local m = require('measure')
             m.describe('a'):setup(function() assert(io.read('*a') == '') print('said') end):run(function() end)",
        );
        after(&lab, "", &format!("s.lua {closed}")).expect(0);
        let record = lab.record();
        assert!(samples(&record, "a") >= 6, "{closed}");
        assert_eq!(printed(&record, "a"), "said\nsaid\n", "{closed}");
    }
}

/// Would catch files that etalon, or whoever started it, has open in the hands of a suite or of what it starts.
#[test]
fn a_suite_inherits_no_descriptors() {
    let lab = Lab::new();
    lab.write("secret.txt", "secret");
    lab.write(
        "s.lua",
        "local ffi = require('ffi')
         ffi.cdef('int fcntl(int, int, ...);')
         local open = {}
         for fd = 0, 1023 do
             local flags = ffi.C.fcntl(fd, 1)
             if flags >= 0 then open[#open + 1] = fd .. '/' .. flags end
         end
         print(table.concat(open, ' '))
         print(io.popen('ls -l /proc/self/fd'):read('*a'))
         require('measure').describe('a'):run(function() end)",
    );
    after(&lab, "exec 7<secret.txt 8>>secret.txt;", "s.lua").expect(0);
    let record = lab.record();
    let said = record.of_type("output")[0]["text"].as_str().expect("text").to_owned();
    assert!(said.starts_with("0/0 1/0 2/0 200/1\n"), "{said}");
    assert!(
        !said.contains("secret") && !said.contains("socket") && !said.contains("runs"),
        "{said}"
    );
}
