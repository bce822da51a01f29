//! Compact letter display: which subjects differ, as letters beside a table.

use super::bits::Bits;

/// Letters for `k` subjects in table order, such that two subjects share a letter if and only if
/// they do not differ. `differs` is symmetric and never asked about a subject and itself. Every
/// subject gets at least one letter; "a" belongs to the first subject.
///
/// Not differing is not transitive, and the letters keep that: with A ≠ C only, A is "a", B "ab", C
/// "b". The letters are joined ("ab"); when more than 26 are in use they go on aa, ab, … and are
/// joined by commas.
///
/// Insert-and-absorb, then sweep (Piepho, "An Algorithm for a Letter-Based Representation of
/// All-Pairwise Comparisons", J. Computational and Graphical Statistics 13, 2004), with all
/// differences of a subject inserted at once. Relations that come from overlapping intervals need
/// at most k letters. An arbitrary relation may have exponentially many maximal groups: beyond
/// 4·k + 64 columns the groups are grown greedily instead, at most k² of them, with the same
/// guarantee. O(k³) at worst for intervals, in steps of 64 subjects.
#[must_use]
pub fn letters(k: usize, differs: impl Fn(usize, usize) -> bool) -> Vec<String> {
    let alike = alike(k, differs);
    let mut columns = insert_and_absorb(&alike).unwrap_or_else(|| grow(&alike));
    sweep(&mut columns, k);
    columns.sort_by(|a, b| a.members().cmp(b.members()));
    let separator = if columns.len() > 26 { "," } else { "" };
    let of = |subject: usize| {
        let own = columns.iter().enumerate().filter(|(_, column)| column.contains(subject));
        own.map(|(index, _)| letter(index)).collect::<Vec<_>>().join(separator)
    };
    (0..k).map(of).collect()
}

/// For each subject the set of those it does not differ from, itself included.
fn alike(k: usize, differs: impl Fn(usize, usize) -> bool) -> Vec<Bits> {
    let mut alike = vec![Bits::none(k); k];
    for i in 0..k {
        alike[i].insert(i);
        for j in i + 1..k {
            if !differs(i, j) {
                alike[i].insert(j);
                alike[j].insert(i);
            }
        }
    }
    alike
}

/// All maximal groups of subjects that do not differ; `None` if they become too many.
fn insert_and_absorb(alike: &[Bits]) -> Option<Vec<Bits>> {
    let k = alike.len();
    let mut columns = vec![Bits::all(k)];
    for (subject, alike) in alike.iter().enumerate() {
        let torn = |column: &Bits| column.contains(subject) && !column.is_subset(alike);
        let (split, mut kept): (Vec<Bits>, Vec<Bits>) = columns.into_iter().partition(torn);
        let with = split.iter().map(|column| column.intersection(alike));
        let without = split.iter().map(|column| column.without(subject));
        let parts: Vec<Bits> = with.chain(without).collect();
        absorb(&mut kept, parts);
        if kept.len() > 4 * k + 64 {
            return None;
        }
        columns = kept;
    }
    Some(columns)
}

/// Adds the parts that are not within another column. A part never holds a kept column: the column
/// it comes from did not.
fn absorb(kept: &mut Vec<Bits>, mut parts: Vec<Bits>) {
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    for part in parts {
        if !kept.iter().any(|column| part.is_subset(column)) {
            kept.push(part);
        }
    }
}

/// Groups grown around every pair that no earlier group holds, each time by the subject that forms
/// most such pairs with the group, until none forms any.
fn grow(alike: &[Bits]) -> Vec<Bits> {
    let k = alike.len();
    let mut columns = Vec::new();
    let mut covered = vec![Bits::none(k); k];
    for i in 0..k {
        while alike[i].first_outside(&covered[i]).is_some() {
            let mut group = Bits::none(k);
            let mut candidates = alike[i].clone();
            let mut next = Some(i);
            while let Some(member) = next {
                group.insert(member);
                candidates = candidates.intersection(&alike[member]).without(member);
                let new_pairs = |&c: &usize| group.count_outside(&covered[c]);
                next = candidates.members().max_by_key(new_pairs).filter(|c| new_pairs(c) > 0);
            }
            for member in group.members() {
                covered[member].unite(&group);
            }
            columns.push(group);
        }
    }
    columns
}

/// Takes subjects out of columns where every pair they form is also in another column, and drops
/// the columns that this empties.
fn sweep(columns: &mut Vec<Bits>, k: usize) {
    // How many columns hold both; the diagonal counts a subject's letters.
    let mut together = vec![0_u32; k * k];
    for column in &*columns {
        for subject in column.members() {
            column.members().for_each(|other| together[subject * k + other] += 1);
        }
    }
    for column in &mut *columns {
        for subject in column.clone().members() {
            if column.members().all(|other| together[subject * k + other] > 1) {
                together[subject * k + subject] -= 1;
                *column = column.without(subject);
                for other in column.members() {
                    together[subject * k + other] -= 1;
                    together[other * k + subject] -= 1;
                }
            }
        }
    }
    columns.retain(|column| column.len() > 0);
}

/// 0 → a, 25 → z, 26 → aa: the number written with the letters as digits from 1 to 26.
fn letter(index: usize) -> String {
    let mut name = Vec::new();
    let mut rest = index + 1;
    while rest > 0 {
        rest -= 1;
        name.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    name.into_iter().rev().collect()
}
