//! How this program is linked: so that C modules for Lua find their API in it, and that it starts fast.

#![allow(clippy::disallowed_methods, reason = "cargo tells build scripts through the environment")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if features.split(',').any(|feature| feature == "crt-static") {
        // `make static`: it loads no C modules, and the linker has a way of its own for its address.
        return;
    }
    // As -rdynamic, but of Lua's names only: a C module that a suite loads has these undefined. All
    // names would keep code in the program that nothing calls.
    for names in ["lua_*", "luaL_*", "luaopen_*", "luaJIT_*"] {
        println!("cargo::rustc-link-arg-bins=-Wl,--export-dynamic-symbol={names}");
    }
    // At a fixed address: with one of the loader's choice, every start writes 13,000 addresses into 63 pages, once as
    // etalon and once as the launcher, whose size every measured program starts at.
    println!("cargo::rustc-link-arg-bins=-no-pie");
}
