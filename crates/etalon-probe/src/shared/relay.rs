//! The process on the other machine that a worker has for its two streams.
//!
//! The worker is the one that ssh would start: it is asked on its standard input, answers on its standard output, and ends
//! with its input. The relay closes that when whoever asks says so or gives no sign any more, and when the machine's
//! scheduler wants the job to end. It removes the directory that it was started in.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use super::life::Life;
use super::stream::{Look, Pace};
use crate::launcher::signals::Mask;
use crate::limits::explained;
use crate::memory_file;

/// How long a worker has to end when its input does.
const LONG: Duration = Duration::from_secs(60);

/// Executes `program` as a worker, by this word, in the working directory, which is removed afterwards.
///
/// # Errors
/// If it cannot be started, or its end not be told.
pub fn relay(life: &Path, program: &Path, word: &str) -> io::Result<()> {
    let life = Life::at(life.to_owned());
    let why = match life.is_late() {
        true => Ok("nobody asks for it any more".to_owned()),
        false => handed_on(&life, program, word),
    };
    let why =
        why.unwrap_or_else(|error| format!("the worker cannot be started: {}", explained(&error)));
    let room = std::env::current_dir()?;
    std::env::set_current_dir("/")?;
    // Programs that were measured may still be ending.
    for _ in 0..20 {
        if fs::remove_dir_all(&room).is_ok() || !room.exists() {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    life.end(&why)
}

/// Hands both streams on until the worker has ended; why it did, if nobody asked for it.
fn handed_on(life: &Life, program: &Path, word: &str) -> io::Result<String> {
    let mask =
        [libc::SIGTERM, libc::SIGINT, libc::SIGHUP].into_iter().fold(Mask::empty(), Mask::with);
    mask.apply();
    let signals = File::from(mask.descriptor()?);
    let said = memory_file::named(c"etalon-relay")?;
    let mut child = started(program, word, &said)?;
    let (Some(input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("it has no streams"));
    };
    let mut answers = life.answering();
    let answering = Builder::new().spawn(move || -> io::Result<()> {
        let mut piece = vec![0; 1 << 16];
        loop {
            match output.read(&mut piece)? {
                0 => return Ok(()),
                length => answers.write_all(&piece[..length])?,
            }
        }
    });
    let answering = match answering {
        Ok(answering) => answering,
        Err(error) => {
            child.kill()?;
            child.wait()?;
            return Err(error);
        }
    };
    let mut pulse = life.pulse();
    let asked = asked_until(life, input, (&mut child, &signals), &mut || {
        let _given = pulse.beat();
    });
    let since = Instant::now();
    while child.try_wait()?.is_none() {
        if since.elapsed() > LONG {
            child.kill()?;
        }
        let _given = pulse.beat();
        thread::sleep(Duration::from_millis(10));
    }
    let _written = answering.join();
    let words = memory_file::last_line(&said);
    Ok(match (asked, words.is_empty()) {
        (End::Unwanted, _) => String::new(),
        (End::Silence, _) => "whoever asked it gave no sign for a minute".to_owned(),
        (End::Signal, _) => "its scheduler told it to end".to_owned(),
        (End::Itself, false) => words,
        (End::Itself, true) => "its program there ended without a word".to_owned(),
    })
}

fn started(program: &Path, word: &str, said: &File) -> io::Result<Child> {
    let mut command = Command::new(program);
    command.arg(word).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(said.try_clone()?);
    // SAFETY: between fork and exec, one system call that may be made there.
    unsafe {
        command.pre_exec(|| {
            Mask::empty().apply();
            Ok(())
        });
    }
    command.spawn()
}

/// The reason why a worker is asked nothing more.
enum End {
    /// Whoever asks said so.
    Unwanted,
    /// Whoever asks gives no sign.
    Silence,
    /// A signal came.
    Signal,
    /// It has ended by itself.
    Itself,
}

/// Hands on what is asked until there is a reason to stop.
fn asked_until(
    life: &Life,
    mut input: ChildStdin,
    (child, mut signals): (&mut Child, &File),
    beat: &mut dyn FnMut(),
) -> End {
    let (mut told, mut lease, mut pace) = (life.told(), life.lease(), Pace::new());
    let mut bytes = Vec::new();
    loop {
        beat();
        match told.more(&mut bytes).unwrap_or(Look::Nothing) {
            Look::Closed => return End::Unwanted,
            Look::More => {
                pace.moved();
                // Where it does not take it, it has ended.
                let _taken = input.write_all(&bytes);
                bytes.clear();
            }
            Look::Nothing => {}
        }
        let mut signal = [0; 128];
        if signals.read(&mut signal).is_ok() {
            return End::Signal;
        }
        if !matches!(child.try_wait(), Ok(None)) {
            return End::Itself;
        }
        if !lease.holds(Instant::now()) {
            return End::Silence;
        }
        pace.wait();
    }
}
