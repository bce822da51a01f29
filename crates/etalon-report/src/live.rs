//! The lines on a terminal while something is measured: a bar, blocks done, the time left, and the ranked metric
//! so far.
//!
//! Owns what is said and how it fits a width. Refuses to know a terminal or a clock, and to decide how long
//! anything takes.

use etalon_core::estimate::Estimate;
use etalon_core::model::Metric;
use etalon_core::pace::TimeLeft;
use etalon_core::plan::Stopping;

use crate::figures::{Figures, percent, reach};
use crate::number::{self, counted, duration};
use crate::table::names;
use crate::text::{clean, shortened, width};
use crate::view::{Charset, Colour};
use crate::words::column_title;

/// From so many columns on, the figures of a single benchmark stand behind the bar.
const ONE_LINE: usize = 100;

/// The longest and the shortest bar.
const BAR: (usize, usize) = (40, 4);

/// The fewest columns in which several names can be told apart.
const NAME: usize = 8;

/// An experiment under way.
#[derive(Debug, Clone)]
pub struct Live<'a> {
    /// The share of it that is done, 0 to 1.
    pub share: f64,
    /// Whether it is warming up.
    pub warmup: bool,
    /// Blocks finished in its stage.
    pub blocks: u32,
    /// Of many that are measured together, those executed in the block under way.
    pub executed: Option<usize>,
    /// The rule that ends it.
    pub stopping: Stopping,
    /// The time that is left, where that is known.
    pub left: Option<TimeLeft>,
    /// The ranked metric, where it is known by now.
    pub metric: Option<&'a Metric>,
    /// The benchmarks that are measured together.
    pub rows: Vec<Row<'a>>,
    /// The case that is shown alone, if one is.
    pub case: Option<CaseUnderWay>,
}

/// A benchmark that is measured.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    /// The name of the benchmark under way.
    pub name: &'a str,
    /// Its median so far, base units.
    pub median: Option<Estimate>,
}

/// One case of many.
#[derive(Debug, Clone, Copy)]
pub struct CaseUnderWay {
    /// Its place among the rows.
    pub row: usize,
    /// Its number among all cases, from 1.
    pub number: usize,
    /// How many those are.
    pub of: usize,
}

/// One or two lines, none wider than `columns`.
#[must_use]
pub fn lines(live: &Live<'_>, columns: usize, charset: Charset, colour: Colour) -> Vec<String> {
    let bar_width = match columns / 4 {
        quarter if quarter < BAR.1 => 0,
        quarter => quarter.min(BAR.0),
    };
    let rest = columns.saturating_sub(if bar_width > 0 { bar_width + 2 } else { 0 });
    let stand = charset.spell(&standing(live, rest, charset));
    let drawn = bar(live.share, bar_width, charset, colour);
    let first = if bar_width > 0 { format!("{drawn}  {stand}") } else { stand.clone() };
    let used = columns - rest + width(&stand);
    if live.rows.len() == 1 && columns >= ONE_LINE {
        let beside = figures(live, columns.saturating_sub(used + 3), charset);
        return vec![format!("{first}   {beside}").trim_end().to_owned()];
    }
    vec![first, figures(live, columns, charset)]
}

/// The bar; with its ends where its inside is ASCII.
fn bar(share: f64, columns: usize, charset: Charset, colour: Colour) -> String {
    let (ends, inside) = match charset {
        Charset::Unicode => (["", ""], ["█", "░"]),
        Charset::Ascii => (["[", "]"], ["#", "."]),
    };
    let room = columns.saturating_sub(ends.iter().map(|end| end.len()).sum());
    let full = full(share, room);
    let [done, open] = [inside[0].repeat(full), inside[1].repeat(room - full)];
    match colour {
        Colour::Ansi => format!("{}\x1b[32m{done}\x1b[0m\x1b[2m{open}\x1b[0m{}", ends[0], ends[1]),
        Colour::Never => format!("{}{done}{open}{}", ends[0], ends[1]),
    }
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn full(share: f64, room: usize) -> usize {
    ((share.clamp(0.0, 1.0) * room as f64) as usize).min(room)
}

/// Blocks done, what ends it, and the time left: the longest way to say so that fits.
fn standing(live: &Live<'_>, columns: usize, charset: Charset) -> String {
    let left = live.left.map(time);
    let join = |first: &str, left: &str| match left {
        "" => first.to_owned(),
        left => format!("{first}, {left}"),
    };
    let [long, plain, brief] = match (live.warmup, live.stopping) {
        (true, _) => ["warming up".to_owned(), "warming up".to_owned(), "warm-up".to_owned()],
        (_, Stopping::Runs(runs)) => {
            let of = format!("{} of {}", live.blocks, blocks(runs));
            let cells = live
                .executed
                .filter(|_| live.blocks < runs)
                .map_or(String::new(), |done| format!(" and {done} of {} cells", live.rows.len()));
            [format!("{of}{cells}"), of, format!("{}/{runs}", live.blocks)]
        }
        (_, Stopping::Precision { target, .. }) => {
            let done = blocks(live.blocks);
            let target = number::percent(target).replace('\u{a0}', " ");
            [format!("{done} until ± {target}"), done, live.blocks.to_string()]
        }
        (_, Stopping::Decided { .. }) => {
            let done = blocks(live.blocks);
            [format!("{done} until decided"), done, live.blocks.to_string()]
        }
    };
    let whole = left.as_ref().map_or("", |left| &left.0);
    let short = left.as_ref().map_or("", |left| &left.1);
    let ways = [join(&long, whole), join(&plain, whole), join(&plain, short), join(&brief, short)];
    let fits = |way: &&String| width(&charset.spell(way)) <= columns;
    ways.iter().find(fits).cloned().unwrap_or_else(|| shortened(&brief, columns, ""))
}

fn blocks(number: u32) -> String {
    counted(number as usize, "block", "blocks")
}

/// `at most 18 s left`, and `18 s`.
fn time(left: TimeLeft) -> (String, String) {
    let short = duration(left.seconds());
    match left {
        TimeLeft::About(_) => (format!("{short} left"), short),
        TimeLeft::AtMost(_) => (format!("at most {short} left"), short),
    }
}

/// The ranked metric of what is measured: of all where they fit, else of the one that is known least well.
fn figures(live: &Live<'_>, columns: usize, charset: Charset) -> String {
    let known = live.rows.iter().filter_map(|row| row.median.map(|median| median.value));
    let figures = live.metric.map(|metric| Figures::new(metric.unit.base(), known));
    let value = |row: &Row<'_>| {
        let shown = shown(&row.median?, figures.as_ref()?);
        Some(charset.spell(&shown))
    };
    let title = live.metric.map_or_else(|| "measuring".to_owned(), column_title);
    let title = charset.spell(&title);
    if let Some(case) = live.case
        && let Some(row) = live.rows.get(case.row)
    {
        let lead = format!("case {} of {}: ", case.number, case.of);
        let value = value(row).map(|value| format!("{title} {value}"));
        return single_line(&lead, row.name, value.as_deref(), columns, charset);
    }
    let names: Vec<String> = live.rows.iter().map(|row| charset.spell(&clean(row.name))).collect();
    let values: Vec<String> = live.rows.iter().map(|row| value(row).unwrap_or_default()).collect();
    let between = charset.spell(" · ");
    let taken: usize = width(&title)
        + 2
        + values.iter().map(|value| 1 + width(value)).sum::<usize>()
        + width(&between) * names.len().saturating_sub(1);
    let room = columns.saturating_sub(taken);
    let longest = longest_that_fit(&names, room);
    if longest >= NAME || longest >= names.iter().map(|name| width(name)).max().unwrap_or(0) {
        let short =
            names::shortened(&names.iter().collect::<Vec<_>>(), longest, charset.ellipsis());
        let each = short.iter().zip(&values).map(|(name, value)| format!("{name} {value}"));
        let each: Vec<String> = each.map(|text| text.trim_end().to_owned()).collect();
        return format!("{title}: {}", each.join(&between));
    }
    let Some(widest) = live.rows.iter().max_by(|a, b| openness(a).total_cmp(&openness(b))) else {
        return String::new();
    };
    let lead = match live.rows.len() {
        1 => format!("{title}: "),
        many => format!("{title}, widest of {many}: "),
    };
    single_line(&lead, widest.name, value(widest).as_deref(), columns, charset)
}

/// A lead, a name as far as there is room for it, and its value; where that is too much, not all of it.
fn single_line(
    lead: &str,
    name: &str,
    value: Option<&str>,
    columns: usize,
    charset: Charset,
) -> String {
    let name = charset.spell(&clean(name));
    let value = value.map(|value| format!("  {value}")).unwrap_or_default();
    let lead = if width(lead) + width(&value) + NAME > columns { "" } else { lead };
    let room = columns.saturating_sub(width(lead) + width(&value));
    let name = shortened(&name, room, charset.ellipsis());
    let text = format!("{lead}{name}{value}");
    shortened(text.trim(), columns, charset.ellipsis())
}

/// The largest width at which names, each cut to it, take at most `room` columns.
fn longest_that_fit(names: &[String], room: usize) -> usize {
    let most = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let taken = |at: usize| names.iter().map(|name| width(name).min(at)).sum::<usize>();
    (0..=most).rev().find(|at| taken(*at) <= room).unwrap_or(0)
}

/// How little is known of a benchmark.
fn openness(row: &Row<'_>) -> f64 {
    row.median.as_ref().and_then(reach).unwrap_or(f64::INFINITY)
}

/// `0.91 ms ± 3 %`.
fn shown(median: &Estimate, figures: &Figures) -> String {
    let value = figures.show(median.value);
    match reach(median).filter(|share| *share > 0.0) {
        Some(share) => format!("{value} ± {}", percent(share)),
        None => value,
    }
}
