//! A benchmark that is a function: the file that declares it, what it is compared with, and how it is
//! sampled.
//!
//! Plain data. Refuses to know any language: what holds for Lua holds for the next one.

/// The name of the case that is the empty loop itself.
pub const EMPTY_LOOP: &str = "(empty loop)";

/// A function declared in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The file, as it was named.
    pub file: String,
    /// The working directory of its processes, where known.
    pub directory: Option<String>,
    /// The line it is declared in, where known.
    pub line: Option<u32>,
    /// Cases are compared within their file, and where they have a group, within that.
    pub group: Option<String>,
    /// Words to choose cases by.
    pub tags: Vec<String>,
    /// Bytes that one call works on, where declared.
    pub bytes: Option<f64>,
    /// Things that one call works on, where declared.
    pub items: Option<f64>,
    /// Why it was not executed, if it says so itself.
    pub skipped: Option<String>,
    /// Whether a clock is read around every single call, instead of around a batch of them.
    pub timer: bool,
    /// The interpreter that executes it; absent where nothing else than etalon's own was asked for.
    pub host: Option<Box<CaseHost>>,
    /// How it is sampled.
    pub sampling: Sampling,
}

/// The interpreter that executes a function. Which one it is, its program says: two may give the same version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseHost {
    /// The name it was asked for by.
    pub name: String,
    /// The program's resolved path; absent for etalon's own.
    pub path: Option<String>,
    /// A hash of the content of that program.
    pub hash: Option<Box<str>>,
    /// Implementation and version.
    pub version: String,
    /// The language it implements.
    pub language: String,
    /// The state of its JIT compiler: `on`, `off`, or `none` where there is none.
    pub jit: String,
    /// The clock: `native`, `ffi` or `os`.
    pub clock: String,
    /// The counter of memory: `allocator` or `count`.
    pub memory: String,
}

impl Case {
    /// One of which only this is known.
    #[must_use]
    pub fn new(file: &str, sampling: Sampling) -> Case {
        Case {
            file: file.to_owned(),
            directory: None,
            line: None,
            group: None,
            tags: Vec::new(),
            bytes: None,
            items: None,
            skipped: None,
            timer: false,
            host: None,
            sampling,
        }
    }

    /// Its file, and its group of it.
    #[must_use]
    pub fn place(&self) -> (&str, Option<&str>) {
        (&self.file, self.group.as_deref())
    }
}

/// How a function is sampled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Calls before the first reading, in every process.
    pub warmup: Warmup,
    /// The collector's work around readings.
    pub collector: Collector,
    /// Level of its interval, 0..1.
    pub confidence: f64,
    /// The full width of the interval over the estimate that is aimed at; absent where none is.
    pub target: Option<f64>,
}

/// How long a function is called before its first reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Warmup {
    /// So many seconds, as somebody asked for.
    For(f64),
    /// Until its times stay on one level (`docs/lua.md`), and so many seconds at most.
    UntilLevel {
        /// Seconds.
        at_most: f64,
    },
}

impl Warmup {
    /// How long it takes, or how long at most.
    #[must_use]
    pub fn seconds(self) -> f64 {
        match self {
            Warmup::For(seconds) | Warmup::UntilLevel { at_most: seconds } => seconds,
        }
    }

    /// Whether times have to stay on one level.
    #[must_use]
    pub fn until_level(self) -> bool {
        matches!(self, Warmup::UntilLevel { .. })
    }
}

/// The garbage collector's work around readings. During one it never runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collector {
    /// Nothing, as long as memory lasts.
    Off,
    /// A full collection before each reading, and calls that nobody times after it.
    Full,
    /// After each reading steps of this many KB, as much as memory has grown.
    Step(u32),
}

impl Collector {
    /// As suites say it: −1 off, 0 a full collection, above 0 steps of so many KB.
    #[must_use]
    pub fn gc_step(self) -> i64 {
        match self {
            Collector::Off => -1,
            Collector::Full => 0,
            Collector::Step(kilobytes) => kilobytes.into(),
        }
    }
}
