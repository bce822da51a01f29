//! The commits of a bisection: listed at once, copied and built when one is needed.
//!
//! Owns what becomes of a commit that cannot be copied, built or executed: it is left out, and why is recorded.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Instant;

use etalon_core::analysis::Bisected;
use etalon_core::bisect::Member;
use etalon_core::model::{Bisection, Context, NotStarted};
use etalon_record::Text;
use etalon_run::bisection::{Commits, Supplied};
use etalon_run::origins::{Named, Pair};
use etalon_run::sides::{
    BuildCache, BuildPlace, Earlier, RangeSpec, Recipe, Revisions, SidesError,
};
use etalon_run::{CommandSetup, Origins, RunError};

use super::output::SameOutput;
use super::remarks::{self, Remarks};
use crate::cli;
use crate::compare::sides::facts;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::sides::copies::kept_at;
use crate::sides::{self, Building};

/// Commits, and how they are built.
pub(super) struct Range {
    revisions: Revisions,
    build: Option<OsString>,
    /// Variables for builds.
    variables: Vec<(OsString, OsString)>,
    here: PathBuf,
    told: Option<Remarks>,
    same: Option<SameOutput>,
    /// Commands that are executed at the ends, of which it is seen once which files it reads.
    origins: Option<(CommandSetup, Origins)>,
    /// The build of the bad end that is ready last of the first ones.
    last: Member,
}

impl Range {
    /// Lists them.
    ///
    /// # Errors
    /// If there are no such revisions, or no commit is between them.
    pub(super) fn listed(
        options: &cli::Bisect,
        here: &Path,
        watch: &Watch<'_>,
    ) -> Result<Range, Failure> {
        let text = |name: &str, end: &Option<OsString>| {
            let text = end.as_deref().unwrap_or_default().to_str().map(str::to_owned);
            text.ok_or_else(|| Failure::about(name, "is no UTF-8, which no revision is"))
        };
        let (good, bad) = (text("GOOD", &options.good)?, text("BAD", &options.bad)?);
        let variables = sides::pairs(&options.control.env);
        let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        let home = kept_at().filter(|_| options.build.is_some() && !options.copying.no_cache);
        let kept = options.build.as_deref().zip(home.as_deref());
        let kept = kept.map(|(command, builds)| BuildCache {
            builds,
            recipe: Recipe { command, given: &variables, environment: &environment },
            earlier: match options.copying.rebuild {
                true => Earlier::Rebuilt,
                false => Earlier::Used,
            },
        });
        let spec = RangeSpec {
            ends: [&good, &bad],
            merged: options.all_commits,
            paths: &options.paths,
            along: &options.copying.along,
            kept,
            environment: &environment,
        };
        let interrupts = watch.interrupts();
        let temporary = std::env::temp_dir();
        let revisions = Revisions::between(&spec, (here, &temporary), &mut || interrupts.come());
        let revisions = revisions.map_err(sides::failure)?;
        Ok(Range {
            last: (revisions.commits.len().saturating_sub(1), 0),
            origins: None,
            revisions,
            build: options.build.clone(),
            variables,
            here: here.to_owned(),
            told: None,
            same: None,
        })
    }

    /// Their names and the first lines of their messages.
    pub(super) fn commits(&self) -> &[(String, String)] {
        &self.revisions.commits
    }

    /// Where a build of a commit is going to be: its top, and the directory that commands are executed in.
    pub(super) fn place(&self, member: Member) -> (PathBuf, PathBuf) {
        (self.revisions.root(member), self.revisions.directory(member))
    }

    /// Facts about them, for the record.
    pub(super) fn say(&self, context: &mut Context, asked: &Bisection) {
        let mut say = |key: &str, value: String| context.insert(key.to_owned(), value);
        if let Some(build) = &self.build {
            say(facts::BUILD_COMMAND, shown(build));
        }
        say(facts::BUILDS, asked.builds.to_string());
        let merges = self.revisions.parents.iter().skip(1).filter(|parents| **parents > 1).count();
        say("bisect.merges", merges.to_string());
    }

    /// From now on both ends have to execute what is their own, found out when they are ready.
    pub(super) fn looks_at(&mut self, setup: CommandSetup, builds: usize, watch: &Watch<'_>) {
        let members = [(0, 0), self.last];
        let name = setup.commands.first().map_or_else(String::new, |command| {
            etalon_report::text::clean(&command.execute.path.to_string_lossy())
        });
        let interrupts = watch.interrupts();
        let pair = Pair {
            name: format!("command `{name}`"),
            subjects: members.map(|(commit, build)| commit * builds + build),
            named: Named::Own,
        };
        let top = self.revisions.top();
        let origins = Origins {
            pairs: vec![pair],
            roots: members.map(|it| self.revisions.root(it)),
            project: top.file_name().unwrap_or_default().to_owned(),
            elsewhere: vec![top.to_owned()],
            others: 0,
            interrupted: Box::new(move || interrupts.come()),
        };
        self.origins = Some((setup, origins));
    }

    /// From now on it says how far a bisection is, and looks at what commits print.
    pub(super) fn tells(&mut self, told: Remarks, same: Option<SameOutput>) {
        (self.told, self.same) = (Some(told), same);
    }

    /// Builds a copy that is not built.
    fn built(
        &mut self,
        member: Member,
        found: &BuildPlace,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Supplied, RunError> {
        let Some(build) = self.build.clone().filter(|_| found.built.is_none()) else {
            return Ok(Supplied::Ready);
        };
        let began = Instant::now();
        let building = Building {
            command: &build,
            environment: &self.variables,
            layouts: false,
            laid: &[],
            here: &self.here,
        };
        let place = (&*found.root, &*found.directory);
        let executed =
            building.executed(place, (self.revisions.building(member), None), interrupted);
        let seconds = began.elapsed().as_secs_f64();
        let lacking = |said: String| {
            let why = NotStarted::NotBuilt("does not build".to_owned());
            Supplied::Lacking { why, said: Text::from(said.as_str()) }
        };
        let supplied = match executed {
            Ok(Some(executed)) if executed.is_ok() => Supplied::Ready,
            Ok(Some(executed)) => lacking(sides::said(&executed).join("\n")),
            Ok(None) => Supplied::Interrupted,
            Err(error) => lacking(error.to_string()),
        };
        match &supplied {
            Supplied::Ready => self.revisions.keep(member),
            Supplied::Lacking { .. } | Supplied::Interrupted => self.revisions.discard(member),
        }
        if let Some(told) = &mut self.told {
            told.built(seconds);
        }
        Ok(supplied)
    }
}

impl Commits for Range {
    fn ready(
        &mut self,
        member: Member,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Supplied, RunError> {
        let began = Instant::now();
        let supplied = self.supplied(member, interrupted);
        if let (Ok(Supplied::Ready), true) = (&supplied, member == self.last)
            && let Some((setup, mut origins)) = self.origins.take()
        {
            origins.find(&setup, |_| true)?;
        }
        if let Some(told) = &mut self.told {
            told.made_ready(began.elapsed().as_secs_f64());
        }
        supplied
    }

    fn told(&mut self, found: &mut Bisected, seconds: f64) -> Result<Option<String>, RunError> {
        if let Some(undecided) = found.undecided() {
            return Err(RunError::NoBenchmark { why: remarks::undecided(&undecided) });
        }
        Ok(self.told.as_mut().and_then(|told| told.said(found, seconds)))
    }
}

impl Range {
    fn supplied(
        &mut self,
        member: Member,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<Supplied, RunError> {
        let found = match self.revisions.check_out(member, interrupted) {
            Ok(found) => found,
            Err(SidesError::Interrupted) => return Ok(Supplied::Interrupted),
            Err(error @ (SidesError::Pointer { .. } | SidesError::NoSubmodule { .. })) => {
                let why = NotStarted::NotBuilt("cannot be checked out".to_owned());
                return Ok(Supplied::Lacking { why, said: Text::from(error.to_string().as_str()) });
            }
            Err(error) => return Err(RunError::Sides(error)),
        };
        let supplied = self.built(member, &found, interrupted)?;
        match (&supplied, &mut self.same) {
            (Supplied::Ready, Some(same)) => same.looked_at(member, interrupted),
            _ => Ok(supplied),
        }
    }
}

fn shown(text: &OsStr) -> String {
    etalon_report::text::clean(&text.to_string_lossy())
}
