//! Seeing what is in a suite: it is loaded once in every Lua, in a process that measures nothing.

use std::ops::ControlFlow;

use etalon_lua::Host;

use super::hosts::{self, Heard};
use super::suite::{Discovery, Suite, SuiteSpec};
use super::variant::program_of;
use crate::error::RunError;
use crate::watch::Watcher;

/// The name of etalon's own Lua in messages.
const EMBEDDED: &str = "the embedded LuaJIT";

/// Loads every suite in every Lua, one after the other. One that cannot be loaded is no error. Breaks when the
/// user asked to stop.
///
/// # Errors
/// If no process can be started or spoken to.
pub fn discover(
    wanted: Vec<SuiteSpec>,
    spec: &Discovery<'_>,
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<(), Vec<Suite>>, RunError> {
    let mut suites = Vec::new();
    for what in wanted {
        let first = suites.len();
        for variant in spec.variants {
            let ControlFlow::Continue(heard) = hosts::load(&variant.host, &what, spec, watcher)?
            else {
                return Ok(ControlFlow::Break(()));
            };
            let SuiteSpec { name, source, place } = what.clone();
            let (Heard { printed, loaded }, variant) = (heard, variant.clone());
            let refused = None;
            suites.push(Suite { name, source, place, variant, printed, loaded, refused });
        }
        if name_readers(&mut suites[first..], &what, spec, watcher)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(suites))
}

/// Where a Lua does not know the syntax of a suite, which ones do. `suites` is the same suite in all Luas asked for.
fn name_readers(
    suites: &mut [Suite],
    what: &SuiteSpec,
    spec: &Discovery<'_>,
    watcher: &mut dyn Watcher,
) -> Result<ControlFlow<()>, RunError> {
    let is_unread = |suite: &&Suite| suite.loaded.as_ref().is_err_and(|failure| failure.is_syntax);
    if !suites.iter().any(|suite| is_unread(&suite)) {
        return Ok(ControlFlow::Continue(()));
    }
    let loaded = suites.iter().filter(|suite| suite.loaded.is_ok());
    let mut readers: Vec<String> = loaded.map(|suite| suite.variant.host.name.clone()).collect();
    readers.dedup(); // one with and without its compiler
    let asked = |host: &&Host| suites.iter().all(|suite| suite.variant.host.name != host.name);
    let others = spec.others.iter().filter(asked);
    let ControlFlow::Continue(more) = hosts::readers(what, others, spec, watcher)? else {
        return Ok(ControlFlow::Break(()));
    };
    readers.extend(more.into_iter().map(|host| host.name.clone()));
    for suite in suites {
        let (name, path) = (&suite.variant.host.name, program_of(&suite.variant.host));
        let Err(failure) = &mut suite.loaded else { continue };
        let Some(reader) = readers.first().filter(|_| failure.is_syntax) else { continue };
        let host =
            path.map_or_else(|| EMBEDDED.to_owned(), |path| format!("{name} ({})", path.display()));
        let list = readers.join(", ");
        failure.message = format!(
            "{}; {host} does not know this syntax; it can be read by: {list} (--lua {reader})",
            failure.message
        );
    }
    Ok(ControlFlow::Continue(()))
}
