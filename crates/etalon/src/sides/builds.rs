//! Builds of copies, one after the other; those that an earlier etalon has kept are not built again.
//!
//! Owns: what a build says that fails, that no build changes another copy, and how old builds are. Refuses to keep
//! builds unless all of them succeeded.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use etalon_core::excerpt::excerpt;
use etalon_core::model::{BASE, HEAD};
use etalon_probe::untimed::{self, Executed, Program};
use etalon_report::number::counted;
use etalon_report::text::clean;
use etalon_run::sides::{self, Listing, Sides};

use super::{Copy, failure, filled, shown_text, variables};
use crate::compare::sides::facts;
use crate::failure::Failure;
use crate::progress::Watch;
use crate::{lacking, output};

/// Facts for the record.
type Facts = Vec<(&'static str, String)>;

/// The check of copies before they are built, and once more when the first of them is: whatever cannot work is told before
/// somebody has waited for it.
pub(crate) type BeforeBuilding<'a> = &'a dyn Fn(&[Copy]) -> Result<(), Failure>;

/// How copies are built.
pub(crate) struct Building<'a> {
    pub(crate) command: &'a OsStr,
    pub(crate) environment: &'a [(OsString, OsString)],
    /// Whether builds of a side are placed otherwise, and told which each is.
    pub(crate) layouts: bool,
    /// Files that each copy has as they are where etalon was started.
    pub(crate) laid: &'a [PathBuf],
    pub(crate) here: &'a Path,
}

impl Building<'_> {
    /// Builds every copy that is not built, and keeps the builds; facts for the record. When the first is built, the
    /// others are still to be for the check.
    ///
    /// # Errors
    /// If a side does not build, one build changes what another one made, a build cannot be executed, or the check says so.
    pub(super) fn all(
        &self,
        sides: &mut Sides,
        copies: &[Copy],
        watch: &Watch<'_>,
        check: BeforeBuilding<'_>,
    ) -> Result<Facts, Failure> {
        let interrupts = watch.interrupts();
        let new = copies.iter().filter(|copy| copy.built.is_none()).count();
        if watch.is_attended() && new > 0 {
            let number = counted(new, "copy", "copies");
            output::remark(&format!("building {number}: {}", shown_text(self.command)));
        }
        let mut made = vec![(facts::BUILD_COMMAND, shown_text(self.command))];
        let began = Instant::now();
        let (mut after, mut is_as_built) = (Vec::new(), true);
        for copy in copies {
            if copy.built.is_none() {
                self.one(sides, copy, &mut || interrupts.come())?;
                if after.is_empty() {
                    sides::lay(self.laid, self.here, &copy.directory).map_err(failure)?;
                    let as_built = Listing::of(&copy.root);
                    check(&half_built(copies))?;
                    // A command may have been tried there.
                    is_as_built = as_built.restore(&copy.root);
                }
            }
            after.push(Listing::of(&copy.root));
            self.refuse_one_layout(copy, copies)?;
        }
        self.refuse_shared(copies, &after)?;
        if new > 0 {
            made.push((facts::BUILD_SECONDS, format!("{:.1}", began.elapsed().as_secs_f64())));
        }
        for copy in copies {
            sides::lay(self.laid, self.here, &copy.directory).map_err(failure)?;
        }
        if is_as_built {
            sides.keep();
        }
        made.extend(ages(copies, SystemTime::now()));
        Ok(made)
    }

    /// Builds a copy.
    fn one(
        &self,
        sides: &Sides,
        copy: &Copy,
        interrupted: &mut dyn FnMut() -> bool,
    ) -> Result<(), Failure> {
        let about = || format!("--build {}", shown_text(self.command));
        let place = (&*copy.root, &*copy.directory);
        let layout = copy.build.filter(|_| self.layouts);
        let executed = self
            .executed(place, (sides.building(&copy.root), layout), interrupted)
            .map_err(|error| Failure::about(about(), error))?
            .ok_or_else(|| Failure::interrupted("interrupted while the sides were built"))?;
        if executed.is_ok() {
            return Ok(());
        }
        let lines: String =
            said(&executed).iter().map(|line| format!("\n  | {}", clean(line))).collect();
        let printed = [&executed.stdout, &executed.stderr].map(|it| String::from_utf8_lossy(it));
        let text = printed.join("\n");
        let remedy = lacking::remedy(&text, (self.here, Path::new("")), &copy.directory);
        let remedy = remedy.map(|remedy| format!("\n  {remedy}")).unwrap_or_default();
        let command = shown_text(self.command);
        let side = copy.side;
        Err(Failure::of_side(format!("{side} does not build: `{command}`{lines}{remedy}")))
    }

    /// Executes the build of a copy, whose top and directory these are; nothing if the user ended it.
    pub(crate) fn executed(
        &self,
        (root, directory): (&Path, &Path),
        (inherits, layout): (Option<&File>, Option<usize>),
        interrupted: &mut dyn FnMut() -> bool,
    ) -> io::Result<Option<Executed>> {
        let text = OsString::from_vec(filled(self.command.as_bytes(), root));
        let mut environment = variables(self.environment, root);
        environment.extend(layout.map(|it| (sides::LAYOUT.into(), it.to_string().into())));
        let program = Program {
            program: OsStr::new("/bin/sh"),
            arguments: &["-c".into(), text],
            environment: &environment,
            input: None,
            directory,
            inherits,
        };
        untimed::execute(&program, interrupted)
    }

    /// Refuses second layouts that are their side's first ones again, before more are built: an answer about the code however
    /// it is placed would rest on one place.
    fn refuse_one_layout(&self, copy: &Copy, copies: &[Copy]) -> Result<(), Failure> {
        let is_second = self.layouts && copy.build == Some(2);
        let is_first = |it: &&Copy| it.side == copy.side && it.build == Some(1);
        match copies.iter().find(is_first).filter(|_| is_second) {
            Some(first) if sides::are_placed_alike(&first.root, &copy.root) => {
                let why = format!(
                    "`{}` makes the same programs with ETALON_LAYOUT=1 and 2: it has to place code by that number; \
                     `etalon help layouts` has lines for C, C++, Rust and Go",
                    shown_text(self.command)
                );
                Err(Failure::about("--layouts", why))
            }
            _ => Ok(()),
        }
    }

    /// Refuses builds that changed other copies than their own after these were built.
    fn refuse_shared(&self, copies: &[Copy], after: &[Listing]) -> Result<(), Failure> {
        for (copy, then) in copies.iter().zip(after) {
            if let Some(path) = then.first_change(&Listing::of(&copy.root)) {
                return Err(Failure::about(
                    format!("--build {}", shown_text(self.command)),
                    format!(
                        "the same artefact twice: {} in {} was changed by the build of another copy: let each copy \
                         build into itself",
                        path.display(),
                        copy.side
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// The lines of a build that failed that a message has room for.
pub(crate) fn said(executed: &Executed) -> Vec<String> {
    let said = String::from_utf8_lossy(&executed.stderr);
    let printed = String::from_utf8_lossy(&executed.stdout);
    // Compilers of TypeScript and test runners print their reasons, and what starts them warns beside that.
    [excerpt(&printed), excerpt(&said)].concat()
}

/// Copies of which the first is built, and no other that an earlier etalon has not built.
fn half_built(copies: &[Copy]) -> Vec<Copy> {
    let of = |(at, copy): (usize, &Copy)| {
        let built = copy.built.or((at == 0).then(SystemTime::now));
        Copy { built, is_to_be_built: built.is_none(), ..copy.clone() }
    };
    copies.iter().enumerate().map(of).collect()
}

/// How old the builds of each side are that come from earlier, in seconds; the oldest, and how many of how many these are.
fn ages(copies: &[Copy], now: SystemTime) -> Facts {
    let mut by_side: BTreeMap<&str, (u64, usize, usize)> = BTreeMap::new();
    for copy in copies {
        let (oldest, earlier, all) = by_side.entry(copy.side).or_default();
        *all += 1;
        if let Some(built) = copy.built {
            let age = now.duration_since(built).unwrap_or_default().as_secs();
            *oldest = age.max(*oldest);
            *earlier += 1;
        }
    }
    let said = [(BASE, facts::BASE_AGE), (HEAD, facts::HEAD_AGE)].map(|(side, key)| {
        let (oldest, earlier, all) = *by_side.get(side)?;
        (earlier > 0).then(|| (key, format!("{oldest} s, {earlier} of {all}")))
    });
    said.into_iter().flatten().collect()
}
