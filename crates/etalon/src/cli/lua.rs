//! `etalon lua`, as typed.

use std::ffi::OsString;

use clap::Args;

use super::JitArg;

/// Execute a script on the LuaJIT inside etalon
#[derive(Debug, Args)]
pub(crate) struct Lua {
    /// Execute it with the JIT compiler on or off
    #[arg(long, value_name = "WHICH", default_value = "on")]
    pub jit: JitArg,
    /// The script (- is standard input), and its arguments
    ///
    /// All that stands behind the script is the script's.
    #[arg(
        value_name = "FILE",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub words: Vec<OsString>,
}
