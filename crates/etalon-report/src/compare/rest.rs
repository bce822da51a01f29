//! Sentences of a screen on rows that it does not show, and on those that are open.
//!
//! Owns how much is said once for many rows. Refuses to choose what is shown.

use std::collections::{HashMap, HashSet};

use etalon_core::notes::{ComparisonNote, DesignNote, NoteKind};
use etalon_core::tables::{Labels, Row, Table, Tables};
use etalon_core::verdict::{Assessment, More, Reason, Verdict};

use super::headline;
use super::rows::assessments;
use super::words::{self, Columns};
use super::{lacking as lacking_columns, tally};
use crate::number::{counted, counted_more};
use crate::text::clean;
use crate::view::Detail;
use crate::words::{cell_note, hindrances, kinds_of_hindrances, more_often_beside};

/// Things of one kind that are named before they are counted.
const NAMED: usize = 3;

/// Names by what is said of them: each once, in order of appearance.
#[derive(Debug, Default)]
struct Gathered {
    all: Vec<Said>,
    places: HashMap<String, usize>,
    known: HashSet<(usize, String)>,
}

/// A sentence and its subjects, and what is added where there is only one of them.
#[derive(Debug)]
struct Said {
    text: String,
    names: Vec<String>,
    more: String,
}

impl Gathered {
    fn add(&mut self, text: String, name: String, more: String) {
        let place = *self.places.entry(text).or_insert_with_key(|text| {
            self.all.push(Said { text: text.clone(), names: Vec::new(), more });
            self.all.len() - 1
        });
        if self.known.insert((place, name.clone())) {
            self.all[place].names.push(name);
        }
    }
}

/// The rows of a table, by what became of them.
#[derive(Debug, Clone, Default)]
pub(super) struct Rest {
    changed: usize,
    unclear: usize,
    /// Of which a harness wrote centres alone.
    without_readings: usize,
    same: usize,
    /// Rows of one column only, by its place; of rows that some columns lack, without one.
    alone: Vec<(Option<Labels>, usize)>,
}

impl Rest {
    /// Rows of a table.
    pub(super) fn new(table: &Table, rows: &[Row]) -> Rest {
        let mut rest = Rest::default();
        for row in rows {
            let all: Vec<&Assessment> = assessments(row).collect();
            if all.iter().any(|it| it.decision.is_difference()) {
                rest.changed += 1;
            } else if all.iter().any(|it| it.decision.reasons == [Reason::NoRawData]) {
                rest.without_readings += 1;
            } else if all.iter().any(|it| it.decision.verdict == Verdict::Unclear) {
                rest.unclear += 1;
            } else if !all.is_empty() {
                rest.same += 1;
            } else {
                rest.add_alone(table, row);
            }
        }
        rest
    }

    fn add_alone(&mut self, table: &Table, row: &Row) {
        let mut columns = row.cells.iter().zip(&table.columns).filter(|(cell, _)| cell.is_some());
        let only = columns.next().map(|(_, labels)| labels.clone());
        let only = only.filter(|_| columns.next().is_none());
        self.count_alone(only, 1);
    }

    fn count_alone(&mut self, of: Option<Labels>, rows: usize) {
        match self.alone.iter_mut().find(|(labels, _)| *labels == of) {
            Some((_, count)) => *count += rows,
            None => self.alone.push((of, rows)),
        }
    }

    /// All of them.
    pub(super) fn total(&self) -> usize {
        let alone: usize = self.alone.iter().map(|(_, count)| count).sum();
        self.changed + self.unclear + self.without_readings + self.same + alone
    }

    /// Whether something is compared, and nothing changed or is unclear.
    pub(super) fn is_same(&self) -> bool {
        self.same > 0 && self.changed + self.unclear + self.without_readings == 0
    }

    /// Whether something is unclear.
    pub(super) fn is_open(&self) -> bool {
        self.unclear + self.without_readings > 0
    }

    /// The sentence under the rows that are shown.
    pub(super) fn sentence(&self, columns: &Columns, shown: &Rest) -> Option<String> {
        // A single data set has nothing to be compared with: its rows are only counted.
        if self.changed + self.unclear + self.without_readings + self.same == 0 {
            let more = self.total() - shown.total();
            return (more > 0).then(|| format!("and {more} more: --full"));
        }
        let more = self.changed - shown.changed;
        let more = (more > 0).then(|| format!("and {more} more: --full"));
        let unclear = (self.unclear - shown.unclear, shown.unclear);
        let unclear = match unclear {
            (0, _) => None,
            (rest, 0) => Some(counted(rest, "row unclear", "rows unclear")),
            (rest, _) => Some(format!("{rest} more unclear")),
        };
        let same = (self.same > 0).then(|| counted(self.same, "row unchanged", "rows unchanged"));
        let alone = |(labels, count): &(Option<Labels>, usize)| match labels {
            Some(labels) => format!("{count} only in {}", columns.label(labels)),
            None => format!("{count} not in all"),
        };
        let alone = self.alone.iter().map(alone);
        let without = self.without_readings;
        let without = (without > 0)
            .then(|| counted(without, "row without raw data", "rows without raw data"));
        let said = more.into_iter().chain(unclear).chain(without).chain(same).chain(alone);
        let said: Vec<String> = said.collect();
        (!said.is_empty()).then(|| said.join(", "))
    }
}

impl std::iter::Sum for Rest {
    fn sum<I: Iterator<Item = Rest>>(rests: I) -> Rest {
        rests.fold(Rest::default(), |mut all, rest| {
            all.changed += rest.changed;
            all.unclear += rest.unclear;
            all.without_readings += rest.without_readings;
            all.same += rest.same;
            for (of, rows) in rest.alone {
                all.count_alone(of, rows);
            }
            all
        })
    }
}

/// The rows that each data set has for itself, where nothing is in several.
pub(super) fn nothing_in_common(tables: &Tables) -> Option<String> {
    let columns = Columns::new(tables);
    let rows = || tables.tables.iter().flat_map(|table| &table.rows);
    let several = tables.columns.len() > 1;
    if !several || rows().any(|row| row.cells.iter().flatten().count() > 1) {
        return None;
    }
    let mut apart = Gathered::default();
    for table in &tables.tables {
        for row in &table.rows {
            let own = row.cells.iter().zip(&table.columns).find(|(cell, _)| cell.is_some());
            let Some((_, labels)) = own else { continue };
            apart.add(columns.label(labels), words::label(&row.labels), String::new());
        }
    }
    let said = apart.all.into_iter();
    let said = said.map(|Said { text: set, names, .. }| format!("Only in {set}: {}.", few(names)));
    Some(said.collect::<Vec<_>>().join(" "))
}

/// The units of tables in which nothing changed, and their rows.
pub(super) fn unchanged<'t>(all: impl Iterator<Item = (&'t Table, usize)>) -> Option<String> {
    let mut units: Vec<(&str, usize)> = Vec::new();
    for (table, rows) in all {
        match units.iter_mut().find(|(known, _)| *known == table.unit) {
            Some((_, count)) => *count += rows,
            None => units.push((&table.unit, rows)),
        }
    }
    let named = |(unit, rows): &(&str, usize)| {
        format!("{} ({})", clean(unit), counted(*rows, "row", "rows"))
    };
    let said: Vec<String> = units.iter().map(named).collect();
    (!said.is_empty()).then(|| format!("Unchanged: {}.", few(said)))
}

/// The tables that have none of the rows asked for.
pub(super) fn empty(titles: impl Iterator<Item = String>) -> Option<String> {
    let titles: Vec<String> = titles.collect();
    (!titles.is_empty()).then(|| format!("No row changed: {}.", few(titles)))
}

/// The reasons why verdicts are open, each once.
pub(super) fn unclear<'t>(tables: impl Iterator<Item = &'t Table>) -> Option<String> {
    let is_open = |it: &&Assessment| {
        let decision = &it.decision;
        // A note says which do nothing.
        decision.verdict == Verdict::Unclear && !decision.is_difference() && !decision.is_void()
    };
    let rows = tables.flat_map(|table| &table.rows);
    let unclear: Vec<&Assessment> = rows.flat_map(assessments).filter(is_open).collect();
    let mut reasons: Vec<(String, usize)> = Vec::new();
    let more = unclear.iter().filter_map(|it| it.decision.more.as_deref());
    for assessment in &unclear {
        let each = match unclear.len() {
            1 => hindrances(assessment),
            _ => kinds_of_hindrances(assessment),
        };
        for reason in each {
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => reasons.push((reason, 1)),
            }
        }
    }
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let told = |(reason, count): (String, usize)| match unclear.len() {
        1 => reason,
        _ => format!("{reason} ({})", counted(count, "row", "rows")),
    };
    let mut said = few(reasons.into_iter().map(told).collect());
    let reach = More::reaching(more.clone());
    if let Some(values) = reach.and_then(|reach| counted_more(reach, ("value", "values"))) {
        let gap = if said.is_empty() { "" } else { "; " };
        let which = match (more.count(), unclear.len()) {
            (1, 1) => "it".to_owned(),
            (some, all) if some == all => "them".to_owned(),
            (some, _) => counted(some, "row", "rows"),
        };
        said.push_str(&format!("{gap}about {values} a side would settle {which}"));
    }
    (!said.is_empty()).then(|| format!("Unclear: {said}."))
}

/// Notes on columns and cells that are read before them, each once.
pub(super) fn notes(tables: &Tables) -> Vec<String> {
    let of_columns = tally::notes(tables).into_iter().map(|note| format!("{note}."));
    let mut notes: Vec<String> = of_columns.collect();
    let (mut seen, mut tails) = (Gathered::default(), Gathered::default());
    let several = tables.leading().nth(1).is_some();
    let columns = Columns::new(tables);
    for (table, row) in
        tables.leading().flat_map(|table| table.rows.iter().map(move |row| (table, row)))
    {
        let cells = || row.cells.iter().flatten();
        let of_cells = cells().flat_map(|cell| &cell.notes);
        let is_of_row = |note: &&NoteKind| matches!(note, NoteKind::Cell(_));
        let of_cells = of_cells.filter(is_of_row);
        let of_comparisons = cells().filter_map(|cell| Some(&cell.comparison.as_ref()?.notes));
        let of_comparisons = of_comparisons.flatten().filter(|note| changes_the_reading(note));
        for (at, cell) in row.cells.iter().enumerate() {
            // They are counted by the data set.
            let of_cell = cell.iter().flat_map(|cell| &cell.notes);
            for copies in of_cell.filter(|note| is_copies(note)) {
                let labels = [words::label(&row.labels), columns.label(&table.columns[at])];
                let name = labels.into_iter().filter(|label| !label.is_empty());
                let name = name.collect::<Vec<_>>().join(", ");
                seen.add(cell_note(copies), name, String::new());
            }
        }
        for note in of_cells.chain(of_comparisons) {
            let name = words::label(&row.labels);
            match note {
                // Each row has other numbers.
                NoteKind::Comparison(ComparisonNote::MoreOftenWorse(tail)) => {
                    let [said, readings] = more_often_beside(tail);
                    let quantity = headline::quantity(&table.unit);
                    let about = match (name.is_empty(), several) {
                        (true, _) => quantity,
                        (false, true) => format!("{name} ({quantity})"),
                        (false, false) => name,
                    };
                    tails.add(said, about, readings);
                }
                note => seen.add(cell_note(note), name, String::new()),
            }
        }
    }
    let about = |names: &[String]| match names.len() {
        n if n > NAMED => counted(n, "row", "rows"),
        _ => names.join(", "),
    };
    let said = |of: Gathered| {
        of.all.into_iter().map(move |Said { text, names, more }| match (&names[..], &more[..]) {
            ([name], more) if !more.is_empty() => format!("{name}: {text} ({more})."),
            (names, _) => format!("{}: {text}.", about(names)),
        })
    };
    notes.extend(said(tails).chain(said(seen)));
    notes
}

/// Whether a comparison is read otherwise for a note; the page has the others as footnotes.
pub(super) fn changes_the_reading(note: &NoteKind) -> bool {
    use ComparisonNote::{MoreOftenWorse, Waited};
    matches!(note, NoteKind::Comparison(Waited { .. } | MoreOftenWorse(_)))
}

/// Whether a note says that copies of runs were left out.
pub(super) fn is_copies(note: &NoteKind) -> bool {
    matches!(note, NoteKind::Design(DesignNote::Copies { .. }))
}

/// The data sets that have nothing of a table, units of one place together; on a screen, of the tables that it shows.
pub(super) fn lacking(tables: &Tables, detail: Detail) -> Vec<String> {
    let columns = Columns::new(tables);
    let mut missing: Vec<((&Labels, &Labels), Vec<&str>)> = Vec::new();
    let all = tables.tables.iter().zip(lacking_columns(tables));
    let is_told = |table: &Table| detail == Detail::Full || tables.leads(table);
    for (table, lacking) in all.filter(|(table, _)| is_told(table)) {
        for column in lacking {
            let place = (column, &table.labels);
            match missing.iter_mut().find(|(known, _)| *known == place) {
                Some((_, units)) => units.push(&table.unit),
                None => missing.push((place, vec![&table.unit])),
            }
        }
    }
    let said = |((column, labels), units): ((&Labels, &Labels), Vec<&str>)| {
        let all = tables.tables.iter().filter(|table| table.labels == *labels).count();
        let place = words::named(&tables.table_keys, labels);
        let units: Vec<String> = units.into_iter().map(clean).collect();
        let what = match (units.len() == all, place.is_empty()) {
            (true, false) => format!("nothing of {place}"),
            (_, true) => format!("no {}", few(units)),
            (false, false) => format!("no {} of {place}", few(units)),
        };
        format!("{} has {what}", columns.label(column))
    };
    let missing: Vec<String> = missing.into_iter().map(said).collect();
    if missing.is_empty() { Vec::new() } else { vec![format!("{}.", few(missing))] }
}

/// The first of them, and how many more there are.
pub(super) fn few(mut texts: Vec<String>) -> String {
    if texts.len() > NAMED + 1 {
        let more = texts.len() - NAMED;
        texts.truncate(NAMED);
        return format!("{} and {more} more", texts.join(", "));
    }
    texts.join(", ")
}
