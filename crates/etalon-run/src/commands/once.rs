//! One execution of a command before it is measured, not recorded: for what it opens or what it prints.
//!
//! Owns: a launcher of its own, so that the one that measures stays as small as it is. The command's `prepare` and
//! `conclude` are around it, and everything else is as it is measured. Refuses to judge what was found.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;

use etalon_core::model::{Accept, Outcome};
use etalon_probe::launcher::protocol::{
    Batch, Extent, Failure, Hook, OnFailure, Output, Over, Perform, Refusal, Setup,
};
use etalon_probe::launcher::{Destination, Launcher};
use etalon_probe::memory_file;
use etalon_record::Text;
use etalon_record::sink::WriteError;

use super::requests::{PATIENCE, wait_until_ready};
use crate::error::RunError;

/// The end of one execution, with its standard output.
#[derive(Debug, Clone, PartialEq)]
pub enum CommandOutput {
    /// It ended so, and this is what stood on its standard output.
    Ended(Outcome, Vec<u8>),
    /// It took too long, or this failed around it.
    Stopped(Failure),
    /// The user did not want to wait.
    Interrupted,
}

/// Executes the one command of a setup for its standard output: where that is a file, the contents of the file, which are
/// read before `conclude` is executed, because that may take it away.
///
/// # Errors
/// If the launcher cannot be had, or the output cannot be read.
pub fn printed(
    mut setup: Setup,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<CommandOutput, RunError> {
    let memory = memory_file::create().map_err(|error| unread(&error))?;
    let record = memory_file::create().map_err(|error| unread(&error))?;
    let of_memory = format!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd());
    let output = file_of(&setup).unwrap_or_else(|| Text::from(of_memory));
    for command in &mut setup.commands {
        command.accept = Accept::Zero;
        command.files.output = Some(output.clone());
        setup.hooks.extend(command.conclude.take());
    }
    let concludes = !setup.hooks.is_empty();
    let mut once = Once::new(&setup, &record, interrupted)?;
    let over = once.execute()?;
    if let Over::Stopped(failure @ Failure { hook: Some(_), .. }) = over {
        return Ok(CommandOutput::Stopped(failure));
    }
    let printed = fs::read(Path::new(output.as_os_str()));
    if concludes && let Over::Stopped(failure) = once.conclude()? {
        return Ok(CommandOutput::Stopped(Failure { hook: Some(Hook::Conclude), ..failure }));
    }
    match over {
        Over::Done => {
            Ok(CommandOutput::Ended(Outcome::Ok, printed.map_err(|error| unread(&error))?))
        }
        Over::Stopped(failure) if failure.outcome == Outcome::TimedOut => {
            Ok(CommandOutput::Stopped(failure))
        }
        Over::Stopped(Failure { outcome, .. }) => {
            Ok(CommandOutput::Ended(outcome, printed.map_err(|error| unread(&error))?))
        }
        Over::Interrupted | Over::DeadlinePassed => Ok(CommandOutput::Interrupted),
        Over::WriteFailed { path, why, safe } => {
            Err(RunError::Write(WriteError { path: path.as_os_str().into(), why, safe }))
        }
    }
}

/// Executes the one command of a setup as it is measured, to see whether it can be: it has ended as it may, or this failed.
///
/// # Errors
/// If the launcher cannot be had.
pub fn tried(
    setup: &Setup,
    interrupted: &mut dyn FnMut() -> bool,
) -> Result<CommandOutput, RunError> {
    let record = memory_file::create().map_err(|error| unread(&error))?;
    let over = Once::new(setup, &record, interrupted)?.execute()?;
    match over {
        Over::Done => Ok(CommandOutput::Ended(Outcome::Ok, Vec::new())),
        Over::Stopped(failure) => Ok(CommandOutput::Stopped(failure)),
        Over::Interrupted | Over::DeadlinePassed => Ok(CommandOutput::Interrupted),
        Over::WriteFailed { path, why, safe } => {
            Err(RunError::Write(WriteError { path: path.as_os_str().into(), why, safe }))
        }
    }
}

/// The file that a command's standard output is, if it is one that can be read afterwards.
fn file_of(setup: &Setup) -> Option<Text> {
    let own = setup.commands.first().and_then(|command| command.files.output.clone());
    let path = own.or_else(|| match &setup.stdio.stdout {
        Output::File(path) => Some(path.clone()),
        Output::Null | Output::Inherit | Output::Pipe | Output::Read => None,
    })?;
    let is_special = fs::metadata(path.as_os_str()).is_ok_and(|about| !about.is_file());
    (!is_special).then_some(path)
}

fn unread(error: &io::Error) -> RunError {
    RunError::Refused(Refusal { subject: Text::from("what it prints"), why: error.to_string() })
}

/// A launcher that executes the one command of a setup.
pub(super) struct Once<'i> {
    launcher: Launcher,
    interrupted: &'i mut dyn FnMut() -> bool,
}

impl<'i> Once<'i> {
    /// One that is ready; what is recorded goes to a file that nobody reads.
    pub(super) fn new(
        setup: &Setup,
        record: &File,
        interrupted: &'i mut dyn FnMut() -> bool,
    ) -> Result<Once<'i>, RunError> {
        let mut launcher = Launcher::start().map_err(RunError::Launcher)?;
        let destination = Destination { file: record.as_fd(), path: Text::from("the record") };
        launcher.set_up(setup, &destination, None).map_err(RunError::Launcher)?;
        wait_until_ready(&mut launcher)?;
        Ok(Once { launcher, interrupted })
    }

    /// Executes it; how that ended.
    pub(super) fn execute(&mut self) -> Result<Over, RunError> {
        let batch =
            Batch { blocks: vec![vec![0]], on_failure: OnFailure::Stop, ..Batch::default() };
        self.launcher.begin(&batch).map_err(RunError::Launcher)?;
        self.over()
    }

    /// Executes the one hook of the setup, which is its `conclude`.
    fn conclude(&mut self) -> Result<Over, RunError> {
        let role = Hook::Conclude;
        let perform = Perform { hook: 0, role, command: 0, extent: Extent::Stage };
        self.launcher.perform(perform).map_err(RunError::Launcher)?;
        self.over()
    }

    fn over(&mut self) -> Result<Over, RunError> {
        loop {
            if let Some(over) = self.launcher.wait(Some(PATIENCE)).map_err(RunError::Launcher)? {
                return Ok(over.why);
            }
            if (self.interrupted)() {
                self.launcher.interrupt();
            }
        }
    }
}
