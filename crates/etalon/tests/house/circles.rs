//! Circles of imports: among the top-level modules of a crate, and among the files of one module.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::Source;

type Arrows<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Every circle as a line: the module its members stand in, and the members.
///
/// An arrow leads from a child of a module to another child of it that a file in or below the first one names. A name
/// that the module itself exports counts for none of its children, and neither do names in the module's own file.
pub(crate) fn all(sources: &[Source]) -> Vec<String> {
    let mut rooms: BTreeMap<(&str, &[String]), Arrows<'_>> = BTreeMap::new();
    for source in sources {
        for depth in 0..source.module.len() {
            let (room, child) = (&source.module[..depth], source.module[depth].as_str());
            let arrows = rooms.entry((&source.krate, room)).or_default().entry(child).or_default();
            let inside =
                source.names.iter().filter(|name| name.len() > depth && name[..depth] == *room);
            arrows.extend(inside.map(|name| name[depth].as_str()).filter(|other| *other != child));
        }
    }
    let mut found = Vec::new();
    for ((krate, room), arrows) in &rooms {
        let room = [&[(*krate).to_owned()], *room].concat().join("::");
        found.extend(
            circles(arrows).into_iter().map(|members| format!("{room}: {}", members.join(" "))),
        );
    }
    found
}

/// Sets of children each of which reaches every other.
fn circles<'a>(arrows: &Arrows<'a>) -> Vec<Vec<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|child| (*child, beyond(child, arrows))).collect();
    let mut circles = BTreeSet::new();
    for (child, reaches) in &reached {
        if reaches.contains(child) {
            let members = reaches
                .iter()
                .filter(|other| reached.get(*other).is_some_and(|back| back.contains(child)));
            circles.insert(members.copied().collect::<Vec<_>>());
        }
    }
    circles.into_iter().collect()
}

fn beyond<'a>(child: &str, arrows: &Arrows<'a>) -> BTreeSet<&'a str> {
    let mut beyond = BTreeSet::new();
    let mut next: Vec<&str> = arrows[child].iter().copied().collect();
    while let Some(used) = next.pop() {
        if let Some((used, more)) = arrows.get_key_value(used)
            && beyond.insert(*used)
        {
            next.extend(more.iter().copied());
        }
    }
    beyond
}
