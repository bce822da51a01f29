//! A connection to a host, and what is done over it, each in a session of its own.
//!
//! The process that holds the connection tells its loss from any status of a program on the other side, which ssh alone
//! does not (255 is both). All of them end with the thread that started them.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::ground::{BEGIN, END, Ground, KEEP};
use super::host::Host;
use crate::launcher::installed;
use crate::memory_file;

/// What every connection is told. It never asks anybody; a machine that is silent for half a minute is gone; nothing of
/// the user's is handed on.
const OPTIONS: [&str; 9] = [
    "BatchMode=yes",
    "ConnectTimeout=20",
    "ServerAliveInterval=5",
    "ServerAliveCountMax=6",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "PermitLocalCommand=no",
    "ControlPersist=no",
    "LogLevel=ERROR",
];

/// How often is looked whether something has happened that nobody tells.
const PATIENCE: Duration = Duration::from_millis(10);

/// How long the end of something is waited for.
const LONG: Duration = Duration::from_secs(10);

/// Lines of login scripts that are passed over, at most.
const CHATTER: usize = 1000;

/// Why a machine cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FarError {
    /// ssh cannot be started, or its files not be made.
    #[error("ssh: {0}")]
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
pub struct Session(Process);

#[derive(Debug)]
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
    said: File,
}

impl Connection {
    /// Connects, with sockets in this directory, which is the user's alone; as long as nobody `is_unwanted`.
    ///
    /// # Errors
    /// If there is no ssh, or the host cannot be reached without asking anybody.
    pub fn open(
        host: &Host,
        sockets: &Path,
        path: Option<&OsStr>,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<Connection, FarError> {
        let ssh = installed(OsStr::new("ssh"), path);
        let ssh = ssh.map_err(|error| FarError::Ssh(io::Error::other(error)))?;
        let socket = sockets.join("socket");
        let said = memory_file::named(c"etalon-ssh").map_err(FarError::Ssh)?;
        let mut command = ssh_command(&ssh, &socket);
        command.args(["-o", "ControlMaster=yes", "-N", "--", host.name()]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(said.try_clone().map_err(FarError::Ssh)?);
        let child = spawned(&mut command).map_err(FarError::Ssh)?;
        let holder = Closer(Arc::new(Mutex::new(child)));
        let connection = Connection { ssh, host: host.clone(), socket, holder, said, keeper: None };
        while !connection.socket.exists() {
            if connection.holder.has_ended() {
                return Err(FarError::NoConnection(connection.last_words()));
            }
            if is_unwanted() {
                return Err(FarError::Interrupted);
            }
            sleep(PATIENCE);
        }
        Ok(connection)
    }

    /// Makes a directory there, and finds out what the machine is.
    ///
    /// # Errors
    /// If there is no place for one.
    pub fn prepare(&mut self) -> Result<Ground, FarError> {
        let mut keeper = self.session(KEEP)?;
        let mut output = keeper.lines();
        let mut told = Vec::new();
        let is_there = output.by_ref().take(CHATTER).any(|line| line == BEGIN);
        told.extend(output.by_ref().take(CHATTER).take_while(|line| line != END));
        drop(output);
        self.keeper = Some(keeper);
        if !is_there {
            return Err(FarError::Unfit(format!(
                "its shell does not execute `sh`: {}",
                self.words_of_keeper()
            )));
        }
        Ground::parse(&told).map_err(FarError::Unfit)
    }

    fn words_of_keeper(&mut self) -> String {
        self.keeper.as_mut().map(Process::last_words).unwrap_or_default()
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
        if let Some(mut input) = session.input.take() {
            loop {
                let read = file.read(&mut piece).map_err(FarError::Ssh)?;
                if is_unwanted() {
                    return Err(FarError::Interrupted);
                }
                if read == 0 || input.write_all(&piece[..read]).is_err() {
                    break; // What it says of that follows.
                }
            }
        }
        let arrived = session
            .lines()
            .find_map(|line| line.strip_prefix("etalon:length ")?.trim().parse::<u64>().ok());
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

    /// Executes the program of this name in the directory.
    ///
    /// # Errors
    /// If ssh cannot be started.
    pub fn execute(&self, ground: &Ground, name: &str, word: &str) -> Result<Session, FarError> {
        let script = format!(
            "cd {} && echo $$ >pid.$(uname -n) && exec ./{name} {word}",
            ground.directory.display()
        );
        Ok(Session(self.session(&script)?))
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
        self.printed(
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
        self.printed(&format!("exec cat {}/{name}", ground.directory.display()), to)
    }

    /// Has a script executed to its end, which has to succeed. No quote is in it.
    fn printed(&self, script: &str, to: &mut impl Write) -> Result<(), FarError> {
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
    pub fn input(&mut self) -> Option<ChildStdin> {
        self.0.input.take()
    }

    /// What it answers.
    pub fn output(&mut self) -> Option<BufReader<ChildStdout>> {
        self.0.output.take()
    }
}

impl Process {
    /// Its lines, as far as they are text.
    fn lines(&mut self) -> impl Iterator<Item = String> {
        let output = self.output.as_mut();
        output
            .into_iter()
            .flat_map(|output| output.split(b'\n').map_while(Result::ok))
            .map(|line| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
    }

    /// Waits for its end for so long, and ends it then.
    fn wait(&mut self, limit: Duration) {
        let since = Instant::now();
        while since.elapsed() < limit {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            sleep(PATIENCE);
        }
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }

    /// The last line of what it said when it has ended.
    fn last_words(&mut self) -> String {
        drop(self.input.take());
        self.wait(Duration::from_secs(2));
        memory_file::last_line(&self.said)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        self.wait(Duration::from_secs(2));
    }
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

/// Starts a process that ends with the thread that calls this, and that Ctrl-C of a terminal does not reach.
fn spawned(command: &mut Command) -> io::Result<Child> {
    command.process_group(0);
    // SAFETY: between fork and exec, one system call that may be made there.
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        });
    }
    command.spawn()
}
