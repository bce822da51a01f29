//! One node's thread: it connects, sends the program, has a worker get ready and passes on what that says.
//!
//! How a node is reached is the route's business. Processes of ssh end with the thread that started them, so the thread
//! is there as long as the node. Refuses to decide: what becomes of a node is the collector's business.

use std::fs::File;
use std::io::{BufRead, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, OnceLock};

use etalon_probe::clock;
use etalon_probe::far::{FarError, Ground};
use etalon_probe::travel::Traveller;
use etalon_record::raw::LONGEST_LINE;

use super::cargo::Cargo;
use super::delivery;
use super::desk::line_of;
use super::protocol::{Completion, Job, Ready, Reply};
use super::route::{Input, Route};

/// Room on a node beside what it is sent.
const SPARE: u64 = 16 << 20;

/// Lines before the worker's first that are passed over, at most: a login script may print some.
const CHATTER: usize = 1000;

/// An event at a node.
pub(super) enum Event {
    /// It is known by this name, there is a directory on it, and nothing was sent yet: it waits for a word.
    Ground(String, Ground),
    /// Its worker waits for requests here.
    Ready(Box<Ready>, Input),
    /// Its worker has done what it was asked for, with these lines of its record.
    Done(Completion, Vec<u8>),
    /// It is gone.
    Gone(Loss),
}

/// A node that is gone.
pub(super) struct Loss {
    /// Why.
    pub(super) why: String,
    /// The way to it, if it will be there once more.
    pub(super) again: Option<Box<dyn Route>>,
}

impl From<FarError> for Loss {
    fn from(error: FarError) -> Loss {
        Loss { why: error.to_string(), again: None }
    }
}

/// The luggage of all nodes.
#[derive(Debug)]
pub(super) struct Shipment {
    pub(super) cargo: Cargo,
    /// The hash of the program.
    pub(super) hash: String,
    pub(super) seed: u64,
    /// When the run set was begun, on the monotonic clock here.
    pub(super) started_ns: u64,
    /// Whether the contents of files are where all nodes see them, once the first node needs them; why not.
    pub(super) put: OnceLock<Result<(), String>>,
}

impl Shipment {
    /// Puts the contents of all files where all nodes see them, once.
    fn put_into(&self, path: &Path) -> Result<(), String> {
        let put = || {
            let mut file = File::create(path)?;
            delivery::send(&self.cargo.files, &mut file)
        };
        let about = |error: std::io::Error| format!("{}: {error}", path.display());
        self.put.get_or_init(|| put().map_err(about)).clone()
    }
}

/// The state of a node's thread.
pub(super) struct Attendant {
    pub(super) route: Box<dyn Route>,
    /// The program that it will be sent, or one that asks for no more.
    pub(super) program: Traveller,
    /// Its number here, with what it tells.
    pub(super) events: (usize, Sender<(usize, Event)>),
    /// The luggage with which it is to go on, or none.
    pub(super) orders: Receiver<Option<Arc<Shipment>>>,
    /// Nobody wants it any more: an end is no loss.
    pub(super) is_unwanted: Arc<AtomicBool>,
}

impl Attendant {
    /// Attends to a node as long as it is there.
    pub(super) fn attend(mut self) {
        if let Err(loss) = self.attended() {
            self.tell(Event::Gone(loss));
        }
    }

    fn tell(&self, event: Event) {
        // Nobody who listens: it ends, too.
        let _told = self.events.1.send((self.events.0, event));
    }

    fn attended(&mut self) -> Result<(), Loss> {
        let flag = Arc::clone(&self.is_unwanted);
        let is_unwanted = move || flag.load(Ordering::Relaxed);
        let (name, ground) = self.route.reach(&is_unwanted)?;
        executable(&self.program, &ground)?;
        self.tell(Event::Ground(name, ground.clone()));
        let Ok(Some(sent)) = self.orders.recv() else { return Ok(()) };
        fits(&sent.cargo, &ground)?;
        let mut input = self.route.start(&sent.cargo.program.path, &is_unwanted)?;
        let Attendant { route, events, .. } = self;
        let common = route.common();
        let mut output = route.answers(&is_unwanted);
        let mut heard = begun((&sent, common), &mut input, &mut *output);
        if let Ok(Some(ready)) = heard {
            let _told = events.1.send((events.0, Event::Ready(ready, input)));
            heard = followed(events, &mut *output).map(|()| None);
        }
        drop(output);
        match heard {
            // Its output ended: the worker has, or the connection.
            Ok(_) if is_unwanted() => Ok(()),
            Ok(_) => {
                let (why, again) = route.why_ended();
                Err(Loss { why, again })
            }
            Err(why) => Err(Loss { why, again: None }),
        }
    }
}

/// Refuses a machine on which a program cannot be executed.
fn executable(program: &Traveller, ground: &Ground) -> Result<(), FarError> {
    let fits = program.fits(ground.architecture, &ground.library);
    fits.map_err(|unfit| FarError::Unfit(unfit.to_string()))
}

/// Refuses a machine that has no room for what it would be sent, or cannot execute that.
fn fits(cargo: &Cargo, ground: &Ground) -> Result<(), FarError> {
    let Cargo { program, files, .. } = cargo;
    executable(program, ground)?;
    let length = std::fs::metadata(&program.path).map_err(FarError::Ssh)?.len();
    let needed = (length + SPARE).saturating_add(delivery::room(files));
    match ground.free.filter(|free| *free < needed) {
        Some(free) => Err(FarError::Unfit(format!(
            "{} MB are needed for {} there, and {} MB are free: make room, or set TMPDIR on that machine",
            needed >> 20,
            ground.directory.display(),
            free >> 20
        ))),
        None => Ok(()),
    }
}

/// Has the worker take the job. Nothing if its output ended.
fn begun(
    (sent, common): (&Shipment, Option<PathBuf>),
    input: &mut Input,
    output: &mut dyn BufRead,
) -> Result<Option<Box<Ready>>, String> {
    let mut line = Vec::new();
    let mut lines = 0;
    let hello = loop {
        if next(output, &mut line)? == 0 {
            return Ok(None);
        }
        match serde_json::from_slice(&line) {
            Ok(Reply::Hello(hello)) => break hello,
            _ if lines == CHATTER => {
                return Err("its login scripts print without an end".to_owned());
            }
            _ => lines += 1,
        }
    };
    let Shipment { cargo, hash, seed, started_ns, .. } = sent;
    let Cargo { words, files, copies, .. } = cargo;
    if hello.program != *hash {
        return Err(format!(
            "the program that arrived there is another one (its hash is {}, not {hash})",
            hello.program
        ));
    }
    let job = Job {
        words: words.clone(),
        seed: *seed,
        elapsed_ns: clock::now_ns().saturating_sub(*started_ns),
        files: files.iter().map(|parcel| parcel.file.clone()).collect(),
        copies: copies.clone(),
        contents: common.as_ref().map(|path| path.as_os_str().into()),
    };
    common.as_ref().map_or(Ok(()), |path| sent.put_into(path))?;
    let rest = if common.is_some() { &[][..] } else { &files[..] };
    let job = line_of(&job).map_err(|error| error.to_string())?;
    match input.write_all(&job).and_then(|()| delivery::send(rest, input)) {
        // A worker that does not take it says why.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error.to_string()),
        _ => {}
    }
    if next(output, &mut line)? == 0 {
        return Ok(None);
    }
    match serde_json::from_slice(&line) {
        Ok(Reply::Ready(ready)) => Ok(Some(ready)),
        Ok(Reply::Refused(why)) => Err(why),
        _ => Err(strange(&line)),
    }
}

/// Passes on what the worker says until its output ends.
fn followed(
    (number, events): &(usize, Sender<(usize, Event)>),
    output: &mut dyn BufRead,
) -> Result<(), String> {
    let (mut line, mut lines) = (Vec::new(), Vec::new());
    loop {
        if next(output, &mut line)? == 0 {
            return Ok(());
        }
        if line.starts_with(b"{\"type\":") {
            lines.append(&mut line);
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(Reply::Done(done)) => {
                let _told = events.send((*number, Event::Done(done, std::mem::take(&mut lines))));
            }
            Ok(Reply::Refused(why)) => return Err(why),
            _ if line.ends_with(b"\n") => return Err(strange(&line)),
            _ => return Ok(()), // a line that the end has torn
        }
    }
}

/// Reads a line; how long it is.
fn next(mut output: &mut dyn BufRead, line: &mut Vec<u8>) -> Result<usize, String> {
    line.clear();
    let mut limited = Read::take(&mut output, LONGEST_LINE);
    limited.read_until(b'\n', line).map_err(|error| error.to_string())
}

fn strange(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let some: String = line.trim_end().chars().take(60).collect();
    format!("a line came that is no worker's: `{}`", some.escape_debug())
}
