//! Settings of the system that can be changed and put back by writing a word to a file.
//!
//! Owns where they are and how they read. Refuses to say which value is better.

use std::path::Path;

use super::{CPU, DOMAINS, chosen, domains};
use crate::machine::bounded::Tree;

/// Which setting a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The governor of a frequency domain.
    Governor,
    /// `intel_pstate/no_turbo`: 1 is off.
    NoTurbo,
    /// A `boost`: 0 is off.
    Boost,
    /// When memory is given in huge pages.
    HugePages,
    /// Whether pages are moved between nodes.
    NumaBalancing,
    /// The source of the kernel's clock.
    ClockSource,
    /// Whether cores have several threads. The last one, because CPUs and their own settings come and go with it.
    Smt,
}

/// A setting as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Which it is.
    pub kind: Kind,
    /// Its file, below the root.
    pub file: String,
    /// Its value.
    pub value: String,
    /// The values it may have, where a file says so.
    pub choices: Vec<String>,
}

const HUGE_PAGES: &str = "sys/kernel/mm/transparent_hugepage/enabled";
const CLOCK: &str = "sys/devices/system/clocksource/clocksource0";

/// All that are there, in the order in which they may be changed; backwards they may be put back.
#[must_use]
pub fn settings(root: &Path) -> Vec<Setting> {
    let tree = Tree::new(root);
    let read = |kind, file: String, choices: Option<String>| {
        let value = tree.value(&file).map(|text| chosen(&text))?;
        let words = choices.and_then(|file| tree.value(&file)).unwrap_or_default();
        let choices = words.split_whitespace().map(str::to_owned);
        Some(Setting { kind, file, value, choices: choices.collect() })
    };
    let domains = domains(&tree);
    let governors = domains.iter().map(|domain| {
        let available = format!("{domain}/scaling_available_governors");
        read(Kind::Governor, format!("{domain}/scaling_governor"), Some(available))
    });
    let boosts = domains.iter().map(|domain| read(Kind::Boost, format!("{domain}/boost"), None));
    let single = [
        read(Kind::NoTurbo, format!("{CPU}/intel_pstate/no_turbo"), None),
        read(Kind::Boost, format!("{DOMAINS}/boost"), None),
        read(Kind::HugePages, HUGE_PAGES.to_owned(), None),
        read(Kind::NumaBalancing, "proc/sys/kernel/numa_balancing".to_owned(), None),
        read(
            Kind::ClockSource,
            format!("{CLOCK}/current_clocksource"),
            Some(format!("{CLOCK}/available_clocksource")),
        ),
        read(Kind::Smt, format!("{CPU}/smt/control"), None),
    ];
    let all: Vec<Option<Setting>> = governors.chain(boosts).collect();
    all.into_iter().chain(single).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fixture::fixture;

    /// Catches a setting without its choices, one choice taken for all, and threads switched off before the CPUs that
    /// go with them had their own settings changed.
    #[test]
    fn settings_have_values_and_choices_and_threads_come_last() {
        let dir = fixture(&[
            (&format!("{CPU}/smt/control"), "on\n"),
            (HUGE_PAGES, "[always] madvise never\n"),
            (&format!("{DOMAINS}/policy0/scaling_governor"), "powersave\n"),
            (&format!("{DOMAINS}/policy0/scaling_available_governors"), "performance powersave\n"),
            ("proc/sys/kernel/numa_balancing", "1\n"),
        ]);
        let all = settings(dir.path());
        let kinds: Vec<Kind> = all.iter().map(|setting| setting.kind).collect();
        assert_eq!(kinds, [Kind::Governor, Kind::HugePages, Kind::NumaBalancing, Kind::Smt]);
        assert_eq!(all[0].choices, ["performance", "powersave"]);
        assert_eq!((all[1].value.as_str(), all[1].choices.len()), ("always", 0));
        assert_eq!((all[3].value.as_str(), all[3].choices.len()), ("on", 0));
    }
}
