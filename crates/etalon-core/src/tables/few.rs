//! Some things, most often one.
//!
//! Owns that one takes no allocation. Refuses to order them: they stay as they came.

use std::hash::Hash;

use rustc_hash::FxHashSet;

/// Some, most often one: of tens of thousands of cells, a vector each takes more than what is in it.
#[derive(Debug)]
pub(super) enum Few<T> {
    None,
    One([T; 1]),
    Many(Vec<T>),
}

impl<T: Copy + Eq + Hash> Few<T> {
    /// Each once, in order of appearance.
    pub(super) fn once(&mut self) {
        if let Few::Many(all) = self {
            once(all);
        }
    }
}

impl<T: Copy> Few<T> {
    /// All of them.
    pub(super) fn all(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::One(one) => one,
            Few::Many(all) => all,
        }
    }

    pub(super) fn push(&mut self, next: T) {
        match self {
            Few::None => *self = Few::One([next]),
            Few::One([first]) => *self = Few::Many(vec![*first, next]),
            Few::Many(all) => all.push(next),
        }
    }
}

/// Each once, in order of appearance.
pub(super) fn once<T: Copy + Eq + Hash>(all: &mut Vec<T>) {
    if all.len() > 1 {
        let mut seen = FxHashSet::default();
        all.retain(|one| seen.insert(*one));
    }
}
