//! The tables of a shared history, how an older one gets them, and how rows are merged into them.
//!
//! They are those of [`crate::schema`] in a schema `etalon`, with readings as arrays and points beside each other as one
//! view. A step is never changed once it was released. Names may be longer than an index of PostgreSQL takes: those of
//! benchmarks and facts are unique by their hash.

/// The steps from nothing to the newest schema.
pub(super) const STEPS: &[&str] = &[FIRST];

const FIRST: &str = "
CREATE SCHEMA etalon;
CREATE TABLE etalon.steps(taken bigint NOT NULL);
INSERT INTO etalon.steps VALUES(0);
CREATE TABLE etalon.series(
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project text NOT NULL,
    benchmark text NOT NULL,
    metric text NOT NULL,
    unit text NOT NULL,
    branch text NOT NULL,
    machine text NOT NULL,
    kind text NOT NULL CHECK(kind IN ('ratio', 'absolute')),
    better text NOT NULL CHECK(better IN ('lower', 'higher', 'neither'))
);
CREATE UNIQUE INDEX ON etalon.series(project, md5(benchmark), metric, unit, branch, machine, kind);
CREATE TABLE etalon.version(
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project text NOT NULL,
    name text NOT NULL,
    position bigint,
    time double precision NOT NULL,
    UNIQUE(project, name)
);
CREATE TABLE etalon.facts(
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    text text NOT NULL
);
CREATE UNIQUE INDEX ON etalon.facts(md5(text));
CREATE TABLE etalon.source(
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE
);
CREATE TABLE etalon.point(
    series bigint NOT NULL,
    version bigint NOT NULL,
    anchor bigint NOT NULL,
    value double precision NOT NULL,
    lo double precision,
    hi double precision,
    level double precision NOT NULL,
    n bigint NOT NULL,
    runs bigint NOT NULL,
    facts bigint NOT NULL,
    PRIMARY KEY(series, version, anchor)
);
CREATE TABLE etalon.part(
    series bigint NOT NULL,
    version bigint NOT NULL,
    anchor bigint NOT NULL,
    source bigint NOT NULL,
    turn bigint NOT NULL,
    value double precision NOT NULL,
    lo double precision,
    hi double precision,
    n bigint NOT NULL,
    print bigint NOT NULL,
    readings double precision[] NOT NULL,
    PRIMARY KEY(series, version, anchor, source, turn)
);
CREATE TABLE etalon.confirmation(
    series bigint NOT NULL,
    version bigint NOT NULL,
    anchor bigint NOT NULL,
    source bigint NOT NULL,
    value double precision NOT NULL,
    lo double precision,
    hi double precision,
    n bigint NOT NULL,
    PRIMARY KEY(series, version, anchor, source)
);
CREATE VIEW etalon.points AS
    SELECT s.project, s.benchmark, s.metric, s.unit, s.better, s.branch, s.machine, s.kind, v.name AS commit,
        v.position, v.time, a.name AS anchor, p.value, p.lo, p.hi, p.level, p.n, p.runs, f.text AS facts
    FROM etalon.point p
    JOIN etalon.series s ON s.id = p.series
    JOIN etalon.version v ON v.id = p.version
    LEFT JOIN etalon.version a ON a.id = p.anchor
    JOIN etalon.facts f ON f.id = p.facts;
";

/// Tables of this connection that batches are copied into, empty after each transaction.
pub(super) const BATCH: &str = "
CREATE TEMP TABLE new_point(LIKE etalon.point INCLUDING INDEXES) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE new_part(LIKE etalon.part INCLUDING INDEXES) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE new_pooled(LIKE etalon.point INCLUDING INDEXES) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE new_confirmation(LIKE etalon.confirmation INCLUDING INDEXES) ON COMMIT DELETE ROWS;
";

/// How many points of a batch are not there yet.
pub(super) const NEW: &str = "
SELECT count(*) FROM new_point p WHERE NOT EXISTS (SELECT FROM etalon.point known WHERE known.series = p.series
    AND known.version = p.version AND known.anchor = p.anchor)
";

/// Runs of a batch: a record that grew replaces what it said before, and a copy under another name counts once.
pub(super) const PARTS: &str = "
INSERT INTO etalon.part AS known SELECT * FROM new_part p
WHERE NOT EXISTS (SELECT FROM etalon.part other WHERE other.series = p.series AND other.version = p.version
    AND other.anchor = p.anchor AND other.source <> p.source AND other.print = p.print)
ON CONFLICT (series, version, anchor, source, turn) DO UPDATE SET value = excluded.value, lo = excluded.lo,
    hi = excluded.hi, n = excluded.n, print = excluded.print, readings = excluded.readings
WHERE known.print <> excluded.print AND known.n <= excluded.n
";

/// Points of which others have other runs are marked.
pub(super) const MIXED: &str = "
UPDATE new_point p SET runs = 0 WHERE
    (SELECT array_agg(print ORDER BY print) FROM etalon.part WHERE series = p.series AND version = p.version
        AND anchor = p.anchor)
    IS DISTINCT FROM
    (SELECT array_agg(print ORDER BY print) FROM new_part WHERE series = p.series AND version = p.version
        AND anchor = p.anchor)
";

/// All runs of these.
pub(super) const RUNS: &str = "
SELECT p.series, p.version, p.anchor, p.value, p.lo, p.hi, p.n FROM etalon.part p
JOIN new_point new USING (series, version, anchor) WHERE new.runs = 0
ORDER BY series, version, anchor, p.source, p.turn
";

/// Their points, by all runs together.
pub(super) const POOLED: &str = "
UPDATE new_point p SET value = pooled.value, lo = pooled.lo, hi = pooled.hi, n = pooled.n, runs = pooled.runs
FROM new_pooled pooled WHERE pooled.series = p.series AND pooled.version = p.version AND pooled.anchor = p.anchor
";

/// Points of a batch. Rows that are as they were are not written again.
pub(super) const POINTS: &str = "
INSERT INTO etalon.point AS known SELECT * FROM new_point
ON CONFLICT (series, version, anchor) DO UPDATE SET value = excluded.value, lo = excluded.lo, hi = excluded.hi,
    level = excluded.level, n = excluded.n, runs = excluded.runs, facts = excluded.facts
WHERE (known.value, known.lo, known.hi, known.level, known.n, known.runs, known.facts)
    IS DISTINCT FROM
    (excluded.value, excluded.lo, excluded.hi, excluded.level, excluded.n, excluded.runs, excluded.facts)
";

/// Pairs of commits that were measured against each other.
pub(super) const CONFIRMATIONS: &str = "
INSERT INTO etalon.confirmation SELECT * FROM new_confirmation
ON CONFLICT (series, version, anchor, source) DO UPDATE SET value = excluded.value, lo = excluded.lo,
    hi = excluded.hi, n = excluded.n
";

/// A table of names: rows are known by what they say, since their numbers differ from file to file.
pub(super) struct Names {
    /// Its name.
    pub(super) table: &'static str,
    /// Its columns but the number, with their types.
    pub(super) columns: &'static [(&'static str, Column)],
    /// Whether a row of `known` is one of `new`.
    pub(super) is_same: &'static str,
    /// The end of the statement: how a row that is there changes.
    pub(super) conflict: &'static str,
}

/// The nature of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Whole,
    Number,
    Text,
    /// Numbers one behind the other.
    Readings,
    /// The number of a row in one of [`NAMES`], which is another one there.
    Named(usize),
}

pub(super) const SERIES: usize = 0;
pub(super) const VERSION: usize = 1;
pub(super) const FACTS: usize = 2;
pub(super) const SOURCE: usize = 3;

/// All of them.
pub(super) const NAMES: [Names; 4] = [
    Names {
        table: "series",
        columns: &[
            ("project", Column::Text),
            ("benchmark", Column::Text),
            ("metric", Column::Text),
            ("unit", Column::Text),
            ("branch", Column::Text),
            ("machine", Column::Text),
            ("kind", Column::Text),
            ("better", Column::Text),
        ],
        is_same: "(known.project, known.benchmark, known.metric, known.unit, known.branch, known.machine, known.kind) \
                  = (new.project, new.benchmark, new.metric, new.unit, new.branch, new.machine, new.kind)",
        conflict: "ON CONFLICT DO NOTHING",
    },
    Names {
        table: "version",
        columns: &[
            ("project", Column::Text),
            ("name", Column::Text),
            ("position", Column::Whole),
            ("time", Column::Number),
        ],
        is_same: "(known.project, known.name) = (new.project, new.name)",
        // Its place is noted as soon as somebody knows it.
        conflict: "ON CONFLICT (project, name) DO UPDATE SET position = excluded.position, time = excluded.time \
                   WHERE known.position IS NULL AND excluded.position IS NOT NULL",
    },
    Names {
        table: "facts",
        columns: &[("text", Column::Text)],
        is_same: "known.text = new.text",
        conflict: "ON CONFLICT DO NOTHING",
    },
    Names {
        table: "source",
        columns: &[("name", Column::Text)],
        is_same: "known.name = new.name",
        conflict: "ON CONFLICT DO NOTHING",
    },
];

/// A table of numbers: its name here and there, and its columns.
pub(super) struct Rows {
    pub(super) table: &'static str,
    pub(super) columns: &'static [(&'static str, Column)],
}

/// The place of a point.
const PLACE: [(&str, Column); 3] = [
    ("series", Column::Named(SERIES)),
    ("version", Column::Named(VERSION)),
    ("anchor", Column::Named(VERSION)),
];

pub(super) const POINT: Rows = Rows {
    table: "point",
    columns: &[
        PLACE[0],
        PLACE[1],
        PLACE[2],
        ("value", Column::Number),
        ("lo", Column::Number),
        ("hi", Column::Number),
        ("level", Column::Number),
        ("n", Column::Whole),
        ("runs", Column::Whole),
        ("facts", Column::Named(FACTS)),
    ],
};

pub(super) const PART: Rows = Rows {
    table: "part",
    columns: &[
        PLACE[0],
        PLACE[1],
        PLACE[2],
        ("source", Column::Named(SOURCE)),
        ("turn", Column::Whole),
        ("value", Column::Number),
        ("lo", Column::Number),
        ("hi", Column::Number),
        ("n", Column::Whole),
        ("print", Column::Whole),
        ("readings", Column::Readings),
    ],
};

pub(super) const CONFIRMATION: Rows = Rows {
    table: "confirmation",
    columns: &[
        PLACE[0],
        PLACE[1],
        PLACE[2],
        ("source", Column::Named(SOURCE)),
        ("value", Column::Number),
        ("lo", Column::Number),
        ("hi", Column::Number),
        ("n", Column::Whole),
    ],
};
