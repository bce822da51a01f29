//! Machines that benchmarks were measured on, where results of one data set are of several.
//!
//! Owns which benchmarks are of one machine, by the keys of machines that make tables of the data, too. Refuses to tell
//! data sets apart that are of one machine each: what differs between them is noted, and compared.

use super::subject::Subject;
use crate::dataset::ConfigurationId;

/// The keys that tell a machine from others in the data, with their values, which are empty if they are not said.
pub type Machine = Vec<(String, String)>;

/// Some benchmarks by machine, in order of appearance; of data that name no two, all of them.
pub(super) fn apart(subjects: &[Subject<'_>], members: Vec<usize>) -> Vec<(Machine, Vec<usize>)> {
    let keys =
        members.first().map(|at| subjects[*at].data.varying_machine_keys()).unwrap_or_default();
    if keys.is_empty() {
        return vec![(Machine::new(), members)];
    }
    let mut machines: Vec<(Machine, Vec<usize>)> = Vec::new();
    for at in members {
        let machine = machine(&subjects[at], &keys);
        match machines.iter_mut().find(|(known, _)| *known == machine) {
            Some((_, of_it)) => of_it.push(at),
            None => machines.push((machine, vec![at])),
        }
    }
    machines
}

fn machine(subject: &Subject<'_>, keys: &[&str]) -> Machine {
    let value = |key: &str| fact(subject, key).unwrap_or_default().to_owned();
    keys.iter().map(|key| ((*key).to_owned(), value(key))).collect()
}

/// A fact of the machine that a benchmark was measured on, where it is said.
pub(super) fn fact<'d>(subject: &Subject<'d>, key: &str) -> Option<&'d str> {
    subject.data.fact(configuration(subject)?, key)
}

/// The configuration it was measured under; absent if it was not executed.
fn configuration(subject: &Subject<'_>) -> Option<ConfigurationId> {
    let row = subject.group.rows.first().or(subject.group.uncounted.first())?;
    Some(subject.data.series_of(*row as usize).configuration)
}
