//! An execution that is shown and added to the history, where a door is asked for both.

use etalon_core::dataset::Dataset;

use super::add;
use crate::cli::Belongs;
use crate::executed::Executed;
use crate::failure::{Exit, Failure};
use crate::showing::Show;

/// Shows an execution, and adds it to the history once that is done.
pub(crate) struct IntoHistory {
    pub(crate) shown: Box<dyn Show>,
    /// Where its points belong.
    pub(crate) belongs: Belongs,
}

impl Show for IntoHistory {
    fn show(&mut self, executed: &Executed, data: Dataset) -> Result<Exit, Failure> {
        let checked = self.shown.show(executed, data)?;
        add::measured(executed, &self.belongs, self.is_silent())
            .map_err(|failure| failure.after_saving(executed.kept.reference.as_deref()))?;
        Ok(checked)
    }

    fn is_silent(&self) -> bool {
        self.shown.is_silent()
    }
}
