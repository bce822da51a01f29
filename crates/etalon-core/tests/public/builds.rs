//! Sides that were built twice: folding against a slow obvious twin, and controls that move or hold.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::{cpu, normal};
use etalon_core::dataset::{Dataset, Entry, Execution, Name, Place, Written};
use etalon_core::model::{Benchmark, BenchmarkKey, Outcome, SaidBy, Sides};
use etalon_core::random::Random;
use etalon_core::run_set::RunSet;
use etalon_core::tables::{Controls, Method, Query, QuerySpec, Style, Tables, natural, tabulate};
use etalon_core::verdict::{Reason, Verdict};
use proptest::prelude::*;

/// Where benchmarks say their side.
const SIDES: Sides = Sides { said_by: SaidBy::Parameter };

/// Side, build, block, and a value; `None` for one that did not count.
type Line = (usize, usize, u32, Option<f64>);

/// In the place of a block: none is known, as in data of other programs.
const NOWHERE: u32 = u32::MAX;

/// Would catch rows without a block taken for rows of one block: one that failed would take all of its side along.
#[test]
fn rows_without_a_block_are_of_no_block_together() {
    let readings = |block: &dyn Fn(u32) -> u32| {
        let lines = (0..6).flat_map(|at| {
            let of_build = move |build| {
                let value = (at != 2 || build == 1).then(|| f64::from(at) + 10.0 * build as f64);
                (0, build, at, value)
            };
            [0, 1].map(of_build)
        });
        let lines: Vec<Line> = lines.map(|(a, b, at, v)| (a, b, block(at), v)).collect();
        let sides = dataset(&lines).with_builds_joined().unwrap();
        let counted = (0..sides.len()).filter(|row| sides.counts(*row));
        counted.map(|row| sides.base(sides.row(row).next().unwrap())).collect::<Vec<f64>>()
    };
    let placed = readings(&|at| at);
    assert_eq!(placed.len(), 5);
    assert_eq!(readings(&|_| NOWHERE), placed);
}

/// Would catch a label without its side or build because the value stands in the name by chance, which two builds then
/// share; and a user's own parameter of that name that is said twice.
#[test]
fn side_and_build_are_in_every_label() {
    let label = |name: &str, params: &[(&str, &str)]| {
        let params = params.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        BenchmarkKey { name: name.to_owned(), params: params.collect() }.label()
    };
    let built = [("n", "4"), ("side", "base"), ("build", "2")];
    assert_eq!(label("based 4-2", &built), "based 4-2 [side=base, build=2]");
    assert_eq!(label("make debug", &[("build", "debug")]), "make debug");
    assert_eq!(label("left", &[("side", "left"), ("build", "2")]), "left [build=2]");
}

/// A command on two sides, each built twice.
fn dataset(lines: &[Line]) -> Dataset {
    let lines: Vec<(usize, Line)> = lines.iter().map(|line| (0, *line)).collect();
    dataset_of(1, &lines)
}

/// So many commands; each line with the command that it is of.
fn dataset_of(commands: usize, lines: &[(usize, Line)]) -> Dataset {
    let mut data = Dataset::default();
    let run_set =
        data.add_run_set(RunSet { sides: Some(SIDES), ..RunSet::from_source("r") }).unwrap();
    let metric = data.add_metric(run_set, cpu(0.0)).unwrap();
    let configuration = data.configuration(run_set, &[]).unwrap();
    let benchmark = |command: usize, side: &str, build: &str| Benchmark {
        key: BenchmarkKey {
            name: if command == 0 { "p".to_owned() } else { format!("p{command}") },
            params: [("side", side), ("build", build)]
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .into(),
        },
        command: Some("p".to_owned()),
        ..Benchmark::default()
    };
    let mut of_command = |command: usize| {
        ["base", "head"].map(|side| {
            let mut add = |build| data.add_benchmark(run_set, benchmark(command, side, build));
            ["1", "2"].map(|build| add(build).unwrap())
        })
    };
    let all: Vec<_> = (0..commands).map(&mut of_command).collect();
    for &(command, (side, build, block, value)) in lines {
        let outcome = value.is_none().then_some(Outcome::TimedOut);
        let place = (block != NOWHERE).then_some(Place { block, turn: None });
        let execution = Execution { place, outcome, iterations: None };
        let entry =
            |value| Entry { spelling: metric, number: Some((value, Written::Computed)), text: "" };
        let entries: Vec<Entry<'_>> = value.map(entry).into_iter().collect();
        data.add_row((all[command][side][build], configuration), execution, entries.into_iter())
            .unwrap();
    }
    data.finish(run_set).unwrap();
    data
}

/// By block, the values of a benchmark of folded data, in the unit in which they were written; `None` if one did not
/// count.
fn folded(data: &Dataset) -> BTreeMap<(String, u32), Option<f64>> {
    let row = |row: usize| {
        let key = (data.name_of(row).full().to_owned(), data.rows.place(row).unwrap().block);
        let value = data.row(row).next().map(|value| data.values.number(value.index as usize));
        (key, value.filter(|_| data.counts(row)))
    };
    (0..data.len()).map(row).collect()
}

proptest! {
    /// Would catch a build that is left out or counted twice, a mean on another scale, a side that has a reading where
    /// a build has none, and blocks that are torn.
    #[test]
    fn a_side_has_the_mean_of_its_builds(
        values in prop::collection::vec(prop_oneof![1 => Just(None), 8 => (1_u32..1000).prop_map(Some)], 4..40),
        order in any::<u64>(),
    ) {
        let mut lines: Vec<Line> = values
            .iter()
            .enumerate()
            .map(|(at, value)| (at / 2 % 2, at % 2, u32::try_from(at / 4).unwrap(), value.map(f64::from)))
            .collect();
        // Within a block, in any order.
        let key = |line: &Line| (line.2, (line.0 as u64 * 2 + line.1 as u64 + 1).wrapping_mul(order | 1) % 7);
        lines.sort_by_key(key);
        let sides = dataset(&lines).with_builds_joined().unwrap();
        let mut expected: BTreeMap<(String, u32), Option<f64>> = BTreeMap::new();
        for (side, name) in [(0, "p/side=base"), (1, "p/side=head")] {
            for block in 0..=u32::try_from(values.len() / 4).unwrap() {
                let of: Vec<Option<f64>> =
                    lines.iter().filter(|line| (line.0, line.2) == (side, block)).map(|line| line.3).collect();
                if let [one, two] = of[..] {
                    let mean = one.zip(two).map(|(one, two)| (one * two).sqrt());
                    expected.insert((name.to_owned(), block), mean);
                }
            }
        }
        let found = folded(&sides);
        prop_assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (key, value) in expected {
            match (found[&key], value) {
                (Some(found), Some(value)) => prop_assert!((found / value - 1.0).abs() < 1e-12),
                (found, value) => prop_assert_eq!(found, value),
            }
        }
    }
}

/// Would catch zeros that become NaN, and equal counts that are rounded.
#[test]
fn what_has_no_logarithm_has_a_mean_too() {
    let of = |one: f64, two: f64| {
        let data =
            dataset(&[(0, 0, 0, Some(one)), (0, 1, 0, Some(two))]).with_builds_joined().unwrap();
        folded(&data)[&("p/side=base".to_owned(), 0)].unwrap()
    };
    assert_eq!(
        [of(0.0, 0.0), of(0.0, 4.0), of(3.0, 3.0), of(680.0, 680.0)],
        [0.0, 2.0, 3.0, 680.0]
    );
}

/// Forty blocks that scatter by 1 %, with a factor for each of the four builds.
fn experiment(factors: [f64; 4]) -> Dataset {
    let mut lines = Vec::new();
    let mut noise = 12_345_u64;
    for block in 0..40 {
        for (at, factor) in factors.iter().enumerate() {
            noise = noise
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let uniform = (noise >> 33) as f64 / (1_u64 << 31) as f64;
            lines.push((
                at / 2,
                at % 2,
                block,
                Some(1e6 * factor * (1.0 + 0.03 * (uniform - 0.5))),
            ));
        }
    }
    dataset(&lines)
}

fn controls(data: &Dataset) -> Controls {
    let asked = QuerySpec { row: ".name".parse().unwrap(), ..natural(data) };
    let query = Query::new(Controls::query(asked, SIDES));
    Controls::from_data(data, query, &Controls::method(Method::new(Style::Etalon)))
}

fn compared(data: &Dataset) -> (Tables, Controls) {
    let method = Method::new(Style::Etalon);
    let asked = QuerySpec { row: ".name".parse().unwrap(), ..natural(data) };
    let controls = controls(data);
    let query = QuerySpec { col: "/side@(base head)".parse().unwrap(), ..asked };
    let mut tables = tabulate(&data.with_builds_joined().unwrap(), Query::new(query), &method);
    tables.withhold(&controls);
    (tables, controls)
}

fn verdict(tables: &Tables) -> (Verdict, Vec<Reason>) {
    let cell = tables.tables[0].rows[0].cells[1].as_ref().unwrap();
    let decision = cell.comparison.as_ref().unwrap().assessment.as_ref().unwrap().decision.clone();
    (decision.verdict, decision.reasons)
}

/// Would catch a control that is of the other side, one that is not looked at, and verdicts that stand beside one that
/// moved; and sound experiments that lose theirs.
#[test]
fn a_build_that_is_slower_withholds_the_verdict() {
    let (tables, controls) = compared(&experiment([1.0, 1.0, 1.1, 1.1]));
    assert!(controls.moved.is_empty() && controls.compared == 2, "{controls:?}");
    assert!(controls.visible[0].row < 0.03 && controls.visible[0].whole.is_none(), "{controls:?}");
    assert_eq!(verdict(&tables), (Verdict::Slower, vec![Reason::BeyondChance]));
    for (at, side) in ["base", "base", "head", "head"].into_iter().enumerate() {
        let mut factors = [1.0, 1.0, 1.1, 1.1];
        factors[at] *= 1.03;
        let (tables, controls) = compared(&experiment(factors));
        let moved: Vec<&str> = controls.moved.iter().map(|moved| moved.side.as_str()).collect();
        assert_eq!(moved, [side], "{controls:?}");
        let ratio = controls.moved[0].ratio.unwrap();
        assert!((ratio.ln().abs() - 1.03_f64.ln()).abs() < 0.01, "{ratio}");
        assert_eq!(verdict(&tables), (Verdict::Unclear, vec![Reason::ControlMoved]));
    }
}

/// A fault in a simulated experiment.
#[derive(Clone, Copy)]
enum Wrong {
    Nothing,
    /// A build is slower by a share, in these rows.
    Build {
        build: usize,
        by: f64,
        rows: usize,
    },
    /// Whatever is executed first in a block is slower by a share, and that is always the same build; or, without a
    /// build, any.
    First {
        build: Option<usize>,
        by: f64,
    },
}

/// The controls of an experiment whose readings scatter by a share, with what blocks have in common and one reading in
/// twenty disturbed.
fn simulated(seed: u64, (rows, blocks): (usize, u32), scatter: f64, wrong: Wrong) -> Controls {
    let mut random = Random::new(seed);
    let mut lines = Vec::new();
    for block in 0..blocks {
        let common = 0.05 * normal(&mut random);
        for row in 0..rows {
            let first = match wrong {
                Wrong::First { build, .. } => build.unwrap_or_else(|| random.below(4)),
                _ => 0,
            };
            for at in 0..4 {
                let by = match wrong {
                    Wrong::Build { build, by, rows } if build == at && row < rows => by,
                    Wrong::First { by, .. } if first == at => by,
                    _ => 0.0,
                };
                let disturbed = if random.below(20) == 0 { 4.0 * scatter } else { 0.0 };
                let log = common + scatter * normal(&mut random) + disturbed + by.ln_1p();
                lines.push((row, (at / 2, at % 2, block, Some(1e6 * log.exp()))));
            }
        }
    }
    controls(&dataset_of(rows, &lines))
}

/// Would catch a number of blocks with which rows are still not checked, and one that is more than it takes.
#[test]
fn controls_say_how_many_blocks_their_rows_take() {
    let of = |blocks| simulated(7, (20, blocks), 0.02, Wrong::Nothing).unchecked;
    let too_few = of(12);
    assert_eq!(too_few[0].compared, 40);
    assert!(too_few[0].whole.is_some(), "all rows together are checked");
    assert!(too_few[0].blocks > 13);
    assert_eq!(of(too_few[0].blocks - 1).len(), 1);
    assert_eq!(of(too_few[0].blocks), []);
}

/// How many of so many experiments lose their verdicts, each build in turn.
fn withheld(of: u64, wrong: impl Fn(usize) -> Wrong, like: impl Fn(u64, Wrong) -> Controls) -> u64 {
    let is_withheld = |seed: &u64| {
        let build = usize::try_from(seed % 4).unwrap();
        !like(*seed, wrong(build)).moved.is_empty()
    };
    (0..of).filter(is_withheld).count() as u64
}

/// Would catch an alpha that is several times as large, and scatter of blocks that is taken for one of builds.
#[test]
fn sound_experiments_keep_their_verdicts() {
    for rows in [1, 10] {
        let lost = withheld(
            400,
            |_| Wrong::Nothing,
            |seed, wrong| simulated(seed, (rows, 30), 0.03, wrong),
        );
        // 4 are expected; more than 12 come in 1 of 3,000 such series.
        assert!(lost <= 12, "{lost} of 400 with {rows} rows");
    }
}

/// Would catch controls that see less than what they say, and an order that is always the same and goes unseen.
#[test]
fn a_build_that_is_three_percent_slower_is_seen() {
    let by = 0.03;
    let slower = |build| Wrong::Build { build, by, rows: 1 };
    let seen = withheld(40, slower, |seed, wrong| simulated(seed, (1, 60), 0.02, wrong));
    assert!(seen >= 38, "{seen} of 40");
    let scripted = |build| Wrong::First { build: Some(build), by };
    let seen = withheld(40, scripted, |seed, wrong| simulated(seed, (1, 60), 0.02, wrong));
    assert!(seen >= 38, "scripted: {seen} of 40");
    let random = |_| Wrong::First { build: None, by };
    let lost = withheld(40, random, |seed, wrong| simulated(seed, (1, 60), 0.02, wrong));
    assert!(lost <= 2, "in random order: {lost} of 40");
    let in_one_row = |build| Wrong::Build { build, by, rows: 1 };
    let seen = withheld(40, in_one_row, |seed, wrong| simulated(seed, (10, 60), 0.015, wrong));
    assert!(seen >= 38, "in one row of ten: {seen} of 40");
}

/// Would catch rows that are only looked at one by one: what befalls a build as a whole is lost in the scatter of each.
#[test]
fn what_befalls_all_rows_of_a_build_is_seen_in_them_together() {
    let slower = |build| Wrong::Build { build, by: 0.012, rows: 10 };
    let (mut seen, mut in_rows) = (0, 0);
    for seed in 0..40 {
        let controls = simulated(seed, (10, 60), 0.03, slower(usize::try_from(seed % 4).unwrap()));
        let visible = &controls.visible[0];
        assert!(visible.whole.unwrap() < 0.5 * visible.row, "{visible:?}");
        assert_eq!(controls.compared, 2 * 10 + 2);
        let whole = controls.moved.iter().find(|moved| moved.row.is_none());
        seen += u32::from(whole.is_some());
        in_rows += u32::from(controls.moved.iter().any(|moved| moved.row.is_some()));
        if let Some(whole) = whole {
            assert_eq!(whole.side, ["base", "head"][usize::try_from(seed % 4).unwrap() / 2]);
            assert!((whole.ratio.unwrap().ln().abs() - 0.012).abs() < 0.008, "{whole:?}");
        }
    }
    assert!(seen >= 38 && in_rows <= 20, "{seen} together, {in_rows} in a row, of 40");
}

/// Would catch a prediction that does not shrink with the square root, or is too timid for so few values.
#[test]
fn what_will_be_visible_is_known_after_ten_blocks() {
    let visible = |blocks: u32, foreseen: Option<usize>, seed: u64| {
        let mut random = Random::new(seed);
        let mut lines = Vec::new();
        for block in 0..blocks {
            for at in 0..4 {
                let log = 0.03 * normal(&mut random);
                lines.push((at / 2, at % 2, block, Some(1e6 * log.exp())));
            }
        }
        let (mut tables, _) = compared(&dataset(&lines));
        foreseen.into_iter().for_each(|values| tables.foresee(values));
        let cell = tables.tables[0].rows[0].cells[1].as_ref().unwrap();
        cell.comparison.as_ref().unwrap().assessment.as_ref().unwrap().smallest_visible.unwrap()
    };
    // The same first blocks.
    let of = |seed| visible(10, Some(60), seed) / visible(60, None, seed);
    let mut ratios: Vec<f64> = (0..200).map(of).collect();
    ratios.sort_by(f64::total_cmp);
    assert!((0.9..1.15).contains(&ratios[100]), "{}", ratios[100]);
    // Half of what ten values make of their scatter is chance; a promise errs to the large side.
    assert!(ratios[20] > 0.65 && ratios[180] < 2.4, "{} … {}", ratios[20], ratios[180]);
    assert!((visible(10, Some(10), 1) - visible(10, None, 1)).abs() < 1e-12);
}

/// A benchmark of one name in two packages, as Go's harness measures it on two sides: facts say which, in blocks. Each
/// build takes its factor; package `q` ten times as long as `p`. As a record has it, declared under its facts, or as lines.
fn of_facts(is_declared: bool, factors: [f64; 4]) -> Dataset {
    let mut data = Dataset::default();
    let sides = Some(Sides { said_by: SaidBy::Fact });
    let run_set = data.add_run_set(RunSet { sides, ..RunSet::from_source("r") }).unwrap();
    let mut random = Random::new(7);
    let mut known = BTreeMap::new();
    for block in 0..40 {
        for at in 0..8 {
            let (package, side, build) =
                (["p", "q"][at / 4], ["base", "head"][at / 2 % 2], ["1", "2"][at % 2]);
            let facts = [("pkg", package), ("side", side), ("build", build)];
            let facts: Vec<_> = facts
                .iter()
                .map(|(k, v)| (data.strings.intern(k).unwrap(), data.strings.intern(v).unwrap()))
                .collect();
            let configuration = data.configuration(run_set, &facts).unwrap();
            let key = BenchmarkKey { name: "A".to_owned(), params: Vec::new() };
            let benchmark = Benchmark { key, ..Benchmark::default() };
            let benchmark = match is_declared {
                true => *known
                    .entry(at)
                    .or_insert_with(|| data.add_benchmark(run_set, benchmark).unwrap()),
                false => data.named_benchmark(run_set, Name::from_go("A")).unwrap(),
            };
            let value = factors[at % 4]
                * if at < 4 { 1e3 } else { 1e4 }
                * (0.001 * normal(&mut random)).exp();
            let spelling = data.spelling("ns/op").unwrap();
            let entry = Entry { spelling, number: Some((value, Written::Computed)), text: "" };
            let place = Some(Place { block, turn: None });
            let execution = Execution { place, iterations: Some(1), ..Execution::default() };
            data.add_row((benchmark, configuration), execution, [entry].into_iter()).unwrap();
        }
    }
    data.finish(run_set).unwrap();
    data
}

/// Would catch packages or sides that are joined because their benchmarks have one name, builds that are told apart by a
/// fact and stay beside each other, and a control that is of another package.
#[test]
fn builds_that_facts_tell_apart_are_joined_and_compared() {
    for is_declared in [true, false] {
        let data = of_facts(is_declared, [1.0, 1.21, 2.0, 2.0]);
        assert!(data.has_builds());
        let sides = data.with_builds_joined().unwrap();
        assert!(!sides.has_builds());
        let mut sums: BTreeMap<(String, String), (f64, usize)> = BTreeMap::new();
        for row in 0..sides.len() {
            let configuration = sides.series_of(row).configuration;
            let fact = |key: &str| sides.fact(configuration, key).unwrap_or_default().to_owned();
            assert_eq!(fact("build"), "");
            let sum = sums.entry((fact("pkg"), fact("side"))).or_default();
            sum.0 += sides.base(sides.row(row).next().unwrap()) * 1e9;
            sum.1 += 1;
        }
        let means: Vec<f64> = sums.values().map(|(sum, count)| sum / *count as f64).collect();
        assert!(sums.values().all(|(_, count)| *count == 40) && sums.len() == 4, "{sums:?}");
        for (mean, expected) in means.iter().zip([1.1e3, 2e3, 1.1e4, 2e4]) {
            assert!((mean / expected - 1.0).abs() < 0.01, "{means:?}");
        }
        let query = Controls::query(natural(&data), Sides { said_by: SaidBy::Fact });
        let method = Controls::method(Method::new(Style::Etalon));
        let controls = Controls::from_data(&data, Query::new(query), &method);
        let moved: Vec<&str> = controls.moved.iter().map(|moved| moved.side.as_str()).collect();
        assert_eq!((controls.compared, moved), (4, vec!["base", "base"]), "{controls:?}");
        // Packages are told apart, and what a unit shows is what it shows in the worst of them.
        assert!(controls.keys.iter().any(|key| key == "pkg"), "{controls:?}");
        let rows: BTreeSet<_> = controls.rows.iter().map(|it| (&it.side, &it.row)).collect();
        assert_eq!((rows.len(), controls.visible.len()), (4, 1), "{controls:?}");
        assert!(controls.rows.iter().all(|it| it.row.len() == controls.keys.len()));
        // A group for each build, sides beside each other.
        let groups = data.groups();
        let label = |at: usize| groups[at].benchmark.label();
        assert_eq!(groups.len(), 8);
        assert!(label(0).contains("base") && label(0).contains("build=1"), "{}", label(0));
        assert!(label(1).contains("base") && label(1).contains("build=2"), "{}", label(1));
    }
}
