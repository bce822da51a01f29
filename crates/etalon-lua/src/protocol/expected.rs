//! Answers that a worker may give: those to its requests, in their order.
//!
//! Owns the request under way and how far its answers have got. Refuses lines of another request, case,
//! block or turn, and values that are not read then. A suite shares its process with the driver, so it
//! can write into the channel; whoever does that breaks the case that is measured there, and no other.

use etalon_core::metrics::{
    ALLOC, ALLOCS, COMPILING, CPU, EMPTY_LOOP, FIRST_CALL, FREES, GC_CYCLES, GC_TIME, HEAP,
    INTERNED, INTERPRETED, MCODE, PEAK, REALLOCS, RETAINED, RETURNED, REWARM, RSS, TRACE_ABORTS,
    TRACE_STARTS, TRACES, WALL, WARM_CALLS, WARMUP_CUT,
};
use etalon_core::model::Phase;

use super::answer::{Answer, Reading, Stage};
use super::request::{Once, Prepare, Request};
use crate::metrics;

/// The request under way.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    /// The number of the last request; 0 before the first.
    request: u64,
    /// Benchmark and block, once a case was to be made ready.
    case: Option<(usize, u32)>,
    next: Next,
}

/// The answer that has to come next, notes and failures aside.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Next {
    /// Nothing: nothing was asked, or it was answered.
    #[default]
    Nothing,
    Loaded,
    /// Observations of the warm-up, then that the case is ready.
    Prepared,
    /// Samples of these turns.
    Samples {
        turn: u32,
        end: u32,
    },
    /// Memory readings with these numbers, then that they are done.
    Readings {
        turn: u32,
        end: u32,
    },
    /// The observation of a script, then that at the end.
    Script,
    /// The observation at the end.
    Last,
    /// That everything is put away.
    Finished,
}

/// The metrics of observations.
const WARMUP: &[&str] = &[WALL];
const SAMPLE: &[&str] = &[WALL, CPU, REWARM, GC_TIME, GC_CYCLES];
const READING: &[&str] = &[ALLOC, ALLOCS, REALLOCS, FREES, PEAK, INTERNED, RETURNED, INTERPRETED];
const LAST: &[&str] = &[
    HEAP,
    RETAINED,
    RSS,
    EMPTY_LOOP,
    FIRST_CALL,
    WARM_CALLS,
    WARMUP_CUT,
    TRACE_STARTS,
    TRACES,
    TRACE_ABORTS,
    MCODE,
    COMPILING,
];

impl Expected {
    /// Takes note of a request that is sent.
    pub(crate) fn asked(&mut self, request: &Request) {
        self.request += 1;
        self.next = match *request {
            Request::Load(_) => Next::Loaded,
            Request::Prepare(Prepare { benchmark, block, .. }) => {
                self.case = Some((benchmark, block));
                Next::Prepared
            }
            Request::Turn { turn, .. } => Next::Samples { turn, end: turn.saturating_add(1) },
            Request::Turns { first, count } => {
                Next::Samples { turn: first, end: first.saturating_add(count) }
            }
            Request::Memory { readings } => Next::Readings { turn: 0, end: readings },
            Request::Finish => Next::Last,
            Request::Once(Once { benchmark, block, .. }) => {
                self.case = Some((benchmark, block));
                Next::Script
            }
            Request::Count(_) => Next::Finished,
        };
    }

    /// Takes an answer that was given to the request of this number, or says why it is none.
    pub(crate) fn take(&mut self, number: u64, answer: &Answer) -> Result<(), String> {
        if let Answer::Failed(failed) = answer
            && number == 0
            && failed.stage == Stage::Driver
        {
            return Ok(()); // there was nobody to read the request
        }
        if number != self.request || self.next == Next::Nothing {
            return Err("nothing like that was asked for".to_owned());
        }
        self.next = match (self.next, answer) {
            (next, Answer::Note(_)) => next,
            (Next::Loaded, Answer::Loaded(_))
            | (Next::Prepared, Answer::Prepared(_))
            | (Next::Finished, Answer::Finished(_))
            | (_, Answer::Failed(_)) => Next::Nothing,
            (Next::Readings { turn, end }, Answer::Done) if turn == end => Next::Nothing,
            (next, Answer::Observation(reading)) => self.observed(next, reading)?,
            _ => return Err("that is no answer to what was asked".to_owned()),
        };
        Ok(())
    }

    /// The state after an observation, if one may come.
    fn observed(&self, next: Next, reading: &Reading) -> Result<Next, String> {
        let (turn, allowed, then) = match next {
            Next::Prepared => (None, WARMUP, next),
            Next::Samples { turn, end } => {
                let rest = Next::Samples { turn: turn + 1, end };
                (Some(turn), SAMPLE, if turn + 1 == end { Next::Nothing } else { rest })
            }
            Next::Readings { turn, end } if turn < end => {
                (Some(turn), READING, Next::Readings { turn: turn + 1, end })
            }
            Next::Script => (Some(0), SAMPLE, Next::Last),
            Next::Last => (None, LAST, Next::Finished),
            _ => return Err("an observation is no answer to what was asked".to_owned()),
        };
        let observed = &reading.observation;
        if Some(observed.benchmark).zip(observed.coordinates.block) != self.case {
            return Err("it is about another case or block".to_owned());
        }
        let is_warmup = observed.phase == Phase::Warmup;
        if observed.coordinates.turn != turn || is_warmup != (next == Next::Prepared) {
            return Err("it is about another turn".to_owned());
        }
        let names = observed.values.iter().filter_map(|(index, _)| metrics::all().get(*index));
        match names.map(|metric| &metric.name).find(|name| !allowed.contains(&name.as_str())) {
            Some(name) => Err(format!("{name} is not read there")),
            None => Ok(then),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer::read;
    use super::*;

    fn preparing() -> Expected {
        let prepare = Prepare {
            case: 1,
            benchmark: 3,
            block: 7,
            started_ns: 0,
            warmup: 0.0,
            until_level: false,
            gc_step: 0,
            batch_ns: 1,
            allocation: 1,
            long_ns: 1,
        };
        let mut expected = Expected::default();
        expected.asked(&Request::Prepare(prepare));
        expected
    }

    fn says(expected: &mut Expected, line: &str) -> Result<(), String> {
        let (number, answer) = read(line.as_bytes())?;
        expected.take(number, &answer)
    }

    const PREPARED: &str = r#"1 {"type":"prepared","iterations":1,"call_ns":1,"turn_ns":1,"hooks_ns":1,"warmup_ns":0}"#;

    fn row(request: u64, fields: &str) -> String {
        format!(r#"{request} {{"type":"observation",{fields}}}"#)
    }

    /// Would catch an answer that is refused, and one that is taken twice.
    #[test]
    fn answers_are_taken_in_their_order() {
        let mut expected = preparing();
        let warm =
            r#""benchmark":3,"phase":"warmup","block":7,"at":1,"iterations":1,"values":{"wall":2}"#;
        says(&mut expected, &row(1, warm)).unwrap();
        says(&mut expected, PREPARED).unwrap();
        says(&mut expected, PREPARED).unwrap_err();
        expected.asked(&Request::Turns { first: 4, count: 2 });
        for turn in [4, 5] {
            let fields = format!(r#""benchmark":3,"block":7,"turn":{turn},"values":{{"wall":2}}"#);
            says(&mut expected, &row(2, &fields)).unwrap();
            says(&mut expected, &row(2, &fields)).unwrap_err();
        }
        expected.asked(&Request::Memory { readings: 1 });
        says(&mut expected, r#"3 {"type":"done"}"#).unwrap_err();
        let reading = r#""benchmark":3,"block":7,"turn":0,"values":{"alloc":2}"#;
        says(&mut expected, &row(3, reading)).unwrap();
        says(&mut expected, r#"3 {"type":"done"}"#).unwrap();
        expected.asked(&Request::Finish);
        let finished = r#"4 {"type":"finished","samples":1,"metrics":[]}"#;
        says(&mut expected, finished).unwrap_err();
        says(&mut expected, &row(4, r#""benchmark":3,"block":7,"values":{"rss":2}"#)).unwrap();
        says(&mut expected, finished).unwrap();
    }

    /// Would catch a line of a suite's own that gets into the record, or stands for an answer.
    #[test]
    fn what_was_not_asked_for_is_refused() {
        let wrong = [
            (1, r#""benchmark":3,"block":7,"turn":0,"values":{"wall":2}"#), // the request before
            (2, r#""benchmark":4,"block":7,"turn":0,"values":{"wall":2}"#),
            (2, r#""benchmark":3,"block":6,"turn":0,"values":{"wall":2}"#),
            (2, r#""benchmark":3,"block":7,"turn":1,"values":{"wall":2}"#),
            (2, r#""benchmark":3,"block":7,"values":{"wall":2}"#),
            (2, r#""benchmark":3,"block":7,"phase":"warmup","turn":0,"values":{"wall":2}"#),
            (2, r#""benchmark":3,"block":7,"phase":"x","turn":0,"values":{"wall":2}"#),
            (2, r#""benchmark":3,"block":7,"turn":0,"values":{"rss":2}"#),
            (2, r#""benchmark":3,"block":7,"turn":0,"leftovers":1,"values":{"wall":2}"#),
            (2, r#""benchmark":3,"block":7,"turn":0,"turn":0,"values":{"wall":2}"#),
            (2, r#""benchmark":3,"block":7,"turn":0,"iterations":0,"values":{"wall":2}"#),
        ];
        for (request, fields) in wrong {
            let mut expected = preparing();
            says(&mut expected, PREPARED).unwrap();
            expected.asked(&Request::Turn { turn: 0, cpu: None });
            says(&mut expected, &row(request, fields)).unwrap_err();
        }
        for line in ["", "1", " {}", "x {}", r#"{"type":"done"}"#] {
            says(&mut preparing(), line).unwrap_err();
        }
        let failed = r#"0 {"type":"failed","stage":"driver","message":"no room"}"#;
        says(&mut preparing(), failed).unwrap();
        says(&mut preparing(), &failed.replace("driver", "run")).unwrap_err();
    }
}
