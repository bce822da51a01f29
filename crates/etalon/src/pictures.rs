//! `--svg DIR` and `--png DIR`: every picture of a report as a file of its own.
//!
//! Owns the names of the files, and that each is replaced whole. Refuses to remove anything: what an earlier report
//! left there stays.

mod png;

use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;

use etalon_report::svg::{Still, standing_alone};

use crate::failure::Failure;
use crate::replace::Target;

use png::Letters;

/// A directory that pictures are to be written to.
#[derive(Debug)]
pub(crate) struct Pictures {
    directory: PathBuf,
    form: Form,
}

/// What the files are.
#[derive(Debug)]
enum Form {
    Svg,
    Png(Letters),
}

impl Form {
    fn option(&self) -> &'static str {
        match self {
            Form::Svg => "--svg",
            Form::Png(_) => png::OPTION,
        }
    }

    fn extension(&self) -> &'static str {
        match self {
            Form::Svg => "svg",
            Form::Png(_) => "png",
        }
    }
}

impl Pictures {
    /// The directory that is asked for; it is made where it is not there.
    pub(crate) fn svg(name: &OsStr) -> Result<Pictures, Failure> {
        Pictures::check(name, Form::Svg)
    }

    /// The same for PNG files. Letters have to be there before anything is measured.
    pub(crate) fn png(name: &OsStr) -> Result<Pictures, Failure> {
        Pictures::check(name, Form::Png(Letters::installed()?))
    }

    fn check(name: &OsStr, form: Form) -> Result<Pictures, Failure> {
        let option = form.option();
        if name.is_empty() {
            return Err(Failure::about(option, "needs the name of a directory"));
        }
        let directory = PathBuf::from(name);
        std::fs::create_dir_all(&directory).map_err(|error| {
            let subject = format!("{option} {}", name.display());
            Failure::about(&subject, format!("cannot make this directory: {error}"))
        })?;
        let pictures = Pictures { directory, form };
        pictures.target(0, "check")?;
        Ok(pictures)
    }

    /// Writes the pictures, numbered in the order in which a page has them.
    pub(crate) fn write(&self, stills: &[Still]) -> Result<(), Failure> {
        for (at, still) in stills.iter().enumerate() {
            let target = self.target(at + 1, &still.name)?;
            let svg = standing_alone(still);
            target.replace(|out| match &self.form {
                Form::Svg => out.write_all(svg.as_bytes()),
                Form::Png(letters) => out.write_all(&letters.drawn(&svg)?),
            })?;
        }
        Ok(())
    }

    fn target(&self, number: usize, name: &str) -> Result<Target, Failure> {
        let (option, extension) = (self.form.option(), self.form.extension());
        let file = self.directory.join(format!("{number:02}-{name}.{extension}"));
        Target::check(option, file.as_os_str(), "name a directory")
    }
}
