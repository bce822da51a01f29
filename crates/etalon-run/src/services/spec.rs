//! Services as files declare them.
//!
//! Owns: the fields, their defaults and what stands in them. Refuses: to read a format of files; whoever has one gives
//! it to serde.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use etalon_core::units::parse_seconds;
use etalon_probe::service::{Address, Request};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// A program that is there while something is measured: started before the experiment, always stopped after it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServiceSpec {
    /// Its name in messages and reports: letters, digits, `-`, `_` and `.`.
    #[serde(skip)]
    pub name: String,
    /// The command that starts it, split into words without a shell. It goes on as long as the service does, or leaves
    /// a daemon behind.
    pub start: String,
    /// The sign that it is ready.
    pub ready: Ready,
    /// How long it may take to be ready.
    #[serde(default = "half_a_minute", deserialize_with = "time")]
    pub ready_within: Duration,
    /// The command that stops it. Without one, it gets SIGTERM.
    #[serde(default)]
    pub stop: Option<String>,
    /// How long it may take to stop; then it is killed.
    #[serde(default = "ten_seconds", deserialize_with = "time")]
    pub stop_within: Duration,
    /// A command that prints its version, executed once it is ready. The first line is recorded.
    #[serde(default)]
    pub version: Option<String>,
    /// Variables of the environment of its commands, added to etalon's own.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The directory its commands are executed in.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
}

impl ServiceSpec {
    /// All that is executed, opened or set as it is written.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        let ServiceSpec {
            name: _,
            start,
            ready,
            ready_within: _,
            stop,
            stop_within: _,
            version,
            env,
            cwd,
        } = self;
        let ready = match ready {
            Ready::Command(command) => command.clone(),
            Ready::Tcp(address) => address.to_string(),
            Ready::Http { request, status: _ } => request.to_string(),
        };
        let cwd = cwd.iter().map(|cwd| cwd.to_string_lossy().into_owned());
        let given = [start].into_iter().chain(stop).chain(version);
        let env = env.iter().flat_map(|(name, value)| [name, value]);
        given.chain(env).cloned().chain([ready]).chain(cwd).collect()
    }

    /// The specification under this name.
    ///
    /// # Errors
    /// If a service cannot be called so; what it can be called.
    pub fn named(self, name: String) -> Result<ServiceSpec, String> {
        let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(fits) {
            let name = name.escape_default();
            return Err(format!(
                "`{name}`: a service is called by letters, digits, `-`, `_` and `.`"
            ));
        }
        Ok(ServiceSpec { name, ..self })
    }
}

/// The sign that a service is ready.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "ReadyFields")]
pub enum Ready {
    /// Something listens at an address, `HOST:PORT`.
    Tcp(Address),
    /// An HTTP request is answered.
    Http {
        /// `http://HOST:PORT/PATH`.
        request: Request,
        /// The status the answer has to have. Without one, any from 200 to 399.
        status: Option<u16>,
    },
    /// A command exits with code 0.
    Command(String),
}

/// [`Ready`] as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadyFields {
    #[serde(default)]
    tcp: Option<String>,
    #[serde(default)]
    http: Option<String>,
    #[serde(default)]
    status: Option<u16>,
    #[serde(default)]
    command: Option<String>,
}

impl TryFrom<ReadyFields> for Ready {
    type Error = String;

    fn try_from(fields: ReadyFields) -> Result<Ready, String> {
        let ReadyFields { tcp, http, status, command } = fields;
        if status.is_some() && http.is_none() {
            return Err("`status` is that of `http`: say what is asked for there".to_owned());
        }
        match (tcp, http, command) {
            (Some(tcp), None, None) => {
                tcp.parse().map(Ready::Tcp).map_err(|error| format!("tcp `{tcp}`: {error}"))
            }
            (None, Some(http), None) => match http.parse() {
                Ok(request) => Ok(Ready::Http { request, status }),
                Err(error) => Err(format!("http `{http}`: {error}")),
            },
            (None, None, Some(command)) => Ok(Ready::Command(command)),
            _ => Err("a service is ready by one of these: { tcp = \"127.0.0.1:9000\" }, \
                      { http = \"http://127.0.0.1:9000/health\" } or { command = \"…\" }"
                .to_owned()),
        }
    }
}

fn half_a_minute() -> Duration {
    Duration::from_secs(30)
}

fn ten_seconds() -> Duration {
    Duration::from_secs(10)
}

/// A time as it is typed.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(deserializer)?;
    let seconds = parse_seconds(&text).ok_or_else(|| {
        D::Error::custom(format!("`{text}` is no time: write one above 0, such as 30s or 500ms"))
    })?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Services by their names, in the order in which they are written: a table of tables.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServiceSpecs(pub Vec<ServiceSpec>);

impl<'de> Deserialize<'de> for ServiceSpecs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ServiceSpecs, D::Error> {
        struct Named;
        impl<'de> Visitor<'de> for Named {
            type Value = ServiceSpecs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("services by their names: [service.NAME]")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ServiceSpecs, A::Error> {
                let mut specs = ServiceSpecs::default();
                while let Some(name) = map.next_key::<String>()? {
                    let spec: ServiceSpec = map.next_value()?;
                    specs.0.push(spec.named(name).map_err(A::Error::custom)?);
                }
                Ok(specs)
            }
        }
        deserializer.deserialize_map(Named)
    }
}
