//! Files of the working tree that its copies lack, as what failed in a copy names them.
//!
//! Owns the remedy, `--copy`. Refuses to guess: a file is told that the words name, that is here, and that the copy has not.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use etalon_core::shell::copied;
use etalon_record::entries::entries;

/// So many words are looked at. Because: a compiler may say megabytes, and each word costs some µs.
const MOST: usize = 4000;

/// The remedy where the copy lacks what these words name. `here` is a directory of the working tree, named as `shown` from
/// where etalon was started, and `copy` the one that corresponds to it.
pub(crate) fn remedy(said: &str, (here, shown): (&Path, &Path), copy: &Path) -> Option<String> {
    let path = named(said, here, copy).or_else(|| within(said, here, copy))?;
    let path = shown.join(path);
    let path = copied(&path.to_string_lossy()).into_owned();
    Some(format!(
        "{path} is here and not in the copies, which have only what git knows: --copy {path} takes it along"
    ))
}

/// A file that a word names by its path. A bare word, such as `target`, says too little.
fn named(said: &str, here: &Path, copy: &Path) -> Option<PathBuf> {
    let ends = |c: char| c.is_whitespace() || "'\"`()[]{}<>,;:=".contains(c);
    let words = said.split(ends).map(|word| word.trim_end_matches('.'));
    let words = words.filter(|word| word.contains(['/', '.'])).take(MOST);
    words.map(Path::new).find_map(|word| {
        let path = if word.is_absolute() { word.strip_prefix(copy).ok()? } else { word };
        let path: PathBuf = path.components().filter(|it| *it != Component::CurDir).collect();
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        let is_lacking = |path: &Path| here.join(path).exists() && !copy.join(path).exists();
        if path.as_os_str().is_empty() || !is_below || !is_lacking(&path) {
            return None;
        }
        // The whole directory that is lacking.
        let lacking = path.ancestors().filter(|it| !it.as_os_str().is_empty() && is_lacking(it));
        lacking.last().map(Path::to_owned)
    })
}

/// A directory that has what a word in quotes names, such as `node_modules` the module `'left-pad'`: here, or further up
/// in the working tree.
fn within(said: &str, here: &Path, copy: &Path) -> Option<PathBuf> {
    let words: Vec<&str> = in_quotes(said).take(MOST).collect();
    if words.is_empty() {
        return None;
    }
    let mut up = PathBuf::new();
    for (here, copy) in here.ancestors().zip(copy.ancestors()) {
        let entries = entries(here).into_iter().flatten().flatten();
        let directories = entries.filter(|it| it.file_type().is_ok_and(|kind| kind.is_dir()));
        let lacking = directories
            .map(|entry| entry.file_name())
            .filter(|name| name != OsStr::new(".git") && !copy.join(name).exists());
        let mut lacking: Vec<_> = lacking.collect();
        lacking.sort();
        let has = |name: &&OsString| words.iter().any(|word| here.join(name).join(word).exists());
        if let Some(name) = lacking.iter().find(has) {
            return Some(up.join(name));
        }
        if here.join(".git").exists() {
            return None;
        }
        up.push("..");
    }
    None
}

/// Words between two quotes of one kind in a line that are a name, or a path downwards.
fn in_quotes(said: &str) -> impl Iterator<Item = &str> {
    let quoted =
        |quote: char| said.lines().flat_map(move |line| line.split(quote).skip(1).step_by(2));
    let is_name = |word: &&str| {
        let mut parts = Path::new(word).components();
        !word.is_empty()
            && !word.contains(char::is_whitespace)
            && parts.all(|part| matches!(part, Component::Normal(_)))
    };
    quoted('\'').chain(quoted('"')).filter(is_name)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Would catch an advice to take along what is there, what nobody has, or what a message names by chance.
    #[test]
    fn only_what_is_named_here_and_lacking_is_told() {
        let scratch = tempfile::tempdir().unwrap();
        let top = scratch.path().join("top");
        let (here, copy) = (top.join("sub"), scratch.path().join("copy/sub"));
        for directory in
            [".git", "node_modules/left-pad", "sub/data/in", "sub/target/release", "sub/src"]
        {
            fs::create_dir_all(top.join(directory)).unwrap();
        }
        fs::create_dir_all(copy.join("src")).unwrap();
        fs::write(here.join("data/in/a.bin"), "").unwrap();
        fs::write(here.join("src/b.c"), "").unwrap();
        fs::write(copy.join("src/b.c"), "").unwrap();
        let told = |said: &str| remedy(said, (&here, Path::new("")), &copy);
        let advice = |path: &str| Some(format!("--copy {path} takes it along"));
        let ends = |said: &str, path: &str| {
            let (told, advice) = (told(said).unwrap_or_default(), advice(path).unwrap());
            assert!(told.ends_with(&advice), "{said}: {told}");
        };
        ends("Error: Cannot find module 'left-pad'\nRequire stack:", "../node_modules");
        ends("cat: data/in/a.bin: No such file or directory", "data");
        ends("cannot open ./data/in/a.bin.", "data");
        ends(&format!("open({})", copy.join("data/in/a.bin").display()), "data");
        for said in [
            "",
            "src/b.c:1: error: expected ';'",
            "Finished `release` profile, target directory",
            "Cannot find module 'right-pad'",
            "it isn't in release, isn't it",
            "data/in/other.bin: No such file",
            "/etc/passwd ../sub/data",
        ] {
            assert_eq!(told(said), None, "{said}");
        }
        let elsewhere = remedy("data/in/a.bin", (&here, Path::new("sub")), &copy);
        assert!(elsewhere.unwrap().contains("--copy sub/data "));
    }
}
