//! What comparisons rest on, and from which change on they would show one.
//!
//! Owns how kinds of evidence are told apart in words: interleaved blocks, runs of the experiment with where their
//! scatter is known from, other independent values. Refuses to choose the comparisons that are spoken of.

use etalon_core::compare::{Design, Earlier, Evidence, Replication, ScatterFrom};
use etalon_core::stats::ENOUGH_RUNS;
use etalon_core::units::Base;
use etalon_core::verdict::Assessment;

use super::smallest_visible;
use crate::number::{counted, percent};

/// Rows that see about the same are told in one number: the largest. Because: these are estimates of estimates.
const ALIKE: f64 = 1.25;

/// What comparisons in one unit rest on, and from which change on they show one; `of` is what changes, where that
/// does not go without saying. `One run a side: changes from 17 % on are visible (assumed scatter; --between)`.
pub(crate) fn rests_on(compared: &[&Assessment], base: &Base, of: Option<&str>) -> Option<String> {
    let runs = replications(compared.iter().copied());
    let how = match &runs[..] {
        [] => values(compared)?,
        runs => capitalised(&sides(runs)),
    };
    let visible = visible(compared, base, of).map_or_else(String::new, |it| format!(": {it}"));
    let option =
        if runs.iter().any(|it| it.scatter == ScatterFrom::Assumed) { "; --between" } else { "" };
    let scatter = scatter(&runs).map_or_else(String::new, |it| format!(" ({it}{option})"));
    Some(format!("{how}{visible}{scatter}"))
}

/// How many runs were compared, and where the scatter between them is known from.
pub(crate) fn runs_text(runs: &Replication) -> String {
    let runs = std::slice::from_ref(runs);
    let scatter = scatter(runs).map_or_else(String::new, |it| format!("; {it}"));
    format!("{}{scatter}", sides(runs))
}

fn replications<'a>(compared: impl Iterator<Item = &'a Assessment>) -> Vec<Replication> {
    let of = |it: &Assessment| match &it.evidence.design {
        Design::Runs(runs) => Some(**runs),
        Design::Blocks | Design::Independent => None,
    };
    compared.filter_map(of).collect()
}

/// Values a side, or the blocks that they share.
fn values(compared: &[&Assessment]) -> Option<String> {
    let evidence = || compared.iter().map(|it| &it.evidence);
    let sizes = || evidence().flat_map(|it| [it.n.0, it.n.1]);
    let (least, most) = (sizes().min()?, sizes().max()?);
    let range = if least == most { String::new() } else { format!("{least} to ") };
    let is_in_blocks = |it: &Evidence| it.design == Design::Blocks;
    if evidence().all(is_in_blocks) {
        return Some(format!(
            "{range}{}",
            counted(most, "interleaved block", "interleaved blocks")
        ));
    }
    let how =
        if evidence().any(is_in_blocks) { "some of them interleaved" } else { "not interleaved" };
    Some(format!("{range}{} a side, {how}", counted(most, "value", "values")))
}

/// `one run a side`, `3 runs a side, alternating in time`.
fn sides(runs: &[Replication]) -> String {
    let sizes = || runs.iter().flat_map(|it| [it.base, it.candidate]);
    let (least, most) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
    let together: Vec<(usize, usize)> = runs.iter().map(|it| (it.base, it.candidate)).collect();
    let how_many = match together.iter().all(|it| *it == together[0]) {
        true if least == most && most == 1 => "one run a side".to_owned(),
        true if least == most => format!("{most} runs a side"),
        true => format!("{} and {} runs", together[0].0, together[0].1),
        false => format!("{least} to {most} runs a side"),
    };
    let alternate = runs.iter().filter(|it| it.scatter == ScatterFrom::Alternating).count();
    match alternate {
        0 if least < ENOUGH_RUNS => how_many,
        0 => format!("{how_many}, not alternating in time"),
        all if all == runs.len() => format!("{how_many}, alternating in time"),
        _ => format!("{how_many}, some alternating in time"),
    }
}

/// Where the scatter between runs is known from; absent where all alternate.
fn scatter(runs: &[Replication]) -> Option<String> {
    let earlier: Vec<Earlier> = runs.iter().filter_map(|it| earlier(it.scatter)).collect();
    let said = runs.iter().find_map(|it| match it.scatter {
        ScatterFrom::Said(share) => Some(format!("scatter of {}, as said", percent(share))),
        _ => None,
    });
    let assumed = runs.iter().filter(|it| it.scatter == ScatterFrom::Assumed).count();
    let assumed = match assumed {
        0 => None,
        all if all == runs.len() => Some("assumed scatter".to_owned()),
        some => Some(format!("assumed in {}", counted(some, "row", "rows"))),
    };
    let told: Vec<String> = earlier_text(&earlier).into_iter().chain(said).chain(assumed).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn earlier(scatter: ScatterFrom) -> Option<Earlier> {
    match scatter {
        ScatterFrom::Earlier(earlier) => Some(earlier),
        ScatterFrom::Alternating | ScatterFrom::Said(_) | ScatterFrom::Assumed => None,
    }
}

/// `scatter of 10 earlier runs over 3 days`; of a single row with its size.
fn earlier_text(all: &[Earlier]) -> Option<String> {
    let least = all.iter().map(|it| it.runs).min()?;
    let most = all.iter().map(|it| it.runs).max()?;
    let range = if least == most { String::new() } else { format!("{least} to ") };
    let spans = all.iter().filter_map(|it| it.span).max_by(f64::total_cmp);
    let over = spans.map_or_else(String::new, |span| format!(" over {}", duration(span)));
    let scatter = match all {
        [one] => format!(": {}", percent(two_digits(one.sd))),
        _ => String::new(),
    };
    let of = counted(most, "earlier run", "earlier runs");
    Some(format!("scatter of {range}{of}{over}{scatter}"))
}

/// A time of seconds, minutes, hours or days, roughly.
fn duration(seconds: f64) -> String {
    let units = [(86_400.0, "days"), (3_600.0, "hours"), (60.0, "minutes"), (1.0, "seconds")];
    match units.into_iter().find(|(size, _)| seconds >= 2.0 * size) {
        Some((size, unit)) => format!("{:.0} {unit}", seconds / size),
        None => "a second".to_owned(),
    }
}

/// `changes from 2 % on are visible, in some rows from 9 % on`.
fn visible(compared: &[&Assessment], base: &Base, of: Option<&str>) -> Option<String> {
    let (least, most) = smallest(compared, base)?;
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    let most = most.map_or_else(String::new, |most| format!(", in {most} on"));
    Some(format!("changes{of} from {least} on are visible{most}"))
}

/// The same before all is measured: `changes from about 2 %, in some rows from 9 %`.
pub(crate) fn foreseen(compared: &[&Assessment], base: &Base, of: Option<&str>) -> Option<String> {
    let (least, most) = smallest(compared, base)?;
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    let most = most.map_or_else(String::new, |most| format!(", in {most}"));
    Some(format!("changes{of} from about {least}{most}"))
}

/// The smallest visible change, `2 %`; and where rows see differently, in which they see less, `some rows from 9 %`.
fn smallest(compared: &[&Assessment], base: &Base) -> Option<(String, Option<String>)> {
    let scale = compared.iter().find(|it| it.smallest_visible.is_some())?.evidence.scale;
    let on_scale = || compared.iter().filter(|it| it.evidence.scale == scale);
    let change = |it: &Assessment| it.smallest_visible.unwrap_or(f64::NAN);
    let known = || on_scale().filter(|it| it.smallest_visible.is_some());
    let least = known().min_by(|a, b| change(a).total_cmp(&change(b)))?;
    let most = known().max_by(|a, b| change(a).total_cmp(&change(b)))?;
    let from = |it: &Assessment| smallest_visible(it, base);
    if change(most) <= ALIKE * change(least) {
        return Some((from(most)?, None));
    }
    let beyond = known().filter(|it| change(it) > ALIKE * change(least)).count();
    let some = if beyond == 1 { "one row" } else { "some rows" };
    Some((from(least)?, Some(format!("{some} from {}", from(most)?))))
}

/// Rounded to two significant digits.
pub(super) fn two_digits(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next();
    first.map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn a_duration_has_the_largest_unit_of_which_there_are_two() {
        let expected =
            [(0.3, "a second"), (90.0, "90 seconds"), (3000.0, "50 minutes"), (2e5, "2 days")];
        for (seconds, text) in expected {
            assert_eq!(duration(seconds), text);
        }
    }
}
