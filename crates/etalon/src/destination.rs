//! `-o`: the file that receives raw data as they are measured. Opened before anything is measured,
//! never overwritten unasked.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::path::Path;

use etalon_run::{Format, Output};

use crate::failure::Failure;

/// Opens the output file: `.csv` for rows, any other name for a record.
pub fn open(name: &OsStr, force: bool) -> Result<Output, Failure> {
    let option = format!("-o {}", name.display());
    match name.to_str() {
        Some("-") => {
            return Err(Failure::about(
                option,
                "raw data need a file; the report is what goes to \
                standard output (--json prints the analysis). For a file of that name write ./-",
            ));
        }
        Some(place @ ("null" | "inherit" | "pipe")) => {
            return Err(Failure::about(
                option,
                format!(
                    "this option names the file raw data go to; where the commands' own output goes is \
                 --stdout {place}. For a file of that name write ./{place}"
                ),
            ));
        }
        _ => {}
    }
    let path = Path::new(name).to_owned();
    let cannot = |error| Failure::about(&option, format!("cannot be written: {error}"));
    let holds_something = path.metadata().is_ok_and(|m| m.is_file() && m.len() > 0);
    if holds_something && !force {
        return Err(Failure::about(
            option,
            "exists and is not empty: choose another name, or replace it with --force",
        ));
    }
    let file = OpenOptions::new().append(true).create(true).open(&path).map_err(cannot)?;
    if holds_something {
        file.set_len(0).map_err(cannot)?;
    }
    let rows = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv"));
    Ok(Output { file, path, format: if rows { Format::Rows } else { Format::Record } })
}
