//! What etalon is started in: few files, little memory, no `/proc`, another user. It measures, or says
//! which limit it met and how that is raised.

use crate::support::{Ended, Lab, Running, has};

/// Runs a shell script in which `$E` is the binary.
fn shell(lab: &Lab, script: &str) -> Ended {
    Running::start(lab.shell(script)).end()
}

/// Would catch a limit of open files taken for a missing `/proc` or for a suite that calls `os.exit`.
#[test]
fn few_open_files() {
    for (limit, command) in [
        (5, "cmd -r 2 true"),
        (8, "cmd -r 2 true"),
        (16, "run --budget 0.1s -r 1 -e 'return 1' -e 'return 2' -e 'return 3' -e 'return 4'"),
    ] {
        let lab = Lab::new();
        let ended = shell(&lab, &format!("ulimit -n {limit}; exec \"$E\" {command}")).expect(2);
        has(
            &ended.stderr,
            &["Too many open files", &format!("may have {limit} files"), "ulimit -n"],
        );
        assert!(!ended.stderr.contains("/proc mounted"), "{}", ended.stderr);
        assert!(!ended.stdout.contains("os.exit"), "{}", ended.stdout);
        lab.assert_nothing_left();
    }
    // Enough for one at a time.
    for command in ["cmd -N -r 2 true", "run -N --budget 0.1s -r 1 -e 'return 1'"] {
        let lab = Lab::new();
        shell(&lab, &format!("ulimit -n 16; exec \"$E\" {command}")).expect(0);
        assert!(!lab.record().measured().is_empty());
    }
}

/// Would catch a launcher that reserves more address space than a batch system gives.
#[test]
fn little_address_space() {
    for gigabytes in [1, 2, 4, 8] {
        let lab = Lab::new();
        let limit = gigabytes << 20; // KiB
        shell(&lab, &format!("ulimit -v {limit}; exec \"$E\" cmd -N -r 2 true")).expect(0);
        assert_eq!(lab.record().measured().len(), 2);
    }
}

/// Would catch anything that only root may do.
#[test]
fn another_user() {
    let lab = Lab::new();
    // SAFETY: no preconditions.
    let is_root = unsafe { libc::geteuid() } == 0;
    let script = if is_root {
        // Somebody else's home and working directory are made by and for them: nothing of the
        // laboratory changes hands. What lies on the way to the binary may be root's alone.
        "cp \"$E\" \"$PLACE/etalon\"; cd \"$PLACE\"; exec setpriv --reuid 65534 --regid 65534 \
         --clear-groups env ETALON_HOME=\"$PLACE/home\" ./etalon cmd -N -r 2 true"
    } else {
        "exec \"$E\" cmd -N -r 2 true"
    };
    let place = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(place.path(), is_root.then_some(65534), None).unwrap();
    let mut command = lab.shell(script);
    command.env("PLACE", place.path());
    let ended = Running::start(command).end().expect(0);
    has(&ended.stdout, &[", 2 executions"]);
}

/// Would catch a missing `/proc` that is not named, and peaks of memory that are believed without it: the launcher
/// cannot be made small there.
#[test]
fn no_proc() {
    let lab = Lab::new();
    // Whoever may not unmount it may mount something empty over it.
    let (apart, empty) = ("unshare --mount --map-root-user", "mount -t tmpfs none /proc");
    let possible = shell(&lab, &format!("{apart} {empty}"));
    if possible.code != Some(0) {
        return crate::support::skip("no mount namespace: no /proc");
    }
    let there =
        |command| shell(&lab, &format!("exec {apart} sh -c '{empty}; exec \"$E\" {command}'"));
    has(&there("run -r 1 -e return").expect(2).stderr, &["is /proc mounted"]);
    assert!(lab.saved().is_empty());
    let said = there("cmd -r 2 --full true").expect(0).stdout;
    has(&said, &["peak memory is at most about what is shown"]);
}
