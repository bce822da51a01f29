//! Texts, each stored once.
//!
//! Owns the way from a text to its number and back. Refuses to forget one.

use std::collections::HashMap;
use std::sync::Arc;

/// The number of a text within its [`Strings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The number itself, counted from 0 in the order of appearance.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// The symbol of a number that came from [`Symbol::number`].
    pub(crate) fn from_number(number: u32) -> Symbol {
        Symbol(number)
    }
}

/// Texts, each stored once, numbered as they came.
#[derive(Debug, Clone, Default)]
pub struct Strings {
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, Symbol>,
}

impl Strings {
    /// The number of a text, which is stored if it is new. `None` if there are 2³² already.
    pub fn intern(&mut self, text: &str) -> Option<Symbol> {
        if let Some(known) = self.numbers.get(text) {
            return Some(*known);
        }
        let number = Symbol(u32::try_from(self.texts.len()).ok()?);
        let shared: Arc<str> = text.into();
        self.texts.push(Arc::clone(&shared));
        self.numbers.insert(shared, number);
        Some(number)
    }

    /// The number of a text, if it is stored.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// The text of a number that came from here.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}
