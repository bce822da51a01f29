//! Cases of Lua suites as subjects: from what a suite describes, and which share blocks.
//!
//! Cases are compared within their scope. A stage holds at most [`TOGETHER`] of
//! them, that of the scope always among them which the others are compared with.

use std::collections::HashMap;

use etalon_core::model::{Case, CaseHost, Collector, EMPTY_LOOP, Outcome, Sampling, Warmup};
use etalon_core::plan::{Order, Plan, Settings, Stage, Stopping};
use etalon_core::scope::{self, Declaration};
use etalon_lua::{CaseIdentity, Loaded, Place, Source};
use etalon_probe::program;
use etalon_record::BenchmarkLine;

use super::failure::CaseFailure;
use super::suite::Suite;
use super::turns::{BLOCK_SHARE, MOST_TURNS};
use super::variant::Variant;

/// Cases in a block at most: their processes are alive together, and a turn of all of them has to
/// stay short against the machine's drift.
const TOGETHER: usize = 16;

/// Seconds of warm-up at most where nobody asks for some: it ends when times stay on one level.
const LONGEST_WARMUP: f64 = 0.15;

/// The usual length of such a warm-up.
const USUAL_WARMUP: f64 = 0.05;

/// Seconds that starting, loading and calibrating a case usually takes, and one turn of short calls. Because: of 6 and of 36
/// cases of some 100 ns, a block of a case takes 0.16 to 0.18 s with the usual warm-up and [`MOST_TURNS`] turns.
const USUAL_START: f64 = 0.03;
const USUAL_TURN: f64 = 0.003_5;

/// The interval's full width over the estimate that is aimed at where nobody says.
const DEFAULT_WIDTH: f64 = 0.05;

/// A case of an experiment.
#[derive(Debug, Clone)]
pub struct LuaCase {
    /// The suite it is in.
    pub source: Source,
    /// Where it is executed.
    pub place: Place,
    /// The Lua that executes it; the last of its parameters are this one's.
    pub variant: Variant,
    /// Which case of the suite it is; absent of the empty loop, and of what could not be loaded.
    pub identity: Option<CaseIdentity>,
    /// Its line in the record.
    pub line: BenchmarkLine,
    /// Why it is not measured, if its suite could not be loaded.
    pub failure: Option<CaseFailure>,
}

impl LuaCase {
    /// Where it is declared and how it is sampled.
    pub(super) fn case(&self) -> Option<&Case> {
        self.line.case.as_ref()
    }

    /// The parts of it that its scope depends on. Cases are grouped whatever their Lua.
    fn declared(&self) -> Declaration<'_> {
        Declaration { name: &self.line.name, params: self.own_params(), case: self.case() }
    }

    /// Whether it is another one on another Lua, or of another side.
    pub(super) fn is_elsewhere(&self, other: &LuaCase) -> bool {
        let place = |case: &LuaCase| case.case().map(|it| (it.file.clone(), it.group.clone()));
        self.line.name == other.line.name
            && self.own_params() == other.own_params()
            && place(self) == place(other)
    }

    /// Its number among the cases that a process has registered, from 1; 0 is the empty loop.
    ///
    /// # Errors
    /// If the process has registered none that is this one.
    pub(super) fn number_in(&self, registered: &[etalon_lua::Case]) -> Result<u32, CaseFailure> {
        let Some(identity) = &self.identity else { return Ok(0) };
        let mut numbered = (1..).zip(registered);
        let found = numbered.find(|(_, case)| case.identity() == *identity);
        found.map(|(number, _)| number).ok_or_else(|| {
            let why = "the suite registers other cases in this process than in the one that listed them, and not this one: \
                       names, groups and parameters must be the same in every process";
            CaseFailure::new(Outcome::Failed { code: 1 }, why.to_owned())
        })
    }

    /// Its parameters without those of its Lua.
    fn own_params(&self) -> &[(String, String)] {
        let own = self.line.params.len().saturating_sub(self.variant.params.len());
        &self.line.params[..own]
    }

    /// Whether there is something to measure.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.failure.is_none() && self.case().is_some_and(|case| case.skipped.is_none())
    }
}

/// Options of the command line that hold in the place of the files'.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overrides {
    /// Seconds.
    pub warmup: Option<f64>,
    /// −1, 0 or KB.
    pub gc_step: Option<i64>,
    /// Level of the intervals, 0..1.
    pub confidence: Option<f64>,
    /// Half-width over median that is aimed at.
    pub precision: Option<f64>,
}

/// The cases of a suite that could be loaded.
#[must_use]
pub fn cases(suite: &Suite, loaded: &Loaded, overrides: &Overrides) -> Vec<LuaCase> {
    let sampling = match &suite.source {
        // It is executed as it is.
        Source::Script(_) => Sampling {
            warmup: Warmup::For(0.0),
            collector: Collector::Full,
            ..sampling(loaded.options, overrides)
        },
        Source::File(_) | Source::Chunk { .. } => sampling(loaded.options, overrides),
    };
    let hash = match &suite.source {
        Source::File(path) | Source::Script(path) => program::hash(&suite.place.caller.join(path)),
        Source::Chunk { .. } => None,
    };
    let case = |case: &etalon_lua::Case| LuaCase {
        source: suite.source.clone(),
        place: suite.place.clone(),
        variant: suite.variant.clone(),
        identity: Some(case.identity()),
        line: BenchmarkLine {
            name: case.name.clone(),
            params: [&case.params[..], &suite.variant.params].concat(),
            hash: hash.clone(),
            case: Some(Case {
                file: suite.name.clone(),
                directory: directory(suite),
                line: line(suite, case),
                group: case.group.clone(),
                tags: case.tags.clone(),
                bytes: case.bytes,
                items: case.items,
                skipped: case.skip.clone(),
                timer: case.timer,
                host: recorded(suite, loaded),
                sampling,
            }),
            ..BenchmarkLine::default()
        },
        failure: suite.refused.clone(),
    };
    loaded.cases.iter().map(case).collect()
}

/// The Lua that executes a case, for the record; of one that does not, nothing is known.
fn recorded(suite: &Suite, loaded: &Loaded) -> Option<Box<CaseHost>> {
    let is_known = suite.refused.is_none();
    suite.variant.recorded(&loaded.runtime).filter(|_| is_known).map(Box::new)
}

/// The working directory, for the record.
fn directory(suite: &Suite) -> Option<String> {
    Some(suite.place.directory.to_string_lossy().into_owned())
}

/// Where in the suite's own file a case is described; a helper module's lines are not its.
fn line(suite: &Suite, case: &etalon_lua::Case) -> Option<u32> {
    let own = match &suite.source {
        Source::File(path) | Source::Script(path) => path.to_string_lossy(),
        Source::Chunk { name, .. } => name.as_str().into(),
    };
    let line = case.line.filter(|_| case.source.as_ref().is_none_or(|source| *source == own));
    line.and_then(|line| u32::try_from(line).ok())
}

/// A suite that could not be loaded, as a case that is not measured: named as the file is, or as the
/// chunk it would have been.
#[must_use]
pub fn not_loaded(suite: &Suite, why: &CaseFailure) -> LuaCase {
    let sampling = sampling(etalon_lua::Options::default(), &Overrides::default());
    let name = match &suite.source {
        Source::File(_) => suite.name.clone(),
        Source::Chunk { name, .. } => name.clone(),
        Source::Script(path) => path.to_string_lossy().into_owned(),
    };
    let mut line = line_of(name, &suite.name, sampling);
    line.params.clone_from(&suite.variant.params);
    if let Some(case) = line.case.as_mut() {
        case.directory = directory(suite);
    }
    LuaCase {
        source: suite.source.clone(),
        place: suite.place.clone(),
        variant: suite.variant.clone(),
        identity: None,
        line,
        failure: Some(why.clone()),
    }
}

/// The empty loop, as the last case beside those of a scope.
#[must_use]
pub fn empty_loop(beside: &LuaCase) -> LuaCase {
    let case = beside.line.case.clone().map(|case| Case {
        line: None,
        tags: Vec::new(),
        bytes: None,
        items: None,
        skipped: None,
        timer: false,
        ..case
    });
    LuaCase {
        source: beside.source.clone(),
        place: beside.place.clone(),
        variant: beside.variant.clone(),
        identity: None,
        line: BenchmarkLine {
            name: EMPTY_LOOP.to_owned(),
            params: beside.variant.params.clone(),
            case,
            ..BenchmarkLine::default()
        },
        failure: None,
    }
}

fn line_of(name: String, file: &str, sampling: Sampling) -> BenchmarkLine {
    let case = Some(Case::new(file, sampling));
    BenchmarkLine { name, case, ..BenchmarkLine::default() }
}

fn sampling(options: etalon_lua::Options, overrides: &Overrides) -> Sampling {
    let share = |percent: f64| percent / 100.0;
    Sampling {
        warmup: overrides
            .warmup
            .or(options.warmup)
            .map_or(Warmup::UntilLevel { at_most: LONGEST_WARMUP }, Warmup::For),
        collector: match overrides.gc_step.or(options.gc_step).unwrap_or(0) {
            ..0 => Collector::Off,
            0 => Collector::Full,
            step => Collector::Step(u32::try_from(step).unwrap_or(u32::MAX)),
        },
        confidence: overrides.confidence.or(options.confidence_level.map(share)).unwrap_or(0.95),
        target: Some(
            overrides
                .precision
                .map(|half| 2.0 * half)
                .or(options.rciw.map(share))
                .unwrap_or(DEFAULT_WIDTH),
        ),
    }
}

/// The narrowest target of the cases to be measured, as half-width over median: whoever reaches it
/// reaches all.
#[must_use]
pub fn narrowest_target(cases: &[LuaCase]) -> f64 {
    let measured = cases.iter().filter(|case| case.is_measured());
    let widths = measured.filter_map(|case| case.case()?.sampling.target);
    widths.min_by(f64::total_cmp).unwrap_or(DEFAULT_WIDTH) / 2.0
}

/// The stages: the cases of a scope in all Luas, in groups that all hold the one that is compared
/// with, which is the reference if it is there, else the first. One after the other: each case by itself.
#[must_use]
pub fn stages(cases: &[LuaCase], order: Order, settings: &Settings) -> Vec<Stage> {
    if order == Order::Sequential {
        let measured = (0..cases.len()).filter(|&index| cases[index].is_measured());
        return measured.map(|index| Stage { subjects: vec![index] }).collect();
    }
    let members: Vec<Declaration<'_>> = cases.iter().map(LuaCase::declared).collect();
    let reference = settings.reference.as_deref();
    let anchored = |(_, mut members): (_, Vec<usize>)| {
        members.retain(|&index| cases[index].is_measured());
        let called = |what: fn(&LuaCase) -> String| {
            members.iter().position(|&index| Some(what(&cases[index]).as_str()) == reference)
        };
        let shown = called(|case| case.line.to_benchmark().label());
        if let Some(place) = shown.or_else(|| called(|case| case.line.name.clone())) {
            members[..=place].rotate_right(1);
        }
        groups(&in_all_luas(cases, &members))
    };
    scope::scopes(&members, &settings.by).into_iter().flat_map(anchored).collect()
}

/// How many families of comparisons there are: Luas may be measured together and compared apart.
#[must_use]
pub fn families(cases: &[LuaCase], settings: &Settings) -> usize {
    let measured = cases.iter().filter(|case| case.is_measured());
    let members: Vec<Declaration<'_>> =
        measured.map(|case| Declaration { params: &case.line.params, ..case.declared() }).collect();
    scope::scopes(&members, &settings.by).len()
}

/// Cases that are compared with each other.
#[must_use]
pub fn rows(cases: &[LuaCase], settings: &Settings) -> Vec<Vec<usize>> {
    let measured: Vec<usize> = (0..cases.len()).filter(|at| cases[*at].is_measured()).collect();
    let members = measured.iter().map(|at| &cases[*at]);
    let members = members.map(|case| Declaration { params: &case.line.params, ..case.declared() });
    let members: Vec<Declaration<'_>> = members.collect();
    let scopes = scope::scopes(&members, &settings.by).into_iter();
    scopes.map(|(_, row)| row.into_iter().map(|at| measured[at]).collect()).collect()
}

/// The members by what they are without their Lua: cases that are the same in several, to be measured together.
fn in_all_luas(cases: &[LuaCase], members: &[usize]) -> Vec<Vec<usize>> {
    let mut same: Vec<Vec<usize>> = Vec::new();
    let mut known = HashMap::new();
    for &index in members {
        let what = (&cases[index].line.name, cases[index].own_params());
        let at = *known.entry(what).or_insert(same.len());
        match same.get_mut(at) {
            Some(of_it) if !cases[index].variant.params.is_empty() => of_it.push(index),
            _ => same.push(vec![index]),
        }
    }
    same
}

/// Groups of the cases of a scope, the first of which is in each.
fn groups(members: &[Vec<usize>]) -> Vec<Stage> {
    let Some((first, others)) = members.split_first() else { return Vec::new() };
    let together = |cases: &[Vec<usize>]| Stage { subjects: cases.concat() };
    let luas = members.iter().map(Vec::len).max().unwrap_or(1);
    let most = (TOGETHER / luas).max(2);
    if members.len() <= most {
        return vec![together(members)];
    }
    // As many groups as it takes, as equal as can be.
    let count = others.len().div_ceil(most - 1);
    let size = others.len().div_ceil(count);
    let group = |others: &[Vec<usize>]| together(&[std::slice::from_ref(first), others].concat());
    others.chunks(size).map(group).collect()
}

/// Seconds of warm-up to be expected.
fn usual_warmup(warmup: Warmup) -> f64 {
    match warmup {
        Warmup::For(seconds) => seconds,
        Warmup::UntilLevel { .. } => USUAL_WARMUP,
    }
}

/// About how long an experiment takes, in seconds, from what is known before any case was called; `budget`
/// is that of a case. A block takes its share of the budget, or less: it has so many turns at most, and short calls do not
/// fill a large share. More blocks do, where their number is open.
#[must_use]
pub fn expected_seconds(cases: &[LuaCase], stages: &[Stage], plan: &Plan, budget: f64) -> f64 {
    let share = budget * BLOCK_SHARE;
    let (blocks, filled) = match plan.stopping {
        Stopping::Runs(runs) => (runs, 0.0),
        _ => (plan.limits.first_look(), budget),
    };
    let case = |index: &usize| {
        let warmup = cases[*index].case().map_or(0.0, |case| usual_warmup(case.sampling.warmup));
        let of_share = share.max(warmup + share / 2.0);
        let of_short_calls = warmup + USUAL_START + f64::from(MOST_TURNS) * USUAL_TURN;
        let all = |block: f64| block * f64::from(blocks);
        all(of_share.min(of_short_calls)).max(all(of_share).min(filled))
    };
    let subjects = stages.iter().flat_map(|stage| &stage.subjects);
    subjects.map(case).fold(0.0, |sum, case| sum + case)
}

#[cfg(test)]
mod tests {
    use etalon_lua::Host;

    use super::*;

    fn variant(params: &[(&str, &str)]) -> Variant {
        let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Variant::new(Host::embedded(), params.iter().map(pair).collect())
    }

    fn case(file: &str, skipped: Option<&str>) -> LuaCase {
        let sampling = sampling(etalon_lua::Options::default(), &Overrides::default());
        let mut line = line_of("c".to_owned(), file, sampling);
        if let Some(case) = line.case.as_mut() {
            case.skipped = skipped.map(str::to_owned);
        }
        let source = Source::File(file.into());
        let place = Place { directory: "/".into(), caller: "/".into() };
        LuaCase { source, place, variant: variant(&[]), identity: None, line, failure: None }
    }

    #[test]
    fn cases_of_a_file_are_measured_together_and_skipped_ones_are_not() {
        let cases = [case("a", None), case("b", None), case("a", Some("x")), case("a", None)];
        let stages: Vec<Vec<usize>> = stages(&cases, Order::Blocks, &Settings::default())
            .into_iter()
            .map(|s| s.subjects)
            .collect();
        assert_eq!(stages, [vec![0, 3], vec![1]]);
    }

    #[test]
    fn more_than_fit_are_split_into_groups_with_the_first_in_each() {
        for count in 17..200 {
            let cases: Vec<LuaCase> = (0..count).map(|_| case("a", None)).collect();
            let stages = stages(&cases, Order::Blocks, &Settings::default());
            let mut seen: Vec<usize> = Vec::new();
            for stage in &stages {
                assert!(stage.subjects.len() <= TOGETHER && stage.subjects.len() > 1);
                assert_eq!(stage.subjects[0], 0);
                seen.extend(&stage.subjects[1..]);
            }
            assert_eq!(seen, (1..count).collect::<Vec<_>>());
            let sizes: Vec<usize> = stages.iter().map(|s| s.subjects.len()).collect();
            let (most, least) = (sizes.iter().max(), sizes.iter().min());
            assert!(most.zip(least).is_some_and(|(m, l)| m - l < stages.len()), "{sizes:?}");
        }
    }

    /// Would catch a time that follows from a budget which the blocks of short calls do not fill: 36 cases with 20 s each
    /// were to take 12 minutes, and took 2.
    #[test]
    fn what_is_announced_is_what_blocks_of_short_calls_take() {
        let seconds = |count: usize, stopping: Stopping, budget: f64| {
            let cases: Vec<LuaCase> = (0..count).map(|_| case("a", None)).collect();
            let stages = stages(&cases, Order::Blocks, &Settings::default());
            let subjects: usize = stages.iter().map(|stage| stage.subjects.len()).sum();
            let plan = Plan::new(Order::Blocks, stopping, 1);
            expected_seconds(&cases, &stages, &plan, budget) / subjects as f64
        };
        let is_near = |seconds: f64, all: f64| (seconds / all - 1.0).abs() < 0.25;
        for count in [1, 6, 36] {
            for budget in [3.0, 20.0, 60.0] {
                let ten = seconds(count, Stopping::Runs(10), budget);
                assert!(is_near(ten, 1.7), "{count} cases, {budget} s: {ten}");
            }
            // A small share is all that a block takes; where more blocks follow, they fill the budget.
            let small = seconds(count, Stopping::Runs(10), 1.2);
            assert!(is_near(small, 1.0), "{count} cases: {small}");
            let open = Stopping::Precision { target: 0.01, budget: 3.0 };
            let filled = seconds(count, open, 3.0);
            assert!(is_near(filled, 3.0), "{count} cases: {filled}");
        }
    }

    /// Would catch jobs that are told apart after measuring only: cases of one job have to be in one block.
    #[test]
    fn cases_of_a_job_are_measured_together() {
        let names = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")];
        let named = |(name, job): (&str, &str)| {
            let mut case = case("f", None);
            case.line.name = name.to_owned();
            case.line.params = vec![("job".to_owned(), job.to_owned())];
            case
        };
        let cases = names.map(named);
        let of = |settings: &Settings| -> Vec<Vec<usize>> {
            stages(&cases, Order::Blocks, settings).into_iter().map(|s| s.subjects).collect()
        };
        assert_eq!(of(&Settings::default()), [vec![0, 2], vec![1, 3]]);
        let all = Settings { by: scope::By::Params(Vec::new()), ..Settings::default() };
        assert_eq!(of(&all), [vec![0, 1, 2, 3]]);
        let reference = Some("b".to_owned());
        let against_b = Settings { reference, ..Settings::default() };
        assert_eq!(of(&against_b), [vec![2, 0], vec![3, 1]]);
    }

    /// Would catch Luas that are compared without a common block, as one after the other.
    #[test]
    fn a_case_is_measured_on_all_luas_together() {
        let case_on = |name: &str, own: &[(&str, &str)], lua: &str| {
            let mut case = case("f", None);
            case.line.name = name.to_owned();
            case.variant = variant(&[("lua", lua)]);
            case.line.params = [variant(own).params, case.variant.params.clone()].concat();
            case
        };
        let of = |cases: &[LuaCase]| -> Vec<Vec<usize>> {
            let stages = stages(cases, Order::Blocks, &Settings::default());
            stages.into_iter().map(|stage| stage.subjects).collect()
        };
        let two = ["a", "b"].map(|lua| ["x", "y"].map(|name| case_on(name, &[], lua)));
        assert_eq!(of(&two.concat()), [vec![0, 2, 1, 3]]);
        let jobs = [("x", "1"), ("y", "1"), ("x", "2"), ("y", "2")];
        let jobs =
            ["a", "b"].map(|lua| jobs.map(|(name, job)| case_on(name, &[("job", job)], lua)));
        assert_eq!(of(&jobs.concat()), [vec![0, 4, 1, 5], vec![2, 6, 3, 7]]);
        let names: Vec<String> = (0..20).map(|number| format!("case {number}")).collect();
        let many = ["a", "b", "c", "d", "e"]
            .map(|lua| names.iter().map(|name| case_on(name, &[], lua)).collect::<Vec<LuaCase>>());
        let groups = of(&many.concat());
        assert!(groups.iter().all(|group| group.len() <= TOGETHER), "{groups:?}");
        for group in &groups {
            assert_eq!(group[..5], [0, 20, 40, 60, 80], "the baseline on every Lua");
            assert!(group.iter().all(|&index| group.contains(&((index + 20) % 100))), "{group:?}");
        }
        let others: usize = groups.iter().map(|group| group.len() - 5).sum();
        assert_eq!(others, 95);
    }

    /// Would catch groups without the reference, which is what their cases are compared with.
    #[test]
    fn groups_hold_the_reference_if_it_is_there() {
        let mut cases: Vec<LuaCase> = (0..20).map(|_| case("a", None)).collect();
        cases[18].line.params = vec![("n".to_owned(), "7".to_owned())];
        for (reference, first) in [("c [n=7]", 18), ("elsewhere", 0)] {
            let reference = Some(reference.to_owned());
            let settings = Settings { reference, ..Settings::default() };
            let stages = stages(&cases, Order::Blocks, &settings);
            assert_eq!(stages.len(), 2);
            assert!(stages.iter().all(|stage| stage.subjects[0] == first), "{stages:?}");
            let all = stages.iter().flat_map(|stage| &stage.subjects[1..]);
            let others: Vec<usize> = (0..20).filter(|&index| index != first).collect();
            assert_eq!(all.copied().collect::<Vec<_>>(), others);
        }
    }

    #[test]
    fn the_command_line_goes_before_the_file_and_the_file_before_the_default() {
        let options = etalon_lua::Options {
            warmup: Some(1.0),
            gc_step: Some(-1),
            confidence_level: Some(99.0),
            rciw: Some(3.0),
        };
        let none = Overrides::default();
        let of_file = sampling(options, &none);
        assert_eq!(
            of_file,
            Sampling {
                warmup: Warmup::For(1.0),
                collector: Collector::Off,
                confidence: 0.99,
                target: Some(0.03)
            }
        );
        let typed = Overrides {
            warmup: Some(0.0),
            gc_step: Some(64),
            confidence: Some(0.9),
            precision: Some(0.01),
        };
        let typed = sampling(options, &typed);
        assert_eq!(
            typed,
            Sampling {
                warmup: Warmup::For(0.0),
                collector: Collector::Step(64),
                confidence: 0.9,
                target: Some(0.02)
            }
        );
        let default = sampling(etalon_lua::Options::default(), &none);
        let warmup = Warmup::UntilLevel { at_most: LONGEST_WARMUP };
        assert_eq!((default.warmup, default.target), (warmup, Some(DEFAULT_WIDTH)));
    }
}
