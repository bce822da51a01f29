//! Causes of variation, in words.

use etalon_core::units::Base;
use etalon_core::variation::{CauseKind, Mode};

use crate::figures::Figures;
use crate::number::counted;

/// The cause that was seen.
pub(crate) fn seen(kind: &CauseKind, base: &Base) -> String {
    let show = |values: &[f64]| -> Vec<String> {
        let figures = Figures::new(base, values.iter().copied());
        values.iter().map(|value| figures.show(*value)).collect()
    };
    match kind {
        CauseKind::Waiting => "slow readings waited for a CPU".to_owned(),
        CauseKind::Faults => "slow readings have more page faults".to_owned(),
        CauseKind::Switches => "slow readings have more context switches".to_owned(),
        CauseKind::Together => {
            "readings go up and down with those of the other benchmarks in the same blocks"
                .to_owned()
        }
        CauseKind::First { value, others } => {
            let shown = show(&[*value, *others]);
            format!("the first reading: {}, the others around {}", shown[0], shown[1])
        }
        CauseKind::Step { after, before, behind } => {
            let shown = show(&[*before, *behind]);
            let after = counted(*after, "reading", "readings");
            format!("a step after {after}: from {} to {}", shown[0], shown[1])
        }
        CauseKind::Drift { change } => {
            let way = if *change < 0.0 { "down" } else { "up" };
            format!("a drift: {way} by {} from first to last", show(&[change.abs()])[0])
        }
        CauseKind::Modes(modes) => {
            let shown = show(&modes.iter().map(|mode| mode.at).collect::<Vec<f64>>());
            let mode =
                |(at, mode): (&String, &Mode)| format!("{:.0} % around {at}", 100.0 * mode.share);
            let modes: Vec<String> = shown.iter().zip(modes).map(mode).collect();
            format!("{} modes: {}", modes.len(), modes.join(", "))
        }
    }
}
