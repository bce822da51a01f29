//! Versions of the C library, as programs ask for them and as machines tell them.

use std::fmt;

/// A version of glibc, such as 2.36.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GlibcVersion {
    /// The number before the point.
    pub major: u16,
    /// The number behind it.
    pub minor: u16,
}

impl GlibcVersion {
    /// Of digits with a point between them; what follows a second point is left out.
    pub(super) fn parse(text: &str) -> Option<GlibcVersion> {
        let mut parts = text.split('.').map(|part| part.parse::<u16>().ok());
        Some(GlibcVersion { major: parts.next()??, minor: parts.next()?? })
    }
}

impl fmt::Display for GlibcVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The C library of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CLibrary {
    /// GNU's, of this version.
    Glibc(GlibcVersion),
    /// Another one: the first line of what the machine said of it.
    Other(Box<str>),
}

impl CLibrary {
    /// From what a machine prints for `getconf GNU_LIBC_VERSION || ldd --version`, errors included: `glibc 2.36`, or
    /// `ldd (…) 2.36`, or words of other libraries.
    #[must_use]
    pub fn parse(said: &str) -> CLibrary {
        let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("none");
        let is_gnu = line.starts_with("glibc ") || line.starts_with("ldd (");
        let version = line.rsplit(' ').next().and_then(GlibcVersion::parse);
        match version.filter(|_| is_gnu) {
            Some(version) => CLibrary::Glibc(version),
            None => CLibrary::Other(line.into()),
        }
    }
}

impl fmt::Display for CLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CLibrary::Glibc(version) => write!(f, "glibc {version}"),
            CLibrary::Other(said) => write!(f, "another C library ({said})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as Debian, Ubuntu, Red Hat and Alpine print them. Would catch a version taken from the name of a package.
    #[test]
    fn answers_of_systems_are_read() {
        let glibc = |minor| CLibrary::Glibc(GlibcVersion { major: 2, minor });
        for (said, library) in [
            ("glibc 2.36\n", glibc(36)),
            ("ldd (Debian GLIBC 2.36-9+deb12u10) 2.36\nCopyright (C) 2022\n", glibc(36)),
            ("\nldd (Ubuntu GLIBC 2.31-0ubuntu9.16) 2.31\n", glibc(31)),
            ("ldd (GNU libc) 2.17\n", glibc(17)),
            ("musl libc (x86_64)\nVersion 1.2.4\n", CLibrary::Other("musl libc (x86_64)".into())),
            ("glibc\n", CLibrary::Other("glibc".into())),
            ("glibc 99999999.1", CLibrary::Other("glibc 99999999.1".into())),
            ("", CLibrary::Other("none".into())),
        ] {
            assert_eq!(CLibrary::parse(said), library, "{said}");
        }
    }
}
