//! Suites on two sides of a project: those of the working tree, laid over every copy, or each side's own; what they load is
//! the copy's own.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use etalon_core::metrics::{by_unit, units_of};
use etalon_core::model::{Accept, BASE, BUILD, Case, Context, HEAD, Metric, SIDE};
use etalon_core::notes::BenchmarksOf;
use etalon_core::tables::About;
use etalon_lua::{Place, Source, metrics};
use etalon_probe::launcher::protocol::{Command, Execute, Files};
use etalon_record::{BenchmarkLine, Text};
use etalon_report::text::clean;
use etalon_run::CommandSetup;
use etalon_run::lua::{SuiteSpec, Variant};
use etalon_run::origins::{Named, Pair};
use indexmap::IndexMap;

use crate::cli::{self, BenchFrom, Comparison};
use crate::compare::checks;
use crate::compare::sides::facts;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::benches::{self, Differing};
use crate::sides::copies::inside;
use crate::sides::origins::one_sided;
use crate::sides::{Copy, OnSides};
use crate::{services, tool};

/// Refuses units that no suite can have, before anything is built; these are counted besides.
///
/// # Errors
/// With those that suites have.
pub(super) fn refuse_units(asked: &Comparison, counted: Option<Metric>) -> Result<(), Failure> {
    let known: Vec<Metric> = metrics::all().iter().cloned().chain(counted).collect();
    let never_comes = |unit: &str| {
        let about = About::unit(Some(unit));
        let is_known = |name: &str| units_of(name).iter().any(|it| about.has_unit(it));
        !known.iter().any(|metric| is_known(&metric.name)) && !metrics::may_be_own(by_unit(unit))
    };
    let names: Vec<&str> = known.iter().map(|metric| metric.name.as_str()).collect();
    let names = names.join(", ");
    let instead = format!("write one of {names}, or what a suite gives to measure.metric");
    checks::refuse_units(asked, never_comes, &instead)
}

/// The files of suites below the directory that etalon was started in.
///
/// # Errors
/// If one lies elsewhere.
pub(super) fn files(suites: &[SuiteSpec]) -> Result<Vec<PathBuf>, Failure> {
    let here = tool::here()?;
    suites.iter().map(|suite| file(suite, &here)).collect()
}

/// The file of a suite below the directory that etalon was started in.
fn file(suite: &SuiteSpec, here: &Path) -> Result<PathBuf, Failure> {
    let Source::File(path) = &suite.source else {
        return Err(Failure::about("--base", "is for suites in files"));
    };
    inside(path, here)
}

/// A suite in a copy.
///
/// # Errors
/// If it is in no file of the project.
pub(super) fn in_copy(
    suite: &SuiteSpec,
    copy: &Copy,
    whose: BenchFrom,
) -> Result<SuiteSpec, Failure> {
    let Place { directory, caller } = &suite.place;
    let inside = directory.strip_prefix(caller).unwrap_or(Path::new(""));
    let place = Place { directory: copy.directory.join(inside), caller: copy.directory.clone() };
    let source = match whose {
        BenchFrom::Head => suite.source.clone(),
        BenchFrom::Own => Source::File(file(suite, &tool::here()?)?),
    };
    Ok(SuiteSpec { place, source, ..suite.clone() })
}

/// Facts for the record about suites that differ between the sides.
///
/// # Errors
/// If a suite is on one side only, and each side is to execute its own.
pub(super) fn differing(
    files: &[PathBuf],
    whose: BenchFrom,
    on_sides: &OnSides,
) -> Result<Context, Failure> {
    let (files, executed) = match whose {
        BenchFrom::Head => (on_sides.laid_over().to_vec(), BenchmarksOf::Head),
        BenchFrom::Own => (own(files, on_sides)?, BenchmarksOf::Own),
    };
    Ok(benches::facts(&[Differing { package: None, files, executed }]))
}

/// The suites that differ between the copies.
fn own(files: &[PathBuf], on_sides: &OnSides) -> Result<Vec<PathBuf>, Failure> {
    let mut differing = Vec::new();
    for file in files {
        let of_side = |side: &str| {
            let copy = on_sides.copies().iter().find(|copy| copy.side == side)?;
            std::fs::read(copy.directory.join(file)).ok()
        };
        let (base, head) = (of_side(BASE), of_side(HEAD));
        let name = clean(&file.to_string_lossy());
        if let Some(failure) = one_sided(&name, (base.is_some(), head.is_some()), None) {
            return Err(failure);
        }
        if base != head {
            differing.push(file.clone());
        }
    }
    Ok(differing)
}

/// A Lua in a copy.
pub(super) fn at_copy(variant: &Variant, copy: &Copy) -> Variant {
    let mut variant = variant.clone();
    variant.params.extend(copy.params());
    variant
}

/// Origins of the files that suites read of each side when they are loaded, where some differ: each suite is loaded once
/// more by an etalon that lists its cases, which is traced.
///
/// # Errors
/// If a side loads something else in place of a module of its own that differs.
pub(super) fn read(
    options: &cli::Run,
    files: &[PathBuf],
    on_sides: &OnSides,
    watch: &Watch<'_>,
) -> Result<Context, Failure> {
    let mut origins = on_sides.unobserved(watch);
    let mut commands = Vec::new();
    for file in files {
        let of_side = |side: &str| on_sides.copies().iter().find(|copy| copy.side == side);
        let both = [BASE, HEAD].map(of_side).into_iter().flatten();
        commands.extend(both.map(|copy| listing(options, file, copy)));
        let subjects = [commands.len() - 2, commands.len() - 1];
        let name = format!("suite `{}`", clean(&file.to_string_lossy()));
        origins.pairs.push(Pair { name, subjects, named: Named::Own });
    }
    // Cases load more while they are measured.
    origins.others = origins.pairs.len();
    let setup = CommandSetup {
        commands,
        environment: tool::assignments(std::env::vars_os()),
        cwd: tool::here()?,
        control: options.surroundings.control(),
        ..CommandSetup::default()
    };
    let mut facts = origins.find(&setup, |_| true).map_err(services::failure)?;
    facts.retain(|key, value| {
        key != facts::SEEN && (key != facts::READ || !value.ends_with(" 0 differ"))
    });
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

/// Cases that differ in nothing but their side.
pub(super) fn rows(lines: &[BenchmarkLine]) -> Vec<Vec<usize>> {
    let mut rows: IndexMap<_, Vec<usize>> = IndexMap::new();
    for (index, line) in lines.iter().enumerate() {
        let own = line.params.iter().filter(|(key, _)| key != SIDE && key != BUILD);
        let place = line.case.as_ref().map(Case::place);
        rows.entry((&line.name, place, own.collect::<Vec<_>>())).or_default().push(index);
    }
    rows.into_values().collect()
}
