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
    let (chosen, labelled) = chosen(&catalogue, asked);
    let all = || chosen.iter().filter_map(|run| run.bytes).sum();
    let what = format!("{} ({})", counted(chosen.len(), "run", "runs"), size(all()));
    if labelled > 0 {
        let have = counted(labelled, "more has", "more have");
        output::remark(&format!("{have} a name, a tag or a note: --labelled removes those, too"));
    }
    if chosen.is_empty() {
        output::remark("nothing to remove");
        return Ok(());
    }
    if !asked.yes {
        let mut lines = list::table(&store, &chosen);
        let them = if chosen.len() == 1 { "it" } else { "them" };
        lines.push(format!("{what} would be removed: --yes removes {them}"));
        return output::lines(&lines);
    }
    for run in &chosen {
        store.remove(&run.id).map_err(Failure::new)?;
    }
    output::remark(&format!("removed {what}"));
    Ok(())
}

/// The runs of which everything that was asked holds, newest first, and how many more there would be without
/// their labels.
fn chosen(catalogue: &Catalogue<'_>, asked: &Prune) -> (Vec<Saved>, usize) {
    let runs: Vec<Saved> = catalogue.runs().collect();
    let mut bytes: u64 = runs.iter().filter_map(|run| run.bytes).sum();
    let keep = asked.keep.unwrap_or(0).min(runs.len());
    let (mut chosen, mut labelled) = (Vec::new(), 0);
    for run in runs.into_iter().skip(keep).rev() {
        if asked.total.is_some_and(|most| bytes <= most) {
            break;
        }
        if !is_meant(&run, asked) {
            continue;
        }
        if run.is_labelled() && !asked.labelled {
            labelled += 1;
            continue;
        }
        bytes = bytes.saturating_sub(run.bytes.unwrap_or(0));
        chosen.push(run);
    }
    chosen.reverse();
    (chosen, labelled)
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
