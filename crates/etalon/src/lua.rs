//! `etalon lua`: a script on the embedded LuaJIT, so that commands need no other one.

use std::os::unix::ffi::OsStrExt;

use etalon_lua::{Jit, Script, execute};

use crate::cli::{self, JitArg};
use crate::failure::{Exit, Failure};

/// Runs the subcommand. The streams, and the exit code of `os.exit`, are the script's.
pub(crate) fn run(options: &cli::Lua) -> Result<Exit, Failure> {
    let Some((file, arguments)) = options.words.split_first() else { return Ok(Exit::Done) };
    if file.len() > 1 && file.as_bytes().starts_with(b"-") {
        let why = format!("there is no such option; a script of this name is ./{}", file.display());
        return Err(Failure::about(file.display(), why));
    }
    let jit = match options.jit {
        JitArg::On => Jit::AsItIs,
        JitArg::Off => Jit::Off,
    };
    let ended_well = execute(Script { file, arguments, jit });
    Ok(if ended_well { Exit::Done } else { Exit::Failed })
}
