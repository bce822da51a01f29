//! Signals that stop a process rather than end it.
//!
//! Owns: which these are, and the words for a program that stopped itself: nobody continues it, so etalon ends it.

use std::fmt;

use super::Outcome;

/// A signal that stops a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopSignal {
    /// SIGSTOP.
    Stop,
    /// SIGTSTP, which a terminal sends for Ctrl-Z.
    Suspend,
    /// SIGTTIN: it reads from a terminal that it has not.
    Input,
    /// SIGTTOU: it changes a terminal that it has not.
    Output,
}

impl StopSignal {
    /// All of them.
    pub const ALL: [StopSignal; 4] =
        [StopSignal::Stop, StopSignal::Suspend, StopSignal::Input, StopSignal::Output];

    /// The one of this number, as Linux numbers signals.
    #[must_use]
    pub fn numbered(number: i32) -> Option<StopSignal> {
        usize::try_from(number.checked_sub(19)?).ok().and_then(|at| Self::ALL.get(at).copied())
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            StopSignal::Stop => "SIGSTOP",
            StopSignal::Suspend => "SIGTSTP",
            StopSignal::Input => "SIGTTIN",
            StopSignal::Output => "SIGTTOU",
        }
    }

    /// Whether it is sent to who wants a terminal.
    #[must_use]
    pub fn is_of_terminal(self) -> bool {
        matches!(self, StopSignal::Input | StopSignal::Output)
    }
}

/// As a verb, with what to do.
impl fmt::Display for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.is_of_terminal() {
            true => "it wanted the terminal, which it does not have",
            false => "nothing continues it here: leave out whatever sends it",
        };
        write!(f, "stopped itself by {} ({why})", self.name())
    }
}

impl Outcome {
    /// The signal by which it stopped itself, if it did.
    #[must_use]
    pub fn stopped_by(&self) -> Option<StopSignal> {
        match self {
            Outcome::Killed { signal } => StopSignal::numbered(*signal),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a signal that is taken for its neighbour, or for one that ends a process.
    #[test]
    fn four_signals_stop() {
        let by = |signal| Outcome::Killed { signal }.stopped_by().map(StopSignal::name);
        assert_eq!(
            (18..=23).map(by).collect::<Vec<_>>(),
            [None, Some("SIGSTOP"), Some("SIGTSTP"), Some("SIGTTIN"), Some("SIGTTOU"), None]
        );
        assert_eq!((by(0), by(-1), by(i32::MIN + 18)), (None, None, None));
        assert_eq!(Outcome::Failed { code: 19 }.stopped_by(), None);
    }
}
