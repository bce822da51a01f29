//! What the black-box tests share: a laboratory of their own (a directory and a store), the real
//! binary started in it, records read as what they are (lines of JSON), a terminal, and saying
//! aloud that something could not be tested. Refuses mocks, sleeping and looking at the clock; the
//! only times here are limits after which a hanging process is ended and the test fails.

mod document;
mod process;
mod record;
mod terminal;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use document::{document, referred, valid, with_cells};
pub(crate) use process::{
    Ended, Running, exclusively, marked, signal, until, wait_for_end, with_peak,
};
pub(crate) use record::{Record, column, hand_written, outcome};
pub(crate) use terminal::{
    at_terminal, attended, closed_terminal, leaves_terminal, on_terminal, resize,
};

/// A variable every process of a laboratory inherits, by which those left behind are found.
pub(crate) const MARK: &str = "ETALON_TEST_MARK";

/// A directory to work in, with a store of its own.
pub(crate) struct Lab {
    root: tempfile::TempDir,
}

impl Lab {
    pub(crate) fn new() -> Lab {
        let root = tempfile::Builder::new().prefix("etalon-lab-").tempdir().expect("a directory");
        fs::create_dir(root.path().join("work")).expect("a directory in it");
        Lab { root }
    }

    /// A path in the working directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("work").join(name)
    }

    /// The store.
    pub(crate) fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// Writes a file in the working directory.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        exclusively(|| fs::write(&path, content).expect("a file to be written"));
        path
    }

    /// Writes an executable shell script; commands name it as `./NAME`.
    pub(crate) fn script(&self, name: &str, body: &str) -> PathBuf {
        let path = self.path(name);
        exclusively(|| {
            let mut file = fs::File::create(&path).expect("a script");
            file.write_all(format!("#!/bin/sh\n{body}\n").as_bytes()).expect("its text");
            file.set_permissions(fs::Permissions::from_mode(0o755)).expect("its mode");
        });
        path
    }

    /// A library for `LD_PRELOAD` from this source in C, where there is a compiler; says so if not.
    pub(crate) fn library(&self, name: &str, source: &str) -> Option<PathBuf> {
        let path = self.root.path().join(format!("{name}.so"));
        let text = self.root.path().join(format!("{name}.c"));
        fs::write(&text, source).expect("a source");
        let mut compiler = self.program("cc", ["-shared", "-fPIC", "-o"]);
        compiler.arg(&path).arg(&text).arg("-ldl");
        if !exclusively(|| compiler.output()).is_ok_and(|made| made.status.success()) {
            skip(&format!("{name}: without cc"));
            return None;
        }
        Some(path)
    }

    /// A file's content; empty where there is none.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_default()
    }

    /// The binary, to be started in this laboratory.
    pub(crate) fn etalon<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Command {
        self.program(env!("CARGO_BIN_EXE_etalon"), arguments)
    }

    /// A shell that is this laboratory's; `$E` is the binary.
    pub(crate) fn shell(&self, script: &str) -> Command {
        self.program("/bin/sh", ["-c", script])
    }

    /// A program, to be started in this laboratory.
    pub(crate) fn program<S: AsRef<OsStr>>(
        &self,
        program: &str,
        arguments: impl IntoIterator<Item = S>,
    ) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.path("."));
        command.env("ETALON_HOME", self.home()).env("E", env!("CARGO_BIN_EXE_etalon"));
        command.env(MARK, self.mark()).env("TERM", "xterm").env("LC_ALL", "C.UTF-8");
        // No machine that tests are executed on adds a note of its own.
        command.env("ETALON_SYSROOT", self.root.path().join("no system"));
        for variable in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(variable);
        }
        command
    }

    /// What [`MARK`] is set to.
    pub(crate) fn mark(&self) -> OsString {
        self.root.path().into()
    }

    /// Starts the binary and waits for its end.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ended {
        Running::start(self.etalon(arguments)).end()
    }

    /// Runs the binary, which has to succeed; its standard output.
    pub(crate) fn done<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        self.run(arguments).expect(0).stdout
    }

    /// Runs the binary, which has to succeed and to print a JSON document that its schema allows. Cells of tables are
    /// what their ids stand for.
    pub(crate) fn json<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> serde_json::Value {
        with_cells(document(&self.done(arguments)))
    }

    /// Files of saved runs, oldest first.
    pub(crate) fn saved(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.home().join("runs")) else { return Vec::new() };
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths
    }

    /// The newest saved run.
    pub(crate) fn record(&self) -> Record {
        Record::read(self.saved().last().expect("a saved run"))
    }

    /// Asserts that no process of this laboratory is alive, waiting for those that are dying.
    pub(crate) fn assert_nothing_left(&self) {
        for _ in 0..1000 {
            let Some(process) = marked(&self.mark()).first().copied() else { return };
            wait_for_end(process);
        }
        panic!("processes keep coming");
    }

    /// Starts etalon and kills it after so many microseconds, wherever it is then; asserts that nothing is
    /// left and that saved run sets can be reported and listed.
    pub(crate) fn killed_after(&self, pause: u64, command: Command) {
        let running = Running::start(command);
        std::thread::sleep(std::time::Duration::from_micros(pause));
        signal(running.pid(), libc::SIGKILL);
        running.end();
        self.assert_nothing_left();
        let reported = self.run(["report", "@last"]);
        assert!(matches!(reported.code, Some(0 | 2)), "{reported:?}");
        assert!(!reported.stderr.contains("panicked"), "{reported:?}");
        self.run(["runs"]).expect(0);
    }
}

/// Ids of saved runs, oldest first.
pub(crate) fn ids(lab: &Lab) -> Vec<String> {
    let name = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        name.split(".jsonl").next().expect("an id").to_owned()
    };
    lab.saved().iter().map(name).collect()
}

/// Shell text with which an execution counts itself in the file `done` of a directory, and lasts as long as a file `hold`
/// there has a number that the count has reached: what a test waits for is still under way when it acts, on any machine.
pub(crate) fn held(at: impl std::fmt::Display) -> String {
    format!(
        "printf x >> {at}/done; while [ -e {at}/hold ] && [ $(wc -c < {at}/done) -ge $(cat {at}/hold) ]; do sleep 0.01; done"
    )
}

/// Says that something was not tested, and leaves the reason where `tests/run.sh` counts it.
pub(crate) fn skip(reason: &str) {
    println!("SKIPPED: {reason}");
    if let Some(file) = std::env::var_os("ETALON_TEST_SKIPS") {
        let opened = fs::OpenOptions::new().append(true).create(true).open(Path::new(&file));
        let mut file = opened.expect("the file named by ETALON_TEST_SKIPS");
        writeln!(file, "{reason}").expect("the reason written");
    }
}

/// Asserts that a text contains all of these.
#[track_caller]
pub(crate) fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

/// Asserts that standard output is fit for any reader: no control character but the newline, no
/// line wider than 80 columns.
#[track_caller]
pub(crate) fn tame(stdout: &str) {
    for line in stdout.lines() {
        assert!(!line.chars().any(char::is_control), "a control character in {line:?}");
        let width = unicode_width::UnicodeWidthStr::width(line);
        assert!(width <= 80, "{width} columns: {line}");
    }
}

/// The text without what wrapping adds: spaces and line breaks.
pub(crate) fn joined(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
