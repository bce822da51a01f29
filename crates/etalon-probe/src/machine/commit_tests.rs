//! Tests of the commit: repositories laid out by hand, and one made by git itself where git is.

use std::process::Command;

use super::super::fixture::{fixture, put};
use super::*;

const ONE: &str = "1111111111111111111111111111111111111111";
const TWO: &str = "2222222222222222222222222222222222222222";

/// Catches HEAD's branch not followed, a line end kept, and a start that only looks in `cwd`.
#[test]
fn a_loose_branch_is_followed_from_below() {
    let dir = fixture(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/refs/heads/main", &format!("{ONE}\n")),
        ("src/deep/file", ""),
    ]);
    assert_eq!(commit_of(dir.path()).as_deref(), Some(ONE));
    let below = dir.path().join("src/deep");
    assert_eq!(commit_of(&below).as_deref(), Some(ONE));
}

/// Catches a detached HEAD, as CI checks out, being without a commit; also with SHA-256.
#[test]
fn a_detached_head_is_the_commit() {
    let long = ONE.repeat(2)[..64].to_owned();
    for id in [ONE, &long] {
        let dir = fixture(&[(".git/HEAD", &format!("{id}\n"))]);
        assert_eq!(commit_of(dir.path()).as_deref(), Some(id));
    }
}

/// Catches packed references not read, read past their place, or matched by a part of the name;
/// and a packed value preferred to a newer loose one.
#[test]
fn packed_references_are_found_and_yield_to_loose_ones() {
    let packed = format!(
        "# pack-refs with: peeled fully-peeled sorted \n{TWO} refs/heads/main-2\n\
         {ONE} refs/heads/work\n{TWO} refs/tags/v1\n^{TWO}\n"
    );
    let dir = fixture(&[(".git/HEAD", "ref: refs/heads/work\n"), (".git/packed-refs", &packed)]);
    assert_eq!(commit_of(dir.path()).as_deref(), Some(ONE));
    put(dir.path(), ".git/HEAD", "ref: refs/heads/main\n");
    assert_eq!(commit_of(dir.path()), None);
    put(dir.path(), ".git/refs/heads/main", TWO);
    assert_eq!(commit_of(dir.path()).as_deref(), Some(TWO));
}

/// Catches the order relied upon in a file that does not claim it, or past the 64 KB of others.
#[test]
fn unsorted_and_long_packed_references_are_read_through() {
    let mut packed = String::from("# pack-refs with: peeled\n");
    for n in 0..3000 {
        packed.push_str(&format!("{TWO} refs/tags/v{n}\n"));
    }
    packed.push_str(&format!("{ONE} refs/heads/main\n"));
    let dir = fixture(&[(".git/HEAD", "ref: refs/heads/main\n"), (".git/packed-refs", &packed)]);
    assert_eq!(commit_of(dir.path()).as_deref(), Some(ONE));
}

/// Catches an old packed value given out when the loose one is damaged (empty after a crash).
#[test]
fn a_damaged_loose_reference_gives_nothing() {
    let dir = fixture(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/packed-refs", &format!("{ONE} refs/heads/main\n")),
    ]);
    for damage in ["", "\0\0\0\0", "1111", &"x".repeat(100_000)] {
        put(dir.path(), ".git/refs/heads/main", damage);
        assert_eq!(commit_of(dir.path()), None);
    }
}

/// Catches a directory of a longer name hiding the packed reference.
#[test]
fn a_left_over_directory_does_not_hide_a_packed_reference() {
    let dir = fixture(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/packed-refs", &format!("{ONE} refs/heads/main\n")),
    ]);
    fs::create_dir_all(dir.path().join(".git/refs/heads/main")).unwrap();
    assert_eq!(commit_of(dir.path()).as_deref(), Some(ONE));
}

/// Catches a linked worktree's HEAD or its shared branches not found.
#[test]
fn a_worktree_has_its_own_head_and_shared_branches() {
    let dir = fixture(&[
        ("main/.git/HEAD", "ref: refs/heads/main\n"),
        ("main/.git/refs/heads/main", ONE),
        ("main/.git/refs/heads/side", TWO),
        ("main/.git/worktrees/side/HEAD", "ref: refs/heads/side\n"),
        ("main/.git/worktrees/side/commondir", "../..\n"),
        ("side/.git", "gitdir: ../main/.git/worktrees/side\n"),
    ]);
    let side = dir.path().join("side");
    assert_eq!(commit_of(&side).as_deref(), Some(TWO));
    let absolute = dir.path().join("main/.git/worktrees/side");
    let link = format!("gitdir: {}\n", absolute.display());
    put(dir.path(), "side/.git", &link);
    assert_eq!(commit_of(&side).as_deref(), Some(TWO));
}

/// Catches a submodule reported with its superproject's commit, also when its link is broken.
#[test]
fn a_submodule_has_its_own_commit() {
    let dir = fixture(&[
        (".git/HEAD", ONE),
        (".git/modules/sub/HEAD", TWO),
        ("sub/.git", "gitdir: ../.git/modules/sub\n"),
        ("broken/.git", "gitdir: ../nowhere\n"),
        ("odd/.git", "something else"),
    ]);
    assert_eq!(commit_of(&dir.path().join("sub")).as_deref(), Some(TWO));
    assert_eq!(commit_of(&dir.path().join("broken")), None);
    assert_eq!(commit_of(&dir.path().join("odd")), None);
}

/// Catches an unborn branch given its parent directory's commit, and an empty `.git` directory
/// ending the search.
#[test]
fn the_search_ends_at_a_repository_only() {
    let dir = fixture(&[
        (".git/HEAD", ONE),
        ("new/.git/HEAD", "ref: refs/heads/main\n"),
        ("plain/.git/other", ""),
    ]);
    assert_eq!(commit_of(&dir.path().join("new")), None);
    let plain = dir.path().join("plain");
    assert_eq!(commit_of(&plain).as_deref(), Some(ONE));
}

/// Catches endless symbolic references and ones that lead out of the repository.
#[test]
fn symbolic_references_end_and_stay_inside() {
    let dir = fixture(&[
        (".git/HEAD", "ref: refs/heads/a\n"),
        (".git/refs/heads/a", "ref: refs/heads/b\n"),
        (".git/refs/heads/b", "ref: refs/heads/a\n"),
        ("secret", ONE),
    ]);
    assert_eq!(commit_of(dir.path()), None);
    put(dir.path(), ".git/refs/heads/b", ONE);
    assert_eq!(commit_of(dir.path()).as_deref(), Some(ONE));
    for out in ["ref: refs/../../secret\n", "ref: ../secret\n", "ref: /etc/x\n"] {
        put(dir.path(), ".git/HEAD", out);
        assert_eq!(commit_of(dir.path()), None, "{out}");
    }
}

/// Catches a directory that does not exist.
#[test]
fn a_missing_directory_has_no_commit() {
    assert_eq!(commit_of(Path::new("/no/such/directory")), None);
}

/// Runs git in `dir`, with no configuration but our own; `None` where git is not installed.
fn git(dir: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(arguments)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_DEFAULT_REF_FORMAT", "files")
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE")
        .env_remove("GIT_WORK_TREE")
        .output()
        .ok()?;
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "git {arguments:?}: {error}");
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

/// Catches a layout of git's that the fixtures above got wrong: in a repository and a worktree
/// made by git, loose and packed, the commit is what `git rev-parse HEAD` says.
#[test]
fn git_itself_agrees() {
    let dir = fixture(&[("main/file", "x")]);
    let (main, side) = (dir.path().join("main"), dir.path().join("side"));
    if git(&main, &["init", "-q"]).is_none() {
        return;
    }
    git(&main, &["commit", "-q", "--allow-empty", "-m", "one"]);
    git(&main, &["worktree", "add", "-q", "../side"]);
    git(&side, &["commit", "-q", "--allow-empty", "-m", "two"]);
    for pack in [false, true] {
        if pack {
            git(&main, &["pack-refs", "--all"]);
        }
        let (one, two) = (commit_of(&main), commit_of(&side));
        assert_eq!(one, git(&main, &["rev-parse", "HEAD"]));
        assert_eq!(two, git(&side, &["rev-parse", "HEAD"]));
        assert!(one.is_some() && one != two);
    }
}
