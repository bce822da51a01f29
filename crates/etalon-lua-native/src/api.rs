//! The part of Lua's C API that is the same in 5.1 to 5.4 and LuaJIT on 64-bit Linux.
//!
//! Owns the declarations, and nothing else. Refuses functions that are macros in some version, are
//! missing in one, or differ in their arguments (`lua_tonumber`, `lua_pcall`, `lua_call`,
//! `lua_newuserdata`, pseudo-indices, `lua_Debug`). Where only the return type differs
//! (`lua_pushlstring` and `lua_rawgeti` give nothing in 5.1), the return is not declared. `C-unwind`, because
//! LuaJIT's errors unwind.

use std::ffi::{c_char, c_int, c_void};

/// A Lua state; only ever behind a pointer.
#[repr(C)]
pub struct State {
    opaque: [u8; 0],
}

/// A function that Lua can call: arguments on the stack, results on the stack, returns their count.
pub type Function = unsafe extern "C-unwind" fn(*mut State) -> c_int;

/// Lua's allocator: user data, block or null, its size (for a null block: what it is for), the
/// size wanted (0: free it).
pub type Allocator =
    unsafe extern "C-unwind" fn(*mut c_void, *mut c_void, usize, usize) -> *mut c_void;

/// The answer of [`lua_type`] for a nil.
pub const NIL: c_int = 0;
/// And of a table.
pub const TABLE: c_int = 5;

#[allow(missing_docs)] // as in Lua's manual
unsafe extern "C-unwind" {
    pub fn lua_createtable(state: *mut State, array: c_int, record: c_int);
    pub fn lua_gettop(state: *mut State) -> c_int;
    pub fn lua_type(state: *mut State, index: c_int) -> c_int;
    pub fn lua_getallocf(state: *mut State, data: *mut *mut c_void) -> Option<Allocator>;
    pub fn lua_pushcclosure(state: *mut State, function: Function, upvalues: c_int);
    pub fn lua_pushlstring(state: *mut State, text: *const c_char, length: usize);
    pub fn lua_pushnil(state: *mut State);
    /// An `int` in 5.1, 5.2 and LuaJIT, which read the register's lower half.
    pub fn lua_rawgeti(state: *mut State, index: c_int, at: i64);
    pub fn lua_settop(state: *mut State, index: c_int);
    pub fn lua_pushnumber(state: *mut State, number: f64);
    pub fn lua_setallocf(state: *mut State, allocator: Allocator, data: *mut c_void);
    pub fn lua_setfield(state: *mut State, index: c_int, name: *const c_char);
    pub fn lua_tolstring(state: *mut State, index: c_int, length: *mut usize) -> *const c_char;
    pub fn luaL_checklstring(state: *mut State, index: c_int, length: *mut usize) -> *const c_char;
    pub fn luaL_checktype(state: *mut State, index: c_int, kind: c_int);
    pub fn luaL_checknumber(state: *mut State, index: c_int) -> f64;
    pub fn luaL_error(state: *mut State, format: *const c_char, ...) -> c_int;
}
