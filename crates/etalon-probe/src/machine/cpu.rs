//! CPU: model, counts, and the settings that change its speed.

use std::collections::BTreeSet;

use etalon_core::model::Context;

use super::bounded::Tree;
use super::cpuinfo::CpuInfo;
use super::{UNKNOWN, put};

/// Adds `cpu.*`.
pub(super) fn add(tree: &Tree<'_>, info: &CpuInfo, context: &mut Context) {
    put(context, "cpu.model", model(tree, info));
    put(context, "cpu.smt", smt(tree));
    put(context, "cpu.governor", Some(governor(tree)));
    put(context, "cpu.turbo", Some(turbo(tree)));
    let Some(online) = online(tree) else { return };
    let cores = online.count();
    put(context, "cpu.cores", Some(cores.to_string()));
    put(context, "cpu.cores_physical", physical(tree, &online).map(|n| n.to_string()));
    let usable = allowed(tree).map(|allowed| online.shared(&allowed));
    let restricted = usable.filter(|&usable| usable < cores);
    put(context, "cpu.affinity", restricted.map(|n| n.to_string()));
}

/// The model: by name (x86), or by numbers and board (ARM has no name in cpuinfo).
fn model(tree: &Tree<'_>, info: &CpuInfo) -> Option<String> {
    if info.model.is_some() {
        return info.model.clone();
    }
    let board = tree.value("proc/device-tree/model");
    let parts = (!info.parts.is_empty()).then(|| info.parts.join(", "));
    match (parts, board) {
        (Some(parts), Some(board)) => Some(format!("{parts} ({board})")),
        (parts, board) => parts.or(board),
    }
}

/// Simultaneous multithreading: whether some core has two of its threads online.
fn smt(tree: &Tree<'_>) -> Option<&'static str> {
    let active = tree.value("sys/devices/system/cpu/smt/active");
    let control = tree.value("sys/devices/system/cpu/smt/control");
    match (active.as_deref(), control.as_deref()) {
        (Some("1"), _) => Some("on"),
        (_, Some("notsupported")) => Some("unsupported"),
        (Some("0"), _) => Some("off"),
        _ => None,
    }
}

/// The governors of all frequency domains, each once.
fn governor(tree: &Tree<'_>) -> String {
    let found = per_domain(tree, "scaling_governor");
    if found.is_empty() {
        return UNKNOWN.to_owned();
    }
    found.into_iter().collect::<Vec<_>>().join(", ")
}

/// The different values of one attribute of the frequency domains.
fn per_domain(tree: &Tree<'_>, attribute: &str) -> BTreeSet<String> {
    const DOMAINS: &str = "sys/devices/system/cpu/cpufreq";
    let domains = tree.names(DOMAINS).into_iter();
    domains
        .filter(|name| name.starts_with("policy"))
        .filter_map(|name| tree.value(&format!("{DOMAINS}/{name}/{attribute}")))
        .collect()
}

/// Frequencies above the nominal one: by intel_pstate, by cpufreq for all, or for each domain
/// (amd-pstate, since Linux 6.11).
fn turbo(tree: &Tree<'_>) -> &'static str {
    let all = tree.value("sys/devices/system/cpu/intel_pstate/no_turbo");
    match all.as_deref() {
        Some("0") => return "on",
        Some("1") => return "off",
        _ => {}
    }
    let one = tree.value("sys/devices/system/cpu/cpufreq/boost");
    let found = match one {
        Some(one) => BTreeSet::from([one]),
        None => per_domain(tree, "boost"),
    };
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    match found.as_slice() {
        ["1"] => "on",
        ["0"] => "off",
        ["0", "1"] => "mixed",
        _ => UNKNOWN,
    }
}

/// The CPUs online.
fn online(tree: &Tree<'_>) -> Option<CpuList> {
    CpuList::parse(&tree.value("sys/devices/system/cpu/online")?)
}

/// The CPUs this process may use: affinity and cpuset together.
fn allowed(tree: &Tree<'_>) -> Option<CpuList> {
    CpuList::parse(&tree.field("proc/self/status", "Cpus_allowed_list", ':')?)
}

/// Cores with a thread online. Without active SMT each CPU is one; otherwise threads of one core
/// show the same siblings. Absent if the topology of only some could be read.
fn physical(tree: &Tree<'_>, online: &CpuList) -> Option<u64> {
    let active = tree.value("sys/devices/system/cpu/smt/active");
    if active.as_deref() == Some("0") {
        return Some(online.count());
    }
    let siblings = online.each().map(|cpu| {
        let file = format!("sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        tree.value(&file)
    });
    let cores: BTreeSet<String> = siblings.collect::<Option<_>>()?;
    u64::try_from(cores.len()).ok()
}

/// A list of CPUs as the kernel writes it (`0-3,8`), as ascending ranges without overlap.
struct CpuList(Vec<(u32, u32)>);

impl CpuList {
    /// `None` for anything but an ascending, non-empty list.
    fn parse(text: &str) -> Option<CpuList> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for part in text.split(',') {
            let (lo, hi) = part.split_once('-').unwrap_or((part, part));
            let (lo, hi) = (lo.parse().ok()?, hi.parse().ok()?);
            let after = ranges.last().is_none_or(|last| last.1 < lo);
            if !after || lo > hi {
                return None;
            }
            ranges.push((lo, hi));
        }
        Some(CpuList(ranges))
    }

    fn count(&self) -> u64 {
        self.shared(self)
    }

    /// How many CPUs are on both lists.
    fn shared(&self, other: &CpuList) -> u64 {
        let pairs = self.0.iter().flat_map(|a| other.0.iter().map(move |b| (a, b)));
        pairs
            .map(|(a, b)| (a.0.max(b.0), a.1.min(b.1)))
            .filter(|(lo, hi)| lo <= hi)
            .map(|(lo, hi)| u64::from(hi - lo) + 1)
            .sum()
    }

    fn each(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|&(lo, hi)| lo..=hi)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{fixture, put as put_file};
    use super::*;

    const CPU: &str = "sys/devices/system/cpu";

    fn context_of(files: &[(&str, &str)]) -> Context {
        let dir = fixture(files);
        let tree = Tree::new(dir.path());
        let mut context = Context::new();
        add(&tree, &CpuInfo::read(&tree), &mut context);
        context
    }

    /// Catches one CPU's governor given out for all.
    #[test]
    fn different_governors_are_all_named() {
        let dir = fixture(&[]);
        for (domain, name) in [(0, "powersave"), (1, "performance"), (2, "powersave")] {
            let file = format!("{CPU}/cpufreq/policy{domain}/scaling_governor");
            put_file(dir.path(), &file, &format!("{name}\n"));
        }
        put_file(dir.path(), &format!("{CPU}/cpufreq/ondemand/scaling_governor"), "x");
        assert_eq!(governor(&Tree::new(dir.path())), "performance, powersave");
    }

    /// Catches the inverse meaning of intel's `no_turbo`, a made-up "off" where nothing is known,
    /// and domains that differ being taken for one.
    #[test]
    fn turbo_is_read_from_either_source() {
        let cases: [(&[(&str, &str)], &str); 7] = [
            (&[("intel_pstate/no_turbo", "0\n")], "on"),
            (&[("intel_pstate/no_turbo", "1\n")], "off"),
            (&[("cpufreq/boost", "1\n")], "on"),
            (&[("cpufreq/boost", "0\n")], "off"),
            (&[("cpufreq/boost", "?\n")], "unknown"),
            (&[("cpufreq/policy0/boost", "1"), ("cpufreq/policy1/boost", "0")], "mixed"),
            (&[], "unknown"),
        ];
        for (files, expected) in cases {
            let dir = fixture(&[]);
            for (name, content) in files {
                put_file(dir.path(), &format!("{CPU}/{name}"), content);
            }
            assert_eq!(turbo(&Tree::new(dir.path())), expected, "{files:?}");
        }
    }

    /// Catches threads counted as cores, and a count from half a topology.
    #[test]
    fn siblings_make_one_core() {
        let dir = fixture(&[
            ("sys/devices/system/cpu/online", "0-3\n"),
            ("sys/devices/system/cpu/smt/active", "1\n"),
        ]);
        for (cpu, siblings) in [(0, "0,2"), (1, "1,3"), (2, "0,2")] {
            let file = format!("{CPU}/cpu{cpu}/topology/thread_siblings_list");
            put_file(dir.path(), &file, siblings);
        }
        let tree = Tree::new(dir.path());
        let online = online(&tree).unwrap();
        assert_eq!(physical(&tree, &online), None);
        let last = format!("{CPU}/cpu3/topology/thread_siblings_list");
        put_file(dir.path(), &last, "1,3");
        assert_eq!(physical(&tree, &online), Some(2));
    }

    /// Catches an affinity noted where there is no restriction, and offline CPUs counted as usable.
    #[test]
    fn affinity_is_there_only_if_restricted() {
        let with = |allowed: &str| {
            let status = format!("Name:\tx\nCpus_allowed_list:\t{allowed}\n");
            context_of(&[
                ("sys/devices/system/cpu/online", "0-7\n"),
                ("sys/devices/system/cpu/smt/active", "0\n"),
                ("proc/self/status", &status),
            ])
        };
        assert_eq!(with("0-7").get("cpu.affinity"), None);
        assert_eq!(with("0-127").get("cpu.affinity"), None);
        let context = with("2,6-9");
        assert_eq!(context["cpu.affinity"], "3");
        assert_eq!(context["cpu.cores"], "8");
        assert_eq!(context["cpu.cores_physical"], "8");
    }

    /// Catches nonsense lists becoming counts (and a huge range being walked).
    #[test]
    fn malformed_lists_are_absent() {
        for text in ["", "a", "3-1", "1,1", "0-3,2", "0-", "-1", "0-99999999999"] {
            assert!(CpuList::parse(text).is_none(), "{text}");
        }
        let huge = CpuList::parse("0-4294967295").unwrap();
        assert_eq!(huge.count(), 1 << 32);
    }

    /// Catches "unsupported" read as off, and a made-up state.
    #[test]
    fn smt_has_three_states() {
        let state = |active: &str, control: &str| {
            let dir = fixture(&[
                ("sys/devices/system/cpu/smt/active", active),
                ("sys/devices/system/cpu/smt/control", control),
            ]);
            smt(&Tree::new(dir.path()))
        };
        assert_eq!(state("1", "on"), Some("on"));
        assert_eq!(state("0", "forceoff"), Some("off"));
        assert_eq!(state("0", "notsupported"), Some("unsupported"));
        assert_eq!(state("0", "notimplemented"), Some("off"));
        assert_eq!(state("?", ""), None);
    }

    /// Catches an ARM machine without a model.
    #[test]
    fn arm_model_has_numbers_and_board() {
        let core = "CPU implementer : 0x41\nCPU part : 0xd08\n\n";
        let context = context_of(&[
            ("proc/cpuinfo", core),
            ("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0"),
        ]);
        let expected = "implementer 0x41 part 0xd08 (Raspberry Pi 4 Model B Rev 1.4)";
        assert_eq!(context["cpu.model"], expected);
        let context = context_of(&[("proc/cpuinfo", core)]);
        assert_eq!(context["cpu.model"], "implementer 0x41 part 0xd08");
    }
}
