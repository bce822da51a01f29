//! The first lines of a comparison: how many rows of which quantity changed which way.
//!
//! Owns what a quantity is called in a sentence, and which are left to the complete report.

use etalon_core::metrics;
use etalon_core::stats::Correction;
use etalon_core::tables::{ByCpu, Labels, Row, Table, Tables, is_cpu, is_wall};
use etalon_core::verdict::{Assessment, Decision, Moved, Verdict};

use super::rows::{assessment, assessments};
use super::words::{Columns, label};
use crate::document::UNBROKEN;
use crate::number::counted;
use crate::text::{clean, left, shortened, width};
use crate::words::{
    by_cpu, counts, disagreement, each_node, margin_text, moved_text, moved_word, over_nodes,
    verdict_word,
};

/// Data sets that have a line each; more are counted.
const LINES: usize = 6;
/// Said of a column in which nothing was compared with the base.
const UNTESTED: &str = "published: one number each, nothing to test";
/// Rows in which nodes disagree that have their lines; more are counted.
const DISAGREEING: usize = 3;
/// The longest name of a data set, and of a quantity, in a line.
const NAME: usize = 30;

/// A line for each data set but the base; of a single one that nothing is compared.
pub(super) fn lines(tables: &Tables) -> Vec<String> {
    let columns = Columns::new(tables);
    let name = |labels: &Labels| shortened(&columns.label(labels), NAME, "…");
    let Some((base, others)) = tables.columns.split_first() else { return Vec::new() };
    if others.is_empty() {
        return vec![format!("{}: nothing to compare it with.", name(base))];
    }
    let shown = foremost(tables, others, LINES);
    let leads: Vec<String> =
        shown.iter().map(|labels| format!("{} → {}", name(base), name(labels))).collect();
    let widest = leads.iter().map(|lead| width(lead)).max().unwrap_or(0);
    let line = |(labels, lead): (&&Labels, &String)| {
        format!("{}   {}", left(lead, widest), column_counts(tables, labels))
    };
    let mut lines = disagreements(tables);
    lines.extend(shown.iter().zip(&leads).map(line));
    if let more @ 1.. = others.len() - shown.len() {
        lines.push(format!("and {}", counted(more, "more data set", "more data sets")));
    }
    lines
}

/// So many data sets of all, in their order: of more, first those that have something in common with the base.
pub(super) fn foremost<'t>(tables: &Tables, all: &'t [Labels], most: usize) -> Vec<&'t Labels> {
    let has: Vec<bool> = all.iter().map(|it| all.len() <= most || has_common(tables, it)).collect();
    let mut without = most.saturating_sub(has.iter().filter(|has| **has).count());
    let is_shown = |(_, has): &(&Labels, bool)| {
        let is_one = *has || without > 0;
        without -= usize::from(is_one && !has);
        is_one
    };
    all.iter().zip(has).filter(is_shown).map(|(it, _)| it).take(most).collect()
}

/// That nodes disagree in rows of the tables that lead, each with a line a node.
fn disagreements(tables: &Tables) -> Vec<String> {
    let rows = tables.leading().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    let said = |(table, row): (&Table, &Row)| -> Option<Vec<String>> {
        let over = assessments(row).filter_map(over_nodes).find(|over| over.disagree())?;
        let place = [label(&row.labels), quantity(&table.unit)];
        let place: Vec<String> = place.into_iter().filter(|it| !it.is_empty()).collect();
        let first = format!("{}: {}", place.join(", "), disagreement(over)?);
        let each = each_node(over).map(|node| format!("  {node}"));
        Some(std::iter::once(first).chain(each).collect())
    };
    let all: Vec<_> = rows.filter_map(said).collect();
    let more = all.len().saturating_sub(DISAGREEING);
    let more = (more > 0)
        .then(|| format!("Nodes disagree in {}.", counted(more, "more row", "more rows")));
    all.into_iter().take(DISAGREEING).flatten().chain(more).collect()
}

/// The verdicts on each quantity in a column, counted: `time: 1 faster, 2 slower   memory: 4 same`.
fn column_counts(tables: &Tables, labels: &Labels) -> String {
    each_count(tables, labels).join("   ")
}

/// The verdicts on each quantity in a column, counted; or why there are none.
pub(super) fn each_count(tables: &Tables, labels: &Labels) -> Vec<String> {
    let alone = settled_alone(tables, labels);
    let is_settled = |unit: &str| alone.is_some() && (is_wall(unit) || is_cpu(unit));
    let of_unit = |unit| Some((unit, unit_counts(tables, unit, labels)?));
    let counted = units(tables).into_iter().filter_map(of_unit).enumerate();
    // What is unclear beside what leads says nothing that the table does not: page faults, the memory of small programs.
    let counted = counted
        .filter(|(_, (unit, _))| !is_settled(unit))
        .filter(|(at, (unit, _))| *at == 0 || says_something(tables, unit, labels))
        .map(|(_, (_, said))| said);
    let moved = moved(tables, labels);
    let said: Vec<String> = alone.clone().into_iter().chain(counted).chain(moved).collect();
    match said.is_empty() {
        true if has_common(tables, labels) => vec![UNTESTED.to_owned()],
        true => vec!["nothing in common".to_owned()],
        false => said,
    }
}

/// Count and time together.
fn moved(tables: &Tables, labels: &Labels) -> Option<String> {
    count_and_time(&tables.moved(labels)).map(|said| said.replace(' ', UNBROKEN))
}

/// Count and time together: of one row in words, of several counted.
#[must_use]
pub fn count_and_time(all: &[Moved]) -> Option<String> {
    if let [moved] = all {
        return Some(moved_text(*moved).to_owned());
    }
    let count = |it: Moved| all.iter().filter(|moved| **moved == it).count();
    let each = [Moved::Both, Moved::CountOnly, Moved::CountFirst, Moved::TimeOnly, Moved::Neither];
    let said = each.into_iter().filter(|it| count(*it) > 0);
    let said: Vec<String> = said.map(|it| format!("{} {}", count(it), moved_word(it))).collect();
    (!all.is_empty()).then(|| format!("count and time: {}", said.join(", ")))
}

/// Whether something differs in a unit, or all of it is the same.
fn says_something(tables: &Tables, unit: &str, labels: &Labels) -> bool {
    let of = tables.tables.iter().filter(|table| table.unit == unit);
    let decisions: Vec<&Decision> =
        of.flat_map(|table| in_column(table, labels)).map(|it| &it.decision).collect();
    decisions.iter().any(|it| it.is_difference())
        || decisions.iter().all(|it| it.verdict == Verdict::Same)
}

/// The verdicts on the first quantity in the first column beside the base, counted.
pub(super) fn brief(tables: &Tables) -> Option<String> {
    let labels = tables.columns.get(1)?;
    let counted = || units(tables).into_iter().find_map(|unit| unit_counts(tables, unit, labels));
    Some(settled_alone(tables, labels).or_else(counted)?.replace(UNBROKEN, " "))
}

/// The answer of CPU time about the only row of a column, where wall clock leaves it open.
fn settled_alone(tables: &Tables, labels: &Labels) -> Option<String> {
    let [ByCpu { cpu, .. }] = tables.by_cpu(labels)[..] else { return None };
    let walls = tables.tables.iter().filter(|table| is_wall(&table.unit));
    let of = tables.tables.iter().find(|table| is_cpu(&table.unit))?;
    if walls.flat_map(|table| in_column(table, labels)).count() > 1 {
        return None;
    }
    let margin = margin_text(of.criteria.margin, &of.base);
    let within = (cpu.decision.verdict == Verdict::Same).then_some(margin);
    let ratio = cpu.evidence.shown().ratio;
    let word = verdict_word(cpu, &of.base);
    Some(by_cpu(word, ratio.as_ref(), within.as_deref(), tables.is_busy))
}

/// How many of the open rows of wall clock CPU time settles, and how.
fn settled_among(tables: &Tables, unit: &str, labels: &Labels) -> String {
    let settled = if is_wall(unit) { tables.by_cpu(labels) } else { Vec::new() };
    let of = tables.tables.iter().find(|table| is_cpu(&table.unit));
    let Some(of) = of.filter(|_| !settled.is_empty()) else { return String::new() };
    let counts = counts(settled.iter().map(|it| it.cpu), of.direction, &of.base);
    let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text);
    let why = if tables.is_busy { ": the machine was busy" } else { "" };
    format!(" (by CPU time {}{why})", counts.collect::<Vec<_>>().join(", "))
}

/// Whether a column has a value in some row where the base has one: tables without the base have another first column.
fn has_common(tables: &Tables, labels: &Labels) -> bool {
    let of_table = |table: &Table| {
        let has_base = table.columns.first() == tables.columns.first();
        let at = table.columns.iter().position(|column| column == labels).filter(|_| has_base);
        let is_common = |at: usize| {
            table.rows.iter().any(|row| row.cells[at].is_some() && row.cells[0].is_some())
        };
        at.is_some_and(is_common)
    };
    tables.tables.iter().any(of_table)
}

fn unit_counts(tables: &Tables, unit: &str, labels: &Labels) -> Option<String> {
    let of: Vec<&Table> = tables.tables.iter().filter(|table| table.unit == unit).collect();
    let first = of.first()?;
    let assessments = of.iter().flat_map(|table| in_column(table, labels));
    let counts = counts(assessments, first.direction, &first.base);
    let found: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect();
    let quantity = short_quantity(unit);
    let settled = settled_among(tables, unit, labels);
    let chance = by_chance(&of, labels).map_or_else(String::new, |(expected, _)| {
        format!(" (up to about {expected:.0} by chance)")
    });
    let said = format!("{quantity}: {}{settled}{chance}", found.join(", "));
    (!found.is_empty()).then(|| said.replace(' ', UNBROKEN))
}

/// How many of the rows that differ may do so by chance, and of how many tables they are: each table is corrected by itself,
/// so that a share alpha of them is expected to have one where nothing changed, and a screen shows the foremost rows of all.
/// Absent of fewer than one, and where none differs.
#[allow(clippy::cast_precision_loss)] // numbers of comparisons
fn by_chance(of: &[&Table], labels: &Labels) -> Option<(f64, usize)> {
    // A check corrects over all of its tables.
    let apart = of.iter().filter(|table| !table.is_checked());
    let tested = |table: &Table| in_column(table, labels).filter(|it| !it.evidence.exact).count();
    let (mut families, mut expected) = (0, 0.0);
    for (table, tested) in apart.map(|table| (table, tested(table))).filter(|it| it.1 > 0) {
        let each = if table.criteria.correction() == Correction::None { tested } else { 1 };
        families += 1;
        expected += table.criteria.alpha * each as f64;
    }
    let all = of.iter().flat_map(|table| in_column(table, labels));
    let differ = all.filter(|it| it.decision.is_difference() && !it.evidence.exact).count();
    (differ > 0 && expected >= 1.0).then(|| (expected.min(differ as f64), families))
}

/// The reason why some rows are called different by chance, where that many are; of the unit that leads.
pub(super) fn chance(tables: &Tables) -> Option<String> {
    let unit = *units(tables).first()?;
    let of: Vec<&Table> = tables.tables.iter().filter(|table| table.unit == unit).collect();
    let mut columns = tables.columns.iter().skip(1);
    let (_, families) = columns.find_map(|labels| by_chance(&of, labels))?;
    let corrected = match families {
        1 => "no row is corrected for the others".to_owned(),
        _ => format!("each of {families} tables is corrected by itself"),
    };
    Some(format!(
        "{corrected}, so that some rows differ by chance; those of a check are one family."
    ))
}

fn in_column<'t>(table: &'t Table, labels: &Labels) -> impl Iterator<Item = &'t Assessment> {
    let at = table.columns.iter().position(|column| column == labels);
    let cells = table.rows.iter().filter_map(move |row| row.cells[at?].as_ref());
    cells.filter_map(assessment)
}

/// The units that a screen shows, in order of appearance.
pub(super) fn units(tables: &Tables) -> Vec<&str> {
    let mut units: Vec<&str> = Vec::new();
    for table in tables.leading() {
        if !units.contains(&table.unit.as_str()) {
            units.push(&table.unit);
        }
    }
    units
}

/// How many units a screen does not show.
pub(super) fn others(tables: &Tables) -> Option<String> {
    let mut units: Vec<&str> = tables.tables.iter().map(|table| table.unit.as_str()).collect();
    units.sort_unstable();
    units.dedup();
    let more = units.len() - self::units(tables).len();
    (more > 0).then(|| counted(more, "more unit", "more units"))
}

/// The name of a unit among others, shortened.
pub(super) fn short_quantity(unit: &str) -> String {
    shortened(&quantity(unit), NAME, "…")
}

/// The name of a unit in a sentence.
pub(super) fn quantity(unit: &str) -> String {
    let name = match metrics::by_unit(unit) {
        "sec" => "time",
        "B" | metrics::RSS => "memory",
        metrics::CPU => "CPU",
        metrics::ALLOC => "allocated",
        metrics::INSTRUCTIONS => metrics::INSTRUCTIONS,
        _ => unit,
    };
    clean(name)
}
