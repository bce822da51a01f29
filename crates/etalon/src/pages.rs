//! `--html FILE` and `--open`: the page of what is shown, written whole, and shown in a browser.
//!
//! What stands in it is the report crate's. A page is checked before anything is measured.

use std::ffi::OsStr;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli;
use crate::failure::Failure;
use crate::output;
use crate::replace::Target;

/// Programs that show a file in the user's browser: of Linux desktops, of macOS.
const OPENERS: [&str; 2] = ["xdg-open", "open"];

/// What to do for standard output.
pub(crate) const INSTEAD: &str =
    "name a file (what goes to standard output is the report; --json for the analysis as data)";

/// A page that is to be written.
#[derive(Debug)]
pub(crate) struct Page {
    target: Target,
    is_opened: bool,
}

impl Page {
    /// The page that is asked for, its file checked. `in_use` are files that must not be replaced.
    pub(crate) fn check(asked: &cli::Page, in_use: &[&Path]) -> Result<Option<Page>, Failure> {
        let Some(name) = &asked.html else { return Ok(None) };
        let target = Target::check("--html", name, INSTEAD)?;
        check_in_use(&target, in_use)?;
        Ok(Some(Page { target, is_opened: asked.open }))
    }

    /// Where it is written.
    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    /// Writes it.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        self.target.replace(|out| out.write_all(text.as_bytes()))
    }

    /// Shows it in the browser, if that is asked for. Nobody waits for the browser to end.
    #[expect(clippy::disallowed_methods, reason = "a browser is no part of what is measured")]
    pub(crate) fn open(&self) {
        if !self.is_opened {
            return;
        }
        let path = self.target.path();
        for opener in OPENERS {
            let mut command = Command::new(opener);
            command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            match command.spawn() {
                Ok(_shown) => return,
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => {
                    return output::remark(&format!("etalon: --open: {opener}: {error}"));
                }
            }
        }
        let [linux, macos] = OPENERS;
        output::remark(&format!(
            "etalon: --open: neither {linux} nor {macos} is installed: open {} in a browser",
            path.display()
        ));
    }
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
