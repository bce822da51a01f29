//! A bisection in words: the commit that was named and what it changed, every commit that was measured beside both ends,
//! and a document for programs.
//!
//! Owns the words. Refuses to search: [`etalon_core::bisect`] does.

mod answer;

use std::io::{self, Write};

use etalon_core::analysis::{Bisected, Execution};
use etalon_core::bisect::{Answer, Candidate, Change, Control, Ending, Ends, Named, Share, Step};
use etalon_core::model::Metric;

use crate::document::{self, Document, Part};
use crate::json::{self, BisectionReport, Settings};
use crate::number::{counted, fixed};
use crate::svg::{self, Still};
use crate::table::{Align, Cell, Column, Table};
use crate::text::{clean, shortened};
use crate::view::{Detail, View};
use crate::words::{lower_first, metric_title, outcome};

/// A bisection with what it is told with.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// As its record has it.
    pub found: &'a Bisected,
    /// Its end, or what would come next.
    pub step: &'a Step,
    /// The change between the ends by CPU time, where that proves one and wall clock names none.
    pub by_cpu: Option<&'a Ends>,
    /// The run.
    pub executions: &'a [Execution],
}

/// Columns of a commit's subject in a table.
const SUBJECT: usize = 30;

/// So many commits that were left out are rows of a screen; `--full` shows all.
const LEFT_OUT: usize = 6;

/// Writes the screen.
///
/// # Errors
/// Errors of the writer.
pub fn write(report: &Report<'_>, view: View, out: &mut dyn Write) -> io::Result<()> {
    for line in document::terminal(&screen(report, view.detail), view) {
        writeln!(out, "{}", view.charset.spell(&line))?;
    }
    out.flush()
}

/// Writes the document for programs.
///
/// # Errors
/// Errors of the writer.
pub fn json(report: &Report<'_>, settings: Settings<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Report { found, step, executions, .. } = *report;
    let headline = Words { found, step }.answer();
    json::bisection(BisectionReport { headline, found, step, executions }, settings, out)
}

/// The answer in a few words, for a list of runs.
#[must_use]
pub fn brief(found: &Bisected, step: &Step) -> String {
    let words = Words { found, step };
    match (step, &words.named()[..]) {
        (Step::Block(_) | Step::Count(_), _) => "not finished".to_owned(),
        (_, []) => "no commit named".to_owned(),
        (_, named) => {
            let names: Vec<String> = named.iter().map(|it| words.name(it.culprit.at)).collect();
            names.join(", ")
        }
    }
}

/// That the ends differ, for who waits.
#[must_use]
pub fn ends_differ(found: &Bisected, metric: Option<&Metric>) -> String {
    let change = found.course().ends().map(|ends| change_text(&ends.change)).unwrap_or_default();
    format!("the ends differ: {} {change}", title(metric))
}

/// The commit that was left out last, for who waits.
#[must_use]
pub fn left_out(found: &Bisected) -> Option<String> {
    let names = found.asked().short_names();
    let (commit, skipped) = found.skipped().iter().next_back()?;
    let number = found.skipped().len();
    let so_far = if number > 1 { format!(" ({number} so far)") } else { String::new() };
    Some(format!("left out: {}: {}{so_far}", names.get(*commit)?, outcome(&skipped.outcome)))
}

fn screen(report: &Report<'_>, detail: Detail) -> Document {
    let (opening, rest) = parts(report, detail);
    Document { parts: [opening.parts, rest.parts].concat() }
}

/// The answer with what stands right under it, and the rest.
fn parts(report: &Report<'_>, detail: Detail) -> (Document, Document) {
    let Report { found, step, .. } = *report;
    let words = Words { found, step };
    let mut opening = vec![Part::Answer(words.answer())];
    opening.extend(words.further().into_iter().map(Part::Sentence));
    opening.extend(report.by_cpu.map(|ends| {
        let change = change_text(&ends.change);
        Part::Sentence(format!(
            "By CPU time they differ by {change}, which a busy machine moves less: --metric cpu searches by it."
        ))
    }));
    let mut rest = Vec::new();
    if found.course().done().0 > 0 || found.course().counted().is_some_and(|counts| counts > 0) {
        opening.push(Part::Sentence(words.done()));
        rest.push(Part::Tables(vec![words.table(detail)]));
    }
    let notes = words.notes();
    rest.extend((!notes.is_empty()).then_some(Part::Notes(notes)));
    (Document { parts: opening }, Document { parts: rest })
}

/// The parts of a page: what stands above its picture, and below.
pub(crate) fn page_parts(report: &Report<'_>) -> (Document, Document) {
    parts(report, Detail::Full)
}

/// The picture of all commits that were measured.
#[must_use]
pub fn stills(report: &Report<'_>) -> Vec<Still> {
    let Report { found, step, .. } = *report;
    let words = Words { found, step };
    let course = found.course();
    let last = course.rules().last;
    let Some((_, whole)) = course.whole() else { return Vec::new() };
    let named: Vec<usize> = words.named().iter().map(|it| it.culprit.at).collect();
    let commit = |at: usize, against: [Option<Change>; 2]| svg::Commit {
        name: words.commit(at),
        is_named: named.contains(&at),
        figures: against[0].as_ref().map(change_text).unwrap_or_default(),
        against,
    };
    let mut commits = vec![commit(0, [None, Some(mirrored(&whole))])];
    commits.extend(course.candidates().iter().map(|it| commit(it.commit, [it.good, it.bad])));
    commits.push(commit(last, [Some(whole), None]));
    let what = match course.counted() {
        Some(_) => "Instructions".to_owned(),
        None => found.metric().map_or_else(String::new, metric_title),
    };
    svg::bisection(&commits, &words.ends(), &what).into_iter().collect()
}

/// A bisection that is worded.
#[derive(Clone, Copy)]
struct Words<'a> {
    found: &'a Bisected,
    step: &'a Step,
}

impl Words<'_> {
    /// Every commit that was measured, in their order, and those that could not be.
    fn table(self, detail: Detail) -> Table {
        let [good, bad] = self.ends();
        let course = self.found.course();
        let is_counted = course.counted().is_some();
        let columns = vec![
            Column::new("commit", Align::Left),
            Column::new("", Align::Left).if_room(),
            Column::new(if is_counted { "counts" } else { "blocks" }, Align::Right),
            Column::new(&format!("against {good}"), Align::Left),
            Column::new(&format!("against {bad}"), Align::Left),
        ];
        let last = course.rules().last;
        let named = self.named();
        let candidates = course.candidates();
        let mut left_out = 0;
        let mut rows = Vec::new();
        for commit in 0..=last {
            let is_named = named.iter().any(|it| it.culprit.at == commit);
            let mark = if is_named { "→ " } else { "" };
            let candidate = candidates.iter().find(|it| it.commit == commit);
            let cells = if commit == 0 || commit == last {
                self.end(commit)
            } else if let Some(skipped) = self.found.skipped().get(&commit) {
                left_out += 1;
                if detail == Detail::Screen && left_out > LEFT_OUT {
                    continue;
                }
                [String::new(), outcome(&skipped.outcome), String::new()]
            } else if let Some(Candidate { blocks, good, bad, .. }) = candidate {
                let text = |it: &Option<Change>| it.as_ref().map(change_text).unwrap_or_default();
                [blocks.to_string(), text(good), text(bad)]
            } else {
                continue;
            };
            let of = self.found.asked().commits.get(commit);
            let subject = of.map_or_else(String::new, |it| clean(&it.subject));
            let name = format!("{mark}{}", self.name(commit));
            let is_skipped = self.found.skipped().contains_key(&commit);
            let [blocks, good, bad] = cells;
            let subject = shortened(&subject, SUBJECT, "…");
            // An interval is read at once; why a commit was left out is words.
            let cell = |text| if is_skipped { Cell::words(text) } else { Cell::number(text) };
            let mut row = [name, subject, blocks].map(Cell::words).to_vec();
            row.extend([good, bad].map(cell));
            rows.push(row);
        }
        Table { columns, rows, ..Table::default() }
    }

    fn end(self, commit: usize) -> [String; 3] {
        let Some((times, change)) = self.found.course().whole() else { return Default::default() };
        let times = times.to_string();
        match commit {
            0 => [times, String::new(), change_text(&mirrored(&change))],
            _ => [times, change_text(&change), String::new()],
        }
    }

    fn notes(self) -> Vec<String> {
        let found = self.found;
        let mut notes = Vec::new();
        let skipped = found.skipped();
        if !skipped.is_empty() {
            let mut kinds: Vec<(String, usize)> = Vec::new();
            for it in skipped.values().map(|it| outcome(&it.outcome)) {
                match kinds.iter_mut().find(|(kind, _)| *kind == it) {
                    Some((_, number)) => *number += 1,
                    None => kinds.push((it, 1)),
                }
            }
            let kinds: Vec<String> =
                kinds.into_iter().map(|(kind, number)| format!("{kind} ({number})")).collect();
            notes.push(format!(
                "{} left out: {}.",
                counted(skipped.len(), "commit is", "commits are"),
                kinds.join(", ")
            ));
        }
        for named in self.named() {
            let moved = named.controls.iter().filter(|it| it.moved);
            let seen = moved.map(|control| format!("{}.", sentence(&self.control(control))));
            notes.extend(seen);
        }
        let ends = found.course().ends();
        let moved = ends.into_iter().flat_map(|ends| &ends.controls).filter(|it| it.moved);
        notes.extend(moved.map(|control| format!("{}.", sentence(&self.control(control)))));
        if found.asked().builds == 1 {
            notes.push(
                "Without second builds, the layout of one build may be the change.".to_owned(),
            );
        }
        notes
    }

    fn named(self) -> Vec<Named> {
        let steps = match self.step {
            Step::Over(Ending::Found(Answer::Steps(steps) | Answer::Spread { steps, .. })) => {
                &steps[..]
            }
            _ => &[],
        };
        steps.iter().map(|step| self.found.course().named(*step)).collect()
    }

    fn control(self, control: &Control) -> String {
        format!(
            "a second build of {} differs from the first by {}",
            self.name(control.commit),
            change_text(&control.change)
        )
    }

    fn ends(self) -> [String; 2] {
        self.found.asked().asked.each_ref().map(|end| clean(end))
    }

    fn name(self, commit: usize) -> String {
        self.found.asked().short_names().get(commit).map_or_else(String::new, |it| clean(it))
    }

    /// A commit by its name and the first line of its message.
    fn commit(self, commit: usize) -> String {
        let subject = self.found.asked().commits.get(commit).map(|it| clean(&it.subject));
        match subject.filter(|subject| !subject.is_empty()) {
            Some(subject) => format!("{} ({subject})", self.name(commit)),
            None => self.name(commit),
        }
    }
}

fn title(metric: Option<&Metric>) -> String {
    metric.map_or_else(|| "it".to_owned(), |metric| lower_first(&metric_title(metric)))
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    // A commit's name stays as it is.
    match chars.next() {
        Some(first) if text.starts_with("one of") || text.starts_with("a second") => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

/// A change in percent with its interval.
pub(crate) fn change_text(change: &Change) -> String {
    let [value, lo, hi] = [change.estimate, change.lo, change.hi].map(|it| it.exp_m1() * 100.0);
    let half = (hi - lo) / 2.0;
    let decimals = match half {
        // Counts that repeat.
        0.0 => 3,
        it if it >= 9.5 => 0,
        it if it >= 0.095 => 1,
        _ => 2,
    };
    let text = |value: f64| {
        let text = fixed(value, decimals);
        if text.starts_with('-') { text } else { format!("+{text}") }
    };
    if lo >= hi {
        return format!("{}\u{a0}%", text(value));
    }
    format!("{}\u{a0}% ({} … {})", text(value), text(lo), text(hi))
}

fn mirrored(change: &Change) -> Change {
    Change { estimate: -change.estimate, lo: -change.hi, hi: -change.lo }
}

fn share_text(of: &Share) -> String {
    let percent = |share: f64| fixed(share * 100.0, 0);
    format!("{} % ({} … {}) of the change", percent(of.estimate), percent(of.lo), percent(of.hi))
}

/// Which part of the change a step is, where it is not all of it.
fn part_of(of: &Share) -> String {
    match of.lo <= 1.0 && 1.0 <= of.hi {
        true => ", which is all of the change".to_owned(),
        false => format!(", {}", share_text(of)),
    }
}
