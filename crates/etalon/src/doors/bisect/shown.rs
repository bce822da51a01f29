//! The answer of a bisection that is over.

use etalon_core::dataset::Dataset;

use crate::bisected;
use crate::cli::BisectShown;
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::showing::Show;

/// Shows a bisection that is over.
pub(crate) struct Answer(pub(crate) BisectShown);

impl Show for Answer {
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        let shown = bisected::show(&data, self.0.json, false);
        shown.map_err(|failure| failure.after_saving(executed.kept.reference.as_deref()))
    }

    /// Commits that do not build are left out.
    fn expects_failures(&self) -> bool {
        true
    }

    fn is_silent(&self) -> bool {
        self.0.quiet || self.0.json
    }
}
