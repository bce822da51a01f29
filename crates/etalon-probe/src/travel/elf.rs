//! Programs of Linux (ELF): for which architecture, and which C library they ask for.
//!
//! Owns the three facts that decide whether a program starts elsewhere. Refuses what it does not need for them.

use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use object::elf::{EM_AARCH64, EM_X86_64, FileHeader32, FileHeader64, PT_INTERP};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, FileKind, ReadCache, ReadRef};

use super::libc_version::GlibcVersion;

/// The architecture of a program or a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// x86-64.
    X86_64,
    /// ARM of 64 bits.
    Aarch64,
    /// Another one, for which etalon is not built.
    Other,
}

impl Architecture {
    /// From what a machine prints for `uname -m`.
    #[must_use]
    pub fn parse(said: &str) -> Architecture {
        match said.trim() {
            "x86_64" => Architecture::X86_64,
            "aarch64" => Architecture::Aarch64,
            _ => Architecture::Other,
        }
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Architecture::X86_64 => "x86_64",
            Architecture::Aarch64 => "aarch64",
            Architecture::Other => "of another architecture",
        })
    }
}

/// The libraries that a program is started with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linkage {
    /// None: it is started by the kernel alone.
    Static,
    /// Those that the dynamic linker finds, glibc among them.
    Dynamic {
        /// The oldest version of glibc that has all functions that the program asks for.
        glibc: GlibcVersion,
    },
}

/// The facts that decide whether a program starts elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) architecture: Architecture,
    pub(super) linkage: Linkage,
}

/// A reason why a file is not known to be a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ElfError {
    /// The file cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's reason.
        why: Box<str>,
    },
    /// The file is something else.
    #[error("{} is no program of Linux (ELF): install etalon again", path.display())]
    NoProgram {
        /// The file.
        path: PathBuf,
    },
    /// The file begins as a program, and does not go on as one.
    #[error("{} is a damaged program ({why}): install etalon again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        why: Box<str>,
    },
}

/// Reads the facts of a program; of a long one, only the parts that have them.
pub(super) fn read(path: &Path) -> Result<Facts, ElfError> {
    let unreadable = |error: io::Error| ElfError::Unreadable {
        path: path.to_owned(),
        why: error.to_string().into(),
    };
    let no_program = || ElfError::NoProgram { path: path.to_owned() };
    // A pipe would be waited for.
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path);
    let file = file.map_err(unreadable)?;
    if !file.metadata().map_err(unreadable)?.is_file() {
        return Err(no_program());
    }
    let data = ReadCache::new(file);
    let facts = match FileKind::parse(&data) {
        Ok(FileKind::Elf64) => facts::<FileHeader64<Endianness>, _>(&data),
        Ok(FileKind::Elf32) => facts::<FileHeader32<Endianness>, _>(&data),
        _ => return Err(no_program()),
    };
    facts
        .map_err(|error| ElfError::Damaged { path: path.to_owned(), why: error.to_string().into() })
}

fn facts<'data, Elf, R>(data: R) -> object::Result<Facts>
where
    Elf: FileHeader<Endian = Endianness>,
    R: ReadRef<'data>,
{
    let header = Elf::parse(data)?;
    let endian = header.endian()?;
    let is_64 = header.is_type_64() && header.is_little_endian();
    let architecture = match header.e_machine(endian) {
        EM_X86_64 if is_64 => Architecture::X86_64,
        EM_AARCH64 if is_64 => Architecture::Aarch64,
        _ => Architecture::Other,
    };
    let segments = header.program_headers(endian, data)?;
    let is_static = !segments.iter().any(|segment| segment.p_type(endian) == PT_INTERP);
    let linkage = if is_static {
        Linkage::Static
    } else {
        Linkage::Dynamic { glibc: glibc::<Elf, R>(header, endian, data)? }
    };
    Ok(Facts { architecture, linkage })
}

/// The newest version among those that symbols of glibc are asked for in; 2.0 without any.
fn glibc<'data, Elf, R>(header: &Elf, endian: Endianness, data: R) -> object::Result<GlibcVersion>
where
    Elf: FileHeader<Endian = Endianness>,
    R: ReadRef<'data>,
{
    let mut newest = GlibcVersion { major: 2, minor: 0 };
    let sections = header.sections(endian, data)?;
    let Some((mut libraries, link)) = sections.gnu_verneed(endian, data)? else {
        return Ok(newest);
    };
    let strings = sections.strings(endian, data, link)?;
    while let Some((_, mut versions)) = libraries.next()? {
        while let Some(version) = versions.next()? {
            let name = version.name(endian, strings)?;
            let number = std::str::from_utf8(name).ok().and_then(|it| it.strip_prefix("GLIBC_"));
            // Names without a number (`GLIBC_PRIVATE`) say nothing of an age.
            newest = number.and_then(GlibcVersion::parse).map_or(newest, |it| it.max(newest));
        }
    }
    Ok(newest)
}

#[cfg(test)]
pub(super) mod tests {
    use std::process::Command;

    use super::*;

    pub(crate) fn dynamic(minor: u16) -> Linkage {
        Linkage::Dynamic { glibc: GlibcVersion { major: 2, minor } }
    }

    /// A program of 64 bits for a machine, by the tables of the ELF specification: its header, and, where it asks for
    /// versions of symbols, one segment with the linker's name, and sections with versions and their names.
    pub(crate) fn file(machine: u16, versions: Option<&[&str]>) -> Vec<u8> {
        fn push(bytes: &mut Vec<u8>, fields: &[(u64, usize)]) {
            for (value, size) in fields {
                bytes.extend_from_slice(&value.to_le_bytes()[..*size]);
            }
        }
        let count = versions.map_or(0, <[_]>::len) as u64;
        let mut names = b"\0libc.so.6\0".to_vec();
        let mut needs = Vec::new();
        push(&mut needs, &[(1, 2), (count, 2), (1, 4), (16, 4), (0, 4)]);
        for (index, version) in versions.unwrap_or_default().iter().enumerate() {
            let next = if index as u64 + 1 == count { 0 } else { 16 };
            push(&mut needs, &[(0, 4), (0, 2), (2, 2), (names.len() as u64, 4), (next, 4)]);
            names.extend_from_slice(version.as_bytes());
            names.push(0);
        }
        let has = u64::from(versions.is_some());
        let (needs_at, names_at) = (64 + 56, 64 + 56 + needs.len() as u64);
        let sections_at = (names_at + names.len() as u64).next_multiple_of(8);
        let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        push(&mut bytes, &[(2, 2), (u64::from(machine), 2), (1, 4), (0, 8), (64 * has, 8)]);
        push(&mut bytes, &[(sections_at * has, 8), (0, 4), (64, 2), (56, 2), (has, 2)]);
        push(&mut bytes, &[(64, 2), (3 * has, 2), (2 * has, 2)]);
        push(&mut bytes, &[(3, 4), (4, 4), (0, 8), (0, 8), (0, 8), (0, 8), (0, 8), (1, 8)]);
        bytes.extend_from_slice(&needs);
        bytes.extend_from_slice(&names);
        bytes.resize(usize::try_from(sections_at).unwrap(), 0);
        push(&mut bytes, &[(0, 64 / 8); 8]);
        for (kind, at, size, link) in
            [(0x6fff_fffe, needs_at, needs.len(), 2), (3, names_at, names.len(), 0)]
        {
            let (size, info) = (size as u64, u64::from(link == 2));
            push(&mut bytes, &[(0, 4), (kind, 4), (0, 8), (0, 8), (at, 8), (size, 8)]);
            push(&mut bytes, &[(link, 4), (info, 4), (1, 8), (0, 8)]);
        }
        bytes
    }

    fn of(bytes: &[u8]) -> Result<Facts, ElfError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("program");
        std::fs::write(&path, bytes).unwrap();
        read(&path)
    }

    /// Would catch the first or the last version in place of the newest, an order of text, and names without a number
    /// that are taken for one.
    #[test]
    fn the_newest_version_counts() {
        let linkage = |versions: &[&str]| of(&file(62, Some(versions))).unwrap().linkage;
        let versions = ["GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_PRIVATE", "GCC_3.0"];
        assert_eq!(linkage(&versions), dynamic(34));
        assert_eq!(linkage(&["GCC_4.2.0"]), dynamic(0));
        assert_eq!(of(&file(62, None)).unwrap().linkage, Linkage::Static);
        for (machine, architecture) in
            [(62, Architecture::X86_64), (183, Architecture::Aarch64), (8, Architecture::Other)]
        {
            assert_eq!(of(&file(machine, None)).unwrap().architecture, architecture);
        }
    }

    /// Would catch a panic or an endless loop over a file that is cut off or changed at any place.
    #[test]
    fn no_file_is_too_broken_to_be_told_so() {
        let whole = file(62, Some(&["GLIBC_2.34", "GLIBC_2.17"]));
        assert!(of(&whole).is_ok());
        for end in 0..whole.len() {
            let told = of(&whole[..end]);
            assert!(
                matches!(told, Err(ElfError::NoProgram { .. } | ElfError::Damaged { .. })),
                "{end}: {told:?}"
            );
        }
        for at in 0..whole.len() {
            for value in [0, 0x7f, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                let _told = of(&bytes);
            }
        }
        let directory = tempfile::tempdir().unwrap();
        let is_none = |path: &Path| matches!(read(path), Err(ElfError::NoProgram { .. }));
        assert!(is_none(directory.path()) && is_none(Path::new("/dev/zero")));
        assert!(matches!(of(b"#!/bin/sh\n"), Err(ElfError::NoProgram { .. })));
        let nowhere = read(&directory.path().join("none"));
        assert!(matches!(nowhere, Err(ElfError::Unreadable { .. })));
    }

    /// Against readelf, of this very program. Would catch a part of the table that is not read.
    #[test]
    fn readelf_says_the_same() {
        let own = std::env::current_exe().unwrap();
        let Ok(said) = Command::new("readelf").args(["-W", "--version-info"]).arg(&own).output()
        else {
            return println!("SKIPPED: readelf is not installed");
        };
        let said = String::from_utf8(said.stdout).unwrap();
        let needs = said.split("Version needs section").nth(1).unwrap();
        let names = needs.split("GLIBC_").skip(1).filter_map(|rest| rest.split_whitespace().next());
        let newest = names.filter_map(GlibcVersion::parse).max().unwrap();
        assert_eq!(read(&own).unwrap().linkage, Linkage::Dynamic { glibc: newest });
        // Rust's own programs ask for at least this: the version where threads became a part of glibc.
        assert!(newest >= GlibcVersion { major: 2, minor: 17 });
    }
}
