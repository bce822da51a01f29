//! What a command finds when it starts: size, signals, descriptors, directory, environment.

use etalon_record::Text;
use serde_json::Value;

use crate::Test;
use crate::lab::{Lab, own};

pub(crate) const TESTS: &[Test] = &[
    ("sizes_are_the_commands_own", sizes_are_the_commands_own),
    ("signals_are_at_their_defaults", signals_are_at_their_defaults),
    ("only_three_descriptors_are_open", only_three_descriptors_are_open),
    ("directory_and_environment_are_those_given", directory_and_environment_are_those_given),
    ("each_command_leads_a_group_of_its_own", each_command_leads_a_group_of_its_own),
];

/// The resident size that a small program may be reported with. It needs about 1 MB itself.
const SMALL: u64 = 2_500_000;

fn succeeds(script: &str) {
    let lab = Lab::shell(script);
    let ran = lab.run(1);
    assert_eq!(ran.only()["outcome"], Value::Null, "{script}: {}", ran.only());
}

/// Would catch peak memory that belongs to etalon, to the launcher, or to an earlier command.
fn sizes_are_the_commands_own() {
    let own = own();
    let ballast = std::hint::black_box(vec![1_u8; 300 << 20]);
    let ran = Lab::new(&[&[&own, "role-fat", "300"], &["true"]]).run(3);
    drop(ballast);
    assert!(ran.floor <= SMALL, "floor {}", ran.floor);
    for observation in &ran.observations {
        let rss = observation["values"]["rss"].as_u64().unwrap();
        let fat = observation["benchmark"] == 0;
        assert!(if fat { rss >= 300 << 20 } else { rss <= SMALL }, "{observation}");
    }
}

/// Would catch SIGPIPE ignored as Rust's runtime leaves it, and signals blocked by the launcher.
fn signals_are_at_their_defaults() {
    // Bits above 31 are real-time signals, which the C library reserves two of.
    succeeds("grep -q '^SigBlk:.0000000000000000' /proc/self/status");
    let inherited = status("SigIgn");
    succeeds(&format!(
        "test $(( 0x$(sed -n 's/^SigIgn:.//p' /proc/self/status) & ~0x{inherited} )) = 0"
    ));
    succeeds("test $(( 0x$(sed -n 's/^SigIgn:.//p' /proc/self/status) & 0x1000 )) = 0");
}

fn status(name: &str) -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.rsplit('\t').next().unwrap().to_owned()
}

/// Would catch the record, the socket or a pipe handed to commands, which could write to them.
fn only_three_descriptors_are_open() {
    // `ls` itself opens the directory it lists.
    succeeds("test \"$(echo $(ls /proc/self/fd))\" = '0 1 2 3'");
}

/// Would catch an empty environment, or etalon's directory in place of the one asked for.
fn directory_and_environment_are_those_given() {
    let mut lab = Lab::shell("test \"$PWD $ONLY\" = \"$HERE this\" && test -z \"$HOME\"");
    let here = lab.directory.path().canonicalize().unwrap();
    lab.setup.directory = Some(Text::from(here.as_os_str()));
    let path = std::env::var("PATH").unwrap();
    let pairs =
        [format!("PATH={path}"), "ONLY=this".to_owned(), format!("HERE={}", here.display())];
    lab.setup.environment = pairs.into_iter().map(Text::from).collect();
    let ran = lab.run(1);
    assert_eq!(ran.only()["outcome"], Value::Null);
}

/// Would catch a command in etalon's group, which a Ctrl-C would kill before it is noticed.
fn each_command_leads_a_group_of_its_own() {
    succeeds("set -- $(cat /proc/$$/stat); test $1 = $5");
}

/// Command lines of all processes that lead their session.
pub(crate) fn group_leaders() -> Vec<String> {
    let mut leaders = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let pid = stat.split(' ').next().unwrap_or_default().to_owned();
        let after = stat.rsplit(')').next().unwrap_or_default();
        if after.split_ascii_whitespace().nth(3) == Some(pid.as_str()) {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            leaders.push(String::from_utf8_lossy(&line).into_owned());
        }
    }
    leaders
}
