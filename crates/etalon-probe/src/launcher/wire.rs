//! Parts of the protocol that only the two ends of the socket need: how the launcher is recognised, and how open
//! files get into it.

use std::ffi::CStr;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use etalon_record::{BenchmarkLine, Text};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use serde::{Deserialize, Serialize};

use super::protocol::Setup;

/// The launcher's `argv[0]`: what a process list shows, and how the binary knows that it is one.
/// Etalon's process follows as an argument; the socket is standard input.
pub(super) const MARKER: &str = "etalon-launcher";

/// The name of a launcher's process, as a process list shows it, however it was started: at most 15 bytes.
pub(super) const NAME: &CStr = c"etalon-launcher";

/// `argv[0]` of this binary when it is executed to find out what executing something costs: it ends
/// at once.
pub(super) const IDLE: &str = "etalon-idle";

/// Open files that can be passed: to the launcher, these are standard input, the record, a second file.
const FILES: usize = 3;

/// The first message, which follows open files: standard input, the record, the second file if there is one.
#[derive(Serialize, Deserialize)]
pub(super) struct Wire {
    pub(super) setup: Setup,
    /// The record's path.
    pub(super) record: Text,
    /// The second file's path.
    pub(super) second: Option<Text>,
    /// The second file's lines are CSV rows of these benchmarks, not the record's.
    pub(super) rows: Option<Vec<BenchmarkLine>>,
}

/// Passes open files, with a byte that stands for them.
pub(crate) fn pass(socket: &UnixStream, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut message = SendAncillaryBuffer::new(&mut space);
    message.push(SendAncillaryMessage::ScmRights(files));
    sendmsg(socket, &[IoSlice::new(b"\n")], &mut message, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Takes files that are passed, in their order; none if the other end has closed the socket.
pub(crate) fn take(socket: &UnixStream) -> io::Result<Vec<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(FILES))];
    let mut message = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let into = &mut [IoSliceMut::new(&mut byte)];
    let received = recvmsg(socket, into, &mut message, RecvFlags::CMSG_CLOEXEC)?;
    // There is room for all of them, so the limit of open files was met.
    if received.flags.contains(ReturnFlags::CTRUNC) {
        return Err(io::Error::from_raw_os_error(libc::EMFILE));
    }
    let files = message.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(files) => Some(files),
        _ => None,
    });
    Ok(files.flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Read, Seek, Write};
    use std::os::fd::AsFd;

    #[test]
    fn files_arrive_in_their_order_and_what_follows_stays() {
        // Would catch the record taken for standard input, and a file that commands inherit.
        let (mut ours, mut theirs) = UnixStream::pair().unwrap();
        let mut files: Vec<File> = (0..FILES).map(|_| tempfile::tempfile().unwrap()).collect();
        for (number, file) in files.iter_mut().enumerate() {
            write!(file, "file {number}").unwrap();
            file.rewind().unwrap();
        }
        let passed: Vec<_> = files.iter().map(AsFd::as_fd).collect();
        pass(&ours, &passed).unwrap();
        ours.write_all(b"what follows").unwrap();
        drop(ours);
        for (number, taken) in take(&theirs).unwrap().into_iter().enumerate() {
            assert!(
                rustix::io::fcntl_getfd(&taken).unwrap().contains(rustix::io::FdFlags::CLOEXEC)
            );
            let mut content = String::new();
            File::from(taken).read_to_string(&mut content).unwrap();
            assert_eq!(content, format!("file {number}"));
        }
        let mut rest = String::new();
        theirs.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "what follows");
        assert!(take(&theirs).unwrap().is_empty());
    }
}
