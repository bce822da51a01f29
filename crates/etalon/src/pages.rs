//! `--html FILE` and `--svg DIR`: the page of what is shown, written whole, and its pictures as files.
//!
//! What stands in it is the report crate's. A page is checked before anything is measured.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use etalon_core::dataset::Dataset;
use etalon_report::html;
use etalon_report::svg::Still;

use crate::cli;
use crate::failure::Failure;
use crate::pictures::Pictures;
use crate::replace::Target;

/// The remedy where standard output is named.
pub(crate) const INSTEAD: &str = "name a file (what goes to standard output is the report, as --format markdown or csv, or --json, has it)";

/// A page that is to be written, or pictures, or both.
#[derive(Debug)]
pub(crate) struct Page {
    target: Option<Target>,
    pictures: Option<Pictures>,
}

impl Page {
    /// The page that is asked for, its file checked. `in_use` are files that must not be replaced.
    pub(crate) fn check(asked: &cli::Page, in_use: &[&Path]) -> Result<Option<Page>, Failure> {
        let target = asked.html.as_ref().map(|name| Target::check("--html", name, INSTEAD));
        let target = target.transpose()?;
        target.iter().try_for_each(|target| check_in_use(target, in_use))?;
        let pictures = asked.svg.as_ref().map(|name| Pictures::check(name)).transpose()?;
        let is_asked = target.is_some() || pictures.is_some();
        Ok(is_asked.then_some(Page { target, pictures }))
    }

    /// Where it is written, if it is.
    pub(crate) fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// Writes what is asked for: the page, and these pictures.
    pub(crate) fn write(
        &self,
        text: impl FnOnce() -> Result<String, Failure>,
        stills: impl FnOnce() -> Vec<Still>,
    ) -> Result<(), Failure> {
        if let Some(target) = &self.target {
            let text = text()?;
            target.replace(|out| out.write_all(text.as_bytes()))?;
        }
        match &self.pictures {
            Some(pictures) => pictures.write(&stills()),
            None => Ok(()),
        }
    }
}

/// The part of a page that comes from the data themselves, beside what was computed of them.
pub(crate) fn data(data: &Dataset, metric: &str) -> html::Data {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    let page = html::Data::new(data, metric);
    html::Data { origins: page.origins.made_by(&words), ..page }
}

/// Refuses a page that cannot be written, before anything is measured; `output` is where the record goes.
pub(crate) fn check_beside(asked: &cli::Page, output: Option<&OsStr>) -> Result<(), Failure> {
    let output: Option<&Path> = output.map(Path::new);
    Page::check(asked, output.as_slice()).map(drop)
}

/// Refuses a file in which raw data are.
pub(crate) fn check_in_use(target: &Target, in_use: &[&Path]) -> Result<(), Failure> {
    if in_use.iter().any(|path| target.is(path)) {
        let why = "would replace the raw data; choose another name";
        return Err(Failure::about(target.subject(), why));
    }
    Ok(())
}
