//! The work of a JIT compiler for a case: whether calls were compiled, what was given up, how a process warmed up.
//!
//! Owns the rule for compiled, interpreted and mixed (`docs/lua.md`). Refuses to guess where nothing was
//! counted.

use super::metric_summary::MetricSummary;
use crate::dataset::TraceAborts;
use crate::metrics;
use crate::model::Case;

/// An interpreted instruction takes at least about this long, in seconds.
const INSTRUCTION: f64 = 1e-9;

/// A call is compiled if it leaves less than this share of its time to the interpreter,
const SHARE: f64 = 0.01;

/// or fewer instructions than this.
const INSTRUCTIONS: f64 = 1.0;

/// Samples in which a trace was begun, as a share of all: from here on, compiling is part of what was measured.
const OFTEN: f64 = 0.25;

/// How calls of a case are executed once it is warm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As machine code.
    Compiled,
    /// By the interpreter: nothing was compiled.
    Interpreted,
    /// By both.
    Mixed,
    /// By the interpreter: the compiler was off.
    Off,
}

impl Mode {
    /// The word used in every output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Mode::Compiled => "compiled",
            Mode::Interpreted => "interpreted",
            Mode::Mixed => "mixed",
            Mode::Off => "JIT off",
        }
    }
}

/// The work of a JIT compiler in the processes of a case. Counts are those of a process, the median.
#[derive(Debug, Clone, PartialEq)]
pub struct Compiling {
    /// How calls are executed; absent where that was not counted.
    pub mode: Option<Mode>,
    /// Traces that it started to record, from the first call on.
    pub started: Option<f64>,
    /// Those that became machine code.
    pub completed: Option<f64>,
    /// Those that were aborted.
    pub aborted: Option<f64>,
    /// Bytes of machine code.
    pub machine_code: Option<f64>,
    /// Instructions that a call leaves to the interpreter.
    pub interpreted: Option<f64>,
    /// The share of samples in which a trace was started.
    pub during_samples: Option<f64>,
    /// Aborted traces over all processes, the most frequent first.
    pub aborts: Vec<TraceAborts>,
}

impl Compiling {
    /// Whether compiling is part of what was measured.
    #[must_use]
    pub(crate) fn goes_on(&self) -> bool {
        self.during_samples.is_some_and(|share| share >= OFTEN)
    }

    /// Why a case is not all compiled: what the compiler cannot do (`NYI`) in its code; where nothing is compiled,
    /// else what was given up most often there.
    #[must_use]
    pub(crate) fn hindrance(&self) -> Option<&TraceAborts> {
        // A part of etalon's has no line.
        let mut in_code = self.aborts.iter().filter(|aborts| aborts.at.contains(':'));
        let first = in_code.clone().next().filter(|_| self.mode == Some(Mode::Interpreted));
        let hindered = matches!(self.mode, Some(Mode::Interpreted | Mode::Mixed));
        in_code.find(|aborts| aborts.reason.starts_with("NYI")).or(first).filter(|_| hindered)
    }
}

/// The work that was counted for a case; absent where there is no compiler that could be.
#[allow(clippy::cast_precision_loss)] // a count of samples
pub(super) fn compiling(
    case: &Case,
    metrics: &[MetricSummary],
    samples: usize,
    aborts: &[TraceAborts],
) -> Option<Compiling> {
    let median = |name: &str| Some(summary(metrics, name)?.quartiles.median);
    let off = case.host.as_deref().is_some_and(|host| host.jit == "off");
    let completed = median(metrics::TRACES);
    if completed.is_none() && !off {
        return None;
    }
    let interpreted = median(metrics::INTERPRETED);
    let wall = median(metrics::WALL);
    let during_samples = summary(metrics, metrics::COMPILING)
        .filter(|_| samples > 0)
        .map(|compiling| compiling.mean * compiling.n as f64 / samples as f64);
    let mut aborts = aborts.to_vec();
    aborts.sort_by_key(|aborts| std::cmp::Reverse(aborts.count));
    Some(Compiling {
        mode: if off { Some(Mode::Off) } else { mode(completed?, interpreted, wall) },
        started: median(metrics::TRACE_STARTS),
        completed,
        aborted: median(metrics::TRACE_ABORTS),
        machine_code: median(metrics::MCODE),
        interpreted,
        during_samples,
        aborts,
    })
}

fn summary<'a>(metrics: &'a [MetricSummary], name: &str) -> Option<&'a MetricSummary> {
    metrics.iter().find(|summary| summary.metric.name == name)
}

fn mode(completed: f64, interpreted: Option<f64>, wall: Option<f64>) -> Option<Mode> {
    if completed == 0.0 {
        return Some(Mode::Interpreted);
    }
    let (interpreted, wall) = interpreted.zip(wall)?;
    let negligible = (SHARE * wall / INSTRUCTION).max(INSTRUCTIONS);
    Some(if interpreted < negligible { Mode::Compiled } else { Mode::Mixed })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a long compiled call that is called mixed for its first instructions, and a short one that is called
    /// compiled although the interpreter does half of it.
    #[test]
    fn few_instructions_of_a_long_call_are_nothing() {
        let of = |completed, interpreted, wall: f64| mode(completed, Some(interpreted), Some(wall));
        assert_eq!(of(0.0, 50.0, 1e-6), Some(Mode::Interpreted));
        assert_eq!(of(3.0, 0.0, 1e-9), Some(Mode::Compiled));
        assert_eq!(of(3.0, 5.0, 20e-9), Some(Mode::Mixed));
        assert_eq!(of(3.0, 20.0, 1e-3), Some(Mode::Compiled));
        assert_eq!(of(3.0, 1000.0, 1e-6), Some(Mode::Mixed));
        assert_eq!(mode(3.0, None, Some(1e-6)), None);
    }
}
