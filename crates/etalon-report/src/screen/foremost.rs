//! Which rows of rankings a screen shows: those that say most, wherever they stand.
//!
//! Refuses to lay them out.

use std::cmp::Ordering;
use std::collections::HashSet;

use etalon_core::analysis::{Ranked, Ranking};

/// So many rows of a ranking in the order of its quantity, those without a value last. Of cases: what the others are held
/// against, the best, and the rows that differ most; of commands, which are ranked among each other, the best
/// and the one that their column of verdicts is about.
pub(super) fn rows(ranking: &Ranking, room: usize) -> Vec<&Ranked> {
    let valued = ranking.by_value();
    let without: Vec<&Ranked> = ranking.rows.iter().filter(|row| row.median.is_none()).collect();
    let mut all: Vec<&Ranked> = valued.into_iter().chain(without).collect();
    if all.len() <= room {
        return all;
    }
    if ranking.scope.is_none() {
        let first =
            all.iter().skip(room).copied().find(|row| Some(row.benchmark) == ranking.first());
        all.truncate(room - usize::from(first.is_some()));
        all.extend(first);
        return all;
    }
    let best = all.iter().find(|row| !row.idle).map(|row| row.benchmark);
    let telling = telling(&[ranking], all.len());
    let telling = telling.into_iter().map(|(_, row)| row.benchmark);
    let mut kept: HashSet<usize> = ranking.first().into_iter().chain(best).collect();
    for benchmark in telling {
        if kept.len() < room {
            kept.insert(benchmark);
        }
    }
    all.retain(|row| kept.contains(&row.benchmark));
    all
}

/// So many rows of several rankings, without those that the others are held against: what differs before what does not,
/// the farthest apart first.
pub(super) fn telling<'a>(rankings: &[&'a Ranking], room: usize) -> Vec<(&'a Ranking, &'a Ranked)> {
    let mut all: Vec<((bool, f64), &Ranking, &Ranked)> = Vec::new();
    for ranking in rankings {
        let (first, against) = (ranking.first(), ranking.against_first());
        for row in ranking.rows.iter().filter(|row| Some(row.benchmark) != first) {
            let versus = against.get(row.benchmark);
            let says = versus.map_or((false, f64::NEG_INFINITY), |versus| {
                (versus.assessment.decision.is_difference(), versus.assessment.weight())
            });
            all.push((says, ranking, row));
        }
    }
    let most_first = |(a, ..): &((bool, f64), _, _), (b, ..): &((bool, f64), _, _)| -> Ordering {
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    };
    all.sort_by(most_first);
    all.truncate(room);
    all.into_iter().map(|(_, ranking, row)| (ranking, row)).collect()
}

/// Says how many rows are left out.
pub(super) fn more(left_out: usize) -> Option<String> {
    (left_out > 0).then(|| format!("and {left_out} more: --full"))
}
