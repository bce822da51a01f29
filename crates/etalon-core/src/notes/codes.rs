//! Codes of notes: a word for each kind, which programs read. A code once given stays.

use super::cases::{CaseNote, RuntimeNote};
use super::cells::{CellNote, ColumnNote};
use super::checks::CheckNote;
use super::comparisons::ComparisonNote;
use super::design::DesignNote;
use super::executions::ExecutionNote;
use super::metrics::MetricNote;
use super::sides::SidesNote;

impl ExecutionNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ExecutionNote::Failures { .. } => "executions_failed",
            ExecutionNote::Orphans { .. } => "orphans",
            ExecutionNote::Waited { .. } => "waited_for_cpu",
            ExecutionNote::SharedCounters { .. } => "shared_counters",
            ExecutionNote::NoResult { .. } => "no_result",
        }
    }
}

impl MetricNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            MetricNote::SplitByTicks => "split_by_ticks",
            MetricNote::NearResolution => "near_resolution",
            MetricNote::LauncherFloor { .. } => "launcher_floor",
            MetricNote::Widened { .. } => "serial_dependence",
            MetricNote::Varies { .. } => "cause_of_variation",
        }
    }
}

impl DesignNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            DesignNote::Sequential => "sequential",
            DesignNote::OrderUnsaid => "order_unsaid",
            DesignNote::DifferentExecutions => "different_executions",
            DesignNote::LoadChanged(_) => "load_changed",
            DesignNote::Copies { .. } => "copies_left_out",
            DesignNote::NoiseMeasured { .. } => "noise_measured",
            DesignNote::Machines { .. } => "several_machines",
            DesignNote::OtherMachines { .. } => "other_machines",
            DesignNote::FirstOnly { .. } => "first_only",
            DesignNote::CutShort { .. } => "cut_short",
            DesignNote::LooksPaid { .. } => "looks_paid",
            DesignNote::KeptApart { .. } => "kept_apart",
        }
    }
}

impl ComparisonNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ComparisonNote::Dropped { .. } => "blocks_dropped",
            ComparisonNote::RatioOfMediansOutside { .. } => "ratio_of_medians_outside",
            ComparisonNote::Unseen { .. } => "slow_share_unseen",
            ComparisonNote::MoreOftenWorse(_) => "more_often_worse",
            ComparisonNote::SerialDependence(_) => "interval_widened",
            ComparisonNote::Waited { .. } => "sides_waited",
            ComparisonNote::AllEqual => "all_equal",
            ComparisonNote::DifferenceNeeds { .. } => "difference_needs",
            ComparisonNote::Picked { .. } => "picked",
            ComparisonNote::RealButBelowMargin => "real_but_below_margin",
            ComparisonNote::NoCommonBlock => "no_common_block",
            ComparisonNote::Disagreement { .. } => "test_of_means_disagrees",
        }
    }
}

impl RuntimeNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            RuntimeNote::ClockThroughFfi => "clock_through_ffi",
            RuntimeNote::ClockOfProcess => "clock_of_process",
            RuntimeNote::AllocatorUncounted => "allocator_uncounted",
        }
    }
}

impl CaseNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            CaseNote::PassedOver { .. } => "baseline_passed_over",
            CaseNote::OptimisedAway => "optimised_away",
            CaseNote::MostlyClock { .. } => "mostly_clock",
            CaseNote::Slows => "slows_by_turns",
            CaseNote::GetsFaster => "gets_faster_by_turns",
            CaseNote::Course { .. } => "no_steady_level",
            CaseNote::GrowsWithBatch(_) => "grows_with_batch",
            CaseNote::KeepsMemory => "keeps_memory",
            CaseNote::FindsStrings { .. } => "finds_strings",
            CaseNote::Compiles => "still_compiling",
            CaseNote::Interpreted { .. } => "interpreted",
            CaseNote::TargetMissed => "target_missed",
            CaseNote::MeansOverBatches => "means_over_batches",
            CaseNote::LongWarmup => "long_warmup",
            CaseNote::CollectionDominates => "collection_dominates",
            CaseNote::CollectorOff => "collector_off",
            CaseNote::CollectorStopped => "collector_stopped",
        }
    }
}

impl CellNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            CellNote::Varies(_) => "circumstances_vary",
            CellNote::IntervalNeeds { .. } => "interval_needs",
            CellNote::NotExact { .. } => "not_exact",
        }
    }
}

impl ColumnNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ColumnNote::SetDiffers => "rows_differ",
            ColumnNote::NotPositive => "not_positive",
            ColumnNote::RatiosNotPositive => "ratios_not_positive",
            ColumnNote::OtherMachine(_) => "other_circumstances",
        }
    }
}

impl SidesNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            SidesNote::Moved(_) => "control_moved",
            SidesNote::MoreMoved { .. } => "more_controls_moved",
            SidesNote::BuildsAgree { .. } => "controls_agree",
            SidesNote::BuildsAveraged => "builds_averaged",
            SidesNote::BuiltOnce => "built_once",
            SidesNote::Untraced { .. } => "untraced",
            SidesNote::SameBytes => "same_bytes",
            SidesNote::NothingOpenedDiffers { .. } => "nothing_opened_differs",
            SidesNote::OthersAsked { .. } => "others_asked",
            SidesNote::Made { .. } => "sides_made",
        }
    }
}

impl CheckNote {
    /// The code of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            CheckNote::Worse { .. } => "check_worse",
            CheckNote::Unclear { .. } => "check_unclear",
            CheckNote::Withheld { .. } => "check_withheld",
            CheckNote::NothingCompared { .. } => "check_nothing_compared",
            CheckNote::UnclearPasses { .. } => "unclear_passes",
            CheckNote::WithoutDirection { .. } => "without_direction",
            CheckNote::Missing => "missing",
            CheckNote::New { .. } => "new",
            CheckNote::Required { .. } => "required_uncompared",
            CheckNote::Broken { .. } => "broken",
            CheckNote::Negative { .. } => "negative_value",
            CheckNote::More { .. } => "more_of_the_kind",
        }
    }
}

#[cfg(test)]
mod tests {
    /// Would catch two kinds of notes with one code.
    #[test]
    fn every_code_is_one_kind() {
        let source = include_str!("codes.rs").split("#[cfg(test)]").next().unwrap_or_default();
        let mut codes: Vec<&str> =
            source.split("=> \"").skip(1).filter_map(|it| it.split('"').next()).collect();
        let all = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert!(all > 50 && codes.len() == all, "{all} kinds, {} codes", codes.len());
    }
}
