//! Screens of `etalon history` and what is below it.

use super::Brief;

/// All of them.
pub(super) const ALL: &[Brief] = &[
    Brief {
        path: "etalon history",
        examples: &[
            ("etalon history add @last", "the last run, of the commit that it measured"),
            ("etalon history list", "series, those with the newest points first"),
            ("etalon history --html page.html", "all of them as a page"),
        ],
        options: &["html"],
        topics: &["formats"],
    },
    Brief {
        path: "etalon history add",
        examples: &[
            ("etalon history add @last", "a saved run"),
            ("etalon history add r.json --commit v1.2", "a file, of a revision"),
            ("etalon history add new.txt --series codec", "under another name"),
        ],
        options: &["commit", "branch", "time", "series", "project", "machine", "metrics"],
        topics: &["formats"],
    },
    Brief {
        path: "etalon history import",
        examples: &[
            ("etalon history import data.js", "of github-action-benchmark"),
            ("etalon history import results/", "of asv, or files named by commit"),
            ("etalon history import data.js --project web", "of another project"),
        ],
        options: &["commit", "branch", "time", "series", "project", "machine", "metrics"],
        topics: &["formats"],
    },
    Brief {
        path: "etalon history list",
        examples: &[
            ("etalon history list", "the newest 20"),
            ("etalon history list fib", "those with this word"),
            ("etalon history list --all", "all series"),
        ],
        options: &["number", "all"],
        topics: &[],
    },
    Brief {
        path: "etalon history show",
        examples: &[
            ("etalon history show fib", "the series of a benchmark"),
            ("etalon history show fib cpu main", "one of several"),
            ("etalon history show fib --format csv", "for other programs"),
        ],
        options: &["format"],
        topics: &[],
    },
    Brief {
        path: "etalon history check",
        examples: &[
            ("etalon history check", "all series, the worst first"),
            ("etalon history check --confirm", "measure what is suspected"),
            ("etalon history check --series codec --full", "those with this word, all of them"),
        ],
        options: &["series", "confirm", "false_alarms", "margin", "recent", "checks", "html"],
        topics: &["verdicts"],
    },
    Brief {
        path: "etalon history export",
        examples: &[
            ("etalon history export --to csv points.csv", "all points as a table"),
            ("etalon history export --to parquet points.parquet", "by columns"),
            ("etalon history export --to postgres postgres://h/db", "for a team"),
        ],
        options: &["to", "force"],
        topics: &["formats"],
    },
    Brief {
        path: "etalon history rebuild",
        examples: &[("etalon history rebuild", "from saved runs that were added")],
        options: &[],
        topics: &[],
    },
];
