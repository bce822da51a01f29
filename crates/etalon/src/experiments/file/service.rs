//! The shape of a service, for the schema: it is read by `etalon-run`.

use schemars::JsonSchema;

/// A program that is there while something is measured: started before everything, always stopped after it.
#[derive(Debug, JsonSchema)]
#[allow(dead_code, reason = "the schema of what `etalon_run::services` reads")]
pub(super) struct Service {
    /// The command that starts it. No shell reads it.
    start: String,
    /// What tells that it is ready.
    ready: Ready,
    /// How long it may take to be ready. Without one, 30 s.
    ready_within: Option<String>,
    /// The command that stops it. Without one, it gets SIGTERM.
    stop: Option<String>,
    /// How long it may take to stop; then it is killed. Without one, 10 s.
    stop_within: Option<String>,
    /// A command that prints its version, whose first line is recorded.
    version: Option<String>,
    /// Variables of the environment of its commands.
    env: Option<std::collections::BTreeMap<String, String>>,
    /// The directory its commands are executed in. Without one, that of the file.
    cwd: Option<String>,
}

/// What tells that a service is ready: one of `tcp`, `http` and `command`.
#[derive(Debug, JsonSchema)]
#[allow(dead_code, reason = "the schema of what `etalon_run::services` reads")]
pub(super) struct Ready {
    /// Something listens at `HOST:PORT`.
    tcp: Option<String>,
    /// A request to `http://HOST:PORT/PATH` is answered.
    http: Option<String>,
    /// The status that the answer has to have. Without one, any from 200 to 399.
    status: Option<u16>,
    /// A command exits with code 0.
    command: Option<String>,
}
