//! Progress on a terminal, and the signals by which a user ends an experiment with what there is: Ctrl-C,
//! SIGTERM, and SIGHUP when the terminal is closed.
//!
//! A line or two on standard error, rewritten in place (`line`), only if that is a terminal and this process in
//! its foreground; nothing in a pipe. What they say is [`etalon_report::live`]'s.

mod line;

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use etalon_core::analysis::metric_called;
use etalon_core::dataset::Dataset;
use etalon_core::model::{BUILD, Benchmark, Metric, SIDE};
use etalon_core::pace::{Promise, TimeLeft};
use etalon_core::plan::{Plan, Stopping};
use etalon_probe::launcher::awake_ns;
use etalon_probe::{disposition, foreground};
use etalon_record::BenchmarkLine;
use etalon_record::store::NewRecord;
use etalon_report::live::{CaseUnderWay, Live, Row, lines};
use etalon_report::number::{counted, duration};
use etalon_run::{Experiment, Progress, Watcher};

use crate::enough::{self, AfterFirst, Family, Refusal};
use crate::failure::Failure;
use crate::interim::Interim;
use crate::output;
use line::Lines;

/// The subjects that a display of progress follows.
#[derive(Debug)]
pub(crate) struct Watched {
    names: Vec<String>,
    /// The metric of their medians; absent where suites measure one of their own, which nobody knows yet.
    metric: Option<Metric>,
    /// The rule that ends it.
    stopping: Stopping,
    /// The numbered subjects: cases of suites, in the order in which they are measured.
    cases: Vec<usize>,
}

impl Watched {
    /// An experiment on commands.
    pub(crate) fn commands(experiment: &Experiment) -> Watched {
        let ranked = &experiment.settings.metric;
        Watched {
            names: names(experiment),
            metric: metric_called(&experiment.metrics, ranked),
            stopping: experiment.plan.stopping,
            cases: Vec::new(),
        }
    }

    /// An experiment on cases of suites.
    pub(crate) fn cases(experiment: &Experiment) -> Watched {
        let mut cases: Vec<usize> = Vec::new();
        for &subject in experiment.stages.iter().flat_map(|stage| &stage.subjects) {
            if !cases.contains(&subject) {
                cases.push(subject);
            }
        }
        Watched { cases, ..Watched::commands(experiment) }
    }
}

/// Benchmarks by their labels; the builds of one command by their side and number, `head 2`, because its label would
/// leave them no room.
fn names(experiment: &Experiment) -> Vec<String> {
    let all: Vec<Benchmark> =
        experiment.benchmarks.iter().map(BenchmarkLine::to_benchmark).collect();
    let is_one_command = all.iter().all(|it| it.key.name == all[0].key.name);
    let named = |it: &Benchmark| {
        let builds = it.key.params.iter().filter(|(key, _)| [SIDE, BUILD].contains(&key.as_str()));
        let builds: Vec<&str> = builds.map(|(_, value)| value.as_str()).collect();
        let is_build = is_one_command && builds.len() == it.key.params.len() && !builds.is_empty();
        if is_build { builds.join(" ") } else { it.label() }
    };
    all.iter().map(named).collect()
}

/// Interrupts of an execution by the user. Its clones see the same, each thing once among all of them.
#[derive(Clone, Default)]
pub(crate) struct Interrupts {
    asked: Arc<AtomicBool>,
    /// The terminal was closed.
    hung_up: Arc<AtomicBool>,
    /// Whether that was told already: shell and kernel both send the signal, and only a second thing
    /// that a user does ends what is put in order after the first.
    hang_up_told: Arc<AtomicBool>,
}

impl Interrupts {
    /// Whether there is something that was not told yet.
    pub(crate) fn come(&self) -> bool {
        let hung_up = self.hung_up.load(Ordering::Relaxed)
            && !self.hang_up_told.swap(true, Ordering::Relaxed);
        self.asked.swap(false, Ordering::Relaxed) || hung_up
    }
}

/// Watches an execution for the user.
pub(crate) struct Watch<'a> {
    interrupts: Interrupts,
    /// Absent where nothing is shown.
    watched: Option<Watched>,
    quiet: bool,
    lines: Lines,
    time: Promise,
    began_ns: u64,
    share: f64,
    /// The case that was under way last.
    under_way: Option<usize>,
    /// Whether it was said that it takes longer than asked for: once, whatever the number of stages.
    warned: bool,
    interim: Interim<'a>,
    /// The result to expect of so many blocks, by the first of them.
    foresight: Option<Foresight>,
    /// The blocks that verdicts take here.
    weighed: Option<Weighed>,
    /// What the first block is looked at for.
    refusal: Option<Refusal>,
    /// Why nothing was measured after it.
    refused: Option<Failure>,
}

/// A plan, and the comparisons that its blocks have to suffice for.
pub(crate) struct Weighed {
    pub(crate) plan: Plan,
    pub(crate) family: Family,
    pub(crate) after_first: Option<AfterFirst>,
    /// Seconds that it was said to take.
    pub(crate) promised: Option<f64>,
}

/// Says of the first blocks what so many will show, where that is known.
pub(crate) type Foresight = Box<dyn Fn(&Dataset, u32) -> Option<String>>;

impl<'a> Watch<'a> {
    /// Starts watching: takes over SIGINT, SIGTERM and, unless it is ignored (`nohup`), SIGHUP.
    pub(crate) fn new(quiet: bool, interim: Interim<'a>) -> Result<Watch<'a>, Failure> {
        let interrupts = Interrupts::default();
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&interrupts.asked))
                .map_err(|error| Failure::about("cannot handle Ctrl-C", error))?;
        }
        if !disposition::is_ignored(signal_hook::consts::SIGHUP) {
            signal_hook::flag::register(
                signal_hook::consts::SIGHUP,
                Arc::clone(&interrupts.hung_up),
            )
            .map_err(|error| Failure::about("cannot handle a closed terminal", error))?;
        }
        // Beyond a file size limit a write is to fail with an error that names the file.
        signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default())
            .map_err(|error| Failure::about("cannot handle a file size limit", error))?;
        Ok(Watch {
            interrupts,
            watched: None,
            quiet,
            lines: Lines::new().map_err(|error| Failure::about("cannot handle Ctrl-Z", error))?,
            time: Promise::default(),
            began_ns: awake_ns(),
            share: 0.0,
            under_way: None,
            warned: false,
            interim,
            foresight: None,
            weighed: None,
            refusal: None,
            refused: None,
        })
    }

    /// Whether somebody may be looking on.
    pub(crate) fn is_attended(&self) -> bool {
        io::stderr().is_terminal() && !self.quiet
    }

    /// Whether only results are asked for.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Interrupts by the user, for whoever waits before or after.
    pub(crate) fn interrupts(&self) -> Interrupts {
        self.interrupts.clone()
    }

    /// From now on this is watched.
    pub(crate) fn now_watches(&mut self, watched: Watched) {
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let is_shown = self.is_attended() && !dumb;
        self.watched = is_shown.then_some(watched);
        self.began_ns = awake_ns();
    }

    /// After the first blocks this is said.
    pub(crate) fn foresees(&mut self, foresight: Foresight) {
        self.foresight = (!self.quiet).then_some(foresight);
    }

    /// After the first block its number of blocks is held against this.
    pub(crate) fn weighs(&mut self, weighed: Weighed) {
        self.weighed = Some(weighed);
    }

    /// After the first block this may end it.
    pub(crate) fn may_refuse(&mut self, refusal: Refusal) {
        self.refusal = Some(refusal);
    }

    /// Why it was ended after the first block, if it was.
    pub(crate) fn take_refused(&mut self) -> Option<Failure> {
        self.refused.take()
    }

    /// Says something below what is shown.
    fn say(&mut self, said: &str) {
        self.done();
        if !self.quiet {
            output::remark(said);
        }
    }

    /// Takes the lines away.
    pub(crate) fn done(&mut self) {
        self.lines.clear();
    }

    /// The share of the bar: blocks where their number is known, else time. It never goes back.
    #[allow(clippy::cast_precision_loss)] // seconds
    fn share(&mut self, spent: f64, share: Option<f64>, left: Option<TimeLeft>) -> f64 {
        let of_time = || left.map(|left| spent / (spent + left.seconds()).max(f64::MIN_POSITIVE));
        self.share = self.share.max(share.or_else(of_time).unwrap_or(0.0));
        self.share
    }

    /// Which case is shown, of cases: the one under way, until another is.
    fn case(&mut self, progress: &Progress<'_>) -> Option<CaseUnderWay> {
        let cases = &self.watched.as_ref()?.cases;
        self.under_way = progress.under_way.or(self.under_way);
        let is_there = |case: &usize| progress.subjects.contains(case);
        let case = self.under_way.filter(is_there).or(progress.subjects.first().copied())?;
        let number = cases.iter().position(|known| *known == case)? + 1;
        let row = progress.subjects.iter().position(|subject| *subject == case)?;
        Some(CaseUnderWay { row, number, of: cases.len() })
    }
}

/// What is said of blocks that take other than was said, or more than the budget; nothing where the same words say it.
fn correction(blocks: u32, seconds: f64, promised: Option<f64>) -> Option<String> {
    let take = if blocks == 1 { "takes" } else { "take" };
    let (blocks, takes) = (counted(blocks as usize, "block", "blocks"), duration(seconds));
    let Some(promised) = promised else {
        return Some(format!(
            "{blocks} {take} about {takes}, more than the budget; -r N asks for fewer, a larger budget for all"
        ));
    };
    let fewer = if seconds > promised { "; -r N asks for fewer" } else { "" };
    let promised = duration(promised);
    (takes != promised).then(|| format!("{blocks} {take} about {takes}, not {promised}{fewer}"))
}

impl Watcher for Watch<'_> {
    fn wants_progress(&self) -> bool {
        self.watched.is_some()
    }

    #[allow(clippy::cast_precision_loss)] // seconds
    fn progress(&mut self, progress: &Progress<'_>) {
        if !foreground::owns(io::stderr()) {
            return;
        }
        let spent = awake_ns().saturating_sub(self.began_ns) as f64 / 1e9;
        let left = self.time.kept(spent, progress.left);
        let share = self.share(spent, progress.share, left);
        let case = self.case(progress);
        let Some(watched) = &self.watched else { return };
        let row = |&subject: &usize| Row {
            name: watched.names.get(subject).map_or("", String::as_str),
            median: progress.medians.get(subject).copied().flatten(),
        };
        let live = Live {
            share,
            warmup: progress.warmup,
            blocks: progress.blocks,
            executed: progress.executed.filter(|_| case.is_none()),
            stopping: watched.stopping,
            left,
            metric: watched.metric.as_ref(),
            rows: progress.subjects.iter().map(row).collect(),
            case,
        };
        let (charset, colour) = (output::charset(), output::colour_on(&io::stderr()));
        self.lines.show(|columns| lines(&live, columns, charset, colour));
    }

    fn will_take(&mut self, blocks: u32, seconds: f64) {
        let weighed = self.weighed.as_ref();
        let promised = weighed.filter(|it| matches!(it.plan.stopping, Stopping::Runs(_)));
        let promised = promised.and_then(|it| it.promised);
        if let Some(said) = correction(blocks, seconds, promised)
            && !std::mem::replace(&mut self.warned, true)
        {
            self.say(&said);
        }
    }

    fn promised(&self) -> Option<f64> {
        self.weighed.as_ref()?.promised
    }

    fn first_block(&mut self, record: &NewRecord, planned: u32) -> u32 {
        let Some(Weighed { plan, family, after_first: Some(after_first), .. }) = &self.weighed
        else {
            return planned;
        };
        let Ok(data) = etalon_run::read(record, "") else { return planned };
        let (blocks, said) = after_first.blocks(&data, (plan, family), planned);
        if let Some(said) = said {
            self.say(&said);
        }
        blocks
    }

    fn refuses(&mut self, record: &NewRecord) -> bool {
        let Some(refusal) = &self.refusal else { return false };
        // What failed has no values.
        let data = etalon_run::read(record, "").ok().filter(|data| !data.has_failures());
        self.refused = data.and_then(|data| refusal(&data));
        self.refused.is_some()
    }

    fn will_allow(&mut self, blocks: u32) {
        let weighed = self.weighed.as_ref();
        let said = weighed.and_then(|of| enough::said_of_time(blocks, &of.plan, &of.family));
        if let Some(said) = said
            && !std::mem::replace(&mut self.warned, true)
        {
            self.say(&said);
        }
    }

    fn foresees(&self) -> bool {
        self.foresight.is_some()
    }

    fn first_blocks(&mut self, record: &NewRecord, expected: u32) {
        let data = || etalon_run::read(record, "").ok();
        let said = self.foresight.as_ref().and_then(|foresight| foresight(&data()?, expected));
        if let Some(said) = said {
            self.done();
            output::remark(&said);
        }
    }

    fn remark(&mut self, said: &str) {
        self.say(said);
    }

    fn interrupted(&mut self) -> bool {
        self.interrupts.come()
    }

    fn stage_done(&mut self, record: &NewRecord) {
        self.interim.stage_done(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Would catch `2 blocks take about 1 s, not 1 s`.
    #[test]
    fn a_time_is_corrected_where_its_words_differ() {
        assert_eq!(correction(2, 0.9, Some(0.1)), None);
        let longer = correction(2, 5.2, Some(2.0)).unwrap_or_default();
        assert_eq!(longer, "2 blocks take about 6 s, not 2 s; -r N asks for fewer");
        assert_eq!(
            correction(1, 1.0, Some(9.0)).as_deref(),
            Some("1 block takes about 1 s, not 9 s")
        );
    }
}
