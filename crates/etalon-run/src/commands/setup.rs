//! How commands are executed, all of it decided.

use std::path::PathBuf;

use etalon_probe::clock;
use etalon_probe::launcher::protocol::{
    Cgroup, Command, Control, Counters, Foreground, Output, Printed, Setup, Stdio,
};
use etalon_record::Text;
use etalon_record::printed::Place;

use super::hooks::{AroundAll, StageHooks};

/// How commands are executed.
#[derive(Debug, Clone, Default)]
pub struct CommandSetup {
    /// The commands, one per subject.
    pub commands: Vec<Command>,
    /// Their hooks around all of a stage, in the same order.
    pub hooks: Vec<StageHooks>,
    /// Hooks around all stages.
    pub around_all: AroundAll,
    /// Their environment, `NAME=VALUE`.
    pub environment: Vec<Text>,
    /// The absolute directory they are executed in.
    pub cwd: PathBuf,
    /// Where they read and write.
    pub stdio: Stdio,
    /// Longest time one execution may take, in ns.
    pub timeout_ns: Option<u64>,
    /// The conditions that they are executed under.
    pub control: Control,
    /// Whether events are counted.
    pub counters: Counters,
    /// Whether each execution gets a control group.
    pub cgroup: Cgroup,
    /// Metrics that are read in what they print; `stdio` has it read.
    pub printed: Vec<Printed>,
    /// Where they print how often they repeated their work.
    pub iterations: Option<Place>,
    /// The consequence of a failure.
    pub failing: Failing,
}

impl CommandSetup {
    /// A launcher's setup for one of the commands, under the conditions of all. The measurement shows what it prints to
    /// etalon's own output, this does not.
    #[must_use]
    pub fn alone(&self, subject: usize) -> Option<Setup> {
        let silent = |output: &Output| match output {
            Output::Inherit => Output::Null,
            output => output.clone(),
        };
        Some(Setup {
            commands: vec![self.commands.get(subject)?.clone()],
            environment: self.environment.clone(),
            directory: Some(self.cwd.clone().into_os_string().into()),
            stdio: Stdio {
                stdout: silent(&self.stdio.stdout),
                stderr: silent(&self.stdio.stderr),
                foreground: Foreground::Keep,
                ..self.stdio.clone()
            },
            timeout_ns: self.timeout_ns,
            control: self.control.clone(),
            counters: Counters::Off,
            cgroup: Cgroup::Off,
            started_ns: clock::now_ns(),
            ..Setup::default()
        })
    }
}

/// The consequence of a command's failure in warm-up or the first block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Failing {
    /// The experiment ends with it.
    #[default]
    Stops,
    /// It is given up, and the others go on.
    IsGivenUp,
}
