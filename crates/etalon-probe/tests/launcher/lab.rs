//! Setting up a launcher for a test, and what came of it.

use std::fs::{File, OpenOptions};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use etalon_core::model::Accept;
use etalon_probe::launcher::protocol::{
    Batch, Cgroup, Command, Counters, Execute, Failure, Files, OnFailure, Over, Setup, Stdio,
};
use etalon_probe::launcher::{
    Destination, Finished, Launcher, LauncherError, Second, metrics, resolve,
};
use etalon_record::Text;
use serde_json::Value;

/// Longest time anything is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A setup to be changed and executed.
pub(crate) struct Lab {
    pub setup: Setup,
    pub on_failure: OnFailure,
    pub directory: tempfile::TempDir,
}

/// The outcome.
pub(crate) struct Ran {
    pub finished: Finished,
    pub observations: Vec<Value>,
    pub floor: u64,
}

impl Lab {
    /// One command per list of arguments.
    pub(crate) fn new(commands: &[&[&str]]) -> Lab {
        let names = metrics(None, Counters::Off, Cgroup::Off);
        let environment = std::env::vars_os().map(|(name, value)| {
            let mut pair = name;
            pair.push("=");
            pair.push(value);
            Text::from(pair)
        });
        let setup = Setup {
            commands: commands.iter().map(|argv| command(argv)).collect(),
            environment: environment.collect(),
            directory: None,
            stdio: Stdio::default(),
            timeout_ns: None,
            metrics: names.into_iter().map(|metric| metric.name).collect(),
            started_ns: etalon_probe::clock::now_ns(),
            ..Setup::default()
        };
        let directory = tempfile::tempdir().unwrap();
        Lab { setup, on_failure: OnFailure::Continue, directory }
    }

    /// One shell command.
    pub(crate) fn shell(script: &str) -> Lab {
        Lab::new(&[&["sh", "-c", script]])
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn record(&self) -> File {
        let path = self.path("record");
        OpenOptions::new().append(true).create(true).open(path).unwrap()
    }

    /// Starts the launcher.
    pub(crate) fn start(&self) -> Launcher {
        let record = self.record();
        let path = Text::from(self.path("record").as_os_str());
        let destination = Destination { file: record.as_fd(), path };
        started(&self.setup, &destination, None).unwrap()
    }

    pub(crate) fn batch(&self, blocks: Vec<Vec<usize>>) -> Batch {
        let on_failure = self.on_failure;
        Batch { blocks, on_failure, ..Batch::default() }
    }

    /// Executes `count` blocks of all commands in order.
    pub(crate) fn run(&self, count: usize) -> Ran {
        let mut launcher = self.start();
        let block: Vec<usize> = (0..self.setup.commands.len()).collect();
        launcher.begin(&self.batch(vec![block; count])).unwrap();
        let finished = finish(&mut launcher);
        let floor = launcher.ready().floor_rss.unwrap();
        Ran { finished, observations: self.observations(), floor }
    }

    /// Everything recorded so far, every line of it whole.
    pub(crate) fn observations(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.path("record")).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "a torn line: {text}");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Ran {
    /// The only observation, with the batch done.
    pub(crate) fn only(&self) -> &Value {
        assert_eq!((self.finished.blocks, &self.finished.why), (1, &Over::Done));
        assert_eq!(self.observations.len(), 1);
        &self.observations[0]
    }

    pub(crate) fn failure(&self) -> &Failure {
        let Over::Stopped(failure) = &self.finished.why else { panic!("{:?}", self.finished) };
        failure
    }
}

/// A launcher that is ready.
pub(crate) fn started(
    setup: &Setup,
    record: &Destination<'_>,
    second: Option<&Second<'_>>,
) -> Result<Launcher, LauncherError> {
    let mut launcher = Launcher::start()?;
    launcher.set_up(setup, record, second)?;
    launcher.wait_until_ready()?;
    Ok(launcher)
}

/// Waits for a batch to be over.
pub(crate) fn finish(launcher: &mut Launcher) -> Finished {
    let mut finished = None;
    eventually("the batch to be over", || {
        finished = launcher.wait(Some(Duration::from_millis(100))).unwrap();
        finished.is_some()
    });
    finished.unwrap()
}

/// Waits until something is so.
pub(crate) fn eventually(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) fn command(argv: &[&str]) -> Command {
    let (execute, accept, files) = (execute(argv), Accept::Zero, Files::default());
    Command { execute, prepare: None, conclude: None, accept, files }
}

pub(crate) fn execute(argv: &[&str]) -> Execute {
    let path = std::env::var_os("PATH");
    let found = resolve(argv[0].as_ref(), path.as_deref(), "/".as_ref());
    let path = found.map_or_else(|_| Text::from(argv[0]), |path| Text::from(path.as_os_str()));
    Execute { path, argv: argv.iter().map(|a| Text::from(*a)).collect(), ..Execute::default() }
}

/// This binary, to play a role.
pub(crate) fn own() -> String {
    std::env::current_exe().unwrap().to_str().unwrap().to_owned()
}

/// Whether any process still has `token` in its arguments.
pub(crate) fn is_running(token: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let arguments = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(token)
    })
}

/// An argument that no other process has: a number of seconds to sleep.
pub(crate) fn token(number: u32) -> String {
    format!("1{:06}.{number}", std::process::id())
}
