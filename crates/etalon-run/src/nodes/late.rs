//! Nodes that come while something is measured: from a queue, or once more.

use etalon_core::model::{Node, Note};
use etalon_probe::far::Ground;
use etalon_record::raw::write;

use super::agreement;
use super::answer::Answer;
use super::collector::{Collector, Equal};
use super::member::{Member, Place};
use super::protocol::{End, Ready};
use super::route::Input;
use crate::error::{RunError, how};
use crate::monitor::Monitor;

impl Collector {
    /// A node is reached.
    pub(super) fn reached(&mut self, member: usize, name: String, ground: Ground) {
        if !self.members[member].is_coming() {
            return;
        }
        (self.members[member].name, self.members[member].place) = (name, Place::Reached(ground));
        self.without_doubles();
    }

    /// A node is ready: it does what the others have done before, and gets blocks.
    pub(super) fn joined(
        &mut self,
        number: usize,
        (ready, input): (Box<Ready>, Input),
        monitor: &mut Monitor<'_>,
    ) -> Result<(), RunError> {
        let place = std::mem::replace(&mut self.members[number].place, Place::Gone);
        let Place::Reached(ground) = place else { return Ok(()) };
        self.members[number].place = Place::Here(ready, ground, input);
        self.with_the_same(&monitor.experiment.labels());
        let all = self.told();
        let unequal = self.setup.equal.and_then(|Equal::Cpu| agreement::unequal(&all));
        if let Some(why) = unequal {
            self.refuse(number, &format!("--same cpu: {why}"));
        }
        let Some(account) = self.members[number].account() else { return Ok(()) };
        let others = self.told().into_iter().find(|other| other.name != account.name);
        let differ = others.map_or_else(Vec::new, |other| agreement::differs(account, other));
        let node = agreement::own(&account, &self.common);
        let name = node.name.clone();
        self.enrol(number, node, monitor)?;
        monitor.watcher.remark(&format!("{name} is there from here on"));
        for how in differ {
            monitor.watcher.remark(&how);
            monitor.records.note(&Note::new("nodes", how))?;
        }
        for request in self.prelude.requests() {
            self.members[number].ask(request);
        }
        Ok(())
    }

    /// Gives a node its number in the record.
    fn enrol(&mut self, number: usize, node: Node, monitor: &Monitor<'_>) -> Result<(), RunError> {
        let place = self.roster.iter().position(|name| *name == node.name);
        let place = place.unwrap_or(self.roster.len());
        if place == self.roster.len() {
            monitor.records.lines(|lines| write::node(lines, &node), |_| {})?;
            self.roster.push(node.name);
        }
        self.members[number].number = u32::try_from(place).unwrap_or(u32::MAX);
        Ok(())
    }

    /// Takes what a node did before its first block.
    pub(super) fn has_begun(
        &mut self,
        answer: &Answer,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), RunError> {
        match &answer.done.end {
            End::Whole => self.record(answer, monitor),
            End::Interrupted => Ok(()),
            End::Failed(failure) => {
                let ended = how(&failure.outcome);
                let why = format!("what comes before the first block {ended} there");
                self.leave_out(answer.member, &why, monitor)
            }
        }
    }

    /// Whether nothing can be measured any more: no node is there, and none will be.
    pub(super) fn is_hopeless(&self) -> bool {
        self.members.iter().all(Member::is_gone)
    }
}
