//! The embedded host: what a worker's process does that is this binary's own.
//!
//! Owns: the Lua state and what is in it when the driver starts. The state is as the `luajit`
//! program makes it, with Lua's own allocator and all libraries, because anything else would be
//! measured, too. Refuses: to know what the driver does.

use std::ffi::{CStr, c_char, c_int, c_void};

use etalon_lua_native::{channel, luaopen_etalon_native};
use mlua_sys as lua;
use mlua_sys::lua_State;

use crate::jit::Jit;
use crate::parts::PARTS;

unsafe extern "C-unwind" {
    /// LuaJIT's own, which mlua-sys does not declare.
    fn luaJIT_setmode(state: *mut lua_State, index: c_int, mode: c_int) -> c_int;
}

/// `LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF`: the compiler compiles nothing.
const ENGINE_OFF: c_int = 0;

/// Sets the search paths.
const PATHS: &str = include_str!("../lua/embedded.lua");

/// A worker's life from its start to its end; returns its exit code.
pub(crate) fn work(jit: Jit) -> i32 {
    if !channel::adopt() {
        fail_on(
            0,
            "no descriptor is left for its channel: raise the limit on open files (ulimit -n)",
        );
        return 1;
    }
    let mut asked = DriverCall { jit, code: 1 };
    // SAFETY: a new state, used by this thread only and never closed: finalisers of what is still
    // alive are not run, as with `os.exit`. `drive` gets the address of `asked`, which outlives it;
    // what it raises ends here.
    unsafe {
        let state = lua::luaL_newstate();
        if state.is_null() {
            fail("not enough memory for a Lua state");
            return 1;
        }
        if lua::lua_cpcall(state, drive, (&raw mut asked).cast::<c_void>()) != 0 {
            let mut length = 0;
            let text = lua::lua_tolstring(state, -1, &raw mut length);
            let text = if text.is_null() { c"no words".as_ptr() } else { text };
            fail(&CStr::from_ptr(text).to_string_lossy());
        }
    }
    asked.code
}

/// The call of the driver, and its result.
struct DriverCall {
    jit: Jit,
    /// The worker's exit code.
    code: c_int,
}

/// Says why there is no driver: not in answer to a request, which nobody read.
fn fail(message: &str) {
    channel::send(failure(message).as_bytes());
}

/// Says it on this descriptor, where nobody has adopted the channel yet.
pub(crate) fn fail_on(channel: c_int, message: &str) {
    let line = failure(message);
    // SAFETY: the line is readable for its length.
    unsafe { libc::send(channel, line.as_ptr().cast(), line.len(), libc::MSG_NOSIGNAL) };
}

fn failure(message: &str) -> String {
    let line = serde_json::json!({ "type": "failed", "stage": "driver", "message": message });
    format!("0 {line}\n")
}

/// Fills the state and calls the driver, protected. Its user data says how, and is where the exit code goes.
///
/// # Safety
/// Called by `lua_cpcall` with the address of a [`DriverCall`]. Lua errors leave it through any call, so it
/// holds nothing that has to be dropped.
unsafe extern "C-unwind" fn drive(state: *mut lua_State) -> c_int {
    // SAFETY: the state is valid, indices are of what is pushed here, strings are C strings or
    // given with their length; the stack holds at most five values.
    unsafe {
        let asked = lua::lua_touserdata(state, 1).cast::<DriverCall>();
        fill(state, (*asked).jit);
        lua::lua_createtable(state, 0, 0);
        for (name, source) in PARTS {
            push_chunk_name(state, name);
            load(
                state,
                CStr::from_ptr(lua::lua_tolstring(state, -1, std::ptr::null_mut())),
                source,
            );
            lua::lua_setfield(state, -3, name.as_ptr());
            lua::lua_settop(state, -2);
        }
        luaopen_etalon_native(state.cast());
        lua::lua_pushvalue(state, -1);
        lua::lua_setfield(state, -3, c"native".as_ptr());
        lua::lua_setfield(state, -2, c"channel".as_ptr());
        // LuaJIT is built with its assertions when this is; they slow everything down.
        lua::lua_pushboolean(state, c_int::from(cfg!(debug_assertions)));
        lua::lua_setfield(state, -2, c"assertions".as_ptr());
        lua::lua_getfield(state, -1, c"driver".as_ptr());
        lua::lua_pushvalue(state, -2);
        lua::lua_call(state, 1, 1);
        (*asked).code = c_int::try_from(lua::lua_tointeger(state, -1)).unwrap_or(1);
    }
    0
}

/// Opens the libraries, with the compiler as asked for and the search paths of the embedded LuaJIT.
///
/// # Safety
/// As for [`drive`].
pub(crate) unsafe fn fill(state: *mut lua_State, jit: Jit) {
    // SAFETY: as for the caller.
    unsafe {
        lua::luaL_openlibs(state);
        if jit == Jit::Off {
            luaJIT_setmode(state, 0, ENGINE_OFF);
        }
        load(state, c"=etalon/embedded.lua", PATHS);
        push_bytes(state, std::env::consts::ARCH.as_bytes());
        lua::lua_call(state, 1, 0);
    }
}

/// Pushes `=etalon/<part>.lua`: what messages and `debug.getinfo` call a part.
///
/// # Safety
/// As for [`drive`].
unsafe fn push_chunk_name(state: *mut lua_State, part: &CStr) {
    // SAFETY: as for the caller; the strings are C strings.
    unsafe {
        push_bytes(state, b"=etalon/");
        lua::lua_pushstring(state, part.as_ptr());
        push_bytes(state, b".lua");
        lua::lua_concat(state, 3);
    }
}

/// Pushes a text.
///
/// # Safety
/// As for [`drive`].
pub(crate) unsafe fn push_bytes(state: *mut lua_State, text: &[u8]) {
    // SAFETY: as for the caller; Lua copies the bytes.
    unsafe { lua::lua_pushlstring(state, text.as_ptr().cast::<c_char>(), text.len()) };
}

/// Compiles a chunk and pushes it, or raises what is wrong with it.
///
/// # Safety
/// As for [`drive`].
pub(crate) unsafe fn load(state: *mut lua_State, name: &CStr, source: &str) {
    // SAFETY: as for the caller; Lua copies the bytes and the name.
    unsafe {
        let text = source.as_ptr().cast::<c_char>();
        if lua::luaL_loadbuffer(state, text, source.len(), name.as_ptr()) != 0 {
            lua::lua_error(state);
        }
    }
}
