//! Removes old and large runs.
//!
//! Owns that nothing is removed that was not listed before, unless that was asked for with `--yes`, and that what
//! somebody labelled stays. Refuses to ask: in a pipe nobody answers.

use etalon_record::store::{Catalogue, Saved, State};
use etalon_report::number::counted;
use etalon_report::runs::size;

use super::list;
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
    let Chosen { runs: chosen, bytes, labelled } = chosen(&catalogue, asked);
    let what = format!("{} ({})", counted(chosen.len(), "run", "runs"), size(bytes));
    if labelled > 0 {
        let have = counted(labelled, "more has", "more have");
        output::remark(&format!("{have} a name, a tag or a note: --labelled removes those, too"));
    }
    if chosen.is_empty() {
        output::remark("nothing to remove");
        return Ok(());
    }
    if !asked.yes {
        let mut is_chosen = vec![false; catalogue.len()];
        chosen.iter().for_each(|(place, _)| is_chosen[*place] = true);
        let runs = catalogue.runs().zip(is_chosen).filter_map(|(run, is)| is.then_some(run));
        let rows = list::rows(&store, runs);
        let them = if chosen.len() == 1 { "it" } else { "them" };
        return list::write(rows, Some(format!("{what} would be removed: --yes removes {them}")));
    }
    for (_, id) in &chosen {
        store.remove(id).map_err(Failure::new)?;
    }
    output::remark(&format!("removed {what}"));
    Ok(())
}

/// The runs that are to go.
struct Chosen {
    /// Their places among all, newest first, and their ids.
    runs: Vec<(usize, String)>,
    /// The bytes of their records.
    bytes: u64,
    /// How many more they would be without their labels.
    labelled: usize,
}

/// The runs of which everything that was asked holds.
fn chosen(catalogue: &Catalogue<'_>, asked: &Prune) -> Chosen {
    let mut left = catalogue.bytes();
    let keep = asked.keep.unwrap_or(0);
    let mut chosen = Chosen { runs: Vec::new(), bytes: 0, labelled: 0 };
    for (place, run) in catalogue.runs().enumerate().skip(keep).rev() {
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
        chosen.runs.push((place, run.id));
    }
    chosen.runs.reverse();
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
