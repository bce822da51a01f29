//! Names, tags and notes, given and taken.

use etalon_record::store::{Labels, StoreError};
use etalon_report::text::clean;

use super::id;
use crate::failure::Failure;
use crate::{output, saved};

/// Names a run.
pub(super) fn name(reference: &str, name: &str) -> Result<(), Failure> {
    let (store, id) = (saved::store()?, id(reference)?);
    let before = store.set_name(&id, name).map_err(Failure::new)?;
    let runs = store.catalogue().map_err(Failure::new)?;
    let moved = before.filter(|old| *old != id).map(|old| format!(" (was {})", runs.short(&old)));
    output::remark(&format!("@{name} is {}{}", runs.short(&id), moved.unwrap_or_default()));
    Ok(())
}

/// Takes a name away.
pub(super) fn unname(name: &str) -> Result<(), Failure> {
    let name = name.strip_prefix('@').unwrap_or(name);
    let store = saved::store()?;
    let id = store.remove_name(name).map_err(Failure::new)?;
    let runs = store.catalogue().map_err(Failure::new)?;
    output::remark(&match id {
        Some(id) => format!("{} is no longer @{name}", runs.short(&id)),
        None => format!("no run is called @{name}"),
    });
    Ok(())
}

/// Adds tags.
pub(super) fn tag(reference: &str, tags: &[String]) -> Result<(), Failure> {
    change(reference, |labels| labels.add(tags))
}

/// Takes tags away; one that is not there is gone already.
pub(super) fn untag(reference: &str, tags: &[String]) -> Result<(), Failure> {
    change(reference, |labels| {
        labels.tags.retain(|tag| !tags.contains(tag));
        Ok(())
    })
}

/// Sets or removes the note.
pub(super) fn note(reference: &str, text: &str) -> Result<(), Failure> {
    change(reference, |labels| labels.set_note(text))
}

fn change(
    reference: &str,
    how: impl FnOnce(&mut Labels) -> Result<(), StoreError>,
) -> Result<(), Failure> {
    let (store, id) = (saved::store()?, id(reference)?);
    let labels = store.label(&id, how).map_err(Failure::new)?;
    let short = store.catalogue().map_err(Failure::new)?.short(&id);
    let mut said: Vec<String> = labels.tags.iter().map(|tag| format!("#{tag}")).collect();
    said.extend(labels.note.map(|note| clean(&note)));
    let said = if said.is_empty() { "no tag and no note".to_owned() } else { said.join(" ") };
    output::remark(&format!("{short}: {said}"));
    Ok(())
}
