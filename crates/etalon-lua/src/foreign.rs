//! Another interpreter as a worker: what it is started with.
//!
//! Owns the files that an interpreter reads: the driver, the native module, and nginx's configuration. All are in
//! memory only, and end with the process: nothing is on a disk that could be left behind. Refuses to know what the
//! driver does.

use std::ffi::{CStr, CString, OsStr, OsString, c_int};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::host::Interpreter;
use crate::jit::Jit;
use crate::nginx::{self, Descriptors, Nginx};
use crate::parts::PARTS;
use crate::protocol::quoted;
use crate::surroundings::{MARKER, jit_word};

/// The native module as a shared object.
static NATIVE_MODULE: &[u8] = include_bytes!(env!("ETALON_NATIVE_MODULE"));

/// The text behind those of the parts.
const BOOT: &str = include_str!("../lua/boot.lua");

/// Where the system keeps the name servers that nginx is told.
const RESOLVERS: &str = "/etc/resolv.conf";

/// Replaces this process by an interpreter that is a worker, or by what these words say that executes it; returns if that
/// fails. `answers` is the writing end of a pipe, for an interpreter that cannot load the native module.
pub(crate) fn execute(
    (interpreter, under): (&Interpreter, &[OsString]),
    jit: Jit,
    answers: RawFd,
) -> io::Error {
    let called = match interpreter {
        Interpreter::Embedded => own_words(jit),
        Interpreter::Program(path) => program_words(path.as_os_str(), jit, answers),
        Interpreter::Nginx(nginx) => nginx_words(nginx, jit, answers),
    };
    let words = called.and_then(|called| {
        let under = under.iter().map(|word| Ok(CString::new(word.as_bytes())?));
        under.chain(called.into_iter().map(Ok)).collect::<io::Result<Vec<CString>>>()
    });
    words.map_or_else(|error| error, |words| replaced_by(&words))
}

/// How this program is called to be a worker itself, by its path: what executes it may not know which program it is.
fn own_words(jit: Jit) -> io::Result<Vec<CString>> {
    let program = std::fs::read_link("/proc/self/exe")?;
    let words = [program.into_os_string(), MARKER.into(), jit_word(jit).into()];
    words.into_iter().map(|word| Ok(CString::new(word.into_vec())?)).collect()
}

/// How an interpreter is called.
fn program_words(program: &OsStr, jit: Jit, answers: RawFd) -> io::Result<Vec<CString>> {
    let [script, module, answers] = opened(answers)?;
    let mut words = vec![CString::new(program.as_bytes())?];
    if jit == Jit::Off {
        words.push(c"-joff".to_owned());
    }
    for descriptor in [script, module, answers] {
        words.push(CString::new(path_of(descriptor))?);
    }
    words.push(CString::new(format!("{script} {module} {answers}"))?);
    Ok(words)
}

/// How nginx is called.
#[expect(clippy::disallowed_methods, reason = "here this process is not etalon")]
fn nginx_words(nginx: &Nginx, jit: Jit, answers: RawFd) -> io::Result<Vec<CString>> {
    let [driver, module, answers] = opened(answers)?;
    let pid = in_memory(c"nginx.pid", b"")?;
    let configuration = in_memory(c"nginx.conf", b"")?;
    let open = Descriptors { driver, module, answers, pid, configuration };
    let names: Vec<_> = std::env::vars_os().map(|(name, _)| name).collect();
    let names = names.iter().map(|name| name.as_bytes());
    let resolvers = std::fs::read_to_string(RESOLVERS).unwrap_or_default();
    write_all(configuration, &nginx::configuration(nginx, jit, open, (names, &resolvers)))?;
    let mut words = vec![CString::new(nginx.program.as_os_str().as_bytes())?];
    for word in nginx.arguments(&path_of(configuration)) {
        words.push(CString::new(word)?);
    }
    Ok(words)
}

/// The driver, the native module and the pipe, open in the program that replaces this one.
fn opened(answers: RawFd) -> io::Result<[RawFd; 3]> {
    let script = in_memory(c"etalon driver", driver().as_bytes())?;
    let module = in_memory(c"etalon native module", NATIVE_MODULE)?;
    Ok([script, module, kept(answers)?])
}

/// The path under which a process finds its own descriptor.
fn path_of(descriptor: RawFd) -> String {
    format!("/proc/self/fd/{descriptor}")
}

/// The driver as one file.
fn driver() -> String {
    let part = |(name, text): &(&CStr, &str)| {
        format!("{{{},{}}}", quoted(name.to_bytes()), quoted(text.as_bytes()))
    };
    let parts: Vec<String> = PARTS.iter().map(part).collect();
    format!("local sources = {{{}}}\n{BOOT}", parts.join(","))
}

/// A file without a name, which ends with the last process that has it open.
fn in_memory(name: &CStr, content: &[u8]) -> io::Result<RawFd> {
    // SAFETY: the name is a C string.
    let file = unsafe { libc::memfd_create(name.as_ptr(), 0) };
    if file < 0 {
        return Err(io::Error::last_os_error());
    }
    write_all(file, content)?;
    Ok(file)
}

fn write_all(file: RawFd, content: &[u8]) -> io::Result<()> {
    let mut rest = content;
    while !rest.is_empty() {
        // SAFETY: `rest` is readable for its length.
        let written = unsafe { libc::write(file, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(_) if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(io::Error::last_os_error()),
        }
    }
    Ok(())
}

/// A copy of the descriptor that stays open in the program that replaces this one.
fn kept(descriptor: RawFd) -> io::Result<c_int> {
    // SAFETY: a call on descriptors without memory preconditions.
    match unsafe { libc::fcntl(descriptor, libc::F_DUPFD, 0) } {
        kept @ 0.. => Ok(kept),
        _ => Err(io::Error::last_os_error()),
    }
}

fn replaced_by(words: &[CString]) -> io::Error {
    let mut pointers: Vec<_> = words.iter().map(|word| word.as_ptr()).collect();
    pointers.push(std::ptr::null());
    // SAFETY: C strings, and a list of them that ends in null, all alive until the call returns.
    unsafe { libc::execv(pointers[0], pointers.as_ptr()) };
    io::Error::last_os_error()
}
