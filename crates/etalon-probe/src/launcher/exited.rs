//! The entries of `/proc` for a child that has exited and is not reaped.
//!
//! Owns: the waiting for a CPU (`schedstat`) and the bytes moved (`io`). Refuses: to guess; what
//! cannot be read, or would not cover the execution, is absent. A file costs some 10 µs, so whoever
//! does not need one does not open this.

use std::fs::File;
use std::os::fd::AsRawFd;

use super::metrics::{Source, Values};

/// `/proc`, open.
pub(super) struct ExitedProcess(File);

/// The scheduler's account of a process's main thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waited {
    pub(super) run_ns: i64,
    pub(super) wait_ns: i64,
}

impl ExitedProcess {
    /// Opens `/proc`, if it is that of our own process namespace.
    pub(super) fn open() -> Option<ExitedProcess> {
        let own = std::fs::read_link("/proc/self").ok()?;
        let ours = own.as_os_str() == std::process::id().to_string().as_str();
        ours.then(|| File::open("/proc").ok()).flatten().map(ExitedProcess)
    }

    /// Opens it to read bytes, or says why there will be none.
    pub(super) fn open_for_bytes() -> Result<ExitedProcess, String> {
        std::fs::read("/proc/self/io").map_err(|error| format!("/proc/self/io: {error}"))?;
        ExitedProcess::open()
            .ok_or_else(|| "/proc is another process namespace's: mount this one's".to_owned())
    }

    /// Reads how long it waited.
    pub(super) fn waited(&self, pid: libc::pid_t) -> Option<Waited> {
        let mut text = [0_u8; 64]; // two 64-bit numbers and a count
        let mut numbers =
            self.read(pid, "schedstat", &mut text)?.split_ascii_whitespace().map(str::parse);
        Some(Waited { run_ns: numbers.next()?.ok()?, wait_ns: numbers.next()?.ok()? })
    }

    /// Reads what it and the descendants it waited for have moved.
    pub(super) fn moved(&self, pid: libc::pid_t, values: &mut Values) {
        let mut text = [0_u8; 512]; // seven names of at most 22 letters with 64-bit numbers
        if let Some(text) = self.read(pid, "io", &mut text) {
            moved(text, values);
        }
    }

    fn read<'a>(&self, pid: libc::pid_t, name: &str, text: &'a mut [u8]) -> Option<&'a str> {
        let path = ProcPath::to(pid, name);
        // SAFETY: `path` is NUL-terminated; `text` is writable for its length; the descriptor is
        // closed once, here.
        let length = unsafe {
            let at = self.0.as_raw_fd();
            let file = libc::openat(at, path.0.as_ptr().cast(), libc::O_RDONLY | libc::O_CLOEXEC);
            if file < 0 {
                return None;
            }
            let length = libc::read(file, text.as_mut_ptr().cast(), text.len());
            libc::close(file);
            usize::try_from(length).ok()?
        };
        str::from_utf8(&text[..length]).ok()
    }
}

/// `name: bytes` lines.
fn moved(text: &str, values: &mut Values) {
    for (name, bytes) in text.lines().filter_map(|line| line.split_once(": ")) {
        let source = match name {
            "read_bytes" => Source::IoRead,
            "write_bytes" => Source::IoWrite,
            "rchar" => Source::IoRchar,
            "wchar" => Source::IoWchar,
            _ => continue,
        };
        if let Ok(bytes) = bytes.parse() {
            values.set(source, bytes);
        }
    }
}

impl Waited {
    /// How long it waited, if the main thread is nearly all of the execution: it had at least 90 %
    /// of its CPU time.
    pub(super) fn covering(self, cpu_us: i64) -> Option<i64> {
        (self.run_ns >= cpu_us.saturating_mul(900)).then_some(self.wait_ns)
    }
}

/// `PID/name`, without allocating.
struct ProcPath([u8; 24]);

impl ProcPath {
    fn to(pid: libc::pid_t, name: &str) -> ProcPath {
        use std::io::Write;
        let mut bytes = [0_u8; 24]; // ten digits, ten letters and the NUL fit
        let _ = write!(&mut bytes[..23], "{pid}/{name}");
        ProcPath(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_known_only_where_the_main_thread_did_the_work() {
        // 2.3 of 211 ms were seen for a shell that starts others: its waiting says nothing.
        let seen = |run_ns| Waited { run_ns, wait_ns: 5 }.covering(211_000);
        assert_eq!(seen(2_300_000), None);
        assert_eq!(seen(189_899_999), None);
        assert_eq!(seen(189_900_000), Some(5));
    }

    #[test]
    fn the_longest_path_fits() {
        assert_eq!(&ProcPath::to(i32::MAX, "schedstat").0[..21], b"2147483647/schedstat\0");
    }

    #[test]
    fn bytes_are_told_apart() {
        // Would catch what passed through `read` taken for what storage delivered.
        let text = "rchar: 9000\nwchar: 70\nsyscr: 3\nsyscw: 2\nread_bytes: 4096\nwrite_bytes: 0\n\
                    cancelled_write_bytes: 512\nodd\n";
        let mut values = Values::default();
        moved(text, &mut values);
        assert_eq!(values.get(Source::IoRead), Some(4096));
        assert_eq!(values.get(Source::IoWrite), Some(0));
        assert_eq!(values.get(Source::IoRchar), Some(9000));
        assert_eq!(values.get(Source::IoWchar), Some(70));
    }
}
