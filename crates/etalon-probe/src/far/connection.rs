//! A connection to a host, and what is done over it, each in a session of its own.
//!
//! The process that holds the connection tells its loss from any status of a program on the other side, which ssh alone
//! does not (255 is both). All of them end with the thread that started them.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::ground::{Ground, KEEP};
use super::host::Host;
use super::limited::Pipe;
use super::process::{Heard, NO_TERMINAL, PATIENCE, Process, printed, spawned};
use crate::launcher::installed;
use crate::limits::explained;
use crate::memory_file;

/// Options of every connection. It never asks anybody; nothing of the user's is handed on.
const OPTIONS: [&str; 7] = [
    "BatchMode=yes",
    "ConnectTimeout=20",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "PermitLocalCommand=no",
    "ControlPersist=no",
    "LogLevel=ERROR",
];

/// So often a machine is asked for a sign before it counts as gone, in half the time that it may be silent at the start.
const SIGNS: u64 = 6;

/// How long the end of something is waited for.
const LONG: Duration = Duration::from_secs(10);

/// Why a machine cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FarError {
    /// ssh cannot be started, or its files not be made.
    #[error("ssh: {}", explained(.0))]
    Ssh(io::Error),
    /// There is no connection: what ssh said of that.
    #[error("{0}")]
    NoConnection(String),
    /// There is one, and the machine is of no use: why, in words.
    #[error("{0}")]
    Unfit(String),
    /// A directory that other machines see cannot be used.
    #[error("the shared directory {}: {error}", path.display())]
    Shared {
        /// The directory, or a file in it.
        path: PathBuf,
        /// The operating system's reason.
        error: io::Error,
    },
    /// The user does not want to wait any longer.
    #[error("interrupted")]
    Interrupted,
}

/// A connection to a host.
#[derive(Debug)]
pub struct Connection {
    ssh: PathBuf,
    host: Host,
    /// The socket at which sessions reach the connection.
    socket: PathBuf,
    holder: Closer,
    said: File,
    /// The session that keeps the directory there.
    keeper: Option<Process>,
    /// How long the machine may be silent before it is known, and while it is sent something.
    limit: Duration,
}

/// Ends a connection, and all sessions over it, from any thread.
#[derive(Debug, Clone)]
pub struct Closer(Arc<Mutex<Child>>);

impl Closer {
    /// Ends it at once.
    pub fn close(&self) {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // That it has ended already is no fault.
        let _ended = child.kill();
        let _status = child.wait();
    }

    fn has_ended(&self) -> bool {
        let mut child = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(child.try_wait(), Ok(None))
    }
}

/// A program on the other machine.
#[derive(Debug)]
pub struct Session(Process, Duration);

impl Connection {
    /// Connects, with sockets in this directory, which is the user's alone; as long as nobody `is_unwanted`, and no longer
    /// than this limit.
    ///
    /// # Errors
    /// If there is no ssh, or the host cannot be reached without asking anybody.
    pub fn open(
        (host, limit): (&Host, Duration),
        sockets: &Path,
        path: Option<&OsStr>,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<Connection, FarError> {
        let ssh = installed(OsStr::new("ssh"), path);
        let ssh = ssh.map_err(|error| FarError::Ssh(io::Error::other(error)))?;
        let socket = sockets.join("socket");
        let said = memory_file::named(c"etalon-ssh").map_err(FarError::Ssh)?;
        let mut command = ssh_command(&ssh, &socket);
        command.arg(format!("-oServerAliveInterval={}", every(limit)));
        command.arg(format!("-oServerAliveCountMax={SIGNS}"));
        command.args(["-o", "ControlMaster=yes", "-N", "--", host.name()]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(said.try_clone().map_err(FarError::Ssh)?);
        let child = spawned(&mut command).map_err(FarError::Ssh)?;
        let holder = Closer(Arc::new(Mutex::new(child)));
        let (host, keeper) = (host.clone(), None);
        let connection = Connection { ssh, host, socket, holder, said, keeper, limit };
        let since = Instant::now();
        while !connection.socket.exists() {
            if connection.holder.has_ended() {
                return Err(FarError::NoConnection(connection.last_words()));
            }
            if is_unwanted() {
                return Err(FarError::Interrupted);
            }
            if since.elapsed() > limit {
                let seconds = limit.as_secs();
                let why = format!("ssh is not connected after {seconds} s, and says nothing");
                return Err(FarError::NoConnection(why));
            }
            sleep(PATIENCE);
        }
        Ok(connection)
    }

    /// Makes a directory there, and finds out what the machine is.
    ///
    /// # Errors
    /// If there is no place for one, or its login scripts do not come to an end.
    pub fn prepare(&mut self) -> Result<Ground, FarError> {
        let mut keeper = self.session(KEEP)?;
        let heard = keeper.ground(Instant::now() + self.limit);
        let keeper = self.keeper.insert(keeper);
        if matches!(heard, Heard::Chatter(_) | Heard::Silence(_) | Heard::Stall) {
            let _ended = keeper.child.kill();
        }
        match heard {
            Heard::Ground(told) => Ground::parse(&told).map_err(FarError::Unfit),
            Heard::Chatter(last) => Err(FarError::Unfit(format!(
                "its login scripts print without an end{}: {NO_TERMINAL}",
                printed(&last)
            ))),
            Heard::Silence(last) => Err(FarError::Unfit(format!(
                "its login scripts have not ended after {} s{}: {NO_TERMINAL}",
                self.limit.as_secs(),
                printed(&last)
            ))),
            Heard::Stall => Err(FarError::Unfit(format!(
                "it does not tell what it is within {} s: does a file system hang there (`df`)?",
                self.limit.as_secs()
            ))),
            Heard::End(last) => {
                let words = keeper.last_words();
                let words = printed(if words.is_empty() { &last } else { &words });
                let how = keeper.status().map_or(String::new(), |how| format!(", {how}"));
                Err(FarError::Unfit(format!(
                    "its shell ended before it executed `sh`{how}{words}: {NO_TERMINAL}"
                )))
            }
        }
    }

    /// Sends a program into the directory, under this name.
    ///
    /// # Errors
    /// If it does not arrive as a whole.
    pub fn send(
        &self,
        ground: &Ground,
        (file, name): (&Path, &str),
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<(), FarError> {
        let to = format!("{}/{name}", ground.directory.display());
        let script = format!("cat >{to} && chmod 700 {to} && echo etalon:length $(wc -c <{to})");
        let mut session = self.session(&script)?;
        let mut file = File::open(file).map_err(FarError::Ssh)?;
        let length = file.metadata().map_err(FarError::Ssh)?.len();
        let mut piece = vec![0; 1 << 20];
        if let Some(input) = session.input.take() {
            let mut input = Pipe::new(input, self.limit).map_err(FarError::Ssh)?;
            loop {
                let read = file.read(&mut piece).map_err(FarError::Ssh)?;
                if is_unwanted() {
                    return Err(FarError::Interrupted);
                }
                match input.write_all(&piece[..read]) {
                    Ok(()) if read > 0 => {}
                    Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                        return Err(self.silent(&mut session));
                    }
                    Ok(()) | Err(_) => break, // What it says of that follows.
                }
            }
        }
        let (mut arrived, mut is_silent) = (None, false);
        session.hear(Instant::now() + self.limit, |line| {
            match line {
                Ok(line) => {
                    let length = line.strip_prefix("etalon:length ");
                    arrived = length.and_then(|length| length.trim().parse::<u64>().ok());
                }
                Err(_) => is_silent = true,
            }
            arrived.is_none()
        });
        if is_silent {
            return Err(self.silent(&mut session));
        }
        match arrived {
            Some(arrived) if arrived == length => Ok(()),
            Some(arrived) => Err(FarError::Unfit(format!(
                "{arrived} of {length} bytes of the program arrived there"
            ))),
            None => {
                let said = self.reason(&mut session);
                Err(FarError::Unfit(format!("the program cannot be written there: {said}")))
            }
        }
    }

    /// The machine takes nothing of what it is sent. Its session has no end of its own.
    fn silent(&self, session: &mut Process) -> FarError {
        let _ended = session.child.kill();
        let seconds = self.limit.as_secs();
        FarError::Unfit(format!("it took nothing of the program for {seconds} s"))
    }

    /// Executes the program of this name in the directory.
    ///
    /// # Errors
    /// If ssh cannot be started.
    pub fn execute(&self, ground: &Ground, name: &str, word: &str) -> Result<Session, FarError> {
        let script = format!(
            "cd {} && echo $$ >pid.$(uname -n) && exec ./{name} {word}",
            ground.directory.display()
        );
        Ok(Session(self.session(&script)?, self.limit))
    }

    /// Executes the program of this name in the directory with plain words, to its end; what it prints.
    ///
    /// # Errors
    /// If it cannot be started, or fails: with what it says.
    pub fn execute_whole(
        &self,
        ground: &Ground,
        name: &str,
        words: &[&str],
    ) -> Result<Vec<u8>, FarError> {
        let directory = ground.directory.display();
        let mut printed = Vec::new();
        self.to_its_end(
            &format!("cd {directory} && exec ./{name} {}", words.join(" ")),
            &mut printed,
        )?;
        Ok(printed)
    }

    /// Copies a file of the directory.
    ///
    /// # Errors
    /// If it cannot be read there, or written here.
    pub fn fetch(&self, ground: &Ground, name: &str, to: &mut File) -> Result<(), FarError> {
        self.to_its_end(&format!("exec cat {}/{name}", ground.directory.display()), to)
    }

    /// Has a script executed to its end, which has to succeed. No quote is in it.
    fn to_its_end(&self, script: &str, to: &mut impl Write) -> Result<(), FarError> {
        let mut session = self.session(script)?;
        drop(session.input.take());
        if let Some(mut output) = session.output.take() {
            io::copy(&mut output, to).map_err(FarError::Ssh)?;
        }
        match session.child.wait() {
            Ok(status) if status.success() => Ok(()),
            _ => Err(FarError::Unfit(self.reason(&mut session))),
        }
    }

    /// Ends it from another thread.
    #[must_use]
    pub fn closer(&self) -> Closer {
        self.holder.clone()
    }

    /// Why a session ended that nobody has ended: what it said, or that the connection is lost.
    pub fn why_ended(&self, session: &mut Session) -> String {
        self.reason(&mut session.0)
    }

    fn reason(&self, process: &mut Process) -> String {
        let words = process.last_words();
        // Sessions end some moments before what holds their connection.
        let since = Instant::now();
        while !self.holder.has_ended() && since.elapsed() < Duration::from_millis(500) {
            sleep(PATIENCE);
        }
        match (self.holder.has_ended(), words.is_empty()) {
            (true, _) if memory_file::last_line(&self.said).is_empty() => format!(
                "the connection was lost: it was silent for {} s, or ssh was ended",
                SIGNS * every(self.limit)
            ),
            (true, _) => format!("the connection was lost: {}", self.last_words()),
            (false, false) => words,
            (false, true) => "its program there ended without a word".to_owned(),
        }
    }

    fn last_words(&self) -> String {
        let words = memory_file::last_line(&self.said);
        match words.is_empty() {
            true => format!("ssh to {} ended without a word", self.host),
            false => words,
        }
    }

    fn session(&self, script: &str) -> Result<Process, FarError> {
        let said = memory_file::named(c"etalon-ssh").map_err(FarError::Ssh)?;
        let mut command = ssh_command(&self.ssh, &self.socket);
        command.args(["-o", "ControlMaster=no", "-T", "--", self.host.name()]);
        command.arg(format!("exec sh -c '{script}'"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(said.try_clone().map_err(FarError::Ssh)?);
        let mut child = spawned(&mut command).map_err(FarError::Ssh)?;
        let (input, output) = (child.stdin.take(), child.stdout.take().map(BufReader::new));
        Ok(Process { child, input, output, said })
    }
}

impl Drop for Connection {
    /// The directory goes first, and then the connection.
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            drop(keeper.input.take());
            keeper.wait(LONG);
        }
        self.holder.close();
    }
}

impl Session {
    /// Where it is told something. Closed, it ends.
    pub fn input(&mut self) -> Option<Pipe> {
        self.0.input.take().and_then(|input| Pipe::new(input, self.1).ok())
    }

    /// What it answers.
    pub fn output(&mut self) -> Option<BufReader<ChildStdout>> {
        self.0.output.take()
    }
}

/// After so many seconds of silence a machine is asked for a sign.
fn every(limit: Duration) -> u64 {
    (limit.as_secs() / (2 * SIGNS)).max(1)
}

fn ssh_command(ssh: &Path, socket: &Path) -> Command {
    let mut command = Command::new(ssh);
    let mut path = OsString::from("ControlPath=");
    path.push(socket);
    command.arg("-o").arg(path).args(["-x", "-a"]);
    OPTIONS.iter().for_each(|option| {
        command.args(["-o", option]);
    });
    command
}
