//! Statistics: slices in, plain values out. A leaf: it knows nothing of benchmarks, units or
//! verdicts, and it draws no random numbers — the same data give the same bits.
//!
//! Verdicts rest on the non-parametric part: medians and order statistics, ranks, Hodges–Lehmann
//! shifts. Every rank-based interval inverts the test of the same module. Beside it, for who asks,
//! stands what assumes normal values: t intervals, Welch's test, Scott–Knott clusters. Results that may not exist are
//! `Option` or `Result<_, InsufficientData>`, never a NaN or a 0 standing in. Nothing here is quadratic in
//! the values (all pairs of groups are, in the groups), and a caller's slice is never reordered: what needs
//! order takes [`Sorted`].
//!
//! Definitions, ties and references: `docs/statistics.md`. What the numbers mean for a comparison
//! is decided in [`crate::compare`] and [`crate::verdict`].

mod allotment;
mod anderson_darling;
mod autocorrelation;
mod between_runs;
mod bits;
mod brunner_munzel;
mod chi_square;
mod correction;
mod density;
mod dip;
mod effect_size;
mod equivalence;
mod f_ratio;
mod hodges_lehmann;
mod hypothesis;
mod interval;
mod layouts;
mod letters;
mod levels;
mod mann_whitney;
mod median;
mod mode;
mod moments;
mod nested;
mod nodes;
mod normal;
mod null;
mod occasions;
mod placements;
mod power_law;
mod quantile;
mod quantile_shift;
mod rank_correlation;
mod ranks;
mod remembered;
mod root;
mod scott_knott;
mod selection;
mod shape;
mod shares;
mod signed_blocks;
mod signed_rank;
mod signed_rank_power;
mod sorted;
mod spending;
mod steps;
mod stretch;
mod student_t;
mod summaries;
mod superiority;
mod trend;
mod tukey;
mod welch;

pub use allotment::{
    Allotment, BlockReadings, NodeCosts, NodeScatter, best_allotment, block_variance,
    reach_in_errors,
};
pub use anderson_darling::{Normality, anderson_darling};
pub(crate) use autocorrelation::serial_dependence_of_sorted;
pub use autocorrelation::{Dependence, lag1, serial_dependence};
pub(crate) use between_runs::{ASSUMED_SCATTER, assumed_is_wider};
pub use between_runs::{
    BetweenRuns, ENOUGH_RUNS, InTime, RunsOfSide, Scatter, Within, between_runs,
};
pub(crate) use brunner_munzel::brunner_munzel_moved;
pub use brunner_munzel::{brunner_munzel, brunner_munzel_needed, brunner_munzel_smallest_p};
pub use chi_square::chi_square_sf;
pub(crate) use correction::adjust_by;
pub use correction::{Correction, adjust};
pub use density::{bandwidth, density};
pub use dip::{Dip, dip};
pub use effect_size::{NEGLIGIBLE_D, cohens_d};
pub use equivalence::tost;
pub use f_ratio::{f_sf, f_two_sided};
pub(crate) use hodges_lehmann::two_sample_at;
pub use hodges_lehmann::{Shift, one_sample, two_sample};
pub use hypothesis::{Alternative, PMethod, Test};
pub use interval::{InsufficientData, Interval};
pub use layouts::{ENOUGH_LAYOUTS, layout_values, layouts_like};
pub use letters::letters;
pub(crate) use levels::level_changes;
pub use mann_whitney::mann_whitney;
pub(crate) use mann_whitney::mann_whitney_tied_tails;
pub use median::median_interval;
pub(crate) use median::median_interval_of_dependent;
pub(crate) use mode::FEWEST_FOR_MODE;
pub use mode::half_sample_mode;
pub(crate) use moments::mean_and_stddev;
pub use moments::{geometric_mean, mean, stddev};
pub(crate) use nested::nested_variances;
pub use nodes::{
    BLOCKS_A_NODE, ENOUGH_BLOCKS, ENOUGH_NODES, NodeValue, RankSums, machines_like, nodes_needed,
    odd_node, reach_of_nodes, these_machines,
};
pub use normal::{normal_cdf, normal_quantile, normal_sf};
pub use occasions::{OccasionScatter, Occasions, occasion_scatter, scatter_without};
pub use power_law::{PowerLaw, power_law};
pub use quantile::{Quartiles, median, quantile, quartiles};
pub(crate) use quantile::{median_of_both, quartiles_on};
pub use quantile_shift::{quantile_interval, quantile_shift};
pub(crate) use rank_correlation::rises_with;
pub use scott_knott::{Boundary, Clustering, Fate, Split, scott_knott_esd};
pub use selection::{kth_average, kth_difference};
pub use shape::{Shape, excess_kurtosis, skewness};
pub use shares::{fisher_greater, upper_share};
pub use signed_blocks::SignedBlocks;
pub use signed_rank::{
    signed_rank, signed_rank_critical, signed_rank_needed, signed_rank_smallest_p,
};
pub(crate) use signed_rank_power::signed_rank_power;
pub use sorted::{NotFinite, Sorted};
pub use spending::Looks;
pub use steps::{Changes, Drift, FEWEST_POINTS, LevelStep, level_steps};
pub use stretch::{Stretch, Widening};
pub use student_t::{student_t_quantile, student_t_sf, student_t_two_sided};
pub use superiority::{superiority_independent, superiority_paired};
pub use trend::Step;
pub(crate) use trend::{mann_kendall, pettitt, theil_sen};
pub use tukey::{TukeyOutliers, tukey_outliers};
pub use welch::{Welch, WelchPair, mean_interval, pairwise_welch, welch};
