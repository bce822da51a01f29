//! Lets C modules for Lua find their API in the tests, as in etalon.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // As -rdynamic, but of Lua's names only: a C module that a suite loads has these undefined. All
    // names would keep code in the program that nothing calls.
    for names in ["lua_*", "luaL_*", "luaopen_*", "luaJIT_*"] {
        println!("cargo::rustc-link-arg-tests=-Wl,--export-dynamic-symbol={names}");
    }
}
