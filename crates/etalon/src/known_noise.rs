//! Results of A/A experiments, kept for later reports of the same subjects on the same machine.

use etalon_core::analysis::{Analysis, Noise};
use etalon_core::dataset::{Dataset, MACHINE};
use etalon_core::notes::{DesignNote, Note, NoteKind};
use etalon_record::store::KnownNoise;

use crate::saved;

/// Keeps it; `first` is the first of the runs. A store that cannot be written to has refused the runs before.
pub(crate) fn keep(id: &str, first: &Dataset, noise: &[Noise]) {
    let benchmarks = noise.iter().filter_map(Noise::known).collect();
    let Some((machine, began)) = of(first) else { return };
    if let Ok(store) = saved::store() {
        let _named_by_no_report = store.keep_noise(id, &KnownNoise { began, machine, benchmarks });
    }
}

/// Adds a note to the analysis of one run: what was found out of its first benchmark that something is known of, the
/// nearest in time.
pub(crate) fn note(data: &Dataset, analysis: &mut Analysis) {
    let ([_], Some((machine, began))) = (&data.run_sets[..], of(data)) else { return };
    let Ok(store) = saved::store() else { return };
    let all = store.noise();
    let here = all.iter().filter(|known| known.machine == machine);
    let metric = &analysis.settings.metric;
    let mut found: Vec<(f64, Note)> = Vec::new();
    for known in here {
        let labels = || analysis.benchmarks.iter().map(|it| &it.label);
        let of_it = known
            .benchmarks
            .iter()
            .find(|it| it.metric == *metric && labels().any(|label| *label == it.name));
        let Some(of_it) = of_it else { continue };
        let before = began - known.began;
        let what = DesignNote::NoiseMeasured {
            before,
            runs: of_it.runs,
            scatter: of_it.scatter,
            visible: of_it.visible,
        };
        let note = Note { about: of_it.name.clone(), what: NoteKind::Design(what) };
        found.push((before.abs(), note));
    }
    let nearest = found.into_iter().min_by(|(a, _), (b, _)| a.total_cmp(b));
    analysis.notes.extend(nearest.map(|(_, note)| note));
}

/// The machine of the first run of data, and when it began; absent of what says neither.
fn of(data: &Dataset) -> Option<(Vec<Option<String>>, f64)> {
    let set = data.run_sets.first()?;
    let machine: Vec<Option<String>> =
        MACHINE.iter().map(|key| set.context.get(*key).cloned()).collect();
    machine.iter().any(Option::is_some).then_some((machine, set.began?))
}
