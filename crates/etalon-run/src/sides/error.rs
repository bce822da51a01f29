//! Why there are no sides, in words for whoever asked for them.

use std::io;
use std::path::PathBuf;

/// Why there are no sides.
#[derive(Debug, thiserror::Error)]
pub enum SidesError {
    /// There is no git.
    #[error("git: not found in PATH: it has to be installed to check out another revision")]
    NoGit,
    /// The directory is in no working tree.
    #[error("{}: in no working tree of git, so that there is no other revision of it", .0.display())]
    NoRepository(PathBuf),
    /// There is no such revision.
    #[error(
        "{}: no such revision here: write a commit, a branch or a tag (`git log --oneline`, `git branch --all`){}",
        if .revision.is_empty() { "an empty word" } else { .revision },
        .history.remedy()
    )]
    NoRevision {
        /// As it was asked for.
        revision: String,
        /// The extent of the repository's history.
        history: History,
    },
    /// One revision does not lead to the other.
    #[error("{good} … {bad}: no commits between them: {why}")]
    NoRange {
        /// The older one as it was asked for.
        good: String,
        /// The newer one.
        bad: String,
        /// Why not, and what to do.
        why: &'static str,
    },
    /// A partial clone lacks objects of a revision.
    #[error(
        "{revision}: this clone is partial and lacks files of it, and etalon fetches nothing: `git archive -o /dev/null {revision}` brings them"
    )]
    Partial {
        /// Its commit.
        revision: String,
    },
    /// git said no.
    #[error("git {command}: {why}")]
    Git {
        /// The command.
        command: String,
        /// The last line of what it said.
        why: String,
    },
    /// A file or directory could not be made.
    #[error("{}: {error}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The index of a repository names a file elsewhere.
    #[error(
        "{}: the index of the repository says that this file is in it, which leads out of it: `git reset` makes it anew", .0.display()
    )]
    Outside(PathBuf),
    /// A file that both sides are asked for is in none of them.
    #[error("{}: lies outside the working tree, so that no revision has it", .0.display())]
    Elsewhere(PathBuf),
    /// A submodule is not there.
    #[error(
        "{}: a submodule that is not checked out here at {commit}: `git submodule update --init` does that", .path.display()
    )]
    NoSubmodule {
        /// Where it belongs.
        path: PathBuf,
        /// The commit that is wanted of it.
        commit: String,
    },
    /// A file is kept elsewhere by git-lfs.
    #[error(
        "{}: only a pointer of git-lfs in {side}: a program that reads it would not find its content, so commit it, or prepare both sides by hand, for `etalon ab --dir`", .path.display()
    )]
    Pointer {
        /// Of which revision.
        side: String,
        /// Which file.
        path: PathBuf,
    },
    /// A file to be copied along is not there.
    #[error("--copy {}: {error}", .path.display())]
    NoCopy {
        /// As it was asked for.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// The user did not want to wait.
    #[error("interrupted while the revisions were checked out")]
    Interrupted,
}

/// The extent of a repository's history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum History {
    /// All of it.
    Whole,
    /// The newest commits.
    Shallow,
    /// Objects that were needed so far.
    Partial,
}

impl History {
    fn remedy(self) -> &'static str {
        match self {
            History::Whole => "",
            History::Shallow => {
                "; this clone has the newest commits only: `git fetch --unshallow` brings the others"
            }
            History::Partial => {
                "; this clone is partial, and etalon fetches nothing: `git fetch` brings commits that are missing"
            }
        }
    }
}
