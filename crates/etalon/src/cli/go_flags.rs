//! Go's own flags of `go test` in Go's spelling: one dash, with or without `=`.
//!
//! Owns one table: what becomes of each. It is read before anything else is parsed, up to `--`; what follows that is the
//! test binary's. Refuses to check values.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Whether a flag has a value of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Value,
    Nothing,
}

/// The treatment of a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Here {
    /// An option of the same name.
    Same,
    /// Go gets it when it builds.
    Build,
    /// It is so, whatever is said.
    Already,
    /// Not here; what to do.
    Refused(&'static str),
}

const BEHIND: &str =
    "of the test binary: write it behind --, as it is called there (-- -test.parallel 2)";
const PROFILE: &str =
    "of the test binary, and every execution would replace the file: profile with go test";

/// Flags of `go test`, without dashes.
const FLAGS: [(&str, Takes, Here); 33] = [
    ("bench", Takes::Value, Here::Same),
    ("benchtime", Takes::Value, Here::Same),
    ("count", Takes::Value, Here::Same),
    ("cpu", Takes::Value, Here::Same),
    ("skip", Takes::Value, Here::Same),
    ("tags", Takes::Value, Here::Same),
    ("timeout", Takes::Value, Here::Same),
    ("short", Takes::Nothing, Here::Same),
    ("benchmem", Takes::Nothing, Here::Already),
    ("run", Takes::Value, Here::Already),
    ("v", Takes::Nothing, Here::Already),
    ("vet", Takes::Value, Here::Already),
    ("asmflags", Takes::Value, Here::Build),
    ("gcflags", Takes::Value, Here::Build),
    ("ldflags", Takes::Value, Here::Build),
    ("mod", Takes::Value, Here::Build),
    ("modfile", Takes::Value, Here::Build),
    ("overlay", Takes::Value, Here::Build),
    ("pgo", Takes::Value, Here::Build),
    ("asan", Takes::Nothing, Here::Build),
    ("msan", Takes::Nothing, Here::Build),
    ("race", Takes::Nothing, Here::Build),
    ("trimpath", Takes::Nothing, Here::Build),
    ("parallel", Takes::Value, Here::Refused(BEHIND)),
    ("blockprofile", Takes::Value, Here::Refused(PROFILE)),
    ("cpuprofile", Takes::Value, Here::Refused(PROFILE)),
    ("memprofile", Takes::Value, Here::Refused(PROFILE)),
    ("mutexprofile", Takes::Value, Here::Refused(PROFILE)),
    ("trace", Takes::Value, Here::Refused(PROFILE)),
    ("cover", Takes::Nothing, Here::Refused("counts in every line: its times would be others")),
    ("json", Takes::Nothing, Here::Refused("--json prints the comparison, -o FILE.txt Go's lines")),
    ("c", Takes::Nothing, Here::Refused("test binaries are built anyhow; go test -c keeps them")),
    ("fuzz", Takes::Value, Here::Refused("no benchmark: go test -fuzz executes it")),
];

/// A command line with Go's flags as options of `etalon go`; any other command line as it is.
///
/// # Errors
/// Of a flag that has no place here: what to do instead.
pub(crate) fn translated(
    arguments: impl Iterator<Item = OsString>,
) -> Result<Vec<OsString>, String> {
    let mut words: Vec<OsString> = arguments.collect();
    if words.get(1).is_none_or(|word| word != "go") {
        return Ok(words);
    }
    let behind = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let rest = words.split_off(behind);
    let mut own = words.into_iter();
    let mut all: Vec<OsString> = own.by_ref().take(2).collect();
    while let Some(word) = own.next() {
        match flag(&word) {
            None => all.push(word),
            Some((name, value, takes, here)) => {
                let value = match takes {
                    Takes::Value => value.or_else(|| own.next()),
                    Takes::Nothing => value,
                };
                all.extend(option(name, value, (takes, here))?);
            }
        }
    }
    all.extend(rest);
    Ok(all)
}

/// A word as a flag of Go: its name, the value behind `=`, and what becomes of it.
fn flag(word: &OsStr) -> Option<(&'static str, Option<OsString>, Takes, Here)> {
    let bytes = word.as_bytes().strip_prefix(b"-").filter(|rest| !rest.starts_with(b"-"))?;
    let end = bytes.iter().position(|byte| *byte == b'=').unwrap_or(bytes.len());
    let (name, takes, here) =
        FLAGS.into_iter().find(|(name, ..)| name.as_bytes() == &bytes[..end])?;
    let value = bytes.get(end + 1..).map(|value| OsString::from_vec(value.to_vec()));
    Some((name, value, takes, here))
}

/// The option in a flag's place.
fn option(
    name: &str,
    value: Option<OsString>,
    (takes, here): (Takes, Here),
) -> Result<Option<OsString>, String> {
    let joined = |dashes: &str, value: Option<OsString>| {
        let mut word = OsString::from(format!("{dashes}{name}"));
        if let Some(value) = value {
            word.push("=");
            word.push(value);
        }
        word
    };
    let is_off = takes == Takes::Nothing && value.as_deref() == Some(OsStr::new("false"));
    match here {
        _ if is_off => Ok(None),
        Here::Already => Ok(None),
        Here::Same => Ok(Some(joined("--", value.filter(|_| takes == Takes::Value)))),
        Here::Build => {
            let mut word = OsString::from("--go-flag=");
            word.push(joined("-", value));
            Ok(Some(word))
        }
        Here::Refused(instead) => Err(format!("-{name}: {instead}")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    fn said(line: &str) -> String {
        let words = line.split(' ').map(OsString::from);
        let all = translated(words).unwrap();
        all.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    /// Would catch a flag whose value is taken for a package, one behind `--` that is changed, and etalon's own
    /// letters taken for Go's.
    #[test]
    fn flags_of_go_are_options_here() {
        for (typed, expected) in [
            ("etalon go -bench X/a ./... -r 5", "etalon go --bench=X/a ./... -r 5"),
            ("etalon go -bench=X=1 -benchmem", "etalon go --bench=X=1"),
            ("etalon go -run ^$ -count=2 .", "etalon go --count=2 ."),
            ("etalon go -race -tags a,b", "etalon go --go-flag=-race --tags=a,b"),
            ("etalon go -ldflags -s .", "etalon go --go-flag=-ldflags=-s ."),
            ("etalon go -short=false -v", "etalon go"),
            ("etalon go . -- -bench X -cpu 1", "etalon go . -- -bench X -cpu 1"),
            ("etalon cmd -bench X", "etalon cmd -bench X"),
        ] {
            assert_eq!(said(typed), expected, "{typed}");
        }
        let words = "etalon go -parallel 2".split(' ').map(OsString::from);
        assert!(translated(words).unwrap_err().contains("behind --"));
    }
}
