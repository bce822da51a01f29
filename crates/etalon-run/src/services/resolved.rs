//! A declared service with everything found that it names, before anything of it is executed.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use etalon_probe::launcher::ResolveError;
use etalon_probe::launcher::protocol::Execute;
use etalon_probe::service::{Address, Request, Setup};
use etalon_record::Text;

use super::spec::{Ready, ServiceSpec};
use crate::commands::{CommandError, CommandSpec, resolve};
use crate::error::{ServiceError, Trouble};

/// A service that can be started.
#[derive(Debug)]
pub(super) struct Resolved {
    pub(super) name: String,
    /// As typed.
    pub(super) start: String,
    pub(super) setup: Setup,
    pub(super) ready: WhenReady,
    pub(super) within: Duration,
    /// As typed, and found.
    pub(super) version: Option<(String, Execute)>,
}

/// The sign that it is ready.
#[derive(Debug)]
pub(super) enum WhenReady {
    Tcp(Address),
    Http(Request, Option<u16>),
    Command(String, Execute),
}

impl WhenReady {
    /// Where it is to answer.
    pub(super) fn address(&self) -> Option<&Address> {
        match self {
            WhenReady::Tcp(address) => Some(address),
            WhenReady::Http(request, _) => Some(request.address()),
            WhenReady::Command(..) => None,
        }
    }
}

/// Where its commands are executed.
struct Place<'a> {
    name: &'a str,
    path: Option<OsString>,
    directory: std::path::PathBuf,
}

impl Resolved {
    /// Finds what a service names; `environment` is etalon's own, relative names are in `cwd`.
    pub(super) fn from_spec(
        spec: &ServiceSpec,
        environment: &[Text],
        cwd: &Path,
    ) -> Result<Resolved, ServiceError> {
        let name = spec.name.clone();
        let environment = with_own(spec, environment)?;
        let directory = spec.cwd.as_ref().map_or_else(|| cwd.to_owned(), |own| cwd.join(own));
        if !directory.is_dir() {
            let what = format!("cwd {}", directory.display());
            return Err(declared(&name, what, "is not a directory: check `cwd`"));
        }
        let path = environment.iter().rev().find_map(|text| text.as_bytes().strip_prefix(b"PATH="));
        let path = path.map(|path| OsStr::from_bytes(path).to_owned());
        let place = Place { name: &name, path, directory };
        let ready = match &spec.ready {
            Ready::Tcp(address) => WhenReady::Tcp(address.clone()),
            Ready::Http { request, status } => WhenReady::Http(request.clone(), *status),
            Ready::Command(text) => {
                WhenReady::Command(text.clone(), place.resolve("ready: command", text)?)
            }
        };
        let version = |text: &String| -> Result<_, ServiceError> {
            Ok((text.clone(), place.resolve("version", text)?))
        };
        let version = spec.version.as_ref().map(version);
        let stop = spec.stop.as_ref().map(|text| place.resolve("stop", text)).transpose()?;
        Ok(Resolved {
            start: spec.start.clone(),
            version: version.transpose()?,
            ready,
            within: spec.ready_within,
            setup: Setup {
                start: place.resolve("start", &spec.start)?,
                stop,
                environment,
                directory: place.directory.clone().into_os_string().into(),
                stop_within_ns: u64::try_from(spec.stop_within.as_nanos()).unwrap_or(u64::MAX),
            },
            name,
        })
    }
}

impl Place<'_> {
    fn resolve(&self, role: &str, text: &str) -> Result<Execute, ServiceError> {
        let wanted = CommandSpec {
            text: text.as_bytes(),
            shell: None,
            path: self.path.as_deref(),
            cwd: &self.directory,
            to_come: None,
        };
        resolve(wanted)
            .map_err(|error| declared(self.name, format!("{role} `{text}`"), &why(&error)))
    }
}

fn declared(name: &str, what: String, why: &str) -> ServiceError {
    Trouble::Declared { name: name.to_owned(), what, why: why.to_owned() }.into()
}

/// Why a command cannot be executed, with remedies that a file has.
fn why(error: &CommandError) -> String {
    match error {
        CommandError::ShellSyntax(syntax) => {
            format!(
                "{}: write sh -c '…' to have a shell execute it, or quote it to pass it on as it is",
                syntax.problem()
            )
        }
        CommandError::Empty => "the command is empty: name a program".to_owned(),
        CommandError::Unresolved(ResolveError::NotFound { name })
            if !name.as_bytes().contains(&b'/') && !name.is_empty() =>
        {
            format!("{}: not found in PATH: check the name, or give its path", name.display())
        }
        error => error.to_string(),
    }
}

/// etalon's environment with the service's own variables.
fn with_own(spec: &ServiceSpec, environment: &[Text]) -> Result<Vec<Text>, ServiceError> {
    let is_possible = |name: &str| !name.is_empty() && !name.contains(['=', '\0']);
    let impossible =
        |(name, value): &(&String, &String)| !is_possible(name) || value.contains('\0');
    if let Some((name, _)) = spec.env.iter().find(impossible) {
        let why = "no variable can have this name, or value: correct it";
        return Err(declared(&spec.name, format!("env `{name}`"), why));
    }
    let is_own = |text: &&Text| {
        let name = text.as_bytes().split(|byte| *byte == b'=').next().unwrap_or_default();
        spec.env.keys().any(|own| own.as_bytes() == name)
    };
    let inherited = environment.iter().filter(|text| !is_own(text)).cloned();
    let own = spec.env.iter().map(|(name, value)| Text::from(format!("{name}={value}").as_str()));
    Ok(inherited.chain(own).collect())
}
