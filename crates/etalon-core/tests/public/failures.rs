//! Executions that failed are not missing at random: where they are many, they rank worst.
//!
//! Would catch survivors that make a slower program look equal (B 5 % slower and killed above 10.2 ms: 0.996 to 1.012
//! of A), and a side whose failures only confirm that it is worse, but keep its verdict open.

use crate::by_cpu;
use crate::support::{Layout, RunSet, cpu, data, normal};
use etalon_core::analysis::analyse;
use etalon_core::model::Outcome;
use etalon_core::random::Random;
use etalon_core::verdict::{Decision, Reason, Verdict};

/// 200 blocks of 10 ms with 3 % noise, the second benchmark this much slower, executions above the limit killed.
fn survivors(slower: f64, limit: f64) -> RunSet {
    let mut random = Random::new(16);
    let mut set = crate::support::run_set(cpu(1e-9), &[Vec::new(), Vec::new()], Layout::Blocks);
    for block in 0..200 {
        for (series, factor) in set.series.iter_mut().zip([1.0, slower]) {
            let value = 10e-3 * factor * (1.0 + 0.03 * normal(&mut random));
            if factor > 1.0 && value > limit {
                series.uncounted.push(crate::support::Uncounted {
                    rows_before: series.rows,
                    block: Some(block),
                    outcome: Outcome::Killed { signal: 9 },
                });
            } else {
                series.blocks.push(block);
                series.columns[0].rows.push(series.rows);
                series.columns[0].values.push(value);
                series.rows += 1;
            }
        }
    }
    set
}

fn decided(set: RunSet) -> Decision {
    let mut settings = by_cpu();
    settings.reference = Some("b0".to_owned());
    let mut ranking = analyse(&data(&[set]), &settings).unwrap().rankings.remove(0);
    ranking.comparisons.remove(0).assessment.decision
}

#[test]
fn survivors_say_nothing() {
    let found = decided(survivors(1.05, 10.2e-3));
    assert_eq!(found.verdict, Verdict::Unclear);
    let [Reason::Failures { lost, .. }] = found.reasons[..] else { panic!("{found:?}") };
    assert!(lost.of == 200 && lost.count > 100, "{lost:?}");
}

#[test]
fn a_few_failures_are_none_and_many_confirm_the_side_that_is_worse() {
    // About 1 % is killed.
    let few = decided(survivors(1.05, 11.3e-3));
    assert_eq!(few.verdict, Verdict::Slower);
    // Half is killed, and the others are slower all the same.
    let many = decided(survivors(1.5, 15e-3));
    assert_eq!(many.verdict, Verdict::Slower);
    // Nobody is killed.
    assert_eq!(decided(survivors(1.05, 1.0)).verdict, Verdict::Slower);
}
