//! Where groups could be made.
//!
//! Owns: reading the mounts and this process's groups, and the places worth trying, best first.
//! Refuses: to decide by version alone: a place is worth what its files can say, and in the end
//! what an execution in it has said (see `extras`).
//!
//! A version 2 group has a controller's files only where its parent passes the controller on, and a
//! group that processes are in cannot pass any on. So after etalon's own group its ancestors are
//! looked at: on an ordinary system the slice above passes memory on, to whoever may write there.

use std::path::{Path, PathBuf};

use super::value::Gauge;
use super::{Entry, Groups, NAME, Place};
use crate::launcher::protocol::Groups as Kind;

/// The remedy where no group can be made.
const REMEDY: &str = "making groups takes root, or a group that was handed over to you";

/// The version 1 controllers that are read.
const CONTROLLERS: [(&str, Gauge); 3] =
    [("cpuacct", Gauge::CpuV1), ("memory", Gauge::PeakV1), ("blkio", Gauge::IoV1)];

/// The hierarchies of this process.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::launcher) struct Layout {
    v2: Option<Hierarchy>,
    /// Those with a controller that is read, and what is read; one hierarchy may have several.
    v1: Vec<(Vec<Gauge>, Hierarchy)>,
}

/// A mounted hierarchy, and where this process is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hierarchy {
    root: PathBuf,
    own: PathBuf,
}

/// Results of the search for a place: groups that seem possible, and the obstacles of
/// others.
pub(in crate::launcher) struct Candidates {
    pub(in crate::launcher) groups: Vec<Groups>,
    pub(in crate::launcher) obstacles: Vec<String>,
}

impl Layout {
    /// Reads that of this process.
    pub(in crate::launcher) fn read() -> Layout {
        let text = |path| std::fs::read_to_string(path).unwrap_or_default();
        Layout::parse(&text("/proc/self/mounts"), &text("/proc/self/cgroup"))
    }

    fn parse(mounts: &str, own: &str) -> Layout {
        let mut layout = Layout::default();
        for line in mounts.lines() {
            let fields: Vec<&str> = line.split(' ').collect();
            let [_, root, kind, options, ..] = fields[..] else { continue };
            if kind == "cgroup2" {
                layout.v2 = layout.v2.or_else(|| hierarchy(root, own_path(own, "")));
            }
            let here = |(name, _): &&(&str, Gauge)| options.split(',').any(|o| o == *name);
            let controllers: Vec<_> = CONTROLLERS.iter().filter(here).collect();
            if let Some((name, _)) = controllers.first().filter(|_| kind == "cgroup") {
                let gauges = controllers.iter().map(|(_, gauge)| *gauge).collect();
                let hierarchy = hierarchy(root, own_path(own, name));
                layout.v1.extend(hierarchy.map(|hierarchy| (gauges, hierarchy)));
            }
        }
        layout
    }

    /// The groups to try, best first: version 2 if it can say everything about memory, version 1,
    /// version 2 with what it has.
    pub(in crate::launcher) fn candidates(&self) -> Candidates {
        let mut obstacles = Vec::new();
        let mut groups = Vec::new();
        let v2 = self.v2.as_ref().map(|hierarchy| v2(hierarchy, &mut obstacles));
        let (best, second) = match v2.flatten() {
            Some(place) if place.gauges.contains(&Gauge::PeakV2) => (Some(place), None),
            place => (None, place),
        };
        let home = self.v2.as_ref().map(|h| h.own.clone()).unwrap_or_default();
        let on_v2 = |place: Place| {
            let entries = [Entry::Clone, Entry::Write];
            entries.map(|entry| Groups::new(Kind::V2, vec![place.clone()], entry, &home))
        };
        groups.extend(best.into_iter().flat_map(on_v2));
        let places: Vec<Place> =
            self.v1.iter().filter_map(|(gauges, h)| v1(gauges, h, &mut obstacles)).collect();
        if let Some((_, first)) = self.v1.first().filter(|_| !places.is_empty()) {
            groups.push(Groups::new(Kind::V1, places, Entry::Write, &first.own));
        }
        groups.extend(second.into_iter().flat_map(on_v2));
        if self.v2.is_none() && self.v1.is_empty() {
            obstacles.push("no control group hierarchy is mounted".to_owned());
        } else if groups.is_empty() {
            obstacles.push(REMEDY.to_owned());
        }
        Candidates { groups, obstacles }
    }
}

/// This process's path in a hierarchy, by one of its controllers; version 2 has none in its line.
fn own_path<'a>(text: &'a str, controller: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        controllers.split(',').any(|c| c == controller).then_some(path)
    })
}

/// In a container the mount may show less than the path says; then its root is all there is.
fn hierarchy(root: &str, path: Option<&str>) -> Option<Hierarchy> {
    let root = PathBuf::from(root);
    let own = root.join(path?.trim_start_matches('/'));
    let own = if own.is_dir() { own } else { root.clone() };
    Some(Hierarchy { root, own })
}

/// The lowest place from our own group upwards where a group has memory's files, else where one can
/// be made at all.
fn v2(hierarchy: &Hierarchy, obstacles: &mut Vec<String>) -> Option<Place> {
    let mut any = None;
    for base in hierarchy.own.ancestors().take_while(|base| base.starts_with(&hierarchy.root)) {
        match gauges(base, &Gauge::V2) {
            Ok(gauges) => {
                let place = Place { base: base.to_owned(), gauges };
                if place.gauges.contains(&Gauge::PeakV2) {
                    return Some(place);
                }
                any = any.or(Some(place));
            }
            Err(obstacle) => obstacles.push(obstacle),
        }
    }
    if any.is_some() {
        obstacles.push(format!(
            "version 2 at {} passes no memory controller on (cgroup.subtree_control)",
            hierarchy.root.display()
        ));
    }
    any
}

fn v1(of: &[Gauge], hierarchy: &Hierarchy, obstacles: &mut Vec<String>) -> Option<Place> {
    match gauges(&hierarchy.own, of) {
        Ok(gauges) => Some(Place { base: hierarchy.own.clone(), gauges }),
        Err(obstacle) => {
            obstacles.push(obstacle);
            None
        }
    }
}

/// Which of these files a group made here has.
fn gauges(base: &Path, of: &[Gauge]) -> Result<Vec<Gauge>, String> {
    let trial = base.join(format!("{NAME}{}-0", std::process::id()));
    std::fs::create_dir(&trial).map_err(|e| format!("{}: {e}", base.display()))?;
    let has = |gauge: &Gauge| trial.join(gauge.file()).exists();
    let found = of.iter().copied().filter(has).collect();
    let _ = std::fs::remove_dir(&trial);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> Hierarchy {
        Hierarchy { root: path.into(), own: path.into() }
    }

    #[test]
    fn hierarchies_are_found_by_controller() {
        // Would catch this process's path in one hierarchy used in another.
        let mounts = "\
tmpfs /t tmpfs rw 0 0
cgroup /t/cpu cgroup rw,relatime,cpu,cpuacct 0 0
cgroup /t/memory cgroup rw,relatime,memory,blkio 0 0
cgroup /t/pids cgroup rw,relatime,pids 0 0
cgroup2 /t/unified cgroup2 rw,nsdelegate 0 0
";
        let own = "4:memory,blkio:/deep/er\n3:cpu,cpuacct:/deep\n2:pids:/\n0::/init.scope\n";
        let layout = Layout::parse(mounts, own);
        // None of those directories exists here, so the roots stand for them.
        let v1 = vec![
            (vec![Gauge::CpuV1], at("/t/cpu")),
            (vec![Gauge::PeakV1, Gauge::IoV1], at("/t/memory")),
        ];
        assert_eq!(layout, Layout { v2: Some(at("/t/unified")), v1 });
        assert_eq!(own_path(own, "memory"), Some("/deep/er"));
        assert_eq!(own_path(own, "cpuacct"), Some("/deep"));
        assert_eq!(own_path(own, ""), Some("/init.scope"));
        assert_eq!(own_path(own, "freezer"), None);
    }

    #[test]
    fn nothing_mounted_is_said() {
        let candidates = Layout::parse("", "0::/\n").candidates();
        assert!(candidates.groups.is_empty());
        assert_eq!(candidates.obstacles, ["no control group hierarchy is mounted"]);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named_with_the_remedy() {
        let layout = Layout { v2: Some(at("/proc/self")), v1: vec![] };
        let candidates = layout.candidates();
        assert!(candidates.groups.is_empty());
        assert!(candidates.obstacles[0].starts_with("/proc/self: "), "{:?}", candidates.obstacles);
        assert_eq!(candidates.obstacles.last().unwrap(), REMEDY);
    }

    #[test]
    fn version_2_without_memory_comes_last() {
        // A plain directory: groups made in it have no files at all.
        let directory = tempfile::tempdir().unwrap();
        let here = directory.path().to_str().unwrap();
        let v1 = vec![(vec![Gauge::CpuV1], at(here))];
        let candidates = Layout { v2: Some(at(here)), v1 }.candidates();
        let kinds: Vec<Kind> = candidates.groups.iter().map(Groups::kind).collect();
        assert_eq!(kinds, [Kind::V1, Kind::V2, Kind::V2]);
        assert!(candidates.obstacles[0].contains("cgroup.subtree_control"));
        assert_eq!(std::fs::read_dir(here).unwrap().count(), 0, "the trial is removed");
    }
}
