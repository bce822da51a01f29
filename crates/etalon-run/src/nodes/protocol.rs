//! Messages between collector and worker: a line of JSON each. Lines of the record go between them as they are.

use std::hash::Hasher;

use etalon_core::model::{Context, Note, NoteCode, Phase};
use etalon_probe::launcher::protocol::Failure;
use etalon_record::Text;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use crate::executor::Batch;

/// The first message to a worker. The contents of files follow it, each once, without anything between them, unless they
/// are in a file that it sees.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Job {
    /// The command line that is executed, this program's name first.
    pub words: Vec<Text>,
    /// The seed of the plan.
    pub seed: u64,
    /// Nanoseconds since the run set was begun: the worker's clock goes on from there.
    pub elapsed_ns: u64,
    /// The files that belong to it.
    pub files: Vec<File>,
    /// The copies of sides of a project that are among them.
    #[serde(default)]
    pub copies: Vec<SideCopy>,
    /// The file with the contents of all, where they do not follow.
    #[serde(default)]
    pub contents: Option<Text>,
}

/// A copy of a side of a project, built, as it is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideCopy {
    /// Its side, `base` or `head`.
    pub side: String,
    /// Which of its builds, from 1; nothing where there is one.
    pub build: Option<usize>,
    /// Its top, below the worker's directory.
    pub root: Text,
    /// Where commands are executed, below its top.
    pub directory: Text,
}

/// A kind of thing that is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A regular file, whose content follows.
    Regular,
    /// A symbolic link to this.
    Link(Text),
    /// A directory, which may be empty.
    Directory,
}

/// A file of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Where it is below the worker's directory.
    pub path: Text,
    /// Its kind; all but a regular file have no content.
    pub kind: Kind,
    /// Its permissions.
    pub mode: u32,
    /// Its length in bytes.
    pub length: u64,
    /// The hash of its content. Files with the same are sent once.
    pub hash: String,
}

/// Requests to a worker, one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// To execute the hooks before the blocks of a stage of these subjects.
    SetUp(Vec<usize>),
    /// To execute blocks.
    Execute(Work),
    /// To execute the hooks after the blocks of a stage.
    CleanUp(Vec<usize>),
    /// To end what was there for all stages.
    PutAway,
    /// To end all that was asked for up to now. Has no answer of its own.
    Interrupt,
}

impl Request {
    /// To warm up, which every node does by itself.
    pub(super) fn warm_up(batch: &Batch) -> Request {
        Request::Execute(Work {
            is_warmup: true,
            first: batch.first,
            orders: batch.orders.clone(),
            padding: batch.padding.clone(),
            is_first: batch.first_of_stage,
        })
    }
}

/// Blocks to execute.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// Whether they warm up.
    pub is_warmup: bool,
    /// The number of the first.
    pub first: u32,
    /// The subjects of each, in their order.
    pub orders: Vec<Vec<usize>>,
    /// By block, how many bytes the environment is larger; empty if it stays as it is.
    pub padding: Vec<u32>,
    /// Whether the worker has executed no whole block of this stage.
    pub is_first: bool,
}

impl Work {
    /// How it is recorded.
    #[must_use]
    pub fn phase(&self) -> Phase {
        if self.is_warmup { Phase::Warmup } else { Phase::Measured }
    }
}

/// Answers of a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Reply {
    /// It is there.
    Hello(Hello),
    /// It is ready for requests.
    Ready(Box<Ready>),
    /// It cannot do what it was asked for, in words. It ends.
    Refused(String),
    /// A request is done; so many lines of the record stand before this one.
    Done(Completion),
}

/// The first words of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The program and its version.
    pub tool: String,
    /// The hash of the program's file.
    pub program: String,
}

/// What a worker found out before the first block.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ready {
    /// The names of its benchmarks, and the hashes of their programs or suites.
    pub benchmarks: Vec<(String, Option<String>)>,
    /// Facts about its machine.
    pub facts: Context,
    /// Remarks.
    pub notes: Vec<Remark>,
    /// What was said by the first of those that are known not to work there.
    #[serde(default)]
    pub fails: Option<String>,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Remark {
    /// What it is about.
    pub about: String,
    /// Its text.
    pub text: String,
    /// Its code.
    pub code: Option<String>,
}

impl From<&Note> for Remark {
    fn from(note: &Note) -> Remark {
        let code = note.code.map(|code| code.word().to_owned());
        Remark { about: note.about.clone(), text: note.text.clone(), code }
    }
}

impl From<Remark> for Note {
    fn from(Remark { about, text, code }: Remark) -> Note {
        let code = code.and_then(|word| NoteCode::from_word(&word));
        Note { code, ..Note::new(about, text) }
    }
}

/// The end of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// Blocks that were executed as a whole.
    pub blocks: u32,
    /// The number of the first block that was asked for.
    pub first: Option<u32>,
    /// How many lines of the record stand before this one, and the hash of all of them.
    pub lines: u64,
    /// The hash of these lines.
    pub hash: String,
    /// Subjects that are left out from now on.
    pub given_up: Vec<usize>,
    /// How it ended.
    pub end: End,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum End {
    /// As it should.
    Whole,
    /// Somebody interrupted it.
    Interrupted,
    /// Something failed that ends an experiment.
    Failed(Failure),
}

/// A hash of lines: what arrives is what was sent.
pub(super) fn hash(bytes: &[u8]) -> String {
    let mut hasher = XxHash3_64::new();
    hasher.write(bytes);
    format!("{:016x}", hasher.finish())
}
