//! Remarks on two sides beside their tables: what their second builds say, and how they were built.

use etalon_core::dataset::{BASE, HEAD};
use etalon_core::model::Context;
use etalon_core::run_set::RunSet;
use etalon_core::tables::{Controls, Moved, Tables, Visible};
use etalon_report::figures::changed;
use etalon_report::number::counted;
use etalon_report::text::clean;

use super::sides::facts;

/// Moved controls that are named; more are counted.
const NAMED: usize = 5;

/// Remarks on the controls, on the change they would have shown, and on what no control shows.
pub(super) fn remarks(controls: &Controls, tables: &Tables) -> Vec<String> {
    let mut said = Vec::new();
    for Moved { unit, side, row, ratio } in controls.moved.iter().take(NAMED) {
        let row = match row {
            Some(row) => row.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" "),
            None => "all rows together".to_owned(),
        };
        let by = ratio.map_or(String::new(), |ratio| format!(" by {}", changed(ratio - 1.0)));
        said.push(clean(&format!(
            "Withheld: {side} differs from its own second build{by} ({unit}, {row})."
        )));
    }
    if controls.moved.len() > NAMED {
        said.push(format!("Withheld: and {} more.", controls.moved.len() - NAMED));
    }
    if controls.moved.is_empty() {
        let lead = tables.tables.first().map(|table| table.unit.as_str());
        let visible = controls.visible.iter().find(|it| Some(it.unit.as_str()) == lead);
        let visible = visible.map_or(String::new(), |Visible { unit, row: smallest, whole }| {
            let row = changed(*smallest);
            // Serial dependence may make it the larger one.
            let whole = whole.filter(|whole| whole < smallest);
            let by = whole.map_or(row.clone(), |whole| {
                format!("{} in all rows, or by {row} in one,", changed(whole))
            });
            format!("; a change of {unit} by {by} would have been seen")
        });
        said.push(format!(
            "Controls: each side agrees with its own second build ({}{visible}).",
            counted(controls.compared, "comparison", "comparisons")
        ));
    }
    said.push("A value is the mean of a side's builds in a block. What follows both, such as where the compiler puts its code, is part of what is compared.".to_owned());
    said
}

/// Remarks on the files that the sides have read, where that bears on what is compared.
pub(super) fn read(set: &RunSet) -> Vec<String> {
    // Where it was found out after the record was begun, it stands in notes.
    let noted = |key: &str| set.notes.iter().find(|note| note.about == key).map(|note| &note.text);
    let fact = |key: &str| set.context.get(key).or_else(|| noted(key)).map(|text| clean(text));
    let mut said = Vec::new();
    if let Some(why) = fact(facts::UNTRACED) {
        said.push(format!("Could not look at which files are read: {why}."));
    }
    if fact(facts::IDENTICAL).is_some() {
        said.push("Both sides execute the same bytes.".to_owned());
    } else {
        said.extend(opened(fact(facts::READ).as_deref(), fact(facts::SEEN).as_deref()));
    }
    if let Some(asked) = fact(facts::ASKED) {
        said.push(format!("What others read that are asked ({asked}) was not looked at."));
    }
    said
}

/// That nothing of what was opened differs, where that is so; and what was only seen.
fn opened(read: Option<&str>, seen: Option<&str>) -> Option<String> {
    let differs = |fact: &str| !fact.ends_with(" 0 differ");
    let opened = match read {
        Some(read) if differs(read) => return None,
        Some(_) => "No file of the sides that was opened differs between them",
        None => "No file of the sides was opened",
    };
    let listed = "what was listed or asked about";
    Some(match seen.map(|seen| (differs(seen), seen.rsplit_once(": "))) {
        Some((true, Some((_, named)))) => format!("{opened}; {listed} differs: {named}."),
        Some((false, _)) => format!("{opened}; {listed} is the same on both."),
        _ if read.is_none() => return None,
        _ => format!("{opened}; names, links and rights of files may."),
    })
}

/// How sides were made.
pub(super) fn builds(context: &Context) -> Vec<String> {
    let fact = |key: &str| context.get(key).map(|text| clean(text));
    let Some((base, head)) = fact(facts::BASE_ASKED).zip(fact(facts::HEAD_ASKED)) else {
        return Vec::new();
    };
    let short = |key: &str| {
        let revision = fact(key).map(|text| text.chars().take(10).collect::<String>());
        revision.map_or(String::new(), |text| format!(" ({text})"))
    };
    let built = fact(facts::BUILD_COMMAND).map_or(String::new(), |command| {
        let seconds = fact(facts::BUILD_SECONDS);
        let seconds = seconds.map_or(String::new(), |seconds| match seconds.as_str() {
            "0.0" => " in less than 0.1 s".to_owned(),
            seconds => format!(" in {seconds} s"),
        });
        format!("; built with `{command}`{seconds}")
    });
    let ages = [(BASE, facts::BASE_AGE), (HEAD, facts::HEAD_AGE)];
    let ages = ages.map(|(side, key)| fact(key).and_then(|age| aged(side, &age)));
    let mut said = vec![format!(
        "Sides: {base}{} and {head}{}{built}{}.",
        short(facts::BASE_REVISION),
        short(facts::HEAD_REVISION),
        ages.into_iter().flatten().collect::<String>()
    )];
    if fact(facts::BUILDS).as_deref() == Some("1") {
        said.push(
            "Each side was built once: a difference that building alone makes is not seen."
                .to_owned(),
        );
    }
    said
}

/// `; base: built 3 hours earlier`, of builds that were kept: `10800 s, 2 of 2`.
fn aged(side: &str, age: &str) -> Option<String> {
    let (seconds, which) = age.split_once(" s, ")?;
    let time = rough(seconds.parse().ok()?);
    let (earlier, all) = which.split_once(" of ")?;
    let some = if earlier == all { String::new() } else { format!(" ({earlier} of {all} builds)") };
    Some(format!("; {side}: built {time} earlier{some}"))
}

/// A time in the largest unit of which there are two.
fn rough(seconds: u64) -> String {
    let units = [(86_400, "days"), (3_600, "hours"), (60, "minutes"), (2, "seconds")];
    match units.into_iter().find(|(size, _)| seconds >= 2 * size) {
        Some((2, unit)) => format!("{seconds} {unit}"),
        Some((size, unit)) => format!("{} {unit}", seconds / size),
        None => "a moment".to_owned(),
    }
}
