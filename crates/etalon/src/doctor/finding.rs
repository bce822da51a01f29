//! A finding: one thing about the machine, whether it matters for measuring, and what changes it.

/// The meaning of a finding for measuring on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// It is as it should be.
    Good,
    /// It adds scatter; interleaved comparisons take more blocks because of it.
    Scatters,
    /// It changes the speed while something is measured, by more than small differences.
    Spoils,
    /// It cannot be known here.
    Unknown,
}

impl State {
    /// As programs read it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Good => "good",
            State::Scatters | State::Spoils => "matters",
            State::Unknown => "unknown",
        }
    }
}

/// One thing about the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// For programs.
    pub key: &'static str,
    /// For people.
    pub name: &'static str,
    pub state: State,
    /// The finding in words.
    pub value: String,
    /// Its meaning for measuring.
    pub means: &'static str,
    /// The cure: a command that can be pasted, on several lines where one is too long.
    pub change: Option<String>,
}

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
