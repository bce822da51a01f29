//! `/proc/cpuinfo`, read once for the two who want something from it.
//!
//! On x86 only the first processor's block is read, because all say the same and each costs the
//! kernel time; on ARM all blocks, because big and little cores differ.

use super::bounded::{Tree, clean};

/// Fields of `/proc/cpuinfo`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CpuInfo {
    /// `model name`, as x86 has it.
    pub(super) model: Option<String>,
    /// ARM: `implementer 0x41 part 0xd0c`, once per kind of core, in the order they come.
    pub(super) parts: Vec<String>,
    /// Whether the CPU says that a hypervisor is present; absent where CPUs have no such flag.
    pub(super) hypervisor: Option<bool>,
}

impl CpuInfo {
    pub(super) fn read(tree: &Tree<'_>) -> CpuInfo {
        parse(tree.lines("proc/cpuinfo"))
    }
}

fn parse(lines: impl Iterator<Item = String>) -> CpuInfo {
    let mut info = CpuInfo::default();
    let mut implementer = None;
    for line in lines {
        if line.is_empty() && info.model.is_some() {
            break;
        }
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        match (key.trim(), value.trim()) {
            ("model name", value) if info.model.is_none() => info.model = clean(value),
            ("flags", value) if info.hypervisor.is_none() => {
                info.hypervisor = Some(value.split(' ').any(|flag| flag == "hypervisor"));
            }
            ("CPU implementer", value) => implementer = clean(value),
            ("CPU part", value) => {
                let both = implementer.take().zip(clean(value));
                let part = both.map(|(who, what)| format!("implementer {who} part {what}"));
                info.parts.extend(part.filter(|part| !info.parts.contains(part)));
            }
            _ => {}
        }
    }
    info
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> CpuInfo {
        parse(text.lines().map(str::to_owned))
    }

    /// Catches reading on past the first block, and a flag found inside another's name.
    #[test]
    fn x86_needs_the_first_block_only() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu vmm_hypervisor_x\n\n";
        let rest = "model name: never read\nflags: hypervisor\n";
        let lines = text.lines().map(str::to_owned);
        let info = parse(lines.chain(std::iter::from_fn(|| panic!("read on: {rest}"))));
        assert_eq!(info.model.as_deref(), Some("AMD EPYC"));
        assert_eq!(info.hypervisor, Some(false));
        let guest = parsed("model name: x\nflags: fpu hypervisor sse\n");
        assert_eq!(guest.hypervisor, Some(true));
    }

    /// Catches ARM without a model name being without any, kinds of cores being lost or repeated,
    /// and a missing flags line taken for "no hypervisor".
    #[test]
    fn arm_has_implementer_and_part() {
        let core =
            |part: &str| format!("processor: 0\nCPU implementer\t: 0x41\nCPU part\t: {part}\n\n");
        let text = [core("0xd05"), core("0xd05"), core("0xd41")].concat();
        let info = parsed(&text);
        assert_eq!(info.parts, ["implementer 0x41 part 0xd05", "implementer 0x41 part 0xd41"]);
        assert_eq!((info.model, info.hypervisor), (None, None));
    }
}
