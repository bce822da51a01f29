//! How each package of a file went.
//!
//! `go test` prints a header with `pkg:` when a package's first benchmark starts, and closes the package with
//! `PASS` and `ok`, or with what failed. Owns what these lines mean together: a package that passed has no
//! endings, whatever its benchmarks printed; one that did not has the cause, not the lines that follow from it;
//! one that was opened and never closed is cut. Refuses to expect a closing line of results without `pkg:`:
//! lines chosen by hand have none.

use etalon_core::dataset::{Ended, Ending};

use super::status::{self, Status};

/// An ending and its line.
pub(super) type At = (u64, Ended);

/// The packages of one file, read so far.
#[derive(Debug, Default)]
pub(super) struct Packages {
    open: Option<Open>,
    /// Whether anything failed in this file.
    failed: bool,
}

/// A package whose results are being read.
#[derive(Debug, Default)]
struct Open {
    /// Its name; absent for results without a header.
    package: Option<String>,
    /// Where it was opened, or something was read of it last.
    line: u64,
    passed: bool,
    /// Benchmarks that said that they failed.
    benchmarks: Vec<(u64, String)>,
    /// Complaints against the package, with the benchmark being executed.
    causes: Vec<(u64, Option<String>, Ending)>,
}

impl Packages {
    /// A header names a package.
    pub(super) fn header(&mut self, line: u64, package: &str) -> Vec<At> {
        let ended = self.end();
        self.open = Some(Open { package: Some(package.to_owned()), line, ..Open::default() });
        ended
    }

    /// A result was read.
    pub(super) fn result(&mut self, line: u64) {
        let open = self.open.get_or_insert_default();
        // Results behind `PASS` are of something else that has no header.
        if open.passed {
            *open = Open::default();
        }
        open.line = line;
    }

    /// `go test` says how something went.
    pub(super) fn status(&mut self, line: u64, status: &Status<'_>) -> Vec<At> {
        let open = self.open.get_or_insert_default();
        match status {
            Status::Passed => {
                open.passed = true;
                // Of a program that passed, these are what it printed.
                open.causes.retain(|(.., how)| matches!(how, Ending::Faulted(_)));
                Vec::new()
            }
            Status::PackagePassed(package) => self.closed(package),
            Status::Failed if open.is_untouched() => Vec::new(),
            Status::Failed => {
                open.passed = false;
                open.causes.push((line, None, Ending::Failed));
                Vec::new()
            }
            Status::PackageFailed { package, why } => self.package_failed(line, package, *why),
            Status::BenchmarkFailed(name) => {
                match status::benchmark(name) {
                    Some(name) => open.benchmarks.push((line, name.to_owned())),
                    None => open.causes.push((line, None, Ending::Failed)),
                }
                Vec::new()
            }
            Status::Ended { benchmark, how } => {
                open.passed = false;
                open.causes.push((line, benchmark.map(str::to_owned), how.clone()));
                Vec::new()
            }
        }
    }

    fn closed(&mut self, package: &str) -> Vec<At> {
        match self.open.take() {
            // Of a package without benchmarks, between those of another.
            Some(open) if open.package.as_deref().is_some_and(|name| name != package) => {
                self.report(open)
            }
            Some(mut open) => {
                open.passed = true;
                open.causes.retain(|(.., how)| matches!(how, Ending::Faulted(_)));
                self.report(open)
            }
            None => Vec::new(),
        }
    }

    fn package_failed(&mut self, line: u64, package: &str, why: Option<&str>) -> Vec<At> {
        let is_other = |open: &Open| open.package.as_deref().is_some_and(|name| name != package);
        let mut ended = Vec::new();
        if self.open.as_ref().is_some_and(is_other) {
            ended = self.end();
        }
        let mut open = self.open.take().unwrap_or_default();
        open.package = Some(package.to_owned());
        open.passed = false;
        open.causes.push((
            line,
            None,
            match why {
                Some(why) => Ending::NotBuilt(why.to_owned()),
                None => Ending::Failed,
            },
        ));
        ended.extend(self.report(open));
        ended
    }

    /// Nothing follows of what is open.
    pub(super) fn end(&mut self) -> Vec<At> {
        let open = self.open.take();
        open.map_or(Vec::new(), |open| self.report(open))
    }

    /// How a package ended, if it did not pass.
    fn report(&mut self, open: Open) -> Vec<At> {
        let Open { package, line, passed, benchmarks, causes } = open;
        let of = |benchmark, how| Ended { package: package.clone(), benchmark, how };
        let named = !benchmarks.is_empty();
        let mut ended: Vec<At> = benchmarks
            .into_iter()
            .map(|(line, name)| (line, of(Some(name), Ending::Failed)))
            .collect();
        // That a benchmark failed is why the package says so, too.
        let follows = |how: &Ending| named && matches!(how, Ending::Failed | Ending::Exited(_));
        let cause = causes.into_iter().filter(|(.., how)| !follows(how)).min_by_key(|c| rank(&c.2));
        match cause {
            // `FAIL` at the very end sums up what is known already.
            Some((.., Ending::Failed)) if package.is_none() && self.failed => {}
            Some((line, benchmark, how)) => ended.push((line, of(benchmark, how))),
            None if !passed && !named && package.is_some() => {
                ended.push((line, of(None, Ending::Cut)))
            }
            None => {}
        }
        self.failed |= !ended.is_empty();
        ended
    }
}

impl Open {
    /// Whether nothing has been read of it.
    fn is_untouched(&self) -> bool {
        self.package.is_none()
            && self.line == 0
            && self.benchmarks.is_empty()
            && self.causes.is_empty()
    }
}

/// Which cause is told of several: that from which the others follow.
fn rank(how: &Ending) -> u8 {
    match how {
        Ending::Panicked(_) | Ending::TimedOut(_) | Ending::Killed(_) | Ending::NotBuilt(_) => 0,
        Ending::Faulted(_) => 1,
        Ending::Exited(_) => 2,
        Ending::Failed | Ending::Cut => 3,
    }
}
