//! The native Lua module `etalon.native`: what a Lua driver cannot do well, or at all, by itself.
//!
//! Owns: the clock ([`mod@clock`]), exact counts of what a Lua state allocates ([`counting`]), the channel to etalon
//! ([`channel`]) and lines of numbers for it ([`figures`]), which CPU it is executed on ([`cpu`]), where calls find
//! free memory ([`holes`]), and registering these as Lua functions. Refuses: everything that can be written in Lua,
//! heap memory of its own use, and the parts of Lua's C API that are not the same in every version ([`api`] lists what
//! is).
//!
//! One build serves Lua 5.1 to 5.4 and LuaJIT: its `lua_*` are left undefined and come from
//! whichever interpreter loads it; linked into etalon they come from the embedded LuaJIT.
//!
//! A Lua error unwinds or jumps through the functions here. So those that call Lua hold plain data
//! only, nothing that has to be dropped.

pub mod api;
pub mod channel;
pub mod clock;
pub mod counting;
pub mod cpu;
pub mod figures;
pub mod holes;
mod pin;

use std::ffi::{CStr, c_int};

use api::{Function, State};

/// The functions of the module, in Lua's words.
const FUNCTIONS: [(&CStr, Function); 15] = [
    (c"clock", clock::lua_clock),
    (c"cpu_clock", clock::lua_cpu_clock),
    (c"adopt", channel::lua_adopt),
    (c"close", channel::lua_close),
    (c"read", channel::lua_read),
    (c"write", channel::lua_write),
    (c"write_figures", figures::lua_write_figures),
    (c"flush", channel::lua_flush),
    (c"count_begin", counting::lua_begin),
    (c"count_resume", counting::lua_resume),
    (c"count_pause", counting::lua_pause),
    (c"count_end", counting::lua_end),
    (c"fill_holes", holes::lua_fill_holes),
    (c"cpu", cpu::lua_cpu),
    (c"go_to", cpu::lua_go_to),
];

/// Opens the module: returns a table with the functions, and `origin`, the reading of
/// `CLOCK_MONOTONIC` in ns that `clock()` counts from.
///
/// # Safety
/// `state` is a valid Lua state with room for three values on its stack, as Lua calls a
/// `luaopen_*` function with.
// The name is what `require('etalon.native')` looks for; it is exported for that.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn luaopen_etalon_native(state: *mut State) -> c_int {
    pin::stay();
    let size = c_int::try_from(FUNCTIONS.len() + 1).unwrap_or(0);
    // SAFETY: the state is valid, and at most two values are pushed; the names are C strings.
    unsafe {
        api::lua_createtable(state, 0, size);
        for (name, function) in FUNCTIONS {
            api::lua_pushcclosure(state, function, 0);
            api::lua_setfield(state, -2, name.as_ptr());
        }
        api::lua_pushnumber(state, clock::origin());
        api::lua_setfield(state, -2, c"origin".as_ptr());
    }
    1
}
