//! `--svg DIR`: every picture of a report as a file of its own.
//!
//! Owns the names of the files, and that each is replaced whole. Refuses to remove anything: what an earlier report
//! left there stays.

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;

use etalon_report::svg::{Still, standing_alone};

use crate::failure::Failure;
use crate::replace::Target;

const OPTION: &str = "--svg";

/// A directory that pictures are to be written to.
#[derive(Debug)]
pub(crate) struct Pictures {
    directory: PathBuf,
}

impl Pictures {
    /// The directory that is asked for; it is made where it is not there.
    pub(crate) fn check(name: &OsStr) -> Result<Pictures, Failure> {
        if name.is_empty() {
            return Err(Failure::about(OPTION, "needs the name of a directory"));
        }
        let directory = PathBuf::from(name);
        std::fs::create_dir_all(&directory).map_err(|error| {
            let subject = format!("{OPTION} {}", name.display());
            Failure::about(&subject, format!("cannot make this directory: {error}"))
        })?;
        let pictures = Pictures { directory };
        pictures.target(0, "check")?;
        Ok(pictures)
    }

    /// Writes the pictures, numbered in the order in which a page has them.
    pub(crate) fn write(&self, stills: &[Still]) -> Result<(), Failure> {
        for (at, still) in stills.iter().enumerate() {
            let svg = standing_alone(still);
            self.target(at + 1, still.name)?.replace(|out| out.write_all(svg.as_bytes()))?;
        }
        Ok(())
    }

    fn target(&self, number: usize, name: &'static str) -> Result<Target, Failure> {
        let file = self.directory.join(format!("{number:02}-{name}.svg"));
        Target::check(OPTION, file.as_os_str(), "name a directory")
    }
}
