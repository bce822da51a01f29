//! Words of the lines that are named for a project.

use std::path::Path;

/// What installs the packages of a project of Node: without a lockfile there is nothing that `npm ci` could follow.
pub(super) fn install(here: &Path) -> &'static str {
    if here.join("package-lock.json").is_file() { "npm ci" } else { "npm install" }
}

/// A name that is one word to every shell, and no option.
pub(super) fn plain(name: &str) -> Option<String> {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    (is_plain && !name.is_empty() && !name.starts_with(['-', '/'])).then(|| name.to_owned())
}
