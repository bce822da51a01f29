//! The blocks that a comparison takes, estimated from a pilot: one screen, and a document for programs.
//!
//! Owns the words. Refuses to plan: [`etalon_core::power`] does.

use std::io::{self, Write};

use etalon_core::analysis::Execution;
use etalon_core::pace::Pace;
use etalon_core::power::{Blocks, Need, POWER, Pilot, Planned};

use crate::document::{self, Document, Part};
use crate::json::{
    self, BlocksNeeded, KnownMedian, PilotFigures, Plan, PlanReport, PlannedBeside,
    PlannedDifference, Settings, Target,
};
use crate::number::{counted, duration, percent, separated, significance};
use crate::table::{ABSENT, Align, Cell, Column, Table};
use crate::view::View;

/// A forecast, and the pilot it is made from.
pub struct Forecast<'a> {
    /// The subjects that are compared.
    pub subjects: Subjects<'a>,
    /// The metric of the verdicts.
    pub metric: &'a str,
    /// The blocks that each difference takes.
    pub differences: &'a [Planned],
    /// The blocks that each takes by another metric.
    pub beside: Option<ByOther<'a>>,
    /// How well a subject alone is known, and what it takes to know it better.
    pub precision: Option<Precision<'a>>,
    /// That of the comparison that scatters most.
    pub pilot: Pilot,
    /// How long its blocks took.
    pub pace: Pace,
    /// The significance level, and what the smallest p of the family has to reach.
    pub alpha: (f64, f64),
    /// A command line that measures so many blocks.
    pub command: &'a dyn Fn(u32) -> String,
}

/// What differences take by CPU time, in which there is no waiting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ByOther<'a> {
    /// The name of that metric.
    pub metric: &'static str,
    /// As [`Forecast::differences`].
    pub differences: &'a [Planned],
    /// What to type for verdicts by it: ` with --metric cpu`, or nothing.
    pub option: &'a str,
}

/// The subjects that are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Subjects<'a> {
    /// Two: base and candidate.
    Two([&'a str; 2]),
    /// Several comparisons.
    Several {
        /// How many.
        comparisons: usize,
        /// Base and candidate of the one that scatters most.
        most: [&'a str; 2],
    },
    /// One, or the one of several that scatters most, and another that is not there yet.
    One {
        /// Its name.
        name: &'a str,
        /// How many there are.
        of: usize,
    },
}

/// How well a median is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision<'a> {
    /// The half-width of its interval, as a share.
    pub reached: f64,
    /// Shares that may be asked for, and the blocks that each takes; absent where those are too many.
    pub targets: &'a [(f64, Option<u32>)],
}

/// Writes the screen.
///
/// # Errors
/// Errors of the writer.
pub fn write(forecast: &Forecast<'_>, view: View, out: &mut dyn Write) -> io::Result<()> {
    for line in document::terminal(&screen(forecast), view) {
        writeln!(out, "{}", view.charset.spell(&line))?;
    }
    out.flush()
}

/// Writes the document for programs, with the pilot and the settings that it is from.
///
/// # Errors
/// Errors of the writer.
pub fn json(
    forecast: &Forecast<'_>,
    (executions, settings): (&[Execution], Settings<'_>),
    out: &mut dyn Write,
) -> io::Result<()> {
    let Forecast { pace, pilot, .. } = forecast;
    let difference = |planned: &Planned| PlannedDifference {
        difference: planned.difference,
        each: needed(forecast, &planned.each),
        half: planned.half.map(|half| needed(forecast, &half)),
    };
    let target = |&(half_width, blocks): &(f64, Option<u32>)| {
        let seconds = blocks.and_then(|blocks| pace.seconds(blocks));
        Target { half_width, blocks, seconds }
    };
    let precision = forecast.precision.map(|precision| {
        let targets = precision.targets.iter().map(target).collect();
        KnownMedian { reached: precision.reached, targets }
    });
    let (subjects, comparisons) = match forecast.subjects {
        Subjects::Two(names) => (names.to_vec(), 1),
        Subjects::Several { comparisons, most } => (most.to_vec(), comparisons),
        Subjects::One { name, of } => (vec![name], of),
    };
    let plan = Plan {
        power: POWER,
        strictest: forecast.alpha.1,
        subjects,
        comparisons,
        pilot: PilotFigures {
            blocks: pace.blocks,
            seconds: pace.all(),
            scatter: pilot.scatter(),
            dependent: pilot.dependence.is_some(),
        },
        differences: forecast.differences.iter().map(difference).collect(),
        beside: forecast.beside.map(|other| PlannedBeside {
            metric: other.metric,
            differences: other.differences.iter().map(difference).collect(),
        }),
        precision,
    };
    json::plan(PlanReport { headline: answer(forecast), executions, settings, plan }, out)
}

fn needed(forecast: &Forecast<'_>, need: &Need) -> BlocksNeeded {
    let because = |why| BlocksNeeded { why: Some(why), ..BlocksNeeded::default() };
    match *need {
        Need::WithinMargin => because("within_margin"),
        Need::NotBeyond => because("not_beyond"),
        Need::Blocks(Blocks { planned, likely: (least, most) }) => BlocksNeeded {
            why: None,
            blocks: Some(planned),
            likely: Some([least, most]),
            seconds: takes(forecast, planned),
            command: Some((forecast.command)(planned)),
        },
        Need::TooMany => because("too_many"),
    }
}

fn screen(forecast: &Forecast<'_>) -> Document {
    let mut parts = vec![Part::Answer(answer(forecast))];
    parts.extend(by_other(forecast).map(Part::Sentence));
    if let Some(known) = &forecast.precision {
        parts.push(Part::Tables(vec![precision(forecast, known)]));
        parts.push(Part::Sentence(called(forecast)));
    }
    parts.push(Part::Tables(vec![differences(forecast)]));
    parts.push(Part::Sentence(basis(forecast)));
    parts.extend(rough(forecast).map(Part::Sentence));
    let usual = named(forecast).and_then(|(_, need)| number(need));
    let usual = match forecast.subjects {
        Subjects::One { .. } => known(forecast).and_then(|(_, blocks)| blocks),
        _ => usual,
    };
    let lines = usual.map(|blocks| vec![(forecast.command)(blocks)]);
    parts.extend(lines.map(Part::Lines));
    let notes = notes(forecast);
    parts.extend((!notes.is_empty()).then_some(Part::Notes(notes)));
    Document { parts }
}

/// The middle one of the precisions, which the answer names where nothing is compared.
fn known(forecast: &Forecast<'_>) -> Option<(f64, Option<u32>)> {
    let targets = forecast.precision?.targets;
    targets.get(targets.len() / 2).copied()
}

/// The time that so many blocks of a comparison take: of one subject they hold another besides.
fn takes(forecast: &Forecast<'_>, blocks: u32) -> Option<f64> {
    let subjects = if matches!(forecast.subjects, Subjects::One { of: 1, .. }) { 2.0 } else { 1.0 };
    forecast.pace.seconds(blocks).map(|seconds| seconds * subjects)
}

/// The row that the answer names: the middle one, or the first behind it that has a number.
fn named<'a>(forecast: &Forecast<'a>) -> Option<(f64, &'a Need)> {
    let rows = forecast.differences;
    let behind = rows.iter().skip(rows.len() / 2).chain(rows);
    let mut all = behind.map(|row| (row.difference, &row.each));
    all.clone().find(|(_, need)| number(need).is_some()).or_else(|| all.next())
}

fn number(need: &Need) -> Option<u32> {
    match need {
        Need::Blocks(blocks) => Some(blocks.planned),
        _ => None,
    }
}

fn answer(forecast: &Forecast<'_>) -> String {
    let (Some((target, needed)), Subjects::One { name, .. }) = (known(forecast), forecast.subjects)
    else {
        return called(forecast);
    };
    let target = percent(target);
    let Some(needed) = needed else {
        return format!("To know {name} to ± {target} takes more blocks than can be asked for.");
    };
    let takes = forecast.pace.seconds(needed).map_or_else(String::new, about);
    let blocks = blocks(needed);
    format!("To know the median of {name} to ± {target} takes about {blocks} here{takes}.")
}

fn about(seconds: f64) -> String {
    format!(", about {}", duration(seconds))
}

/// The rules by which a difference is called one.
fn called(forecast: &Forecast<'_>) -> String {
    let Some((difference, need)) = named(forecast) else {
        return "The pilot says nothing about any difference.".to_owned();
    };
    let difference = percent(difference);
    let against = match forecast.subjects {
        Subjects::One { of: 1, .. } => " from another that scatters alike, side by side,",
        Subjects::One { .. } => " of the one that scatters most from another that scatters alike",
        _ => "",
    };
    match need {
        Need::Blocks(Blocks { planned, .. }) => {
            let takes = takes(forecast, *planned).map_or_else(String::new, about);
            format!(
                "To call a difference of {difference}{against} takes {} here{takes}.",
                blocks(*planned)
            )
        }
        Need::WithinMargin => {
            format!("A difference of {difference} is within the margin: it is called the same.")
        }
        Need::NotBeyond => {
            format!(
                "A difference of {difference} is not beyond --at-least: it is never called one."
            )
        }
        Need::TooMany => format!(
            "To call a difference of {difference}{against} takes more blocks than can be asked for."
        ),
    }
}

/// The blocks by another metric, where they are not as many.
fn by_other(forecast: &Forecast<'_>) -> Option<String> {
    let ((difference, need), ByOther { differences, option, .. }) =
        named(forecast).zip(forecast.beside)?;
    let other = differences.iter().find(|it| it.difference == difference)?;
    let planned = number(&other.each).filter(|planned| Some(*planned) != number(need))?;
    let takes = takes(forecast, planned).map_or_else(String::new, about);
    let blocks = blocks(planned);
    Some(format!("By CPU time it takes {blocks}{takes}: -r {planned}{option}."))
}

fn blocks(blocks: u32) -> String {
    format!("{} block{}", separated(&blocks.to_string()), if blocks == 1 { "" } else { "s" })
}

fn differences(forecast: &Forecast<'_>) -> Table {
    let has_half = forecast.differences.iter().any(|row| row.half.is_some());
    let mut columns = vec![Column::new("difference", Align::Left)];
    if let Subjects::Several { comparisons, .. } = forecast.subjects {
        columns.push(Column::new("half of them", Align::Right));
        columns.push(Column::new(&format!("all {comparisons} comparisons"), Align::Right));
    } else {
        columns.push(Column::new("blocks", Align::Right));
    }
    columns.push(Column::new("takes", Align::Right));
    columns.push(Column::new("to ask for", Align::Left));
    let row = |planned: &Planned| {
        let mut cells = vec![Cell::words(percent(planned.difference))];
        if has_half {
            cells.push(Cell::words(planned.half.as_ref().map_or(ABSENT.to_owned(), short)));
        }
        cells.push(Cell::words(short(&planned.each)));
        let number = number(&planned.each);
        let takes = number.and_then(|blocks| takes(forecast, blocks)).map(duration);
        cells.push(Cell::words_or_absent(takes));
        cells.push(Cell::words_or_absent(number.map(|blocks| format!("-r {blocks}"))));
        cells
    };
    let rows = forecast.differences.iter().map(row).collect();
    Table { columns, rows, ..Table::default() }
}

fn short(need: &Need) -> String {
    match need {
        Need::Blocks(blocks) => separated(&blocks.planned.to_string()),
        Need::WithinMargin => "the same".to_owned(),
        Need::NotBeyond => "never".to_owned(),
        Need::TooMany => "too many".to_owned(),
    }
}

/// The blocks that it takes to know the median of one subject.
fn precision(forecast: &Forecast<'_>, precision: &Precision<'_>) -> Table {
    let columns = vec![
        Column::new("its median to", Align::Left),
        Column::new("blocks", Align::Right),
        Column::new("takes", Align::Right),
        Column::new("to ask for", Align::Left),
    ];
    let row = |&(target, blocks): &(f64, Option<u32>)| {
        let takes = blocks.and_then(|blocks| forecast.pace.seconds(blocks)).map(duration);
        let number = blocks.map(|blocks| separated(&blocks.to_string()));
        vec![
            Cell::words(format!("± {}", percent(target))),
            Cell::words(number.unwrap_or_else(|| "too many".to_owned())),
            Cell::words_or_absent(takes),
            Cell::words_or_absent(blocks.map(|blocks| format!("-r {blocks}"))),
        ]
    };
    Table { columns, rows: precision.targets.iter().map(row).collect(), ..Table::default() }
}

/// The pilot, and the rules of planning.
fn basis(forecast: &Forecast<'_>) -> String {
    let Forecast { pace, pilot, alpha, .. } = forecast;
    let pilot_was = format!(
        "The pilot: {} in {}",
        counted(pace.blocks as usize, "block", "blocks"),
        duration(pace.all())
    );
    let scatter = scatter(pilot.scatter());
    let scatters = match forecast.subjects {
        Subjects::Two([base, candidate]) => {
            format!("{candidate} against {base} scatters by {scatter} from block to block")
        }
        Subjects::Several { most: [base, candidate], .. } => {
            format!("{candidate} against {base} scatters most, by {scatter} from block to block")
        }
        Subjects::One { name, .. } => {
            let known = forecast.precision.map_or_else(String::new, |precision| {
                format!(", and knows its median to ± {}", self::scatter(precision.reached))
            });
            format!("{name} against another would scatter by {scatter} from block to block{known}")
        }
    };
    let level = match alpha {
        (all, strictest) if all == strictest => format!("alpha {}", significance(*all)),
        (all, strictest) => format!(
            "alpha {} ({} for the first of the family)",
            significance(*all),
            significance(*strictest)
        ),
    };
    format!(
        "{pilot_was}; {scatters}. Planned for power {} at {level}, by {}.",
        percent(POWER),
        forecast.metric
    )
}

/// A share with two significant digits.
fn scatter(share: f64) -> String {
    let digits = match share * 100.0 {
        percent if percent >= 10.0 => 0,
        percent if percent >= 1.0 => 1,
        _ => 2,
    };
    format!("{:.digits$}\u{a0}%", share * 100.0)
}

/// How badly a pilot knows.
fn rough(forecast: &Forecast<'_>) -> Option<String> {
    let (difference, Need::Blocks(Blocks { likely: (lo, hi), .. })) = named(forecast)? else {
        return None;
    };
    (lo < hi).then(|| format!(
        "A pilot this small is rough: what {} needs lies between {} and {} blocks, four times of five.",
        percent(difference),
        separated(&lo.to_string()),
        separated(&hi.to_string()),
    ))
}

fn notes(forecast: &Forecast<'_>) -> Vec<String> {
    let dependent = forecast.pilot.dependence.map(|widening| {
        format!(
            "Blocks resemble those before them (r {:.2}): as many as planned say less, and more are planned for it.",
            widening.r1
        )
    });
    dependent.into_iter().collect()
}
