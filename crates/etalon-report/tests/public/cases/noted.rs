//! What the notes under a report of cases say, and of which case or pair.

use super::*;
use crate::notes::notes;

/// One case is `ratio` times another in every turn, give or take `within`; both follow the same level
/// from block to block, which varies by `between`.
fn two_levels(ratio: f64, within: f64, between: f64) -> Analysis {
    let mut set = many(2);
    let mut random = Random::new(7);
    let levels: Vec<f64> = (0..10).map(|_| 1.0 + between * random.uniform()).collect();
    for (series, call) in set.series.iter_mut().zip([20e-6, 20e-6 * ratio]) {
        let Series { blocks, columns, .. } = series;
        let Column { rows, values } = &mut columns[0];
        for (row, value) in rows.iter().zip(values) {
            let level = levels[blocks[*row as usize] as usize];
            *value = call * level * (1.0 + within * (random.uniform() - 0.5));
        }
    }
    analysed(set)
}

/// Would catch a test that is corrected, paired or limited as etalon's is without saying so, and a
/// disagreement that nobody explains.
#[test]
fn where_the_tests_disagree_a_note_says_why() {
    let said = |analysis: &Analysis, what: &str| {
        notes(analysis).iter().any(|(about, text)| {
            about == "variant 2 of the parser against variant 1 of the parser"
                && text.contains(what)
        })
    };
    let paired = two_levels(1.03, 0.01, 0.5);
    assert!(said(&paired, "Welch's test finds no difference, etalon's verdict is slower"));
    let margin = two_levels(1.004, 0.0005, 0.001);
    assert!(said(&margin, "Welch's test finds a difference, etalon's verdict is same"));
    let agree = two_levels(1.3, 0.01, 0.01);
    assert!(!said(&agree, "finds"));
    insta::assert_snapshot!("disagreement", on_terminal(&paired, PLAIN));
}

fn notes_of(analysis: &Analysis, about: &str) -> Vec<String> {
    let of = notes(analysis).into_iter().filter(|(of, _)| of == about);
    of.map(|(_, text)| text).collect()
}

#[track_caller]
pub(super) fn noted(analysis: &Analysis, about: &str, what: &str) {
    let notes = notes_of(analysis, about);
    assert!(notes.iter().any(|text| text.contains(what)), "{about}: {notes:?}");
}

#[track_caller]
fn not_noted(analysis: &Analysis, about: &str, what: &str) {
    let notes = notes_of(analysis, about);
    assert!(!notes.iter().any(|text| text.contains(what)), "{about}: {notes:?}");
}

const SECOND_AGAINST_FIRST: &str = "variant 2 of the parser against variant 1 of the parser";

/// Would catch a disagreement explained by what it is not: with few blocks nothing can be decided, and
/// a test and a verdict that both see a difference may see opposite ones.
#[test]
fn a_disagreement_is_given_its_own_reason() {
    let mut few = many(2);
    for series in &mut few.series {
        let Series { blocks, columns, .. } = series;
        for column in columns {
            let kept: Vec<(u32, f64)> =
                column.rows.iter().copied().zip(column.values.drain(..)).collect();
            let kept = kept.into_iter().filter(|(row, _)| blocks[*row as usize] < 4);
            (column.rows, column.values) = kept.unzip();
        }
    }
    for value in &mut few.series[1].columns[0].values {
        *value *= 3.0;
    }
    let few = analysed(few);
    noted(&few, SECOND_AGAINST_FIRST, "unclear: it needs at least 6 blocks");
    not_noted(&few, SECOND_AGAINST_FIRST, "as if they were independent");

    // Twice as fast in 58 of 60 blocks, and a thousand times as slow in two.
    let mut opposite = run_set(
        &[
            ("a", case("x_bench.lua", None), cost(1e-6, 0.0)),
            ("b", case("x_bench.lua", None), cost(1e-6, 0.0)),
        ],
        60,
    );
    let Series { blocks, columns, .. } = &mut opposite.series[1];
    let Column { rows, values } = &mut columns[0];
    for (row, value) in rows.iter().zip(values) {
        *value *= if blocks[*row as usize] < 2 { 1000.0 } else { 0.5 };
    }
    let settings = Settings {
        metric: "wall".to_owned(),
        criteria: Criteria { alpha: 0.3, ..Criteria::default() },
        ..Settings::default()
    };
    let opposite = analyse(&data(&[opposite]), &settings).unwrap();
    noted(&opposite, "b against a", "Welch's test finds it slower, etalon's verdict is faster");
}

/// Would catch a name that hides the params its cases are told apart by.
#[test]
fn a_case_is_shown_with_all_its_params() {
    let file = "p_bench.lua";
    let sort = || ("sort 10", case(file, None), cost(1e-6, 0.0));
    let mut set = run_set(&[sort(), sort()], 10);
    for (benchmark, size) in set.benchmarks.iter_mut().zip(["10", "100"]) {
        benchmark.key.params = vec![("size".to_owned(), size.to_owned())];
    }
    let report = on_terminal(&analysed(set.clone()), PLAIN);
    assert!(
        report.contains("sort 10 [size=10]") && report.contains("sort 10 [size=100]"),
        "{report}"
    );
    let settings = |reference: &str| Settings {
        metric: "wall".to_owned(),
        reference: Some(reference.to_owned()),
        ..Settings::default()
    };
    let by_label = analyse(&data(&[set.clone()]), &settings("sort 10 [size=100]")).unwrap();
    assert_eq!(by_label.suites[0].baseline, Some(1));
    assert_eq!(by_label.suites[0].passed_over, None, "it was chosen");
    let error = analyse(&data(&[set]), &settings("sort 10")).unwrap_err();
    assert!(format!("{error:?}").contains("sort 10 [size=100]"), "{error:?}");
}

/// Would catch a time that is the clock's without a word, and words on batches where there are none.
#[test]
fn a_target_as_short_as_the_clock_is_noted() {
    let file = "timer_bench.lua";
    let timed = Case { timer: true, ..case(file, None) };
    let cases = [
        ("short", timed.clone(), cost(60e-9, 0.0)),
        ("long", timed, cost(60e-6, 0.0)),
        ("batched", case(file, None), cost(6e-9, 0.0)),
    ];
    let mut set = run_set(&cases, 10);
    for series in &mut set.series {
        series.columns[8].values.fill(45e-9);
    }
    let analysis = analysed(set);
    noted(&analysis, "short", "about 45 ns of its 60 ns are the clock's own");
    not_noted(&analysis, "short", "optimised away");
    not_noted(&analysis, "long", "the clock's own");
    not_noted(&analysis, "batched", "the clock's own");
    let report = on_terminal(&analysis, PLAIN);
    let comparisons = &analysis.rankings[0].comparisons;
    let ratio =
        |c: &etalon_core::analysis::Comparison| c.assessment.evidence.shown().ratio.unwrap();
    let lows = comparisons.iter().map(|c| ratio(c).interval.unwrap().lo);
    assert!(lows.into_iter().all(|lo| lo > 0.0), "a ratio of times is above 0: {report}");
    // The clock's resolution limits each of its times, not a batch of them.
    let step = |index: usize| analysis.benchmarks[index].metric("wall").unwrap().metric.resolution;
    assert_eq!(step(0), Some(30e-9));
    assert!(step(2).unwrap() < 1e-9);
}

/// Would catch one number for what takes another time in every turn.
#[test]
fn a_time_that_moves_from_turn_to_turn_is_noted() {
    let file = "drift_bench.lua";
    let names = ["steady", "slows", "speeds up", "slows once"];
    let cases = names.map(|name| (name, case(file, None), cost(1e-6, 0.0)));
    let mut set = run_set(&cases, 10);
    for (index, series) in set.series.iter_mut().enumerate() {
        let Series { blocks, turns, columns, .. } = series;
        let Column { rows, values } = &mut columns[0];
        for (row, value) in rows.iter().zip(values) {
            let (block, turn) = (blocks[*row as usize], f64::from(turns[*row as usize]));
            *value *= match index {
                1 => 1.0 + turn,
                2 => 1.0 / (1.0 + turn),
                3 if block == 3 => 1.0 + turn,
                _ => 1.0,
            };
        }
    }
    let analysis = analysed(set);
    noted(&analysis, "slows", "slows from turn to turn");
    noted(&analysis, "speeds up", "gets faster from turn to turn");
    for name in ["steady", "slows once"] {
        not_noted(&analysis, name, "from turn to turn");
    }
}

/// Would catch one number for a function that makes strings, whose time depends on how many are alive; and caches that
/// are cold right after a collection taken for that.
#[test]
fn a_time_that_grows_with_the_batch_is_noted() {
    let file = "strings_bench.lua";
    let names = ["steady", "strings", "in one block", "among others"];
    let cases = names.map(|name| (name, case(file, None), cost(50e-9, 40.0)));
    let mut set = run_set(&cases, 10);
    set.metrics.push(Metric { direction: Direction::Neither, ..Metric::new("rewarm", "ns") });
    for (index, series) in set.series.iter_mut().enumerate() {
        let wall = series.columns[0].clone();
        let rewarm = |(row, wall): (&u32, &f64)| {
            let share = match index {
                1 => 0.5,
                2 if series.blocks[*row as usize] == 3 => 0.5,
                // Samples that were interrupted, as on a busy machine.
                3 if series.blocks[*row as usize] % 3 > 0 => 0.5,
                _ => 1.2,
            };
            // An eighth of 60,000 calls.
            wall * share * 7_500.0
        };
        let values = wall.rows.iter().zip(&wall.values).map(rewarm).collect();
        series.columns.push(Column { rows: wall.rows, values });
    }
    let analysis = analysed(set);
    let said = "25.1 ns in the first 7,500 calls, 50.2 ns in the 60,000 after them";
    noted(&analysis, "strings", said);
    for name in ["steady", "in one block", "among others"] {
        not_noted(&analysis, name, "takes longer the more");
    }
    let shown = on_terminal(&analysis, View::SCREEN);
    assert!(shown.contains("takes longer the more"), "{shown}");
}

/// Would catch an alloc/call of nothing beside megabytes that are kept, left to the reader to find.
#[test]
fn memory_that_the_readings_missed_is_noted() {
    let file = "kept_bench.lua";
    let cases = [
        ("grows", case(file, None), Cost { kept: 8e6, ..cost(1e-9, 0.0) }),
        ("keeps and says so", case(file, None), Cost { kept: 8e6, ..cost(1e-6, 64.0) }),
        ("steady", case(file, None), cost(1e-9, 0.0)),
    ];
    let analysis = analysed(run_set(&cases, 10));
    noted(&analysis, "grows", "alloc/call shows about nothing");
    for name in ["keeps and says so", "steady"] {
        not_noted(&analysis, name, "alloc/call shows about nothing");
    }
}

/// Would catch a baseline other than the first without a word, or that word where there is another reason.
#[test]
fn a_baseline_that_moved_is_noted() {
    let skip = |set: &mut RunSet| {
        set.benchmarks[0].case.as_mut().unwrap().skipped = Some("not here".to_owned());
    };
    let empty = || Series { columns: vec![Column::default(); METRICS.len()], ..Series::default() };
    let (first, second) = ("variant 1 of the parser", "variant 2 of the parser");
    let mut failed = many(3);
    failed.series[0] = empty();
    let text = format!("failed: the others are held against {second}");
    noted(&analysed(failed.clone()), first, &text);
    skip(&mut failed);
    noted(&analysed(failed.clone()), first, &text.replace("failed", "was skipped"));
    let chosen = Settings { reference: Some(second.to_owned()), ..Settings::default() };
    let chosen = Settings { metric: "wall".to_owned(), ..chosen };
    not_noted(&analyse(&data(&[failed]), &chosen).unwrap(), first, "held against");
    not_noted(&analysed(many(3)), first, "held against");
    // Nothing is known of a case without samples but that.
    let mut off = many(3);
    off.benchmarks[0].case.as_mut().unwrap().sampling.collector = Collector::Off;
    off.series[0] = empty();
    assert_eq!(notes_of(&analysed(off), first).len(), 1);
}

/// Would catch a pair that shares no block taken for one measured side by side.
#[test]
fn a_pair_without_a_common_block_is_noted() {
    let mut apart = many(3);
    for block in &mut apart.series[1].blocks {
        *block += 10;
    }
    let apart = analysed(apart);
    noted(&apart, SECOND_AGAINST_FIRST, "no block holds both");
    let third = SECOND_AGAINST_FIRST.replace("variant 2", "variant 3");
    not_noted(&apart, &third, "no block holds both");
}
