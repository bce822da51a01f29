//! Codes of notes: a word for each kind, which programs read. A code once given stays.

use super::NoteKind;
use super::cases::{CaseNote, RuntimeNote};
use super::cells::{CellNote, ColumnNote};
use super::checks::CheckNote;
use super::comparisons::ComparisonNote;
use super::design::DesignNote;
use super::executions::ExecutionNote;
use super::metrics::MetricNote;
use super::sides::SidesNote;
use crate::model::NoteCode;

/// The codes of each kind of note.
macro_rules! codes {
    ($($note:ident { $($kind:ident = $code:literal,)+ })+) => {
        $(impl $note {
            /// The codes that these notes can have.
            pub const CODES: &[&str] = &[$($code),+];

            /// The code that programs read.
            #[must_use]
            pub fn code(&self) -> &'static str {
                match self {
                    $($note::$kind { .. } => $code,)+
                }
            }
        })+

        /// The codes of all of them.
        const ALL: &[&str] = &[$($($code),+),+];
    };
}

codes! {
    ExecutionNote {
        Failures = "executions_failed",
        Orphans = "orphans",
        MoreInGroup = "more_in_group",
        Waited = "waited_for_cpu",
        SharedCounters = "shared_counters",
        NoResult = "no_result",
    }
    MetricNote {
        SplitByTicks = "split_by_ticks",
        NearResolution = "near_resolution",
        LauncherFloor = "launcher_floor",
        Widened = "serial_dependence",
        Varies = "cause_of_variation",
    }
    DesignNote {
        Sequential = "sequential",
        OrderUnsaid = "order_unsaid",
        CentresAlone = "centres_alone",
        DifferentExecutions = "different_executions",
        LoadChanged = "load_changed",
        Copies = "copies_left_out",
        NoiseMeasured = "noise_measured",
        Machines = "several_machines",
        OtherMachines = "other_machines",
        FirstOnly = "first_only",
        CutShort = "cut_short",
        LooksPaid = "looks_paid",
        KeptApart = "kept_apart",
        NothingIgnored = "nothing_ignored",
    }
    ComparisonNote {
        Dropped = "blocks_dropped",
        RatioOfMediansOutside = "ratio_of_medians_outside",
        Unseen = "slow_share_unseen",
        MoreOftenWorse = "more_often_worse",
        SerialDependence = "interval_widened",
        NodesDisagree = "nodes_disagree",
        NodesNotCounted = "nodes_not_counted",
        Waited = "sides_waited",
        AllEqual = "all_equal",
        DifferenceNeeds = "difference_needs",
        Picked = "picked",
        RealButBelowMargin = "real_but_below_margin",
        NoCommonBlock = "no_common_block",
        Disagreement = "test_of_means_disagrees",
    }
    RuntimeNote {
        ClockThroughFfi = "clock_through_ffi",
        ClockOfProcess = "clock_of_process",
        AllocatorUncounted = "allocator_uncounted",
    }
    CaseNote {
        PassedOver = "baseline_passed_over",
        OptimisedAway = "optimised_away",
        MostlyClock = "mostly_clock",
        Slows = "slows_by_turns",
        GetsFaster = "gets_faster_by_turns",
        Course = "no_steady_level",
        GrowsWithBatch = "grows_with_batch",
        KeepsMemory = "keeps_memory",
        FindsStrings = "finds_strings",
        GivesBack = "gives_back",
        Compiles = "still_compiling",
        Interpreted = "interpreted",
        TargetMissed = "target_missed",
        MeansOverBatches = "means_over_batches",
        LongWarmup = "long_warmup",
        CollectionDominates = "collection_dominates",
        CollectorOff = "collector_off",
        CollectorStopped = "collector_stopped",
    }
    CellNote {
        Varies = "circumstances_vary",
        IntervalNeeds = "interval_needs",
        NotExact = "not_exact",
        OptimisedAway = "does_nothing",
        BelowLoop = "below_an_empty_loop",
    }
    ColumnNote {
        SetDiffers = "rows_differ",
        NotPositive = "not_positive",
        RatiosNotPositive = "ratios_not_positive",
        OtherMachine = "other_circumstances",
    }
    SidesNote {
        Moved = "control_moved",
        MoreMoved = "more_controls_moved",
        ManyMoved = "many_controls_moved",
        Repeat = "controls_again",
        BuildsAgree = "controls_agree",
        BuildsUnchecked = "controls_unchecked",
        BuildsAveraged = "builds_averaged",
        Layouts = "layouts",
        BuiltOnce = "built_once",
        Untraced = "untraced",
        SameBytes = "same_bytes",
        NothingOpenedDiffers = "nothing_opened_differs",
        OthersAsked = "others_asked",
        BenchmarksDiffer = "benchmarks_differ",
        Made = "sides_made",
    }
    CheckNote {
        Worse = "check_worse",
        Waived = "check_waived",
        NotWaived = "check_not_waived",
        Stale = "series_stale",
        TooShort = "series_too_short",
        Gone = "waived_gone",
        Changed = "checks_changed",
        AboutNothing = "checks_about_nothing",
        Unclear = "check_unclear",
        Withheld = "check_withheld",
        NothingCompared = "check_nothing_compared",
        UnclearPasses = "unclear_passes",
        WithoutDirection = "without_direction",
        Missing = "missing",
        New = "new",
        Required = "required_uncompared",
        Broken = "broken",
        Negative = "negative_value",
        More = "more_of_the_kind",
    }
}

/// The code of a note that a record has as text only.
pub(super) const RECORDED: &str = "recorded";

impl NoteKind {
    /// The codes that notes can have, each once.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        let recorded = NoteCode::ALL.into_iter().map(NoteCode::word);
        [RECORDED].into_iter().chain(recorded).chain(ALL.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::notes::NoteKind;

    /// Would catch two kinds of notes with one code.
    #[test]
    fn every_code_is_one_kind() {
        assert_eq!(NoteKind::codes().collect::<BTreeSet<_>>().len(), NoteKind::codes().count());
    }
}
