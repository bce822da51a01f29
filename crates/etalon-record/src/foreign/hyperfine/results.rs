//! One result: a benchmark with its runs.
//!
//! Owns which fields are observations, their units, and the check of every run. A run is used whole or
//! not at all. Refuses means, medians and the rest of what can be computed again.

use std::collections::BTreeMap;

use etalon_core::dataset::{Dataset, Full, RunSetId, SpellingId, Written};
use etalon_core::metrics;
use etalon_core::model::{Accept, Benchmark, BenchmarkKey, Direction, Outcome};
use etalon_core::units::Unit;
use serde_json::Value;

use super::wire::{EXIT_CODE, FailureWire, Measurement, Name, Quantity, ResultWire};
use super::{fields, figures};
use crate::foreign::import::{AsWritten, Import};
use crate::foreign::wire::Scalar;
use crate::inputs::Input;
use crate::outcome;
use crate::raw::{ReadError, Strictness, TOO_LARGE, clipped};
use crate::time::seconds_since_1970;

/// Odd places listed one by one. Because: the same as in a record.
const LISTED: usize = 20;

/// The results so far.
pub(super) struct Results<'d> {
    import: Import<'d>,
    strictness: Strictness,
    /// Results seen.
    pub(super) count: usize,
    odd: usize,
    left_out: BTreeMap<i32, u64>,
    without_code: u64,
    only_means: bool,
    environment: bool,
    /// Why reading has to end, where that was declared fatal.
    pub(super) fatal: Option<ReadError>,
}

/// One run's fields, by metric name, with the unit.
type Run = Vec<(Name, Quantity)>;

impl<'d> Results<'d> {
    pub(super) fn new(
        data: &'d mut Dataset,
        input: &Input,
        strictness: Strictness,
    ) -> Result<Results<'d>, Full> {
        let mut import = Import::new(data, input)?;
        import.set().ranked_by = Some(metrics::WALL.to_owned());
        Ok(Results {
            import,
            strictness,
            count: 0,
            odd: 0,
            left_out: BTreeMap::new(),
            without_code: 0,
            only_means: false,
            environment: false,
            fatal: None,
        })
    }

    /// Takes a result. `Err` if reading has to end; the reason is in `fatal`.
    pub(super) fn take(&mut self, mut result: ResultWire) -> Result<(), ()> {
        self.count += 1;
        let part = format!("result {}", self.count);
        let Some(command) = result.command.take() else {
            return self.odd(&part, "it has no command, and is left out".to_owned());
        };
        let part = format!("{part} (`{}`)", clipped(&command));
        self.environment |= result.environment.is_some();
        let key = BenchmarkKey {
            name: result.name.take().unwrap_or_else(|| command.clone()),
            params: result.take_parameters(),
        };
        let failures = result.failures.take();
        if failures.is_none() {
            // A list of nothing is none.
            result.measurements = result.measurements.filter(|runs| !runs.is_empty());
            result.times = result.times.filter(|times| !times.is_empty());
        }
        let figures = figures::take(&mut result, &key);
        let added = self.import.benchmark(Benchmark {
            key,
            command: Some(command),
            accept: if failures.is_some() { result.accepted() } else { Accept::Any },
            ..Benchmark::default()
        });
        let benchmark = match added {
            Ok(benchmark) => benchmark,
            Err(reason) => return self.odd(&part, reason),
        };
        self.only_means |= figures.iter().any(|figure| figure.metric != metrics::WALL);
        let of_wall = figures.iter().find(|figure| figure.metric == metrics::WALL);
        let of_wall = of_wall.map(|figure| figure.value);
        self.import.set().figures.extend(figures);
        if let Some(measurements) = result.measurements.take() {
            for (index, Measurement(run)) in measurements.into_iter().enumerate() {
                self.run(benchmark, run, &part, index)?;
            }
        } else if let Some(times) = result.times.take() {
            self.arrays(benchmark, times, result, &part)?;
        } else {
            let mean = of_wall.map(|seconds| format!(" ({seconds} s)")).unwrap_or_default();
            self.import.note(format!(
                "{part}: it has no times of single runs, and its means{mean} are no observations"
            ));
        }
        for (index, failure) in failures.into_iter().flatten().enumerate() {
            self.failure(benchmark, &failure, &part, index)?;
        }
        Ok(())
    }

    /// Takes an execution that did not count.
    fn failure(
        &mut self,
        benchmark: usize,
        failure: &FailureWire,
        part: &str,
        index: usize,
    ) -> Result<(), ()> {
        let part = format!("{part}, failure {}", index + 1);
        let code = failure.exit_code.unwrap_or(0);
        let outcome = match failure.outcome.as_deref() {
            Some(word) => outcome::from_word(word, code),
            None => Some(outcome::from_exit_code(code)).filter(|outcome| *outcome != Outcome::Ok),
        };
        let Some(outcome) = outcome else {
            return self.odd(&part, "it is no failure; left out".to_owned());
        };
        let added = self.import.row(benchmark, outcome, &[]);
        added.or_else(|reason| self.odd(&part, reason))
    }

    /// Takes hyperfine's name for the metric that it ranks by.
    pub(super) fn rank_by(&mut self, name: &str) {
        match fields::named(name) {
            Some(field) => self.import.set().ranked_by = Some(field.metric.to_owned()),
            None => self.import.note(format!(
                "its primary_metric is `{}`, which is none of hyperfine 2.0: wall clock is ranked by",
                name.escape_debug()
            )),
        }
    }

    /// Tells a schema that is newer than those that are known.
    pub(super) fn schema(&mut self, version: &Value) {
        if !matches!(version.as_u64(), Some(1 | 2)) {
            self.import.note(format!(
                "schema {version} of hyperfine is not known, only 1 and 2: it is read as these are"
            ));
        }
    }

    /// Takes the runs of schema 1: lists that run in step.
    fn arrays(
        &mut self,
        benchmark: usize,
        times: Vec<Scalar>,
        result: ResultWire,
        part: &str,
    ) -> Result<(), ()> {
        let mut lists = Vec::new();
        for (name, field, unit, list) in [
            (metrics::USER, "user_times", "s", result.user_times),
            (metrics::SYS, "system_times", "s", result.system_times),
            (metrics::RSS, "memory_usage_byte", "B", result.memory_usage_byte),
            (EXIT_CODE, "exit_codes", "", result.exit_codes),
        ] {
            match list {
                Some(list) if list.len() == times.len() => {
                    lists.push((name, unit, list.into_iter()));
                }
                Some(list) => {
                    let (have, want) = (list.len(), times.len());
                    let text = format!("{field} has {have} entries for {want} times; left out");
                    self.odd(part, text)?;
                }
                None => {}
            }
        }
        for (index, time) in times.into_iter().enumerate() {
            let mut run: Run = vec![(metrics::WALL.into(), quantity(time, "s"))];
            for (name, unit, list) in &mut lists {
                let value = list.next().unwrap_or(Scalar::Null);
                run.push(((*name).into(), quantity(value, unit)));
            }
            self.run(benchmark, run, part, index)?;
        }
        Ok(())
    }

    /// Takes a run.
    fn run(&mut self, benchmark: usize, run: Run, part: &str, index: usize) -> Result<(), ()> {
        let part = || format!("{part}, run {}", index + 1);
        let mut values: Vec<AsWritten> = Vec::with_capacity(run.len());
        let (mut outcome, mut code) = (Outcome::Ok, None);
        let mut without_code = true;
        for (name, Quantity { value, unit }) in run {
            if name == EXIT_CODE {
                without_code = false;
                match exit_code(&value) {
                    Ok((o, c)) => (outcome, code) = (o, c),
                    Err(reason) => {
                        return self.odd(&part(), format!("exit_code: {reason}; left out"));
                    }
                }
                continue;
            }
            match number(&value) {
                Ok(Some((number, written))) => {
                    let (metric, unit) = match self.metric(&name, unit.as_deref()) {
                        Ok(known) => known,
                        Err(full) => return self.odd(&part(), full.to_string()),
                    };
                    let is_finite = unit.to_base(number).is_finite();
                    if values.iter().any(|known| known.metric == metric) || !is_finite {
                        let reason = format!("{name} is given twice or too large; left out");
                        return self.odd(&part(), reason);
                    }
                    values.push(AsWritten { metric, number, written, text: String::new() });
                }
                Ok(None) if name == metrics::WALL => {
                    self.odd(&part(), format!("{name} is null, so not available"))?;
                }
                Ok(None) => self.remark(&part(), format!("{name} is null, so not available"))?,
                Err(reason) => return self.odd(&part(), format!("{name}: {reason}; left out")),
            }
        }
        self.without_code += u64::from(without_code);
        if let Some(code) = code.filter(|_| !Accept::Any.accepts(&outcome)) {
            *self.left_out.entry(code).or_default() += 1;
        }
        match self.import.row(benchmark, outcome, &values) {
            Ok(()) => Ok(()),
            Err(reason) => self.odd(&part(), reason),
        }
    }

    /// The metric of that name in that unit.
    fn metric(&mut self, name: &str, unit: Option<&str>) -> Result<(SpellingId, Unit), Full> {
        let known = [
            metrics::WALL,
            metrics::CPU,
            metrics::USER,
            metrics::SYS,
            metrics::RSS,
            metrics::CYCLES,
            metrics::INSTRUCTIONS,
            metrics::CACHE_MISSES,
        ];
        let lower = known.contains(&name) || name == metrics::BRANCH_MISSES;
        let direction = if lower { Direction::Lower } else { Direction::Neither };
        let unit = unit.unwrap_or("count");
        let (metric, known) = self.import.metric(name, unit, direction)?;
        if known.symbol() == unit {
            return Ok((metric, known));
        }
        // The same field in two units: another metric, or values would be mixed.
        self.import.metric(&format!("{name} ({unit})"), unit, direction)
    }

    /// Notes what cannot be used of a part, or ends reading with it.
    fn odd(&mut self, part: &str, reason: String) -> Result<(), ()> {
        self.import.set().lost.get_or_insert_with(|| format!("{part}: {reason}"));
        self.remark(part, reason)
    }

    /// Notes what is odd about a part, or ends reading with it.
    fn remark(&mut self, part: &str, reason: String) -> Result<(), ()> {
        if self.strictness == Strictness::Strict {
            let source = self.import.set().source.clone();
            self.fatal = Some(ReadError::BadPart { source, part: part.to_owned(), reason });
            return Err(());
        }
        self.odd += 1;
        if self.odd <= LISTED {
            self.import.note(format!("{part}: {reason}"));
        }
        Ok(())
    }

    /// Where and with what it was measured.
    pub(super) fn context(&mut self, metadata: super::wire::Metadata) {
        let set = self.import.set();
        set.began = metadata.start_time.as_deref().and_then(seconds_since_1970);
        set.started = metadata.start_time;
        let tool = metadata.hyperfine_version.map(|version| format!("hyperfine {version}"));
        let facts = [
            ("tool.name", tool),
            ("kernel.name", metadata.platform.os),
            ("cpu.architecture", metadata.platform.architecture),
        ];
        for (name, fact) in facts {
            if let Some(fact) = fact {
                set.context.insert(name.to_owned(), fact);
            }
        }
    }

    /// Ends the run set; `torn` says where and why the document breaks off.
    ///
    /// # Errors
    /// If the dataset can hold no more.
    pub(super) fn finish(mut self, torn: Option<(u64, String)>) -> Result<RunSetId, Full> {
        self.import.without_order();
        if self.odd > LISTED {
            let more = self.odd - LISTED;
            self.import.note(format!("{more} more of this kind"));
        }
        if let Some((line, reason)) = torn {
            let text = format!("line {line}: {reason}; everything from there is left out");
            self.import.set().lost = Some(text.clone());
            self.import.note(text);
        }
        if self.only_means {
            self.import.note(
                "user and system times are given as means over all runs: figures, which exports \
                 keep and by which nothing is judged"
                    .to_owned(),
            );
        }
        if self.environment {
            self.import.note("environment overrides are not kept".to_owned());
        }
        if self.without_code > 0 {
            let count = outcome::executions(self.without_code);
            self.import.note(format!("{count} without an exit code count as completed"));
        }
        for text in outcome::left_out(&self.left_out) {
            self.import.note(text);
        }
        self.import.finish()
    }
}

impl ResultWire {
    /// Which exit codes count, where failures stand apart: those of runs.
    fn accepted(&self) -> Accept {
        let lists = self.exit_codes.iter().flatten();
        let runs = self.measurements.iter().flatten().flat_map(|Measurement(run)| run);
        let of_runs =
            runs.filter(|(name, _)| name == EXIT_CODE).map(|(_, quantity)| &quantity.value);
        let mut codes: Vec<i32> = lists
            .chain(of_runs)
            .filter_map(|cell| exit_code(cell).ok()?.1.filter(|code| *code != 0))
            .collect();
        codes.sort_unstable();
        codes.dedup();
        if codes.is_empty() { Accept::Zero } else { Accept::Codes(codes) }
    }
}

fn quantity(value: Scalar, unit: &'static str) -> Quantity {
    Quantity { value, unit: Some(unit.into()) }
}

/// Up to here every integer is a double.
const EXACT: i64 = 1 << 53;

/// A number that can be a measurement; `None` for `null`.
#[allow(clippy::cast_precision_loss)] // a double is what rows hold
fn number(cell: &Scalar) -> Result<Option<(f64, Written)>, String> {
    match cell {
        Scalar::Integer(i) if *i < 0 => Err(format!("`{i}` is negative")),
        Scalar::Number(x) if *x < 0.0 => Err(format!("`{x}` is negative")),
        Scalar::Integer(i) if *i <= EXACT => Ok(Some((*i as f64, Written::Decimals(0)))),
        Scalar::Integer(i) => Ok(Some((*i as f64, Written::Computed))),
        Scalar::Number(x) => Ok(Some((*x, Written::Computed))),
        Scalar::Null => Ok(None),
        other => Err(no_number(other)),
    }
}

/// The reason why a value is no number.
fn no_number(value: &Scalar) -> String {
    match value {
        Scalar::Large(_) => TOO_LARGE.to_owned(),
        Scalar::Text(text) => format!("`{}` is not a number", clipped(text)),
        Scalar::Flag(flag) => format!("`{flag}` is not a number"),
        Scalar::Nested(what) => format!("{what} is not a number"),
        Scalar::Null | Scalar::Number(_) | Scalar::Integer(_) => "it is not a number".to_owned(),
    }
}

/// The outcome of an exit code. `null` is one that was killed, and not by which signal.
fn exit_code(cell: &Scalar) -> Result<(Outcome, Option<i32>), String> {
    match cell {
        Scalar::Null => Ok((Outcome::Killed { signal: 0 }, None)),
        Scalar::Integer(i) => i32::try_from(*i)
            .map(|code| (outcome::from_exit_code(code), Some(code)))
            .map_err(|_| format!("`{i}` is no exit code")),
        Scalar::Number(x) => Err(format!("`{x}` is no exit code")),
        other => Err(no_number(other)),
    }
}
