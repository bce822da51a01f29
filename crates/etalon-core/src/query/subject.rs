//! The subject of queries: one measurement, through texts that somebody else owns.
//!
//! A subject is a view made while looking at a row of the data; it says what it is by numbers
//! ([`Identity`]), and its texts are read only the first time those numbers appear.

use std::borrow::Cow;

use super::key::Key;

/// Stands for a subject's texts: two subjects with the same identity have the same name,
/// configuration and unit. (The reverse need not hold.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Identity {
    /// Number of the name.
    pub name: u32,
    /// Number of the configuration, `.file` included.
    pub config: u32,
    /// Number of the unit.
    pub unit: u32,
}

/// A benchmark's name in pieces. The pieces one after the other are the whole name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name<'a> {
    /// The value of `.name`.
    pub base: Cow<'a, str>,
    /// The rest: `/key=value`, `/text`, or (last only) `-N` for the number of processors.
    pub parts: Vec<Cow<'a, str>>,
}

impl<'a> Name<'a> {
    /// A name of the Go benchmark format, without its `Benchmark`: parts begin with a slash, and
    /// `-` with digits behind it at the very end is the number of processors.
    #[must_use]
    pub fn from_go(full: &'a str) -> Name<'a> {
        let digits = full.len() - full.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let front = full[..full.len() - digits].strip_suffix('-').filter(|_| digits > 0);
        let (named, processors) = full.split_at(front.map_or(full.len(), str::len));
        let mut starts: Vec<usize> = named.match_indices('/').map(|(at, _)| at).collect();
        let base = &named[..starts.first().copied().unwrap_or(named.len())];
        starts.push(named.len());
        let parts = starts.windows(2).map(|w| &named[w[0]..w[1]]);
        let parts = parts.chain(front.map(|_| processors)).map(Cow::Borrowed).collect();
        Name { base: Cow::Borrowed(base), parts }
    }

    /// The whole name.
    #[must_use]
    pub fn full(&self) -> String {
        let mut full = self.base.to_string();
        self.parts.iter().for_each(|part| full.push_str(part));
        full
    }

    /// The value of the part `/key=value`, the first one if there are several. `gomaxprocs` is also
    /// the number of processors at the end.
    #[must_use]
    pub fn part(&self, key: &str) -> Option<&str> {
        let processors = self.parts.last().and_then(|part| part.strip_prefix('-'));
        processors
            .filter(|_| key == "gomaxprocs")
            .or_else(|| self.parts.iter().find_map(|part| value_of(part, key)))
    }

    /// The whole name without what was asked for separately: its base becomes `*`, parts disappear.
    #[must_use]
    pub(super) fn without(&self, separate: &[Key]) -> String {
        let mut rest = String::new();
        rest.push_str(if separate.contains(&Key::Name) { "*" } else { &self.base });
        for part in &self.parts {
            let is_separate = separate.iter().any(|key| match key {
                Key::Part(key) => {
                    value_of(part, key).is_some() || (key == "gomaxprocs" && part.starts_with('-'))
                }
                _ => false,
            });
            if !is_separate {
                rest.push_str(part);
            }
        }
        rest
    }
}

/// The value, if `part` is `/key=value`.
fn value_of<'p>(part: &'p str, key: &str) -> Option<&'p str> {
    part.strip_prefix('/')?.strip_prefix(key)?.strip_prefix('=')
}

/// A unit by its two names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitName<'a> {
    /// The unit that values are tabulated in, such as `sec/op`.
    pub tidied: &'a str,
    /// The unit they were written in, where that is another, such as `ns/op`.
    pub written: Option<&'a str>,
}

/// One measurement, as queries see it.
pub trait Subject {
    /// The numbers that stand for everything below.
    fn identity(&self) -> Identity;

    /// Its name in pieces, as `.name`, `.fullname` and `/key` see it.
    fn name(&self) -> Name<'_>;

    /// The value of one configuration key, wherever it comes from; `.file` is such a key.
    fn config(&self, key: &str) -> Option<&str>;

    /// All configuration that was read from the file (so without `.file`), in a fixed order: as in
    /// the file, and what benchstat removes by moving the last key into its place, likewise.
    fn all_config(&self) -> impl Iterator<Item = (&str, &str)>;

    /// The unit of the value, tidied and as it was written.
    fn unit(&self) -> UnitName<'_>;

    /// Whether a value of a configuration key passes; what a subject lacks is empty. Of several values
    /// one is enough.
    fn any_value(&self, key: &str, passes: &mut dyn FnMut(&str) -> bool) -> bool {
        passes(self.config(key).unwrap_or_default())
    }

    /// Whether a name it goes by passes: that without its parts, or the whole one.
    fn any_name(&self, passes: &mut dyn FnMut(&str) -> bool) -> bool {
        let name = self.name();
        passes(&name.base) || passes(&name.full())
    }
}

/// A subject and its name, taken apart once.
pub(super) struct Seen<'s, S> {
    pub(super) subject: &'s S,
    pub(super) name: Name<'s>,
}

impl<'s, S: Subject> Seen<'s, S> {
    pub(super) fn new(subject: &'s S) -> Seen<'s, S> {
        Seen { subject, name: subject.name() }
    }

    /// The value of a key that has one value; empty if the subject lacks it, or for `.config`,
    /// which has many.
    pub(super) fn value(&self, key: &Key) -> Cow<'_, str> {
        Cow::Borrowed(match key {
            Key::FullName => return Cow::Owned(self.name.full()),
            Key::Name => &self.name.base,
            Key::Part(part) => self.name.part(part).unwrap_or_default(),
            Key::Config(key) => self.subject.config(key).unwrap_or_default(),
            Key::Unit => self.subject.unit().tidied,
            Key::AllConfig => "",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names at the edge of each rule; the pieces always make up the name again.
    #[test]
    fn splits_names_of_go() {
        for (full, base, parts) in [
            ("Copy", "Copy", &[][..]),
            ("", "", &[]),
            ("Copy/size=4k-16", "Copy", &["/size=4k", "-16"]),
            ("Copy-8", "Copy", &["-8"]),
            ("Copy-8/x", "Copy-8", &["/x"]),
            ("Copy-", "Copy-", &[]),
            ("-4", "", &["-4"]),
            ("4", "4", &[]),
            ("a--4", "a-", &["-4"]),
            ("//-4", "", &["/", "/", "-4"]),
            ("é/ü=ß-1", "é", &["/ü=ß", "-1"]),
        ] {
            let name = Name::from_go(full);
            assert_eq!((&*name.base, name.parts.len()), (base, parts.len()), "{full}");
            assert!(name.parts.iter().zip(parts).all(|(a, b)| a == b), "{name:?}");
            assert_eq!(name.full(), full);
        }
    }
}
