//! Container: whether this process runs in one, and whose.
//!
//! Signs, the most telling first: Kubernetes' own (they sit on top of another runtime's), marker
//! files that runtimes leave inside, what pid 1 was told (`container=`, an agreement of systemd's
//! "Container Interface"), names in cgroup paths, and where `/etc/hosts` and its like are mounted
//! from, which still tells when a cgroup namespace hides the path. `none` needs a readable cgroup
//! file without any of them; a runtime that leaves no sign is therefore `none`.

use super::UNKNOWN;
use super::bounded::{Tree, clean};

/// Files that only exist inside.
const MARKERS: [(&str, &str); 4] = [
    ("var/run/secrets/kubernetes.io", "kubernetes"),
    ("run/secrets/kubernetes.io", "kubernetes"),
    (".dockerenv", "docker"),
    ("run/.containerenv", "podman"),
];

/// Parts of cgroup paths. `kubepods` first, because such paths name the runtime, too.
const CGROUPS: [(&str, &str); 7] = [
    ("kubepods", "kubernetes"),
    ("libpod", "podman"),
    ("/docker/", "docker"),
    ("/docker-", "docker"),
    ("/lxc/", "lxc"),
    ("/lxc.payload", "lxc"),
    ("/machine.slice/systemd-nspawn", "systemd-nspawn"),
];

/// Parts of the paths that a container's `/etc/hosts` is mounted from.
const MOUNTS: [(&str, &str); 3] = [
    ("/kubelet/pods/", "kubernetes"),
    ("/docker/containers/", "docker"),
    ("/overlay-containers/", "podman"),
];

/// The kind of container: `none`, a runtime's name, or `unknown`.
pub(super) fn kind(tree: &Tree<'_>) -> String {
    let groups = ["proc/1/cgroup", "proc/self/cgroup"].map(|name| tree.bytes(name));
    let readable = groups.iter().any(Option::is_some);
    let groups = groups.into_iter().flatten().flatten().collect::<Vec<u8>>();
    let group = named(&String::from_utf8_lossy(&groups), &CGROUPS);
    let mount = mounted(tree);
    let kubernetes = [group, mount].into_iter().flatten().find(|k| *k == "kubernetes");
    let marker = || MARKERS.iter().find(|(name, _)| tree.exists(name));
    kubernetes
        .or_else(|| marker().map(|(_, kind)| *kind))
        .map(str::to_owned)
        .or_else(|| told(tree))
        .or_else(|| group.or(mount).map(str::to_owned))
        .unwrap_or_else(|| if readable { "none" } else { UNKNOWN }.to_owned())
}

/// The first of the parts that the text contains.
fn named(text: &str, parts: &[(&str, &'static str)]) -> Option<&'static str> {
    let found = parts.iter().find(|(part, _)| text.contains(part));
    found.map(|(_, kind)| *kind)
}

/// The container that pid 1 was told, from systemd's copy (readable by all) or its environment (root only).
fn told(tree: &Tree<'_>) -> Option<String> {
    let copy = tree.value("run/systemd/container");
    let name = copy.or_else(|| {
        let environment = tree.bytes("proc/1/environ")?;
        let mut variables = environment.split(|byte| *byte == 0);
        let value = variables.find_map(|variable| variable.strip_prefix(b"container="))?;
        clean(std::str::from_utf8(value).ok()?)
    })?;
    Some(match name.as_str() {
        "lxc-libvirt" => "lxc".to_owned(),
        _ => name,
    })
}

/// Who mounted this process's `/etc/hosts`, `hostname` or `resolv.conf`, after proc_pid_mountinfo(5):
/// the fourth field is the source's path in its file system, the fifth the mount point. A mount
/// elsewhere says nothing, since a container's host has those, too.
fn mounted(tree: &Tree<'_>) -> Option<&'static str> {
    const FILES: [&str; 3] = ["/etc/hosts", "/etc/hostname", "/etc/resolv.conf"];
    tree.lines("proc/self/mountinfo").find_map(|line| {
        let mut fields = line.split(' ').skip(3);
        let (source, point) = (fields.next()?, fields.next()?);
        FILES.contains(&point).then(|| named(source, &MOUNTS))?
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::fixture;
    use super::*;

    fn kind_of(files: &[(&str, &str)]) -> String {
        let dir = fixture(files);
        kind(&Tree::new(dir.path()))
    }

    const ROOT: (&str, &str) = ("proc/1/cgroup", "0::/\n");

    /// Catches a runtime that is not recognised by each of its signs alone.
    #[test]
    fn every_sign_is_enough() {
        let hosts = "22 27 8:1 /var/lib/docker/containers/ab/hosts /etc/hosts rw - ext4 a b\n";
        let pod = "22 27 8:1 /var/lib/kubelet/pods/u/etc-hosts /etc/hosts rw - ext4 a b\n";
        let cases = [
            (".dockerenv", "", "docker"),
            ("run/.containerenv", "", "podman"),
            ("run/secrets/kubernetes.io/x", "", "kubernetes"),
            ("proc/1/environ", "A=1\0container=lxc\0B=2", "lxc"),
            ("proc/1/environ", "container=lxc-libvirt\0", "lxc"),
            ("run/systemd/container", "systemd-nspawn", "systemd-nspawn"),
            ("proc/self/cgroup", "4:cpu:/docker/ab\n", "docker"),
            ("proc/self/cgroup", "0::/system.slice/docker-ab.scope\n", "docker"),
            ("proc/self/cgroup", "0::/machine.slice/libpod-ab.scope\n", "podman"),
            ("proc/self/cgroup", "0::/lxc.payload.box\n", "lxc"),
            ("proc/self/cgroup", "0::/kubepods/besteffort/pod1/ab\n", "kubernetes"),
            ("proc/self/mountinfo", hosts, "docker"),
            ("proc/self/mountinfo", pod, "kubernetes"),
        ];
        for (file, content, expected) in cases {
            assert_eq!(kind_of(&[ROOT, (file, content)]), expected, "{file} {content}");
        }
    }

    /// Catches the runtime below Kubernetes being named in its place.
    #[test]
    fn kubernetes_comes_before_its_runtime() {
        let group = ("proc/1/cgroup", "4:cpu:/kubepods/pod1/docker-ab.scope\n");
        assert_eq!(kind_of(&[group, (".dockerenv", "")]), "kubernetes");
    }

    /// Catches the host of containers being called one: its mounts are elsewhere, and its own
    /// service's group is no container's.
    #[test]
    fn a_host_of_containers_is_none() {
        let mounts = "22 27 0:5 / /var/lib/docker/containers/ab/mounts/shm rw - tmpfs a b\n";
        let files = [
            ("proc/1/cgroup", "0::/init.scope\n"),
            ("proc/self/cgroup", "0::/system.slice/docker.service\n"),
            ("proc/1/environ", "HOME=/\0TERM=linux\0"),
            ("proc/self/mountinfo", mounts),
        ];
        assert_eq!(kind_of(&files), "none");
    }

    /// Catches "none" said without having seen anything.
    #[test]
    fn nothing_readable_is_unknown() {
        assert_eq!(kind_of(&[]), "unknown");
        assert_eq!(kind_of(&[ROOT]), "none");
    }
}
