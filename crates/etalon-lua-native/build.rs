//! Tells the build script of `etalon-lua`, which builds this crate as a shared object, where the sources are: beside it in
//! the repository, somewhere else in a registry.

#![allow(clippy::disallowed_methods, reason = "cargo tells build scripts through the environment")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    println!("cargo::metadata=source={here}");
}
