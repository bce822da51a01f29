//! etalon's own report: the answer first, one table, the notes that change how it is read, and where the rest is.
//!
//! One screen unless everything is asked for. Owns what stands on it and in which order; refuses to lay it out
//! (`document`) and to compute (`core::analysis`).

mod about;
mod alone;
mod answer;
mod asked;
mod evidence;
mod foremost;
mod machines;
mod more;
mod nodes;
mod notes;
mod ranked;
mod services;
mod shape;
mod spread;
mod suites;
mod variation;
mod verdicts;

use etalon_core::analysis::{Analysis, Ranking};

use crate::document::{Document, Part};
use crate::view::View;
use crate::words;

pub(crate) use asked::{asked, surroundings};
pub(crate) use evidence::{rows as evidence, set as settings};
pub(crate) use variation::lines as why_readings_differ;

/// Rows of one table that a screen has room for, and of all tables of a screen together.
const ROWS: usize = 24;

/// The opening of every report in etalon's own style: answers and tables.
pub(crate) fn opening(analysis: &Analysis, view: View) -> Document {
    let mut document = Document::default();
    let commands: Vec<&Ranking> =
        analysis.rankings.iter().filter(|ranking| ranking.scope.is_none()).collect();
    let measured = analysis.benchmarks.iter().filter(|it| it.case.is_none()).count();
    match (&commands[..], measured) {
        (_, 0) => {}
        ([ranking], 2..) if ranking.machine.is_empty() => {
            document.parts.extend(several(analysis, ranking, view));
        }
        ([_, ..], 2..) => document.parts.extend(machines::parts(analysis, &commands, view)),
        _ => document.parts.extend(alone::parts(analysis)),
    }
    document.parts.extend(suites::parts(analysis, view));
    document
}

/// The answer in one line: of one ranking its sentence, of others a few words.
pub(crate) fn headline(analysis: &Analysis) -> String {
    let said = match &analysis.rankings[..] {
        [ranking] => answer::sentence(analysis, ranking),
        _ => None,
    };
    said.unwrap_or_else(|| crate::answer::line(crate::answer::brief(analysis)))
}

/// Notes, and where the rest is.
pub(crate) fn closing(analysis: &Analysis, view: View) -> Document {
    let notes = notes::sentences(analysis, view);
    let notes = (!notes.is_empty()).then_some(Part::Notes(notes));
    let more = more::sentence(analysis, view).map(Part::More);
    Document { parts: notes.into_iter().chain(more).collect() }
}

fn several(analysis: &Analysis, ranking: &Ranking, view: View) -> Vec<Part> {
    let mut parts = Vec::new();
    parts.extend(nodes::disagreements(analysis, ranking));
    parts.extend(answer::sentence(analysis, ranking).map(Part::Answer));
    parts.extend(answer::work(analysis, ranking).map(Part::Sentence));
    parts.extend(analysis.headline.map(|it| Part::Sentence(words::headline(analysis, it))));
    parts.extend(about::sentences(analysis, Some(ranking)).into_iter().map(Part::Sentence));
    parts.push(Part::Tables(vec![ranked::table(analysis, ranking, view)]));
    parts.extend(verdicts::outlook(analysis, ranking).map(Part::Sentence));
    parts
}
