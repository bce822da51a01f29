//! Which observations a page contains: all up to 100,000, beyond them thinned.
//!
//! Owns the rule: every so many-th of those of each benchmark, one benchmark after the other, and of so many in a row of one benchmark those with the least and
//! the greatest value, so that no outlier is lost. Time order is that of blocks where all rows have one.

use etalon_core::dataset::{Dataset, Group, SpellingId};

/// Observations that a page contains at most without thinning. Because: it is the number that a browser draws at
/// once, and a page of a million takes 5 MB.
pub(super) const MOST: usize = 100_000;
/// Those of a thinned page that stand for all.
const REGULAR: usize = 80_000;
/// Stretches of a thinned page, of each of which the least and the greatest are there.
const STRETCHES: usize = 9_000;

/// How observations were thinned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Thinning {
    /// One of so many stands for all.
    pub(super) every: usize,
    /// In so many in a row, the least and the greatest are there, too.
    pub(super) stretch: usize,
}

/// An observation of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Drawn {
    /// Its place in time among all.
    pub(super) order: usize,
    /// The row of the dataset.
    pub(super) row: u32,
    /// Index of its benchmark.
    pub(super) benchmark: usize,
    /// Whether it is there only because it is the least or the greatest of its stretch.
    pub(super) extreme: bool,
}

/// The observations in time order, and how they were thinned; `value` has the spellings of the metric whose least and greatest stay.
pub(super) fn drawn(
    data: &Dataset,
    groups: &[Group],
    value: &[SpellingId],
) -> (Vec<Drawn>, Option<Thinning>) {
    let mut all: Vec<(usize, u32)> = Vec::with_capacity(data.len());
    for (benchmark, group) in groups.iter().enumerate() {
        all.extend(group.rows.iter().chain(&group.uncounted).map(|row| (benchmark, *row)));
    }
    // Rows of a run set that have no block stand before those that have one, in the order they came.
    let when = |row: u32| (data.run_set_of(row as usize), data.rows.place(row as usize), row);
    all.sort_by_cached_key(|(_, row)| when(*row));
    let count = all.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|at| (all[*at].0, *at));
    let thinning = (count > MOST)
        .then(|| Thinning { every: count.div_ceil(REGULAR), stretch: count.div_ceil(STRETCHES) });
    // 0: left out, 1: extreme, 2: stands for all.
    let mut kept = vec![2_u8; count];
    if let Some(Thinning { every, stretch }) = thinning {
        order.iter().enumerate().for_each(|(n, at)| kept[*at] = if n % every == 0 { 2 } else { 0 });
        for of_one in order.chunk_by(|a, b| all[*a].0 == all[*b].0) {
            for some in of_one.chunks_exact(stretch) {
                for at in ends(data, &all, some, value) {
                    kept[at] = kept[at].max(1);
                }
            }
        }
    }
    let of = |(at, (benchmark, row)): (usize, &(usize, u32))| {
        let (benchmark, row) = (*benchmark, *row);
        (kept[at] > 0).then_some(Drawn { order: at, row, benchmark, extreme: kept[at] == 1 })
    };
    (all.iter().enumerate().filter_map(of).collect(), thinning)
}

/// Of some observations of one benchmark, where the least and the greatest value are.
fn ends(data: &Dataset, all: &[(usize, u32)], some: &[usize], value: &[SpellingId]) -> [usize; 2] {
    let rows: Vec<u32> = some.iter().map(|at| all[*at].1).collect();
    let column = data.columns(&rows, &[value]).pop().unwrap_or_default();
    let readings = || column.rows.iter().zip(&column.values);
    let least = readings().min_by(|a, b| a.1.total_cmp(b.1));
    let greatest = readings().max_by(|a, b| a.1.total_cmp(b.1));
    [least, greatest].map(|found| {
        let row = found.map(|(row, _)| *row);
        some.iter().copied().find(|at| Some(all[*at].1) == row).unwrap_or(some[0])
    })
}

#[cfg(test)]
mod tests {
    use etalon_record::Strictness;
    use etalon_record::foreign::go::read_into;
    use etalon_record::inputs::Input;

    use super::super::columns::{columns, recorded_metrics};
    use super::*;

    /// Two benchmarks, the second of which has one reading that is far beyond all others.
    fn data(readings: usize) -> Dataset {
        let mut text = String::new();
        for at in 0..readings {
            let far = if at == readings / 3 { 1_000_000 } else { 200 + at % 7 };
            text.push_str(&format!(
                "BenchmarkA 1 {} ns/op\nBenchmarkB 1 {far} ns/op\n",
                100 + at % 5
            ));
        }
        let mut data = Dataset::default();
        let input = Input { path: "all.txt".into(), label: "all.txt".into() };
        read_into(&mut data, text.as_bytes(), &input, Strictness::Lenient).unwrap();
        data
    }

    fn drawn_of(data: &Dataset) -> (Vec<Drawn>, Option<Thinning>) {
        let metrics = recorded_metrics(data);
        drawn(data, &data.groups(), &metrics[0].spellings)
    }

    /// Would catch an observation that is left out where all have room.
    #[test]
    fn all_are_drawn_where_they_have_room() {
        let data = data(MOST / 2);
        let (drawn, thinning) = drawn_of(&data);
        assert_eq!((drawn.len(), thinning), (MOST, None));
        assert!(drawn.iter().enumerate().all(|(at, it)| it.order == at && !it.extreme));
    }

    /// Would catch a page that grows without end, an outlier that is lost, and one that stands in distributions as many others.
    #[test]
    fn thinning_keeps_what_is_far_out() {
        let data = data(200_000);
        let (drawn, thinning) = drawn_of(&data);
        let Thinning { every, .. } = thinning.unwrap();
        assert!((REGULAR..=MOST).contains(&drawn.len()), "{}", drawn.len());
        let regular = |benchmark: usize| {
            drawn.iter().filter(|it| it.benchmark == benchmark && !it.extreme).count()
        };
        assert_eq!(regular(0) + regular(1), 400_000 / every);
        assert_eq!(regular(0), regular(1));
        assert!(drawn.is_sorted_by_key(|it| it.order));
        let metrics = recorded_metrics(&data);
        let rows: Vec<u32> = drawn.iter().map(|it| it.row).collect();
        let column = data.columns(&rows, &[&metrics[0].spellings]).remove(0);
        let far = column.values.iter().position(|it| *it > 9e-4).unwrap();
        assert!(drawn[far].extreme);
        let made = columns(&data, &drawn, &metrics, &metrics[0].metric.name);
        assert!(made.columns.iter().map(|it| it.text.len()).sum::<usize>() < 1_000_000);
    }
}
