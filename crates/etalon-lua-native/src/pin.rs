//! Keeping the shared object mapped.
//!
//! Owns the one call that makes unloading impossible. Because `lua_close` unloads C modules first
//! and frees the rest of the state afterwards: an allocator that lives in a module and is still
//! installed then would be called where nothing is mapped any more.

use std::ffi::{CStr, c_void};

/// Makes the object that this code is in stay mapped until the process ends. Does nothing where it
/// is a part of the program itself.
pub(crate) fn stay() {
    let here = crate::luaopen_etalon_native as *const c_void;
    // SAFETY: `Dl_info` is plain pointers, for which zeros are valid.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: `info` is writable, and `here` an address in this object; the name that is filled in
    // is a C string that lives as long as the object is mapped, which it is while it executes.
    unsafe {
        if libc::dladdr(here, &raw mut info) != 0 && !info.dli_fname.is_null() {
            // A shared object's name is a path. A name without one is the program's own, which stays
            // anyway; it would be looked for in a hundred places.
            if !CStr::from_ptr(info.dli_fname).to_bytes().contains(&b'/') {
                return;
            }
            // With NOLOAD nothing is opened: an object that is there already gets the flag, and
            // anything else (the program) is not found, which is as good.
            let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
            libc::dlopen(info.dli_fname, flags);
        }
    }
}
