//! Wall clock that is blind on a busy machine, and CPU time that is not: what the first line says; and what a counter that
//! moved between two builds decides about.
//!
//! Records are made by hand. Would catch an answer that stays with the wall clock, one that blames the machine although
//! nothing waited, CPU time that answers where it knows no better, and page faults that withhold times.

use serde_json::{Value, json};

use crate::support::{Lab, has, joined};

const BLOCKS: u64 = 24;

/// SplitMix64, as a share of 1.
#[allow(clippy::cast_precision_loss)] // 53 bits
fn share(seed: u64) -> f64 {
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// What a made record says.
#[derive(Clone, Copy)]
struct Made {
    /// Commands, each on two sides and built twice; or one beside the other without sides.
    names: &'static [&'static str],
    is_of_sides: bool,
    /// How much longer the second side, or command, takes.
    slower: f64,
    /// By how much wall clocks scatter, and CPU times.
    scatter: (f64, f64),
    /// The share of wall clock for which executions waited.
    waited: f64,
    /// More page faults in the second build of the head.
    faults: f64,
}

const USUAL: Made = Made {
    names: &["work"],
    is_of_sides: true,
    slower: 0.05,
    scatter: (0.8, 0.002),
    waited: 0.4,
    faults: 0.0,
};

fn record(of: Made) -> String {
    let metric = |name: &str, unit: &str| json!({"type": "metric", "name": name, "unit": unit, "direction": "lower", "kind": "noisy"});
    let mut header =
        json!({"type": "header", "format": "etalon", "version": 1, "id": "by-hand", "context": {}});
    let mut benchmarks: Vec<(bool, f64, Value)> = Vec::new();
    for (at, name) in of.names.iter().enumerate() {
        let benchmark = |params: Value| json!({"type": "benchmark", "name": name, "command": name, "params": params});
        if !of.is_of_sides {
            benchmarks.push((at > 0, 0.0, benchmark(json!({}))));
            continue;
        }
        for side in ["base", "head"] {
            for build in ["1", "2"] {
                let more = if (side, build) == ("head", "2") { of.faults } else { 0.0 };
                let params = json!({"side": side, "build": build});
                benchmarks.push((side == "head", more, benchmark(params)));
            }
        }
    }
    if of.is_of_sides {
        header["sides"] = json!({"key": "/side", "base": "base", "head": "head"});
    }
    let mut lines = vec![header];
    lines.extend(
        [("wall", "ns"), ("cpu", "ns"), ("cpu_wait", "ns"), ("minflt", "count")]
            .map(|(name, unit)| metric(name, unit)),
    );
    lines.extend(benchmarks.iter().map(|(.., line)| line.clone()));
    let mut seed = 17;
    for block in 0..BLOCKS {
        for (at, (is_slower, faults, _)) in benchmarks.iter().enumerate() {
            let time = if *is_slower { 1.0 + of.slower } else { 1.0 };
            let mut scattered = |by: f64| {
                seed += 1;
                (1e7 * time * (1.0 + by * share(seed))).round()
            };
            let (wall, cpu) = (scattered(of.scatter.0), scattered(of.scatter.1));
            lines.push(json!({"type": "observation", "benchmark": at, "block": block, "values": {
                "wall": wall, "cpu": cpu, "cpu_wait": (of.waited * wall).round(), "minflt": 58.0 + faults}}));
        }
    }
    lines.push(json!({"type": "end", "stopped_by": "runs", "at": "2026-01-08T12:01:00Z"}));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The report of a made record, and its document.
fn reported(of: Made) -> (String, Value) {
    let lab = Lab::new();
    lab.write("r.jsonl", record(of));
    (lab.done(["report", "r.jsonl"]), lab.json(["report", "r.jsonl", "--json"]))
}

/// The answer without white space: the first line, with the one it may be wrapped to.
fn first(shown: &str) -> String {
    shown.lines().take(2).map(joined).collect()
}

#[test]
fn the_first_line_of_two_sides_is_cpu_times() {
    let (shown, document) = reported(USUAL);
    let first = first(&shown);
    let answer = joined("slower by 5.0 % (CPU time); wall clock unclear: the machine was busy");
    has(&first, &["base→head", &answer]);
    assert!(!first.contains("time:1unclear"), "{first}");
    has(&joined(document["headline"].as_str().unwrap()), &[&answer]);
    let waited = "96 of 96 executions waited for a CPU for more than 10 % of their time";
    has(&joined(&shown), &[&joined(waited)]);
    // Nobody waited, and something else scatters.
    let (shown, _) = reported(Made { waited: 0.0, ..USUAL });
    has(&self::first(&shown), &[&joined("slower by 5.0 % (CPU time); wall clock unclear")]);
    assert!(!shown.contains("busy") && !shown.contains("waited"), "{shown}");
    // Wall clock knows it itself, or CPU time knows no more.
    for scatter in [(0.002, 0.002), (0.8, 0.8)] {
        let (shown, _) = reported(Made { scatter, ..USUAL });
        assert!(!self::first(&shown).contains("(CPUtime)"), "{shown}");
    }
    let (shown, _) = reported(Made { slower: 0.0, ..USUAL });
    has(&self::first(&shown), &[&joined("same within 1 % (CPU time); wall clock unclear")]);
}

#[test]
fn of_several_rows_those_that_cpu_time_settles_are_counted() {
    let (shown, _) = reported(Made { names: &["one", "two"], ..USUAL });
    has(&first(&shown), &[&joined("time: 2 unclear (by CPU time 2 slower: the machine was busy)")]);
}

#[test]
fn the_first_line_of_a_ranking_is_cpu_times() {
    let of = Made { names: &["one", "two"], is_of_sides: false, ..USUAL };
    let (shown, document) = reported(of);
    let answer = "slower than one by 5.0 % (CPU time); wall clock unclear: the machine was busy.";
    let turned = "faster than two by 4.8 % (CPU time); wall clock unclear: the machine was busy.";
    assert!([answer, turned].iter().any(|it| first(&shown).contains(&joined(it))), "{shown}");
    has(
        &joined(document["headline"].as_str().unwrap()),
        &[&joined("(CPU time); wall clock unclear")],
    );
    let (shown, _) = reported(Made { scatter: (0.002, 0.002), ..of });
    assert!(!first(&shown).contains("(CPUtime)"), "{shown}");
}

/// Would catch a number of blocks in the document that the screen does not tell, because nobody can plan with it.
#[test]
fn the_document_has_the_number_of_blocks_that_the_screen_tells() {
    let told = |slower: f64| {
        let of = Made { names: &["one", "two"], is_of_sides: false, scatter: (0.1, 0.1), ..USUAL };
        let (shown, document) = reported(Made { slower, ..of });
        let comparison = &document["comparisons"][0];
        let is_told = joined(&shown).contains("moreblockswouldsettleit");
        for key in ["more_blocks", "more_blocks_between"] {
            assert_eq!(
                comparison[key].is_null(),
                !is_told,
                "{slower} {key}: {comparison}\n{shown}"
            );
        }
        (comparison["verdict"] == "unclear").then_some(is_told)
    };
    let told: Vec<bool> = (0..7).filter_map(|at| told(0.002 * f64::from(at))).collect();
    assert!(told.contains(&true) && told.contains(&false), "{told:?}");
}

/// Would catch a list that calls unclear what the report of the run has settled.
#[test]
fn the_list_of_runs_says_what_cpu_time_settles() {
    let listed = |of: Made| {
        let lab = Lab::new();
        let runs = lab.home().join("runs");
        std::fs::create_dir_all(&runs).unwrap();
        let id = "20260108T120000.000000Z-bcdfghjk";
        std::fs::write(runs.join(format!("{id}.jsonl")), record(of).replace("by-hand", id))
            .unwrap();
        joined(&lab.done(["runs", "show", "@last"]))
            + &joined(&lab.json(["runs", "--json"]).to_string())
    };
    let of = Made { names: &["one", "two"], is_of_sides: false, ..USUAL };
    let settled = "slower by 5.0 % (CPU time); wall clock unclear: the machine was busy";
    has(&listed(of), &[&joined(settled), "two"]);
    let same = "same within 1 % (CPU time); wall clock unclear";
    has(&listed(Made { slower: 0.0, ..of }), &[&joined(same)]);
    assert!(!listed(Made { scatter: (0.002, 0.002), ..of }).contains("(CPUtime)"));
}

/// Three page faults in one build. Would catch verdicts about time that are withheld for them, a document that does not
/// say which control moved, and faults that keep theirs.
#[test]
fn page_faults_of_one_build_withhold_page_faults_only() {
    let of = Made { faults: 3.0, scatter: (0.002, 0.002), waited: 0.0, ..USUAL };
    let (shown, document) = reported(of);
    has(&first(&shown), &["1slower"]);
    has(
        &joined(&shown),
        &[
            &joined("Withheld: head differs from its own second build by 5.2 % (minflt"),
            &joined("Controls: elsewhere each side agrees with its own second build"),
        ],
    );
    let controls = document["controls"].as_array().unwrap();
    let of = |unit: &str| {
        controls.iter().find(|it| it["unit"].as_str().unwrap().starts_with(unit)).unwrap()
    };
    assert_eq!((&of("minflt")["moved"], &of("minflt")["compared"]), (&json!(1), &json!(2)));
    assert_eq!((&of("sec")["moved"], &of("sec")["compared"]), (&json!(0), &json!(2)));
    assert!(of("sec")["visible_in_a_row"].as_f64().unwrap() < 0.01, "{document}");
    let verdict = |unit: &str| {
        let comparisons = document["comparisons"].as_array().unwrap();
        let of = comparisons.iter().find(|it| it["metric"].as_str().unwrap().starts_with(unit));
        of.unwrap()["verdict"].clone()
    };
    assert_eq!([verdict("sec"), verdict("minflt")], ["slower", "unclear"]);
}

/// What one metric says is asked for. Would catch a name that is not known, or known by its unit only.
#[test]
fn a_metric_can_be_asked_for() {
    let lab = Lab::new();
    lab.write("r.jsonl", record(USUAL));
    let shown = lab.done(["compare", "r.jsonl", "--metric", "cpu"]);
    has(&first(&shown), &["CPU:1slower"]);
    assert!(!shown.contains("minflt") && !shown.contains("wall clock"), "{shown}");
    has(&lab.done(["compare", "r.jsonl", "--metric", "wall", "--full"]), &["sec"]);
    let ended = lab.run(["compare", "r.jsonl", "--metric", "nosuch"]).expect(2);
    has(&ended.stderr, &["--metric nosuch", "units in the data"]);
}
