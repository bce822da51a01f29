//! The program that travels: which file of etalon another machine is sent, and whether it starts there.
//!
//! Owns the choice between this program and its static twin, which asks nothing of the libraries of the other machine,
//! and the check of architecture and C library before anything is sent. Refuses to reach that machine: its answers to
//! `uname -m` and `getconf GNU_LIBC_VERSION` are passed in.

mod elf;
mod libc_version;

use std::path::{Path, PathBuf};

pub use elf::{Architecture, ElfError, Linkage};
pub use libc_version::{CLibrary, GlibcVersion};

/// Where the static twin of an installed program is, seen from the directory above its own.
const TWIN: &str = "lib/etalon/etalon-static";

/// The kind of code that is to be executed on the other machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// Commands and pure Lua.
    Plain,
    /// Lua that loads C modules or libraries (`ffi.load`), which a static program cannot.
    CModules,
}

/// A file of etalon that can be sent, and what it asks of the machine that executes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traveller {
    /// The file.
    pub path: PathBuf,
    /// The architecture that it was built for.
    pub architecture: Architecture,
    /// Its libraries.
    pub linkage: Linkage,
    /// What it is sent for.
    pub payload: Payload,
}

/// A reason why a program does not start on another machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The other machine has another architecture.
    #[error("{} is built for {built_for}, and the machine is {is}: {}", path.display(), elsewhere(*is))]
    Architecture {
        /// The file.
        path: PathBuf,
        /// The architecture of the file.
        built_for: Architecture,
        /// The architecture of the machine.
        is: Architecture,
    },
    /// The C library of the other machine is older than the program asks for, or another one.
    #[error("{} needs glibc {needs}, and the machine has {has}: {}", path.display(), remedy(*payload))]
    CLibrary {
        /// The file.
        path: PathBuf,
        /// The oldest glibc with which the file starts.
        needs: GlibcVersion,
        /// The C library of the machine.
        has: CLibrary,
        /// What the program is sent for.
        payload: Payload,
    },
}

/// The remedy for another architecture.
fn elsewhere(is: Architecture) -> String {
    match is {
        Architecture::Other => "there is no etalon for it".to_owned(),
        is => format!("start etalon from a machine that is {is}"),
    }
}

/// The remedy for a C library that is too old.
fn remedy(payload: Payload) -> &'static str {
    match payload {
        Payload::Plain => {
            "start etalon from a machine whose library is as old, or put an etalon that is linked statically beside this one \
             (../lib/etalon/etalon-static)"
        }
        Payload::CModules => {
            "C modules need the same C library on both machines; commands and pure Lua can do without"
        }
    }
}

/// Whether a file is a program that is linked statically: the dynamic linker is not asked, and loads nothing before it.
#[must_use]
pub fn is_static(path: &Path) -> bool {
    elf::read(path).is_ok_and(|facts| facts.linkage == Linkage::Static)
}

/// The file that is sent for such a payload by the program at `own`, which is a path without links: its static twin, if
/// it is installed with one, otherwise `own` itself.
///
/// # Errors
/// If the file cannot be read, or is no program.
pub fn traveller(own: &Path, payload: Payload) -> Result<Traveller, ElfError> {
    let twin = own.parent().and_then(Path::parent).map(|prefix| prefix.join(TWIN));
    let twin = twin.filter(|twin| payload == Payload::Plain && twin.exists());
    let path = twin.as_deref().unwrap_or(own);
    let elf::Facts { architecture, linkage } = elf::read(path)?;
    Ok(Traveller { path: path.to_owned(), architecture, linkage, payload })
}

/// The architecture that a program was built for; nothing of a file that is none, such as a script.
#[must_use]
pub fn built_for(program: &Path) -> Option<Architecture> {
    elf::read(program).ok().map(|facts| facts.architecture)
}

impl Traveller {
    /// Whether it starts on a machine of this architecture with this C library.
    ///
    /// # Errors
    /// If it does not.
    pub fn fits(&self, architecture: Architecture, library: &CLibrary) -> Result<(), Unfit> {
        if architecture != self.architecture {
            return Err(Unfit::Architecture {
                path: self.path.clone(),
                built_for: self.architecture,
                is: architecture,
            });
        }
        match (self.linkage, library) {
            (Linkage::Static, _) => Ok(()),
            (Linkage::Dynamic { glibc }, CLibrary::Glibc(has)) if glibc <= *has => Ok(()),
            (Linkage::Dynamic { glibc }, _) => Err(Unfit::CLibrary {
                path: self.path.clone(),
                needs: glibc,
                has: library.clone(),
                payload: self.payload,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::elf::tests::{dynamic, file};
    use super::*;

    fn glibc(minor: u16) -> CLibrary {
        CLibrary::Glibc(GlibcVersion { major: 2, minor })
    }

    /// Would catch a twin that is sent for C modules, one that is looked for elsewhere, and a damaged one that is
    /// passed over silently.
    #[test]
    fn a_static_twin_goes_where_it_can() {
        let prefix = tempfile::tempdir().unwrap();
        let [bin, lib] = ["bin", "lib/etalon"].map(|name| prefix.path().join(name));
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::create_dir_all(&lib).unwrap();
        let own = bin.join("etalon");
        std::fs::write(&own, file(62, Some(&["GLIBC_2.34"]))).unwrap();
        let chosen = |payload| traveller(&own, payload);
        let alone = chosen(Payload::Plain).unwrap();
        assert_eq!((&alone.path, alone.linkage), (&own, dynamic(34)));

        let twin = lib.join("etalon-static");
        std::fs::write(&twin, file(62, None)).unwrap();
        let plain = chosen(Payload::Plain).unwrap();
        assert_eq!((&plain.path, plain.linkage), (&twin, Linkage::Static));
        let of_modules = Traveller { payload: Payload::CModules, ..alone.clone() };
        assert_eq!(chosen(Payload::CModules).unwrap(), of_modules);

        std::fs::write(&twin, "").unwrap();
        assert_eq!(chosen(Payload::Plain), Err(ElfError::NoProgram { path: twin }));
    }

    /// Would catch versions that are compared as text or as fractions (2.4 is older than 2.34), a static program that is
    /// refused for a C library, and an architecture that is not looked at.
    #[test]
    fn what_does_not_start_there_is_refused() {
        let path = PathBuf::from("/opt/etalon");
        let architecture = Architecture::X86_64;
        let payload = Payload::Plain;
        let needy = Traveller { path: path.clone(), architecture, linkage: dynamic(34), payload };
        let fits = |library: &CLibrary| needy.fits(architecture, library);
        for enough in [34, 36, 100] {
            assert_eq!(fits(&glibc(enough)), Ok(()));
        }
        let musl = CLibrary::Other("musl libc (x86_64)".into());
        for has in [glibc(4), glibc(33), musl.clone()] {
            let needs = GlibcVersion { major: 2, minor: 34 };
            let path = path.clone();
            assert_eq!(fits(&has), Err(Unfit::CLibrary { path, needs, has, payload }));
        }
        let is = Architecture::Aarch64;
        let elsewhere = needy.fits(is, &glibc(36));
        assert_eq!(elsewhere, Err(Unfit::Architecture { path, built_for: architecture, is }));
        let sound = Traveller { linkage: Linkage::Static, ..needy };
        assert_eq!(sound.fits(architecture, &musl), Ok(()));
        assert!(sound.fits(is, &musl).is_err());
    }
}
