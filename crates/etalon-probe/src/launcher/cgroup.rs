//! A control group per execution: what all its processes cost, waited for or not.
//!
//! Owns: making a fresh group before each execution, reading it when everything in it has ended,
//! removing it, and removing those that a killed launcher left. Refuses: to change any group it has
//! not made (no controllers are enabled, nothing is moved), and to kill what is in a group;
//! `orphans` has done that.
//!
//! A group is fresh because a used one still answers for the file pages its last execution left in
//! the cache; so the first execution to touch a file is charged for it, and later ones are not.
//! How the child gets in is [`super::spawn::Joining`]'s business: a version 2 group takes it at the
//! clone; otherwise the child writes itself in before `execve`. That write takes a lock for which
//! the kernel may have to wait a grace period (measured: 12–15 ms, if the lock was not taken in the
//! last 20), so the launcher takes the same lock just before the clock starts, by moving itself to
//! where it is. (Measured then: 20.9 ms in place of 20.7 for a shell loop, and 10 ms of waiting
//! between two executions. `CLONE_INTO_CGROUP` needs neither.)

mod layout;
mod value;

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::metrics::{Source, Values};
use super::protocol::Groups as Kind;
use super::spawn::Joining;
pub(super) use layout::Layout;
use value::Gauge;

/// Its beginning names a group as ours; the launcher's process and a number follow.
const NAME: &str = "etalon-";
/// Longest content of a file that is read: `io.stat` has a line of some 100 bytes per device.
const LONGEST: usize = 16 * 1024;

/// How a child gets into its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// It is born there (version 2, `CLONE_INTO_CGROUP`).
    Clone,
    /// It writes itself in.
    Write,
}

/// One directory in which a group is made for each execution, and what can be read there.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    base: PathBuf,
    gauges: Vec<Gauge>,
}

/// Where executions get their groups.
pub(super) struct Groups {
    kind: Kind,
    places: Vec<Place>,
    entry: Entry,
    /// Where the launcher is, to move to where it is.
    home: Option<File>,
    number: u64,
    /// The groups of the execution under way, and what leads into them.
    made: Vec<PathBuf>,
    doors: Vec<OwnedFd>,
    /// Groups that could not be removed yet.
    left: Vec<PathBuf>,
    text: Vec<u8>,
}

impl Groups {
    fn new(kind: Kind, places: Vec<Place>, entry: Entry, home: &Path) -> Groups {
        for place in &places {
            remove_stale(&place.base);
        }
        let home = match entry {
            Entry::Clone => None,
            Entry::Write => OpenOptions::new().write(true).open(home.join("cgroup.procs")).ok(),
        };
        let (made, doors, left) = (Vec::new(), Vec::new(), Vec::new());
        let text = Vec::with_capacity(LONGEST);
        Groups { kind, places, entry, home, number: 0, made, doors, left, text }
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind.clone()
    }

    /// The sources that it will have.
    pub(super) fn sources(&self) -> Vec<Source> {
        let gauges = self.places.iter().flat_map(|place| &place.gauges);
        gauges.flat_map(|gauge| gauge.sources().iter().copied()).collect()
    }

    /// Makes the groups for an execution; the way in. Nothing if they cannot be made: the execution
    /// then goes without, and its values are absent.
    pub(super) fn begin(&mut self) -> Joining {
        self.remove(); // of an execution that did not come about
        self.number += 1;
        if self.make().is_err() {
            self.remove();
            return Joining::None;
        }
        match self.entry {
            Entry::Clone => match self.doors.first() {
                Some(door) => Joining::Clone(door.as_raw_fd()),
                None => Joining::None,
            },
            Entry::Write => {
                if let Some(home) = &mut self.home {
                    let _ = home.write(b"0"); // for the lock's sake, see above
                }
                Joining::Write(self.doors.iter().map(AsRawFd::as_raw_fd).collect())
            }
        }
    }

    fn make(&mut self) -> io::Result<()> {
        for place in &self.places {
            let group = place.base.join(format!("{NAME}{}-{}", std::process::id(), self.number));
            std::fs::create_dir(&group)?;
            self.made.push(group.clone());
            let door = match self.entry {
                Entry::Clone => File::open(&group)?,
                Entry::Write => OpenOptions::new().write(true).open(group.join("cgroup.procs"))?,
            };
            self.doors.push(door.into());
        }
        Ok(())
    }

    /// Reads what the execution has cost, if it was in its groups, and removes them.
    pub(super) fn end(&mut self, values: Option<&mut Values>) {
        if let Some(values) = values {
            for (place, group) in self.places.iter().zip(&self.made) {
                for gauge in &place.gauges {
                    if let Some(text) = read(&group.join(gauge.file()), &mut self.text) {
                        gauge.read(text, values);
                    }
                }
            }
        }
        self.remove();
    }

    fn remove(&mut self) {
        self.doors.clear();
        for group in self.made.drain(..) {
            if std::fs::remove_dir(&group).is_err() {
                self.left.push(group);
            }
        }
    }
}

impl Drop for Groups {
    /// Nothing is left behind, except a group that something immortal is in: the next start tries
    /// again.
    fn drop(&mut self) {
        self.remove();
        for group in &self.left {
            let _ = std::fs::remove_dir(group);
        }
    }
}

fn read<'a>(path: &Path, text: &'a mut Vec<u8>) -> Option<&'a str> {
    text.clear();
    let limit = u64::try_from(LONGEST).unwrap_or(u64::MAX);
    File::open(path).ok()?.take(limit).read_to_end(text).ok()?;
    str::from_utf8(text).ok()
}

/// Removes what launchers that are gone have left here. Only empty groups can be removed, so this
/// harms no one.
fn remove_stale(base: &Path) {
    let Ok(entries) = std::fs::read_dir(base) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(owner);
        if owner.is_some_and(|pid| !is_launcher(pid)) {
            let _ = std::fs::remove_dir(entry.path());
        }
    }
}

/// The launcher's process in a group's name, if it is one of ours.
fn owner(name: &str) -> Option<u32> {
    let (pid, number) = name.strip_prefix(NAME)?.split_once('-')?;
    number.parse::<u64>().ok()?;
    pid.parse().ok()
}

fn is_launcher(pid: u32) -> bool {
    let name = std::fs::read(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.strip_suffix(b"\n") == Some(super::wire::NAME.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launcher::signals::Mask;
    use crate::launcher::spawn::{self, Program, Spawner};

    /// A directory that looks like a version 2 group; made groups get no files in it.
    fn groups(base: &Path) -> Groups {
        let place = Place { base: base.to_owned(), gauges: vec![Gauge::CpuV2, Gauge::PeakV2] };
        Groups::new(Kind::V2, vec![place], Entry::Clone, base)
    }

    #[test]
    fn a_group_is_made_read_and_removed() {
        // Would catch groups piling up, or one execution read from another one's files.
        let base = tempfile::tempdir().unwrap();
        let mut groups = groups(base.path());
        for number in 1..=2 {
            assert!(matches!(groups.begin(), Joining::Clone(_)));
            let made: Vec<_> = std::fs::read_dir(base.path()).unwrap().flatten().collect();
            let name = format!("{NAME}{}-{number}", std::process::id());
            assert_eq!((made.len(), made[0].file_name().to_str().unwrap()), (1, name.as_str()));
            let mut values = Values::default();
            groups.end(Some(&mut values));
            assert_eq!(values.get(Source::TreeCpu), None, "there was no such file");
            assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn every_file_of_a_group_is_read() {
        // A fixture stands for what a kernel with version 2 controllers puts into a new directory.
        let base = tempfile::tempdir().unwrap();
        let place = Place { base: base.path().to_owned(), gauges: Gauge::V2.to_vec() };
        let mut groups = Groups::new(Kind::V2, vec![place], Entry::Clone, base.path());
        groups.begin();
        for (file, text) in [
            ("cpu.stat", "usage_usec 250\nuser_usec 200\nsystem_usec 50\n"),
            ("memory.peak", "1048576\n"),
            ("io.stat", "8:0 rbytes=4096 wbytes=8192 rios=1 wios=2 dbytes=0 dios=0\n"),
        ] {
            std::fs::write(groups.made[0].join(file), text).unwrap();
        }
        let mut values = Values::default();
        groups.end(Some(&mut values));
        let found = groups.sources().into_iter().map(|source| values.get(source).unwrap());
        assert_eq!(found.collect::<Vec<_>>(), [250_000, 1_048_576, 4096, 8192]);
    }

    #[test]
    fn what_a_child_outside_has_cost_is_not_read() {
        // Would catch 0 CPU time for a command that could not get into its group.
        let base = tempfile::tempdir().unwrap();
        let mut groups = groups(base.path());
        groups.begin();
        groups.end(None);
        assert!(groups.made.is_empty() && groups.doors.is_empty());
    }

    /// Executes `true` in a group of its own at the root of version 2; nothing where that may not
    /// be.
    fn executed_in_version_2(entry: Entry) -> Option<Values> {
        let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
        let root = mounts.lines().find_map(|line| {
            let mut words = line.split(' ').skip(1);
            Some(PathBuf::from(words.next()?)).filter(|_| words.next() == Some("cgroup2"))
        })?;
        let place = Place { base: root.clone(), gauges: vec![Gauge::CpuV2] };
        let mut groups = Groups::new(Kind::V2, vec![place], entry, &root);
        let joining = groups.begin();
        if matches!(joining, Joining::None) {
            return None;
        }
        let name: Vec<u8> = b"true".to_vec();
        let program = ["/bin/true", "/usr/bin/true"].into_iter().find(|p| Path::new(p).exists())?;
        let program = Program::new(program.as_bytes(), &[name]).unwrap();
        Mask::full().apply();
        let child = Spawner::new(&[]).unwrap().start(&program, &joining);
        Mask::empty().apply();
        let child = match child {
            Err(error) if matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM)) => {
                return None;
            }
            child => child.unwrap(),
        };
        assert_eq!((child.failed, child.outside), (None, false));
        let (status, _) = spawn::reap(child.pid).unwrap();
        assert_eq!(status, 0);
        let mut values = Values::default();
        groups.end(Some(&mut values));
        assert!(groups.left.is_empty());
        Some(values)
    }

    #[test]
    fn both_ways_into_a_version_2_group_lead_there() {
        // Would catch a child that is somewhere else, and a clone that comes back wrong.
        let entries = if cfg!(target_arch = "x86_64") {
            &[Entry::Clone, Entry::Write][..]
        } else {
            &[Entry::Write]
        };
        for entry in entries {
            for _ in 0..20 {
                let Some(values) = executed_in_version_2(*entry) else { return };
                assert!(values.get(Source::TreeCpu) > Some(0), "{entry:?}");
            }
        }
    }

    #[test]
    fn an_execution_without_a_group_goes_on() {
        let mut groups = groups(Path::new("/no/such/directory"));
        assert!(matches!(groups.begin(), Joining::None));
        groups.end(None);
    }

    #[test]
    fn what_cannot_be_removed_is_tried_again_at_the_end() {
        let base = tempfile::tempdir().unwrap();
        let mut groups = groups(base.path());
        groups.begin();
        let inside = groups.made[0].join("process");
        std::fs::create_dir(&inside).unwrap();
        groups.end(None);
        std::fs::remove_dir(inside).unwrap();
        drop(groups);
        assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
    }

    #[test]
    fn only_what_the_dead_left_is_stale() {
        // Would catch another etalon's groups, or somebody else's, taken away.
        let base = tempfile::tempdir().unwrap();
        // A process number beyond the kernel's limit is nobody's.
        for name in ["etalon-4194305-7", "etalon-x-1", "etalon-7", "other-4194305-1"] {
            std::fs::create_dir(base.path().join(name)).unwrap();
        }
        remove_stale(base.path());
        let mut left: Vec<_> =
            std::fs::read_dir(base.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["etalon-7", "etalon-x-1", "other-4194305-1"]);
    }
}
