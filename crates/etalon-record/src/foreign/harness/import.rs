//! Results of a harness as a run set of a dataset.
//!
//! Owns what is a run there, how equal names are told apart, and which readings cannot be used. Refuses formats.

use std::collections::HashMap;

use etalon_core::dataset::{
    ConfigurationId, Dataset, Entry, Execution, GROUP, Name, RunSetId, SUITE, SpellingId, Written,
    numbers, with_number,
};
use etalon_core::model::{Accept, BenchmarkKey, Outcome};
use etalon_core::random::Random;
use etalon_core::units::Unit;

use super::results::{Benchmark, Cell, Order, Quantity, Remark, Results, Run};
use crate::foreign::import::Import;
use crate::inputs::Input;
use crate::raw::{ReadError, Strictness, clipped};

/// Odd places listed one by one. Because: the same as in a record.
const LISTED: usize = 20;

/// The order that replaces a sorted one. Because: any that does not follow from the values will do, and the same data
/// give the same bytes.
const SEED: u64 = 0x6574_616c_6f6e;

/// Adds results to a dataset as its next run set; its index.
///
/// # Errors
/// If the dataset can hold no more, there is nothing in them, or, with [`Strictness::Strict`], something cannot be used.
pub(super) fn import(
    data: &mut Dataset,
    results: Results,
    (name, input): (&str, &Input),
    strictness: Strictness,
) -> Result<RunSetId, ReadError> {
    let full = |_| ReadError::full(&input.path);
    let mut import = Import::new(data, input).map_err(full)?;
    import.without_order();
    let Results { version, started, facts, quantities, mut benchmarks, remarks, .. } = results;
    benchmarks.iter_mut().for_each(tell_params_apart);
    let set = import.set();
    set.commit_times = results.commit_times;
    set.began = started.as_deref().and_then(crate::time::seconds_since_1970);
    set.started = started;
    set.context = facts;
    set.context.insert("tool.name".to_owned(), name.to_owned());
    if let Some(version) = version {
        set.context.insert("tool.version".to_owned(), version);
    }
    let mut importing = Importing {
        columns: columns(&mut import, &quantities).map_err(full)?,
        import,
        configurations: HashMap::new(),
        odd: Vec::new(),
        lost: None,
        one_process: benchmarks.iter().flat_map(|it| &it.runs).all(|run| run.process == 0),
    };
    remarks.into_iter().for_each(|remark| importing.remark(remark));
    let too_much = |reason| ReadError::TooMuch { source: input.path.clone(), reason };
    importing.all(benchmarks).map_err(too_much)?;
    let Importing { mut import, odd, lost, .. } = importing;
    if let Some((part, reason)) = lost {
        if strictness == Strictness::Strict {
            return Err(bad_part(input, part, reason));
        }
        import.set().lost = Some(format!("{part}: {reason}"));
    }
    if !import.has_rows() {
        let why = odd.first().cloned().unwrap_or_else(|| "it holds no benchmark".to_owned());
        return Err(ReadError::NothingUsable { source: input.path.clone(), why });
    }
    let more = odd.len().saturating_sub(LISTED);
    odd.into_iter().take(LISTED).for_each(|text| import.note(text));
    if more > 0 {
        import.note(format!("{more} more of this kind"));
    }
    import.finish().map_err(full)
}

fn bad_part(input: &Input, part: String, reason: String) -> ReadError {
    let part = if part.is_empty() { "the file".to_owned() } else { part };
    ReadError::BadPart { source: input.path.clone(), part, reason }
}

/// A quantity of the results as a metric of the run set.
struct Metric {
    spelling: SpellingId,
    /// The power of ten that a number is multiplied by to be in the metric's unit: the first quantity of its name has
    /// chosen that.
    power: i32,
    /// Whether a value below 0 can be no measurement.
    is_amount: bool,
    name: String,
}

/// The metrics of the quantities: one a name.
fn columns(
    import: &mut Import<'_>,
    quantities: &[Quantity],
) -> Result<Vec<Metric>, etalon_core::dataset::Full> {
    let mut metrics = Vec::with_capacity(quantities.len());
    for quantity in quantities {
        let name = if quantity.name.is_empty() { "value" } else { &quantity.name };
        let own = Unit::new(&quantity.unit);
        let known = import.metric(name, &quantity.unit, quantity.direction)?;
        let of_one = own.symbol() == known.1.symbol() || own.power().and(known.1.power()).is_some();
        let (name, (spelling, unit)) = match of_one && own.base() == known.1.base() {
            true => (name.to_owned(), known),
            // The same name in another unit is another metric.
            false => {
                let name = format!("{name} ({})", quantity.unit);
                (name.clone(), import.metric(&name, &quantity.unit, quantity.direction)?)
            }
        };
        if let Some(step) = quantity.resolution {
            import.resolution(spelling, step);
        }
        let power = own.power().zip(unit.power()).map_or(0, |(own, of)| own - of);
        metrics.push(Metric { spelling, power, is_amount: quantity.is_amount(), name });
    }
    Ok(metrics)
}

struct Importing<'d> {
    import: Import<'d>,
    columns: Vec<Metric>,
    configurations: HashMap<Vec<(&'static str, String)>, ConfigurationId>,
    odd: Vec<String>,
    /// The first thing that cannot be used: which part, and why.
    lost: Option<(String, String)>,
    /// Whether everything was executed together.
    one_process: bool,
}

impl Importing<'_> {
    fn remark(&mut self, Remark { about, text, loses }: Remark) {
        let said = if about.is_empty() { text.clone() } else { format!("{about}: {text}") };
        self.odd.push(said);
        if loses && self.lost.is_none() {
            self.lost = Some((about, text));
        }
    }

    fn lose(&mut self, about: &str, text: String) {
        self.remark(Remark { about: about.to_owned(), text, loses: true });
    }

    fn all(&mut self, benchmarks: Vec<Benchmark>) -> Result<(), String> {
        type Identity = (BenchmarkKey, Vec<(&'static str, String)>);
        let identity = |it: &Benchmark| -> Identity { (it.key.clone(), facts(it)) };
        let keys: Vec<Identity> = benchmarks.iter().map(identity).collect();
        let with = |(key, facts): &Identity, number| {
            let name = with_number(&key.name, number);
            (BenchmarkKey { name, params: key.params.clone() }, facts.clone())
        };
        let mut known: HashMap<(BenchmarkKey, Option<String>), usize> = HashMap::new();
        let numbers = numbers(&keys, with);
        for ((mut benchmark, (key, facts)), number) in benchmarks.into_iter().zip(keys).zip(numbers)
        {
            if let Some(number) = number {
                benchmark.key.name = with_number(&key.name, number);
                let text =
                    format!("a second one of this name: it is called `{}`", shown(&benchmark));
                let about = clipped(&key.name);
                self.remark(Remark { about, text, loses: false });
            }
            let of = (benchmark.key.clone(), benchmark.command.clone());
            let at = match known.get(&of) {
                Some(at) => *at,
                None => {
                    let at = self.declare(&benchmark)?;
                    known.insert(of, at);
                    at
                }
            };
            let configuration = self.configuration(facts)?;
            self.runs((at, configuration), benchmark)?;
        }
        Ok(())
    }

    fn declare(&mut self, benchmark: &Benchmark) -> Result<usize, String> {
        let Benchmark { key, command, level, .. } = benchmark;
        let declared = etalon_core::model::Benchmark {
            key: key.clone(),
            command: command.clone(),
            level: *level,
            accept: Accept::Zero,
            ..etalon_core::model::Benchmark::default()
        };
        let name = command.is_none().then(|| in_pieces(&declared)).flatten();
        self.import.named(declared, name)
    }

    fn configuration(
        &mut self,
        facts: Vec<(&'static str, String)>,
    ) -> Result<ConfigurationId, String> {
        if let Some(known) = self.configurations.get(&facts) {
            return Ok(*known);
        }
        let id = self.import.under(&facts).map_err(|full| full.to_string())?;
        self.configurations.insert(facts, id);
        Ok(id)
    }

    fn runs(&mut self, of: (usize, ConfigurationId), benchmark: Benchmark) -> Result<(), String> {
        let name = shown(&benchmark);
        let mut last = None;
        for run in benchmark.runs {
            if !self.one_process && last != Some(run.process) {
                self.import.begin_run(run.process);
                last = Some(run.process);
            }
            if run.is_empty() {
                let execution = Execution { outcome: Some(run.outcome), ..Execution::default() };
                self.import.reading(of, execution, &[])?;
                continue;
            }
            for at in order(run.len(), benchmark.order) {
                self.reading(of, &run, at, &name)?;
            }
        }
        Ok(())
    }

    /// Adds a reading: without the values that cannot be used.
    fn reading(
        &mut self,
        of: (usize, ConfigurationId),
        run: &Run,
        at: usize,
        name: &str,
    ) -> Result<(), String> {
        let mut entries: Vec<Entry<'_>> = Vec::with_capacity(run.columns.len());
        let mut odd: Vec<String> = Vec::new();
        for column in &run.columns {
            let metric = &self.columns[column.quantity];
            let Some(cell) = column.cells.get(at) else { continue };
            match entry(metric, cell) {
                Ok(entry) => entries.push(entry),
                Err(reason) => odd.push(format!("{}: {reason}", metric.name)),
            }
            if let Cell::Absent(text) = cell {
                odd.push(format!("{} is `{text}`, so not available", metric.name));
            }
        }
        for text in odd {
            self.lose(&format!("`{name}`, reading {}", at + 1), text);
        }
        let outcome = Some(run.outcome.clone()).filter(|outcome| *outcome != Outcome::Ok);
        let execution =
            Execution { outcome, iterations: run.iterations.of(at), ..Execution::default() };
        self.import.reading(of, execution, &entries)
    }
}

/// Gives parameters of one name numbers: a key has each once.
fn tell_params_apart(benchmark: &mut Benchmark) {
    let params = &mut benchmark.key.params;
    let names: Vec<String> = params.iter().map(|(name, _)| name.clone()).collect();
    let numbers = numbers(&names, |name, number| with_number(name, number));
    for ((name, _), number) in params.iter_mut().zip(numbers) {
        if let Some(number) = number {
            *name = with_number(name, number);
        }
    }
}

/// A cell as an entry of a row.
fn entry<'c>(metric: &Metric, cell: &'c Cell) -> Result<Entry<'c>, String> {
    let spelling = metric.spelling;
    let number = match cell {
        Cell::Absent(text) => return Ok(Entry { spelling, number: None, text }),
        Cell::Number(number) => *number,
    };
    if number < 0.0 && metric.is_amount {
        return Err(format!("`{number}` is negative; left out"));
    }
    let number = match metric.power {
        0 => number,
        power if power < 0 => number / 10_f64.powi(-power),
        power => number * 10_f64.powi(power),
    };
    // In base units it is at most this many times as large.
    if !(number * 1e12).is_finite() {
        return Err("it is larger than any measurement; left out".to_owned());
    }
    let is_whole = number.fract() == 0.0 && number.abs() < 1e15;
    let written = if is_whole { Written::Decimals(0) } else { Written::Computed };
    Ok(Entry { spelling, number: Some((number, written)), text: "" })
}

/// The order in which readings become rows. Sorted ones are mixed: rows stand in the order of time, and sorted they
/// would say that each depends on the one before.
fn order(readings: usize, order: Order) -> Vec<usize> {
    let mut all: Vec<usize> = (0..readings).collect();
    if order == Order::Sorted {
        Random::new(SEED).shuffle(&mut all);
    }
    all
}

/// What tells benchmarks of one key apart.
fn facts(benchmark: &Benchmark) -> Vec<(&'static str, String)> {
    let Benchmark { file, group, commit, .. } = benchmark;
    let all = [(SUITE, file), (GROUP, group), ("commit", commit)];
    all.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))).collect()
}

fn shown(benchmark: &Benchmark) -> String {
    clipped(&benchmark.key.label())
}

/// The name cut at its slashes only: digits behind a hyphen are no processors. Absent where parameters would stand
/// elsewhere than in the name as it is cut otherwise.
fn in_pieces(benchmark: &etalon_core::model::Benchmark) -> Option<Name> {
    let key = &benchmark.key;
    let mut pieces: Vec<String> = Vec::new();
    for (at, piece) in key.name.split('/').enumerate() {
        pieces.push(if at == 0 { piece.to_owned() } else { format!("/{piece}") });
    }
    pieces.extend(key.params.iter().map(|(key, value)| format!("/{key}={value}")));
    let name = Name::from_pieces(pieces.iter().map(String::as_str));
    (name.full() == Name::from_benchmark(benchmark).full()).then_some(name)
}
