//! `-E`: the settings of every test, and every test's numbers under its row.

use etalon_core::analysis::{Analysis, Comparison, Ranking};
use etalon_core::compare::Design;
use etalon_core::estimate::Estimate;
use etalon_core::stats::{InsufficientData, PMethod};
use etalon_core::units::Base;
use etalon_core::verdict::Assessment;

use super::frame::{INSIDE, framed};
use super::ranking::difference;
use crate::number::{counted, decimals_for, fixed, p_value, percent, significance};
use crate::text::{clean, hanging, left};
use crate::view::View;
use crate::words;

/// The box with the settings.
pub(super) fn settings(analysis: &Analysis, ranking: &Ranking) -> Vec<String> {
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
    let mut inside = vec!["  Parameter                         Option        Setting".to_owned()];
    for (what, option, value) in rows {
        let lead = format!("    {}{}", left(what, 32), left(option, 14));
        inside.extend(hanging(&lead, &clean(&value), INSIDE - 1));
    }
    let mut lines = vec!["Inferential statistics:".to_owned(), String::new()];
    lines.extend(framed(&inside));
    lines
}

/// Every test behind one row.
pub(super) fn tests(ranking: &Ranking, c: &Comparison, view: View) -> Vec<String> {
    let evidence = &c.assessment.evidence;
    let level = percent(evidence.level);
    let mut rows = hypotheses(&c.assessment);
    let [ratio, shift] = match evidence.design {
        Design::Runs(_) => ["Ratio between runs", "Shift between runs"],
        Design::Blocks | Design::Independent => ["Hodges-Lehmann ratio", "Hodges-Lehmann shift"],
    };
    rows.extend(evidence.ratio.map(|found| (ratio, ratio_text(&found, &level))));
    let (title, shift) = (shift, difference(ranking, c));
    rows.push((title, format!("Δ = {} {}", shift.value, shift.unit)));
    rows.push(match &shift.interval {
        Some((lo, hi)) => ("Confidence interval", format!("{level} ({lo}, {hi}) {}", shift.unit)),
        None => ("Confidence interval", "none: too few observations".to_owned()),
    });
    if let Some(of_medians) = evidence.ratio_of_medians {
        rows.push(("Ratio of medians", fixed(of_medians, 4)));
    }
    let base = ranking.metric.unit.base();
    if let Some(change) = words::smallest_visible(&c.assessment, base) {
        rows.push(("Smallest visible change", format!("{change} (power 0.9)")));
    }
    let over = match evidence.design {
        Design::Blocks => "within blocks",
        Design::Independent | Design::Runs(_) => "over all pairs",
    };
    rows.push(("Prob. of superiority", format!("Â = {:.2} {over}", evidence.superiority)));
    let mut lines = vec![String::new()];
    for (what, value) in rows {
        let lead = format!("          {}", left(what, 24));
        lines.extend(hanging(&lead, &value, view.width));
    }
    lines.push(String::new());
    lines
}

/// How many values there were and what was tested on them.
fn hypotheses(assessment: &Assessment) -> Vec<(&'static str, String)> {
    let Assessment { evidence, adjusted, .. } = assessment;
    let (test, statistic, n) = match evidence.design {
        Design::Blocks => ("Wilcoxon signed-rank", "W⁺", format!("{} blocks", evidence.n.0)),
        Design::Independent => {
            ("Brunner-Munzel", "W", format!("{} and {}, independent", evidence.n.1, evidence.n.0))
        }
        Design::Runs(runs) => {
            let n = format!("{} and {}", evidence.n.1, evidence.n.0);
            ("Between runs", "d/se", format!("{n}, of {}", words::runs_text(&runs)))
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
                Design::Independent | Design::Runs(_) => fixed(result.statistic, 3),
            };
            rows.push((test, format!("{statistic} = {value} ({how})")));
            let adjusted = adjusted.p.map_or_else(|| "-".to_owned(), p_value);
            rows.push(("p-value (adjusted)", format!("p {} ({adjusted})", p_value(result.p))));
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
            let d = decimals_for(i.half_width());
            let [value, lo, hi] = [ratio.value, i.lo, i.hi].map(|number| fixed(number, d));
            format!("{value}, {level} ({lo}, {hi})")
        }
        Err(_) => format!("{}, no interval", fixed(ratio.value, 4)),
    }
}
