//! `--lua openresty`: cases inside a real nginx with the Lua module; what is theirs there, how they end, and that
//! nothing of an nginx is left behind.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::suites::{QUICK, broken, printed, run};
use crate::support::{Lab, Running, has, joined, signal, skip, until};

/// An nginx that has Lua, if there is one; says so if not.
pub(crate) fn nginx() -> Option<PathBuf> {
    let places = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&places).chain([PathBuf::from("/usr/sbin")]);
    let program = places.map(|place| place.join("nginx")).find(|path| path.is_file());
    let has_lua = |program: &PathBuf| {
        let said = Command::new(program).arg("-V").output().expect("an answer").stderr;
        String::from_utf8_lossy(&said).contains("lua")
            || Path::new("/usr/lib/nginx/modules/ngx_http_lua_module.so").is_file()
    };
    let found = program.filter(has_lua);
    if found.is_none() {
        skip("etalon run --lua openresty: there is no nginx with the Lua module");
    }
    found
}

const FIND: &str = "local measure, find = require('measure'), ngx.re.find
    measure.describe('find'):run(function() measure.sink(find('hello, world.', [[\\w+\\.]], 'jo')) end)
    measure.describe('table'):run(function() measure.sink({}) end)";

/// Would catch an nginx that is taken for a plain Lua, a record that does not say which one it was, and a clock of
/// nginx's, which stands still.
#[test]
fn cases_are_measured_inside_nginx() {
    let Some(program) = nginx() else { return };
    let lab = Lab::new();
    lab.write("s.lua", FIND);
    let ended = run(&lab, &["--lua", "openresty", "--lua", "embedded", "-e", "{}"]).expect(0);
    has(&ended.stdout, &["openresty", "embedded"]);
    let allocated = |_| {
        run(&lab, &["--lua", "openresty", "s.lua"]).expect(0);
        let record = lab.record();
        let host = &record.of_type("benchmark")[0]["case"]["host"];
        assert_eq!([&host["name"], &host["clock"]], ["openresty", "native"]);
        assert_eq!([&host["memory"], &host["jit"]], ["allocator", "on"]);
        assert_eq!(host["path"], json!(program));
        assert_eq!(host["hash"].as_str().map(str::len), Some(16));
        let version = host["version"].as_str().expect("a version");
        has(version, &["LuaJIT 2.1", ", nginx 1.", ", ngx_lua 0.10."]);
        let counted = |line: &Value| {
            let values = &line["values"];
            Some((
                line["benchmark"].as_u64()?,
                values["allocs"].as_u64()?,
                line["iterations"].as_u64()?,
            ))
        };
        let counts: BTreeSet<_> = record.measured().into_iter().filter_map(counted).collect();
        let tables = counts.iter().filter(|count| count.0 == 1);
        assert!(tables.clone().count() > 0 && tables.clone().all(|count| count.1 == count.2));
        // How many calls there are in a sample is up to the machine.
        let of_call = |(case, allocs, calls): (u64, u64, u64)| (case, allocs / calls);
        counts.into_iter().map(of_call).collect::<BTreeSet<_>>()
    };
    assert_eq!(allocated(0), allocated(1));
}

/// Would catch output that is kept from the record, a function of `ngx` that is not there or that waits for a client,
/// and a variable of the environment that nginx drops.
#[test]
fn ngx_is_as_under_resty() {
    if nginx().is_none() {
        return;
    }
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "local measure = require('measure')
         measure.describe('says'):setup(function()
             ngx.say('a', { 'b', { 1, true } }, nil, ngx.null, false)
             ngx.print('x', 1.5) print('y') ngx.flush(true) ngx.eof()
             ngx.say(ngx.get_phase(), ' ', ngx.config.subsystem, ' ', os.getenv('OWN'), ' ', #ngx.md5('x'))
             local before = ngx.now() ngx.sleep(0.002) assert(ngx.now() > before)
             assert(arg[0]:find('s.lua') and io.read('*a') == '')
         end):run(function() end)
         measure.describe('exits'):setup(function() ngx.exit(7) end):run(function() end)
         measure.describe('breaks'):run(function() error('boom') end)
         measure.describe('sleeps'):run(function() ngx.sleep(0.001) end)",
    );
    let mut command = lab.etalon([&["run"][..], &QUICK, &["--lua", "openresty", "s.lua"]].concat());
    command.env("OWN", "mine \"${x}\"");
    Running::start(command).end().expect(1);
    let record = lab.record();
    let said = printed(&record, "says");
    let expected = "ab1truenilnullfalse\nx1.5y\ntimer http mine \"${x}\" 32\n";
    assert!(said.starts_with(expected), "{said}");
    assert_eq!(broken(&record, "exits").0, "{\"failed\":7}");
    let (outcome, why) = broken(&record, "breaks");
    assert_eq!(outcome, "{\"failed\":1}");
    has(&why, &["s.lua:10: boom"]);
    let slept = record.of(3);
    let times = slept
        .iter()
        .filter_map(|line| Some((&line["values"]["wall"], line["iterations"].as_f64()?)));
    assert!(times.clone().count() > 0);
    assert!(
        times.clone().all(|(wall, calls)| wall.as_f64().is_none_or(|wall| wall / calls >= 9e5))
    );
    lab.assert_nothing_left();
}

/// Would catch a compiler that is on where it should be off.
#[test]
fn its_compiler_is_an_axis() {
    if nginx().is_none() {
        return;
    }
    let lab = Lab::new();
    lab.write(
        "s.lua",
        "require('measure').describe('a'):setup(function() print(jit.status()) end):run(function() end)",
    );
    run(&lab, &["--lua", "openresty", "--jit", "on,off", "s.lua"]).expect(0);
    let record = lab.record();
    for (number, (jit, status)) in [("on", "true"), ("off", "false")].into_iter().enumerate() {
        assert_eq!(record.of_type("benchmark")[number]["case"]["host"]["jit"], jit);
        let texts = record.of_type("output");
        let text = texts.iter().find(|line| line["benchmark"] == number).expect("its text");
        assert!(
            text["text"].as_str().is_some_and(|text| text.starts_with(status)),
            "{jit}: {text}"
        );
    }
}

fn directory(lab: &Lab, name: &str) {
    std::fs::create_dir_all(lab.path(name)).expect("a directory");
}

/// Would catch a failure without its reason, one that is measured, and a search that ends too early.
#[test]
fn an_nginx_that_does_not_start_shows_its_log() {
    let Some(program) = nginx() else { return };
    let lab = Lab::new();
    lab.write("s.lua", FIND);
    directory(&lab, "broken");
    let program = program.display();
    let asked = format!("[ \"$1\" = -V ] && exec {program} -V");
    lab.script("broken/nginx", &format!("{asked}\nexec {program} -g 'nonsense on;' \"$@\""));
    let refused = run(&lab, &["--lua", "./broken/nginx", "s.lua"]).expect(2);
    let said = [
        "--lua ./broken/nginx: it does not start; its log:\n",
        "[emerg]",
        "unknown directive \"nonsense\"",
    ];
    has(&refused.stderr, &said);
    directory(&lab, "other");
    lab.script("other/nginx", "echo 'another server' >&2");
    let refused = run(&lab, &["--lua", "./other/nginx", "s.lua"]).expect(2);
    has(&refused.stderr, &["does not say what an nginx says"]);
    lab.script("other/nginx", "exit 3");
    let mut command = lab.etalon(["run", "--lua", "other/resty", "s.lua"]);
    lab.script("other/resty", "");
    command.env("PATH", lab.path("other"));
    has(&Running::start(command).end().expect(2).stderr, &["other/nginx -V` does not say"]);
    assert!(lab.saved().is_empty());
    lab.assert_nothing_left();
}

/// Would catch another nginx than that of the installation that `resty` belongs to.
#[test]
fn the_nginx_of_resty_is_that_of_its_installation() {
    let Some(program) = nginx() else { return };
    let lab = Lab::new();
    for name in ["own/bin", "own/nginx/sbin", "bin"] {
        directory(&lab, name);
    }
    lab.script("own/bin/resty", "exit 9");
    symlink(&program, lab.path("own/nginx/sbin/nginx")).expect("a link");
    symlink(lab.path("own/bin/resty"), lab.path("bin/resty")).expect("a link");
    for name in ["openresty", "resty"] {
        let mut command = lab.etalon([&["run"][..], &QUICK, &["--lua", name, "-e", "1"]].concat());
        command.env("PATH", lab.path("bin"));
        Running::start(command).end().expect(0);
        let record = lab.record();
        let path = &record.of_type("benchmark")[0]["case"]["host"]["path"];
        let path = path.as_str().expect("a path");
        assert!(path.ends_with("own/nginx/sbin/nginx"), "{path}");
    }
}

/// Files that an nginx could have left, in the laboratory and where temporary files are.
fn files(lab: &Lab) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::new();
    let mut directories = vec![lab.path(".")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).expect("a directory").flatten() {
            if entry.path().is_dir() {
                directories.push(entry.path());
            }
            files.insert(entry.path());
        }
    }
    let temporary = [std::env::temp_dir(), PathBuf::from("/dev/shm"), PathBuf::from("/run")];
    let entries =
        temporary.iter().filter_map(|place| std::fs::read_dir(place).ok()).flatten().flatten();
    let entries = entries.map(|entry| entry.path());
    files.extend(entries.filter(|path| {
        let name = path.to_string_lossy();
        name.contains("nginx") || name.contains("resty")
    }));
    files
}

const ENDLESS: &str = "local measure = require('measure')
    measure.describe('a'):setup(function()
        os.execute('sleep 1000 &')
        local listening = io.popen('ls -l /proc/$PPID/fd')
        print((listening:read('*a')))
    end):run(function() end)";

/// Would catch an nginx that outlives etalon, what its suite started, a prefix directory, a file of its process number,
/// a log and a socket that it listens on.
#[test]
fn nothing_of_an_nginx_is_left_behind() {
    if nginx().is_none() {
        return;
    }
    let hosts = ["run", "--lua", "openresty", "-w", "0", "--budget", "0.1s"];
    for with in [libc::SIGINT, libc::SIGTERM, libc::SIGKILL] {
        let lab = Lab::new();
        lab.write("s.lua", ENDLESS);
        let before = files(&lab);
        let running = Running::start(lab.etalon([&hosts[..], &["-r", "100000", "s.lua"]].concat()));
        let samples = || {
            let bytes =
                lab.saved().last().and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
            String::from_utf8_lossy(&bytes).matches("\"turn\":").count()
        };
        until("samples", || samples() > 10);
        signal(running.pid(), with);
        running.end();
        lab.assert_nothing_left();
        assert_eq!(files(&lab), before);
    }
    let lab = Lab::new();
    for (code, exit) in
        [("", 0), ("error('x')", 1), ("while true do end", 1), ("ngx.sleep(1000)", 1)]
    {
        lab.write("s.lua", format!("{ENDLESS}\n measure.describe('b'):run(function() {code} end)"));
        let before = files(&lab);
        let asked = ["-r", "1", "--timeout", "2s", "s.lua"];
        let ended = lab.run([&hosts[..], &asked].concat()).expect(exit);
        lab.assert_nothing_left();
        assert_eq!(files(&lab), before, "{code}");
        let open = printed(&lab.record(), "a");
        assert_eq!(open.matches("socket:").count(), 1, "the channel alone: {open}");
        if exit == 1 {
            has(&joined(&ended.stdout), &["b[lua=openresty]"]);
        }
    }
}

/// Would catch a command of the tutorial that does not work, and a script of it that prints no numbers any more.
#[test]
fn the_commands_of_the_tutorial_work() {
    if nginx().is_none() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/openresty.md")).expect("the page");
    let commands: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("$ etalon ")).collect();
    assert!(commands.len() > 7);
    for command in commands {
        let lab = Lab::new();
        let quick = command.replace(" --until decided --budget 10s", "");
        let mut shell = lab.shell(&format!("\"$E\" {quick} -r 1 --budget 10ms"));
        shell.current_dir(root.join("examples/openresty"));
        Running::start(shell).end().expect(0);
        let record = lab.record();
        let metrics = record.of_type("metric");
        let printed = command.contains("calls.lua") || command.contains("cached_clock.lua");
        assert!(!printed || metrics.len() > 2, "{command}: {metrics:?}");
        assert!(
            record.of_type("benchmark").iter().all(|line| line["case"].get("skipped").is_none())
        );
    }
}
