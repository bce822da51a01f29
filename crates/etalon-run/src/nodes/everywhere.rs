//! Requests to all nodes alike, and how long those that do not answer are waited for.
//!
//! Owns that no node holds the others: one that does not end what it was told to end is left out, and one that takes far
//! longer than the others is not waited for. Refuses to give up a node that nobody is faster than, unless the user asked to stop.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use etalon_core::model::Note;
use etalon_core::run_set::StoppedBy;

use super::answer::Answer;
use super::collector::{Collector, LONG};
use super::member::Member;
use super::protocol::{End, Request};
use crate::error::{RunError, how};
use crate::executor::{Executed, Flow, Stop};
use crate::monitor::Monitor;

/// A node is not waited for any more when it takes so many times what the slowest other took.
const SLOW: u32 = 3;

/// So many are named at most.
const NAMED: usize = 10;

/// A request that all nodes were asked for.
struct Common<'a> {
    request: &'a Request,
    /// Whether nothing is measured after it: what comes later is no use then.
    is_last: bool,
    /// Nodes that were behind when it was made: they catch up.
    behind: BTreeSet<usize>,
    began: Instant,
    /// How long those took that have answered.
    slowest: Option<Duration>,
}

impl Common<'_> {
    /// Whether those that have not answered are waited for no longer.
    fn is_over(&self, patience: Duration) -> bool {
        let most = self.slowest.map(|slowest| patience.max(slowest * SLOW));
        most.is_some_and(|most| self.began.elapsed() > most)
    }
}

impl Collector {
    /// Asks all nodes for the same, and waits for all of them that are as fast as others. Where it fails on some, these are
    /// left out; where it fails on all, that is a failure of what is measured.
    pub(super) fn everywhere(
        &mut self,
        request: &Request,
        monitor: &mut Monitor<'_>,
    ) -> Result<Executed, RunError> {
        let is_last = matches!(request, Request::CleanUp(_) | Request::PutAway);
        let mut executed = Executed { blocks: 0, given_up: Vec::new(), flow: Flow::Continue(()) };
        let mut given_up = BTreeSet::new();
        let mut failed = Vec::new();
        self.prelude.note(request);
        let behind =
            |(number, member): (usize, &Member)| (!member.asked.is_empty()).then_some(number);
        let behind = self.members.iter().enumerate().filter_map(behind).collect();
        self.members.iter_mut().filter(|it| it.is_here()).for_each(|it| it.ask(request.clone()));
        let mut common = Common { request, is_last, behind, began: Instant::now(), slowest: None };
        while self.waits_for(&common, monitor)? {
            let Some(answer) = self.next(monitor)? else { continue };
            if answer.request != *request {
                self.takes_late(&answer, monitor)?;
                continue;
            }
            common.slowest = Some(common.began.elapsed());
            self.record(&answer, monitor)?;
            executed.blocks = executed.blocks.max(answer.done.blocks);
            given_up.extend(answer.done.given_up);
            match answer.done.end {
                End::Whole => {}
                End::Interrupted => executed.flow = Stop::by(StoppedBy::Interrupt),
                End::Failed(failure) => failed.push((answer.member, failure)),
            }
        }
        executed.given_up = given_up.into_iter().collect();
        if let Some((_, first)) = failed.first().filter(|_| is_last || failed.len() == self.here())
        {
            executed.flow = Stop::failed(first.clone());
            return Ok(executed);
        }
        for (member, failure) in &failed {
            let why = format!("what comes before the first block {} there", how(&failure.outcome));
            self.leave_out(*member, &why, monitor)?;
        }
        if monitor.was_interrupted && !is_last {
            executed.flow = Stop::by(StoppedBy::Interrupt);
        } else if self.is_hopeless() && !is_last {
            return Err(self.lost());
        }
        Ok(executed)
    }

    /// Whether some node is waited for. Those that will not answer are left out.
    fn waits_for(
        &mut self,
        common: &Common<'_>,
        monitor: &mut Monitor<'_>,
    ) -> Result<bool, RunError> {
        self.leave_out_the_stuck(monitor)?;
        // A node that had nothing to do was told to end nothing, and may have been stopped before that.
        let is_unwanted = monitor.was_interrupted && common.began.elapsed() > self.setup.patience;
        let is_over = is_unwanted || common.is_over(self.setup.patience);
        if is_over && common.is_last {
            let seconds = common.began.elapsed().as_secs();
            let what = match common.request {
                Request::CleanUp(_) => "with what comes after the last block",
                _ => "with what ends all",
            };
            for number in 0..self.members.len() {
                if !self.members[number].asked.is_empty() {
                    self.give_up(
                        number,
                        &format!("it is not ready {what} after {seconds} s"),
                        monitor,
                    )?;
                }
            }
        }
        let is_asked = |(number, member): (usize, &Member)| {
            let is_behind = !common.is_last && common.behind.contains(&number);
            !member.asked.is_empty() && !is_behind
        };
        let is_any = self.members.iter().enumerate().any(is_asked);
        Ok(is_any && (!is_over || common.is_last))
    }

    /// Leaves out nodes that have not ended what they were told to end: in much more time than blocks take, and soon where
    /// the user waits.
    pub(super) fn leave_out_the_stuck(
        &mut self,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), RunError> {
        let limit = if monitor.was_interrupted { LONG } else { self.far_too_long() };
        for number in 0..self.members.len() {
            if self.members[number].is_stuck(limit) {
                let seconds = limit.as_secs();
                let why = format!(
                    "it was told to end what it does, and has not answered for {seconds} s"
                );
                self.give_up(number, &why, monitor)?;
            }
        }
        Ok(())
    }

    /// Leaves a node out that does not answer, and waits for nothing of it any more.
    fn give_up(
        &mut self,
        number: usize,
        why: &str,
        monitor: &mut Monitor<'_>,
    ) -> Result<(), RunError> {
        self.leave_out(number, why, monitor)?;
        if let Some(closer) = self.members[number].closer.get() {
            closer.close();
        }
        Ok(())
    }

    /// Takes an answer that others have given before.
    fn takes_late(&mut self, answer: &Answer, monitor: &mut Monitor<'_>) -> Result<(), RunError> {
        match &answer.request {
            Request::Execute(work) if !work.is_warmup => {
                self.counts_late(answer);
                Ok(())
            }
            _ => self.has_begun(answer, monitor),
        }
    }

    /// Counts a block that another node had delivered before.
    pub(super) fn counts_late(&mut self, answer: &Answer) {
        let is_block = matches!(&answer.request, Request::Execute(work) if !work.is_warmup);
        if is_block && answer.done.end == End::Whole {
            self.duplicates += 1;
        }
    }

    /// Names nodes that have delivered nothing, and were not left out for another reason.
    pub(super) fn names_the_idle(&mut self, monitor: &mut Monitor<'_>) -> Result<(), RunError> {
        if !self.has_blocks || monitor.experiment.resumed.is_some() {
            return Ok(());
        }
        let mut idle: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let is_idle = |member: &&Member| !member.is_gone() && member.delivered == 0;
        for member in self.members.iter().filter(is_idle) {
            let why = match member.is_here() {
                true => "others were faster",
                false => "it was not ready before the end",
            };
            idle.entry(why).or_default().push(&member.name);
        }
        for (why, names) in idle {
            let more = names.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let named = names[..names.len().min(NAMED)].join(", ");
            let told = format!("{named}{more} delivered no block: {why}");
            monitor.watcher.remark(&told);
            monitor.records.note(&Note::new("nodes", told))?;
        }
        Ok(())
    }
}
