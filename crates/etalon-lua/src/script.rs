//! A script on the embedded LuaJIT, with everything that it would have from the `luajit` program.
//!
//! Owns the state and its end. Refuses to be a worker: nothing of the driver is there.

use std::ffi::{OsStr, OsString, c_int, c_void};
use std::os::unix::ffi::OsStrExt;

use mlua_sys as lua;
use mlua_sys::lua_State;

use crate::embedded::{self, load, push_bytes};
use crate::jit::Jit;

/// How a script is called.
const SCRIPT: &str = include_str!("../lua/script.lua");

/// A script and its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Script<'a> {
    /// Its path; `-` is standard input.
    pub file: &'a OsStr,
    /// The arguments behind it.
    pub arguments: &'a [OsString],
    /// The setting of the compiler.
    pub jit: Jit,
}

/// A call that is handed through Lua, and its result.
struct Call<'a> {
    script: Script<'a>,
    ended_well: bool,
}

/// Executes a script; whether it ended without an error, which it has told on standard error. A script may end this
/// process, with a code of its own.
#[must_use]
pub fn execute(script: Script<'_>) -> bool {
    let mut call = Call { script, ended_well: false };
    // SAFETY: a new state, used by this thread only. `drive` gets the address of `call`, which outlives it; what it
    // raises ends here. Rust ignores SIGPIPE, which a script, and what it starts, does not expect.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let state = lua::luaL_newstate();
        if state.is_null() {
            complain(b"not enough memory for a Lua state");
            return false;
        }
        if lua::lua_cpcall(state, drive, (&raw mut call).cast::<c_void>()) != 0 {
            let mut length = 0;
            let text = lua::lua_tolstring(state, -1, &raw mut length);
            let text = if text.is_null() {
                &b"no words"[..]
            } else {
                std::slice::from_raw_parts(text.cast(), length)
            };
            complain(text);
        }
        lua::lua_close(state);
    }
    call.ended_well
}

/// Says on standard error what is wrong where no script can.
fn complain(message: &[u8]) {
    let line = [b"etalon lua: ", message, b"\n"].concat();
    // SAFETY: the line is readable for its length.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}

/// Fills the state and calls the script, protected. Its user data is a [`Call`].
///
/// # Safety
/// Called by `lua_cpcall` with the address of a [`Call`]. Lua errors leave it through any call, so it holds nothing
/// that has to be dropped.
unsafe extern "C-unwind" fn drive(state: *mut lua_State) -> c_int {
    // SAFETY: the state is valid, indices are of what is pushed here, texts are given with their length; the stack
    // holds at most five values.
    unsafe {
        let call = lua::lua_touserdata(state, 1).cast::<Call<'_>>();
        let Script { file, arguments, jit } = (*call).script;
        embedded::fill(state, jit);
        load(state, c"=etalon/script.lua", SCRIPT);
        if file == "-" {
            lua::lua_pushnil(state);
        } else {
            push_bytes(state, file.as_bytes());
        }
        lua::lua_createtable(state, 0, 1);
        push_bytes(state, file.as_bytes());
        lua::lua_rawseti(state, -2, 0);
        for (index, argument) in (1..).zip(arguments) {
            push_bytes(state, argument.as_bytes());
            lua::lua_rawseti(state, -2, index);
        }
        lua::lua_call(state, 2, 1);
        (*call).ended_well = lua::lua_toboolean(state, -1) != 0;
    }
    0
}
