//! How an experiment file is shown.

use crate::cli;
use crate::pages::Page;

/// How it is shown.
pub(crate) struct DisplayOptions<'a> {
    pub(crate) view: &'a cli::View,
    pub(crate) analysis: &'a cli::Analysis,
    /// The page that is written besides.
    pub(crate) page: Option<&'a Page>,
}
