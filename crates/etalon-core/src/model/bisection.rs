//! A run that looks for the commit which changed a figure: the commits in their order, and what was asked for.
//!
//! Refuses to look at readings: what they say is [`crate::bisect`]'s.

/// The parameter that says which commit a benchmark is of: the commit's name, as short as it may be.
pub const COMMIT: &str = "commit";

/// The fewest digits of a commit's short name.
const SHORTEST: usize = 8;

/// A search among commits.
#[derive(Debug, Clone, PartialEq)]
pub struct Bisection {
    /// The good end as it was typed, and the bad one.
    pub asked: [String; 2],
    /// The commits in their order: the good end first, the bad one last.
    pub commits: Vec<Commit>,
    /// The chance that naming a commit takes.
    pub confidence: f64,
    /// The most blocks that prove that the ends differ.
    pub proving: u32,
    /// How often the ends and the neighbours of a step are built.
    pub builds: usize,
    /// Whether a change that is small beside the scatter is searched all the same.
    pub whatever_it_takes: bool,
    /// Whether commits are searched by counts of instructions, and times say what a step costs.
    pub counts: bool,
    /// Of a harness, the query that the one benchmark passes that is followed.
    pub follows: Option<String>,
}

/// A commit of the range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its whole name.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
}

impl Bisection {
    /// The short names of all commits, of one length, which tells them apart.
    #[must_use]
    pub fn short_names(&self) -> Vec<&str> {
        let longest = self.commits.iter().map(|it| it.id.len()).max().unwrap_or(0);
        let cut = |digits: usize| -> Vec<&str> {
            self.commits.iter().map(|it| it.id.get(..digits).unwrap_or(&it.id)).collect()
        };
        let are_told_apart = |names: &[&str]| {
            let mut sorted = names.to_vec();
            sorted.sort_unstable();
            sorted.windows(2).all(|pair| pair[0] != pair[1])
        };
        (SHORTEST..longest).map(cut).find(|names| are_told_apart(names)).unwrap_or(cut(longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch two commits of one name.
    #[test]
    fn short_names_tell_commits_apart() {
        let of = |ids: &[&str]| {
            let commits =
                ids.iter().map(|id| Commit { id: (*id).to_owned(), subject: String::new() });
            let bisection = Bisection {
                asked: [String::new(), String::new()],
                commits: commits.collect(),
                confidence: 0.98,
                proving: 60,
                builds: 2,
                whatever_it_takes: false,
                counts: false,
                follows: None,
            };
            bisection.short_names().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(of(&["0123456789abcdef", "1123456789abcdef"]), ["01234567", "11234567"]);
        assert_eq!(of(&["0123456789abcdef", "0123456789xbcdef"]), ["0123456789a", "0123456789x"]);
        assert_eq!(of(&["01", "02"]), ["01", "02"]);
    }
}
