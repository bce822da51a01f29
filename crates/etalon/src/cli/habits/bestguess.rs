//! BestGuess's options (0.7): its README's, and those of its `--help` besides.

use super::Here::{Nearly, Refused, Renamed, Same};
use super::{Habit, habit};

pub(super) const OPENING: &str = "\
`bestguess OPTIONS COMMAND...` is `etalon cmd OPTIONS COMMAND...`; `bestreport
OPTIONS FILE...` is `etalon report OPTIONS FILE...`. --style bestguess prints
its listings, ranked by CPU time.
";

pub(super) const HABITS: &[Habit] = &[
    habit("-w, --warmup K", &["-w", "--warmup"], Same),
    habit(
        "-r, --runs N",
        &["-r", "--runs"],
        Nearly("without it, etalon measures until the intervals are narrow"),
    ),
    habit("-p, --prepare, --pre CMD", &["-p", "--prepare", "--pre"], Same),
    habit("-i, --ignore-failure", &["-i", "--ignore-failure"], Same),
    habit("--show-output", &["--show-output"], Same),
    habit("-s, --shell CMD", &["-s", "--shell"], Same),
    habit("-n, --name NAME", &["-n", "--name"], Same),
    habit(
        "-o, --output FILE",
        &["-o", "--output"],
        Nearly("in its columns where FILE ends in .csv, else in JSON Lines"),
    ),
    habit("--export-csv FILE", &["--export-csv"], Same),
    habit("--hyperfine-csv FILE", &["--hyperfine-csv"], Same),
    habit("-f, --file FILE", &["-f", "--file"], Same),
    habit("-M, --mini-stats", &["-M", "--mini-stats"], Same),
    habit("-N, --no-stats", &["-N", "--no-stats"], Same),
    habit("-G, --graph", &["-G", "--graph"], Same),
    habit("-B, --boxplot", &["-B", "--boxplot"], Same),
    habit("-E, --explain", &["-E", "--explain"], Same),
    habit("-D, --dist-stats", &["-D", "--dist-stats"], Same),
    habit("-T, --tail-stats", &["-T", "--tail-stats"], Same),
    habit("-x KEY=VALUE", &["-x"], Same),
    habit("--config", &["--config"], Refused("-E shows the settings with their values")),
    habit(
        "-A, --action ACTION",
        &["-A", "--action"],
        Refused("the subcommand says it: `etalon cmd` measures, `etalon report` reports"),
    ),
    habit("-v, --version", &["-v", "--version"], Renamed("etalon --version")),
    habit("-h, --help", &["-h", "--help"], Same),
];
