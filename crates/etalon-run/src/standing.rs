//! Where an execution that is gone on with stands: what its record's events say about stages.
//!
//! Pure. Refuses to count half a block: one that some subject is missing from is not done, and its
//! number is not used again.

use std::collections::BTreeMap;

use etalon_core::model::{Look, Note, Phase};
use etalon_core::plan::Stage;
use etalon_record::raw::Event;

/// What an execution has behind it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Standing {
    /// The stage it is in.
    pub(crate) stage: usize,
    /// What that stage has behind it.
    pub(crate) within: Within,
    /// The next measured and the next warm-up block's number.
    pub(crate) next: u32,
    pub(crate) next_warmup: u32,
    /// Looks taken, in all stages.
    pub(crate) looks: u32,
    /// Nanoseconds from the start of the run set to the end of the last execution.
    pub(crate) ended_ns: u64,
}

/// What a stage has behind it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Within {
    /// Measured blocks that hold every subject.
    pub(crate) done: u32,
    /// Nanoseconds from the first measured execution to the end of the last, time between two
    /// sittings left out.
    pub(crate) spent_ns: u64,
    /// The last look.
    pub(crate) last_look: Option<Look>,
}

/// The note that separates two sittings.
pub(crate) fn resumed_note(id: &str) -> Note {
    Note { about: "execution".to_owned(), text: format!("resumed from {id}") }
}

fn separates(note: &Note) -> bool {
    note.about == "execution" && note.text.starts_with("resumed from ")
}

impl Standing {
    /// Works it out from what happened. `wall` is the index of the metric that says how long an
    /// execution took, in ns.
    pub(crate) fn of(stages: &[Stage], events: &[Event], wall: Option<usize>) -> Standing {
        let mut standing = Standing::default();
        let mut blocks: BTreeMap<u32, usize> = BTreeMap::new();
        let mut sitting: Option<(u64, u64)> = None;
        for event in events {
            match event {
                Event::Noted(note) if separates(note) => {
                    standing.within.spent_ns += length(sitting.take());
                }
                Event::Noted(_) => {}
                Event::Looked(look) => {
                    standing.looks += 1;
                    standing.within.last_look = Some(look.clone());
                }
                Event::Observed(observed) => {
                    let stage =
                        stages.iter().position(|s| s.subjects.contains(&observed.benchmark));
                    if let Some(stage) = stage.filter(|stage| *stage > standing.stage) {
                        (standing.stage, standing.within) = (stage, Within::default());
                        blocks.clear();
                        sitting = None;
                    }
                    let began = observed.coordinates.at_ns.unwrap_or(standing.ended_ns);
                    let took = wall
                        .and_then(|wall| observed.values.iter().find(|(metric, _)| *metric == wall))
                        .map_or(0.0, |(_, value)| value.as_f64());
                    let ended = began.saturating_add(whole(took));
                    standing.ended_ns = standing.ended_ns.max(ended);
                    let Some(block) = observed.coordinates.block else { continue };
                    if observed.phase == Phase::Warmup {
                        standing.next_warmup = standing.next_warmup.max(block.saturating_add(1));
                        continue;
                    }
                    standing.next = standing.next.max(block.saturating_add(1));
                    *blocks.entry(block).or_default() += 1;
                    sitting = Some((sitting.map_or(began, |(first, _)| first), ended));
                }
            }
        }
        standing.within.spent_ns += length(sitting);
        let size = stages.get(standing.stage).map_or(0, |stage| stage.subjects.len());
        let whole_blocks = blocks.values().filter(|subjects| **subjects >= size).count();
        standing.within.done = u32::try_from(whole_blocks).unwrap_or(u32::MAX);
        standing
    }
}

fn length(sitting: Option<(u64, u64)>) -> u64 {
    sitting.map_or(0, |(from, to)| to.saturating_sub(from))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
fn whole(nanoseconds: f64) -> u64 {
    nanoseconds.max(0.0) as u64
}

#[cfg(test)]
mod tests {
    use etalon_core::model::{Coordinates, Number, Observation, Outcome};

    use super::*;

    fn observed(benchmark: usize, phase: Phase, block: u32, at: u64) -> Event {
        Event::Observed(Observation {
            benchmark,
            phase,
            coordinates: Coordinates { block: Some(block), turn: None, at_ns: Some(at) },
            outcome: Outcome::Ok,
            leftovers: 0,
            iterations: None,
            values: vec![(0, Number::Integer(5))],
        })
    }

    fn measured(benchmark: usize, block: u32, at: u64) -> Event {
        observed(benchmark, Phase::Measured, block, at)
    }

    fn look(blocks: u32) -> Look {
        Look { blocks, widest: None, alpha: None }
    }

    fn stages(of: &[&[usize]]) -> Vec<Stage> {
        of.iter().map(|subjects| Stage { subjects: subjects.to_vec() }).collect()
    }

    #[test]
    fn half_a_block_is_not_done_and_its_number_is_gone() {
        let events = [
            observed(1, Phase::Warmup, 0, 2),
            observed(0, Phase::Warmup, 0, 10),
            measured(0, 0, 20),
            measured(1, 0, 30),
            Event::Looked(look(1)),
            measured(1, 1, 40),
        ];
        let standing = Standing::of(&stages(&[&[0, 1]]), &events, Some(0));
        let within = Within { done: 1, spent_ns: 25, last_look: Some(look(1)) };
        let expected =
            Standing { stage: 0, within, next: 2, next_warmup: 1, looks: 1, ended_ns: 45 };
        assert_eq!(standing, expected);
    }

    #[test]
    fn time_between_sittings_is_not_spent() {
        let events = [
            measured(0, 0, 10),
            measured(0, 1, 20),
            Event::Noted(resumed_note("x")),
            measured(0, 2, 1000),
            Event::Noted(Note { about: "a".to_owned(), text: "resumed from x".to_owned() }),
            measured(0, 3, 1010),
        ];
        let standing = Standing::of(&stages(&[&[0]]), &events, Some(0));
        assert_eq!((standing.within.done, standing.within.spent_ns), (4, 15 + 15));
        assert_eq!(standing.ended_ns, 1015);
    }

    #[test]
    fn the_stage_is_the_last_that_was_begun() {
        let stages = stages(&[&[0], &[1], &[2]]);
        let events =
            [measured(0, 0, 0), measured(0, 1, 10), Event::Looked(look(2)), measured(1, 2, 20)];
        let standing = Standing::of(&stages, &events, None);
        let within = Within { done: 1, spent_ns: 0, last_look: None };
        assert_eq!((standing.stage, standing.next, standing.within), (1, 3, within));
        let warming = [measured(0, 0, 0), observed(1, Phase::Warmup, 0, 9)];
        let standing = Standing::of(&stages, &warming, None);
        assert_eq!((standing.stage, standing.within.done), (1, 0));
    }

    #[test]
    fn nothing_happened_yet() {
        assert_eq!(Standing::of(&stages(&[&[0]]), &[], Some(0)), Standing::default());
    }
}
