//! Services: from files to what an experiment is surrounded with.
//!
//! Owns: TOML, with places and remedies for mistakes. What a service is, and its life, are `etalon-run`'s.

use std::ffi::OsString;
use std::path::Path;

use etalon_record::ReadError;
use etalon_run::services::{ServiceSpec, ServiceSpecs, Services, Trouble, WithServices};
use etalon_run::{Executor, NodesError, OriginError, RunError};
use serde::Deserialize;

use crate::failure::Failure;
use crate::progress::Watch;
use crate::toml_text::Source;
use crate::{output, tool};

/// A file of services.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    service: ServiceSpecs,
}

/// The services of all files, in the order in which they are written.
pub(crate) fn declared(files: &[OsString]) -> Result<Vec<ServiceSpec>, Failure> {
    let mut all: Vec<ServiceSpec> = Vec::new();
    for file in files {
        let path = Path::new(file);
        let text = std::fs::read(path).map_err(|error| ReadError::open(path, &error))?;
        let text = String::from_utf8(text)
            .map_err(|_| Failure::about(path.display(), "not UTF-8, as TOML has to be"))?;
        let source = path.display().to_string();
        for spec in specs_in(&text, &source)? {
            if all.iter().any(|known| known.name == spec.name) {
                let why = format!("a second service called {}: rename one of them", spec.name);
                return Err(Failure::about(source, why));
            }
            all.push(spec);
        }
    }
    Ok(all)
}

/// Refuses services that cannot be started, before something is built that takes a while; their directories are relative
/// to this one.
///
/// # Errors
/// If a program or a directory is not there.
pub(crate) fn check(services: &[ServiceSpec], directory: &Path) -> Result<(), Failure> {
    let cwd = tool::here()?.join(directory);
    let environment = tool::assignments(std::env::vars_os());
    Services::find(services, &environment, &cwd).map_err(Failure::new)
}

/// An executor with these services around it.
pub(crate) fn around<E: Executor>(
    executor: E,
    services: Vec<ServiceSpec>,
    watch: &Watch<'_>,
) -> Result<WithServices<E>, Failure> {
    around_in(executor, services, Path::new(""), watch)
}

/// An executor with services around it whose directories are relative to this one.
pub(crate) fn around_in<E: Executor>(
    executor: E,
    services: Vec<ServiceSpec>,
    directory: &Path,
    watch: &Watch<'_>,
) -> Result<WithServices<E>, Failure> {
    let cwd = tool::here()?.join(directory);
    let environment = tool::assignments(std::env::vars_os());
    if !services.is_empty() && watch.is_attended() {
        let names: Vec<&str> = services.iter().map(|service| service.name.as_str()).collect();
        output::remark(&format!("starting {}", names.join(", ")));
    }
    let interrupts = watch.interrupts();
    Ok(WithServices::new(executor, services, environment, cwd, move || interrupts.come()))
}

/// Why nothing was measured.
pub(crate) fn failure(error: RunError) -> Failure {
    match error {
        RunError::Service(error) if matches!(error.trouble(), Trouble::Interrupted { .. }) => {
            Failure::interrupted(error)
        }
        RunError::Nodes(NodesError::Interrupted) => Failure::interrupted(error),
        RunError::Origin(OriginError::Interrupted) => Failure::interrupted(error),
        error => Failure::new(error),
    }
}

/// The services of a text; what is wrong with it, with its place.
fn specs_in(text: &str, source: &str) -> Result<Vec<ServiceSpec>, Failure> {
    let file: File = Source { path: source, text }.parse()?;
    let ServiceSpecs(specs) = file.service;
    if specs.is_empty() {
        let why = "declares no service: write a table [service.NAME]";
        return Err(Failure::about(source, why));
    }
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use etalon_run::services::Ready;

    use super::*;

    #[test]
    fn services_come_in_the_order_in_which_they_are_written() {
        let text = r#"
            [service.zoo]
            start = "a b"
            ready = { tcp = "127.0.0.1:1" }
            [service.ant]
            start = "c"
            ready = { http = "http://127.0.0.1:1/", status = 204 }
            ready_within = "500ms"
            stop = "d"
            stop_within = "1min"
            version = "c --version"
            env = { B = "2", A = "1" }
            cwd = "dir"
            [service.mid]
            start = "e"
            ready = { command = "true" }
        "#;
        let specs = specs_in(text, "f").unwrap();
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["zoo", "ant", "mid"]);
        assert_eq!(specs[0].ready_within, Duration::from_secs(30));
        assert_eq!(specs[0].stop_within, Duration::from_secs(10));
        assert_eq!(specs[1].ready_within, Duration::from_millis(500));
        assert_eq!(specs[1].stop_within, Duration::from_secs(60));
        assert!(matches!(specs[1].ready, Ready::Http { status: Some(204), .. }));
        assert_eq!(specs[2].ready, Ready::Command("true".to_owned()));
    }

    /// Would catch mistakes that are accepted, or told at another place or without a remedy.
    #[test]
    fn mistakes_have_a_place_and_a_remedy() {
        let ready = "ready = { tcp = \"127.0.0.1:1\" }\n";
        for (text, expected) in [
            (
                "[service.a]\nstrat = \"x\"\n",
                "f:2:1: unknown key `strat`: did you mean `start`? There are start,",
            ),
            ("[service.a]\nstart = \"x\"\n", "f:1:1: `ready` is missing: "),
            (&format!("[service.a]\n{ready}"), "f:1:1: `start` is missing: "),
            ("[server.a]\n", "f:1:2: unknown key `server`: "),
            ("", "f: declares no service: "),
            (
                &format!("[service.a]\nstart = 5\n{ready}"),
                "f:2:9: invalid type: integer `5`, expected a string",
            ),
            (
                &format!("[service.a]\nstart = \"x\"\nstop_within = \"3 apples\"\n{ready}"),
                "f:3:15: `3 apples` is no time: write one",
            ),
            (
                "[service.a]\nstart = \"x\"\nready = { tcp = \"9000\" }\n",
                "f:3:9: tcp `9000`: not an address: write HOST:PORT",
            ),
            (
                "[service.a]\nstart = \"x\"\nready = { http = \"https://x/\" }\n",
                "f:3:9: http `https://x/`: https is not spoken here: use a command",
            ),
            (
                "[service.a]\nstart = \"x\"\nready = { }\n",
                "f:3:9: a service is ready by one of these: ",
            ),
            (
                "[service.a]\nstart = \"x\"\nready = { tpc = \"x:1\" }\n",
                "f:3:11: unknown key `tpc`: did you mean `tcp`? ",
            ),
            ("[service.a\n", "f:1:"),
            (
                "[[service.a]]\nstart = \"x\"\n",
                "f:1:1: invalid type: map, expected a string: there is one, so write [service.a]",
            ),
            (
                &format!("[service.\"a b\"]\nstart = \"x\"\n{ready}"),
                "`a b`: a service is called by letters",
            ),
        ] {
            let said = specs_in(text, "f").unwrap_err().to_string();
            assert!(said.contains(expected), "{text}\n  {said}\n  {expected}");
        }
    }
}
