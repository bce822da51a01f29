//! Remarks on data beside their tables.
//!
//! Owns what was remarked while it was measured, the order that a file does not say, the command that would measure
//! interleaved, what looks have cost, and keys that keep data sets apart, and that nothing is compared for it. Refuses
//! checks (`checks`), and what second builds say (`controlled`).

use std::collections::BTreeSet;

use etalon_core::criteria::Criteria;
use etalon_core::dataset::Dataset;
use etalon_core::model::{self, Benchmark, NoteCode};
use etalon_core::notes::{DesignNote, Note, NoteKind};
use etalon_core::query::{Filter, Key};
use etalon_core::shell::copied;
use etalon_core::tables::{Labels, Method, Query, Row, Table, Tables};
use etalon_report::text::{clean, named};
use indexmap::{IndexMap, IndexSet};

use super::queries::is_named;
use super::sides::facts;
use crate::cli::{Comparison, OutputArg};
use crate::doctor;
use crate::failure::Failure;

/// So many of the things that a remark is about are named.
const NAMED: usize = 3;
/// The key of data sets, which are the columns where nothing else is asked for.
const FILE: &str = ".file";

/// The remark on commands of one file that does not say whether they took turns.
pub(super) fn order_unsaid(data: &Dataset, tables: &Tables) -> Option<Note> {
    let [set] = &data.run_sets[..] else { return None };
    if set.order_unsaid { etalon_report::compare::order_unsaid(tables) } else { None }
}

/// The command that would measure two versions of such commands interleaved. What else is measured has none yet.
pub(super) fn interleaved_by(data: &Dataset) -> Option<&'static str> {
    let mut benchmarks = data.benchmarks.iter().map(|declared| declared.benchmark.as_deref());
    let is_command = |it: Option<&Benchmark>| {
        it.is_some_and(|benchmark| benchmark.command.is_some() && benchmark.case.is_none())
    };
    benchmarks.all(is_command).then_some("etalon cmd OLD NEW")
}

/// Remarks that were recorded while experiments were executed, each once, with the first of what it is about; of data of other
/// programs those on machines, for what their readers remark is told as they are read. What sides have read is worded anew.
pub(super) fn recorded_notes(data: &Dataset) -> Vec<Note> {
    let mut about: IndexMap<(&str, Option<NoteCode>), IndexSet<&str>> = IndexMap::new();
    for set in &data.run_sets {
        let is_told = |note: &&model::Note| {
            let is_of_file = facts::are_of_files(&note.about) || note.about == set.source;
            doctor::is_unfit(note) || set.plan.is_some() && !is_of_file
        };
        for note in set.notes.iter().filter(is_told) {
            about.entry((&note.text, note.code)).or_default().insert(&note.about);
        }
    }
    let note = |((text, code), about): ((&str, _), IndexSet<&str>)| {
        let named: Vec<&str> = about.iter().copied().take(NAMED).collect();
        let others = match about.len() - named.len() {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let what = NoteKind::Recorded { text: text.to_owned(), code };
        Note { about: named.join(", ") + &others, what }
    };
    about.into_iter().map(note).collect()
}

/// The price of looking at verdicts until there were some, where it was paid.
pub(super) fn paid(data: &Dataset, method: &Method) -> Option<Note> {
    let Criteria { alpha, confidence, spent, .. } = method.paid(data).criteria;
    let looks = spent?.looks.taken();
    let what = NoteKind::Design(DesignNote::LooksPaid { looks, alpha, confidence });
    Some(Note { about: "looks".to_owned(), what })
}

/// Which keys keep data sets apart that have nothing in common but for these.
pub(super) fn kept_apart(tables: &Tables) -> Option<Note> {
    let keys = keys_apart(tables)?.into_iter().map(str::to_owned).collect();
    let what = NoteKind::Design(DesignNote::KeptApart { keys });
    Some(Note { about: "tables".to_owned(), what })
}

/// That keys are to be ignored which nothing has.
pub(super) fn nothing_ignored(query: &Query, data: &Dataset) -> Option<Note> {
    let keys = query.idle(data);
    let what = NoteKind::Design(DesignNote::NothingIgnored { keys: keys.clone() });
    (!keys.is_empty()).then(|| Note { about: "--ignore".to_owned(), what })
}

/// Why no row has a value of the base and another one, and what would bring them together. Of one data set, of several of
/// one name, and of one that a filter names there is nothing to say; neither where another program gets the cells of columns
/// that are typed, and nothing is checked.
pub(super) fn nothing_compared(
    options: &Comparison,
    data: &Dataset,
    tables: &Tables,
) -> Option<Failure> {
    let (base, others) = tables.columns.split_first()?;
    let is_grid = options.queries.col.is_some() && options.show.format == OutputArg::Csv;
    if is_grid && options.checks.given().is_none() {
        return None;
    }
    if others.is_empty() && tables.col_keys == [FILE] {
        let filter = options.queries.filter.as_deref().and_then(|it| Filter::parse(it).ok());
        let is_of_files =
            |it: &Filter| it.mentions().iter().any(|it| it.key == Key::from_word(FILE));
        if filter.as_ref().is_some_and(is_of_files) {
            return None;
        }
        let named: BTreeSet<&str> = data.run_sets.iter().map(|set| set.label.as_str()).collect();
        let only = base.iter().flatten().map(String::as_str).collect::<String>();
        let why = format!("nothing is compared: only {only} has something that passes --filter");
        return (named.len() > 1).then(|| Failure::new(clean(&why)));
    }
    let is_compared = |table: &Table| {
        let has_two =
            |row: &Row| row.cells[0].is_some() && row.cells[1..].iter().any(Option::is_some);
        table.columns.first() == Some(base) && table.rows.iter().any(has_two)
    };
    if others.is_empty() || tables.tables.iter().any(is_compared) {
        return None;
    }
    let base = base.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
    let typed = options.queries.table.as_deref();
    let is_typed = |key: &&str| typed.is_some_and(|table| is_named(table, &Key::from_word(key)));
    let remedy = match keys_apart(tables) {
        Some(keys) if keys.iter().all(is_typed) => {
            format!("; --table without {} has them in one table", keys.join(" and "))
        }
        // Two sides that have nothing in common are met at doors without queries, too.
        Some(keys) => {
            let keys = copied(&keys.join(",")).into_owned();
            format!("; `etalon compare --ignore {keys}` takes their values for one")
        }
        // What each side has alone is named above.
        None if super::sides::of(data).is_some() => String::new(),
        None => "; --row names the keys that make a row, as --row .name does; --ignore takes all values of a key for one"
            .to_owned(),
    };
    let what =
        format!("nothing is compared: no row has a value of {} and another one", named(&base));
    Some(Failure::new(format!("{what}{remedy}")))
}

/// The keys by which data sets are apart that have nothing in common, but would have rows in common without them.
fn keys_apart(tables: &Tables) -> Option<Vec<&str>> {
    let base = tables.columns.first()?;
    let all = || tables.tables.iter().flat_map(|it| it.rows.iter().map(move |row| (it, row)));
    if all().any(|(_, row)| row.cells.iter().flatten().count() > 1) {
        return None;
    }
    let of = |(table, row): (&Table, &Row)| -> (String, Labels) {
        (table.unit.clone(), row.labels.clone())
    };
    let is_of_base = |(table, _): &(&Table, &Row)| table.columns.first() == Some(base);
    let of_base: BTreeSet<_> = all().filter(is_of_base).map(of).collect();
    let mut others = all().filter(|it| !is_of_base(it)).map(of);
    let differs = |at: &usize| {
        let mut values = tables.tables.iter().map(|table| table.labels.get(*at));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    let keys = (0..tables.table_keys.len()).filter(differs);
    let keys: Vec<&str> = keys.map(|at| tables.table_keys[at].as_str()).collect();
    (!keys.is_empty() && others.any(|row| of_base.contains(&row))).then_some(keys)
}
