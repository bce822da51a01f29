//! Options of other machines.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;

use clap::{Args, ValueEnum};
use etalon_probe::batch::{Wishes, Word};
use etalon_probe::far::Host;
use etalon_run::nodes::protocol::SideCopy;
use etalon_run::nodes::{Collector, Desk};
use etalon_run::sides::Scratch;

use super::values::{duration, whole_seconds};

/// Where it is measured.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Other machines")]
pub(crate) struct Nodes {
    /// Measure on other machines: ssh:HOST[,HOST…] or slurm:PARTITION
    ///
    /// Each block is executed on one of them, as ssh reaches it without asking for anything, or as Slurm gives it to a job
    /// (with --nodes and --shared). What is sent is removed afterwards. See `etalon help nodes`.
    #[arg(long, value_name = "WHERE", value_parser = On::parse)]
    pub on: Option<On>,
    /// How many nodes Slurm is asked for
    #[arg(long, value_name = "N", requires = "on", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub nodes: Option<u32>,
    /// A directory that all nodes of a cluster see
    #[arg(long, value_name = "DIR", requires = "on")]
    pub shared: Option<PathBuf>,
    /// Features that nodes of a cluster need, as sbatch takes them
    #[arg(long, value_name = "LIST", requires = "on", value_parser = Word::constraint)]
    pub constraint: Option<Word>,
    /// When Slurm ends the job at the latest: 30m, 2h
    #[arg(long, value_name = "TIME", requires = "on", value_parser = duration)]
    pub time_limit: Option<f64>,
    /// Refuse machines that differ in this
    #[arg(long, value_name = "WHAT", requires = "on")]
    pub same: Option<SameArg>,
    /// Send a file or directory to them, too
    ///
    /// Files below this directory that a command names are sent anyway.
    #[arg(long, value_name = "PATH", requires = "on")]
    pub send: Vec<OsString>,
    /// Where this process is asked, if it is a node's.
    #[arg(skip)]
    pub desk: Rc<RefCell<Option<Desk>>>,
    /// The copies of sides that this process was sent, if it is a node's.
    #[arg(skip)]
    pub copies: Vec<SideCopy>,
    /// The machines, where they were reached before what they execute was ready.
    #[arg(skip)]
    pub reached: Rc<RefCell<Option<Connections>>>,
}

/// Machines that are reached, with a directory for what leads to them.
pub(crate) struct Connections {
    pub collector: Collector,
    pub room: Scratch,
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("room", &self.room.path).finish_non_exhaustive()
    }
}

impl Nodes {
    /// How many machines were asked for; none where it is measured here.
    pub(crate) fn count(&self) -> usize {
        match &self.on {
            Some(On::Ssh(hosts)) => hosts.len(),
            Some(On::Slurm(_)) => self.nodes.and_then(|nodes| nodes.try_into().ok()).unwrap_or(0),
            None => 0,
        }
    }

    /// Whether this process is a node's.
    pub(crate) fn is_node(&self) -> bool {
        self.desk.borrow().is_some()
    }
}

/// Machines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum On {
    /// Hosts of ssh.
    Ssh(Vec<Host>),
    /// Nodes of a cluster, of this partition or Slurm's default one.
    Slurm(Option<Word>),
}

impl Nodes {
    /// The request to Slurm; nothing where the machines are hosts of ssh.
    ///
    /// # Errors
    /// If an option is missing, or is of the other way to machines.
    pub(crate) fn wishes(&self) -> Result<Option<Wishes>, String> {
        let Nodes { nodes, shared, constraint, time_limit, .. } = self;
        match &self.on {
            Some(On::Slurm(partition)) => {
                let missing = |option: &str| format!("--on slurm needs {option}");
                let nodes = nodes.ok_or_else(|| missing("--nodes N: how many nodes to ask for"))?;
                let shared = shared.clone().ok_or_else(|| {
                    missing("--shared DIR: a directory that this machine and all nodes have at the same path")
                })?;
                let minutes =
                    time_limit.map(|seconds| u64::from(whole_seconds(seconds)).div_ceil(60));
                let (partition, constraint) = (partition.clone(), constraint.clone());
                Ok(Some(Wishes { partition, nodes, constraint, minutes, shared }))
            }
            Some(On::Ssh(_)) | None => {
                let given = [
                    (nodes.is_some(), "--nodes"),
                    (shared.is_some(), "--shared"),
                    (constraint.is_some(), "--constraint"),
                    (time_limit.is_some(), "--time-limit"),
                ];
                match given.into_iter().find(|(is_given, _)| *is_given) {
                    Some((_, option)) => {
                        Err(format!("{option} is about a job of Slurm: it goes with --on slurm"))
                    }
                    None => Ok(None),
                }
            }
        }
    }
}

/// `--same` as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SameArg {
    /// The model of the CPU.
    Cpu,
}

impl On {
    /// As it is typed, or written in an experiment file.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn parse(text: &str) -> Result<On, String> {
        if text == "slurm" {
            return Ok(On::Slurm(None));
        }
        if let Some(partition) = text.strip_prefix("slurm:") {
            let partition = Word::partition(partition).map_err(|error| error.to_string())?;
            return Ok(On::Slurm(Some(partition)));
        }
        let Some(hosts) = text.strip_prefix("ssh:") else {
            return Err("write ssh:HOST, or ssh:HOST,HOST, or slurm, or slurm:PARTITION".to_owned());
        };
        let hosts =
            hosts.split(',').map(|host| Host::parse(host).map_err(|error| error.to_string()));
        let hosts: Vec<Host> = hosts.collect::<Result<_, String>>()?;
        let is_again = |(place, host): &(usize, &Host)| hosts[..*place].contains(host);
        match hosts.iter().enumerate().find(is_again) {
            Some((_, host)) => Err(format!("{host} twice: name each machine once")),
            None => Ok(On::Ssh(hosts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_named_once() {
        let names = |text: &str| {
            On::parse(text).map(|on| match on {
                On::Ssh(hosts) => hosts.len(),
                On::Slurm(partition) => partition.map_or(10, |_| 11),
            })
        };
        assert_eq!(names("ssh:a"), Ok(1));
        assert_eq!(names("ssh:a,me@b"), Ok(2));
        assert_eq!(names("slurm"), Ok(10));
        assert_eq!(names("slurm:long"), Ok(11));
        for refused in [
            "a",
            "ssh:",
            "ssh:a,,b",
            "ssh:a,a",
            "ssh:-oX=y",
            "slurm:",
            "slurm:-p",
            "slurm:a b",
            "slurms",
            "",
        ] {
            assert!(names(refused).is_err(), "{refused}");
        }
    }
}
