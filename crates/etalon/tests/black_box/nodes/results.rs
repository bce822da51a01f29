//! Harnesses on other machines: their results are read where they are written.

use std::fs;

use super::on::{blocks_of_nodes, nothing_left};
use super::ssh::SshNodes;
use crate::support::{Ended, Lab, Running, has};

/// A harness that writes two benchmarks to the path that it is given, or prints them; the second is slower by so many
/// percent as a file says.
const HARNESS: &str = r#"slow=$(cat percent 2>/dev/null || echo 100)
entry() { printf '{"name":"%s","fullname":"t.py::%s","stats":{"iterations":1,"median":%s,"data":[%s,%s,0.9]}}' "$1" "$1" "$2" "$2" "$2"; }
{
    printf '{"machine_info":{"node":"x"},"version":"5.1","benchmarks":['
    entry a 0.002
    printf ,
    entry b "0.00$((slow * 20))"
    printf ']}'
} >"${1:-/dev/stdout}""#;

fn etalon(lab: &Lab, nodes: &SshNodes, words: &str) -> Ended {
    let mut command = lab.shell(&format!("cd m && exec \"$E\" {words}"));
    nodes.reachable(&mut command);
    Running::start(command).end()
}

/// Would catch results that are looked for on this machine, benchmarks that each node numbers by itself, readings that are
/// lost on their way, and a run that cannot be resumed.
#[test]
fn results_are_read_where_they_are_written() {
    let lab = Lab::new();
    let Some(nodes) = SshNodes::start(&lab, 2) else { return };
    fs::create_dir(lab.path("m")).unwrap();
    lab.script("m/h", HARNESS);
    for (tag, percent) in [("old", "100"), ("new", "150")] {
        lab.write("m/percent", percent);
        let git = format!(
            "cd m && git init -q . && git add -A && git -c user.name=n -c user.email=e commit -qm {tag} && git tag {tag}"
        );
        Running::start(lab.shell(&git)).end().expect(0);
    }
    lab.write("m/w.toml", "[[subject]]\ncommand = \"./h {results}\"\n[measure]\nruns = 12\nresults = \"pytest-benchmark\"\n");
    let (on, results) = ("--on ssh:n1,n2", "--results pytest-benchmark");
    for (words, benchmarks) in [
        (format!("cmd {on} -r 12 {results} --send percent './h {{results}}'"), 3),
        (format!("cmd {on} -r 12 -w 1 {results} --send percent ./h"), 3),
        (format!("cmd {on} -r 12 {results}=out.json --send percent './h out.json'"), 3),
        (format!("ab old {on} -r 12 --no-control {results} -- ./h '{{results}}'"), 6),
        (format!("run w.toml {on} --send percent"), 3),
    ] {
        let ended = etalon(&lab, &nodes, &words).expect(0);
        has(&ended.stdout, &["a", "b"]);
        let record = lab.record();
        let of_nodes = blocks_of_nodes(&record, 12);
        assert!(of_nodes.len() == 2 && !of_nodes.contains(&0), "{words}: {of_nodes:?}");
        assert_eq!(record.of_type("benchmark").len(), benchmarks, "{words}");
        let measured = record.measured();
        let with = measured.iter().filter(|it| it["readings"]["wall"][0].as_array().is_some());
        assert_eq!(with.clone().count(), 12 * (benchmarks - benchmarks / 3), "{words}");
        for observation in with {
            let all = observation["readings"]["wall"][0].as_array().expect("readings");
            assert!(all.len() == 3 && observation["node"].is_u64(), "{observation}");
        }
    }
    nothing_left(&lab, nodes, &["n1", "n2"]);
}
