//! Requests, and their spelling as Lua tables.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A request to a worker.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Load a suite; the first request.
    Load(Load),
    /// Make a case ready to be sampled; once, after loading.
    Prepare(Prepare),
    /// Take one sample; the number goes into its observation.
    Turn {
        /// The turn within the block.
        turn: u32,
        /// The CPU to begin on, if not wherever the system would.
        cpu: Option<u32>,
    },
    /// Take several samples, one after the other: for a case that has no others to take turns with.
    /// Each is an observation.
    Turns {
        /// The first turn.
        first: u32,
        /// How many there are.
        count: u32,
    },
    /// Count what calls allocate.
    Memory {
        /// How often; every reading is an observation.
        readings: u32,
    },
    /// Put everything away and end.
    Finish,
    /// Execute a script, as it is, and end; after loading it.
    Once(Once),
    /// Make a case ready, call it so often, put it away, and end; after loading it.
    Count(Count),
}

/// Calls of a case, for who counts what its process executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The case, as [`Prepare::case`]; of a script, its only one.
    pub case: u32,
    /// How many; of a script, none or one.
    pub calls: u64,
    /// The collector's policy, as [`Prepare::gc_step`].
    pub gc_step: i64,
    /// As [`Prepare::allocation`].
    pub allocation: u64,
}

/// The place that a script's observation belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Once {
    /// The benchmark's number in the record.
    pub benchmark: usize,
    /// The number of the block in the record.
    pub block: u32,
    /// `CLOCK_MONOTONIC` at the start of the run set, in ns.
    pub started_ns: u64,
}

/// The suite to load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// A file, or code.
    pub source: Source,
    /// Where it is executed; that of the worker.
    pub place: Place,
    /// The clock to time with.
    pub clock: Clock,
}

/// Where cases come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A suite: a file that registers its cases with `measure`, as it was named where etalon was
    /// started. Messages name it by this path; its directory is searched first for modules.
    File(PathBuf),
    /// A chunk that is itself what is measured, as the only case.
    Chunk {
        /// Lua code; an expression is one, too.
        code: String,
        /// The case's name, which messages name it by.
        name: String,
    },
    /// A script that is itself what is measured, as the only case: a file, as it was named where etalon was started.
    /// Loading compiles it.
    Script(PathBuf),
}

/// Where cases are executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The working directory of their processes; absolute.
    pub directory: PathBuf,
    /// Where etalon was started; absolute. Relative paths, those of a search path included, were
    /// written there.
    pub caller: PathBuf,
}

impl Place {
    /// A file named where etalon was started, as a path that leads to it from the working directory:
    /// short where it can be, because Lua shortens the names of chunks in its messages.
    fn path_to(&self, file: &Path) -> PathBuf {
        let absolute = self.caller.join(file);
        match (absolute.parent(), absolute.file_name()) {
            (Some(parent), Some(name)) if parent == self.directory => Path::new(".").join(name),
            _ if self.directory == self.caller => file.to_owned(),
            _ => absolute,
        }
    }
}

/// Which clock times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The best there is.
    #[default]
    Best,
    /// LuaJIT's FFI where there is one, else processor time.
    Ffi,
    /// Processor time (`os.clock`).
    Os,
    /// None: it stands, so that a process does the same whenever it is executed.
    None,
}

/// How a case is made ready.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepare {
    /// The case, counted from 1 in the order of [`crate::Loaded::cases`]; 0 is the empty loop.
    pub case: u32,
    /// The benchmark's number in the record.
    pub benchmark: usize,
    /// The number of the block in the record.
    pub block: u32,
    /// `CLOCK_MONOTONIC` at the start of the run set, in ns.
    pub started_ns: u64,
    /// How long to warm up, in seconds; 0: not at all.
    pub warmup: f64,
    /// It ends when times stay on one level; `warmup` is the longest that it may take.
    pub until_level: bool,
    /// The collector's policy: −1 off, 0 a full collection before each sample, more: steps, in KB.
    pub gc_step: i64,
    /// How long a batch should take, in ns.
    pub batch_ns: u64,
    /// How many bytes a sample may allocate while the collector is stopped.
    pub allocation: u64,
    /// A call that takes longer than this, in ns, is made as rarely as can be: once to see how long it
    /// takes, and never untimed before a sample.
    pub long_ns: u64,
}

impl Request {
    /// The line to send, a Lua table constructor with its newline.
    #[must_use]
    pub(crate) fn to_line(&self) -> String {
        let fields = match self {
            Request::Load(load) => load.fields(),
            Request::Prepare(prepare) => prepare.fields(),
            Request::Turn { turn, cpu: None } => format!("op=\"turn\",turn={turn}"),
            Request::Turn { turn, cpu: Some(cpu) } => {
                format!("op=\"turn\",turn={turn},cpu={cpu}")
            }
            Request::Turns { first, count } => {
                format!("op=\"turn\",turn={first},count={count}")
            }
            Request::Memory { readings } => format!("op=\"memory\",readings={readings}"),
            Request::Finish => "op=\"finish\"".to_owned(),
            Request::Once(Once { benchmark, block, started_ns }) => {
                format!("op=\"once\",benchmark={benchmark},block={block},started={started_ns}")
            }
            // As many digits whatever the number: to read more of them would be counted.
            Request::Count(Count { case, calls, gc_step, allocation }) => {
                format!(
                    "op=\"count\",case={case},calls={calls:08},gc_step={gc_step},allocation={allocation}"
                )
            }
        };
        format!("{{{fields}}}\n")
    }
}

impl Load {
    fn fields(&self) -> String {
        let file = |kind, path: &Path, name: &Path| {
            let [path, name] = [path, name].map(|path| quoted(path.as_os_str().as_bytes()));
            format!("{kind}={path},name={name}")
        };
        let source = match &self.source {
            Source::File(name) => file("file", &self.place.path_to(name), name),
            // As typed, where that leads to it: a script sees its path.
            Source::Script(name) if self.place.directory == self.place.caller => {
                file("script", name, name)
            }
            Source::Script(name) => file("script", &self.place.path_to(name), name),
            Source::Chunk { code, name } => {
                format!("code={},name={}", quoted(code.as_bytes()), quoted(name.as_bytes()))
            }
        };
        let clock = match self.clock {
            Clock::Best => "",
            Clock::Ffi => ",clock=\"ffi\"",
            Clock::Os => ",clock=\"os\"",
            Clock::None => ",clock=\"none\"",
        };
        let caller = match self.place.directory == self.place.caller {
            true => String::new(),
            false => format!(",caller={}", quoted(self.place.caller.as_os_str().as_bytes())),
        };
        format!("op=\"load\",{source}{clock}{caller}")
    }
}

impl Prepare {
    fn fields(&self) -> String {
        format!(
            "op=\"prepare\",case={},benchmark={},block={},started={},warmup={:?},until_level={},gc_step={},batch_ns={},allocation={},long_ns={}",
            self.case,
            self.benchmark,
            self.block,
            self.started_ns,
            self.warmup,
            self.until_level,
            self.gc_step,
            self.batch_ns,
            self.allocation,
            self.long_ns,
        )
    }
}

/// A Lua string of these bytes: only printable ASCII stands for itself.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(char::from(byte));
            }
            b' '..=b'~' => text.push(char::from(byte)),
            // Three digits, so that one that follows is not taken for a part of it. Writing to a
            // string cannot fail.
            _ => drop(write!(text, "\\{byte:03}")),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches an escape that swallows a following digit, and a newline that ends the request.
    #[test]
    fn any_bytes_stay_within_their_string() {
        assert_eq!(quoted(b"a\"\\\n\x001\xff~"), r#""a\"\\\010\0001\255~""#);
    }

    /// Catches a path that leads elsewhere from the working directory.
    #[test]
    fn a_suite_is_named_from_where_it_is_executed() {
        let path = |file: &str, directory: &str| {
            let place = Place { directory: directory.into(), caller: "/home/me".into() };
            place.path_to(Path::new(file)).to_string_lossy().into_owned()
        };
        assert_eq!(path("d/s.lua", "/home/me/d"), "./s.lua");
        assert_eq!(path("./s.lua", "/home/me"), "./s.lua");
        assert_eq!(path("/srv/s.lua", "/srv"), "./s.lua");
        assert_eq!(path("d/s.lua", "/home/me"), "d/s.lua");
        assert_eq!(path("d/s.lua", "/tmp"), "/home/me/d/s.lua");
    }

    /// Catches a float that Lua reads as something else, and fields that run into each other.
    #[test]
    fn a_request_is_one_line() {
        let prepare = Prepare {
            case: 3,
            benchmark: 7,
            block: 2,
            started_ns: 123_456_789_012_345,
            warmup: 0.05,
            until_level: true,
            gc_step: -1,
            batch_ns: 3_000_000,
            allocation: 67_108_864,
            long_ns: 20_000_000,
        };
        let line = Request::Prepare(prepare).to_line();
        let expected = "{op=\"prepare\",case=3,benchmark=7,block=2,started=123456789012345,\
                        warmup=0.05,until_level=true,gc_step=-1,batch_ns=3000000,allocation=67108864,long_ns=20000000}\n";
        assert_eq!(line, expected);
    }
}
