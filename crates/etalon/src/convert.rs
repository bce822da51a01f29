//! `etalon convert`: data of any known format in another.

use std::io::{self, BufWriter, Write};

use etalon_core::model::{Note, RunSet};
use etalon_record::{Strictness, foreign, raw};
use etalon_report::text::clean;

use crate::cli;
use crate::cli::To;
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
    let mut run_sets = Vec::new();
    for data in &options.data {
        run_sets.push(saved::data(data, options.from, strictness)?);
    }
    let set = merged(run_sets)?;
    let lost = match &target {
        Some(target) => target.replace(|out| write(options.to, &set, out))?,
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            let written = write(options.to, &set, &mut out);
            written
                .and_then(|lost| out.flush().map(|()| lost))
                .map_err(|error| Failure::of_output(&error))?
        }
    };
    if !options.quiet {
        for Note { about, text } in set.notes.iter().chain(&lost) {
            output::remark(&format!("{}: {}", clean(about), clean(text)));
        }
    }
    Ok(Exit::Done)
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
