//! Which node executes which block, until each was delivered once.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use etalon_core::run_set::StoppedBy;
use etalon_core::stats::ENOUGH_BLOCKS;
use etalon_probe::launcher::awake_ns;

use super::answer::Answer;
use super::collector::{Collector, LONG};
use super::member::Member;
use super::protocol::{End, Request, Work};
use crate::error::{RunError, how};
use crate::executor::{Batch, Executed, Flow, Stop};
use crate::monitor::Monitor;

/// A block is given to another node when it takes so many times what blocks usually take.
const SLOW: u64 = 2;

/// A node loses its share when a block takes it so many times what blocks usually take, and at least so long: blocks of
/// some milliseconds take several times as long wherever something else happens.
const SLOWER: u64 = 4;
const SLOWER_NS: u64 = 2_000_000_000;

/// No block takes so many times what blocks usually take.
const FAR_SLOWER: u64 = 10;

/// How many of the last blocks say what is usual.
const USUAL: usize = 51;

impl Collector {
    /// The time that blocks usually take, once there are some.
    fn usual_ns(&self) -> Option<u64> {
        let mut took = self.took.clone();
        took.sort_unstable();
        took.get(took.len() / 2).copied()
    }

    /// The time that a block may take before another node gets it, too.
    fn patience_ns(&self) -> u64 {
        let unknown = u64::try_from(self.setup.patience.as_nanos()).unwrap_or(u64::MAX);
        self.usual_ns().map_or(unknown, |usual| usual.saturating_mul(SLOW))
    }

    /// More time than any block takes, by what they took.
    pub(super) fn far_too_long(&self) -> Duration {
        let usual = self.usual_ns().unwrap_or_default();
        LONG.max(Duration::from_nanos(usual.saturating_mul(FAR_SLOWER)))
    }

    /// How long blocks that are under way are waited for when the time is over. Of the first ones nobody knows how long
    /// they take.
    fn grace(&self, since: Instant) -> Duration {
        match self.took.is_empty() {
            false => self.far_too_long(),
            true => self.setup.patience.max(since.elapsed() * 10),
        }
    }

    /// Hands blocks to nodes that have room: those that nobody has, and then those that take long elsewhere.
    fn hand_out(&mut self, batch: &Batch, is_done: &[bool]) {
        let block = |place: usize| batch.first + u32::try_from(place).unwrap_or(u32::MAX);
        let undone: Vec<usize> = (0..is_done.len()).filter(|place| !is_done[*place]).collect();
        let since = |members: &[Member], place: usize| -> Vec<u64> {
            members.iter().filter_map(|member| member.under_way(block(place))).collect()
        };
        let mut free: Vec<usize> = undone
            .iter()
            .copied()
            .filter(|it| since(&self.members, *it).is_empty())
            .rev()
            .collect();
        let ask = |member: &mut Member, place: usize| {
            member.ask(Request::Execute(Work {
                is_warmup: false,
                first: block(place),
                orders: vec![batch.orders[place].clone()],
                padding: batch.padding.get(place).copied().into_iter().collect(),
                is_first: member.blocks == 0,
            }));
        };
        let mut shares = self.shares(undone.len());
        // One waits at each node while enough are left, so that a node need not wait for the next.
        for most in 1..=2 {
            for member in 0..self.members.len() {
                let is_enough = most == 1 || free.len() > self.here();
                if is_enough
                    && self.members[member].has_room(most)
                    && may_take(&shares, member, free.len())
                    && let Some(place) = free.pop()
                {
                    ask(&mut self.members[member], place);
                    shares[member] = shares[member].saturating_sub(1);
                }
            }
        }
        if !free.is_empty() {
            return;
        }
        let (patience, now) = (self.patience_ns(), awake_ns());
        let (share, of_share) = (self.share(undone.len()), self.share_patience_ns());
        for place in undone {
            // A block that a node needs for its share is its own for longer.
            let is_slow = self.members.iter().all(|member| {
                let needs = (member.blocks as usize) < share;
                let most =
                    if needs { of_share.unwrap_or(patience).max(patience) } else { patience };
                let since = member.under_way(block(place));
                since.is_none_or(|since| now.saturating_sub(since) > most)
            });
            let other = self.members.iter_mut().find(|member| member.has_room(1));
            // One after the other: whoever has it may be stopped.
            if let (true, Some(other)) = (is_slow, other) {
                ask(other, place);
            }
        }
    }

    /// How many blocks each node has to deliver before others get more: with fewer it may not count.
    fn share(&self, undone: usize) -> usize {
        let delivered: usize = self.members.iter().map(|member| member.blocks as usize).sum();
        ((delivered + undone) / self.here().max(1)).min(ENOUGH_BLOCKS)
    }

    /// The time that a block of a share may take, once it is known what blocks take.
    fn share_patience_ns(&self) -> Option<u64> {
        self.usual_ns().map(|usual| usual.saturating_mul(SLOWER).max(SLOWER_NS))
    }

    /// The blocks of its share that each node has not been asked for. None of one that is not here, or takes far longer:
    /// that does not hold the others.
    fn shares(&self, undone: usize) -> Vec<usize> {
        let (patience, now) = (self.share_patience_ns(), awake_ns());
        let share = self.share(undone);
        let lacks = |member: &Member| {
            let since = member.asked.front().map(|(_, since)| now.saturating_sub(*since));
            let is_slow = since.zip(patience).is_some_and(|(since, patience)| since > patience);
            match member.is_here() && !is_slow {
                true => share.saturating_sub(member.blocks as usize + member.asked.len()),
                false => 0,
            }
        };
        self.members.iter().map(lacks).collect()
    }

    /// Takes a block that was delivered.
    fn take(
        &mut self,
        answer: &Answer,
        (batch, is_done): (&Batch, &mut [bool]),
        monitor: &mut Monitor<'_>,
    ) -> Result<Effect, RunError> {
        let work = match &answer.request {
            Request::Execute(work) if !work.is_warmup => work,
            _ => return self.has_begun(answer, monitor).map(|()| Effect::Nothing),
        };
        let place = work.first.checked_sub(batch.first).map(|place| place as usize);
        let place = place.filter(|place| is_done.get(*place) == Some(&false));
        let Some(place) = place else {
            self.counts_late(answer);
            return Ok(Effect::Nothing);
        };
        match &answer.done.end {
            End::Failed(failure) if !self.has_blocks => {
                self.record(answer, monitor)?;
                let failure = Some(failure.clone());
                return Ok(Effect::Failed(Stop { by: StoppedBy::Failure, failure }));
            }
            End::Failed(failure) => {
                let ended = how(&failure.outcome);
                let subject = monitor.experiment.label(failure.command);
                let why = format!("{subject} {ended} there, and not elsewhere");
                self.leave_out(answer.member, &why, monitor)?;
                return Ok(Effect::Nothing);
            }
            End::Whole if answer.done.blocks == 1 => {}
            End::Whole | End::Interrupted => return Ok(Effect::Nothing),
        }
        self.record(answer, monitor)?;
        is_done[place] = true;
        self.has_blocks = true;
        self.members[answer.member].blocks += 1;
        self.members[answer.member].delivered += 1;
        self.took.push(awake_ns().saturating_sub(answer.since_ns));
        if self.took.len() > USUAL {
            self.took.remove(0);
        }
        Ok(Effect::Block(answer.done.given_up.clone()))
    }

    /// Executes measured blocks, each on one of the nodes.
    pub(super) fn blocks(
        &mut self,
        batch: &Batch,
        monitor: &mut Monitor<'_>,
    ) -> Result<Executed, RunError> {
        let mut is_done = vec![false; batch.orders.len()];
        let mut given_up = BTreeSet::new();
        let mut flow = Flow::Continue(());
        let (began, mut ends_at) = (Instant::now(), None::<Instant>);
        if batch.first_of_stage {
            self.members.iter_mut().for_each(|member| member.blocks = 0);
        }
        while is_done.contains(&false) {
            if self.is_hopeless() {
                return Err(self.lost());
            }
            let is_late = batch.deadline_ns.is_some_and(|deadline| awake_ns() >= deadline);
            if monitor.was_interrupted && flow.is_continue() {
                (flow, ends_at) = (Stop::by(StoppedBy::Interrupt), Some(Instant::now() + LONG));
            }
            if is_late && ends_at.is_none() {
                ends_at = Some(Instant::now() + self.grace(began));
            }
            if flow.is_continue() && !is_late {
                self.hand_out(batch, &is_done);
            } else if self.members.iter().all(|member| member.asked.is_empty())
                || ends_at.is_some_and(|ends_at| Instant::now() > ends_at)
            {
                flow = if flow.is_continue() { Stop::by(StoppedBy::Budget) } else { flow };
                break;
            }
            if let Some(answer) = self.next(monitor)? {
                match self.take(&answer, (batch, &mut is_done), monitor)? {
                    Effect::Nothing => {}
                    Effect::Block(more) => given_up.extend(more),
                    Effect::Failed(stop) => {
                        flow = Flow::Break(stop);
                        break;
                    }
                }
            }
            monitor.progress()?;
        }
        // What is still under way was delivered by another node.
        self.members.iter_mut().for_each(Member::interrupt);
        let blocks = is_done.iter().filter(|is_done| **is_done).count();
        let blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
        Ok(Executed { blocks, given_up: given_up.into_iter().collect(), flow })
    }
}

/// The outcome of a delivery.
enum Effect {
    Nothing,
    Block(Vec<usize>),
    Failed(Stop),
}

/// Whether a node may take one of so many free blocks: one of its own share, or one that no other's share needs.
fn may_take(shares: &[usize], member: usize, free: usize) -> bool {
    shares[member] > 0 || free > shares.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a fast node that leaves others too few blocks to count, and one that waits where nobody needs them.
    #[test]
    fn a_share_is_left_to_each_node() {
        // Twelve blocks on three nodes, of which one comes late.
        let mut shares = [4, 4, 4];
        let mut taken = [0; 3];
        for free in (1..=12).rev() {
            let who = if may_take(&shares, 0, free) { 0 } else { 1 + usize::from(taken[1] == 4) };
            assert!(may_take(&shares, who, free));
            taken[who] += 1;
            shares[who] = shares[who].saturating_sub(1);
        }
        assert_eq!(taken, [4, 4, 4]);
        // Beyond the shares the first to ask has it; of nodes that are gone there is none.
        assert!(may_take(&[0, 10, 10], 0, 21) && !may_take(&[0, 10, 10], 0, 20));
        assert!(may_take(&[0, 0, 0], 0, 1));
    }
}
