//! The directory of a run below one that all nodes see: the program, the script of the job, and a directory for each life of
//! a worker. It goes with the run; one that was left by a run that was killed goes when the next one begins.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::far::{FIND, FarError};
use crate::shared::{GROUND, LEASE};

use etalon_record::entries::entries;

/// The beginning of the names of such directories.
const PREFIX: &str = "etalon-shared-";

/// A run that gave no sign of life for so long, by the clock of the file server, is none any more.
const OLD: Duration = Duration::from_secs(600);

/// The statuses with which the script ends where there is nothing that it could write to.
pub(super) const UNSEEN: u8 = 71;
pub(super) const NO_ROOM: u8 = 72;
pub(super) const NO_PROGRAM: u8 = 73;

/// The name of the program in it.
const NAME: &str = "etalon";

/// Such a directory. It is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) path: PathBuf,
}

impl Room {
    /// Makes one for this program, which is a worker by this word.
    pub(super) fn create(shared: &Path, (program, word): (&Path, &str)) -> Result<Room, FarError> {
        let not = |path: &Path| {
            let path = path.to_owned();
            move |error| FarError::Shared { path, error }
        };
        let shared = shared.canonicalize().map_err(not(shared))?;
        if shared.to_str().is_none() {
            return Err(not(&shared)(io::Error::other("its name is no UTF-8")));
        }
        let mut number = 0_u32;
        let path = loop {
            let path = shared.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => break path,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(not(&shared)(error)),
            }
        };
        let room = Room { path };
        room.furnish(program, word).map_err(not(&room.path))?;
        room.sweep(&shared);
        Ok(room)
    }

    fn furnish(&self, program: &Path, word: &str) -> io::Result<()> {
        fs::write(self.path.join(LEASE), "0")?;
        let there = self.path.join(NAME);
        fs::copy(program, &there)?;
        fs::set_permissions(&there, Permissions::from_mode(0o700))?;
        fs::write(self.script(), script(&self.path, word))
    }

    pub(super) fn script(&self) -> PathBuf {
        self.path.join("job.sh")
    }

    pub(super) fn lease(&self) -> PathBuf {
        self.path.join(LEASE)
    }

    /// The directory that all nodes have to see.
    pub(super) fn shared(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    /// Removes what runs have left that were killed.
    fn sweep(&self, shared: &Path) {
        let written = |path: &Path| fs::metadata(path.join(LEASE)).and_then(|it| it.modified());
        let (Ok(now), Ok(entries)) = (written(&self.path), entries(shared)) else { return };
        for entry in entries.flatten() {
            let is_ones = entry.file_name().as_bytes().starts_with(PREFIX.as_bytes());
            let is_old = |last| now.duration_since(last).is_ok_and(|age| age > OLD);
            if is_ones && written(&entry.path()).is_ok_and(is_old) {
                // What cannot be removed is another user's.
                let _left = fs::remove_dir_all(entry.path());
            }
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // A node that is just ending may still write.
        for _ in 0..20 {
            match fs::remove_dir_all(&self.path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    sleep(Duration::from_millis(100));
                }
                _ => return,
            }
        }
    }
}

/// The script of the job. It says what the node is, copies the program into a directory of the node and becomes it.
fn script(room: &Path, word: &str) -> Vec<u8> {
    let mut quoted = Vec::new();
    for byte in room.as_os_str().as_bytes() {
        match byte {
            b'\'' => quoted.extend_from_slice(b"'\\''"),
            _ => quoted.push(*byte),
        }
    }
    // Several nodes of a test are one machine.
    let before = format!(
        "umask 077\n[ -z \"$ETALON_NODE\" ] || ETALON_NODE=$ETALON_NODE.$SLURMD_NODENAME\n\
         cd \"$room\" 2>/dev/null || exit {UNSEEN}\n\
         life=$SLURM_ARRAY_TASK_ID.${{SLURM_RESTART_COUNT:-0}}\n\
         mkdir \"$life\" 2>/dev/null || exit {NO_ROOM}\n\
         {{ echo \"node=$SLURMD_NODENAME\"; "
    );
    // The ground is there when everything is: as a whole, and last.
    let after = format!(
        "}} >\"$life/telling\" 2>/dev/null\n\
         if [ -n \"$w\" ]; then\n\
         cd \"$w\" && echo $$ >$h && cp \"$room/{NAME}\" {NAME} 2>/dev/null ||\n\
         {{ cd /; rm -rf \"$w\"; exit {NO_PROGRAM}; }}\n\
         fi\n\
         mv \"$room/$life/telling\" \"$room/$life/{GROUND}\"\n\
         [ -n \"$w\" ] && exec \"./{NAME}\" {word} \"$room/$life\"\n"
    );
    let parts: [&[u8]; 6] = [
        b"#!/bin/sh\nroom='",
        &quoted,
        b"'\n",
        before.as_bytes(),
        FIND.as_bytes(),
        after.as_bytes(),
    ];
    parts.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a directory whose name a shell takes apart, a run's files that others may read, some that stay, and the
    /// files of a run that is there taken for those of one that was killed.
    #[test]
    fn a_run_has_a_directory_of_its_own() {
        let shared = tempfile::tempdir().unwrap();
        let shared = shared.path().join("it's $HOME");
        fs::create_dir(&shared).unwrap();
        let program = shared.join("program");
        fs::write(&program, "x").unwrap();
        let create = || Room::create(&shared, (&program, "worker")).unwrap();
        let (one, other) = (create(), create());
        let text = fs::read_to_string(one.script()).unwrap();
        assert!(text.contains("it'\\''s $HOME/etalon-shared-"), "{text}");
        assert!(text.contains("worker \"$room/$life\""), "{text}");
        let mode = fs::metadata(&one.path).unwrap().permissions().mode();
        assert_eq!(mode & 0o77, 0);
        assert_eq!(one.shared(), shared);
        let old = std::time::SystemTime::now() - OLD - Duration::from_secs(60);
        fs::File::options().write(true).open(other.lease()).unwrap().set_modified(old).unwrap();
        let third = create();
        assert!(one.path.exists() && !other.path.exists());
        drop((one, other, third));
        assert_eq!(fs::read_dir(&shared).unwrap().count(), 1);
        let gone = Room::create(&shared.join("none"), (&program, "worker"));
        assert!(matches!(gone, Err(FarError::Shared { .. })));
    }
}
