//! A comparison as a comment below a pull request: the answer, what got worse, all else folded.
//!
//! Owns which rows stand open, what is folded, and how long all of it may be. Refuses the order of rows
//! (`core::tables::worst_first`), and sentences that were recorded: a record may be written by the code that is judged,
//! so that names in it are code ([`inert`]) and nothing else of it is text.

mod inert;

use etalon_core::notes::{BuiltSide, Note, NoteKind, SidesNote};
use etalon_core::tables::{
    Arrangement, Cell, Compared, Concern, Labels, Table, Tables, worst_first,
};
use etalon_core::verdict::{Assessment, Reason, Verdict};
use sha2::{Digest, Sha256};

use self::inert::Names;
use super::rows::{Sheet, assessment, assessments};
use super::words::{self, Columns};
use super::{CellView, Contents, Look, Remarks, SummaryRow, evidence, families, headline, rest};
use crate::document::UNBROKEN;
use crate::figures::Figures;
use crate::number::counted;
use crate::table::{Align, Spacing, code, grid};
use crate::text::clean;
use crate::view::Detail;
use crate::words::{levels_text, note_sentence, note_sentences, verdict_word};

/// The most bytes. Because: GitHub refuses a text of more than 65,536 characters, and does not say how it counts.
const MOST: usize = 60_000;
/// Rows that stand open.
const OPEN: usize = 10;
/// Sentences of a kind, and data sets in the first line, that are there; more are counted.
const SENTENCES: usize = 6;
const DATA_SETS: usize = 3;
/// The longest line to repeat it. Because: a part of one would do something else.
const LINE: usize = 2_000;

/// Lines around a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frame<'a> {
    /// The title. Its hash is in the first line, by which a comment is found again.
    pub title: Option<&'a str>,
    /// The line to type to measure it again.
    pub again: Option<&'a str>,
}

/// The comment, of at most 60,000 bytes whatever is compared.
#[must_use]
pub fn comment(tables: &Tables, said: Remarks<'_>, frame: Frame<'_>) -> String {
    let order = worst_first(tables);
    let (open, folded) = order.split_at(open(&order));
    let (rows, names) = (Rows::new(tables), names(tables));
    let mut parts = vec![
        format!("{}\n{}", marker(frame.title), heading((tables, &names), said, frame.title)),
        basis((tables, &names), said.remarks),
    ];
    parts.extend(failed(said.failed, &names));
    parts.extend((!open.is_empty()).then(|| rows.table(open)));
    let behind = [notes((tables, &names), said), again(frame.again)];
    let taken: usize = parts.iter().chain(&behind).map(|part| part.len() + 2).sum();
    parts.extend(rows.folded(folded, MOST.saturating_sub(taken)));
    parts.extend(behind);
    parts.retain(|part| !part.is_empty());
    parts.iter().map(|part| part.trim_end_matches('\n')).collect::<Vec<_>>().join("\n\n") + "\n"
}

/// Everything in sentences that a record may call as it likes.
fn names(tables: &Tables) -> Names {
    let labels = |all: &Labels| all.iter().flatten().cloned().collect::<Vec<_>>();
    let of_table = |table: &Table| {
        let rows = table.rows.iter().flat_map(|row| labels(&row.labels));
        let units = [table.unit.clone(), headline::short_quantity(&table.unit)];
        rows.chain(labels(&table.labels)).chain(units).collect::<Vec<_>>()
    };
    let of_tables = tables.tables.iter().flat_map(of_table);
    let keys = [&tables.table_keys, &tables.row_keys, &tables.col_keys];
    let columns = tables.columns.iter().flat_map(labels);
    let all = of_tables.chain(columns).chain(keys.into_iter().flatten().cloned());
    Names::new(all.map(|name| clean(&name)))
}

/// The first line: a comment is one of this title's if its first line equals this one.
fn marker(title: Option<&str>) -> String {
    let hash = Sha256::digest(title.unwrap_or_default());
    let hash: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("<!-- etalon {hash} -->")
}

/// So many of the first rows stand open: what changed and what could not be told; all of them, where they are few.
fn open(order: &[Compared<'_>]) -> usize {
    if order.len() <= OPEN {
        return order.len();
    }
    order.iter().take(OPEN).take_while(|it| it.concern < Concern::Same).count()
}

/// The title, whether a check failed, and the verdicts counted.
fn heading((tables, names): (&Tables, &Names), said: Remarks<'_>, title: Option<&str>) -> String {
    let columns = Columns::new(tables);
    let others = tables.columns.get(1..).unwrap_or_default();
    let told = |labels| {
        let counts = headline::each_count(tables, labels).join("; ").replace(UNBROKEN, " ");
        match others.len() {
            1 => counts,
            _ => format!("{} – {counts}", columns.label(labels)),
        }
    };
    let shown = headline::foremost(tables, others, DATA_SETS);
    let mut answers: Vec<String> = shown.iter().map(|labels| told(labels)).collect();
    if let more @ 1.. = others.len() - shown.len() {
        answers.push(counted(more, "more data set", "more data sets"));
    }
    if others.is_empty() {
        answers.push("nothing to compare it with".to_owned());
    }
    let failed = (!said.failed.is_empty()).then(|| "the check fails".to_owned());
    let lead = [failed, withheld(tables)].into_iter().flatten();
    let answer: Vec<String> = lead.chain(answers).map(|it| names.sentence(&it)).collect();
    let title = title.map_or_else(String::new, |title| format!("{}: ", inert::sentence(title)));
    format!("### {title}{}", answer.join(" | "))
}

/// How many verdicts a side that differs from its own second build takes away: the others are to be read as ever.
fn withheld(tables: &Tables) -> Option<String> {
    let rows = tables.tables.iter().flat_map(|table| &table.rows);
    let all: Vec<&Assessment> = rows.flat_map(assessments).collect();
    let is_withheld = |it: &&&Assessment| it.decision.reasons.contains(&Reason::ControlMoved);
    match all.iter().filter(is_withheld).count() {
        0 => None,
        some if some == all.len() => Some("no verdict, a control moved".to_owned()),
        some => Some(format!(
            "{} of {} withheld, a control moved",
            some,
            counted(all.len(), "verdict", "verdicts")
        )),
    }
}

/// The basis of the verdicts, in one line: the sides, the smallest visible change, the controls.
fn basis((tables, names): (&Tables, &Names), remarks: &[Note]) -> String {
    let made = remarks.iter().find_map(|note| match &note.what {
        NoteKind::Sides(SidesNote::Made { sides, .. }) => {
            Some(sides.each_ref().map(side).join(" → "))
        }
        _ => None,
    });
    let between = || {
        let columns = Columns::new(tables);
        let all = tables.columns.iter().take(1 + DATA_SETS);
        let labels: Vec<String> = all.map(|it| inert::name(&columns.label(it))).collect();
        labels.join(" → ")
    };
    let controls = remarks.iter().filter(|note| is_of_sides(note, is_control)).take(SENTENCES);
    let said = evidence::sentence(tables).into_iter().chain(controls.map(note_sentence));
    let said: Vec<String> = said.map(|it| names.sentence(&it)).collect();
    [made.unwrap_or_else(between), said.join(" ")].join(" · ").trim_end_matches(" · ").to_owned()
}

/// A side with the revision that was measured.
fn side(of: &BuiltSide) -> String {
    let short = |text: &String| inert::name(&text.chars().take(10).collect::<String>());
    let revision = of.revision.as_ref().map_or_else(String::new, |it| format!(" ({})", short(it)));
    format!("{} {}{revision}", of.side, inert::name(&of.asked))
}

fn is_of_sides(note: &Note, is_meant: impl Fn(&SidesNote) -> bool) -> bool {
    matches!(&note.what, NoteKind::Sides(of) if is_meant(of))
}

fn is_control(note: &SidesNote) -> bool {
    use SidesNote::{BuildsAgree, BuiltOnce, MoreMoved, Moved};
    matches!(note, Moved(_) | MoreMoved { .. } | BuildsAgree { .. } | BuiltOnce)
}

/// Why a check failed.
fn failed(reasons: &[Note], names: &Names) -> Option<String> {
    (!reasons.is_empty()).then(|| list(&note_sentences(reasons), names))
}

/// All other remarks, folded. Recorded sentences are only counted.
fn notes((tables, names): (&Tables, &Names), said: Remarks<'_>) -> String {
    let is_recorded = |note: &&Note| matches!(note.what, NoteKind::Recorded { .. });
    let is_said = |it: &SidesNote| is_control(it) || matches!(it, SidesNote::Made { .. });
    let (recorded, own): (Vec<&Note>, Vec<&Note>) =
        said.remarks.iter().filter(|note| !is_of_sides(note, is_said)).partition(is_recorded);
    let mut all: Vec<String> = rest::unclear(tables.leading()).into_iter().collect();
    all.extend(rest::notes(tables));
    all.extend(rest::lacking(tables, Detail::Screen));
    all.extend(families::disagreement(tables));
    all.extend(own.into_iter().map(note_sentence));
    if !recorded.is_empty() {
        let remarks = counted(recorded.len(), "remark", "remarks");
        all.push(format!("The record has {remarks} besides."));
    }
    if all.is_empty() {
        return String::new();
    }
    fold(&counted(all.len(), "note", "notes"), &list(&all, names))
}

fn list(sentences: &[String], names: &Names) -> String {
    let more = sentences.len().saturating_sub(SENTENCES);
    let shown = sentences.iter().take(SENTENCES).map(|it| format!("- {}\n", names.first(it)));
    let more = (more > 0).then(|| format!("- and {more} more\n"));
    shown.chain(more).collect()
}

fn again(line: Option<&str>) -> String {
    match line.map(clean).filter(|line| !line.is_empty()) {
        Some(line) if line.len() <= LINE => format!("Again: {}", code(&line)),
        Some(_) => "The line to repeat it is too long for a comment; the record has it.".to_owned(),
        None => String::new(),
    }
}

/// Markdown that is shown when somebody opens it. Behind an empty line, Markdown is read within HTML.
fn fold(summary: &str, markdown: &str) -> String {
    let markdown = markdown.trim_end_matches('\n');
    format!("<details>\n<summary>{summary}</summary>\n\n{markdown}\n\n</details>")
}

/// The rows of all tables in one table.
struct Rows<'t> {
    tables: &'t Tables,
    columns: Columns,
    /// How values are shown, by table and row.
    figures: Vec<Vec<Figures>>,
    /// Whether a row has to say of which quantity it is, and of which data set.
    has_quantities: bool,
    has_data_sets: bool,
}

impl<'t> Rows<'t> {
    fn new(tables: &'t Tables) -> Rows<'t> {
        let columns = Columns::new(tables);
        let contents = Contents {
            cells: CellView::Delta,
            summary: SummaryRow::None,
            rows: Arrangement::default(),
            look: Look::default(),
        };
        let sheet =
            |of| Sheet { tables, of, names: &columns, contents, total: 0 }.figures(&of.rows);
        let figures = tables.tables.iter().map(sheet).collect();
        let has_quantities = headline::units(tables).len() > 1;
        let has_data_sets = tables.columns.len() > 2;
        Rows { tables, columns, figures, has_quantities, has_data_sets }
    }

    fn table(&self, rows: &[Compared<'_>]) -> String {
        let lines: Vec<Vec<String>> = rows.iter().map(|row| self.line(row)).collect();
        grid(&self.titles(), &lines, Spacing::Open)
    }

    fn titles(&self) -> Vec<(String, Align)> {
        let compared = self.tables.leading().flat_map(|table| &table.rows);
        let level = levels_text(compared.flat_map(assessments));
        let change =
            if level.is_empty() { "change".to_owned() } else { format!("change, {level}") };
        let label = |at: usize| {
            self.tables
                .columns
                .get(at)
                .map_or_else(String::new, |it| inert::name(&self.columns.label(it)))
        };
        let mut titles = vec![("benchmark".to_owned(), Align::Left)];
        titles.extend(self.has_quantities.then(|| (String::new(), Align::Left)));
        titles.extend(self.has_data_sets.then(|| ("data set".to_owned(), Align::Left)));
        let candidate = if self.has_data_sets { "its value".to_owned() } else { label(1) };
        titles.extend([(label(0), Align::Right), (candidate, Align::Right)]);
        titles.extend([(change, Align::Right), ("verdict".to_owned(), Align::Left)]);
        titles
    }

    fn line(&self, row: &Compared<'_>) -> Vec<String> {
        let Compared { table, column, cells, .. } = *row;
        let mut line = vec![self.name(row)];
        line.extend(self.has_quantities.then(|| inert::quantity(&headline::quantity(&table.unit))));
        let set = self.tables.columns.get(column).map(|labels| self.columns.label(labels));
        let set = set.unwrap_or_default();
        line.extend(self.has_data_sets.then(|| inert::name(&set)));
        let figures = &self.figures[row.place.0][row.place.1];
        let shown = |cell: Option<&Cell>| {
            cell.map_or_else(String::new, |it| inert::value(&figures.show(it.centre.value)))
        };
        line.extend(cells.map(shown));
        let assessed = cells[1].and_then(assessment);
        let change = assessed.map(|it| crate::tidied::changed(&it.evidence, &table.base));
        line.push(change.map_or_else(String::new, |change| inert::value(&change.to_string())));
        line.push(match (assessed, cells) {
            (Some(assessed), _) => verdict(assessed, row),
            (None, [Some(_), None]) => format!("not in {}", inert::name(&set)),
            (None, [None, _]) => format!("only in {}", inert::name(&set)),
            (None, _) => String::new(),
        });
        line
    }

    /// A row by its labels, and the keys of its table where tables have different ones.
    fn name(&self, Compared { table, row, .. }: &Compared<'_>) -> String {
        let keys = match words::common_keys(self.tables) {
            Some(_) => String::new(),
            None => words::named(&self.tables.table_keys, &table.labels),
        };
        let label = words::label(&row.labels);
        let gap = if keys.is_empty() || label.is_empty() { "" } else { ", " };
        inert::name(&format!("{label}{gap}{keys}"))
    }

    /// The rows, folded, as many as there is room for; and how many are left out.
    fn folded(&self, rows: &[Compared<'_>], room: usize) -> Option<String> {
        if rows.is_empty() {
            return None;
        }
        let summary = counted(rows.len(), "more row", "more rows");
        let cut = |left: usize| match left {
            0 => String::new(),
            left => format!(
                "\n{} left out, because a comment has an end; the record has every row.\n",
                counted(left, "row is", "rows are")
            ),
        };
        let frame = fold(&summary, &cut(rows.len())).len() + 4;
        let mut room = room.checked_sub(frame)?;
        let whole = self.table(rows);
        let mut shown = String::new();
        // Two lines of titles stand before the rows.
        let mut left = rows.len() + 2;
        for line in whole.split_inclusive('\n') {
            let Some(rest) = room.checked_sub(line.len()) else { break };
            room = rest;
            left -= 1;
            shown.push_str(line);
        }
        Some(fold(&summary, &(shown + &cut(left.min(rows.len())))))
    }
}

/// The word of a verdict; of what got worse with weight.
fn verdict(assessed: &Assessment, row: &Compared<'_>) -> String {
    let word = verdict_word(assessed, &row.table.base);
    match assessed.decision.verdict {
        Verdict::Slower => format!("**{word}**"),
        _ => word.to_owned(),
    }
}
