//! Which of what suites require is not sent: a module that each machine has installed, and that may be one of C.
//!
//! Owns the rule by which that is seen in the text of a suite, and of the modules that are sent with it. Refuses to look for
//! modules here: another machine has others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Modules that are part of an interpreter, or of this program.
const KNOWN: [&str; 20] = [
    "_G",
    "bit",
    "bit32",
    "coroutine",
    "debug",
    "ffi",
    "io",
    "jit",
    "math",
    "measure",
    "os",
    "package",
    "string",
    "table",
    "utf8",
    "etalon.measure",
    "etalon.native",
    "string.buffer",
    "table.clear",
    "table.new",
];

/// Whether one of these suites, or of the modules among these files that they require, requires another module.
pub(super) fn needs_others<'f>(
    suites: impl Iterator<Item = &'f Path>,
    files: &BTreeSet<&'f Path>,
    read: impl Fn(&Path) -> Vec<u8>,
) -> bool {
    let mut left: Vec<&'f Path> = suites.collect();
    let mut seen: BTreeSet<&'f Path> = left.iter().copied().collect();
    while let Some(path) = left.pop() {
        for name in required(&read(path)) {
            let name = String::from_utf8_lossy(name).into_owned();
            if KNOWN.contains(&name.as_str()) || name.starts_with("jit.") {
                continue;
            }
            let parts: PathBuf = name.split(['.', '/']).collect();
            let is_it = |file: &&&Path| {
                file.ends_with(parts.with_extension("lua"))
                    || file.ends_with(parts.join("init.lua"))
            };
            match files.iter().find(is_it).copied() {
                Some(file) if seen.insert(file) => left.push(file),
                Some(_) => {}
                None => return true,
            }
        }
    }
    false
}

/// The names that are written out behind `require`, also as `pcall(require, "name")`.
fn required(text: &[u8]) -> Vec<&[u8]> {
    const WORD: &[u8] = b"require";
    let is_quote = |byte: &&u8| matches!(byte, b'"' | b'\'');
    let mut names = Vec::new();
    for at in 0..text.len() {
        let is_word = text[at..].starts_with(WORD)
            && !at.checked_sub(1).is_some_and(|before| is_of_name(text[before]));
        if !is_word {
            continue;
        }
        let rest = text[at + WORD.len()..].trim_ascii_start();
        let rest = rest.strip_prefix(b"(").or_else(|| rest.strip_prefix(b",")).unwrap_or(rest);
        let rest = rest.trim_ascii_start();
        let Some(quote) = rest.first().filter(is_quote) else { continue };
        names.extend(rest[1..].split(|byte| byte == quote || *byte == b'\n').next());
    }
    names
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch a module of C on the other machines that nobody sees, one of a file that no suite requires, and a circle.
    #[test]
    fn what_is_not_sent_is_installed() {
        let texts = |path: &Path| -> Vec<u8> {
            match path.to_str() {
                Some("bench/pure_bench.lua") => {
                    b"local m = require 'measure'\nlocal w, t = require(\"parts.work\"), require('table.new')".to_vec()
                }
                Some("bench/parts/work.lua") => b"require('lib'); prerequire('x'); require(name)".to_vec(),
                Some("src/lib/init.lua") => b"return pcall(require, 'parts.work')".to_vec(),
                Some("bench/json_bench.lua") => b"local json = require ( 'cjson' )".to_vec(),
                _ => b"require('busted')".to_vec(),
            }
        };
        let names = [
            "bench/pure_bench.lua",
            "bench/json_bench.lua",
            "bench/parts/work.lua",
            "src/lib/init.lua",
            "spec/a_spec.lua",
        ];
        let files: BTreeSet<&Path> = names.iter().map(Path::new).collect();
        let needs =
            |suite: &'static str| needs_others(std::iter::once(Path::new(suite)), &files, texts);
        assert!(!needs("bench/pure_bench.lua"));
        assert!(needs("bench/json_bench.lua") && needs("spec/a_spec.lua"));
    }
}
