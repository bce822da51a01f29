//! Messages between etalon and a worker.
//!
//! Owns the messages, their spelling and their reading. A request is a line with a Lua table, which
//! every Lua can read; an answer is a line of JSON, and the observations among them are lines of the
//! record (docs/format.md). One request at a time; each is answered by its own answer or by
//! [`Answer::Failed`], after which the worker ends. Before every answer stands the number of the
//! request it belongs to, counted from 1 in a worker's life, behind that of a sample `@` and the CPU it was taken
//! on, and a space. `Expected` refuses
//! everything else: whatever a suite writes into the channel is no answer.
//!
//! | request | what is done | answers |
//! | --- | --- | --- |
//! | [`Request::Load`] | the suite is loaded | [`Answer::Loaded`] |
//! | [`Request::Prepare`] | `before_all`, `before_each`, `setup`; warm-up, calibration | observations of the warm-up phase, [`Answer::Prepared`] |
//! | [`Request::Turn`], [`Request::Turns`] | one sample is taken, or several | an observation each |
//! | [`Request::Memory`] | calls are counted | observations, [`Answer::Done`] |
//! | [`Request::Once`] | a script is executed | two observations, [`Answer::Finished`], [`Answer::Ended`] |
//! | [`Request::Count`] | `before_all`, `before_each`, `setup`; calls; `teardown`, `after_each`, `after_all` | [`Answer::Finished`], [`Answer::Ended`] |
//! | [`Request::Finish`] | `teardown`, `after_each`, `after_all` | one observation, [`Answer::Finished`], [`Answer::Ended`] |

mod answer;
mod expected;
mod request;

pub(crate) use answer::read;
pub use answer::{
    AbortLine, Answer, Case, CaseIdentity, Failed, Finished, Loaded, MetricLine, Options, Prepared,
    Reading, Runtime, Stage, WorkerNote,
};
pub(crate) use expected::Expected;
pub(crate) use request::quoted;
pub use request::{Clock, Count, Load, Once, Place, Prepare, Request, Source};
