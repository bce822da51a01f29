//! The machines of a page: where their data come from.

use etalon_core::dataset::{ConfigurationId, Dataset};
use etalon_record::open::{Opened, SourceFormat};
use etalon_record::{ReadError, Strictness};
use etalon_report::experiments::{Figures, Machine};
use etalon_report::number::counted_between;
use etalon_report::text::named;

use indexmap::IndexMap;

use super::benchmarks;
use super::display::DisplayOptions;
use super::figures::{self, BENCHMARK};
use super::file::{self, File, Placed};
use crate::datasets::{self, Verbosity};
use crate::failure::Failure;
use crate::toml_text::{Source, hint};

/// The name of the machine that measured, where the file names none.
const OWN: &str = "this machine";

/// Refuses machines that share a name, several without data, and formats that there are not.
///
/// # Errors
/// With place and remedy.
pub(super) fn check(source: Source<'_>, file: &File) -> Result<(), Failure> {
    let mut own: Option<&str> = None;
    for (at, placed) in file.machine.iter().enumerate() {
        let machine = placed.get_ref();
        let name = &machine.name;
        if file.machine[..at].iter().any(|known| known.get_ref().name == *name) {
            let why = format!("a second machine called {}: rename one of them", named(name));
            return Err(source.at(placed.span(), why));
        }
        format(source, machine)?;
        if machine.data.is_empty() {
            if let Some(other) = own {
                let why = format!(
                    "the machine {} has no `data`, as {} has none: only one of them measures",
                    named(name),
                    named(other)
                );
                return Err(source.at(placed.span(), why));
            }
            own = Some(name);
        }
    }
    let sections = file.page.iter().flat_map(|page| &page.section);
    let shows_own = file.machine.is_empty() || own.is_some();
    let results = sections.filter_map(|section| section.get_ref().results.as_ref()).next();
    let other = file.axes.keys().find(|axis| axis.get_ref() != BENCHMARK);
    match (results, other) {
        (Some(_), Some(other)) if shows_own => {
            let why = format!(
                "results are of benchmarks, so `{BENCHMARK}` is the only axis of a file whose page shows `results`"
            );
            Err(source.at(other.span(), why))
        }
        _ => Ok(()),
    }
}

/// The format that a machine's data are in.
fn format(source: Source<'_>, machine: &file::Machine) -> Result<SourceFormat, Failure> {
    let Some(from) = &machine.from else { return Ok(SourceFormat::Auto) };
    SourceFormat::named(from.get_ref()).ok_or_else(|| {
        let known = SourceFormat::names().map(|(name, _)| name);
        let hint = hint(from.get_ref(), known);
        source.at(from.span(), format!("no format `{}`: {hint}", from.get_ref()))
    })
}

/// The text that a record has in place of a file with data.
fn recorded_as(path: &str) -> String {
    format!("< {path}")
}

/// The texts of all files with data, for the record.
///
/// # Errors
/// If one cannot be read, with its place.
pub(crate) fn texts(source: Source<'_>, file: &File) -> Result<Vec<(String, String)>, Failure> {
    let all = file.machine.iter().flat_map(|machine| &machine.get_ref().data);
    all.map(|path| Ok((recorded_as(path.get_ref()), text(source, path)?))).collect()
}

fn text(source: Source<'_>, placed: &Placed) -> Result<String, Failure> {
    let path = source.directory().join(placed.get_ref());
    let bytes = std::fs::read(&path)
        .map_err(|error| source.at(placed.span(), ReadError::open(&path, &error)))?;
    String::from_utf8(bytes).map_err(|_| {
        source.at(placed.span(), format!("{} is not UTF-8: save it as that", path.display()))
    })
}

/// All machines with their figures: of the one that measured from `own`, of the others from their files as they were
/// recorded, or as they are now where nothing was.
///
/// # Errors
/// If data cannot be read.
pub(super) fn measured(
    source: Source<'_>,
    file: &File,
    own: Option<&Dataset>,
    recorded: &[(String, String)],
    wanted: &DisplayOptions<'_>,
) -> Result<Vec<Machine>, Failure> {
    if file.machine.is_empty() {
        let machine = file::Machine { name: OWN.to_owned(), ..file::Machine::default() };
        let own = own.map(|data| from_record(file, &machine, data, wanted));
        return own.into_iter().collect();
    }
    let mut all = Vec::new();
    for machine in file.machine.iter().map(Placed::get_ref) {
        if !machine.data.is_empty() {
            let data = read(source, machine, recorded)?;
            let benchmarks = figures::tabulated(file, &data, wanted)?;
            all.push(described(machine, &data, benchmarks));
        } else if let Some(data) = own {
            all.push(from_record(file, machine, data, wanted)?);
        }
    }
    Ok(all)
}

/// The data of a machine's files.
fn read(
    source: Source<'_>,
    machine: &file::Machine,
    recorded: &[(String, String)],
) -> Result<Dataset, Failure> {
    let from = format(source, machine)?;
    let mut data = Dataset::default();
    for placed in &machine.data {
        let path = placed.get_ref();
        let known = recorded.iter().find(|(known, _)| *known == recorded_as(path));
        let text = known.map_or_else(|| text(source, placed), |(_, text)| Ok(text.clone()))?;
        let added = Opened::new(text.as_bytes(), path, from)
            .and_then(|opened| opened.add_to(&mut data, &machine.name, Strictness::Lenient));
        added.map_err(|error| source.at(placed.span(), error))?;
    }
    datasets::tell(&data, Verbosity::ButEndings);
    Ok(data)
}

fn from_record(
    file: &File,
    machine: &file::Machine,
    data: &Dataset,
    wanted: &DisplayOptions<'_>,
) -> Result<Machine, Failure> {
    let benchmarks = figures::tabulated(file, data, wanted)?;
    let without = benchmarks::without_values(data, BENCHMARK);
    Ok(Machine { without, ..described(machine, data, benchmarks) })
}

/// A line of Go's about all that follows it.
fn line(data: &Dataset, key: &str) -> Option<String> {
    let all = (0..data.configurations.len()).filter_map(|at| ConfigurationId::new(at).ok());
    let mut lines = all.filter_map(|at| data.fact(at, key));
    lines.next().map(str::to_owned)
}

/// The processors that Go says behind names to have used, which are not more than there were.
fn processors(data: &Dataset) -> Option<String> {
    let most = data.benchmarks.iter().filter_map(|declared| declared.name.processors()).max();
    most.map(|most| format!("{most} (GOMAXPROCS)"))
}

/// A machine with what its data say where the file says nothing.
fn described(
    machine: &file::Machine,
    data: &Dataset,
    benchmarks: IndexMap<String, Figures>,
) -> Machine {
    let fact = |key: &str| data.run_sets.iter().find_map(|set| set.context.get(key).cloned());
    let readings = benchmarks.values().flat_map(|figures| figures.values()).map(|it| it.readings);
    let readings = readings.clone().min().zip(readings.max());
    let is_published = data.run_sets.iter().any(|set| set.published);
    let sampled = readings
        .filter(|_| !is_published)
        .map(|between| format!("median of {}", counted_between(between, "reading", "readings")));
    let file::Machine { name, cpu, cores, sampling, notes, .. } = machine.clone();
    Machine {
        name,
        cpu: cpu.or_else(|| fact("cpu.model")).or_else(|| line(data, "cpu")),
        cores: cores.or_else(|| fact("cpu.cores")).or_else(|| processors(data)),
        sampling: sampling.or(sampled),
        notes,
        benchmarks,
        without: Vec::new(),
    }
}
