//! The codes that the published schema lists: of notes, checks and reasons.

use etalon_core::notes::{CheckNote, NoteKind};

/// The codes of notes, in order.
pub(super) fn note_codes() -> Vec<&'static str> {
    NoteKind::codes().chain(codes(include_str!("ranking.rs"))).collect()
}

/// The codes of findings of a check.
pub(super) fn check_codes() -> Vec<&'static str> {
    CheckNote::CODES.to_vec()
}

/// The codes of reasons.
pub(super) fn reason_codes() -> Vec<&'static str> {
    codes(include_str!("../../../etalon-core/src/verdict/reason.rs"))
}

/// The codes that a source gives to kinds, one an arm.
fn codes(source: &'static str) -> Vec<&'static str> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    source.split("=> \"").skip(1).filter_map(|it| it.split('"').next()).collect()
}
