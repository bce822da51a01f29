//! The tests behind a ranking: how they were set, and what each of them found.
//!
//! Owns what is said of a comparison. Which comparisons: those with the best row and with the first one, which the
//! answer and the table rest on; the others of the family are counted.

use etalon_core::analysis::{Analysis, Comparison, Ranking};
use etalon_core::compare::{Design, Evidence, Scale};
use etalon_core::estimate::{Estimate, Method};
use etalon_core::stats::{InsufficientData, PMethod};
use etalon_core::units::Base;
use etalon_core::verdict::Assessment;

use crate::document::Part;
use crate::number::{DisplayUnit, counted, decimals_apart, fixed, p_value, percent, significance};
use crate::table::{Align, Cell, Column, Table};
use crate::text::clean;
use crate::words;

/// The settings, and a table for each comparison; nothing where there is nothing to compare.
pub(super) fn parts(analysis: &Analysis, ranking: &Ranking) -> Vec<Part> {
    if ranking.comparisons.is_empty() {
        return Vec::new();
    }
    let best = ranking.by_value().first().map(|row| row.benchmark);
    let shown = |it: &&Comparison| {
        let ends = [Some(it.base), Some(it.candidate)];
        ends.contains(&best) || ends.contains(&ranking.first())
    };
    let tables = ranking.comparisons.iter().filter(shown).map(|it| table(analysis, ranking, it));
    let mut parts = vec![Part::Tables(vec![settings(analysis, ranking)])];
    parts.extend(tables.map(|table| Part::Tables(vec![table])));
    let others = ranking.comparisons.len() + 1 - parts.len();
    let others = (others > 0).then(|| {
        let pairs = counted(others, "other pair", "other pairs");
        Part::Sentence(format!("The tests of {pairs} are in --json."))
    });
    parts.extend(others);
    parts
}

/// A setting, its option, and what it is set to.
pub(crate) type Setting = (&'static str, &'static str, String);

/// How the tests of a ranking were set.
pub(crate) fn set(analysis: &Analysis, ranking: &Ranking) -> Vec<Setting> {
    let s = &analysis.settings;
    let criteria = &s.criteria;
    let family = match ranking.reference {
        Some(_) => format!("{} (reference)", ranking.comparisons.len()),
        None => counted(ranking.comparisons.len(), "pair", "pairs"),
    };
    let mut rows = vec![
        ("Metric that is ranked", "--metric", s.metric.clone()),
        (
            "Same: interval and TOST within",
            "--margin",
            words::margin_text(ranking.criteria.margin, ranking.metric.unit.base()),
        ),
        (
            "Different only if beyond",
            "--at-least",
            criteria
                .at_least
                .map_or_else(|| "not asked for".to_owned(), |p| format!("1 ± {}", percent(p))),
        ),
        ("Significance level, α", "--alpha", significance(criteria.alpha)),
        (
            "Level of the intervals",
            "--confidence",
            words::levels_text(ranking.comparisons.iter().map(|c| &c.assessment)),
        ),
        (
            "Correction within the family",
            "--correction",
            format!("{} over {family}", words::correction_text(ranking.criteria.correction())),
        ),
    ];
    if let Some(epsilon) = ranking.criteria.conditions.epsilon {
        let amount = words::amount(epsilon, &Base::Seconds);
        rows.push(("C.I. ± ε must exclude zero", "-x epsilon", amount));
    }
    if let Some(at_most) = ranking.criteria.conditions.superiority {
        rows.push(("Prob. of superiority at most", "-x super", at_most.to_string()));
    }
    rows
}

fn settings(analysis: &Analysis, ranking: &Ranking) -> Table {
    let row = |(what, option, value): Setting| {
        vec![Cell::words(what), Cell::words(option), Cell::words(clean(&value))]
    };
    let metric = words::lower_first(&words::metric_title(&ranking.metric));
    let scope = ranking.scope.as_ref().filter(|_| analysis.suites.len() > 1);
    let within = scope.map(words::scope).or_else(|| words::machine(ranking));
    let within = within.map_or(String::new(), |within| format!(", {within}"));
    Table {
        title: format!("Tests of {metric}{within}"),
        columns: ["", "", ""].map(|title| Column::new(title, Align::Left)).to_vec(),
        rows: set(analysis, ranking).into_iter().map(row).collect(),
        ..Table::default()
    }
}

fn table(analysis: &Analysis, ranking: &Ranking, comparison: &Comparison) -> Table {
    let [of, base] =
        [comparison.candidate, comparison.base].map(|at| words::case_name(analysis, at));
    let word = words::verdict_word(&comparison.assessment, ranking.metric.unit.base());
    let row = |(what, value): (&str, String)| vec![Cell::words(what), Cell::words(value)];
    let why = words::why(&comparison.assessment).map(|why| ("Reason", why));
    Table {
        title: format!("{of} against {base}: {word}"),
        columns: ["", ""].map(|title| Column::new(title, Align::Left)).to_vec(),
        rows: rows(ranking, comparison).into_iter().chain(why).map(row).collect(),
        ..Table::default()
    }
}

/// The results of each test of a comparison, and the estimates beside them.
pub(crate) fn rows(ranking: &Ranking, c: &Comparison) -> Vec<(&'static str, String)> {
    let evidence = &c.assessment.evidence;
    let level = words::level(evidence.shown().level);
    let mut rows = hypotheses(&c.assessment);
    let [ratio, shift] = match evidence.design {
        Design::Runs(_) => ["Ratio between runs", "Shift between runs"],
        Design::Nodes(_) => ["Ratio over nodes", "Shift over nodes"],
        Design::Layouts(_) => ["Ratio over layouts", "Shift over layouts"],
        Design::Blocks | Design::Independent => ["Hodges-Lehmann ratio", "Hodges-Lehmann shift"],
    };
    rows.extend(evidence.shown().ratio.map(|found| (ratio, ratio_text(&found, &level))));
    let of_difference = |found| {
        let Difference { value, unit, interval } = difference(ranking, found);
        let interval = match interval {
            Some((lo, hi)) => format!("{level} ({lo}, {hi}) {unit}{}", interval_of(evidence)),
            None => "none: too few observations".to_owned(),
        };
        [(shift, format!("Δ = {value} {unit}")), ("Confidence interval", interval)]
    };
    rows.extend(evidence.shown().difference.as_ref().into_iter().flat_map(of_difference));
    if let Some(of_medians) = evidence.ratio_of_medians {
        rows.push(("Ratio of medians", fixed(of_medians, 4)));
    }
    let base = ranking.metric.unit.base();
    if let Some(change) = words::smallest_visible(&c.assessment, base) {
        rows.push(("Smallest visible change", format!("{change} (power 0.9)")));
    }
    let over = match evidence.design {
        Design::Blocks | Design::Nodes(_) | Design::Layouts(_) => "within blocks",
        Design::Independent | Design::Runs(_) => "over all pairs",
    };
    rows.push((
        "Prob. of superiority",
        format!("Â = {:.2} that it is smaller, {over}", evidence.superiority),
    ));
    rows
}

/// Of what the interval of a shift is, where that of the ratio says something else.
fn interval_of(evidence: &Evidence) -> &'static str {
    let excludes = |estimate: Option<Estimate>, none: f64| {
        estimate.is_some_and(|it| it.interval.is_ok_and(|it| !it.contains(none)))
    };
    let shown = evidence.shown();
    let of_ratio = evidence.scale == Scale::Ratio && excludes(shown.ratio, 1.0);
    match of_ratio && !excludes(shown.difference, 0.0) {
        true => ", of the shift; the verdict is about the ratio",
        false => "",
    }
}

/// How many values there were and what was tested on them.
fn hypotheses(assessment: &Assessment) -> Vec<(&'static str, String)> {
    let Assessment { evidence, adjusted, .. } = assessment;
    let (test, statistic, n) = match &evidence.design {
        Design::Blocks => ("Wilcoxon signed-rank", "W⁺", counted(evidence.n.0, "block", "blocks")),
        Design::Independent => {
            ("Brunner-Munzel", "W", format!("{} and {}, independent", evidence.n.1, evidence.n.0))
        }
        Design::Nodes(over) => (
            "Over nodes",
            "d/se",
            words::nodes_text(over).unwrap_or_else(|| "no node that counts".to_owned()),
        ),
        Design::Layouts(over) => ("Over layouts", "d/se", words::layouts_text(over)),
        Design::Runs(runs) => {
            let n = format!("{} and {}", evidence.n.1, evidence.n.0);
            ("Between runs", "d/se", format!("{n}, of {}", words::runs_text(runs)))
        }
    };
    let mut rows = vec![("Timed observations", n)];
    match &evidence.test {
        Ok(result) => {
            let how = match result.method {
                PMethod::Exact => "exact",
                PMethod::Normal => "normal approximation",
                PMethod::StudentT => "Student's t",
                PMethod::BetweenRuns => "from the interval",
            };
            let value = match evidence.design {
                Design::Blocks => result.statistic.to_string(),
                Design::Independent if result.statistic.is_infinite() => "no overlap".to_owned(),
                _ => fixed(result.statistic, 3),
            };
            rows.push((test, format!("{statistic} = {value} ({how})")));
            let adjusted = adjusted.p.map_or_else(|| "-".to_owned(), p_value);
            // It is that of the test with the difference made smaller.
            let smaller = evidence.dependence.map_or("", |_| ", for serial dependence");
            let p = format!("p {} ({adjusted}){smaller}", p_value(result.p));
            rows.push(("p-value (adjusted)", p));
        }
        Err(InsufficientData::Exact) => {
            rows.push(("Test", "none: the values are exact".to_owned()))
        }
        Err(_) => rows.push((test, "no p: too few observations".to_owned())),
    }
    if let Some(theirs) = &evidence.mann_whitney {
        let (u, p) = (theirs.statistic, p_value(theirs.p));
        rows.push(("Mann-Whitney", format!("U = {u}, p {p}")));
    }
    if let (Some(p), Some(adjusted)) = (evidence.tost_p, adjusted.tost_p) {
        rows.push(("TOST for same", format!("p {} ({})", p_value(p), p_value(adjusted))));
    }
    rows
}

/// A ratio with its interval.
fn ratio_text(ratio: &Estimate, level: &str) -> String {
    match &ratio.interval {
        Ok(i) => {
            let [value, lo, hi] = words::factors(ratio.value, i);
            format!("{value}, {level} ({lo}, {hi})")
        }
        Err(_) => format!("{}, no interval", fixed(ratio.value, 4)),
    }
}

/// A difference and its interval as digits in one unit.
struct Difference {
    value: String,
    unit: String,
    interval: Option<(String, String)>,
}

/// The difference with its interval, one unit for all three numbers.
fn difference(ranking: &Ranking, estimate: &Estimate) -> Difference {
    let magnitude = match &estimate.interval {
        Ok(i) => estimate.value.abs().max(i.half_width()),
        Err(_) => estimate.value.abs(),
    };
    let shown = DisplayUnit::fitting(&ranking.metric, magnitude);
    let sign = if estimate.value > 0.0 { "+" } else { "" };
    let unit = shown.symbol().to_owned();
    match &estimate.interval {
        Ok(i) if estimate.method != Method::Exact => {
            let ends = [i.lo, i.hi].map(|end| shown.number(end));
            let decimals = decimals_apart(0.0, ends, shown.decimals(i));
            let digits = |value| shown.digits(value, decimals);
            let value = format!("{sign}{}", digits(estimate.value));
            Difference { value, unit, interval: Some((digits(i.lo), digits(i.hi))) }
        }
        _ => Difference {
            value: format!("{sign}{}", shown.plain(estimate.value)),
            unit,
            interval: None,
        },
    }
}
