//! hyperfine's options, in the order of its `--help` (2.0), and those that 1.x had besides.

use super::Here::{Nearly, Refused, Renamed, Same};
use super::{Habit, habit};

pub(super) const OPENING: &str = "\
`hyperfine OPTIONS COMMAND...` is `etalon cmd OPTIONS COMMAND...`. etalon
refuses an option that has another name here, and tells the name. The options
are those of hyperfine 2.0, then those of 1.21 that it dropped.
";

pub(super) const HABITS: &[Habit] = &[
    habit(
        "--metrics METRIC,...",
        &["--metrics"],
        Refused(
            "every metric is always measured; --metric wall, cpu, user, sys or rss says which one \
             ranks, --full prints all",
        ),
    ),
    habit("--env NAME=VALUE", &["--env"], Same),
    habit("-w, --warmup NUM", &["-w", "--warmup"], Same),
    habit("-m, --min-runs NUM", &["-m", "--min-runs"], Renamed("--min-blocks NUM")),
    habit("-M, --max-runs NUM", &["-M", "--max-runs"], Renamed("--max-blocks NUM")),
    habit("-r, --runs NUM", &["-r", "--runs"], Same),
    habit("-s CMD", &["-s"], Renamed("--setup CMD (-s takes a shell: '/bin/sh -c')")),
    habit("--setup CMD", &["--setup"], Same),
    habit("-p, --prepare CMD", &["-p", "--prepare"], Same),
    habit("-C CMD", &["-C"], Renamed("--conclude CMD")),
    habit("--conclude CMD", &["--conclude"], Same),
    habit("-c CMD", &["-c"], Renamed("--cleanup CMD")),
    habit("--cleanup CMD", &["--cleanup"], Same),
    habit("-P, --parameter-scan VAR MIN MAX", &["-P", "--parameter-scan"], Same),
    habit("-D DELTA", &["-D"], Renamed("--parameter-step-size DELTA")),
    habit("--parameter-step-size DELTA", &["--parameter-step-size"], Same),
    habit("-L, --parameter-list VAR VALUES", &["-L", "--parameter-list"], Same),
    habit("-S SHELL", &["-S"], Renamed("-s 'SHELL -c'")),
    habit(
        "--shell SHELL",
        &["--shell"],
        Renamed("--shell 'SHELL -c', with the option that takes a command"),
    ),
    habit("-S, --shell=default", &["--shell=default"], Renamed("--shell '/bin/sh -c'")),
    habit(
        "--shell=none",
        &["--shell=none"],
        Refused("leave it out, because no shell is used unless asked for"),
    ),
    habit("-N", &["-N"], Nearly("it leaves statistics out, too; no shell is used in any case")),
    habit("-i, --ignore-failure[=MODE]", &["-i", "--ignore-failure"], Same),
    habit(
        "--style TYPE",
        &[
            "--style=auto",
            "--style=basic",
            "--style=full",
            "--style=nocolor",
            "--style=color",
            "--style=none",
        ],
        Refused(
            "colours follow NO_COLOR and CLICOLOR_FORCE, --quiet leaves the progress out \
             (--style says whose report is printed)",
        ),
    ),
    habit("--export-asciidoc FILE", &["--export-asciidoc"], Same),
    habit(
        "--export-csv FILE",
        &["--export-csv"],
        Nearly("in BestGuess's columns; hyperfine's are --export-hyperfine FILE"),
    ),
    habit(
        "--export-json FILE",
        &["--export-json"],
        Nearly("for 2.0 only; `etalon convert --to hyperfine-1` writes that of 1.x"),
    ),
    habit("--export-markdown FILE", &["--export-markdown"], Same),
    habit("--export-orgmode FILE", &["--export-orgmode"], Same),
    habit("--show-output", &["--show-output"], Same),
    habit(
        "--output null|pipe|inherit",
        &["--output=null", "--output=pipe", "--output=inherit"],
        Renamed("--stdout null|pipe|inherit"),
    ),
    habit(
        "--output FILE",
        &["--output"],
        Renamed("--stdout FILE (-o and --output take the raw data)"),
    ),
    habit("--input null|FILE", &["--input"], Same),
    habit("-n NAME", &["-n"], Same),
    habit("--command-name NAME", &["--command-name"], Renamed("--name NAME")),
    habit("-h, --help", &["-h", "--help"], Same),
    habit("-V, --version", &["-V", "--version"], Renamed("etalon --version")),
    habit("--reference CMD", &["--reference"], Same),
    habit(
        "--reference-name NAME",
        &["--reference-name"],
        Renamed("-n NAME behind it, and --reference NAME"),
    ),
    habit("--sort METHOD", &["--sort"], Nearly("for exported tables only")),
    habit("-u UNIT", &["-u"], Renamed("--time-unit UNIT")),
    habit("--time-unit UNIT", &["--time-unit"], Nearly("for exported tables only")),
];
