//! How long an experiment takes, from the last saved run of the same file.

use std::collections::HashMap;

use etalon_core::analysis;
use etalon_core::metrics::WALL;
use etalon_core::model::BenchmarkKey;
use etalon_core::plan::{Settings, Stopping};
use etalon_record::Strictness;
use etalon_record::store::State;
use etalon_run::Experiment;

use crate::saved;
use crate::toml_text::Source;

/// So many runs are looked at. Because: whoever writes a file measures it again soon.
const MOST: usize = 100;

/// The expected seconds of all executions: of each cell as many as planned, each as long as its median was. A cell that is
/// new takes as long as the others on average; one that had no value, no time. Absent where no run of this file is saved.
pub(super) fn seconds(source: Source<'_>, experiment: &Experiment) -> Option<f64> {
    let Stopping::Runs(runs) = experiment.plan.stopping else { return None };
    let store = saved::store().ok()?;
    let catalogue = store.catalogue().ok()?;
    let is_of_file = |saved: &etalon_record::store::Saved| {
        let file = saved.summary.as_ref().and_then(|run| run.experiment.as_ref());
        matches!(saved.state, State::Complete | State::Interrupted)
            && file.is_some_and(|file| *file == source.path)
    };
    let last = catalogue.runs().take(MOST).find(is_of_file)?;
    let data = saved::read(&last.path, Strictness::Lenient).ok()?;
    let wall = Settings { metric: WALL.to_owned(), ..Settings::default() };
    let medians = analysis::medians(&data, &wall);
    let medians = medians.into_iter().map(|median| median.map(|median| median.value));
    let known: HashMap<BenchmarkKey, Option<f64>> =
        data.groups().into_iter().map(|group| group.benchmark.key.clone()).zip(medians).collect();
    let each: Vec<Option<f64>> = experiment
        .benchmarks
        .iter()
        .map(|line| known.get(&line.to_benchmark().key).map(|median| median.unwrap_or(0.0)))
        .collect();
    let (sum, count) = each.iter().flatten().fold((0.0, 0.0), |(s, n), time| (s + time, n + 1.0));
    if count == 0.0 {
        return None;
    }
    let block: f64 = each.iter().map(|time| time.unwrap_or(sum / count)).sum();
    Some(block * f64::from(runs + experiment.plan.warmup))
}
