//! `-o`: the file that receives raw data as they are measured. Opened and locked before anything is
//! measured, never overwritten unasked, never shared with another etalon; rows stand in the order of
//! their batches when all is over, as BestGuess needs them. A file that is replaced holds what it held until something is
//! recorded.

use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use etalon_core::shell::copied;
use etalon_probe::launcher::protocol::Input;
use etalon_record::fresh::{self, Hidden, Readers};
use etalon_record::lock::{self, Lock};
use etalon_record::{Text, rows};
use etalon_run::{CommandSetup, Format, Output};

use crate::cli::{self, habits};
use crate::failure::Failure;
use crate::{in_use, output};

/// Why a file is refused.
const HOLDS_SOMETHING: &str =
    "exists and is not empty: choose another name, or replace it with --force";

/// An output file that is open.
#[derive(Debug)]
pub(crate) struct Destination {
    /// As the executors take it.
    pub output: Output,
    /// As the user knows it: the option and the name.
    pub option: String,
    /// Whether there was none of that name before.
    is_new: bool,
    /// The file that is replaced, locked so that nobody else does.
    _replaced: Option<File>,
}

/// The output file that was asked for.
pub(crate) fn asked(recording: &cli::Recording) -> Result<Option<Destination>, Failure> {
    recording.output.as_ref().map(|name| open(name, recording.force)).transpose()
}

/// Refuses an output file that could not be opened in the end, before anything is prepared; nothing is opened yet.
///
/// # Errors
/// If it has a name that means something else, or holds something that is not to be replaced.
pub(crate) fn check(recording: &cli::Recording) -> Result<(), Failure> {
    let Some(name) = &recording.output else { return Ok(()) };
    let option = named(name)?;
    let path = Path::new(name);
    match fs::metadata(path) {
        Ok(facts) if facts.is_file() => {}
        Ok(facts) if facts.is_dir() => {
            return Err(Failure::about(option, "is a directory: name a file in it"));
        }
        // Whatever else it is, opening it may wait for somebody.
        Ok(_) => return Ok(()),
        Err(_) if path.symlink_metadata().is_ok() => return Ok(()),
        Err(_) => {
            let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
            let made = fresh::create(directory.unwrap_or(Path::new(".")), Readers::Umask);
            let cannot = |error| Failure::about(option, format!("cannot be written: {error}"));
            return made.map(drop).map_err(cannot);
        }
    }
    // One that cannot be read may be written to all the same.
    let Ok(file) = File::open(name) else { return Ok(()) };
    refuse(&file, &option, recording.force)
}

/// Refuses an output file that commands read.
///
/// # Errors
/// If one does.
pub(crate) fn refuse_inputs(
    recording: &cli::Recording,
    setup: &CommandSetup,
) -> Result<(), Failure> {
    let Some(name) = &recording.output else { return Ok(()) };
    let file = |path: &Path| {
        let facts = fs::metadata(path).ok().filter(Metadata::is_file)?;
        Some((facts.dev(), facts.ino()))
    };
    let Some(written) = file(Path::new(name)) else { return Ok(()) };
    let of_all = match &setup.stdio.stdin {
        Input::File(path) => Some(path),
        Input::Null | Input::Inherit => None,
    };
    let of_each = setup.commands.iter().filter_map(|command| command.files.input.as_ref());
    let reads = |path: &Text| file(Path::new(OsStr::from_bytes(path.as_bytes()))) == Some(written);
    match of_all.into_iter().chain(of_each).any(reads) {
        true => Err(Failure::about(named(name)?, "is the input of a command: name another file")),
        false => Ok(()),
    }
}

/// Refuses a file that another one writes to, or that holds something which is not to be replaced.
///
/// # Errors
/// In words, with what to do.
fn refuse(file: &File, option: &str, force: bool) -> Result<(), Failure> {
    let is_file = file.metadata().is_ok_and(|facts| facts.is_file());
    // Several may write to a device.
    if is_file && lock::take(file) == Lock::Held {
        let holder = in_use::by(file);
        let why = format!("is in use by {holder}: wait until it ends, or choose another name");
        return Err(Failure::about(option, why));
    }
    // Looked at under the lock: what another one wrote until now is there.
    let holds_something = is_file && file.metadata().is_ok_and(|facts| facts.len() > 0);
    match holds_something && !force {
        true => Err(Failure::about(option, HOLDS_SOMETHING)),
        false => Ok(()),
    }
}

/// The option with the name of the file.
///
/// # Errors
/// If that means something else elsewhere.
fn named(name: &OsStr) -> Result<String, Failure> {
    let option = format!("-o {}", name.display());
    match name.to_str() {
        Some("-") => Err(Failure::about(
            option,
            "raw data need a file; the report is what goes to \
                standard output (--json prints the analysis). For a file of that name write ./-",
        )),
        Some(place @ ("null" | "inherit" | "pipe")) => Err(Failure::about(
            option,
            format!(
                "{}. For a file of that name write ./{place}",
                habits::hint(&format!("--output={place}"), Some(place))
                    .map(|hint| hint.instead)
                    .unwrap_or_default()
            ),
        )),
        _ => Ok(option),
    }
}

/// Opens the output file: `.csv` for rows, any other name for a record.
fn open(name: &OsStr, force: bool) -> Result<Destination, Failure> {
    let option = named(name)?;
    let path = Path::new(name).to_owned();
    let cannot = |error| Failure::about(&option, format!("cannot be written: {error}"));
    let is_new = path.symlink_metadata().is_err();
    let file = OpenOptions::new().append(true).create(true).open(&path).map_err(cannot)?;
    refuse(&file, &option, force)?;
    let rows = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    let format = if rows { Format::Rows } else { Format::Record };
    let (file, hidden, replaced) = match beside(&file, &path) {
        Some((new, hidden)) => (new, Some(hidden), Some(file)),
        None => (file, None, None),
    };
    let hidden = RefCell::new(hidden);
    let output = Output { file, path, format, is_begun: Cell::default(), hidden };
    Ok(Destination { output, option, is_new, _replaced: replaced })
}

/// A file that will take the place of one that holds something, once there is something else to hold; nothing where that
/// cannot be.
fn beside(file: &File, path: &Path) -> Option<(File, Hidden)> {
    let facts = file.metadata().ok().filter(|facts| facts.is_file() && facts.len() > 0)?;
    let path = fs::canonicalize(path).ok()?;
    fresh::sweep(path.parent()?);
    let (new, hidden) = fresh::create(path.parent()?, Readers::Umask).ok()?;
    new.set_permissions(facts.permissions()).ok()?;
    Some((new, hidden))
}

impl Destination {
    /// What it will hold, where its name does not say that.
    pub(crate) fn format_told(&self) -> Option<String> {
        let path = &self.output.path;
        let says = ["csv", "jsonl", "json"];
        let said =
            path.extension().is_some_and(|it| says.iter().any(|s| it.eq_ignore_ascii_case(s)));
        let is_device = self.output.file.metadata().is_ok_and(|facts| !facts.is_file());
        (!said && !is_device).then(|| {
            let rows = copied(&format!("{}.csv", path.display())).into_owned();
            format!(
                "{}: JSON Lines; BestGuess's CSV goes to a name in .csv: -o {rows}",
                self.option
            )
        })
    }

    /// Leaves the file as if nothing had been begun, which is so.
    pub(crate) fn withdraw(&self) {
        // Where it cannot be emptied or removed, it is told by its emptiness.
        if self.output.is_begun.get() {
            let _emptied = self.output.file.set_len(0);
        }
        if self.is_new {
            let _removed = fs::remove_file(&self.output.path);
        }
    }

    /// Puts the rows of a whole file in the order of their batches.
    pub(crate) fn settle(&self) {
        if !self.output.is_in_place() {
            let told = format!("{}: nothing was measured: it holds what it held", self.option);
            return output::remark(&told);
        }
        if self.output.format != Format::Rows {
            return;
        }
        if let Err(error) = put_in_order(&self.output) {
            output::remark(&format!(
                "{}: its rows stand in the order of execution ({error}); BestGuess needs them sorted by \
                 Batch",
                self.option
            ));
        }
    }
}

/// Replaces the file as a whole, so that one who reads it finds all rows in either order.
fn put_in_order(output: &Output) -> io::Result<()> {
    if !output.file.metadata()?.is_file() {
        return Ok(());
    }
    let path = fs::canonicalize(&output.path)?;
    let Some(ordered) = rows::in_order_of_batches(&fs::read(&path)?) else { return Ok(()) };
    let (file, hidden): (File, _) =
        fresh::create(path.parent().unwrap_or(Path::new("/")), Readers::Umask)?;
    file.set_permissions(output.file.metadata()?.permissions())?;
    (&file).write_all(&ordered)?;
    hidden.take_name(&path)
}
