//! Screens of many benchmarks: what says most is on the first one, whatever it is called and wherever it stands, and what
//! has no room is counted.

use etalon_core::analysis::{Analysis, analyse};
use etalon_core::model::{Benchmark, BenchmarkKey};
use etalon_core::plan::Settings;
use etalon_core::tables::{
    About, Check, Force, Method, Query, Style, Threshold, natural, tabulate_checked,
};
use etalon_report::compare::{Remarks, terminal as compared};
use etalon_report::terminal;
use etalon_report::text::width;
use etalon_report::view::{Detail, View};

use crate::cases::{Cost, case, cost, run_set};
use crate::columns::{RunSet, data};
use crate::compare::{SCREEN, between, dataset};

/// Lines that a screen has, and columns.
const LINES: usize = 44;
const COLUMNS: usize = 80;

fn analysed(set: RunSet) -> Analysis {
    let settings = Settings { metric: "wall".to_owned(), ..Settings::default() };
    analyse(&data(&[set]), &settings).unwrap()
}

fn written(analysis: &Analysis, view: View) -> String {
    let mut out = Vec::new();
    terminal::write(analysis, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// One screen; a table in it, and an answer before it.
#[track_caller]
fn is_one_screen(screen: &str) {
    assert!(screen.lines().count() <= LINES, "{} lines\n{screen}", screen.lines().count());
    assert!(screen.lines().all(|line| width(line) <= COLUMNS), "{screen}");
}

/// Cases of groups: the first of each is the baseline, the third the slowest of all groups the later it comes.
fn groups(groups: usize, cases: usize) -> RunSet {
    let names: Vec<String> = (1..=cases).map(|at| format!("way {at}")).collect();
    let places: Vec<String> = (1..=groups).map(|at| format!("group {at}")).collect();
    let all: Vec<(&str, etalon_core::model::Case, Cost)> = places
        .iter()
        .enumerate()
        .flat_map(|(group, place)| {
            names.iter().enumerate().map(move |(at, name)| {
                let by = [1.0, 0.8, 1.5 + group as f64 / 10.0][at % 3] + 0.01 * at as f64;
                (name.as_str(), case("many_bench.lua", Some(place)), cost(2e-6 * by, 64.0))
            })
        })
        .collect();
    run_set(&all, 12)
}

/// Would catch a screen without a table, one that goes on for pages, and cases by name where others differ more.
#[test]
fn groups_of_cases_have_one_screen() {
    for (count, cases) in [(1, 36), (1, 40), (3, 11), (13, 3), (2, 18)] {
        let analysis = analysed(groups(count, cases));
        let screen = written(&analysis, View::SCREEN);
        is_one_screen(&screen);
        let all = count * cases;
        assert!(screen.contains("more: --full"), "{all} cases\n{screen}");
        insta::assert_snapshot!(format!("groups_{count}_of_{cases}"), screen);
        let full = written(&analysis, View { detail: Detail::Full, ..View::SCREEN });
        assert!(!full.contains("more: --full"), "{full}");
        let rows = full.lines().filter(|line| line.starts_with("  way ")).count();
        assert!(rows >= all, "{rows} of {all}\n{full}");
    }
}

/// Would catch the group that differs most behind the fold because of its name.
#[test]
fn the_case_that_differs_most_is_on_the_screen() {
    let analysis = analysed(groups(13, 3));
    let screen = written(&analysis, View::SCREEN);
    let row = screen.lines().position(|line| line.starts_with("  way 3, group 13"));
    let first = screen.lines().position(|line| line.starts_with("  way "));
    assert!(row.is_some() && row == first, "{screen}");
}

/// Fourteen jobs, each done in six ways.
#[test]
fn jobs_have_one_screen() {
    let jobs: Vec<String> = (1..=14).map(|at| format!("job-{at}")).collect();
    let ways = ["plain", "table.concat, ..", "buffer", "ffi", "rope", "native"];
    let mut set = {
        let all: Vec<_> = jobs
            .iter()
            .enumerate()
            .flat_map(|(job, _)| {
                ways.iter().enumerate().map(move |(at, way)| {
                    let by = [1.0, 1.4, 0.6, 0.9, 2.0 + job as f64, 1.01][at];
                    (*way, case("jobs_bench.lua", None), cost(1e-6 * by, 64.0))
                })
            })
            .collect();
        run_set(&all, 12)
    };
    for (at, benchmark) in set.benchmarks.iter_mut().enumerate() {
        let params = vec![("job".to_owned(), jobs[at / ways.len()].clone())];
        let name = benchmark.key.name.clone();
        *benchmark = Benchmark { key: BenchmarkKey { name, params }, ..benchmark.clone() };
    }
    let screen = written(&analysed(set), View::SCREEN);
    is_one_screen(&screen);
    let screen_words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in ["buffer: 14 faster; ", "\"table.concat, ..\": 14 slower"] {
        assert!(screen_words.contains(said), "{screen}");
    }
    assert!(screen.contains("and 46 more: --full"), "{screen}");
    insta::assert_snapshot!("jobs", screen);
}

/// A Go file of so many packages with three benchmarks each; in `slower` some take longer by so much.
fn packages(count: usize, slower: &[(usize, f64)]) -> String {
    let mut text = "goos: linux\ngoarch: amd64\ncpu: Example 9000\n".to_owned();
    for package in 0..count {
        text.push_str(&format!("pkg: example.org/lode/internal/p{package:02}\n"));
        for name in ["Encode", "Decode", "Walk"] {
            let by = slower.iter().find(|(at, _)| *at == package && name == "Walk");
            let by = by.map_or(1.0, |(_, by)| *by);
            for i in 0..12_u32 {
                let wobble = 1.0 + f64::from(i * 7 % 12) / 600.0 - 0.01;
                text.push_str(&format!(
                    "Benchmark{name}-8\t1000\t{:.1} ns/op\t64 B/op\t2 allocs/op\n",
                    5000.0 * by * wobble
                ));
            }
        }
    }
    text
}

fn of_packages(slower: &[(usize, f64)]) -> String {
    of_so_many(30, slower)
}

fn of_so_many(all: usize, slower: &[(usize, f64)]) -> String {
    let data = dataset(&[("old.txt", packages(all, &[])), ("new.txt", packages(all, slower))]);
    let tables = between(&data, &natural(&data), Some(0.0));
    compared(tables, SCREEN, Remarks::default(), View::SCREEN).join("\n")
}

/// Would catch the one row that matters on no screen, because its package comes late.
#[test]
fn the_only_slower_row_of_thirty_packages_is_on_the_screen() {
    let screen = of_packages(&[(28, 1.2)]);
    is_one_screen(&screen);
    assert!(screen.contains("Walk-8") && screen.contains("slower"), "{screen}");
    insta::assert_snapshot!("packages_one_slower", screen);
    // Of many the largest changes, in one table that says where they are from.
    let slower: Vec<(usize, f64)> = (0..30).map(|at| (at, 1.1 + at as f64 / 100.0)).collect();
    let screen = of_packages(&slower);
    is_one_screen(&screen);
    let rows: Vec<&str> = screen.lines().filter(|line| line.contains("Walk-8")).collect();
    assert!(rows[0].trim_start().starts_with("p29 Walk-8"), "{screen}");
    assert!(screen.contains("and 6 more: --full"), "{screen}");
    insta::assert_snapshot!("packages_all_slower", screen);
}

/// Would catch a screen of thirty small families that reads as if all were one: 1.5 of equal rows are called different.
#[test]
fn what_is_called_by_chance_is_said() {
    let words = |screen: String| screen.split_whitespace().collect::<Vec<_>>().join(" ");
    let screen = words(of_packages(&[(28, 1.2)]));
    let why = "each of 30 tables is corrected by itself, so that some rows differ by chance";
    for said in ["(up to about 1 by chance)", why] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    let all = words(of_packages(&(0..9).map(|at| (at, 1.2)).collect::<Vec<_>>()));
    assert!(all.contains("9 slower, 81 same (up to about 2 by chance)"), "{all}");
    // Nothing is called different, or few tables are there.
    for screen in [words(of_packages(&[])), words(of_so_many(9, &[(3, 1.2)]))] {
        assert!(!screen.contains("by chance"), "{screen}");
    }
}

/// Would catch reasons of one kind that are said of each row, because figures in them differ.
#[test]
fn reasons_of_a_kind_are_counted_together() {
    let mut random = etalon_core::random::Random::new(3);
    let mut text = || {
        let mut text = "pkg: example.org/lode\n".to_owned();
        for at in 0..60 {
            for _ in 0..10 {
                let wobble = (random.uniform() + random.uniform() + random.uniform()) / 70.0;
                text.push_str(&format!(
                    "BenchmarkB{at}-8\t1\t{:.1} ns/op\n",
                    5000.0 * (1.0 + wobble)
                ));
            }
        }
        text
    };
    let data = dataset(&[("old.txt", text()), ("new.txt", text())]);
    let tables = between(&data, &natural(&data), Some(0.0));
    let screen = compared(tables, SCREEN, Remarks::default(), View::SCREEN).join(" ");
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    let reason = "inside the margin, but p of sameness is too large after the correction (";
    assert_eq!(
        (words.matches(reason).count(), words.matches("p of sameness").count()),
        (1, 1),
        "{screen}"
    );
    assert!(!words.contains("after the correction (1 row)"), "{screen}");
}

/// Would catch a row that fails a check behind rows that are only better.
#[test]
fn what_fails_a_check_stands_first() {
    let slower: Vec<(usize, f64)> =
        (0..30).map(|at| (at, if at == 17 { 1.08 } else { 0.5 })).collect();
    let data = dataset(&[("old.txt", packages(30, &[])), ("new.txt", packages(30, &slower))]);
    let method = Method::new(Style::Etalon);
    let (about, force, condition) = (About::default(), Force::Holds, String::new());
    let threshold = Threshold { about, share: None, force, condition };
    let check = Check { level: 0.9, thresholds: vec![threshold] };
    let query = Query::new(natural(&data));
    let criteria = etalon_core::criteria::Criteria { between: Some(0.0), ..method.criteria };
    let method = Method { criteria, ..method };
    let tables = tabulate_checked(&data, query, &method, Some(&check));
    let screen = compared(tables, SCREEN, Remarks::default(), View::SCREEN).join("\n");
    is_one_screen(&screen);
    let first = screen.lines().find(|line| line.contains("Walk-8")).unwrap();
    assert!(first.contains("p17") && first.contains("slower"), "{screen}");
}
