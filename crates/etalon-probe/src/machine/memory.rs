//! Memory: how much the machine has.

use etalon_core::model::Context;

use super::bounded::Tree;
use super::put;

/// Adds `memory.total`.
pub(super) fn add(tree: &Tree<'_>, context: &mut Context) {
    put(context, "memory.total", total(tree));
}

/// `MemTotal` in bytes: what the kernel manages, a little less than what is built in.
fn total(tree: &Tree<'_>) -> Option<String> {
    field(tree, "MemTotal").map(|bytes| bytes.to_string())
}

/// `MemAvailable` in bytes: what programs can still get without pushing others out.
pub(super) fn available(tree: &Tree<'_>) -> Option<u64> {
    field(tree, "MemAvailable")
}

/// A field of /proc/meminfo in bytes. Its `kB` are 1024 bytes (proc_meminfo(5)); another unit is
/// not understood.
fn field(tree: &Tree<'_>, name: &str) -> Option<u64> {
    let text = tree.field("proc/meminfo", name, ':')?;
    let kibibytes: u64 = text.strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::fixture;
    use super::*;

    fn total_of(meminfo: &str) -> Option<String> {
        let dir = fixture(&[("proc/meminfo", meminfo)]);
        total(&Tree::new(dir.path()))
    }

    /// Catches kB taken for 1000 bytes, and a number made from text that is not one.
    #[test]
    fn total_is_in_bytes_or_absent() {
        let text = "MemTotal:       24684084 kB\nMemFree: 1 kB\n";
        assert_eq!(total_of(text).as_deref(), Some("25276502016"));
        for odd in ["MemFree: 1 kB\n", "MemTotal: many kB\n", "MemTotal: 5 MB\n"] {
            assert_eq!(total_of(odd), None, "{odd}");
        }
        assert_eq!(total_of(&format!("MemTotal: {} kB\n", u64::MAX)), None);
    }
}
