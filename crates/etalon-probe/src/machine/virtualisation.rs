//! Virtual machine: whether there is a hypervisor below, and which; and what the machine calls
//! itself.
//!
//! Order of evidence, after what systemd-detect-virt(1) does: names in DMI that only one hypervisor
//! gives; the hypervisor's signature in CPUID; names in DMI and the device tree that say less; the
//! CPU's `hypervisor` flag. DMI comes first because VirtualBox shows KVM's signature to Linux
//! guests. `none` needs a source that would have told.

use etalon_core::model::Context;

use super::bounded::Tree;
use super::cpuinfo::CpuInfo;
use super::{UNKNOWN, put};

/// The twelve letters a hypervisor signs with in CPUID leaf 0x4000_0000.
pub(super) type Signature = [u8; 12];

/// Beginnings of DMI vendor or product names that a single hypervisor gives.
const CERTAIN: [(&str, &str); 9] = [
    ("VMware", "vmware"),
    ("VMW", "vmware"),
    ("innotek GmbH", "virtualbox"),
    ("VirtualBox", "virtualbox"),
    ("HVM domU", "xen"),
    ("Parallels", "parallels"),
    ("BHYVE", "bhyve"),
    ("Virtual Machine", "hyperv"),
    ("Apple Virtualization", "apple"),
];

/// Beginnings of names that several hypervisors give, so that a signature outranks them.
const LIKELY: [(&str, &str); 5] = [
    ("KVM", "kvm"),
    ("KubeVirt", "kvm"),
    ("OpenStack", "kvm"),
    ("QEMU", "qemu"),
    ("Bochs", "qemu"),
];

/// Clouds that let whole machines, too, whose product name then ends in `metal`. (A vendor named
/// Google alone makes laptops.)
const CLOUDS: [(&str, &str); 2] = [("Amazon EC2", "amazon"), ("Google Compute Engine", "google")];

/// Signatures, from the list of Linux's `arch/x86/kernel/cpu/` and systemd's `virt.c`.
const SIGNATURES: [(&Signature, &str); 9] = [
    (b"KVMKVMKVM\0\0\0", "kvm"),
    (b"Linux KVM Hv", "kvm"),
    (b"VMwareVMware", "vmware"),
    (b"Microsoft Hv", "hyperv"),
    (b"XenVMMXenVMM", "xen"),
    (b"VBoxVBoxVBox", "virtualbox"),
    (b"TCGTCGTCGTCG", "qemu"),
    (b"bhyve bhyve ", "bhyve"),
    (b" lrpepyh  vr", "parallels"),
];

/// Adds `vm` and `machine.product`.
pub(super) fn add(
    tree: &Tree<'_>,
    info: &CpuInfo,
    signature: Option<Signature>,
    context: &mut Context,
) {
    let dmi = Dmi::read(tree);
    put(context, "vm", Some(kind(tree, &dmi, info.hypervisor, signature)));
    put(context, "machine.product", dmi.shown());
}

/// The firmware's names for the machine. Serial numbers are not read.
struct Dmi {
    vendor: Option<String>,
    product: Option<String>,
}

impl Dmi {
    fn read(tree: &Tree<'_>) -> Dmi {
        Dmi {
            vendor: tree.value("sys/class/dmi/id/sys_vendor"),
            product: tree.value("sys/class/dmi/id/product_name"),
        }
    }

    /// Vendor and product, as `Amazon EC2 m5.large`.
    fn shown(&self) -> Option<String> {
        let both: Vec<&str> = self.names().collect();
        (!both.is_empty()).then(|| both.join(" "))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        [&self.vendor, &self.product].into_iter().flatten().map(String::as_str)
    }

    /// The first of `kinds` that either name begins with.
    fn find(&self, kinds: &[(&str, &'static str)]) -> Option<&'static str> {
        let given = |start: &str| self.names().any(|name| name.starts_with(start));
        kinds.iter().find(|(start, _)| given(start)).map(|(_, kind)| *kind)
    }

    /// A cloud's virtual machine, told by name alone.
    fn cloud(&self) -> Option<&'static str> {
        let whole = self.product.as_deref().is_some_and(|name| name.ends_with("metal"));
        self.find(&CLOUDS).filter(|_| !whole)
    }
}

/// The hypervisor: `none`, its name, or `unknown`.
fn kind(
    tree: &Tree<'_>,
    dmi: &Dmi,
    flag: Option<bool>,
    signature: Option<Signature>,
) -> &'static str {
    let signed = signature.and_then(|given| {
        let known = SIGNATURES.iter().find(|(letters, _)| **letters == given);
        known.map(|(_, kind)| *kind)
    });
    let told = dmi
        .find(&CERTAIN)
        .or(signed)
        .or_else(|| dmi.find(&LIKELY))
        .or_else(|| xen(tree))
        .or_else(|| device_tree(tree));
    match (told, flag) {
        (Some(kind), _) => kind,
        (None, Some(false)) => "none",
        (None, Some(true)) => dmi.cloud().unwrap_or(UNKNOWN),
        // No flag on this architecture: the firmware's names or device tree would have told.
        (None, None) if dmi.names().next().is_some() => dmi.cloud().unwrap_or("none"),
        (None, None) if tree.exists("proc/device-tree/compatible") => "none",
        (None, None) => UNKNOWN,
    }
}

/// Paravirtual Xen guests have no DMI. A Xen host (dom0) shows a feature list with `control_d`.
fn xen(tree: &Tree<'_>) -> Option<&'static str> {
    let guest = tree.value("sys/hypervisor/type").as_deref() == Some("xen")
        && !tree.value("proc/xen/capabilities").is_some_and(|text| text.contains("control_d"));
    guest.then_some("xen")
}

/// Hypervisors on ARM describe themselves in the device tree.
fn device_tree(tree: &Tree<'_>) -> Option<&'static str> {
    match tree.value("proc/device-tree/hypervisor/compatible").as_deref() {
        Some("linux,kvm") => Some("kvm"),
        Some(other) if other.contains("xen") => Some("xen"),
        Some(other) if other.contains("vmware") => Some("vmware"),
        Some(_) => Some(UNKNOWN),
        None => tree.exists("proc/device-tree/fw-cfg@9020000").then_some("qemu"),
    }
}

/// The signature of the hypervisor below; absent without one. Costs two traps into it, some µs.
#[cfg(target_arch = "x86_64")]
#[allow(unused_unsafe)] // `__cpuid` became safe after the oldest Rust supported here
pub(super) fn signature() -> Option<Signature> {
    use std::arch::x86_64::__cpuid;

    /// Bit 31 of ECX in leaf 1: reserved by Intel and AMD for hypervisors to set.
    const PRESENT: u32 = 1 << 31;

    // SAFETY: every x86-64 CPU has the CPUID instruction and leaf 1.
    let basic = unsafe { __cpuid(1) };
    if basic.ecx & PRESENT == 0 {
        return None;
    }
    // SAFETY: as above; the leaf is only asked for where a hypervisor answers it.
    let answer = unsafe { __cpuid(0x4000_0000) };
    let mut letters = [0; 12];
    for (place, register) in letters.chunks_exact_mut(4).zip([answer.ebx, answer.ecx, answer.edx]) {
        place.copy_from_slice(&register.to_le_bytes());
    }
    Some(letters)
}

/// Other architectures have no signature.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn signature() -> Option<Signature> {
    None
}

#[cfg(test)]
mod tests {
    use super::super::fixture::fixture;
    use super::*;

    const KVM: Option<Signature> = Some(*b"KVMKVMKVM\0\0\0");

    fn vm(
        vendor: &str,
        product: &str,
        flag: Option<bool>,
        signature: Option<Signature>,
    ) -> &'static str {
        let dir = fixture(&[
            ("sys/class/dmi/id/sys_vendor", vendor),
            ("sys/class/dmi/id/product_name", product),
        ]);
        let tree = Tree::new(dir.path());
        kind(&tree, &Dmi::read(&tree), flag, signature)
    }

    /// Catches each hypervisor that is not told from its machine's names and signature.
    #[test]
    fn hypervisors_are_told_apart() {
        let (yes, none) = (Some(true), None);
        let cases = [
            (("VMware, Inc.", "VMware Virtual Platform"), yes, none, "vmware"),
            // VirtualBox shows KVM's signature.
            (("innotek GmbH", "VirtualBox"), yes, KVM, "virtualbox"),
            (("Microsoft Corporation", "Virtual Machine"), yes, none, "hyperv"),
            (("Xen", "HVM domU"), yes, none, "xen"),
            (("QEMU", "Standard PC (Q35 + ICH9, 2009)"), yes, KVM, "kvm"),
            (("QEMU", "Standard PC"), yes, Some(*b"TCGTCGTCGTCG"), "qemu"),
            (("QEMU", "KVM Virtual Machine"), None, none, "kvm"),
            (("Amazon EC2", "m5.large"), yes, KVM, "kvm"),
            (("Amazon EC2", "m7g.large"), None, none, "amazon"),
            (("Google", "Google Compute Engine"), yes, none, "google"),
            (("", ""), yes, KVM, "kvm"),
            (("", ""), yes, Some(*b"SomethingNew"), "unknown"),
            (("", ""), yes, none, "unknown"),
        ];
        for (names, flag, signature, expected) in cases {
            assert_eq!(vm(names.0, names.1, flag, signature), expected, "{names:?} {flag:?}");
        }
    }

    /// Catches whole machines called virtual: by a maker's name, or because a cloud lets them.
    #[test]
    fn whole_machines_are_none() {
        let no = Some(false);
        assert_eq!(vm("Microsoft Corporation", "Surface Pro", no, None), "none");
        assert_eq!(vm("Amazon EC2", "m5.metal", no, None), "none");
        assert_eq!(vm("Amazon EC2", "m7g.metal", None, None), "none");
        assert_eq!(vm("LENOVO", "20XW", no, None), "none");
        assert_eq!(vm("Google", "Kevin", None, None), "none");
        assert_eq!(vm("", "", no, None), "none");
        assert_eq!(vm("", "", None, None), "unknown");
    }

    /// Catches a Xen host called a guest, and ARM guests without DMI called unknown.
    #[test]
    fn files_tell_where_dmi_does_not() {
        let read = |files: &[(&str, &str)]| {
            let dir = fixture(files);
            let tree = Tree::new(dir.path());
            kind(&tree, &Dmi::read(&tree), None, None)
        };
        let xen = ("sys/hypervisor/type", "xen\n");
        assert_eq!(read(&[xen]), "xen");
        assert_ne!(read(&[xen, ("proc/xen/capabilities", "control_d\n")]), "xen");
        let node = "proc/device-tree/hypervisor/compatible";
        assert_eq!(read(&[(node, "linux,kvm\0")]), "kvm");
        assert_eq!(read(&[(node, "new,thing\0")]), "unknown");
        let board = ("proc/device-tree/compatible", "raspberrypi,4\0");
        assert_eq!(read(&[board]), "none");
    }

    /// Catches letters put together in the wrong order: the CPU's flag and its signature agree.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_signature_is_text_and_agrees_with_the_flag() {
        let flag = CpuInfo::read(&Tree::new(std::path::Path::new("/"))).hypervisor;
        let signature = signature();
        if let Some(flag) = flag {
            assert_eq!(signature.is_some(), flag);
        }
        let text = |byte: &u8| *byte == 0 || byte.is_ascii_graphic() || *byte == b' ';
        assert!(signature.is_none_or(|letters| letters.iter().all(text)));
    }

    /// Catches a lost half of the product's name.
    #[test]
    fn product_is_what_is_known() {
        let shown = |vendor: Option<&str>, product: Option<&str>| {
            let dmi =
                Dmi { vendor: vendor.map(str::to_owned), product: product.map(str::to_owned) };
            dmi.shown()
        };
        let both = shown(Some("Amazon EC2"), Some("m5.large"));
        assert_eq!(both.as_deref(), Some("Amazon EC2 m5.large"));
        assert_eq!(shown(Some("QEMU"), None).as_deref(), Some("QEMU"));
        assert_eq!(shown(None, None), None);
    }
}
