//! Suites on two sides of a project: those of the working tree, laid over every copy; what they load is the copy's own.

use std::fs;
use std::path::{Path, PathBuf};

use etalon_core::dataset::{BUILD, SIDE};
use etalon_lua::{Place, Source};
use etalon_run::lua::{SuiteSpec, Variant};

use crate::ab::made::{self, Asked, Made};
use crate::cli;
use crate::cmd::sides::Copy;
use crate::failure::Failure;
use crate::progress::Watch;

/// Copies with the suites in them.
pub(super) struct Laid {
    pub(super) made: Made,
    pub(super) copies: Vec<Copy>,
}

/// The copies, built, with the suites laid over each; in words what does not build.
///
/// # Errors
/// If there is no such revision, or a suite lies outside the project.
pub(super) fn of(
    options: &cli::Run,
    suites: &[SuiteSpec],
    watch: &Watch<'_>,
) -> Result<Result<Laid, String>, Failure> {
    let here = std::env::current_dir().map_err(|e| Failure::about("the current directory", e))?;
    let cli::SideArgs { base, build, along, no_control } = &options.sides;
    let asked = Asked {
        base: base.as_deref().unwrap_or_default(),
        head: None,
        dir: false,
        build: build.as_deref(),
        along,
        no_control: *no_control,
        env: &[],
    };
    for suite in suites {
        // Before anything is built.
        file(suite, &here)?;
    }
    let (made, copies) = match made::of(&asked, &here, watch)? {
        Ok(made) => made,
        Err(unbuilt) => return Ok(Err(unbuilt)),
    };
    for suite in suites {
        let from = file(suite, &here)?;
        for copy in &copies {
            let to = copy.directory.join(&from);
            let copied = match to.parent() {
                Some(parent) => fs::create_dir_all(parent),
                None => Ok(()),
            };
            let copied = copied.and_then(|()| fs::copy(here.join(&from), &to));
            copied.map_err(|error| Failure::about(to.display(), error))?;
        }
    }
    Ok(Ok(Laid { made, copies }))
}

/// The file of a suite below the directory that etalon was started in.
fn file(suite: &SuiteSpec, here: &Path) -> Result<PathBuf, Failure> {
    let outside = |path: &Path| {
        let why = "lies outside the directory etalon was started in, of which --base makes two sides: start it further up";
        Failure::about(path.display(), why)
    };
    let Source::File(path) = &suite.source else {
        return Err(Failure::about("--base", "is for suites in files"));
    };
    let absolute: PathBuf = here.join(path).components().collect();
    match absolute.strip_prefix(here) {
        Ok(inside) if !inside.components().any(|part| part.as_os_str() == "..") => {
            Ok(inside.to_owned())
        }
        _ => Err(outside(path)),
    }
}

/// A suite in a copy.
pub(super) fn laid(suite: &SuiteSpec, copy: &Copy) -> SuiteSpec {
    let Place { directory, caller } = &suite.place;
    let inside = directory.strip_prefix(caller).unwrap_or(Path::new(""));
    let place = Place { directory: copy.directory.join(inside), caller: copy.directory.clone() };
    SuiteSpec { place, ..suite.clone() }
}

/// A Lua in a copy.
pub(super) fn of_copy(variant: &Variant, copy: &Copy) -> Variant {
    let mut variant = variant.clone();
    variant.params.push((SIDE.to_owned(), copy.side.to_owned()));
    variant.params.extend(copy.build.map(|build| (BUILD.to_owned(), build.to_string())));
    variant
}
