//! Findings of a thing: whether it matters for measuring, and what changes it.

use etalon_report::doctor::{Finding, State};

/// A thing: what it is called and what it means for measuring.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thing {
    pub key: &'static str,
    pub name: &'static str,
    pub means: &'static str,
}

impl Thing {
    fn finding(self, state: State, value: impl Into<String>, change: Option<String>) -> Finding {
        let Thing { key, name, means } = self;
        Finding { key, name, state, value: value.into(), means, change }
    }

    pub(super) fn good(self, value: impl Into<String>) -> Finding {
        self.finding(State::Good, value, None)
    }

    pub(super) fn unknown(self, why: impl Into<String>) -> Finding {
        self.finding(State::Unknown, why, None)
    }

    pub(super) fn scatters(self, value: impl Into<String>, change: Option<String>) -> Finding {
        self.finding(State::Scatters, value, change)
    }

    pub(super) fn spoils(self, value: impl Into<String>, change: Option<String>) -> Finding {
        self.finding(State::Spoils, value, change)
    }
}

/// A command that changes something.
pub(super) fn command(text: &str) -> Option<String> {
    Some(text.to_owned())
}
