//! Benchmarks of a comparison that did not come to results, and what they said: tables have no place for either.

use etalon_core::dataset::{Dataset, Group};
use etalon_core::excerpt::excerpt;
use etalon_core::model::Outcome;
use etalon_core::model::{BUILD, SIDE};
use etalon_core::notes::{ExecutionNote, Note, NoteKind};
use etalon_report::note_line;
use etalon_report::text::clean;

use crate::output;

/// How many ways to fail have lines of their own.
const MOST: usize = 8;

/// Benchmarks that failed in the same way.
struct Alike {
    how: ExecutionNote,
    /// Of all builds of a side once.
    names: Vec<String>,
    said: Vec<String>,
}

/// Says which benchmarks did not come to results, and what they said: once of all that ended alike.
pub(crate) fn tell(data: &Dataset) {
    let mut all: Vec<Alike> = Vec::new();
    for group in data.groups() {
        let Some(failure) = failure(data, &group) else { continue };
        match all.iter_mut().find(|known| known.how == failure.how && known.said == failure.said) {
            Some(known) if known.names.contains(&failure.names[0]) => {}
            Some(known) => known.names.extend(failure.names),
            None => all.push(failure),
        }
    }
    for Alike { how, names, said } in all.iter().take(MOST) {
        let about = match names.len() {
            1 => names[0].clone(),
            many => format!("{} and {} more", names[0], many - 1),
        };
        let what = NoteKind::Executions(how.clone());
        let failure = format!("etalon: {}", note_line(&Note { about, what }));
        output::remark(&failure);
        let said = said.iter().filter(|line| !failure.ends_with(&format!(": {}", line.trim())));
        let lines: Vec<&str> = said.map(String::as_str).collect();
        excerpt(&lines.join("\n")).iter().for_each(|line| {
            output::remark(&format!("  | {}", clean(&line.replace('\t', "  "))));
        });
    }
    let rest: usize = all.iter().skip(MOST).map(|alike| alike.names.len()).sum();
    if rest > 0 {
        output::remark(&format!("etalon: and {rest} more came to no result in other ways"));
    }
}

/// The first failure of a benchmark, with what it said.
fn failure(data: &Dataset, group: &Group) -> Option<Alike> {
    let row = *group.uncounted.first()? as usize;
    let how = data.rows.outcome(row).clone();
    let signal = match how {
        Outcome::Ok | Outcome::Suspended => return None,
        Outcome::Killed { signal } => Some(output::signal_name(signal)),
        _ => None,
    };
    let names = vec![whose(data, group, row)];
    let how = ExecutionNote::NoResult { how, signal, count: group.uncounted.len() };
    let said = group.tally(data).and_then(|tally| tally.said.as_ref());
    let said = said.filter(|_| data.rows.outcome(row).fails_its_run());
    let lines = said.iter().flat_map(|(_, text)| text.lines()).filter(|line| {
        let is_header = ["goos: ", "goarch: ", "pkg: ", "cpu: "].iter();
        !line.trim().is_empty() && !is_header.clone().any(|start| line.starts_with(start))
    });
    Some(Alike { how, names, said: lines.map(str::to_owned).collect() })
}

/// The name of a benchmark, with what tells it from others of that name, and its side; builds of a side are not told apart.
fn whose(data: &Dataset, group: &Group, row: usize) -> String {
    let mut key = group.benchmark.key.clone();
    let side = key.params.iter().find(|(name, _)| name == SIDE).map(|(_, side)| side.clone());
    key.params.retain(|(name, _)| ![SIDE, BUILD].contains(&&**name));
    let fact = |key: &str| data.fact(data.series_of(row).configuration, key).map(str::to_owned);
    let name = match group.benchmark.command.is_some() || group.benchmark.case.is_some() {
        true => key.label(),
        false => key.name,
    };
    let of = [Some(name), fact("pkg"), side.or_else(|| fact(SIDE))];
    of.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
