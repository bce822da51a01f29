//! The basis of comparisons in words, and the changes that they would show.
//!
//! Owns how kinds of evidence are told apart in words: interleaved blocks, runs of the experiment with where their
//! scatter is known from, other independent values. Refuses to choose the comparisons that are spoken of.

use etalon_core::compare::{
    Design, Earlier, Evidence, OverLayouts, Replication, Scale, ScatterFrom, Unused,
};
use etalon_core::stats::ENOUGH_RUNS;
use etalon_core::units::Base;
use etalon_core::verdict::Assessment;

use super::{better_use, nodes_text, odd_text, over_nodes, smallest_visible, variance_text};
use crate::figures::BEYOND;
use crate::number::{counted, percent};
use crate::text::clean;

/// Rows that see about the same are told in one number: the largest. Because: these are estimates of estimates.
const ALIKE: f64 = 1.25;

/// The basis of comparisons in one unit, and from which change on they show one; `of` is the quantity, where that
/// does not go without saying. `One run a side: changes from 17 % on are visible (assumed scatter; --between)`.
pub(crate) fn rests_on(compared: &[&Assessment], base: &Base, of: Option<&str>) -> Option<String> {
    let runs = replications(compared.iter().copied());
    let over = compared.iter().find(|it| over_nodes(it).is_some());
    let how = match (&runs[..], over.and_then(|it| over_nodes(it))) {
        ([], Some(over)) => capitalised(&nodes_text(over)?),
        ([], None) => match compared.iter().find_map(|it| layouts(it)) {
            Some(over) => capitalised(&layouts_text(over)),
            None => values(compared)?,
        },
        (runs, _) => capitalised(&sides(runs)),
    };
    let visible = visible(compared, base, of).map_or_else(String::new, |it| format!(": {it}"));
    let option = if runs.iter().any(|it| is_assumed(it)) { "; --between" } else { "" };
    let scatter = scatter(&runs).map_or_else(String::new, |it| format!(" ({it}{option})"));
    let nodes = over.and_then(|it| over_nodes(it));
    let odd = nodes.and_then(|it| odd_text(it, base));
    let levels = nodes.and_then(variance_text);
    let better = over.and_then(|it| better_use(it, base));
    let more = [odd, levels, better].into_iter().flatten();
    let more: String = more.map(|it| format!("; {it}")).collect();
    Some(format!("{how}{visible}{scatter}{more}"))
}

/// The layouts of a comparison that was made over them.
fn layouts(assessment: &Assessment) -> Option<&OverLayouts> {
    match &assessment.evidence.design {
        Design::Layouts(over) => Some(over),
        _ => None,
    }
}

/// The ground of a comparison over layouts: `4 layouts a side, about the code however it is placed`.
pub(crate) fn layouts_text(over: &OverLayouts) -> String {
    let layouts = counted(over.layouts, "layout", "layouts");
    format!("{layouts} a side, about the code however it is placed")
}

/// How many runs were compared, and where the scatter between them is known from.
pub(crate) fn runs_text(runs: &Replication) -> String {
    let runs = &[runs];
    let scatter = scatter(runs).map_or_else(String::new, |it| format!("; {it}"));
    format!("{}{scatter}", sides(runs))
}

fn replications<'a>(compared: impl Iterator<Item = &'a Assessment>) -> Vec<&'a Replication> {
    let of = |it: &'a Assessment| match &it.evidence.design {
        Design::Runs(runs) => Some(&**runs),
        _ => None,
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

/// `one run a side`, `3 runs a side, alternating in time`, `6 runs a side in 3 stretches, alternating in time`.
fn sides(runs: &[&Replication]) -> String {
    let sizes: Vec<[usize; 2]> = runs.iter().map(|it| [it.base, it.candidate]).collect();
    let least = sizes.iter().flatten().min().copied().unwrap_or(0);
    let how_many = match a_side(&sizes) {
        Some(1) => "one run a side".to_owned(),
        Some(most) => format!("{most} runs a side"),
        None => how_many(&sizes, "runs"),
    };
    let alternate = runs.iter().filter(|it| it.scatter == ScatterFrom::Alternating).count();
    let stretches: Vec<[usize; 2]> = runs.iter().map(|it| it.stretches).collect();
    let are_stretches = alternate == runs.len() && stretches != sizes;
    let how_many = match a_side(&stretches).filter(|_| are_stretches) {
        Some(of) => format!("{how_many} in {of} stretches"),
        None if are_stretches => {
            format!("{how_many} in {}", self::how_many(&stretches, "stretches"))
        }
        None => how_many,
    };
    match alternate {
        0 if least < ENOUGH_RUNS => how_many,
        0 => format!("{how_many}, not alternating in time"),
        all if all == runs.len() => format!("{how_many}, alternating in time"),
        _ => format!("{how_many}, some alternating in time"),
    }
}

/// How many there are a side, where that is one number.
fn a_side(sizes: &[[usize; 2]]) -> Option<usize> {
    let first = sizes.first()?[0];
    sizes.iter().flatten().all(|size| *size == first).then_some(first)
}

/// `3 and 5 runs`, of all rows; else `3 to 5 runs a side`.
fn how_many(sizes: &[[usize; 2]], of: &str) -> String {
    let all = || sizes.iter().flatten().copied();
    match sizes.iter().all(|it| *it == sizes[0]) {
        true => format!("{} and {} {of}", sizes[0][0], sizes[0][1]),
        false => {
            format!("{} to {} {of} a side", all().min().unwrap_or(0), all().max().unwrap_or(0))
        }
    }
}

/// Where the scatter between runs is known from; absent where all alternate.
fn scatter(runs: &[&Replication]) -> Option<String> {
    let earlier: Vec<&Earlier> = runs.iter().filter_map(|it| earlier(&it.scatter)).collect();
    let said = runs.iter().find_map(|it| match it.scatter {
        ScatterFrom::Said(share) => Some(format!("scatter of {}, as said", percent(share))),
        _ => None,
    });
    let assumed: Vec<Option<Unused>> = runs.iter().filter_map(|it| unused(&it.scatter)).collect();
    let how = match assumed.len() {
        0 => None,
        all if all == runs.len() => Some("assumed scatter".to_owned()),
        some => Some(format!("assumed in {}", counted(some, "row", "rows"))),
    };
    let why = assumed.iter().flatten().next().map(|why| unused_text(*why));
    let assumed = how.map(|how| why.map_or_else(|| how.clone(), |why| format!("{how}: {why}")));
    let told: Vec<String> = earlier_text(&earlier).into_iter().chain(said).chain(assumed).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn is_assumed(runs: &Replication) -> bool {
    matches!(runs.scatter, ScatterFrom::Assumed(_))
}

fn earlier(scatter: &ScatterFrom) -> Option<&Earlier> {
    match scatter {
        ScatterFrom::Earlier(earlier) => Some(earlier),
        ScatterFrom::Alternating | ScatterFrom::Said(_) | ScatterFrom::Assumed(_) => None,
    }
}

/// Of an assumed scatter, why earlier runs do not say it.
fn unused(scatter: &ScatterFrom) -> Option<Option<Unused>> {
    match scatter {
        ScatterFrom::Assumed(why) => Some(*why),
        ScatterFrom::Alternating | ScatterFrom::Said(_) | ScatterFrom::Earlier(_) => None,
    }
}

/// `scatter of 12 runs in 6 occasions over 3 days: 0.75 %, runs up to 2.1 % apart`; of several rows without its size.
fn earlier_text(all: &[&Earlier]) -> Option<String> {
    let range = |of: fn(&Earlier) -> usize| {
        let sizes = || all.iter().map(|it| of(it));
        let (least, most) = (sizes().min()?, sizes().max()?);
        let from = if least == most { String::new() } else { format!("{least} to ") };
        Some((from, most))
    };
    let (runs_from, runs) = range(|it| it.runs)?;
    let (from, occasions) = range(|it| it.occasions)?;
    let of = counted(runs, "run", "runs");
    let occasions = counted(occasions, "occasion", "occasions");
    let spans = all.iter().filter_map(|it| it.span).max_by(f64::total_cmp);
    let over = spans.map_or_else(String::new, |span| format!(" over {}", duration(span)));
    let size = match all {
        [one] => format!(": {}", percent(two_digits(one.sd))),
        _ => String::new(),
    };
    let farthest = all.iter().map(|it| it.range).max_by(f64::total_cmp).unwrap_or(0.0);
    let farthest = percent(two_digits(farthest.exp_m1()));
    let odd = all.iter().find_map(|it| it.odd.as_ref());
    let odd = odd.map_or_else(String::new, |odd| {
        let without = percent(two_digits(odd.sd_without));
        format!("; {without} without {}", clean(&odd.name))
    });
    let copies = left_out(all.iter().map(|it| it.copies).max().unwrap_or(0));
    Some(format!(
        "scatter of {runs_from}{of} in {from}{occasions}{over}{size}, runs up to {farthest} apart{odd}{copies}"
    ))
}

/// `; 3 copies left out`.
fn left_out(copies: usize) -> String {
    match copies {
        0 => String::new(),
        copies => format!("; {} left out", counted(copies, "repeated run", "repeated runs")),
    }
}

/// Why earlier runs do not say how much runs scatter.
fn unused_text(unused: Unused) -> String {
    let earlier = |runs| counted(runs, "earlier run", "earlier runs");
    match unused {
        Unused::FewOccasions { runs, occasions, versions, copies } => {
            let versions = match versions {
                1 => String::new(),
                many => format!(" of {many} versions"),
            };
            let occasions = counted(occasions, "occasion", "occasions");
            let copies = left_out(copies);
            format!("{} in {occasions}{versions} say too little{copies}", earlier(runs))
        }
        Unused::Short { runs, span: None } => {
            format!("{} do not say over what time they reach", earlier(runs))
        }
        Unused::Short { runs, span: Some(span) } => format!(
            "{} of one version over {} do not reach as far as the sides lie apart",
            earlier(runs),
            duration(span)
        ),
        Unused::OtherState { runs, then, now } => format!(
            "{} are of another state of the machine, readings spread by {} then and {} now",
            earlier(runs),
            percent(two_digits(then)),
            percent(two_digits(now))
        ),
    }
}

/// A time of seconds, minutes, hours or days, roughly.
fn duration(seconds: f64) -> String {
    let units = [(86_400.0, "days"), (3_600.0, "hours"), (60.0, "minutes"), (1.0, "seconds")];
    match units.into_iter().find(|(size, _)| seconds >= 2.0 * size) {
        Some((size, unit)) => format!("{:.0} {unit}", seconds / size),
        None => "a second".to_owned(),
    }
}

/// `changes from 2 % on are visible, in some rows from 9 % on`; `no change is visible` where none is that has a number.
fn visible(compared: &[&Assessment], base: &Base, of: Option<&str>) -> Option<String> {
    let (least, most) = smallest(compared, base)?;
    let of = of.map_or_else(String::new, |of| format!(" of {of}"));
    let is_beyond = |it: &&Assessment| {
        let is_ratio = it.evidence.scale == Scale::Ratio;
        it.smallest_visible.is_none_or(|change| is_ratio && change >= BEYOND)
    };
    if compared.iter().all(is_beyond) {
        return Some(format!("no change{of} is visible"));
    }
    let most = most.map_or_else(String::new, |most| format!(", in {most} on"));
    Some(format!("changes{of} from {least} on are visible{most}"))
}

/// The visible change before all is measured: `changes from about 2 %, in some rows from 9 %`.
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
    let (least, most) = (from(least)?, from(most)?);
    // Beyond some size all are said in the same words.
    let apart = (least != most).then(|| format!("{some} from {most}"));
    Some((least, apart))
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
