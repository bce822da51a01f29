//! Time and work together: whether a program does more, and whether that costs.

use super::{Assessment, Verdict};

/// Of the count of their work and their time, those that two sides differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// The code does other work, and it shows.
    Both,
    /// The code does other work, and time is the same.
    CountOnly,
    /// The code does the same work in another time: layout, memory, waiting or the machine.
    TimeOnly,
    /// Neither.
    Neither,
    /// The code does other work; time cannot tell yet.
    CountFirst,
}

impl Moved {
    /// By a comparison of counts, and the one by time beside it: that of wall clock, or of CPU time where that speaks for it.
    #[must_use]
    pub fn by_assessments(
        count: &Assessment,
        wall: &Assessment,
        cpu: Option<&Assessment>,
    ) -> Option<Moved> {
        let time = cpu.filter(|cpu| cpu.speaks_for(wall)).unwrap_or(wall);
        Moved::by_verdicts(count.decision.verdict, time.decision.verdict)
    }

    /// By the verdicts on both; nothing is said where the count tells nothing, nor where the work is the same
    /// and time is open.
    #[must_use]
    pub fn by_verdicts(count: Verdict, time: Verdict) -> Option<Moved> {
        use Verdict::{Faster, Same, Slower, Unclear};
        match (count, time) {
            (Faster | Slower, Faster | Slower) => Some(Moved::Both),
            (Faster | Slower, Same) => Some(Moved::CountOnly),
            (Faster | Slower, Unclear) => Some(Moved::CountFirst),
            (Same, Faster | Slower) => Some(Moved::TimeOnly),
            (Same, Same) => Some(Moved::Neither),
            (Same, Unclear) | (Unclear, _) => None,
        }
    }

    /// Its name, stable: it stands in `--json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Moved::Both => "both",
            Moved::CountOnly => "count_only",
            Moved::TimeOnly => "time_only",
            Moved::Neither => "neither",
            Moved::CountFirst => "count_first",
        }
    }
}
