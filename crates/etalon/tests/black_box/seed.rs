//! Every command line of BestGuess's README, name changed and programs shortened: it runs, and
//! prints the section that the README shows. Would catch a letter with another meaning, a section
//! that is gone, a file that has another number of lines.

use crate::support::{Lab, has};

/// Command line, and what its output must hold.
const WALK: &[(&[&str], &[&str])] = &[
    (
        &["cmd", "-r", "20", "ls -lR", "ls -l", "ps"],
        &[
            "Command 3: ps",
            "Mode    ╭      Min       Q₁   Median       Q₃      Max   ╮",
            "Total CPU time",
            "Context sw",
            "ranking",
        ],
    ),
    (&["cmd", "-r=20", "ps", "ls"], &["Command 2: ls", "Max RSS", "ranking"]),
    (
        &["cmd", "-o", "data.csv", "-M", "-r=25", "-s", "/bin/bash -c", "", "ls -l", "ls -a"],
        &[
            "Command 1: (empty)",
            "Mode    ╭      Min   Median      Max   ╮",
            "Wall clock",
            "ranking",
        ],
    ),
    (
        &["report", "-NB", "data.csv"],
        // How wide a box comes out depends on the slowest reading; goldens of the report crate hold its shape.
        &["Box plot legend", "1: (empty)", "3: ls -a", "ranking"],
    ),
    (
        &["cmd", "--export-csv", "summary.csv", "-N", "-r=20", "ls -l", "ls -a"],
        &["ranking", "ls -l"],
    ),
    (
        &["cmd", "-M", "-w", "5", "-r", "20", "-s", "/bin/bash -c", "", "ls -l"],
        &["(empty)", "Wall clock"],
    ),
    (
        &["cmd", "-M", "-w", "5", "-r", "20", "/bin/ls -l"],
        &["Command 1: /bin/ls -l", "Total CPU time"],
    ),
    (&["cmd", "-M", "-r", "20", "ls -a", "ls", "ps"], &["Command 1: ls -a", "ranking"]),
    (&["cmd", "-NG", "-r", "10", "/bin/bash", "ls"], &["Command 1: /bin/bash", "│▭▭▭", "ranking"]),
    (&["cmd", "-NB", "-r", "20", "/bin/bash", "ls"], &["Box plot legend", "2: ls", "ranking"]),
    (
        &["cmd", "-N", "-BE", "-r", "20", "/bin/bash", "ls"],
        &[
            "Box plot legend",
            "nferential statistics:",
            "Parameter",
            "Timed observations",
            "p-value (adjusted)",
            "Hodges-Lehmann",
            "Confidence interval",
            "Prob. of superiority",
        ],
    ),
    (
        &["report", "-M", "-D", "data.csv"],
        &[
            "Total CPU time distribution",
            "N (observations)",
            "Median",
            "Range",
            "IQR",
            "% of range",
            "AD normality",
            "Skew",
            "Excess kurtosis",
        ],
    ),
    (
        &["report", "-NT", "data.csv"],
        &["Total CPU time distribution tail", "Tail shape", "Q₀", "Q₄", "95", "99"],
    ),
];

#[test]
fn the_readme_of_bestguess() {
    let lab = Lab::new();
    for (arguments, sections) in WALK {
        // Its words, its quantities: what BestGuess prints for it.
        let arguments = [&arguments[..], &["--style", "bestguess"]].concat();
        has(&lab.done(arguments), sections);
    }
    // One header and 25 observations for each of 3 commands.
    assert_eq!(lab.read("data.csv").iter().filter(|byte| **byte == b'\n').count(), 76);
    let summary = String::from_utf8(lab.read("summary.csv")).unwrap();
    let header: Vec<&str> = summary.lines().next().unwrap().split(',').take(6).collect();
    assert_eq!(
        header.join(","),
        "Command,Shell,Runs (ct),Failed (ct),Total mode (μs),Total min (μs)"
    );
    assert_eq!(summary.lines().count(), 3);
}
