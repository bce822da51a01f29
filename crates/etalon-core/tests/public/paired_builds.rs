//! Sides that were built several times, compared build by build within blocks, and verdicts withheld by metric.
//!
//! Fixed seeds. Would catch a comparison of means, which a single disturbed execution moves; builds that pair in the
//! order in which they were executed; and a counter that nobody asked for deciding about time.

use std::collections::BTreeSet;

use crate::support::normal;
use etalon_core::dataset::{Dataset, Entry, Execution, Place, Written};
use etalon_core::model::{Benchmark, Direction, Kind, Metric, SaidBy, Sides};
use etalon_core::random::Random;
use etalon_core::run_set::RunSet;
use etalon_core::tables::{Controls, Method, Query, QuerySpec, Style, Tables, natural, tabulate};
use etalon_core::units::Unit;
use etalon_core::verdict::{Assessment, Reason, Verdict};

/// Of the values of [`layouts_are_compared_by_welch`].
const P_BY_SCIPY: f64 = 0.000_769_385_935_852_844_3;
const ENDS_BY_SCIPY: [f64; 2] = [0.017_185_873_058_454_08, 0.044_014_126_941_545_92];

const SIDES: Sides = Sides { said_by: SaidBy::Parameter };

/// What is measured of each execution.
fn metrics() -> Vec<Metric> {
    let count = Metric {
        unit: Unit::new("count"),
        direction: Direction::Lower,
        kind: Kind::Noisy,
        ..Metric::new("faults", "count")
    };
    vec![Metric::new("wall", "s"), Metric::new("cpu", "s"), count]
}

/// An execution: of which command, side and build, in which block.
#[derive(Clone, Copy)]
struct At {
    command: usize,
    side: usize,
    build: usize,
    block: u32,
}

/// So many commands on two sides, each built so often, in so many blocks, in random order within them.
fn measured(
    (commands, builds, blocks): (usize, usize, u32),
    random: &mut Random,
    mut reading: impl FnMut(At, &mut Random) -> [f64; 3],
) -> Dataset {
    let mut data = Dataset::default();
    let set = RunSet { sides: Some(SIDES), ..RunSet::from_source("r") };
    let run_set = data.add_run_set(set).unwrap();
    let spellings: Vec<_> =
        metrics().into_iter().map(|metric| data.add_metric(run_set, metric).unwrap()).collect();
    let configuration = data.configuration(run_set, &[]).unwrap();
    let mut all = Vec::new();
    for command in 0..commands {
        for (side, name) in ["base", "head"].into_iter().enumerate() {
            for build in 0..builds {
                let mut benchmark = Benchmark::new(format!("p{command}"));
                let number = (build + 1).to_string();
                let params = [("side", name.to_owned()), ("build", number)];
                benchmark.key.params = params.map(|(key, value)| (key.to_owned(), value)).into();
                let id = data.add_benchmark(run_set, benchmark).unwrap();
                all.push((At { command, side, build, block: 0 }, id));
            }
        }
    }
    for block in 0..blocks {
        random.shuffle(&mut all);
        for (at, id) in &all {
            let values = reading(At { block, ..*at }, random);
            let entry = |(spelling, value)| Entry {
                spelling,
                number: Some((value, Written::Computed)),
                text: "",
            };
            let entries: Vec<Entry<'_>> =
                spellings.iter().copied().zip(values).map(entry).collect();
            let place = Some(Place { block, turn: None });
            let execution = Execution { place, iterations: None, outcome: None };
            data.add_row((*id, configuration), execution, entries.into_iter()).unwrap();
        }
    }
    data.finish(run_set).unwrap();
    data
}

fn compared(data: &Dataset) -> (Tables, Controls) {
    let method = Method::new(Style::Etalon);
    let asked = QuerySpec { row: ".name".parse().unwrap(), ..natural(data) };
    let query = Query::new(Controls::query(asked.clone(), SIDES));
    let controls = Controls::from_data(data, query, &Controls::method(method));
    let query = QuerySpec { col: "/side@(base head)".parse().unwrap(), ..asked };
    let mut tables = tabulate(&data.with_builds_joined().unwrap(), Query::new(query), &method);
    tables.withhold(&controls);
    (tables, controls)
}

fn assessments<'t>(tables: &'t Tables, unit: &str) -> Vec<&'t Assessment> {
    let table = tables.tables.iter().find(|table| table.unit.starts_with(unit)).unwrap();
    let cells = table.rows.iter().map(|row| row.cells[1].as_ref().unwrap());
    cells.map(|cell| cell.comparison.as_ref().unwrap().assessment.as_deref().unwrap()).collect()
}

/// 1 % of noise, and one execution in five takes longer by 60 % on average.
fn disturbed(random: &mut Random) -> f64 {
    let longer =
        if random.uniform() < 0.2 { 1.0 - 0.6 * (1.0 - random.uniform()).ln() } else { 1.0 };
    longer * (0.01 * normal(random)).exp()
}

/// Of 100 experiments of 30 blocks those in which head is slower, where it takes so much longer.
fn slower(builds: usize, change: f64) -> usize {
    let is_slower = |seed: &u64| {
        let mut random = Random::new(*seed).stream(7);
        let data = measured((1, builds, 30), &mut random, |at, random| {
            let time = disturbed(random) * if at.side == 1 { 1.0 + change } else { 1.0 };
            [time, 1.0, 1.0]
        });
        let joined = data.with_builds_joined().unwrap();
        let query = "/side@(base head)".parse().unwrap();
        let query = QuerySpec { col: query, row: ".name".parse().unwrap(), ..natural(&joined) };
        let tables = tabulate(&joined, Query::new(query), &Method::new(Style::Etalon));
        assessments(&tables, "sec")[0].decision.verdict == Verdict::Slower
    };
    (0..100).filter(is_slower).count()
}

/// Would catch means over builds, which find 5 % in 39 of 100 where one execution in five is disturbed; builds that count
/// as blocks of their own.
#[test]
fn disturbed_executions_hide_no_change_of_a_side() {
    assert!(slower(2, 0.05) >= 85);
    assert!(slower(2, 0.0) <= 6);
}

/// What befalls the first builds of both sides in a block, and the second ones. Would catch builds that pair in the order
/// of their executions.
#[test]
fn builds_pair_by_their_numbers() {
    let mut random = Random::new(1);
    let mut of_build = std::collections::BTreeMap::new();
    let data = measured((1, 2, 12), &mut random, |at, random| {
        let shared =
            *of_build.entry((at.block, at.build)).or_insert_with(|| 1.0 + random.uniform());
        [shared * if at.side == 1 { 1.02 } else { 1.0 }, 1.0, 1.0]
    });
    let (tables, _) = compared(&data);
    let found = assessments(&tables, "sec")[0];
    assert_eq!(found.decision.verdict, Verdict::Slower, "{found:?}");
    let interval = found.evidence.ratio_interval().unwrap();
    assert!((interval.lo - 1.02).abs() < 1e-6 && (interval.hi - 1.02).abs() < 1e-6, "{interval:?}");
    assert_eq!(found.evidence.n, (12, 12));
}

/// The numbers that builds have are those of the readings, in whole nanoseconds. Would catch equal changes that do not
/// tie, because a mean was taken apart again.
#[test]
fn equal_changes_of_builds_tie() {
    let mut random = Random::new(2);
    let data = measured((1, 2, 10), &mut random, |at, _| {
        let time = 1000 + 7 * at.block + 3 * u32::try_from(at.build).unwrap();
        [f64::from(time * (1 + u32::try_from(at.side).unwrap())) / 1e9, 1.0, 1.0]
    });
    let (tables, _) = compared(&data);
    let interval = assessments(&tables, "sec")[0].evidence.ratio_interval().unwrap();
    assert_eq!((interval.lo, interval.hi), (2.0, 2.0));
}

/// Rows whose verdict about a unit is withheld.
fn withheld(tables: &Tables, unit: &str) -> BTreeSet<usize> {
    let all = assessments(tables, unit).into_iter().enumerate();
    all.filter(|(_, it)| it.decision.reasons == [Reason::ControlMoved]).map(|(at, _)| at).collect()
}

/// So many commands of which head takes 5 % more; `planted` adds to a reading.
fn planted(commands: usize, planted: impl Fn(At) -> [f64; 3]) -> (Tables, Controls) {
    let mut random = Random::new(3);
    let data = measured((commands, 2, 30), &mut random, |at, random| {
        let slower = if at.side == 1 { 1.05 } else { 1.0 };
        let mut time = || slower * (0.005 * normal(random)).exp();
        let usual = [time(), time(), 58.0];
        let more = planted(at);
        std::array::from_fn(|place| usual[place] * (1.0 + more[place]))
    });
    compared(&data)
}

/// Three page faults more in one build. Would catch a counter that withholds times; a time that does not withhold the
/// other one of its row, or that of another row too; and a side that nobody looks at.
#[test]
fn a_moved_control_withholds_its_metric_of_its_row() {
    let here = |at: At| at.command == 2 && at.side == 1 && at.build == 1;
    let (tables, controls) = planted(4, |at| [0.0, 0.0, if here(at) { 0.05 } else { 0.0 }]);
    // Of a counter that does not scatter one row moves the mean of all: that withholds no other row.
    let rows = controls.moved.iter().filter(|moved| moved.row.is_some()).count();
    assert_eq!(rows, 1, "{controls:?}");
    assert_eq!(withheld(&tables, "faults"), BTreeSet::from([2]));
    assert!(withheld(&tables, "sec").is_empty() && withheld(&tables, "cpu").is_empty());
    assert!(assessments(&tables, "sec").iter().all(|it| it.decision.verdict == Verdict::Slower));
    let (tables, controls) = planted(4, |at| [0.0, if here(at) { 0.03 } else { 0.0 }, 0.0]);
    assert!(controls.moved.iter().any(|moved| moved.row.is_some()), "{controls:?}");
    for unit in ["sec", "cpu"] {
        let expected = BTreeSet::from([2]);
        assert_eq!(withheld(&tables, unit), expected, "{unit}: {:?}", controls.moved);
    }
    assert!(withheld(&tables, "faults").is_empty());
    let counted: Vec<(usize, usize)> =
        controls.units.iter().map(|it| (it.rows, it.moved)).collect();
    assert_eq!(counted.len(), 3);
    assert!(counted.iter().all(|(rows, _)| *rows == 4), "{counted:?}");
}

/// Would catch a metric of which most rows moved and the others keep their verdicts, and a few rows of many that take all
/// along.
#[test]
fn a_metric_that_moves_in_many_rows_is_withheld_in_all() {
    let faults = |rows: usize, moved: usize| {
        let here = move |at: At| at.command < moved && at.side == 0 && at.build == 0;
        // Up in one row and down in the next: all rows together show nothing.
        let by = |at: At| if at.command.is_multiple_of(2) { 0.05 } else { -0.05 };
        let (tables, controls) =
            planted(rows, |at| [0.0, 0.0, if here(at) { by(at) } else { 0.0 }]);
        assert!(withheld(&tables, "sec").is_empty(), "{:?}", controls.moved);
        withheld(&tables, "faults").len()
    };
    assert_eq!([faults(8, 2), faults(8, 4), faults(12, 2), faults(12, 4)], [2, 8, 2, 12]);
    assert_eq!(faults(6, 4), 4);
}

/// A counter that is nearly always 0. Would catch a single disturbed reading taken for a build that differs, and `unclear`
/// where nothing typical does.
#[test]
fn a_disturbed_reading_among_zeros_moves_nothing() {
    let mut random = Random::new(4);
    let data = measured((1, 2, 12), &mut random, |at, _| {
        let is_it = at.block == 5 && at.side == 1 && at.build == 0;
        [1.0 + f64::from(at.block), 1.0, if is_it { 2.0 } else { 0.0 }]
    });
    let (tables, controls) = compared(&data);
    assert!(controls.moved.is_empty(), "{controls:?}");
    assert_eq!(assessments(&tables, "faults")[0].decision.verdict, Verdict::Same);
}

/// Of 300 experiments of 15 blocks with so many layouts a side, those that call head different; layouts of a side
/// scatter by 1 %, executions by 1 %, and one in five of them takes longer if they are disturbed.
fn called_different(layouts: usize, change: f64, is_disturbed: bool) -> usize {
    let differs = |seed: &u64| {
        let mut random = Random::new(*seed).stream(11);
        let placed: Vec<f64> = (0..2 * layouts).map(|_| 0.01 * normal(&mut random)).collect();
        let data = measured((1, layouts, 15), &mut random, |at, random| {
            let noise = if is_disturbed { disturbed(random).ln() } else { 0.01 * normal(random) };
            let own = placed[at.side * layouts + at.build];
            let changed = if at.side == 1 { 1.0 + change } else { 1.0 };
            [changed * (own + noise).exp(), 1.0, 1.0]
        });
        let joined = data.with_builds_joined().unwrap();
        let query = "/side@(base head)".parse().unwrap();
        let query = QuerySpec { col: query, row: ".name".parse().unwrap(), ..natural(&joined) };
        let tables = tabulate(&joined, Query::new(query), &Method::new(Style::Etalon));
        assessments(&tables, "sec")[0].decision.is_difference()
    };
    (0..300).filter(differs).count()
}

/// Would catch layouts that pair by their numbers (74 % of 3 % found), blocks that count as independent of the layouts
/// (two builds a side: most of A/A called different), and means over blocks, of which a disturbed execution moves all.
#[test]
fn layouts_are_a_sample_of_the_code() {
    // 5 % of 300, and what chance adds to it in one of a thousand.
    let [alike, alike_disturbed] = [false, true].map(|it| called_different(4, 0.0, it));
    assert!(alike <= 28 && alike_disturbed <= 28, "{alike} {alike_disturbed}");
    let [found, found_disturbed] = [false, true].map(|it| called_different(4, 0.03, it));
    assert!(found >= 240 && found_disturbed >= 200, "{found} {found_disturbed}");
    let two = called_different(2, 0.0, false);
    assert!(two >= 100, "{two}");
}

/// Five layouts of each side say what `scipy.stats.ttest_ind(equal_var=False)` does of their values, and no block that
/// befalls all of them moves one.
#[test]
fn layouts_are_compared_by_welch() {
    let base = [0.012, -0.007, 0.003, -0.011, 0.006];
    let head = [0.031, 0.042, 0.018, 0.036, 0.029];
    let mut random = Random::new(5);
    let mut of_block = std::collections::BTreeMap::new();
    let data = measured((1, 5, 9), &mut random, |at, random| {
        let block: f64 = *of_block.entry(at.block).or_insert_with(|| random.uniform());
        let own = if at.side == 1 { head[at.build] } else { base[at.build] };
        [(block + own).exp(), 1.0, 1.0]
    });
    let joined = data.with_builds_joined().unwrap();
    assert!(data.has_layouts());
    let query = "/side@(base head)".parse().unwrap();
    let query = QuerySpec { col: query, row: ".name".parse().unwrap(), ..natural(&joined) };
    let tables = tabulate(&joined, Query::new(query), &Method::new(Style::Etalon));
    let found = assessments(&tables, "sec")[0];
    let p = found.evidence.test.as_ref().unwrap().p;
    assert!((p / P_BY_SCIPY - 1.0).abs() < 1e-6, "{p}");
    let interval = found.evidence.ratio_interval().unwrap();
    let ends = [interval.lo.ln(), interval.hi.ln()];
    assert!(ends.iter().zip(ENDS_BY_SCIPY).all(|(a, b)| (a - b).abs() < 1e-9), "{ends:?}");
    let Some(note) = tables.layouts_note() else { panic!("no note of layouts") };
    assert_eq!(note.what.code(), "layouts");
}
