//! Lets C modules for Lua find their API in the tests, as in etalon; and builds the native module as the shared
//! object that other interpreters load, which this crate carries.

#![allow(clippy::disallowed_methods, reason = "cargo tells build scripts through the environment")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // As -rdynamic, but of Lua's names only: a C module that a suite loads has these undefined. All
    // names would keep code in the program that nothing calls.
    for names in ["lua_*", "luaL_*", "luaopen_*", "luaJIT_*"] {
        println!("cargo::rustc-link-arg-tests=-Wl,--export-dynamic-symbol={names}");
    }
    let module = native_module();
    println!("cargo::rustc-env=ETALON_NATIVE_MODULE={}", module.display());
}

/// Builds the shared object; its path. Cargo cannot hand that of a dependency on, so this is a build of its own,
/// optimised whatever etalon is, and as the workspace says wherever the crate lies: it is part of what is measured.
fn native_module() -> PathBuf {
    let variable = |name: &str| env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}"));
    let source = PathBuf::from(variable("DEP_ETALON_LUA_NATIVE_SOURCE"));
    for input in ["src", "Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", source.join(input).display());
    }
    let target = variable("TARGET");
    let directory = Path::new(&variable("OUT_DIR")).join("native");
    let mut build = Command::new(variable("CARGO"));
    if let Ok(flags) = env::var("CARGO_ENCODED_RUSTFLAGS") {
        // The interpreters that load it are not linked statically, whatever etalon is (`make static`).
        build.env("CARGO_ENCODED_RUSTFLAGS", flags.replace("+crt-static", "-crt-static"));
    }
    let built = build
        .args(["build", "--quiet", "--lib", "--release", "--locked", "--manifest-path"])
        .arg(source.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&directory)
        .arg("--target")
        .arg(&target)
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_LTO", "thin")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        // What looks at etalon's own crates (clippy) has looked at this one, too.
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .status();
    match built {
        Ok(status) if status.success() => {}
        other => panic!("the native Lua module could not be built: {other:?}"),
    }
    directory.join(target).join("release/libetalon_lua_native.so")
}
