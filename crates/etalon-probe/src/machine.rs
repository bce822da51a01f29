//! Machine facts: what a record says about the machine, the system and the working tree it was
//! measured on.
//!
//! | key | meaning | read from |
//! | --- | --- | --- |
//! | `machine.host` | host name, to tell machines apart | `/proc/sys/kernel/hostname` |
//! | `machine.arch` | architecture etalon was built for, as `x86_64`, `aarch64` | the build |
//! | `machine.product` | maker and model; on clouds the instance type | DMI `sys_vendor`, `product_name` |
//! | `cpu.model` | model name; on ARM implementer and part numbers and the board | `/proc/cpuinfo`, device tree |
//! | `cpu.cores` | logical CPUs online | `/sys/devices/system/cpu/online` |
//! | `cpu.cores_physical` | distinct cores with a CPU online | sysfs topology |
//! | `cpu.affinity` | online CPUs this process may use, only if fewer than all | `/proc/self/status` |
//! | `cpu.governor` | frequency governor, several joined by `, `; `unknown` | sysfs cpufreq |
//! | `cpu.turbo` | `on`, `off`, `mixed`, `unknown` | intel_pstate, cpufreq boost |
//! | `cpu.smt` | `on`, `off`, `unsupported` | `/sys/devices/system/cpu/smt` |
//! | `memory.total` | bytes | `/proc/meminfo` |
//! | `kernel.name` | `Linux` | `/proc/sys/kernel/ostype` |
//! | `kernel.release` | kernel release | `/proc/sys/kernel/osrelease` |
//! | `kernel.aslr` | `off`, `partial`, `full`, as children of this process get it | `randomize_va_space`, personality |
//! | `load.1min` | load average when the facts were first read | `/proc/loadavg` |
//! | `os` | name and version of the distribution | os-release |
//! | `container` | `none`, `docker`, `podman`, `lxc`, `kubernetes`, … `unknown` | marker files, pid 1, cgroups, mounts |
//! | `vm` | `none`, `kvm`, `vmware`, `qemu`, … `unknown` | DMI, CPUID, cpuinfo flags, device tree |
//! | `commit` | commit id checked out in the git working tree around the directory | `.git` |
//! | `env.PATH` | value of `PATH` | passed in |
//! | `env.LANG` | value of `LANG` | passed in |
//! | `env.LC_*` | value of each `LC_…` variable | passed in |
//!
//! A fact that cannot be read is not in the context; only the four keys with `unknown` above are
//! always there. No value is guessed. Nothing else about the user is read: no serial numbers, no
//! other environment value, no process is started. Which facts are a reason for a note is decided
//! elsewhere.
//!
//! Cost, by `examples/facts.rs` on a virtual machine with two CPUs: 0.2 ms, 0.4 ms the first time.
//! Each file read is about 6 µs of it; with cpufreq and SMT there are up to three more files for
//! every logical CPU.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

use etalon_core::model::Context;

pub(crate) mod bounded;
mod commit;
mod container;
mod cpu;
mod cpuinfo;
#[cfg(test)]
pub(crate) mod fixture;
mod kernel;
mod memory;
mod virtualisation;

pub use commit::{Repository, commit_of, repository_around, repository_at};

use bounded::Tree;
use cpuinfo::CpuInfo;
use virtualisation::Signature;

/// The word where a row is wanted and nothing could be found out.
const UNKNOWN: &str = "unknown";

/// The facts about this machine, by the keys in the module's table, as they were when they were first asked for. `cwd`
/// is the directory whose commit is wanted, `environment` what the process was given.
pub fn facts(cwd: &Path, environment: impl IntoIterator<Item = (OsString, OsString)>) -> Context {
    let mut context = facts_at(Path::new("/"));
    around(&mut context, cwd, environment);
    context
}

/// Bytes of memory that programs can still get; absent where the system does not say.
#[must_use]
pub fn available_memory() -> Option<u64> {
    memory::available(&Tree::new(Path::new("/")))
}

/// [`facts`] as files under `root` tell them, for a fixture or another system's mounted `/proc`,
/// `/sys` and `/etc`; `machine.arch` stays this build's. Without commit and environment.
#[must_use]
pub(crate) fn facts_under(root: &Path) -> Context {
    read(&Tree::new(root), None)
}

/// The facts about the machine whose files are under `root`. Those of this one are read once: a record wants them, and
/// so does what it says of their fitness.
pub(crate) fn facts_at(root: &Path) -> Context {
    static HERE: OnceLock<Context> = OnceLock::new();
    let here = Path::new("/");
    match root == here {
        true => HERE.get_or_init(|| read(&Tree::new(here), virtualisation::signature())).clone(),
        false => facts_under(root),
    }
}

/// The facts that come from the system's files, and from what the CPU says about its hypervisor.
fn read(tree: &Tree<'_>, signature: Option<Signature>) -> Context {
    let info = CpuInfo::read(tree);
    let mut context = Context::new();
    put(&mut context, "machine.arch", Some(std::env::consts::ARCH));
    cpu::add(tree, &info, &mut context);
    memory::add(tree, &mut context);
    kernel::add(tree, &mut context);
    virtualisation::add(tree, &info, signature, &mut context);
    put(&mut context, "container", Some(container::kind(tree)));
    context
}

/// Adds the facts that belong to this execution: commit and environment. A value that is not UTF-8
/// is shown with U+FFFD in place of what is not; a name that is not UTF-8 is none of ours.
fn around(
    context: &mut Context,
    cwd: &Path,
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) {
    put(context, "commit", commit_of(cwd));
    for (name, value) in environment {
        let Some(name) = name.to_str() else { continue };
        if name == "PATH" || name == "LANG" || name.starts_with("LC_") {
            let value = value.to_string_lossy().into_owned();
            context.insert(format!("env.{name}"), value);
        }
    }
}

/// Adds a fact if there is one.
fn put(context: &mut Context, key: &str, value: Option<impl Into<String>>) {
    if let Some(value) = value {
        context.insert(key.to_owned(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::fixture;
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        let owned = |(name, value): &(&str, &str)| (name.into(), value.into());
        pairs.iter().map(owned).collect()
    }

    /// Catches private values finding their way into a record.
    #[test]
    fn only_path_and_locale_are_taken_from_the_environment() {
        let dir = fixture(&[]);
        let given = environment(&[
            ("PATH", "/bin"),
            ("LANG", "C"),
            ("LC_ALL", "C.UTF-8"),
            ("LANGUAGE", "de"),
            ("PATHEXT", "x"),
            ("AWS_SECRET_ACCESS_KEY", "x"),
        ]);
        let mut context = Context::new();
        around(&mut context, dir.path(), given);
        let keys: Vec<_> =
            context.keys().map(String::as_str).filter(|key| *key != "commit").collect();
        assert_eq!(keys, ["env.LANG", "env.LC_ALL", "env.PATH"]);
        assert_eq!(context["env.LC_ALL"], "C.UTF-8");
    }

    /// Catches made-up values: under an empty root there is nothing but the four rows that are
    /// always wanted and what the build knows.
    #[test]
    fn an_empty_root_gives_nothing_but_the_wanted_rows() {
        let dir = fixture(&[]);
        let context = facts_under(dir.path());
        let found: Vec<_> =
            context.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let expected = [
            ("container", UNKNOWN),
            ("cpu.governor", UNKNOWN),
            ("cpu.turbo", UNKNOWN),
            ("machine.arch", std::env::consts::ARCH),
            ("vm", UNKNOWN),
        ];
        assert_eq!(found, expected);
    }

    /// Catches a key that the table above does not explain, on this machine.
    #[test]
    fn every_key_is_in_the_table() {
        let table = include_str!("machine.rs");
        let given = environment(&[("PATH", "/bin"), ("LC_TIME", "C")]);
        for key in facts(Path::new("/"), given).keys() {
            let shown = if key.starts_with("env.LC_") { "env.LC_*" } else { key };
            assert!(table.contains(&format!("//! | `{shown}` |")), "{key}");
        }
    }

    /// Catches garbage in place of files ending in a panic or in the context.
    #[test]
    fn garbage_files_add_nothing() {
        let noise = "\u{1}\u{0}=:\n::\n=\n".repeat(20_000);
        let dir = fixture(&[
            ("proc/cpuinfo", &noise),
            ("proc/meminfo", &noise),
            ("proc/self/status", &noise),
            ("proc/loadavg", &noise),
            ("proc/sys/kernel/hostname", &noise),
            ("proc/sys/kernel/randomize_va_space", &noise),
            ("etc/os-release", &noise),
            ("sys/devices/system/cpu/online", &noise),
            ("sys/devices/system/cpu/cpufreq/boost", &noise),
            ("sys/class/dmi/id/sys_vendor", &noise),
        ]);
        let context = facts_under(dir.path());
        assert_eq!(context.len(), 5, "{context:?}");
    }
}
