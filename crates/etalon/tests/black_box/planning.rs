//! `--plan`: pilots of real commands and functions, what is refused beside it, and the record that stays.

use serde_json::Value;

use crate::suites::two_speeds;
use crate::support::{Lab, has, ids, joined};

/// Whether a text has sentences, however its lines are broken.
fn says(text: &str, sentences: &[&str]) {
    let sentences: Vec<String> = sentences.iter().map(|sentence| joined(sentence)).collect();
    has(&joined(text), &sentences.iter().map(String::as_str).collect::<Vec<_>>());
}

fn differences(planned: &Value) -> Vec<u64> {
    let rows = planned["plan"]["differences"].as_array().expect("a list");
    rows.iter().map(|row| row["each"]["blocks"].as_u64().expect("a number")).collect()
}

/// Would catch a plan without what it takes, one that asks for more blocks for larger differences, and a pilot that is
/// not kept.
#[test]
fn two_commands() {
    let lab = Lab::new();
    let shown = lab.run(["cmd", "--plan", "sleep 0.002", "sleep 0.003"]).expect(0);
    says(&shown.stdout, &["To call a difference of 2 % takes ", " blocks here, about "]);
    // A machine that is busy for the length of the pilot may order the two the other way round.
    says(&shown.stdout, &["The pilot: 10 blocks in ", " against sleep 0.00", " scatters by "]);
    says(&shown.stdout, &["power 80 % at alpha 0.05, by wall"]);
    assert!(shown.stdout.starts_with("To call"), "{}", shown.stdout);
    assert!(shown.stdout.lines().count() <= 24, "{}", shown.stdout);
    has(&shown.stderr, &["the pilot is saved; `etalon report @last` shows it"]);
    assert_eq!(ids(&lab).len(), 1);
    has(&lab.done(["report", "@last"]), &["sleep 0.003"]);

    let planned = lab.json(["cmd", "--plan", "-r", "6", "--json", "sleep 0.002", "sleep 0.003"]);
    assert_eq!(planned["plan"]["pilot"]["blocks"], 6);
    assert_eq!(planned["plan"]["subjects"].as_array().map(Vec::len), Some(2));
    let blocks = differences(&planned);
    assert!(blocks.windows(2).all(|pair| pair[0] >= pair[1]), "{blocks:?}");
    let command = planned["plan"]["differences"][0]["each"]["command"].as_str().expect("a line");
    assert_eq!(command, format!("etalon cmd -r {} 'sleep 0.002' 'sleep 0.003'", blocks[0]));
    assert_eq!(planned["plan"]["precision"], Value::Null);
}

/// Would catch a plan for one comparison of several, and a margin that is forgotten.
#[test]
fn several_commands() {
    let lab = Lab::new();
    let asked = ["cmd", "--plan", "--json", "--margin", "3%", "true", "sleep 0.001", "sleep 0.002"];
    let planned = lab.json(asked);
    assert_eq!(planned["plan"]["comparisons"], 3);
    assert_eq!(planned["plan"]["strictest"].as_f64(), Some(0.05 / 3.0));
    let rows = planned["plan"]["differences"].as_array().expect("a list");
    let why: Vec<&Value> = rows.iter().map(|row| &row["each"]["why"]).collect();
    assert_eq!(
        why,
        ["within_margin", "within_margin", ""]
            .map(|why| match why {
                "" => Value::Null,
                why => Value::from(why),
            })
            .iter()
            .collect::<Vec<_>>()
    );
    let [half, each] = ["half", "each"].map(|of| rows[2][of]["blocks"].as_u64());
    assert!(half <= each && half.is_some(), "{half:?} {each:?}");
}

#[test]
fn one_command() {
    let lab = Lab::new();
    let text = lab.done(["cmd", "--plan", "sleep 0.002"]);
    says(&text, &["To know the median of sleep 0.002 to ± 2 % takes about "]);
    says(&text, &["from another that scatters alike, side by side,", "etalon cmd -r "]);
    let planned = lab.json(["cmd", "--plan", "--json", "sleep 0.002"]);
    assert_eq!(planned["plan"]["precision"]["targets"].as_array().map(Vec::len), Some(3));
    assert_eq!(planned["plan"]["differences"].as_array().map(Vec::len), Some(3));
}

#[test]
fn functions() {
    let lab = Lab::new();
    two_speeds(&lab, "speed_bench.lua");
    let asked = ["run", "speed_bench.lua", "--plan", "-r", "6", "--budget", "120ms", "--json"];
    let planned = lab.json(asked);
    assert_eq!(
        (&planned["plan"]["pilot"]["blocks"], &planned["plan"]["comparisons"]),
        (&6.into(), &1.into())
    );
    let command = planned["plan"]["differences"][2]["each"]["command"].as_str().expect("a line");
    has(command, &["etalon run -r ", " speed_bench.lua --budget 120ms"]);
}

/// Would catch a pilot that takes far longer than was said, and says nothing of it.
#[test]
fn a_pilot_that_takes_longer_than_was_said_is_told() {
    let lab = Lab::new();
    two_speeds(&lab, "speed_bench.lua");
    let amount = ["--plan", "-r", "5", "--budget", "60ms", "--prepare", "sleep 0.3"];
    let ended = lab.run([&["run", "speed_bench.lua"], &amount[..]].concat()).expect(0);
    says(
        &ended.stderr,
        &["2 cases, 5 blocks, about ", "5 blocks take about ", "-r N asks for fewer"],
    );
}

/// Would catch an option that is taken and ignored.
#[test]
fn what_has_no_place_beside_it_is_refused() {
    let lab = Lab::new();
    let refused = |words: &[&str], why: &[&str]| {
        let words = [&["cmd", "--plan", "true", "sleep 0"], words].concat();
        has(&lab.run(words).expect(2).stderr, why);
    };
    for (words, option) in [
        (&["--resume", "@last"][..], "--resume"),
        (&["--until", "decided"], "--until"),
        (&["--precision", "1%"], "--precision"),
        (&["--html", "page.html"], "--html"),
        (&["--full"], "--full"),
    ] {
        refused(words, &["'--plan' cannot be used with", option]);
    }
    refused(
        &["-r", "4"],
        &["--plan with -r 4: a pilot of so few blocks", "5 are the fewest, 10 the default"],
    );
    refused(&["--order", "sequential"], &["--order sequential", "choose --order blocks"]);
    refused(&["-x", "super=0.3"], &["these are not planned for"]);
    lab.write("e.toml", "");
    has(
        &lab.run(["run", "--plan", "e.toml"]).expect(2).stderr,
        &["--plan: is of commands and Lua suites"],
    );
    assert!(ids(&lab).is_empty(), "nothing was measured");
}

/// Would catch a plan from what failed.
#[test]
fn a_pilot_that_fails_plans_nothing() {
    let lab = Lab::new();
    let failed = lab.run(["cmd", "--plan", "true", "false"]).expect(2);
    has(
        &failed.stderr,
        &["`false` exited with code 1", "the pilot did not come to its end: nothing is planned"],
    );
    assert_eq!(failed.stdout, "");
}
