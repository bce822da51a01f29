//! Builds the library that fixes the seeds of programs whose work is counted; this crate carries it.

#![allow(clippy::disallowed_methods, reason = "cargo tells build scripts through the environment")]

use std::env;
use std::path::Path;

/// Its source.
const SOURCE: &str = "src/commands/counts/seeds.c";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={SOURCE}");
    let directory = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let library = Path::new(&directory).join("seeds.so");
    // It asks for nothing but what the program has anyway. Without debug information no path is in it.
    let compiler = cc::Build::new().pic(true).opt_level(2).debug(false).get_compiler();
    let built = compiler
        .to_command()
        .args(["-shared", "-nostdlib", "-Wl,-s", "-Wl,--build-id=none", "-o"])
        .args([library.as_os_str(), SOURCE.as_ref()])
        .status();
    match built {
        Ok(status) if status.success() => {}
        other => panic!("the library that fixes seeds could not be built: {other:?}"),
    }
    println!("cargo::rustc-env=ETALON_SEEDS={}", library.display());
}
