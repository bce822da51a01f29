//! Notes below a presented table.

use etalon_core::model::Kind;
use etalon_core::tables::Centre;

use super::super::{SummaryRow, rest, words};
use super::Look;
use super::page::Page;
use crate::number::counted;

impl Page<'_> {
    /// The notes on it.
    pub(super) fn notes(&self) -> Vec<String> {
        let said = self.ranking().into_iter().chain(self.too_few());
        said.chain(self.missing()).collect()
    }

    /// How it is decided who is best in a row.
    fn ranking(&self) -> Option<String> {
        let Look { fastest, letters, .. } = self.wanted.look;
        let centre = match self.wanted.look.centre() {
            Centre::Median => "median",
            Centre::Mean => "mean",
        };
        let decided =
            "all pairs of a row, within blocks that they share, corrected together (Holm)";
        match (fastest, letters) {
            (true, true) => {
                Some(format!("best: the best {centre}; same, unclear and letters: {decided}"))
            }
            (true, false) => Some(format!("best: the best {centre}; same and unclear: {decided}")),
            (false, true) => {
                Some(format!("letters: {decided}; those that share one are not told apart"))
            }
            (false, false) => None,
        }
    }

    /// That no verdict is possible with so few blocks: of all pairs of all rows, corrected together.
    fn too_few(&self) -> Option<String> {
        let Look { fastest, letters, .. } = self.wanted.look;
        if self.wanted.verdicts && !fastest && !letters {
            return None;
        }
        let compared = self.there().len();
        let most = self.cells().map(|cell| cell.n).max()?;
        let needed = self.of.fewest_for_ranks();
        let is_tested = self.of.kind == Kind::Noisy && compared > 1;
        (is_tested && most < needed as usize).then(|| {
            format!(
                "{} a cell are too few to say who is best in a row: that takes {needed}",
                counted(most, "measure", "measures")
            )
        })
    }

    /// Cells without a value, by why.
    fn missing(&self) -> Vec<String> {
        let Some(declared) = &self.wanted.declared else { return Vec::new() };
        let mut by_why: Vec<(&str, Vec<String>)> = Vec::new();
        for ((row, column), why) in &declared.absent {
            let name = [&declared.rows[*row], &declared.columns[*column]].map(words::label);
            let name = name.join(" ").trim().to_owned();
            match by_why.iter_mut().find(|(known, _)| known == why) {
                Some((_, names)) => names.push(name),
                None => by_why.push((why, vec![name])),
            }
        }
        let outside = match self.wanted.summary {
            SummaryRow::None => "",
            SummaryRow::Total => "; left out of the total",
            SummaryRow::GeometricMean => "; left out of the mean",
        };
        let line =
            |(why, names): (&str, Vec<String>)| format!("{why}: {}{outside}", rest::few(names));
        by_why.into_iter().map(line).collect()
    }
}
