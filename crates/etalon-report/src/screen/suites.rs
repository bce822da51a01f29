//! Suites: the answer of each, one table of all their cases, and what became of those that have no times.

use etalon_core::analysis::{Analysis, Comparison, Execution, Ranking, Suite};
use etalon_core::verdict::Assessment;
use indexmap::IndexMap;

use super::{ROWS, about, alone, answer, foremost, ranked, verdicts};
use crate::cases;
use crate::document::Part;
use crate::number::counted;
use crate::table::Table;
use crate::text::clean;
use crate::view::{Detail, Statistics, View};
use crate::words;

/// Suites that have an answer of their own: of more, one line says how many cases differ.
const ANSWERS: usize = 3;
/// Names of cases that are counted one by one over many suites.
const NAMES: usize = 8;
/// Suites that have a table of their own where not all cases have room.
const TABLES: usize = 6;
/// Cases that are compared with none, and have two lines each.
const ALONE: usize = 12;
/// What is said of cases without times, each once; of more, one line says how many cases are left out.
const SAID: usize = 10;
/// Cases that all tables of a screen together have room for; of more, those are shown that say most.
const CASES: usize = 30;

/// All parts about cases; none without any.
pub(super) fn parts(analysis: &Analysis, view: View) -> Vec<Part> {
    if analysis.suites.is_empty() {
        return Vec::new();
    }
    let rankings: Vec<(&Suite, &Ranking)> = analysis
        .suites
        .iter()
        .filter_map(|suite| Some((suite, ranking(analysis, suite)?)))
        .collect();
    let several = analysis.suites.len() > 1;
    let mut parts: Vec<Part> = Vec::new();
    parts.extend(answers(analysis, &rankings).into_iter().map(Part::Answer));
    if let [(_, only)] = rankings[..] {
        parts.extend(answer::work(analysis, only).map(Part::Sentence));
    }
    let single = |(_, ranking): &(&Suite, &Ranking)| match ranking.by_value()[..] {
        [only] => Some(only.benchmark),
        _ => None,
    };
    let single: Vec<usize> = rankings.iter().filter_map(single).collect();
    let shown = if view.detail == Detail::Full { single.len() } else { single.len().min(ALONE) };
    parts.extend(single[..shown].iter().flat_map(|only| alone::benchmark_parts(analysis, *only)));
    if shown < single.len() {
        parts.push(Part::Sentence(format!("And {} more: --full.", single.len() - shown)));
    }
    if analysis.benchmarks.iter().all(|benchmark| benchmark.metrics.is_empty()) {
        let mut said = about::unusual(analysis);
        if said.is_empty() {
            said.push("Nothing was measured.".to_owned());
        }
        parts.extend(said.into_iter().map(Part::Answer));
        parts.push(Part::Lines(without_times(analysis, view)));
        return parts;
    }
    parts.extend(environment(analysis, several).map(Part::Sentence));
    let first = rankings.first().map(|(_, ranking)| *ranking);
    parts.extend(about::sentences(analysis, first).into_iter().map(Part::Sentence));
    let compared: Vec<(&Suite, &Ranking)> =
        rankings.iter().copied().filter(|(_, it)| it.by_value().len() > 1).collect();
    parts.extend(tables(analysis, &compared, view));
    parts.push(Part::Lines(without_times(analysis, view)));
    if let [(_, only)] = rankings[..] {
        parts.extend(verdicts::outlook(analysis, only).map(Part::Sentence));
    }
    parts
}

/// The answer of each suite; of many, how many cases differ from their baselines, all together and name by name.
fn answers(analysis: &Analysis, rankings: &[(&Suite, &Ranking)]) -> Vec<String> {
    let several = analysis.suites.len() > 1;
    let answers = rankings.iter().filter_map(|(suite, ranking)| {
        let answer = answer::sentence(analysis, ranking)?;
        let scope = words::scope(&suite.scope);
        Some(if several { answer::behind(&scope, &answer) } else { answer })
    });
    let answers: Vec<String> = answers.collect();
    if answers.len() <= ANSWERS {
        return answers;
    }
    let counts = crate::answer::counts(analysis).text;
    // With those of which nothing is said, because a case does nothing.
    let groups = rankings.iter().filter(|(_, ranking)| !ranking.comparisons.is_empty()).count();
    let of = counted(groups, "group", "groups");
    let baseline = shared_baseline(analysis, rankings).unwrap_or_else(|| "its baseline".to_owned());
    let mut said = vec![format!("{of} of cases, each against {baseline}: {counts}.")];
    said.extend(by_name(analysis, rankings));
    vec![said.join(" ")]
}

/// The name of the case that the others of each suite are held against, if it is the same in all.
fn shared_baseline(analysis: &Analysis, rankings: &[(&Suite, &Ranking)]) -> Option<String> {
    let name = |(_, ranking): &(&Suite, &Ranking)| {
        Some(words::ranked_name(analysis, ranking, ranking.first()?))
    };
    let first = name(rankings.first()?)?;
    let is_in_all = rankings.iter().all(|it| name(it).as_ref() == Some(&first));
    is_in_all.then(|| words::apart(&first))
}

/// The verdicts on each name that several suites have, where names are few: `buffer: 14 faster; rope: 14 slower.`
fn by_name(analysis: &Analysis, rankings: &[(&Suite, &Ranking)]) -> Option<String> {
    let mut all: IndexMap<String, Vec<&Assessment>> = IndexMap::new();
    for (_, ranking) in rankings {
        for Comparison { candidate, assessment, .. } in &ranking.comparisons {
            let name = words::ranked_name(analysis, ranking, *candidate);
            all.entry(name).or_default().push(assessment);
        }
    }
    let are_shared = all.values().any(|of| of.len() > 1) && all.len() <= NAMES;
    let metric = &rankings.first()?.1.metric;
    let said = |(name, of): (String, Vec<&Assessment>)| {
        let (void, of): (Vec<_>, Vec<_>) = of.into_iter().partition(|it| it.decision.is_void());
        let counts = words::counts(of.into_iter(), metric.direction, metric.unit.base());
        let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text);
        // As their rows say it.
        let void = match void.len() {
            0 => None,
            1 => Some(format!("1 {}", words::DOES_NOTHING)),
            n => Some(format!("{n} do nothing")),
        };
        format!("{}: {}", words::apart(&name), counts.chain(void).collect::<Vec<_>>().join(", "))
    };
    let said: Vec<String> = all.into_iter().map(said).collect();
    are_shared.then(|| format!("{}.", said.join("; ")))
}

/// The tables of the suites: all cases where there is room, else those that say most over all suites.
fn tables(analysis: &Analysis, compared: &[(&Suite, &Ranking)], view: View) -> Vec<Part> {
    let several = analysis.suites.len() > 1;
    let titled = |suite: &Suite, table: Table| {
        let title = if several { words::scope(&suite.scope) } else { String::new() };
        Table { title, ..table }
    };
    let cases: usize = compared.iter().map(|(suite, _)| suite.members.len()).sum();
    if view.detail == Detail::Full || cases <= CASES || compared.len() == 1 {
        let table = |(suite, ranking): &(&Suite, &Ranking)| {
            titled(suite, ranked::table(analysis, ranking, view))
        };
        return vec![Part::Tables(compared.iter().map(table).collect())];
    }
    let rankings: Vec<&Ranking> = compared.iter().map(|(_, ranking)| *ranking).collect();
    if compared.len() > TABLES {
        let telling = foremost::telling(&rankings, ROWS);
        let all: usize = rankings.iter().map(|ranking| ranking.rows.len() - 1).sum();
        let names = shared_names(compared);
        let called = |ranking: &Ranking, at: usize| {
            let of = compared.iter().position(|(_, it)| std::ptr::eq(*it, ranking));
            let place = of.map_or("", |of| names[of].as_str());
            format!("{}, {place}", words::ranked_name(analysis, ranking, at))
        };
        let mut table = ranked::together(analysis, &telling, called);
        table.remarks.extend(foremost::more(all - telling.len()));
        return vec![Part::Tables(vec![table])];
    }
    // Each has a title, and a row that the others are held against.
    let telling = foremost::telling(&rankings, ROWS - 2 * compared.len());
    let table = |(suite, ranking): &(&Suite, &Ranking)| {
        let own = telling.iter().filter(|(of, _)| std::ptr::eq(*of, *ranking)).count();
        titled(suite, ranked::table_of(analysis, ranking, own.max(1) + 1))
    };
    vec![Part::Tables(compared.iter().map(table).collect())]
}

/// Where the cases of each suite are from, without what all have in common: the file, if there is one only.
fn shared_names(compared: &[(&Suite, &Ranking)]) -> Vec<String> {
    let is_of_one = compared.windows(2).all(|pair| pair[0].0.scope.file == pair[1].0.scope.file);
    let name = |(suite, _): &(&Suite, &Ranking)| match words::within(&suite.scope) {
        Some(within) if is_of_one => within,
        _ => words::scope(&suite.scope),
    };
    compared.iter().map(name).collect()
}

/// The ranking of a suite: by the metric that was asked for, else by time.
pub(super) fn ranking<'a>(analysis: &'a Analysis, suite: &'a Suite) -> Option<&'a Ranking> {
    let asked = analysis.rankings.iter().find(|it| it.scope.as_ref() == Some(&suite.scope));
    asked.or(suite.times.as_ref())
}

/// The file where there is one, and the runtime. Tables of few suites have their files in their titles.
fn environment(analysis: &Analysis, several: bool) -> Option<String> {
    let one_file = analysis.suites.windows(2).all(|it| it[0].scope.file == it[1].scope.file);
    let file = match analysis.suites.first() {
        Some(suite) if !several => Some(words::scope(&suite.scope)),
        Some(suite) if one_file && analysis.suites.len() > TABLES => Some(clean(&suite.scope.file)),
        _ => None,
    };
    let facts = |it: &Execution| cases::environment(&it.context, it.started.as_deref());
    let rows = analysis.executions.iter().flat_map(facts);
    let runtime = rows.into_iter().find(|(label, _)| *label == "Runtime").map(|(_, value)| value);
    let said: Vec<String> = file.into_iter().chain(runtime).collect();
    (!said.is_empty()).then(|| format!("{}.", said.join(" · ")))
}

/// A line for each case that was skipped or failed; on a screen one for all that say the same, and no more than it has
/// room for.
fn without_times(analysis: &Analysis, view: View) -> Vec<String> {
    let brief = View { statistics: Statistics::None, ..view };
    let files = cases::files(analysis, brief);
    let cases = files.iter().flat_map(|file| &file.cases);
    if view.detail == Detail::Full {
        let lines = cases.flat_map(|case| {
            let text = crate::text::hanging("  ", &case.text(), view.width);
            let line = |line: &String| crate::text::hanging("    ", line, view.width);
            text.into_iter().chain(case.rest.iter().flat_map(line)).collect::<Vec<_>>()
        });
        return lines.collect();
    }
    let mut alike: IndexMap<&str, Vec<&str>> = IndexMap::new();
    for case in cases {
        alike.entry(&case.said).or_default().push(&case.name);
    }
    let line = |(said, names): (&&str, &Vec<&str>)| {
        crate::text::hanging("  ", &format!("{}: {said}", among(names)), view.width)
    };
    let mut lines: Vec<String> = alike.iter().take(SAID).flat_map(line).collect();
    let left_out = alike.values().skip(SAID).map(Vec::len).sum();
    lines.extend(foremost::more(left_out).map(|more| format!("  {more}")));
    lines
}

/// Names of cases of which the same is said: the first, and how many more there are.
fn among(names: &[&str]) -> String {
    match names {
        [first, _, _, _, ..] => format!("{first} and {} more", names.len() - 1),
        _ => names.join(", "),
    }
}
