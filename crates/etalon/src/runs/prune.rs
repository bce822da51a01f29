//! Removes old and large runs.
//!
//! Owns that nothing is removed that was not listed before, unless that was asked for with `--yes`, and that what
//! somebody labelled stays. Refuses to ask: in a pipe nobody answers.

use etalon_record::store::{Catalogue, Saved, State};
use etalon_report::number::counted;
use etalon_report::runs::size;

use super::list::{self, Reversed};
use crate::cli::Prune;
use crate::failure::Failure;
use crate::{output, saved};

/// Lists what would be removed, or removes it.
pub(super) fn run(asked: &Prune) -> Result<(), Failure> {
    let Prune { older_than, keep, larger_than, total, .. } = asked;
    if older_than.is_none() && keep.is_none() && larger_than.is_none() && total.is_none() {
        return Err(Failure::new(
            "say what is to go: --older-than 90d, --larger-than 100MB, --total 1GB, or all but the \
             newest with --keep 50",
        ));
    }
    let store = saved::store()?;
    let catalogue = store.catalogue().map_err(Failure::new)?;
    let mut ids = Vec::new();
    let mut listed = Reversed::new(&store);
    let chosen = choose(&catalogue, asked, |run| match asked.yes {
        true => ids.push(run.id),
        false => listed.add(run),
    });
    let what = format!("{} ({})", counted(chosen.runs, "run", "runs"), size(chosen.bytes));
    if chosen.labelled > 0 {
        let have = counted(chosen.labelled, "more has", "more have");
        output::remark(&format!("{have} a name, a tag or a note: --labelled removes those, too"));
    }
    if chosen.runs == 0 {
        output::remark("nothing to remove");
        return Ok(());
    }
    if !asked.yes {
        let them = if chosen.runs == 1 { "it" } else { "them" };
        let last = format!("{what} would be removed: --yes removes {them}");
        return list::write(listed.rows(), Some(last));
    }
    let removal = store.removal().map_err(Failure::new)?;
    ids.iter().rev().try_for_each(|id| removal.remove(id)).map_err(Failure::new)?;
    output::remark(&format!("removed {what}"));
    Ok(())
}

/// How many runs are to go.
#[derive(Default)]
struct Chosen {
    runs: usize,
    /// The bytes of their records.
    bytes: u64,
    /// How many more they would be without their labels.
    labelled: usize,
}

/// Gives away the runs of which everything that was asked holds, oldest first. Each run of the store is looked at once.
fn choose(catalogue: &Catalogue<'_>, asked: &Prune, mut found: impl FnMut(Saved)) -> Chosen {
    let mut left = catalogue.bytes();
    let mut chosen = Chosen::default();
    for run in catalogue.runs().skip(asked.keep.unwrap_or(0)).rev() {
        if asked.total.is_some_and(|most| left <= most) {
            break;
        }
        if !is_meant(&run, asked) {
            continue;
        }
        if run.is_labelled() && !asked.labelled {
            chosen.labelled += 1;
            continue;
        }
        let bytes = run.bytes.unwrap_or(0);
        left = left.saturating_sub(bytes);
        chosen.bytes += bytes;
        chosen.runs += 1;
        found(run);
    }
    chosen
}

/// Whether its age and its size are meant. One that is being written never is, and one that does not say when it
/// started is no older than anything.
fn is_meant(run: &Saved, asked: &Prune) -> bool {
    let is_older = |than| run.started().is_some_and(|at| at < than);
    let is_larger = |than| run.bytes.is_some_and(|bytes| bytes > than);
    run.state != State::Running
        && asked.older_than.is_none_or(is_older)
        && asked.larger_than.is_none_or(is_larger)
}
