//! The records of an A/A experiment, benchmark by benchmark.
//!
//! Owns which benchmarks of its records are the same one. What their samples say is [`crate::noise`]'s.

use super::subject::{Readings, Subject, subjects};
use crate::dataset::Dataset;
use crate::model::{Benchmark, Metric};
use crate::noise::{InBlocks, InSequence, MeasuredNoise, TWIN, TWINS};
use crate::plan::Settings;
use crate::sample::Sample;

/// An A/A experiment's results for one benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Noise {
    /// Its name.
    pub name: String,
    /// Where it is declared, of a case.
    pub file: Option<String>,
    /// The metric that was looked at.
    pub metric: Metric,
    /// Its runs one after the other; absent where there are too few.
    pub sequence: Option<InSequence>,
    /// Two of it in blocks; absent where there are none.
    pub blocks: Option<InBlocks>,
}

impl Noise {
    /// The noise that later reports need; absent without runs.
    #[must_use]
    pub fn known(&self) -> Option<MeasuredNoise> {
        let sequence = self.sequence.as_ref()?;
        Some(MeasuredNoise {
            name: self.name.clone(),
            metric: self.metric.name.clone(),
            runs: sequence.runs,
            scatter: sequence.scatter,
            visible: sequence.visible.usual(),
        })
    }
}

/// Name, parameters and file, which tell benchmarks apart.
type Key = (String, Vec<(String, String)>, Option<String>);

/// The noise of every benchmark that has values: between runs of the same, and in blocks of two of each.
#[must_use]
pub fn noise(
    runs: &[Dataset],
    blocks: Option<&Dataset>,
    settings: &Settings,
    seed: u64,
) -> Vec<Noise> {
    let mut found: Vec<(Key, NoiseSamples)> = Vec::new();
    for data in runs {
        for subject in &subjects(data) {
            let Some(Readings { metric, sample }) = subject.sample(&settings.metric) else {
                continue;
            };
            let of_it = samples_of(&mut found, subject, &metric);
            if !sample.is_empty() {
                of_it.runs.push(sample);
            }
        }
    }
    for subject in &blocks.map_or_else(Vec::new, subjects) {
        let Some(Readings { metric, sample }) = subject.sample(&settings.metric) else { continue };
        let twin = twin(subject);
        let of_it = samples_of(&mut found, subject, &metric);
        if let Some(at) = TWINS.iter().position(|name| twin.as_deref() == Some(name)) {
            of_it.twins[at] = Some(sample);
        }
    }
    let said = |(_, found): (Key, NoiseSamples)| found.said(settings, seed);
    found.into_iter().map(said).collect()
}

/// The samples of a benchmark.
struct NoiseSamples {
    name: String,
    file: Option<String>,
    metric: Metric,
    runs: Vec<Sample>,
    twins: [Option<Sample>; 2],
}

impl NoiseSamples {
    fn said(self, settings: &Settings, seed: u64) -> Noise {
        let NoiseSamples { name, file, metric, runs, twins } = self;
        let sequence = InSequence::from_runs(&metric, &runs, &settings.criteria);
        let blocks = match &twins {
            [Some(one), Some(other)] => {
                InBlocks::from_twins(&metric, (one, other), &settings.criteria, seed)
            }
            _ => None,
        };
        Noise { name, file, metric, sequence, blocks }
    }
}

/// The samples of a benchmark so far; none yet of one that is new. Its metric has the coarser resolution.
fn samples_of<'f>(
    found: &'f mut Vec<(Key, NoiseSamples)>,
    subject: &Subject<'_>,
    metric: &Metric,
) -> &'f mut NoiseSamples {
    let mut benchmark = Benchmark::clone(&subject.group.benchmark);
    benchmark.key.params.retain(|(name, _)| name != TWIN);
    let file = subject.case().map(|case| case.file.clone());
    let key = (benchmark.key.name.clone(), benchmark.key.params.clone(), file.clone());
    let at = found.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        let name = benchmark.label();
        let of_it = NoiseSamples {
            name,
            file,
            metric: metric.clone(),
            runs: Vec::new(),
            twins: [None, None],
        };
        found.push((key, of_it));
        found.len() - 1
    });
    let known = &mut found[at].1;
    known.metric.resolution = match (known.metric.resolution, metric.resolution) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    };
    known
}

fn twin(subject: &Subject<'_>) -> Option<String> {
    let params = &subject.group.benchmark.key.params;
    params.iter().find(|(name, _)| name == TWIN).map(|(_, value)| value.clone())
}
