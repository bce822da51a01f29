//! The metrics of a file of packages of Go that declares none.

use super::file::{File, Metric, Placed, Subject};

/// The metrics of a file of packages that declares none: name, unit, as Go prints it.
const METRICS: [(&str, &str, &str); 3] =
    [("time", "ns", "ns/op"), ("memory", "B", "B/op"), ("allocations", "count", "allocs/op")];

/// Declares what Go prints of every benchmark, where the file declares nothing.
pub(super) fn declare_metrics(file: &mut File) {
    let of_go = |subject: &Placed<Subject>| subject.get_ref().go.is_some();
    if !file.metric.is_empty() || !file.subject.iter().any(of_go) {
        return;
    }
    for (name, unit, printed) in METRICS {
        let placed = |text: &str| Placed::new(0..0, text.to_owned());
        let metric =
            Metric { unit: unit.to_owned(), go: Some(placed(printed)), ..Metric::default() };
        file.metric.insert(placed(name), metric);
    }
}
