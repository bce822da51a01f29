//! Names in a width, so that those that differ still do.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::text;

/// The names in at most `columns`. The middle of a long one is left out; where names become alike by that, what all
/// of them begin with is, or what all end with.
pub(crate) fn shortened(names: &[&String], columns: usize, sign: &str) -> Vec<String> {
    let fitted = |names: &[String]| -> Vec<String> {
        names.iter().map(|name| text::shortened(name, columns, sign)).collect()
    };
    let whole: Vec<String> = names.iter().map(|name| (*name).clone()).collect();
    let long: Vec<&str> =
        whole.iter().filter(|name| text::width(name) > columns).map(String::as_str).collect();
    let ways = [
        whole.clone(),
        without(&whole, &long, |name, _, end| format!("{}{sign}", &name[..name.len() - end])),
        without(&whole, &long, |name, start, _| format!("{sign}{}", &name[start..])),
        without(&whole, &long, |name, start, end| {
            format!("{sign}{}{sign}", &name[start..name.len() - end])
        }),
    ];
    // Of equally good ways the first.
    let apart = |way: &Vec<String>| way.iter().collect::<HashSet<_>>().len();
    let best = ways.iter().map(|way| fitted(way)).min_by_key(|way| Reverse(apart(way)));
    told_apart(names, best.unwrap_or(whole), columns, sign)
}

/// Shortens long names that are alike at both ends: those that are still alike are told apart among themselves.
fn told_apart(
    names: &[&String],
    mut short: Vec<String>,
    columns: usize,
    sign: &str,
) -> Vec<String> {
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, text) in short.iter().enumerate() {
        alike.entry(text.clone()).or_default().push(at);
    }
    for places in alike.into_values().filter(|it| (2..names.len()).contains(&it.len())) {
        let of: Vec<&String> = places.iter().map(|at| names[*at]).collect();
        if of.iter().collect::<HashSet<_>>().len() > 1 {
            let again = shortened(&of, columns, sign);
            places.into_iter().zip(again).for_each(|(at, text)| short[at] = text);
        }
    }
    short
}

/// The long names without what all of them have in common: bytes at the start, and at the end.
fn without(
    all: &[String],
    long: &[&str],
    cut: impl Fn(&str, usize, usize) -> String,
) -> Vec<String> {
    let Some(first) = long.first().filter(|_| long.len() > 1) else { return all.to_vec() };
    let common = |a: &str, b: &str| -> usize {
        a.chars().zip(b.chars()).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).sum()
    };
    let common_end = |a: &str, b: &str| -> usize {
        let same = a.chars().rev().zip(b.chars().rev()).take_while(|(x, y)| x == y);
        same.map(|(x, _)| x.len_utf8()).sum()
    };
    let shortest = long.iter().map(|name| name.len()).min().unwrap_or(0);
    let start = long.iter().map(|name| common(first, name)).min().unwrap_or(0);
    let end = long.iter().map(|name| common_end(first, name)).min().unwrap_or(0);
    let end = end.min(shortest - start.min(shortest));
    let short = |name: &String| match long.contains(&name.as_str()) {
        true => cut(name, start, end),
        false => name.clone(),
    };
    all.iter().map(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_20(names: &[&str]) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        shortened(&names.iter().collect::<Vec<_>>(), 20, "…")
    }

    /// Would catch rows that cannot be told apart.
    #[test]
    fn names_that_differ_stay_apart() {
        let numbered = in_20(&[
            "a long name, number 1 of many others",
            "a long name, number 2 of many others",
        ]);
        assert_eq!(numbered, ["a long name, …ber 1…", "a long name, …ber 2…"]);
        assert_eq!(
            in_20(&["short", "a name that is too long for it"]),
            ["short", "a name that i…for it"]
        );
        assert_eq!(
            in_20(&["gzip -1 -c some/file.txt", "gzip -9 -c some/file.txt"]),
            ["gzip -1 -c so…le.txt", "gzip -9 -c so…le.txt"]
        );
        // One that has nothing in common with the others does not make these alike.
        let beside = in_20(&[
            "python3 /opt/tools/serialise.py --level 1 --of /dev/null",
            "python3 /opt/tools/serialise.py --level 5 --of /dev/null",
            "python3 /opt/tools/serialise.py --level 9 --of /dev/null",
            "perl -e 'print 1 for 1 .. 1000000; print 2'",
        ]);
        assert_eq!(beside.iter().collect::<HashSet<_>>().len(), 4, "{beside:?}");
        let wide = in_20(&["漢字漢字漢字漢字漢字一漢字", "漢字漢字漢字漢字漢字二漢字"]);
        assert_ne!(wide[0], wide[1]);
        let alike = in_20(&["one and the same long name", "one and the same long name"]);
        assert_eq!(alike[0], alike[1]);
    }
}
