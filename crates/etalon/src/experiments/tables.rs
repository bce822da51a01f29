//! The tables of an experiment file, from what was measured.
//!
//! Rows and columns are those of the record's benchmarks, in its order: one of which nothing was measured says why.

use std::collections::BTreeSet;

use etalon_core::dataset::{Dataset, GROUP, Name, RunSetId, SUITE, SpellingId};
use etalon_core::metrics;
use etalon_core::model::{Answer, Benchmark};
use etalon_core::notes::{Note, cut_short, load_changed};
use etalon_core::query::{Filter, Key, Order, Projection};
use etalon_core::tables::{QuerySpec, Tables};
use etalon_report::compare::presented::Declared;
use etalon_report::html;
use etalon_report::json::Titled;
use etalon_report::note_sentence;
use etalon_report::svg::{Still, heat};
use etalon_report::text::hanging;
use indexmap::IndexSet;

use super::benchmarks::{Ended, KEYS, Measured, NAME};
use super::display::DisplayOptions;
use super::document::{brief, document};
use super::file::{File, Placed, Table};
use super::layout::{Layout, label_columns};
use super::parts::{Part, Values, unit, varying};
use super::screen::{LaidOut, RAW, centre};
use super::usual::usual;
use super::{cells, machines, page, screen};
use crate::cli::FormatArg;
use crate::failure::Failure;
use crate::toml_text::Source;
use crate::{compare, output};

/// The parts of a table, and how they stand in a page if one is asked for.
#[derive(Default)]
struct Written<'t> {
    laid_out: Vec<LaidOut<'t>>,
    markup: Vec<String>,
    stills: Vec<Still>,
    /// The parts as computed.
    computed: Vec<Titled>,
}

/// Shows the tables of a file, or its page.
pub(crate) fn show(
    source: Source<'_>,
    file: &File,
    data: Dataset,
    wanted: &DisplayOptions<'_>,
) -> Result<(), Failure> {
    let outputs = data.run_sets.first().and_then(|set| set.experiment.as_ref());
    let outputs = outputs.map_or_else(Vec::new, |experiment| experiment.outputs.clone());
    let measured = Measured::of(&data).in_order_of(file);
    let tables = if file.table.is_empty() { usual(file, &measured) } else { file.table.clone() };
    let (mut laid_out, mut markup, mut stills) = (Vec::new(), Vec::new(), Vec::new());
    let mut computed = Vec::new();
    for table in &tables {
        let table = measured.table(source, file, table, wanted)?;
        laid_out.push(table.laid_out);
        markup.push(table.markup.concat());
        stills.extend(table.stills);
        computed.extend(table.computed);
    }
    let of_first = laid_out.first().map_or(0, Vec::len);
    screen::add_moved(&mut laid_out, &computed);
    let mut written = screen::written(&laid_out, &computed, wanted);
    if computed.iter().all(|titled: &Titled| titled.tables.tables.is_empty()) {
        compare::failed::tell(&data);
    }
    let needs_machines = wanted.view.format == FormatArg::Markdown || wanted.page.is_some();
    let machines = match needs_machines {
        true => machines::measured(source, file, Some(&data), &outputs, wanted)?,
        false => Vec::new(),
    };
    let notes = [cut_short(&data), recorded(&data), load_changed(&data)].concat();
    let remarks: Vec<String> = notes.iter().map(note_sentence).collect();
    let made = |tables| page::PageContents {
        outputs: &outputs,
        tables,
        machines: &machines,
        remarks: &remarks,
    };
    if let Some(page) = wanted.page {
        let metric = tables.first().map_or(metrics::WALL, |table| table.metric.get_ref());
        let of_page = crate::pages::data(&data, metric);
        page.write(|| page::as_html(source, file, &made(&markup), &of_page), || stills)?;
    }
    match wanted.view.format() {
        FormatArg::Json => document(&tables, (&computed, of_first), (&data, &notes), wanted),
        FormatArg::Markdown => output::text(&page::written(source, file, &made(&written))?),
        format => {
            let remarks = remarks.iter().filter(|_| format == FormatArg::Terminal);
            written.extend(remarks.map(|it| hanging("Note: ", it, output::width()).join("\n")));
            output::text(&written.join("\n\n"))
        }
    }?;
    // The largest thing there is; the program is about to end.
    std::mem::forget(data);
    Ok(())
}

/// The remarks that were recorded with the data, such as those on the machine; each once.
fn recorded(data: &Dataset) -> Vec<Note> {
    let mut seen: IndexSet<(&str, &str)> = IndexSet::new();
    let recorded = data.run_sets.iter().flat_map(|set| &set.notes);
    let new = recorded.filter(|note| seen.insert((&note.about, &note.text)));
    new.map(Note::from).collect()
}

/// The outcome of the first table of a file, for a line of a list: who is best in how many of its rows; without ranks,
/// how many tables there are.
pub(super) fn in_brief(
    source: Source<'_>,
    file: &File,
    data: &Dataset,
    wanted: &DisplayOptions<'_>,
) -> Option<Answer> {
    let measured = Measured::of(data).in_order_of(file);
    let tables = if file.table.is_empty() { usual(file, &measured) } else { file.table.clone() };
    let first = tables.first()?;
    let computed = measured.table(source, file, first, wanted).ok()?.computed;
    Some(brief((first, tables.len()), &computed))
}

/// Refuses a table of what tells no benchmarks apart; `params` are the parameters that they have.
///
/// # Errors
/// With place and remedy.
pub(crate) fn check(
    source: Source<'_>,
    file: &File,
    table: &Table,
    params: &IndexSet<&str>,
) -> Result<(), Failure> {
    let is_key = |axis: &str| KEYS.contains(&axis) || params.contains(axis);
    let is_axis = |axis: &Placed| file.axes.keys().any(|it| it.get_ref() == axis.get_ref());
    let of_axes = table.only.iter().filter(|(axis, _)| is_axis(axis) || !is_key(axis.get_ref()));
    cells::check(source, file, &of_axes.map(|(axis, of)| (axis.clone(), of.clone())).collect())?;
    for named in [&table.rows, &table.columns] {
        for axis in named.get_ref().texts() {
            if !is_key(axis.as_str()) {
                cells::axis_of(source, file, &Placed::new(named.span(), axis))?;
            }
        }
    }
    label_columns(source, file, table, &[]).map(drop)
}

impl<'d> Measured<'d> {
    /// A table, or one for each combination of the values of axes that are neither rows nor columns.
    fn table<'t>(
        &self,
        source: Source<'_>,
        file: &File,
        table: &'t Table,
        wanted: &DisplayOptions<'_>,
    ) -> Result<Written<'t>, Failure> {
        let (rows, columns) = (table.rows.get_ref().texts(), table.columns.get_ref().texts());
        let meets = |it: &&Ended<'_>| {
            table.only.iter().all(|(axis, values)| {
                let value = it.value(axis.get_ref());
                value.is_some_and(|value| values.texts().iter().any(|known| known == value))
            })
        };
        // A harness and its benchmarks have metrics of their own.
        let metric = self.spelling(table);
        let is_here = |it: &&Ended<'_>| !self.is_of_harness || !it.is_about_others(metric);
        let of_table: Vec<_> = self.all.iter().filter(is_here).filter(meets).collect();
        if of_table.is_empty() && !table.only.is_empty() {
            return Err(nothing(source, table));
        }
        let is_shown = |axis: &&str| rows.iter().chain(&columns).any(|known| known == axis);
        let declared = file.axes.keys().map(|axis| axis.get_ref().as_str());
        let params = self.all.iter().flat_map(|it| &it.key.params).map(|(name, _)| name.as_str());
        let others: IndexSet<&str> =
            KEYS.into_iter().chain(declared).chain(params).filter(|axis| !is_shown(axis)).collect();
        let mut groups: Vec<(Values<'_>, Vec<&Ended<'_>>)> = Vec::new();
        for benchmark in of_table {
            let value = |axis| benchmark.value(axis).unwrap_or_default();
            let key: Values<'_> = others.iter().map(|axis| (*axis, value(axis))).collect();
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, members)) => members.push(benchmark),
                None => groups.push((key, vec![benchmark])),
            }
        }
        // Subjects whose programs are about other metrics are no rows of this one.
        groups.retain(|(_, members)| {
            let are_about_others = |it: &&Ended<'_>| it.is_about_others(metric);
            !members.iter().any(are_about_others)
                || members.iter().any(|it| it.why.is_none() && !it.is_about_others(metric))
        });
        let varying: BTreeSet<&str> = varying(&groups);
        let mut written = Written::default();
        for (key, members) in &groups {
            let part = Part { table, members, key, varying: &varying };
            self.part(source, file, (table, &part), wanted, &mut written)?;
        }
        Ok(written)
    }

    fn part<'t>(
        &self,
        source: Source<'_>,
        file: &File,
        (table, part): (&'t Table, &Part<'_>),
        wanted: &DisplayOptions<'_>,
        written: &mut Written<'t>,
    ) -> Result<(), Failure> {
        let members = part.members;
        let tables = self.tables(part, wanted)?;
        let title = part.title(self.data);
        let Layout { rows, columns, absent, without_values } = Layout::new(table, members);
        let explained = table
            .is_bare()
            .then(|| format!("Cells are percent of the largest of their row, which is the {RAW}."));
        let labels = label_columns(source, file, table, &rows)?;
        let below = explained.iter().chain(&table.legend).chain(&table.notes).cloned().collect();
        let declared = Declared { rows, columns, labels, absent };
        let laid_out = LaidOut { table, declared, below };
        let presentation = laid_out.presentation(&title, wanted, None);
        written.markup.extend(wanted.page.map(|_| html::tables(&tables, &presentation)));
        written.stills.extend(wanted.page.iter().flat_map(|_| heat(&tables, &presentation)));
        let (common, apart) = (self.common(part), self.apart(part));
        let (title, absent) = (Some(title), without_values);
        written.computed.push(Titled { title, common, apart, tables, absent });
        written.laid_out.push(laid_out);
        Ok(())
    }

    /// The metric of a table, as the record declares it.
    fn spelling(&self, table: &Table) -> Option<SpellingId> {
        self.data.declared_metric(RunSetId::new(0).ok()?, table.metric.get_ref())
    }

    /// Whether benchmarks have a parameter.
    fn has(&self, param: &str) -> bool {
        self.all.iter().any(|it| it.key.params.iter().any(|it| it.0 == param))
    }

    /// The key of an axis in queries.
    fn key_of(&self, axis: &str) -> Key {
        match axis {
            // The name of a harness's benchmark is a whole, whatever it has slashes for.
            NAME if !self.has(NAME) && self.is_of_harness => Key::FullName,
            NAME if !self.has(NAME) => Key::Name,
            SUITE | GROUP if !self.has(axis) => Key::Config(axis.to_owned()),
            axis => Key::Part(axis.to_owned()),
        }
    }

    /// The order of an axis in a part: that of the benchmarks, which is not that of the record where these came as
    /// harnesses measured them.
    fn order_of(&self, axis: &str, part: &Part<'_>) -> Order {
        if !self.is_of_harness || !self.has(axis) {
            return Order::First;
        }
        let values: IndexSet<&str> = part.members.iter().filter_map(|it| it.value(axis)).collect();
        Order::Led(values.into_iter().map(str::to_owned).collect())
    }

    /// The keys that all of a part has in common, with their values.
    fn common(&self, part: &Part<'_>) -> Vec<(String, String)> {
        let said = part.key.iter().filter(|(_, value)| !value.is_empty());
        said.map(|(axis, value)| (self.key_of(axis).to_string(), (*value).to_owned())).collect()
    }

    /// The keys that tell a part from the others of its table, with their values.
    fn apart(&self, part: &Part<'_>) -> Vec<(String, String)> {
        let is_said =
            |(axis, value): &&(&str, &str)| part.varying.contains(axis) && !value.is_empty();
        let said = part.key.iter().filter(is_said);
        said.map(|(axis, value)| (self.key_of(axis).to_string(), (*value).to_owned())).collect()
    }

    /// The engine's table: one metric's values of the benchmarks of a part.
    fn tables(&self, part: &Part<'_>, wanted: &DisplayOptions<'_>) -> Result<Tables, Failure> {
        let Part { table, key, .. } = *part;
        let keys = |axes: Vec<String>| {
            Projection::from_keys(axes.iter().map(|it| (self.key_of(it), self.order_of(it, part))))
        };
        let unit = unit(self.data, table.metric.get_ref());
        let mut filter = vec![Filter::is(Key::Unit, &unit)];
        // A file is a fact where there are several, and a group where something is told apart by one.
        let places = || self.all.iter().filter_map(|it| it.place);
        let suites: BTreeSet<&str> = places().map(|(suite, _)| suite).collect();
        let groups: BTreeSet<_> = places().collect();
        let has_groups = groups.len() > 1 && groups.iter().any(|(_, group)| group.is_some());
        let is_fact = |axis: &str| match axis {
            SUITE => self.has(SUITE) || suites.len() > 1,
            GROUP => self.has(GROUP) || has_groups,
            _ => true,
        };
        let is_whole_name = |axis: &str| axis == NAME && self.key_of(NAME) == Key::FullName;
        if key.iter().any(|(axis, _)| is_whole_name(axis)) {
            let full = |it: &&Ended<'_>| {
                let benchmark = Benchmark { key: it.key.clone(), ..Benchmark::default() };
                Name::from_benchmark(&benchmark).full().to_owned()
            };
            let members = part.members.iter().map(full);
            filter.push(Filter::any(members.map(|name| Filter::is(Key::FullName, &name))));
        }
        let of_part = key.iter().filter(|(axis, _)| is_fact(axis) && !is_whole_name(axis));
        filter.extend(of_part.map(|(axis, value)| Filter::is(self.key_of(axis), value)));
        for (axis, values) in table.only.iter().filter(|(axis, _)| is_fact(axis.get_ref())) {
            let (axis, values) = (self.key_of(axis.get_ref()), values.texts());
            filter.push(Filter::any(values.iter().map(|it| Filter::is(axis.clone(), it))));
        }
        // What is named beside a whole name is no part of it.
        let is_param = |axis: &&str| self.is_of_harness && self.has(axis);
        let apart = key.iter().map(|(axis, _)| *axis).filter(is_param);
        let apart: Vec<String> = apart.map(str::to_owned).collect();
        let query = QuerySpec {
            filter: Filter::all(filter),
            table: keys(apart),
            row: keys(table.rows.get_ref().texts()),
            col: keys(table.columns.get_ref().texts()),
            ignore: Projection::default(),
        };
        let ranks = (table.has_fastest() || table.letters).then(|| centre(table.centre));
        let options = wanted.view.comparison(&wanted.analysis.judging);
        compare::tabulated(self.data, query, &options, ranks)
    }
}

/// That nothing in the data is what a table is to show.
fn nothing(source: Source<'_>, table: &Table) -> Failure {
    let only = table
        .only
        .iter()
        .map(|(axis, values)| format!("{} {}", axis.get_ref(), values.texts().join(" or ")));
    let why = format!(
        "no benchmark is what this table shows: `only` asks for {}",
        only.collect::<Vec<_>>().join(", ")
    );
    source.at(table.metric.span(), why)
}
