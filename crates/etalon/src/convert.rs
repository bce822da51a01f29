//! `etalon convert`: data of any known format in another.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

use etalon_core::dataset::{Dataset, RunSetId};
use etalon_core::model::{Direction, Metric, Note};
use etalon_core::units::Base;
use etalon_core::visible::Escapes;
use etalon_record::foreign::Schema;
use etalon_record::open::Opened;
use etalon_record::raw::{self, CopyError};
use etalon_record::{Strictness, foreign};
use etalon_report::text::clean;

use crate::cli;
use crate::cli::To;
use crate::datasets::{self, Verbosity};
use crate::failure::{Exit, Failure};
use crate::replace::Target;
use crate::{output, saved, tool};

/// Runs the subcommand.
pub(crate) fn run(options: &cli::Convert) -> Result<Exit, Failure> {
    let target = options.output.as_ref().map(|name| target(options, name)).transpose()?;
    let count = options.data.len();
    if options.to == To::Etalon && count > 1 {
        return Err(Failure::about(
            "--to etalon",
            format!(
                "a record holds one run: convert the {count} of them one by one; saved runs go into one \
                 file with `etalon runs bundle`"
            ),
        ));
    }
    // All are open at the same time: a pipe cannot be looked at first and read later.
    let mut opened = Vec::new();
    for data in sources(options)? {
        opened.push(saved::opened(data, options.from)?);
    }
    match opened
        .pop_if(|opened| options.to == To::Etalon && (opened.is_record() || opened.is_bundle()))
    {
        Some(record) => copy(options, target.as_ref(), record),
        None => convert(options, target.as_ref(), opened),
    }
}

fn strictness(options: &cli::Convert) -> Strictness {
    if options.strict { Strictness::Strict } else { Strictness::Lenient }
}

/// Writes a record as the record that it is.
fn copy(
    options: &cli::Convert,
    target: Option<&Target>,
    record: Opened<'_>,
) -> Result<Exit, Failure> {
    if record.is_bundle() {
        return Err(Failure::about(
            options.data[0].display(),
            "is a bundle of records: `etalon runs import` saves each of them as a run",
        ));
    }
    let mut unread = None;
    let copied = put(options.to, target, |out| {
        record.copy_record(strictness(options), out).map_err(|error| match error {
            CopyError::Write(error) => error,
            CopyError::Read(error) => {
                unread = Some(error);
                io::Error::other("what is copied cannot be read")
            }
        })
    });
    if let Some(error) = unread {
        return Err(Failure::new(error));
    }
    tell(options, copied?.run_sets.iter().flat_map(|set| &set.notes));
    Ok(Exit::Done)
}

/// Reads all data and writes what the format holds of them.
fn convert(
    options: &cli::Convert,
    target: Option<&Target>,
    opened: Vec<Opened<'_>>,
) -> Result<Exit, Failure> {
    let mut data = Dataset::default();
    let of_go = options.to == To::Go && opened.iter().all(Opened::is_go);
    for (opened, name) in opened.into_iter().zip(&options.data) {
        let label = name.display().to_string();
        opened.add_to(&mut data, &label, strictness(options)).map_err(Failure::new)?;
    }
    check(options.to, &data)?;
    if options.to != To::Go {
        one_document(&data)?;
    }
    let lost = put(options.to, target, |mut out| write(options.to, &data, &mut out))?;
    if of_go && !options.quiet {
        // What was not used has its line there.
        datasets::tell(&data, Verbosity::All);
    }
    let notes = data.run_sets.iter().flat_map(|set| &set.notes).filter(|_| !of_go);
    tell(options, notes.chain(&lost));
    Ok(Exit::Done)
}

/// Refuses metrics of one name that are in different units: they do not go into one document.
pub(crate) fn one_document(data: &Dataset) -> Result<(), Failure> {
    let mut known: HashMap<String, Base> = HashMap::new();
    let run_sets = (0..data.run_sets.len()).map_while(|at| RunSetId::new(at).ok());
    for (run_set, set) in run_sets.zip(&data.run_sets) {
        for (Metric { name, unit, .. }, _) in data.metrics(run_set) {
            let base = unit.base().clone();
            match known.get(&name) {
                None => {
                    known.insert(name, base);
                }
                Some(before) if *before == base => {}
                Some(before) => {
                    return Err(Failure::about(
                        &set.source,
                        format!(
                            "{name} is in {base} here and in {before} before: these do not go into \
                             one document"
                        ),
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The data as typed: standard input once at most.
fn sources(options: &cli::Convert) -> Result<&[OsString], Failure> {
    if options.data.iter().filter(|data| *data == "-").count() > 1 {
        return Err(Failure::about("-", "standard input can be read once: name it once"));
    }
    Ok(&options.data)
}

/// Refuses a format that has no place for anything that was measured: the document would have
/// benchmarks and no numbers.
fn check(to: To, data: &Dataset) -> Result<(), Failure> {
    let (option, holds, what) = match to {
        To::Hyperfine | To::Hyperfine1 => {
            ("--to hyperfine", foreign::hyperfine_holds(data), "wall-clock times")
        }
        To::Bestguess => ("--to bestguess", foreign::bestguess_holds(data), "what commands use"),
        To::GithubActionBenchmark => (
            "--to github-action-benchmark",
            foreign::harness::holds(data, Direction::Lower),
            "what is better the less it is",
        ),
        To::GithubActionBenchmarkBigger => (
            "--to github-action-benchmark-bigger",
            foreign::harness::holds(data, Direction::Higher),
            "what is better the more it is",
        ),
        To::Etalon | To::Go | To::Bencher | To::Openmetrics => return Ok(()),
    };
    if holds || (0..data.len()).all(|row| !data.counts(row)) {
        return Ok(());
    }
    let units = data.metric_names();
    // Executions that failed without a value: no format has more of them.
    if units.is_empty() {
        return Ok(());
    }
    let sources: Vec<&str> = data.run_sets.iter().map(|set| set.source.as_str()).collect();
    let source = sources.join(", ");
    Err(Failure::about(
        option,
        format!(
            "that format is for {what}, and {source} has {}: choose --to etalon or --to go",
            units.join(", ")
        ),
    ))
}

/// Writes a document to where it belongs; what `write` returns.
fn put<T>(
    to: To,
    target: Option<&Target>,
    write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<T>,
) -> Result<T, Failure> {
    match target {
        Some(target) => target.replace(|out| write(out)),
        None => {
            let escapes = match to {
                To::Etalon
                | To::Hyperfine
                | To::Hyperfine1
                | To::Bencher
                | To::GithubActionBenchmark
                | To::GithubActionBenchmarkBigger => Escapes::Json,
                To::Bestguess | To::Go | To::Openmetrics => Escapes::Text,
            };
            let mut out = BufWriter::new(output::data(escapes));
            let written = write(&mut out);
            written
                .and_then(|done| out.flush().map(|()| done))
                .map_err(|error| Failure::of_output(&error))
        }
    }
}

fn tell<'n>(options: &cli::Convert, notes: impl IntoIterator<Item = &'n Note>) {
    if options.quiet {
        return;
    }
    for Note { about, text, .. } in notes {
        output::remark(&format!("{}: {}", clean(about), clean(text)));
    }
}

/// The file of `-o`: not one of those that are read, and an existing one only by force.
fn target(options: &cli::Convert, name: &std::ffi::OsStr) -> Result<Target, Failure> {
    let target = Target::check("-o", name, "leave -o out for standard output")?;
    for data in &options.data {
        if saved::path(data).is_ok_and(|path| target.is(&path)) {
            return Err(Failure::about(
                target.subject(),
                "is what is read: choose another name, the original is worth keeping",
            ));
        }
    }
    if target.holds_something() && !options.force {
        return Err(Failure::about(
            target.subject(),
            "exists and is not empty: choose another name, or replace it with --force",
        ));
    }
    Ok(target)
}

/// Writes one document; what the format cannot hold.
fn write(to: To, data: &Dataset, out: &mut impl Write) -> io::Result<Vec<Note>> {
    match to {
        To::Etalon => raw::write_record(data, &tool::name(), out),
        To::Bestguess => foreign::write_bestguess(data, out),
        To::Hyperfine => foreign::write_hyperfine(data, Schema::Two, out),
        To::Hyperfine1 => foreign::write_hyperfine(data, Schema::One, out),
        To::Go => foreign::write_go(data, out),
        To::Bencher => foreign::harness::write_bencher(data, out),
        To::Openmetrics => foreign::harness::write_openmetrics(data, out),
        To::GithubActionBenchmark => {
            foreign::harness::write_github_action(data, Direction::Lower, out)
        }
        To::GithubActionBenchmarkBigger => {
            foreign::harness::write_github_action(data, Direction::Higher, out)
        }
    }
}
