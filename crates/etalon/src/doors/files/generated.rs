//! Files that an experiment file declares: written before everything, taken away after it.
//!
//! Refuses to touch a file that is there and says something else.

use std::path::{Path, PathBuf};

use super::subjects::Site;
use crate::experiments::file::File;
use crate::failure::Failure;
use crate::toml_text::Source;

/// The files that were written; dropping it takes them away.
pub(super) struct Generated(Vec<PathBuf>);

impl Generated {
    /// Writes them, in the directory of the experiment file and those that correspond to it.
    ///
    /// # Errors
    /// If one cannot be written, or is there with another content; nothing is left then.
    pub(super) fn write(
        source: Source<'_>,
        file: &File,
        sites: &[Site],
    ) -> Result<Vec<Generated>, Failure> {
        sites.iter().map(|site| Generated::write_at(source, file, &site.directory)).collect()
    }

    fn write_at(source: Source<'_>, file: &File, directory: &Path) -> Result<Generated, Failure> {
        let mut written = Generated(Vec::new());
        for (name, generated) in &file.file {
            let path = directory.join(name.get_ref());
            let refused =
                |why: String| source.at(name.span(), format!("the file {} {why}", path.display()));
            let axes = file.axes.keys().map(|axis| axis.get_ref().as_str());
            if let Some(axis) = crate::experiments::template::named(name.get_ref(), axes) {
                let why = format!("is there for all cells: name it without `{{{axis}}}`");
                return Err(refused(why));
            }
            match std::fs::read(&path) {
                Ok(there) if there == generated.text.as_bytes() => {}
                Ok(_) => {
                    let why = "is there and says something else: choose another name for it, or take it away";
                    return Err(refused(why.to_owned()));
                }
                Err(_) => {
                    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
                    made.and_then(|()| std::fs::write(&path, &generated.text))
                        .map_err(|error| refused(format!("cannot be written: {error}")))?;
                    written.0.push(path);
                }
            }
        }
        Ok(written)
    }
}

impl Drop for Generated {
    fn drop(&mut self) {
        for path in &self.0 {
            let _gone_already = std::fs::remove_file(path);
        }
    }
}
