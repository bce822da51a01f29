//! `etalon` in the commands of an experiment file: the program that measures, whether it is in PATH or not.

use std::path::PathBuf;

use etalon_core::shell::quoted;

/// The word it is called by.
const NAME: &str = "etalon";

/// The arguments of a command that begins with `etalon`.
pub(crate) fn arguments(command: &str) -> Option<&str> {
    command.strip_prefix(NAME).filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

/// Where this program is.
pub(crate) fn program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// A text for a shell in which `etalon` is this program.
pub(crate) fn in_shell(text: &str) -> String {
    let mentioned =
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == NAME);
    match mentioned.then(program).flatten() {
        Some(program) => {
            let program = program.to_string_lossy();
            format!("{NAME}() {{ {} \"$@\"; }}; {text}", quoted(&program))
        }
        None => text.to_owned(),
    }
}
