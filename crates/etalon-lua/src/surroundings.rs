//! The words between etalon and the supervisor of a worker: its arguments, and what it says at the end.
//!
//! Owns how both are written and read. Refuses to act on them: that is [`crate::supervisor`]'s.

use std::ffi::{OsString, c_int};
use std::path::PathBuf;

use crate::host::Interpreter;
use crate::jit::Jit;
use crate::nginx::Nginx;

/// The supervisor's `argv[0]` (and the embedded worker's): what a process list shows, and how the binary
/// knows that it is one.
pub(crate) const MARKER: &str = "etalon-lua";

/// The argument in place of what is not asked for.
const UNASKED: &str = "-";

/// The argument for a JIT compiler that is off.
const JIT_OFF: &str = "jit=off";

/// The arguments behind a program that is an nginx: one that can be told where its log goes, or not.
const NGINX_NAMES_LOG: &str = "nginx-e";
const NGINX: &str = "nginx";

/// A supervisor's last word to etalon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    /// How the worker ended, as `wait` gives it, and how many processes it left running.
    Ended { status: c_int, orphans: u32 },
    /// There was no worker, for this error number.
    NotStarted { error: c_int },
}

impl Report {
    pub(crate) fn to_line(self) -> String {
        match self {
            Report::Ended { status, orphans } => format!("ended {status} {orphans}\n"),
            Report::NotStarted { error } => format!("not-started {error}\n"),
        }
    }

    /// Reads one; `None` if it was cut off.
    pub(crate) fn read(said: &str) -> Option<Report> {
        let words: Vec<&str> = said.strip_suffix('\n')?.split(' ').collect();
        match words[..] {
            ["ended", status, orphans] => {
                Some(Report::Ended { status: status.parse().ok()?, orphans: orphans.parse().ok()? })
            }
            ["not-started", error] => Some(Report::NotStarted { error: error.parse().ok()? }),
            _ => None,
        }
    }
}

/// The limits and settings that a process takes on before it is a worker, and which Lua it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Surroundings {
    /// Its address space, in bytes.
    pub(crate) memory: Option<u64>,
    pub(crate) cpus: Option<Vec<usize>>,
    pub(crate) nice: Option<i32>,
    pub(crate) jit: Jit,
    /// The words in front of those that the interpreter is called with.
    pub(crate) under: Vec<OsString>,
    pub(crate) interpreter: Interpreter,
}

impl Surroundings {
    /// Reads the arguments.
    pub(crate) fn read(mut arguments: impl Iterator<Item = OsString>) -> Surroundings {
        let mut next = || arguments.next().and_then(|text| text.into_string().ok());
        let memory = next().and_then(|bytes| bytes.parse().ok());
        let cpus = next().filter(|text| text != UNASKED);
        let cpus = cpus.map(|list| list.split(',').filter_map(|cpu| cpu.parse().ok()).collect());
        let nice = next().and_then(|nice| nice.parse().ok());
        let jit = jit_of(next());
        let words = next().and_then(|number| number.parse().ok()).unwrap_or(0);
        let under = arguments.by_ref().take(words).collect();
        Surroundings { memory, cpus, nice, jit, under, interpreter: interpreter(arguments) }
    }

    /// The arguments after [`MARKER`]: the worker's address space in bytes, its CPUs, its niceness, its JIT compiler; how many
    /// words it is executed under, and these; then which Lua it is.
    pub(crate) fn to_arguments(&self) -> Vec<OsString> {
        let asked =
            |what: Option<String>| OsString::from(what.unwrap_or_else(|| UNASKED.to_owned()));
        let Surroundings { memory, cpus, nice, jit, under, interpreter } = self;
        let list =
            |cpus: &Vec<usize>| cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let mut list = vec![
            asked(memory.map(|bytes| bytes.to_string())),
            asked(cpus.as_ref().map(list)),
            asked(nice.map(|nice| nice.to_string())),
            jit_word(*jit).into(),
            under.len().to_string().into(),
        ];
        list.extend(under.iter().cloned());
        list.extend(interpreter.program().map(OsString::from));
        if let Interpreter::Nginx(nginx) = interpreter {
            list.push(if nginx.names_log { NGINX_NAMES_LOG } else { NGINX }.into());
            list.extend(nginx.modules.iter().map(OsString::from));
        }
        list
    }
}

/// The argument for a JIT compiler.
pub(crate) fn jit_word(jit: Jit) -> &'static str {
    if jit == Jit::Off { JIT_OFF } else { UNASKED }
}

/// The JIT compiler that an argument asks for.
pub(crate) fn jit_of(word: Option<String>) -> Jit {
    if word.is_some_and(|text| text == JIT_OFF) { Jit::Off } else { Jit::AsItIs }
}

/// Reads which Lua it is: nothing for this binary's own, a program, or an nginx with its modules.
fn interpreter(mut arguments: impl Iterator<Item = OsString>) -> Interpreter {
    let Some(program) = arguments.next().map(PathBuf::from) else { return Interpreter::Embedded };
    let Some(kind) = arguments.next() else { return Interpreter::Program(program) };
    let modules = arguments.map(PathBuf::from).collect();
    Interpreter::Nginx(Nginx { program, modules, names_log: kind == NGINX_NAMES_LOG })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch surroundings that a worker does not get.
    #[test]
    fn surroundings_are_read_as_they_are_written() {
        let nginx = |modules: &[&str], names_log| {
            let modules = modules.iter().map(PathBuf::from).collect();
            Interpreter::Nginx(Nginx { program: "/n".into(), modules, names_log })
        };
        let limited = |interpreter| Surroundings {
            memory: Some(1 << 30),
            jit: Jit::Off,
            interpreter,
            ..Surroundings::default()
        };
        let program = Interpreter::Program("/usr/bin/luajit".into());
        for surroundings in [
            Surroundings { cpus: Some(vec![0, 3]), nice: Some(-5), ..limited(program) },
            Surroundings { under: vec!["/v".into(), "--".into()], ..Surroundings::default() },
            limited(nginx(&["/a b.so", "/c.so"], true)),
            limited(nginx(&[], false)),
            Surroundings::default(),
        ] {
            let arguments = surroundings.to_arguments();
            assert_eq!(Surroundings::read(arguments.into_iter()), surroundings);
        }
    }

    /// Would catch a report that is read as another one, or half of one.
    #[test]
    fn reports_are_read_as_they_are_written() {
        for report in
            [Report::Ended { status: 0x0900, orphans: 3 }, Report::NotStarted { error: 11 }]
        {
            let line = report.to_line();
            assert_eq!(Report::read(&line), Some(report));
            assert_eq!(Report::read(line.trim_end()), None);
        }
        assert_eq!(Report::read(""), None);
    }
}
