//! What can be written in an experiment file: its keys, each with its meaning. The published schema is made from here.
//!
//! Owns the shape. Refuses to decide anything: what a file means is worked out in [`super::cells`], a door and
//! [`super::page`].

use etalon_run::services::ServiceSpecs;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

/// Texts with a place in the file, for errors.
pub(crate) type Placed = Spanned<String>;

/// An experiment of etalon: what is measured, how, and the tables that show it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    /// What the experiment is called. Without one, as the file.
    pub(crate) title: Option<String>,
    /// What tells cells apart: by name of an axis its values. Cells are all combinations of them. `{job}` is a value of
    /// the axis `job`, `{job.args}` a field of it, in commands, names, environments and directories; `{{` is a brace.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, Vec<Value>>")]
    pub(crate) axes: IndexMap<Placed, Vec<Value>>,
    /// Combinations that are left out: by axis a value or several; all that is written in one has to hold.
    #[serde(default)]
    pub(crate) exclude: Vec<Where>,
    /// Combinations that stay although they are left out.
    #[serde(default)]
    pub(crate) include: Vec<Where>,
    /// What is executed for each combination: commands, told apart by their names, or Lua suites.
    #[serde(default)]
    #[schemars(with = "Vec<Subject>")]
    pub(crate) subject: Vec<Spanned<Subject>>,
    /// What programs print, by the name of the metric. etalon measures its own besides: wall, cpu, rss and others.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, Metric>")]
    pub(crate) metric: IndexMap<Placed, Metric>,
    /// How it is measured.
    #[serde(default)]
    pub(crate) measure: Measure,
    /// Executed once before everything, by /bin/sh -c.
    #[schemars(with = "Option<String>")]
    pub(crate) setup: Option<Placed>,
    /// Executed once after everything, also after a failure or Ctrl-C, by /bin/sh -c.
    #[schemars(with = "Option<String>")]
    pub(crate) cleanup: Option<Placed>,
    /// Files that are written before everything and taken away after it, by their path.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, Generated>")]
    pub(crate) file: IndexMap<Placed, Generated>,
    /// What is started before everything and stopped after it, by its name.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, Service>")]
    pub(crate) service: ServiceSpecs,
    /// The tables, in their order.
    #[serde(default)]
    pub(crate) table: Vec<Table>,
    /// The page that `--format markdown` makes.
    #[serde(default)]
    pub(crate) page: Option<Page>,
    /// The machines whose figures the page shows. Without any, the one that measured.
    #[serde(default)]
    #[schemars(with = "Vec<Machine>")]
    pub(crate) machine: Vec<Spanned<Machine>>,
    /// The benchmarks there are, or should be; the page checks them against what was measured.
    #[serde(default)]
    #[schemars(with = "Vec<Inventoried>")]
    pub(crate) inventory: Vec<Spanned<Inventoried>>,
}

/// A machine whose figures the page shows.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Machine {
    /// What it is called.
    pub(crate) name: String,
    /// Its processor. Without one, what the data say.
    pub(crate) cpu: Option<String>,
    /// Its cores. Without any, what the data say.
    pub(crate) cores: Option<String>,
    /// How figures came about. Without it, the number of readings behind each.
    pub(crate) sampling: Option<String>,
    /// What else is to be said.
    pub(crate) notes: Option<String>,
    /// Files with its figures, in any format that etalon reads, relative to this file. The one machine without any is
    /// the one that measures.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(crate) data: Vec<Placed>,
    /// Where the files come from, as `--from` has it, if their beginnings do not say so: `table` for CSV with units in
    /// the headings. A column `NAME-spread %` is then the spread of the metric `NAME`.
    #[schemars(with = "Option<String>")]
    pub(crate) from: Option<Placed>,
}

/// A benchmark that there is, or should be.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Inventoried {
    /// What it is called in the data, or its value of the axis `benchmark`; `Benchmark` in front and the number of
    /// processors behind may be left out.
    pub(crate) benchmark: String,
    /// Where it is written.
    pub(crate) location: Option<String>,
    /// What it works on.
    pub(crate) backend: Option<String>,
    /// The table of results it belongs to.
    pub(crate) group: Option<String>,
    /// Whether it is still to be written.
    #[serde(default)]
    pub(crate) planned: bool,
    /// What is to be said of it.
    pub(crate) notes: Option<String>,
}

/// A part of the inventory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Inventory {
    /// Everything.
    All,
    /// What is not planned.
    Written,
    /// What is planned.
    Planned,
}

/// A value of an axis.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "a value of an axis is a text, a number, true or false, or a table with a name"
)]
pub(crate) enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// true or false.
    Flag(bool),
    /// A value with fields, such as `{ name = "array-16", args = "array 16", about = "16 integers" }`. `about` is what
    /// the page says of it.
    Fields {
        /// What it is called.
        name: Box<Scalar>,
        /// Everything else.
        #[serde(flatten)]
        fields: IndexMap<String, Scalar>,
    },
}

/// A plain value.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a text, a number, true or false")]
pub(crate) enum Scalar {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// true or false.
    Flag(bool),
}

/// Conditions of a combination: by axis a value, or several.
pub(crate) type Where = IndexMap<Key, OneOrMore>;

/// The name of an axis, with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Key(#[schemars(with = "String")] pub(crate) Placed);

/// A value, or several.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a value, or a list of values")]
pub(crate) enum OneOrMore {
    /// One.
    One(Scalar),
    /// Any of these.
    Several(Vec<Scalar>),
}

/// What is executed for each combination of values.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Subject {
    /// What it is called, beside the values. Without one, as the experiment.
    #[schemars(with = "Option<String>")]
    pub(crate) name: Option<Placed>,
    /// The command. No shell reads it. `etalon` as its first word is the etalon that measures, so that
    /// `etalon lua FILE` needs no installed Lua.
    #[schemars(with = "Option<String>")]
    pub(crate) command: Option<Placed>,
    /// A Lua suite instead of a command, relative to this file. Of a suite whose cases have a param that is called like
    /// an axis, a combination measures the cases with its value.
    #[schemars(with = "Option<String>")]
    pub(crate) suite: Option<Placed>,
    /// A package of Go instead of a command, as `go test` names it, relative to this file: its test binary is built once.
    #[schemars(with = "Option<String>")]
    pub(crate) go: Option<Placed>,
    /// Its benchmarks that a combination executes, as `go test -bench` takes them. Without any, the one that the axis
    /// `benchmark` names: `Join/small` is `^BenchmarkJoin$/^small$`.
    #[schemars(with = "Option<String>")]
    pub(crate) bench: Option<Placed>,
    /// How long or how often, as `go test -benchtime` takes it: `100ms`, `50x`.
    #[schemars(with = "Option<String>")]
    pub(crate) benchtime: Option<Placed>,
    /// What is handed to the test binary besides, such as `-integration`.
    #[schemars(with = "Option<String>")]
    pub(crate) arguments: Option<Placed>,
    /// The Lua that executes the suite: `embedded`, `openresty`, a program in PATH or its path. Without one, embedded.
    #[schemars(with = "Option<String>")]
    pub(crate) lua: Option<Placed>,
    /// What the JIT compiler of that Lua does: `on` or `off`.
    #[schemars(with = "Option<String>")]
    pub(crate) jit: Option<Placed>,
    /// Only these combinations: by axis a value or several.
    #[serde(default)]
    pub(crate) only: Where,
    /// A command without whose success a subject is `not installed`, and not an error. Executed once before it, by
    /// /bin/sh -c.
    #[schemars(with = "Option<String>")]
    pub(crate) requires: Option<Placed>,
    /// Variables of its environment.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, String>")]
    pub(crate) env: IndexMap<String, Placed>,
    /// The directory it is executed in. Without one, that of the file.
    #[schemars(with = "Option<String>")]
    pub(crate) cwd: Option<Placed>,
    /// Executed before each execution, not timed, by /bin/sh -c.
    #[schemars(with = "Option<String>")]
    pub(crate) prepare: Option<Placed>,
    /// Executed after each execution, not timed, by /bin/sh -c.
    #[schemars(with = "Option<String>")]
    pub(crate) conclude: Option<Placed>,
    /// Executed once before it, by /bin/sh -c.
    #[schemars(with = "Option<String>")]
    pub(crate) setup: Option<Placed>,
    /// Executed once after it, by /bin/sh -c.
    #[schemars(with = "Option<String>")]
    pub(crate) cleanup: Option<Placed>,
    /// Exit codes besides 0 that count as success.
    #[serde(default)]
    pub(crate) exit_codes: Vec<i32>,
}

/// A number that programs print.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metric {
    /// Its unit: ns, us, ms, s, B, kB, MB, KiB, MiB, count or any other word. A number that is printed with another unit
    /// of the same kind is converted.
    pub(crate) unit: String,
    /// It stands in the line that begins with this name: `name value unit`, `name: value`, `name = value`. Without any
    /// place, in the line that begins with the metric's name.
    #[schemars(with = "Option<String>")]
    pub(crate) line: Option<Placed>,
    /// It stands at this path in a JSON document that is printed, whole or as a line: `times.0.pack`.
    #[schemars(with = "Option<String>")]
    pub(crate) json: Option<Placed>,
    /// It is what the first group of this regular expression matches, or all of it.
    #[schemars(with = "Option<String>")]
    pub(crate) pattern: Option<Placed>,
    /// It stands in a Go benchmark line before this unit: `ns/op`, or `BenchmarkJoin ns/op` where there are several.
    #[schemars(with = "Option<String>")]
    pub(crate) go: Option<Placed>,
    /// Which way it is better.
    #[serde(default)]
    pub(crate) better: Better,
    /// Whether repeated readings scatter. Exact ones are compared as they are.
    #[serde(default)]
    pub(crate) kind: Kind,
    /// What the printed number is of. Per iteration, it is divided by what `measure.iterations` says.
    #[serde(default)]
    pub(crate) per: Per,
}

/// Which way a number is better.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Better {
    /// The smaller.
    #[default]
    Lower,
    /// The larger.
    Higher,
    /// It is shown and never judged.
    Neither,
}

/// Whether readings scatter.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// They do.
    #[default]
    Noisy,
    /// They are the same every time.
    Exact,
}

/// What a number is of.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Per {
    /// One execution of the command, or what it says itself.
    #[default]
    Invocation,
    /// All iterations of an execution together.
    Iteration,
}

/// How it is measured.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measure {
    /// Executions of each cell, or processes of each case. Without a number, 10, or as many as a verdict on a row of the first table needs.
    #[schemars(with = "Option<u32>")]
    pub(crate) runs: Option<Spanned<u32>>,
    /// Executions of each cell before the measured ones.
    #[schemars(with = "Option<u32>")]
    pub(crate) warmup: Option<Spanned<u32>>,
    /// The longest that an execution may take, such as `60s`. One that takes longer is ended, and shown as that.
    #[schemars(with = "Option<String>")]
    pub(crate) timeout: Option<Placed>,
    /// The longest that all of it may take, such as `2h`: no block is begun after that.
    #[schemars(with = "Option<String>")]
    pub(crate) budget: Option<Placed>,
    /// In which order cells are executed.
    #[serde(default)]
    pub(crate) order: Order,
    /// The seed of all random choices. Without one, a new one, which is recorded.
    pub(crate) seed: Option<u64>,
    /// The metric that is shown while measuring. Without one, the first that is declared, else wall.
    #[schemars(with = "Option<String>")]
    pub(crate) metric: Option<Placed>,
    /// Where a program prints how often it repeated its work, for metrics per iteration: the name of a line.
    #[schemars(with = "Option<String>")]
    pub(crate) iterations: Option<Placed>,
    /// The most cells that are measured side by side. A larger matrix is measured in stages, rows of the first table
    /// undivided.
    #[schemars(with = "Option<usize>")]
    pub(crate) stage: Option<Spanned<usize>>,
}

/// An order of execution.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Order {
    /// Blocks of every cell once, each in a new random order.
    #[default]
    Blocks,
    /// Blocks in the order of the file and its reverse, in turns.
    Abba,
    /// All executions of a cell, then all of the next. Verdicts then need runs.
    Sequential,
}

/// A file that is written before everything.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Generated {
    /// What stands in it.
    pub(crate) text: String,
}

/// A program that is there while something is measured: started before everything, always stopped after it.
#[derive(Debug, JsonSchema)]
#[allow(dead_code, reason = "the schema of what `etalon_run::services` reads")]
struct Service {
    /// The command that starts it. No shell reads it.
    start: String,
    /// What tells that it is ready.
    ready: Ready,
    /// How long it may take to be ready. Without one, 30 s.
    ready_within: Option<String>,
    /// The command that stops it. Without one, it gets SIGTERM.
    stop: Option<String>,
    /// How long it may take to stop; then it is killed. Without one, 10 s.
    stop_within: Option<String>,
    /// A command that prints its version, whose first line is recorded.
    version: Option<String>,
    /// Variables of the environment of its commands.
    env: Option<std::collections::BTreeMap<String, String>>,
    /// The directory its commands are executed in. Without one, that of the file.
    cwd: Option<String>,
}

/// What tells that a service is ready: one of `tcp`, `http` and `command`.
#[derive(Debug, JsonSchema)]
#[allow(dead_code, reason = "the schema of what `etalon_run::services` reads")]
struct Ready {
    /// Something listens at `HOST:PORT`.
    tcp: Option<String>,
    /// A request to `http://HOST:PORT/PATH` is answered.
    http: Option<String>,
    /// The status that the answer has to have. Without one, any from 200 to 399.
    status: Option<u16>,
    /// A command exits with code 0.
    command: Option<String>,
}

/// A table.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    /// What stands above it.
    pub(crate) title: Option<String>,
    /// The metric whose values it shows.
    #[schemars(with = "String")]
    pub(crate) metric: Placed,
    /// The axes that tell rows apart; `name` is what benchmarks are called, and cases of suites have params, `suite` and `group` besides.
    #[schemars(with = "OneOrMore")]
    pub(crate) rows: Spanned<OneOrMore>,
    /// The axes that tell columns apart.
    #[schemars(with = "OneOrMore")]
    pub(crate) columns: Spanned<OneOrMore>,
    /// Only these combinations: by axis a value or several.
    #[serde(default)]
    pub(crate) only: Where,
    /// What cells show: `of-max` by default. A table without `view`, `raw`, `fastest` and `letters` has all of these but the last.
    pub(crate) view: Option<CellView>,
    /// What stands for the readings of a cell.
    #[serde(default)]
    pub(crate) centre: Centre,
    /// The row below all others.
    #[serde(default)]
    pub(crate) summary: Summary,
    /// A column with the row's largest value as it was measured (the base's, with `ratio`): true, or its heading.
    pub(crate) raw: Option<Raw>,
    /// Fields of the rows' values that get a column, such as `job.about`; `command` is the command.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(crate) labels: Vec<Placed>,
    /// Decimals of percents and ratios.
    pub(crate) digits: Option<u8>,
    /// The order of columns: those named first, in this order.
    #[serde(default)]
    pub(crate) order: Vec<Scalar>,
    /// Lines below the table that explain it.
    #[serde(default)]
    pub(crate) legend: Vec<String>,
    /// Further lines below it.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    /// A column that says who is best in each row, with a verdict.
    pub(crate) fastest: Option<bool>,
    /// Letters at cells: those of a row that share one are not told apart.
    #[serde(default)]
    pub(crate) letters: bool,
}

/// What cells show.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CellView {
    /// Percent of the row's largest value.
    #[default]
    OfMax,
    /// Percent of the row's smallest value.
    OfMin,
    /// Ratio to the first column.
    Ratio,
    /// The value with its interval, the change against the first column and a verdict.
    Delta,
    /// The value.
    Plain,
}

/// What stands for several readings.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Centre {
    /// The median, which verdicts are about.
    #[default]
    Median,
    /// The arithmetic mean.
    Mean,
}

/// A row below all others.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Summary {
    /// The geometric mean of each column.
    #[default]
    Geomean,
    /// Sums.
    Total,
    /// None.
    None,
}

/// Whether there is a column of raw values.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "true, false or a heading")]
pub(crate) enum Raw {
    /// Whether.
    Is(bool),
    /// Under this heading.
    Called(String),
}

/// The page.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Its heading. Without one, the experiment's title.
    pub(crate) title: Option<String>,
    /// Its sections, in their order. Without any, all tables.
    #[serde(default)]
    #[schemars(with = "Vec<Section>")]
    pub(crate) section: Vec<Spanned<Section>>,
}

/// A section of the page: one of `text`, `legend`, `commands`, `tables`, `output`, `machines`, `results` and `inventory`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    /// Its heading.
    pub(crate) title: Option<String>,
    /// Prose, in Markdown.
    pub(crate) text: Option<String>,
    /// The values of an axis with what their field `about` says of each.
    #[schemars(with = "Option<String>")]
    pub(crate) legend: Option<Placed>,
    /// The commands by value of an axis; other axes stand in `<>`.
    #[schemars(with = "Option<String>")]
    pub(crate) commands: Option<Placed>,
    /// Titles of tables, or `all`.
    #[schemars(with = "Option<OneOrMore>")]
    pub(crate) tables: Option<Spanned<OneOrMore>>,
    /// What a command prints, executed once before everything, by /bin/sh -c: `lscpu`.
    #[schemars(with = "Option<String>")]
    pub(crate) output: Option<Placed>,
    /// true: a table of the machines.
    #[serde(default)]
    pub(crate) machines: bool,
    /// A group of the inventory: a table of what its benchmarks measured on each machine.
    #[schemars(with = "Option<String>")]
    pub(crate) results: Option<Placed>,
    /// Metrics of that table, in their order. Without any, all that the file declares.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(crate) metrics: Vec<Placed>,
    /// A table of the inventory, or of a part of it.
    pub(crate) inventory: Option<Inventory>,
    /// Remarks below it.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

impl Table {
    /// A table of a metric that says nothing else; an axis without a name is none. Of one column, values: there is nothing
    /// in their row to be a share of.
    pub(crate) fn plain(metric: String, rows: &str, columns: &str) -> Table {
        let axes = |axis: &str| match axis {
            "" => OneOrMore::Several(Vec::new()),
            axis => OneOrMore::One(Scalar::Text(axis.to_owned())),
        };
        let one = |axis: &str| Spanned::new(0..0, axes(axis));
        Table {
            title: None,
            metric: Spanned::new(0..0, metric),
            rows: one(rows),
            columns: one(columns),
            only: Where::default(),
            view: None,
            centre: Centre::default(),
            summary: Summary::default(),
            raw: None,
            labels: Vec::new(),
            digits: None,
            order: Vec::new(),
            legend: Vec::new(),
            notes: Vec::new(),
            fastest: None,
            letters: false,
        }
    }

    /// Whether nothing is said of what its cells show, so that it has to be a whole answer by itself.
    pub(crate) fn is_bare(&self) -> bool {
        let Table { view, raw, fastest, letters, .. } = self;
        let is_said = view.is_some() || raw.is_some() || fastest.is_some() || *letters;
        !is_said && !self.columns.get_ref().texts().is_empty()
    }

    /// What its cells show. Without columns they have nothing in their row to be a share of.
    pub(crate) fn cells(&self) -> CellView {
        let usual = match self.columns.get_ref().texts().is_empty() {
            true => CellView::Plain,
            false => CellView::default(),
        };
        self.view.unwrap_or(usual)
    }

    /// Whether it says who is best in each row.
    pub(crate) fn has_fastest(&self) -> bool {
        self.fastest.unwrap_or(self.is_bare())
    }
}

impl Scalar {
    /// As it stands in names and commands.
    pub(crate) fn text(&self) -> String {
        match self {
            Scalar::Text(text) => text.clone(),
            Scalar::Integer(number) => number.to_string(),
            Scalar::Number(number) => number.to_string(),
            Scalar::Flag(flag) => flag.to_string(),
        }
    }
}

impl Value {
    /// What it is called.
    pub(crate) fn name(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Number(number) => number.to_string(),
            Value::Flag(flag) => flag.to_string(),
            Value::Fields { name, .. } => name.text(),
        }
    }

    /// A field of it.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        match self {
            Value::Fields { fields, .. } if name != "name" => fields.get(name).map(Scalar::text),
            _ => (name == "name").then(|| self.name()),
        }
    }
}

impl OneOrMore {
    /// All of them.
    pub(crate) fn texts(&self) -> Vec<String> {
        match self {
            OneOrMore::One(one) => vec![one.text()],
            OneOrMore::Several(several) => several.iter().map(Scalar::text).collect(),
        }
    }
}
