//! Several sources as one dataset, for comparisons and for writing Go's benchmarks again.
//!
//! Owns what is said about lines that could not be used. Refuses a source without results: a comparison
//! with nothing would look like one without differences.

use std::ffi::OsStr;
use std::path::Path;

use etalon_core::dataset::{Dataset, Problem, Problems};
use etalon_record::foreign::go::Input;
use etalon_record::open::{From, add_file, add_stream};
use etalon_record::{ReadError, Strictness};
use etalon_report::text::clean;

use crate::failure::Failure;
use crate::{output, saved};

/// Problems told one by one.
const TOLD: usize = 20;

/// Reads all of them.
pub fn read(
    inputs: &[Input],
    from: From,
    strictness: Strictness,
    quiet: bool,
) -> Result<Dataset, Failure> {
    let mut data = Dataset::default();
    for input in inputs {
        let path = saved::path(OsStr::new(&input.path))?;
        let from = if input.path.starts_with('@') { From::Auto } else { from };
        let file = one(&mut data, input, &path, (from, strictness)).map_err(Failure::new)?;
        if data.files[file as usize].rows == 0 {
            return Err(empty(&data, file, input));
        }
    }
    if !quiet {
        tell(&data);
    }
    Ok(data)
}

fn one(
    data: &mut Dataset,
    input: &Input,
    path: &Path,
    how: (From, Strictness),
) -> Result<u32, ReadError> {
    match input.path.as_str() {
        "-" => add_stream(data, std::io::stdin().lock(), input, how),
        _ => add_file(data, (path, &input.label), how.0, how.1),
    }
}

fn empty(data: &Dataset, file: u32, input: &Input) -> Failure {
    let subject = if input.path == "-" { "standard input" } else { &input.path };
    let mut problems = data.problems.listed.iter().filter(|problem| problem.file == file);
    match problems.next() {
        Some(Problem { line: Some(line), reason, .. }) => {
            Failure::about(subject, format!("no results in it; line {line}: {reason}"))
        }
        _ => Failure::about(subject, "no results in it"),
    }
}

/// What could not be used, with its place, and what was put together.
fn tell(data: &Dataset) {
    let Problems { listed, unlisted, .. } = &data.problems;
    let path = |file: u32| clean(&data.files[file as usize].path);
    for Problem { file, line, reason } in listed.iter().take(TOLD) {
        let line = line.map_or(String::new(), |line| format!(":{line}"));
        output::remark(&format!("{}{line}: {}", path(*file), clean(&reason.to_string())));
    }
    let more = listed.len().saturating_sub(TOLD) as u64 + unlisted;
    if more > 0 {
        output::remark(&format!("{more} more remarks of this kind"));
    }
    for (file, joined) in (0..).zip(data.files.iter().map(|file| file.joined)) {
        if joined > 0 {
            let results = if joined == 1 { "result was" } else { "results were" };
            output::remark(&format!(
                "{}: {joined} {results} torn apart by other output, and put together",
                path(file)
            ));
        }
    }
}
