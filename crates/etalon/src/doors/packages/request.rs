//! Packages and benchmarks as typed, and what of that Go's commands and test binaries are given.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use etalon_core::shell::quoted;
use etalon_run::go::GoError;

use crate::cli::{self, BenchFrom, CopyArgs, GoAmount, GoBuilding, Nodes};
use crate::failure::Failure;

/// The packages and benchmarks that are measured, as typed.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub packages: &'a [String],
    pub arguments: &'a [OsString],
    pub bench: &'a str,
    pub base: Option<&'a str>,
    pub copying: &'a CopyArgs,
    /// The file of checks.
    pub checks: Option<&'a Path>,
    pub bench_from: Option<BenchFrom>,
    pub base_binary: Option<&'a OsStr>,
    pub amount: &'a GoAmount,
    pub building: &'a GoBuilding,
    pub nodes: &'a Nodes,
}

impl<'a> Request<'a> {
    /// The request of a command line.
    pub(super) fn from_options(options: &'a cli::Go) -> Request<'a> {
        Request {
            packages: &options.packages,
            arguments: &options.arguments,
            bench: &options.bench,
            base: options.base.as_deref(),
            copying: &options.copying,
            checks: options.checks.file.as_deref(),
            bench_from: options.benches.bench_from,
            base_binary: options.base_binary.as_deref(),
            amount: &options.amount,
            building: &options.building,
            nodes: &options.nodes,
        }
    }
}

/// Flags that every test binary is given.
pub(super) fn flags(asked: &Request<'_>) -> Vec<OsString> {
    let GoAmount { benchtime, count, cpu, timeout, skip, short, .. } = asked.amount;
    let given = [
        Some("-test.benchmem".to_owned()),
        Some("-test.paniconexit0".to_owned()),
        Some(format!("-test.timeout={}", timeout.written)),
        benchtime.as_ref().map(|time| format!("-test.benchtime={time}")),
        count.map(|count| format!("-test.count={count}")),
        cpu.as_ref().map(|cpu| format!("-test.cpu={cpu}")),
        skip.as_ref().map(|skip| format!("-test.skip={skip}")),
        short.then(|| "-test.short".to_owned()),
    ];
    given.into_iter().flatten().map(OsString::from).collect()
}

/// Flags that `go` is given to build with.
pub(super) fn build_flags(building: &GoBuilding) -> Vec<OsString> {
    let tags = building.tags.as_ref().map(|tags| OsString::from(format!("-tags={tags}")));
    tags.into_iter().chain(building.flags.iter().cloned()).collect()
}

/// The command that builds, as somebody would type it.
pub(super) fn build_command(asked: &Request<'_>) -> String {
    let flags = build_flags(asked.building);
    let words = flags.iter().map(|flag| flag.to_string_lossy());
    let words = words.chain(asked.packages.iter().map(|package| package.as_str().into()));
    let quoted = words.map(|word| quoted(&word).into_owned());
    ["go test -c".to_owned()].into_iter().chain(quoted).collect::<Vec<_>>().join(" ")
}

/// Why Go did not do it.
pub(super) fn failure(error: GoError) -> Failure {
    match error {
        GoError::Interrupted => Failure::interrupted(error),
        error => Failure::new(error),
    }
}
