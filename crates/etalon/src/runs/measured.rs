//! The subjects of a run, in a few columns: its commands, or the files of its cases.

use std::collections::HashSet;

use etalon_record::store::{Saved, State};
use etalon_report::text::{clean, shortened, width};
use etalon_report::view::Charset;

use super::columns::shared;

/// The fewest columns for one of several names. Because: fewer do not tell one from another.
const NARROWEST: usize = 8;

/// The names it has to be recognised by: files of cases, else benchmarks; of an unreadable record, why.
pub(super) fn names(run: &Saved) -> Vec<String> {
    if let State::Unreadable { reason } = &run.state {
        let path = run.path.display().to_string();
        let why = reason.strip_prefix(&path).unwrap_or(reason);
        return vec![clean(why.trim_start_matches([':', ' ']))];
    }
    let mut names: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for line in &run.benchmarks {
        let name = match &line.case {
            Some(case) => case.file.rsplit('/').next().unwrap_or_default().to_owned(),
            None => line.to_benchmark().label(),
        };
        let name = clean(&name);
        if known.insert(name.clone()) {
            names.push(name);
        }
    }
    if names.is_empty() {
        names.push(super::words::command_line(run));
    }
    names
}

/// The names as far as they fit, each shortened in its middle, and how many more there are.
pub(super) fn within(names: &[String], columns: usize, charset: Charset) -> String {
    // Of more, the commas alone are too wide.
    let most = names.len().min(columns / 2 + 1);
    for shown in (1..=most).rev() {
        let more = match names.len() - shown {
            0 => String::new(),
            more => format!(" +{more}"),
        };
        let wanted: Vec<usize> = names[..shown].iter().map(|name| width(name)).collect();
        let room = columns.saturating_sub(2 * (shown - 1) + more.len());
        let widths = shared(room, &wanted);
        let enough = |(have, want): (&usize, &usize)| *have >= NARROWEST.min(*want);
        if shown == 1 || widths.iter().zip(&wanted).all(enough) {
            let cut = names
                .iter()
                .zip(&widths)
                .map(|(name, room)| shortened(name, *room, charset.ellipsis()));
            return format!("{}{more}", cut.collect::<Vec<_>>().join(", "));
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_names_as_can_be_told_apart() {
        let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let fit = |list: &[&str], columns| within(&names(list), columns, Charset::Unicode);
        let gzips = ["gzip -1 -c Cargo.lock", "gzip -9 -c Cargo.lock"];
        assert_eq!(fit(&gzips, 60), "gzip -1 -c Cargo.lock, gzip -9 -c Cargo.lock");
        assert_eq!(fit(&gzips, 24), "gzip -1…ock, gzip -9…ock");
        assert_eq!(fit(&gzips, 16), "gzip -1 …lock +1");
        assert_eq!(fit(&["a", "b", "c"], 7), "a, b, c");
        assert_eq!(fit(&["a", "b", "c"], 6), "a +2");
        assert_eq!(fit(&[], 6), "");
        for columns in 3..50 {
            assert!(width(&fit(&gzips, columns)) <= columns);
        }
    }
}
