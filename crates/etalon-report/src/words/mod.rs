//! The words of all reports: what metrics and benchmarks are called, how amounts are written, what stands
//! behind a verdict, and what notes say.
//!
//! Owns every sentence that more than one rendering says. Refuses to lay anything out.

mod amounts;
mod confirmation;
mod evidence;
mod headline;
mod metric;
mod names;
mod nodes;
mod notes;
mod outcome;
mod variation;
mod verdicts;
mod work;

pub(crate) use amounts::{amount, ends, factors, margin_text, ratio_text, times};
pub(crate) use confirmation::unmeasured;
pub(crate) use evidence::{foreseen, layouts_text, rests_on, runs_text};
pub(crate) use headline::{by_cpu, headline};
pub(crate) use metric::{at_most, column_title, lower_first, metric_title, unit_of};
pub(crate) use names::{
    apart, benchmark_words, case_name, job, kind, machine, name, part, ranked_name, scope,
    several_sources, short_source, within,
};
pub(crate) use nodes::{
    better_use, disagreement, each_node, nodes_text, odd_text, over_nodes, variance_text,
};
pub(crate) use notes::{
    WordedNote, cell_note, executions, finds_strings, gives_back, how_cut_short, medians_outside,
    note_sentences, notes, widened, worded,
};
pub use notes::{note_line, note_sentence};
pub(crate) use outcome::outcome;
pub(crate) use variation::seen;
pub(crate) use verdicts::{
    DOES_NOTHING, best_word, better_word, correction_text, counts, hindrances, kinds_of_hindrances,
    level, levels_text, more_often_beside, obstacles, reason_text, several, smallest_visible,
    unit_of_replication, verdict_word, verdict_word_of, why,
};
pub(crate) use work::{moved_text, moved_word, work};
