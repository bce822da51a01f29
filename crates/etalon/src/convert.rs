//! `etalon convert`: data of any known format in another.

use std::io::{self, BufWriter, Write};

use etalon_core::model::{Note, RunSet};
use etalon_record::foreign::go::{self, Input};
use etalon_record::open::is_go;
use etalon_record::{Strictness, foreign, raw};
use etalon_report::text::clean;

use crate::cli;
use crate::cli::To;
use crate::datasets;
use crate::failure::{Exit, Failure};
use crate::merged::merged;
use crate::replace::Target;
use crate::{output, saved};

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
    if let Some(inputs) = of_go(options)? {
        // Not by way of a run set: that has no units as they were written.
        let data = datasets::read(&inputs, options.from, strictness, options.quiet)?;
        let lost = put(target.as_ref(), |mut out| go::write(&data, go::Facts::All, &mut out))?;
        tell(options, &lost);
        return Ok(Exit::Done);
    }
    let mut run_sets = Vec::new();
    for data in &options.data {
        run_sets.push(saved::data(data, options.from, strictness)?);
    }
    let set = merged(run_sets)?;
    let lost = put(target.as_ref(), |mut out| write(options.to, &set, &mut out))?;
    tell(options, set.notes.iter().chain(&lost));
    Ok(Exit::Done)
}

/// The inputs, if Go's benchmarks are to be written and all of them are such already.
fn of_go(options: &cli::Convert) -> Result<Option<Vec<Input>>, Failure> {
    if options.to != To::Go {
        return Ok(None);
    }
    let mut inputs = Vec::new();
    for data in &options.data {
        let Some(name) = data.to_str() else { return Ok(None) };
        if !is_go(&saved::path(data)?, options.from).map_err(Failure::new)? {
            return Ok(None);
        }
        inputs.push(Input { path: name.to_owned(), label: name.to_owned() });
    }
    Ok(Some(inputs))
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
        To::Etalon => {
            raw::write_run_set(set, &format!("etalon {}", env!("CARGO_PKG_VERSION")), out)
        }
        To::Bestguess => foreign::write_bestguess(set, out),
        To::Hyperfine => foreign::write_hyperfine(set, out),
        To::Go => foreign::write_go(set, out),
    }
}
