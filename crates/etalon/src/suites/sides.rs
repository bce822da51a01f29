//! Suites on two sides of a project: those of the working tree, laid over every copy; what they load is the copy's own.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use etalon_core::dataset::{BASE, BUILD, HEAD, SIDE};
use etalon_core::model::{Accept, Context};
use etalon_lua::{Place, Source};
use etalon_probe::launcher::protocol::{Command, Execute, Files};
use etalon_record::Text;
use etalon_report::text::clean;
use etalon_run::CommandSetup;
use etalon_run::lua::{SuiteSpec, Variant};
use etalon_run::origins::{Named, Pair};

use crate::ab::held;
use crate::ab::made::{self, Asked, Builds, Made};
use crate::cli;
use crate::cmd::sides::Copy;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::facts;
use crate::{services, session};

/// Copies with the suites in them.
pub(crate) struct Laid {
    pub(crate) made: Made,
    pub(crate) copies: Vec<Copy>,
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
    let here = here()?;
    let laid: Vec<PathBuf> =
        suites.iter().map(|suite| file(suite, &here)).collect::<Result<_, _>>()?;
    with(options, &laid, watch)
}

/// The same with files below the directory that etalon was started in.
///
/// # Errors
/// If there is no such revision, or an executable or file cannot be had.
pub(crate) fn with(
    options: &cli::Run,
    laid: &[PathBuf],
    watch: &Watch<'_>,
) -> Result<Result<Laid, String>, Failure> {
    let here = here()?;
    let cli::SideArgs { base, build, builds, along, no_control } = &options.sides;
    let asked = Asked {
        base: base.as_deref().unwrap_or_default(),
        head: None,
        dir: false,
        build: build.as_deref(),
        along,
        no_control: *no_control,
        env: &[],
        laid,
        builds: Builds::of(builds),
    };
    Ok(made::of(&asked, &here, watch)?.map(|(made, copies)| Laid { made, copies }))
}

/// The file of a suite below the directory that etalon was started in.
fn file(suite: &SuiteSpec, here: &Path) -> Result<PathBuf, Failure> {
    let Source::File(path) = &suite.source else {
        return Err(Failure::about("--base", "is for suites in files"));
    };
    inside(path, here)
}

fn here() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|e| Failure::about("the current directory", e))
}

/// A file below the directory that etalon was started in, from there.
///
/// # Errors
/// If it lies elsewhere.
pub(crate) fn inside(path: &Path, here: &Path) -> Result<PathBuf, Failure> {
    let outside = |path: &Path| {
        let why = "lies outside the directory etalon was started in, of which --base makes two sides: start it further up";
        Failure::about(path.display(), why)
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

/// What the suites read of each side when they are loaded, where something of it differs: each is loaded once more by an
/// etalon that lists its cases, which is traced.
///
/// # Errors
/// If a side loads something else in place of a module of its own that differs.
pub(super) fn read(
    options: &cli::Run,
    suites: &[SuiteSpec],
    laid: &Laid,
    watch: &Watch<'_>,
) -> Result<Context, Failure> {
    let Laid { made, copies } = laid;
    let here = here()?;
    let mut origins = held::of_nothing((made, copies), watch);
    let mut commands = Vec::new();
    for suite in suites {
        let file = file(suite, &here)?;
        let of_side = |side: &str| copies.iter().find(|copy| copy.side == side);
        let both = [BASE, HEAD].map(of_side).into_iter().flatten();
        commands.extend(both.map(|copy| listing(options, &file, copy)));
        let subjects = [commands.len() - 2, commands.len() - 1];
        let name = format!("suite `{}`", clean(&file.to_string_lossy()));
        origins.pairs.push(Pair { name, subjects, named: Named::Own });
    }
    // Cases load more while they are measured.
    origins.others = origins.pairs.len();
    let setup = CommandSetup {
        commands,
        environment: session::assignments(std::env::vars_os()),
        cwd: here,
        control: options.surroundings.control(),
        ..CommandSetup::default()
    };
    let mut facts = origins.find(&setup, |_| true).map_err(services::failure)?;
    facts.retain(|key, value| key != facts::READ || !value.ends_with(" 0 differ"));
    Ok(facts)
}

/// This program, as it lists the cases of a suite in a copy.
fn listing(options: &cli::Run, file: &Path, copy: &Copy) -> Command {
    let hosts = &options.hosts;
    let mut argv = ["etalon", "run", "--list"].map(Text::from).to_vec();
    for lua in &hosts.lua {
        argv.extend([Text::from("--lua"), Text::from(lua.as_str())]);
    }
    for jit in hosts.jit.iter().filter_map(ValueEnum::to_possible_value) {
        argv.extend([Text::from("--jit"), Text::from(jit.get_name())]);
    }
    argv.push(Text::from(file.to_owned().into_os_string()));
    let directory = Some(Text::from(copy.directory.clone().into_os_string()));
    let execute =
        Execute { path: Text::from("/proc/self/exe"), argv, directory, ..Execute::default() };
    let (accept, files) = (Accept::default(), Files::default());
    Command { execute, prepare: None, conclude: None, accept, files }
}
