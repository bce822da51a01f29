//! Names of benchmarks: a base and the parts behind it.
//!
//! Owns the pieces: of a Go name such as `Encode/format=json/fast-8` they are `Encode`, `/format=json`,
//! `/fast` and `-8` (GOMAXPROCS); of a benchmark of etalon's, its name whatever it is made of, and
//! `/key=value` for each parameter. The pieces joined are the full name. Refuses to make a name fit for a
//! format: that is the writer's.

use std::sync::Arc;

use crate::model::Benchmark;
use crate::query;

/// A full name and where its pieces end.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    full: Arc<str>,
    /// Byte offsets at which pieces end; the last one is the length.
    ends: Box<[u32]>,
}

impl Name {
    /// The pieces of a Go name (without `Benchmark` in front), as golang.org/x/perf cuts them: digits
    /// behind a last hyphen are GOMAXPROCS, each slash before them starts a part.
    #[must_use]
    pub fn from_go(full: &str) -> Name {
        let name = query::Name::from_go(full);
        Name::from_pieces(name.parts.iter().fold(vec![&*name.base], |mut pieces, part| {
            pieces.push(part);
            pieces
        }))
    }

    /// The name of a benchmark. That of a command or a case is taken as it is, whatever slashes and hyphens it has;
    /// any other, such as one that was read from Go's benchmarks, is cut as a Go name. Parameters come before its
    /// GOMAXPROCS.
    #[must_use]
    pub fn from_benchmark(benchmark: &Benchmark) -> Name {
        let key = &benchmark.key;
        if benchmark.command.is_some() || benchmark.case.is_some() {
            return Name::with_params(&key.name, &key.params);
        }
        let name = Name::from_go(&key.name);
        let is_procs = |part: &&str| !part.starts_with('/');
        let params: Vec<String> = key.params.iter().map(|(k, v)| format!("/{k}={v}")).collect();
        let pieces = [name.base()].into_iter().chain(name.parts().filter(|part| !is_procs(part)));
        let pieces = pieces.chain(params.iter().map(String::as_str));
        Name::from_pieces(pieces.chain(name.parts().filter(is_procs)))
    }

    /// A name of these pieces: the base, and parts with their slash or hyphen.
    pub fn from_pieces<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Name {
        let (mut full, mut ends) = (String::new(), Vec::new());
        for piece in pieces {
            full.push_str(piece);
            ends.push(offset(full.len()));
        }
        if ends.is_empty() {
            ends.push(0);
        }
        Name { full: full.into(), ends: ends.into() }
    }

    /// A name taken as it is, with parameters as parts.
    #[must_use]
    pub fn with_params(base: &str, params: &[(String, String)]) -> Name {
        if params.is_empty() {
            return Name { full: base.into(), ends: Box::new([offset(base.len())]) };
        }
        let parts: Vec<String> =
            params.iter().map(|(key, value)| format!("/{key}={value}")).collect();
        Name::from_pieces([base].into_iter().chain(parts.iter().map(String::as_str)))
    }

    /// The whole name: what `.fullname` says.
    #[must_use]
    pub fn full(&self) -> &str {
        &self.full
    }

    /// The first piece: what `.name` says.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.full[..self.ends[0] as usize]
    }

    /// The pieces behind the base as they stand there, with their slash or hyphen: `/key=value`, `/text`,
    /// or (last only) `-8`. [`Subject`](query::Subject) finds the value of a key among them.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.ends.windows(2).map(|ends| &self.full[ends[0] as usize..ends[1] as usize])
    }

    /// The base and the parts: joined, they are the name.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        [self.base()].into_iter().chain(self.parts())
    }

    /// The pieces, where a number behind the last hyphen belongs to the name.
    pub(crate) fn pieces_on_one_processor(&self) -> Vec<&str> {
        let mut ends = self.ends.to_vec();
        if self.processors().is_some() {
            ends.remove(ends.len() - 2);
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(&ends).map(|(start, end)| &self.full[start as usize..*end as usize]).collect()
    }

    /// The name without the number behind its last hyphen, and that number, if it has one.
    pub(crate) fn split_processors(&self) -> Option<(&str, u32)> {
        let number = self.processors()?;
        let named = self.ends.len().checked_sub(2)?;
        Some((&self.full[..self.ends[named] as usize], number))
    }

    /// The number behind the last hyphen of a Go name: GOMAXPROCS, which is left out where it is 1.
    #[must_use]
    pub fn processors(&self) -> Option<u32> {
        self.parts().last()?.strip_prefix('-')?.parse().ok()
    }
}

/// Names come from lines of at most 16 MiB, and from commands.
fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_of_a_command_is_not_cut() {
        let params = [("a".to_owned(), "c/d".to_owned()), ("n".to_owned(), "3".to_owned())];
        let name = Name::with_params("ls /tmp/x=1 -8", &params);
        assert_eq!(name.base(), "ls /tmp/x=1 -8");
        assert_eq!(name.parts().collect::<Vec<_>>(), ["/a=c/d", "/n=3"]);
        assert_eq!(name.full(), "ls /tmp/x=1 -8/a=c/d/n=3");
        assert_ne!(name, Name::from_go(name.full()));
    }

    proptest! {
        /// Would catch a piece that is lost or cut inside a character.
        #[test]
        fn pieces_joined_are_the_name(full in "[aé/=-]{0,6}[0-9-]{0,3}") {
            let name = Name::from_go(&full);
            let joined: String = [name.base()].into_iter().chain(name.parts()).collect();
            prop_assert_eq!(joined, full);
        }
    }
}
