//! How many turns a block of cases has, and how often their memory is read.
//!
//! Refuses to take them: that is [`super::block`]'s.

use etalon_lua::Prepared;

/// A block takes this share of a case's budget: with ten blocks, a little is left for more.
pub const BLOCK_SHARE: f64 = 1.0 / 12.0;

/// Turns of a block: enough for a median. At most so many, because identical processes differ by more than the median
/// of so many turns is off: from there on, another block says more a second (docs/notes/performance-log.md).
const FEWEST_TURNS: u32 = 3;
pub(super) const MOST_TURNS: u32 = 25;

/// A call that takes longer than this is made as rarely as can be: three times a block, once to see how
/// long it takes and twice timed.
pub(super) const LONG_CALL_NS: u64 = 20_000_000;
const FEWEST_LONG_TURNS: u32 = 2;

/// Readings of what calls allocate, in every block; of long calls one, in the first: it takes two more of
/// them or, where strings are made, four.
const MEMORY_READINGS: u32 = 2;

/// Turns that are taken in one go.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    pub(super) first: u32,
    pub(super) count: u32,
}

/// How many turns fit into what is left of the block's time, which has taken so long. `budget` is a case's, in s.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn turns<'p>(
    cases: impl ExactSizeIterator<Item = &'p Prepared> + Clone,
    budget: f64,
    taken_ns: u64,
) -> u32 {
    let share_ns = budget * BLOCK_SHARE * 1e9 * cases.len() as f64;
    let left_ns = share_ns - taken_ns as f64;
    let long = cases.clone().any(is_long);
    let turn_ns: f64 = cases.map(|prepared| prepared.turn_ns).sum();
    let fewest = if long { FEWEST_LONG_TURNS } else { FEWEST_TURNS };
    ((left_ns / turn_ns.max(1.0)) as u32).clamp(fewest, MOST_TURNS)
}

/// Readings of what calls allocate; whether the block is the first of its stage.
pub(super) fn readings(prepared: &Prepared, is_first: bool) -> u32 {
    match (is_long(prepared), is_first) {
        (false, _) => MEMORY_READINGS,
        (true, true) => 1,
        (true, false) => 0,
    }
}

/// How many turns a case that is alone takes in one go: to be asked for each costs as much as waking two
/// processes, and a user who wants to stop is not kept waiting for long.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped
pub(super) fn at_once(prepared: &Prepared) -> u32 {
    const IN_ONE_GO_NS: f64 = 50e6;
    (IN_ONE_GO_NS / prepared.turn_ns.max(1.0)).clamp(1.0, 100.0) as u32
}

#[allow(clippy::cast_precision_loss)] // some ms
fn is_long(prepared: &Prepared) -> bool {
    prepared.call_ns > LONG_CALL_NS as f64
}
