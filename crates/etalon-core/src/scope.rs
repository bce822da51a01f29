//! Scopes that benchmarks are compared within: cases within their file, their group of it, and the job they do.
//!
//! A *job* is a combination of values of parameters, such as `job=tree`: cases of different jobs do
//! different work, and nobody asks which is faster. Owns which parameters are jobs. Refuses to know samples.

use std::collections::HashMap;

use crate::model::{Case, EMPTY_LOOP};

/// A scope that cases are compared within.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The file that declares them.
    pub file: String,
    /// The group within it, where they have one.
    pub group: Option<String>,
    /// The parameters, with their values, that they have in common because they are a job. In the order of the
    /// first case.
    pub job: Vec<(String, String)>,
}

/// Which parameters of cases are jobs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum By {
    /// Those that all names of a file, or group, share, if there are several names.
    #[default]
    Shared,
    /// These, as far as a case has them; none means that cases of all parameters are compared.
    Params(Vec<String>),
}

/// A benchmark as it is declared, as far as its scope depends on it.
#[derive(Debug, Clone, Copy)]
pub struct Declaration<'a> {
    /// Its name, without parameters.
    pub name: &'a str,
    /// Its parameters.
    pub params: &'a [(String, String)],
    /// Where it is declared; absent for commands.
    pub case: Option<&'a Case>,
}

/// Members that are compared with each other, in order of appearance: scopes, with the positions of their members.
/// Commands are all in one scope, which is None.
#[must_use]
pub fn scopes(members: &[Declaration<'_>], by: &By) -> Vec<(Option<Scope>, Vec<usize>)> {
    let places = grouped(0..members.len(), |&at| members[at].case.map(Case::place));
    let mut scopes = Vec::new();
    for (place, positions) in places {
        let Some((file, group)) = place else {
            scopes.push((None, positions));
            continue;
        };
        let scope =
            |job| Some(Scope { file: file.to_owned(), group: group.map(str::to_owned), job });
        let (loops, cases): (Vec<usize>, Vec<usize>) =
            positions.into_iter().partition(|&at| members[at].name == EMPTY_LOOP);
        let jobs = jobs(members, &cases, by);
        let mut of_jobs = grouped(cases.into_iter(), |&at| job(&members[at], &jobs));
        // The empty loop has no parameters but those of what executes it, and stands beside the first with these.
        for at in loops {
            let of_loop = job(&members[at], &jobs);
            let beside = |(job, _): &&mut (Vec<_>, _)| of_loop.iter().all(|it| job.contains(it));
            match of_jobs.iter_mut().find(beside) {
                Some((_, first)) => first.push(at),
                None => of_jobs.push((of_loop, vec![at])),
            }
        }
        scopes.extend(of_jobs.into_iter().map(|(job, members)| (scope(job), members)));
    }
    scopes
}

/// The parameters that are jobs among the cases of a place.
fn jobs<'a>(members: &[Declaration<'a>], cases: &[usize], by: &'a By) -> Vec<&'a str> {
    let shared = match by {
        By::Params(params) => return params.iter().map(String::as_str).collect(),
        By::Shared => shared(members, cases),
    };
    // Where no two cases do the same job, nothing would be compared with anything.
    let of_jobs = grouped(cases.iter(), |&&at| job(&members[at], &shared));
    if of_jobs.iter().any(|(_, cases)| cases.len() > 1) { shared } else { Vec::new() }
}

/// The parameters that every case has; none of cases of a single name, which are a scan.
fn shared<'a>(members: &[Declaration<'a>], cases: &[usize]) -> Vec<&'a str> {
    let Some(first) = cases.first().map(|&at| members[at]) else { return Vec::new() };
    if cases.iter().all(|&at| members[at].name == first.name) {
        return Vec::new();
    }
    let has = |at: usize, name: &str| members[at].params.iter().any(|param| param.0 == name);
    let names = first.params.iter().map(|param| param.0.as_str());
    names.filter(|name| cases.iter().all(|&at| has(at, name))).collect()
}

fn job(member: &Declaration<'_>, jobs: &[&str]) -> Vec<(String, String)> {
    let of_job = |param: &&(String, String)| jobs.contains(&param.0.as_str());
    let mut job: Vec<_> = member.params.iter().filter(of_job).cloned().collect();
    // Two cases may give the same parameters in different order.
    job.sort_by_key(|param| jobs.iter().position(|name| *name == param.0));
    job
}

/// Items that share a key, in order of appearance.
fn grouped<T, K: Clone + Eq + std::hash::Hash>(
    items: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<(K, Vec<T>)> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    let mut known: HashMap<K, usize> = HashMap::new();
    for item in items {
        let key = key(&item);
        let at = *known.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push(item);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Collector, Sampling, Warmup};

    /// Names with parameters, as `a job=x n=1`, to the scopes that come of them.
    fn scoped(cases: &[&str], by: &By) -> Vec<(String, Vec<usize>)> {
        let sampling = Sampling {
            warmup: Warmup::For(0.0),
            collector: Collector::Full,
            confidence: 0.95,
            target: None,
        };
        let case = Case::new("f.lua", sampling);
        let parsed: Vec<(&str, Vec<(String, String)>)> = cases
            .iter()
            .map(|text| {
                let mut words = text.split(' ');
                let param = |word: &str| {
                    let (name, value) = word.split_once('=').unwrap();
                    (name.to_owned(), value.to_owned())
                };
                (words.next().unwrap(), words.map(param).collect())
            })
            .collect();
        let members: Vec<Declaration<'_>> = parsed
            .iter()
            .map(|(name, params)| Declaration { name, params, case: Some(&case) })
            .collect();
        let shown = |scope: Option<Scope>| {
            let job = scope.unwrap().job;
            job.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
        };
        scopes(&members, by).into_iter().map(|(scope, members)| (shown(scope), members)).collect()
    }

    fn expected(scopes: &[(&str, &[usize])]) -> Vec<(String, Vec<usize>)> {
        scopes.iter().map(|(job, members)| ((*job).to_owned(), members.to_vec())).collect()
    }

    #[test]
    fn parameters_that_all_names_share_are_jobs() {
        let cases = ["a job=x", "a job=y", "b job=y", "b job=x"];
        assert_eq!(
            scoped(&cases, &By::Shared),
            expected(&[("job=x", &[0, 3]), ("job=y", &[1, 2])])
        );
        let more = ["a job=x n=1", "b n=1 job=x", "b n=2 job=x way=z"];
        assert_eq!(
            scoped(&more, &By::Shared),
            expected(&[("job=x n=1", &[0, 1]), ("job=x n=2", &[2])])
        );
    }

    #[test]
    fn a_scan_and_cases_without_common_work_are_compared_as_they_are() {
        for cases in [
            &["sort n=1", "sort n=2", "sort n=3"][..],
            &["a n=1", "b n=2"],
            &["a n=1", "b n=1", "c"],
            &["a", "b"],
        ] {
            let all: Vec<usize> = (0..cases.len()).collect();
            assert_eq!(scoped(cases, &By::Shared), expected(&[("", &all)]), "{cases:?}");
        }
    }

    #[test]
    fn parameters_that_were_named_are_jobs_and_naming_none_compares_all() {
        let cases = ["a job=x n=1", "a job=x n=2", "b job=x n=1", "c"];
        let named = |names: &[&str]| By::Params(names.iter().map(ToString::to_string).collect());
        assert_eq!(
            scoped(&cases, &named(&["n"])),
            expected(&[("n=1", &[0, 2]), ("n=2", &[1]), ("", &[3])])
        );
        assert_eq!(scoped(&cases, &named(&[])), expected(&[("", &[0, 1, 2, 3])]));
    }

    #[test]
    fn the_empty_loop_stands_beside_the_first_job() {
        let sampling = Sampling {
            warmup: Warmup::For(0.0),
            collector: Collector::Full,
            confidence: 0.95,
            target: None,
        };
        let case = Case::new("f.lua", sampling);
        let params: Vec<Vec<(String, String)>> = ["x", "x", "y", "y"]
            .iter()
            .map(|job| vec![("job".to_owned(), (*job).to_owned())])
            .chain([Vec::new()])
            .collect();
        let names = ["a", "b", "a", "b", EMPTY_LOOP];
        let members: Vec<Declaration<'_>> = names
            .iter()
            .zip(&params)
            .map(|(name, params)| Declaration { name, params, case: Some(&case) })
            .collect();
        let found: Vec<Vec<usize>> =
            scopes(&members, &By::Shared).into_iter().map(|(_, members)| members).collect();
        assert_eq!(found, [vec![0, 1, 4], vec![2, 3]]);
    }

    #[test]
    fn commands_are_one_scope() {
        let commands = [Declaration { name: "a", params: &[], case: None }; 3];
        assert_eq!(scopes(&commands, &By::Shared), [(None, vec![0, 1, 2])]);
    }
}
