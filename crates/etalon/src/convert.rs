//! `etalon convert`: data of any known format in another.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

use etalon_core::model::{Note, RunSet};
use etalon_record::foreign::go;
use etalon_record::open::Opened;
use etalon_record::{Strictness, foreign, raw};
use etalon_report::text::clean;

use crate::cli;
use crate::cli::To;
use crate::datasets::{self, Told};
use crate::failure::{Exit, Failure};
use crate::merged::merged;
use crate::replace::Target;
use crate::{output, saved, session};

/// Runs the subcommand.
pub fn run(options: &cli::Convert) -> Result<Exit, Failure> {
    let target = options.output.as_ref().map(|name| target(options, name)).transpose()?;
    let count = options.data.len();
    if options.to == To::Etalon && count > 1 {
        return Err(Failure::about(
            "--to etalon",
            format!("a record holds one execution: convert the {count} of them one by one"),
        ));
    }
    let strictness = if options.strict { Strictness::Strict } else { Strictness::Lenient };
    // All are open at the same time: a pipe cannot be looked at first and read later.
    let mut opened = Vec::new();
    for data in sources(options)? {
        opened.push(saved::opened(data, options.from)?);
    }
    if options.to == To::Go && opened.iter().all(Opened::is_go) {
        // Not by way of a run set: that has no units as they were written.
        let names = options.data.iter().map(|data| data.display().to_string());
        let named = opened.into_iter().zip(names).map(Ok);
        let told = if options.quiet { Told::Nothing } else { Told::All };
        let data = datasets::read(named, strictness, told)?;
        let lost = put(target.as_ref(), |mut out| go::write(&data, go::Facts::All, &mut out))?;
        tell(options, &lost);
        return Ok(Exit::Done);
    }
    let mut run_sets = Vec::new();
    for opened in opened {
        run_sets.push(opened.into_run_set(strictness).map_err(Failure::new)?);
    }
    let set = merged(run_sets)?;
    check(options.to, &set)?;
    let lost = put(target.as_ref(), |mut out| write(options.to, &set, &mut out))?;
    tell(options, set.notes.iter().chain(&lost));
    Ok(Exit::Done)
}

/// What was typed for data: standard input once at most.
fn sources(options: &cli::Convert) -> Result<&[OsString], Failure> {
    if options.data.iter().filter(|data| *data == "-").count() > 1 {
        return Err(Failure::about("-", "standard input can be read once: name it once"));
    }
    Ok(&options.data)
}

/// Refuses a format that has no place for anything that was measured: the document would have
/// benchmarks and no numbers.
fn check(to: To, set: &RunSet) -> Result<(), Failure> {
    let (option, holds, what) = match to {
        To::Hyperfine => ("--to hyperfine", foreign::hyperfine_holds(set), "wall-clock times"),
        To::Bestguess => ("--to bestguess", foreign::bestguess_holds(set), "what commands use"),
        To::Etalon | To::Go => return Ok(()),
    };
    if holds || set.series.iter().all(|series| series.rows == 0) {
        return Ok(());
    }
    let units: Vec<&str> = set.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let source = &set.source;
    Err(Failure::about(
        option,
        format!(
            "that format is for {what}, and {source} has {}: choose --to etalon or --to go",
            units.join(", ")
        ),
    ))
}

/// Writes a document to where it belongs; what `write` returns.
fn put(
    target: Option<&Target>,
    write: impl Fn(&mut dyn Write) -> io::Result<Vec<Note>>,
) -> Result<Vec<Note>, Failure> {
    match target {
        Some(target) => target.replace(|out| write(out)),
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            let written = write(&mut out);
            written
                .and_then(|lost| out.flush().map(|()| lost))
                .map_err(|error| Failure::of_output(&error))
        }
    }
}

fn tell<'n>(options: &cli::Convert, notes: impl IntoIterator<Item = &'n Note>) {
    if options.quiet {
        return;
    }
    for Note { about, text } in notes {
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
fn write(to: To, set: &RunSet, out: &mut impl Write) -> io::Result<Vec<Note>> {
    match to {
        To::Etalon => raw::write_run_set(set, &session::tool(), out),
        To::Bestguess => foreign::write_bestguess(set, out),
        To::Hyperfine => foreign::write_hyperfine(set, out),
        To::Go => foreign::write_go(set, out),
    }
}
