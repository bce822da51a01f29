//! The Luas that cases are executed on.
//!
//! Owns the parts that a Lua adds to the names of cases and to their records. Refuses to start one: that is
//! [`super::hosts`]'s.

use std::path::Path;

use etalon_core::model::CaseHost;
use etalon_lua::{Host, Runtime};
use etalon_probe::program;

/// A Lua as it was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Variant {
    /// How its workers are started.
    pub host: Host,
    /// Parameters that it adds to cases; nothing where there is only one, etalon's own.
    pub params: Vec<(String, String)>,
    /// A hash of its program; absent for etalon's own.
    pub hash: Option<Box<str>>,
}

impl Variant {
    /// With the hash of its program.
    #[must_use]
    pub fn new(host: Host, params: Vec<(String, String)>) -> Variant {
        let hash = program::hash_of(&host.interpreter.files());
        Variant { host, params, hash }
    }

    /// Its part of a case's line: nothing where it says nothing of cases.
    pub(super) fn recorded(&self, runtime: &Runtime) -> Option<CaseHost> {
        (!self.params.is_empty()).then(|| CaseHost {
            name: self.host.name.clone(),
            path: program_of(&self.host).map(|path| path.to_string_lossy().into_owned()),
            hash: self.hash.clone(),
            version: runtime.version.clone(),
            language: runtime.language.clone(),
            jit: runtime.jit.clone(),
            clock: runtime.clock.clone(),
            memory: runtime.memory.clone(),
        })
    }
}

/// The program that is executed, if it is another one than etalon.
#[must_use]
pub fn program_of(host: &Host) -> Option<&Path> {
    host.interpreter.program()
}
