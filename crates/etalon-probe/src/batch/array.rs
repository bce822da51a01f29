//! A job that is an array of tasks: asked for, looked after, ended.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use super::queue::{self, Fate};
use super::room::{NO_PROGRAM, NO_ROOM, Room, UNSEEN};
use super::word::Word;
use crate::far::FarError;
use crate::launcher::installed;
use crate::limits::explained;
use crate::shared::Pulse;
use crate::untimed::{Program, execute_within};

/// How often Slurm is asked about the job.
const EVERY: Duration = Duration::from_secs(3);

/// How long a program of Slurm may take to answer.
const LONG: Duration = Duration::from_secs(60);

/// A request to Slurm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wishes {
    /// The partition; without one, Slurm's default.
    pub partition: Option<Word>,
    /// How many nodes.
    pub nodes: u32,
    /// Features that they need to have.
    pub constraint: Option<Word>,
    /// The minutes after which Slurm ends the tasks; without them, the partition's limit.
    pub minutes: Option<u64>,
    /// A directory that all of them see.
    pub shared: PathBuf,
}

/// A job. It is cancelled, and its files are removed, when this is dropped.
#[derive(Debug)]
pub struct Array {
    slurm: Slurm,
    /// Slurm's number of it.
    id: String,
    room: Room,
    looks: Arc<Mutex<Looks>>,
    is_over: Arc<AtomicBool>,
    keeper: Option<JoinHandle<()>>,
}

/// The last answer of Slurm about the tasks.
#[derive(Debug, Default)]
struct Looks {
    /// How often it was asked.
    count: u64,
    fates: BTreeMap<u32, Fate>,
}

/// Where Slurm's programs are looked for.
#[derive(Debug, Clone)]
struct Slurm(Option<OsString>);

impl Slurm {
    /// The output of one of its programs, or its complaint.
    fn ask(&self, program: &str, arguments: &[String]) -> Result<String, String> {
        let path = installed(OsStr::new(program), self.0.as_deref())
            .map_err(|error| format!("{program} of Slurm: {error}"))?;
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        let program = Program {
            program: path.as_os_str(),
            arguments: &arguments,
            environment: &[],
            input: None,
            directory: Path::new("/"),
            inherits: None,
        };
        let executed = execute_within(&program, Some(LONG), &mut || false);
        let executed = executed.map_err(|error| error.to_string())?;
        let Some(executed) = executed else { return Err("interrupted".to_owned()) };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        match executed.is_ok() {
            true => Ok(text(&executed.stdout)),
            false => Err(text(&executed.stderr)),
        }
    }
}

impl Array {
    /// Asks Slurm for a task on each of so many nodes, which executes this program as a worker by this word.
    ///
    /// # Errors
    /// If the shared directory cannot be used, Slurm refuses, or no thread can be started that looks after the job.
    pub fn submit(
        wishes: &Wishes,
        (program, word): (&Path, &str),
        path: Option<&OsStr>,
    ) -> Result<Array, FarError> {
        let slurm = Slurm(path.map(OsStr::to_owned));
        let room = Room::create(&wishes.shared, (program, word))?;
        let mut arguments = asked(wishes);
        arguments.insert(0, "--parsable".to_owned());
        arguments.push(room.script().display().to_string());
        let printed = slurm.ask("sbatch", &arguments).map_err(|why| refused(&why))?;
        let id = printed.split(';').next().unwrap_or_default().to_owned();
        if id.is_empty() || !id.bytes().all(|it| it.is_ascii_digit()) {
            return Err(refused(&format!("sbatch says `{}`", printed.escape_debug())));
        }
        let looks = Arc::new(Mutex::new(Looks::default()));
        let is_over = Arc::new(AtomicBool::new(false));
        let keeper = Keeper {
            slurm: slurm.clone(),
            id: id.clone(),
            pulse: Pulse::new(room.lease()),
            looks: Arc::clone(&looks),
            is_over: Arc::clone(&is_over),
        };
        // From here on, an error has the job cancelled.
        let mut array = Array { slurm, id, room, looks, is_over, keeper: None };
        let started = Builder::new().spawn(move || keeper.keep());
        array.keeper = Some(started.map_err(|error| FarError::Unfit(explained(&error)))?);
        Ok(array)
    }

    /// Asks Slurm whether it would take the job, which is not begun.
    ///
    /// # Errors
    /// If the shared directory cannot be used, or it would refuse.
    pub fn test(wishes: &Wishes, path: Option<&OsStr>) -> Result<(), FarError> {
        let shared = wishes.shared.canonicalize();
        let path_of = || wishes.shared.clone();
        shared.map_err(|error| FarError::Shared { path: path_of(), error })?;
        let mut arguments = asked(wishes);
        arguments.extend(["--test-only", "--wrap=true"].map(str::to_owned));
        let slurm = Slurm(path.map(OsStr::to_owned));
        slurm.ask("sbatch", &arguments).map(drop).map_err(|why| refused(&why))
    }

    /// The number of the job.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How many tasks wait for a node, and why the first of them does, in Slurm's word.
    #[must_use]
    pub fn waiting(&self) -> Option<(usize, String)> {
        let looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reasons = looks.fates.values().filter_map(|fate| match fate {
            Fate::Waits(reason) => Some(reason.clone()),
            _ => None,
        });
        let first = reasons.next()?;
        Some((1 + reasons.count(), first))
    }

    /// The directory of the run.
    pub(super) fn room(&self) -> &Path {
        &self.room.path
    }

    /// Where a task stands, and by which look of how many.
    pub(super) fn fate(&self, task: u32) -> (u64, Option<Fate>) {
        let looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        (looks.count, looks.fates.get(&task).cloned())
    }

    /// Why a task that is over never began, or ended, in words.
    pub(super) fn reason(&self, task: u32, state: &str) -> String {
        let shown = ["show", "job", "-o", &format!("{}_{task}", self.id)].map(str::to_owned);
        let (status, node) = queue::ending(&self.slurm.ask("scontrol", &shown).unwrap_or_default());
        let node = node.unwrap_or_else(|| "its node".to_owned());
        match status {
            Some(UNSEEN) => format!(
                "{node} does not see {}: --shared has to name a directory that all nodes have at the same path",
                self.room.shared().display()
            ),
            Some(NO_ROOM) => {
                format!("{node} cannot write to {}", self.room.shared().display())
            }
            Some(NO_PROGRAM) => {
                format!("the program cannot be written on {node}: is its disk full?")
            }
            _ => queue::words(state),
        }
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        let id = [self.id.clone()];
        // Where nothing is left of it, that is said to nobody.
        let _cancelled = self.slurm.ask("scancel", &id);
        let of_job = ["-h", "-j", &self.id].map(str::to_owned);
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(10)
            && self.slurm.ask("squeue", &of_job).is_ok_and(|left| !left.is_empty())
        {
            sleep(Duration::from_millis(200));
        }
        self.is_over.store(true, Ordering::Relaxed);
        let keeper = self.keeper.take();
        let _ended = keeper.map(JoinHandle::join);
    }
}

/// The options of sbatch for a job.
fn asked(wishes: &Wishes) -> Vec<String> {
    let fixed = [
        "--nodes=1",
        "--exclusive",
        "--requeue",
        "--job-name=etalon",
        "--output=/dev/null",
        "--error=/dev/null",
        "--chdir=/",
    ];
    let mut arguments = fixed.map(str::to_owned).to_vec();
    arguments.push(format!("--array=1-{}", wishes.nodes));
    let named = [("partition", &wishes.partition), ("constraint", &wishes.constraint)];
    for (option, word) in named {
        arguments.extend(word.as_ref().map(|word| format!("--{option}={word}")));
    }
    arguments.extend(wishes.minutes.map(|minutes| format!("--time={minutes}")));
    arguments
}

fn refused(why: &str) -> FarError {
    FarError::Unfit(format!("Slurm refuses the job: {why}"))
}

/// The thread that renews the lease and asks about the tasks.
struct Keeper {
    slurm: Slurm,
    id: String,
    pulse: Pulse,
    looks: Arc<Mutex<Looks>>,
    is_over: Arc<AtomicBool>,
}

impl Keeper {
    fn keep(mut self) {
        let arguments =
            ["-h", "-r", "-t", "all", "-o", "%K|%T|%r", "-j", &self.id].map(str::to_owned);
        let mut last: Option<Instant> = None;
        while !self.is_over.load(Ordering::Relaxed) {
            // One that cannot be written is a lease that is not renewed.
            let _given = self.pulse.beat();
            if last.is_none_or(|last| last.elapsed() > EVERY) {
                // What it does not say for a moment is as it was.
                if let Ok(printed) = self.slurm.ask("squeue", &arguments) {
                    let fates = queue::fates(&printed);
                    let mut looks = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
                    *looks = Looks { count: looks.count + 1, fates };
                }
                last = Some(Instant::now());
            }
            sleep(Duration::from_millis(50));
        }
    }
}
