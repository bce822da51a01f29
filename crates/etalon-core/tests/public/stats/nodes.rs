//! Comparisons over nodes against SciPy's Kruskal–Wallis statistic and Student's t (`generate.py`). Catches a correction
//! for ties, a middle or a standard error that is another one.

use etalon_core::stats::{RankSums, machines_like};

use super::fixtures::{cases, file, numbers, same};

#[test]
fn ranks_of_groups_are_scipys() {
    for case in cases(&file("nodes")["ranks"]) {
        let groups: Vec<Vec<f64>> = cases(&case["groups"]).iter().map(numbers).collect();
        let sums = RankSums::new(&groups).unwrap();
        let h = sums.kruskal_wallis(sums.ranks());
        same(Some(h), &case["h"], 1e-9, case);
    }
}

#[test]
fn intervals_of_nodes_are_scipys() {
    let file = file("nodes");
    let levels = numbers(&file["levels"]);
    for case in cases(&file["like"]) {
        let ours = machines_like(&numbers(&case["values"])).unwrap();
        same(Some(ours.difference), &case["centre"], 1e-12, case);
        for (level, half) in levels.iter().zip(cases(&case["half_widths"])) {
            same(Some(ours.half_width(1.0 - level)), half, 1e-9, case);
        }
        same(Some(ours.p(0.0)), &case["p"], 1e-9, case);
    }
}
