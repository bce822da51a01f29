//! Listings as other programs print them. Each has what belongs only to it; what etalon's own reports have, too, stands
//! above.

pub mod benchstat;
pub(crate) mod bestguess;
mod lua_measure;

use etalon_core::analysis::Analysis;

use crate::view::{Style, View};

/// The listing in the style of the view: of commands BestGuess's, of cases lua-measure's.
pub(crate) fn sections(analysis: &Analysis, view: View) -> Vec<Vec<String>> {
    let mut sections = match view.style {
        Style::BestGuess => bestguess::sections(analysis, view),
        Style::Etalon | Style::LuaMeasure => Vec::new(),
    };
    sections.extend(lua_measure::sections(analysis, view));
    sections
}
