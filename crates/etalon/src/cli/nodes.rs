//! Options of other machines.

use std::cell::RefCell;
use std::ffi::OsString;
use std::rc::Rc;

use clap::{Args, ValueEnum};
use etalon_probe::far::Host;
use etalon_run::nodes::Desk;
use etalon_run::nodes::protocol::SideCopy;

/// Where it is measured.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Other machines")]
pub(crate) struct Nodes {
    /// Measure on other machines: ssh:HOST[,HOST…]
    ///
    /// Each block is executed on one of them, as ssh reaches it without asking for anything. What is sent is removed
    /// afterwards. See `etalon help nodes`.
    #[arg(long, value_name = "WHERE", value_parser = On::parse)]
    pub on: Option<On>,
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
}

impl Nodes {
    /// Whether this process is a node's.
    pub(crate) fn is_node(&self) -> bool {
        self.desk.borrow().is_some()
    }
}

/// Machines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct On(pub(crate) Vec<Host>);

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
        let Some(hosts) = text.strip_prefix("ssh:") else {
            return Err("write ssh:HOST, or ssh:HOST,HOST".to_owned());
        };
        let hosts =
            hosts.split(',').map(|host| Host::parse(host).map_err(|error| error.to_string()));
        let hosts: Vec<Host> = hosts.collect::<Result<_, String>>()?;
        let is_again = |(place, host): &(usize, &Host)| hosts[..*place].contains(host);
        match hosts.iter().enumerate().find(is_again) {
            Some((_, host)) => Err(format!("{host} twice: name each machine once")),
            None => Ok(On(hosts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_named_once() {
        let names = |text: &str| On::parse(text).map(|On(hosts)| hosts.len());
        assert_eq!(names("ssh:a"), Ok(1));
        assert_eq!(names("ssh:a,me@b"), Ok(2));
        for refused in ["a", "ssh:", "ssh:a,,b", "ssh:a,a", "ssh:-oX=y", "slurm:long", ""] {
            assert!(names(refused).is_err(), "{refused}");
        }
    }
}
