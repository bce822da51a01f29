//! The codes that the published schema lists, read from the sources that give them.

/// The codes of notes, in order.
pub(super) fn note_codes() -> Vec<&'static str> {
    let sources = [
        include_str!("../../../etalon-core/src/notes/mod.rs"),
        include_str!("../../../etalon-core/src/notes/codes.rs"),
        include_str!("ranking.rs"),
    ];
    sources.into_iter().flat_map(codes).collect()
}

/// The codes of findings of a check.
pub(super) fn check_codes() -> Vec<&'static str> {
    let (_, of_checks) = include_str!("../../../etalon-core/src/notes/codes.rs")
        .split_once("impl CheckNote")
        .expect("codes of checks");
    codes(of_checks)
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
