//! Sentences of a bisection: its answer, and what stands right under it.
//!
//! Refuses to lay anything out.

use etalon_core::bisect::{Answer, Culprit, Ending, Left, Named, Step};
use etalon_core::metrics;

use super::{Words, change_text, part_of, sentence, share_text, title};
use crate::number::{counted, share, significance};
use crate::words::{lower_first, metric_title, outcome};

impl Words<'_> {
    pub(super) fn answer(self) -> String {
        let (course, metric) = (self.found.course(), self.searched());
        let [good, bad] = self.ends();
        let ends = course.ends();
        match self.step {
            Step::Block(_) | Step::Count(_) => self.unfinished(),
            Step::Over(Ending::EndLacks(end)) => {
                let skipped = self.found.skipped().get(end);
                let why = skipped.map_or_else(String::new, |it| outcome(&it.outcome));
                format!("Nothing is searched: {} cannot be measured: {why}.", self.commit(*end))
            }
            Step::Over(Ending::NotSeen) if course.counted().is_some() => {
                let change = course.whole().map(|(_, change)| change_text(&change));
                format!(
                    "No commit is named: {metric} of {good} and {bad} are not seen to differ: {}.",
                    change.unwrap_or_default()
                )
            }
            Step::Over(Ending::NotSeen) => {
                let most = ends.map_or(0.0, |ends| ends.change.most().exp_m1());
                format!(
                    "No commit is named: {metric} of {good} and {bad} is not seen to differ, by {} at most.",
                    share(most)
                )
            }
            Step::Over(Ending::Undermined) => {
                let control = ends.and_then(|ends| Some((ends.change, ends.undermined()?)));
                control.map_or_else(String::new, |(change, control)| {
                    format!(
                        "No commit is named: {bad} differs from {good} by {}, and {}.",
                        change_text(&change),
                        self.control(control)
                    )
                })
            }
            Step::Over(Ending::TooSmall) => {
                let change = ends.map(|ends| change_text(&ends.change)).unwrap_or_default();
                let scatter = ends.and_then(|ends| ends.scatter).unwrap_or(0.0);
                format!(
                    "No commit is named: the change of {change} is less than half of the scatter of an execution, {}.",
                    share(scatter)
                )
            }
            Step::Over(Ending::Found(answer)) => self.found_words(answer),
        }
    }

    /// The answer of a search.
    fn found_words(self, answer: &Answer) -> String {
        let (course, metric) = (self.found.course(), self.searched());
        match answer {
            Answer::Steps(steps) => self.steps(steps),
            Answer::Spread { from, to, steps } => {
                // A bound above the whole change bounds nothing.
                let whole = course.whole().map_or(f64::MAX, |(_, change)| change.most());
                let bound = course.largest_step().filter(|it| *it < whole);
                let bound = bound.map(|it| share(it.exp_m1()));
                let bound = bound.map(|it| format!(": no single commit above {it}"));
                let spread = format!(
                    "The change of {metric} is spread between {} and {}{}.",
                    self.name(*from),
                    self.name(*to),
                    bound.unwrap_or_default()
                );
                match steps.is_empty() {
                    true => spread,
                    false => format!(
                        "{} The rest is spread between {} and {}.",
                        self.steps(steps),
                        self.name(*from),
                        self.name(*to)
                    ),
                }
            }
            Answer::Alike => {
                let [good, bad] = self.ends();
                format!(
                    "No commit is named: by all blocks together, {good} and {bad} do not differ."
                )
            }
        }
    }

    fn steps(self, steps: &[Culprit]) -> String {
        let metric = self.searched();
        let of = |culprit: &Culprit| {
            let named = self.found.course().named(*culprit);
            let change = named.count.or(named.change);
            let change = change.as_ref().map(change_text).unwrap_or_default();
            let who = match culprit.at - culprit.before {
                1 => self.commit(culprit.at),
                commits => format!(
                    "one of these {commits} commits, {} … {},",
                    self.name(culprit.before + 1),
                    self.name(culprit.at)
                ),
            };
            (who, change, named)
        };
        match steps {
            [] => "No commit is named.".to_owned(),
            [one] => {
                let (who, change, named) = of(one);
                let who = sentence(&who);
                match named.undermined() {
                    Some(control) => format!(
                        "No commit is sure: {} changes {metric} by {change}, and {}.",
                        lower_first(&who),
                        self.control(control)
                    ),
                    None => format!("{who} changes {metric} by {change}{}.", part_of(&one.share)),
                }
            }
            several => {
                let all: Vec<String> = several
                    .iter()
                    .map(|one| {
                        let (who, change, _) = of(one);
                        format!("{who} by {change}, {}", share_text(&one.share))
                    })
                    .collect();
                format!("{} commits change {metric}: {}.", several.len(), all.join("; "))
            }
        }
    }

    fn unfinished(self) -> String {
        let course = self.found.course();
        match course.left() {
            None => "Not finished: the ends are still compared.".to_owned(),
            Some(Left { before, to, commits }) => format!(
                "Not finished: {} left, {} … {}.",
                counted(commits, "commit is", "commits are"),
                self.name(before + 1),
                self.name(to)
            ),
        }
    }

    /// Sentences behind the answer.
    pub(super) fn further(self) -> Vec<String> {
        let course = self.found.course();
        let [good, bad] = self.ends();
        let mut all = Vec::new();
        if let Some((times, change)) = course.whole().filter(|_| course.counted().is_some()) {
            let (metric, change) = (self.searched(), change_text(&change));
            let times = counted(times, "count", "counts");
            all.push(format!(
                "Between {good} and {bad}, {metric} change by {change}, in {times} of each."
            ));
            all.extend(self.named().iter().filter_map(|named| self.time(named)));
        }
        let Some(ends) = course.ends() else { return all };
        if course.is_searching() {
            let metric = title(self.found.metric());
            all.push(format!(
                "Between {good} and {bad}, {metric} changes by {}, in {} of these alone.",
                change_text(&ends.change),
                counted(ends.blocks, "block", "blocks")
            ));
        }
        match self.step {
            Step::Over(Ending::NotSeen) => all.push(format!(
                "{} show changes from {} on; -r N measures more.",
                counted(ends.blocks, "block", "blocks"),
                share(ends.visible.exp_m1())
            )),
            Step::Over(Ending::TooSmall) => all.push(format!(
                "Naming one takes about {}; --total-budget TIME has them executed.",
                counted(course.expected(), "execution", "executions")
            )),
            _ => {}
        }
        all
    }

    /// The time that a step takes, which counts have named.
    fn time(self, named: &Named) -> Option<String> {
        let change = change_text(&named.change?);
        let time = self.found.metric().map(metric_title)?;
        let (at, before) = (self.name(named.culprit.at), self.name(named.culprit.before));
        Some(format!("{time} of {at} over {before}: {change}."))
    }

    /// The metric that commits are searched by.
    fn searched(self) -> String {
        match self.found.course().counted() {
            Some(_) => metrics::INSTRUCTIONS.to_owned(),
            None => title(self.found.metric()),
        }
    }

    pub(super) fn done(self) -> String {
        let (blocks, executions) = self.found.course().done();
        if let Some(counts) = self.found.course().counted() {
            return format!(
                "{}, and {} in {}.",
                counted(counts, "count", "counts"),
                counted(executions, "execution", "executions"),
                counted(blocks, "block", "blocks")
            );
        }
        format!(
            "{} in {}; a commit is named from {} on.",
            counted(executions, "execution", "executions"),
            counted(blocks, "block", "blocks"),
            significance(self.found.asked().confidence)
        )
    }
}
