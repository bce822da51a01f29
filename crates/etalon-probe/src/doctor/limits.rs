//! Limits of the control groups that this process is in: CPU time and memory.
//!
//! Every group on the way to the root may limit; the tightest one holds. Version 1 and version 2 are looked at, because
//! hybrid systems have both. "No limit" takes a hierarchy that could be looked at.

use crate::machine::bounded::Tree;

/// The allowance of the control groups around this process.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// CPU time.
    pub cpus: Quota,
    /// How often this process's group was stopped because its CPU time was used up; absent where nobody counts.
    pub throttled: Option<u64>,
    /// Memory, where it is limited.
    pub memory: Option<MemoryLimit>,
}

/// A limit of CPU time.
#[derive(Debug, Clone, PartialEq)]
pub enum Quota {
    /// Nobody knows.
    Unknown,
    /// There is none.
    None,
    /// So many CPUs' worth, by this file.
    Cpus {
        /// Quota over period.
        cpus: f64,
        /// The file that sets it, as an absolute path.
        file: String,
    },
}

/// A limit of memory, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryLimit {
    /// The largest amount that may be used.
    pub most: u64,
    /// The amount in use; absent where nobody says.
    pub used: Option<u64>,
}

/// Where control groups are mounted.
const MOUNT: &str = "sys/fs/cgroup";

/// Where hybrid systems mount version 2.
const UNIFIED: &str = "sys/fs/cgroup/unified";

/// Version 1 writes a number near 2⁶³ for "no limit".
const NO_LIMIT: u64 = 1 << 62;

pub(super) fn read(tree: &Tree<'_>) -> Limits {
    let own: Vec<String> = tree.lines("proc/self/cgroup").collect();
    let cpu = groups(tree, &own, "cpu");
    let memory = groups(tree, &own, "memory");
    Limits {
        cpus: quota(tree, &cpu),
        throttled: cpu.iter().find_map(|group| throttled(tree, group)),
        memory: memory.iter().filter_map(|group| memory_of(tree, group)).min_by_key(|m| m.most),
    }
}

/// This process's groups with this controller, and those above them, the innermost first, in every hierarchy that is
/// there. A path that is not there is that of a container's host; then the root of the mount is all there is.
fn groups(tree: &Tree<'_>, own: &[String], controller: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in own {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(names), Some(path)) = (fields.next(), fields.next()) else { continue };
        let roots = if names.is_empty() {
            vec![MOUNT.to_owned(), UNIFIED.to_owned()]
        } else if names.split(',').any(|name| name == controller) {
            vec![format!("{MOUNT}/{names}"), format!("{MOUNT}/{controller}")]
        } else {
            continue;
        };
        let is_there = |root: &&String| match names {
            "" => tree.exists(&format!("{root}/cgroup.controllers")),
            _ => tree.exists(root),
        };
        let Some(root) = roots.iter().find(is_there) else { continue };
        let path = path.trim_end_matches('/');
        let path = if tree.exists(&format!("{root}{path}")) { path } else { "" };
        found.extend(upwards(path).map(|path| format!("{root}{path}")));
    }
    found
}

/// A path and all above it; the last is the root, which is empty.
fn upwards(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(above, _)| above))
}

fn quota(tree: &Tree<'_>, groups: &[String]) -> Quota {
    if groups.is_empty() {
        return Quota::Unknown;
    }
    let limits = groups.iter().filter_map(|group| quota_of(tree, group));
    let tightest = limits.min_by(|a, b| a.0.total_cmp(&b.0));
    tightest.map_or(Quota::None, |(cpus, file)| Quota::Cpus { cpus, file: format!("/{file}") })
}

/// Quota and period: `cpu.max` of version 2 has both, `max` for no limit; version 1 has a file each, -1 for no limit.
fn quota_of(tree: &Tree<'_>, group: &str) -> Option<(f64, String)> {
    let one = format!("{group}/cpu.cfs_quota_us");
    let (file, quota, period) = match tree.value(&format!("{group}/cpu.max")) {
        Some(both) => {
            let (quota, period) = both.split_once(' ')?;
            (format!("{group}/cpu.max"), quota.to_owned(), period.to_owned())
        }
        None => {
            (one.clone(), tree.value(&one)?, tree.value(&format!("{group}/cpu.cfs_period_us"))?)
        }
    };
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.parse().ok()?);
    (quota > 0.0 && period > 0.0).then(|| (quota / period, file))
}

fn throttled(tree: &Tree<'_>, group: &str) -> Option<u64> {
    tree.field(&format!("{group}/cpu.stat"), "nr_throttled", ' ')?.parse().ok()
}

fn memory_of(tree: &Tree<'_>, group: &str) -> Option<MemoryLimit> {
    let number = |name: &str| tree.value(&format!("{group}/{name}"))?.parse::<u64>().ok();
    let of = |most: &str, used: &str| {
        let most = number(most).filter(|most| *most < NO_LIMIT)?;
        Some(MemoryLimit { most, used: number(used) })
    };
    of("memory.max", "memory.current")
        .or_else(|| of("memory.limit_in_bytes", "memory.usage_in_bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::fixture;

    fn limits_of(files: &[(&str, &str)]) -> Limits {
        let dir = fixture(files);
        read(&Tree::new(dir.path()))
    }

    fn cpus(cpus: f64, file: &str) -> Quota {
        Quota::Cpus { cpus, file: file.to_owned() }
    }

    /// Catches a limit that is not seen because it is a group's above, and one group's taken for the tightest.
    #[test]
    fn the_tightest_group_on_the_way_holds() {
        let found = limits_of(&[
            ("proc/self/cgroup", "0::/a.slice/b.scope\n"),
            ("sys/fs/cgroup/cgroup.controllers", "cpu memory\n"),
            ("sys/fs/cgroup/a.slice/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/a.slice/b.scope/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/a.slice/b.scope/cpu.stat", "nr_periods 9\nnr_throttled 4\n"),
            ("sys/fs/cgroup/a.slice/memory.max", "1000\n"),
            ("sys/fs/cgroup/a.slice/memory.current", "10\n"),
            ("sys/fs/cgroup/a.slice/b.scope/memory.max", "max\n"),
        ]);
        assert_eq!(found.cpus, cpus(1.5, "/sys/fs/cgroup/a.slice/cpu.max"));
        assert_eq!(found.throttled, Some(4));
        assert_eq!(found.memory, Some(MemoryLimit { most: 1000, used: Some(10) }));
    }

    /// Catches a container's limit that is looked for under the path that its host calls it by.
    #[test]
    fn a_container_sees_its_group_as_the_root() {
        let found = limits_of(&[
            ("proc/self/cgroup", "4:cpu,cpuacct:/docker/ab\n3:memory:/docker/ab\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"),
            ("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "4096\n"),
        ]);
        assert_eq!(found.cpus, cpus(0.5, "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us"));
        assert_eq!(found.memory, Some(MemoryLimit { most: 4096, used: None }));
    }

    /// Catches -1 and a number near 2⁶³ taken for limits, and "none" said of what could not be looked at.
    #[test]
    fn no_limit_is_not_unknown() {
        let found = limits_of(&[
            ("proc/self/cgroup", "4:cpu:/\n3:memory:/\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
            ("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ]);
        assert_eq!((found.cpus, found.memory), (Quota::None, None));
        let hidden = limits_of(&[("proc/self/cgroup", "4:cpu:/\n0::/\n")]);
        assert_eq!(hidden.cpus, Quota::Unknown);
    }
}
