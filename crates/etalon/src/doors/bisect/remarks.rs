//! Remarks while a bisection goes on: what it is going to take, and which commits are left.

use etalon_core::analysis::{Bisected, Undecided, metric_called};
use etalon_core::bisect::Left;
use etalon_core::compare::COUNTS_NEEDED;
use etalon_core::model::{Bisection, Metric};
use etalon_report::bisection as words;
use etalon_report::number::{counted, duration};
use etalon_report::text::clean;
use etalon_run::Experiment;

/// Executions of a search for a change as large as the scatter, ends and confirmation included: by bits of its commits.
const A_BIT: f64 = 8.0;
const EVERY: f64 = 190.0;

/// A remark is made of commits that are left where so much of them has gone.
const FEWER: f64 = 0.6;

/// Remarks that were made.
pub(super) struct Remarks {
    names: Vec<String>,
    metric: Option<Metric>,
    builds: usize,
    is_counted: bool,
    has_build: bool,
    /// Builds that were made, and how long they took.
    built: (usize, f64),
    /// Seconds in which commits were made ready.
    away: f64,
    /// Executions of earlier sittings.
    before: Option<usize>,
    has_begun: bool,
    are_proved: bool,
    left: Option<usize>,
    skipped: usize,
}

impl Remarks {
    pub(super) fn new(asked: &Bisection, experiment: &Experiment, has_build: bool) -> Remarks {
        let names = asked.short_names().into_iter().map(str::to_owned).collect();
        Remarks {
            names,
            metric: metric_called(&experiment.metrics, &experiment.settings.metric),
            builds: asked.builds,
            is_counted: asked.counts,
            has_build,
            built: (0, 0.0),
            away: 0.0,
            before: None,
            has_begun: false,
            are_proved: false,
            left: None,
            skipped: 0,
        }
    }

    /// The cost to expect, as far as nothing is measured yet.
    pub(super) fn beforehand(&self) -> String {
        let commits = counted(self.names.len() - 1, "commit", "commits");
        let copies = if self.has_build { "builds" } else { "copies" };
        if self.is_counted {
            let counts = 2 * COUNTS_NEEDED + 2 * self.halved();
            return format!(
                "{commits}: about {counts} counts and {} {copies}, if one commit did it; it and the one before are timed then",
                self.copies()
            );
        }
        format!(
            "{commits}: about {} executions and {} {copies}, if the change is as large as the scatter",
            self.usual(),
            self.copies()
        )
    }

    /// Executions of a change as large as the scatter.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // some hundred
    fn usual(&self) -> usize {
        let all = EVERY + A_BIT * (self.names.len() as f64).log2() * 2.0;
        (all / 10.0).round() as usize * 10
    }

    /// How often the range is halved.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a handful
    fn halved(&self) -> usize {
        (self.names.len() as f64).log2().ceil() as usize
    }

    /// Copies: those of the ends and of two neighbours, and one for each time that the range is halved.
    fn copies(&self) -> usize {
        let between = self.names.len().saturating_sub(2);
        2 * self.builds + (self.halved() + 2).min(between) + (self.builds - 1) * between.min(2)
    }

    /// A build took so long.
    pub(super) fn built(&mut self, seconds: f64) {
        self.built = (self.built.0 + 1, self.built.1 + seconds);
    }

    /// A commit was made ready in so long.
    pub(super) fn made_ready(&mut self, seconds: f64) {
        self.away += seconds;
    }

    /// Remarks on how it stands now.
    pub(super) fn said(&mut self, found: &mut Bisected, seconds: f64) -> Option<String> {
        let executions = found.course().done().1;
        let own = executions - *self.before.get_or_insert(executions);
        let an_execution = (seconds - self.away).max(0.0) / own.max(1) as f64;
        let mut said = Vec::new();
        let skipped = found.skipped().len();
        if skipped > self.skipped {
            self.skipped = skipped;
            said.extend(words::left_out(found));
        }
        if own > 0 && !self.has_begun && !self.is_counted {
            self.has_begun = true;
            said.push(self.first(an_execution));
        }
        if own > 0 && found.course().is_searching() && !self.are_proved {
            self.are_proved = true;
            let left = found.course().expected();
            let takes = duration(left as f64 * an_execution);
            let proved = words::ends_differ(found, self.metric.as_ref());
            said.push(format!("{proved}; about {left} more executions, {takes}"));
        }
        if let Some(left) = found.course().left()
            && self.left.is_none_or(|known| (left.commits as f64) <= FEWER * known as f64)
        {
            // At the beginning all of them are.
            let is_news = self.left.is_some() || left.commits + 1 < self.names.len();
            self.left = Some(left.commits);
            said.extend(is_news.then(|| self.those_left(left)));
        }
        (!said.is_empty()).then(|| said.join("\n"))
    }

    fn first(&self, an_execution: f64) -> String {
        let building = match self.built {
            (0, _) => 0.0,
            (built, seconds) => seconds / built as f64 * self.copies().saturating_sub(built) as f64,
        };
        let takes = duration(self.usual() as f64 * an_execution + building);
        let builds = match self.built.0 {
            0 => String::new(),
            built => format!(" and builds of {}", duration(self.built.1 / built as f64)),
        };
        format!("about {takes} in all, with executions of {}{builds}", short(an_execution))
    }

    fn those_left(&self, left: Left) -> String {
        let name = |commit: usize| self.names.get(commit).map_or("", String::as_str);
        match left.commits {
            1 => format!("1 commit left: {}", name(left.to)),
            commits => {
                format!("{commits} commits left: {} … {}", name(left.before + 1), name(left.to))
            }
        }
    }
}

/// So many benchmarks are listed.
const LISTED: usize = 40;

/// That no benchmark of a harness is followed, and how to choose one.
pub(super) fn undecided(of: &Undecided) -> String {
    let list = |names: &[String]| {
        let more = names.len().saturating_sub(LISTED);
        let shown = names.iter().take(LISTED).map(|name| clean(name)).collect::<Vec<_>>();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        format!("{}{more}", shown.join(", "))
    };
    match of.taken.is_empty() {
        true => format!("--filter: no benchmark of these matches: {}", list(&of.all)),
        false => format!(
            "{} are there, and a bisection follows one: choose it with --filter NAME: {}",
            counted(of.taken.len(), "benchmark", "benchmarks"),
            list(&of.taken)
        ),
    }
}

fn short(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1e3),
        s => format!("{s:.1} s"),
    }
}
