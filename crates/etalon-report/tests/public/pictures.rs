//! Goldens of the pictures of a page, and what they are for who does not see them.

use etalon_core::analysis::{Analysis, analyse};
use etalon_core::dataset::Dataset;
use etalon_core::metrics;
use etalon_core::plan::{Order, Settings};
use etalon_core::plots;
use etalon_report::html::{Observations, page};
use etalon_report::svg::{Drawn, Still, standing_alone, stills};

use crate::columns::{RunSet, data};
use crate::golden::{cost, run_set, three};

fn analysed(data: &Dataset) -> Analysis {
    let settings = Settings { metric: metrics::CPU.to_owned(), ..Settings::default() };
    let mut analysis = analyse(data, &settings).unwrap();
    analysis.explain(data);
    analysis
}

fn pictures(set: RunSet) -> Vec<Still> {
    let data = data(&[set]);
    let analysis = analysed(&data);
    let (groups, growing) = (plots::of_analysis(&analysis, &data), plots::growing(&analysis));
    stills(&analysis, Drawn { groups: &groups, growing: &growing })
}

fn named<'a>(stills: &'a [Still], name: &str) -> &'a Still {
    let names: Vec<&str> = stills.iter().map(|it| it.name.as_str()).collect();
    stills.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("{name} of {names:?}"))
}

/// What is drawn with what is said, as lines.
fn golden(still: &Still) -> String {
    format!("{}\n{}\n{}\n", still.caption, still.said.join("\n"), still.markup())
}

/// Would catch any change of a picture that nobody meant.
#[test]
fn of_commands() {
    let stills = pictures(three());
    for name in ["spread", "cumulative", "over-time", "differences", "quantiles"] {
        insta::assert_snapshot!(format!("picture_{name}"), golden(named(&stills, name)));
    }
}

/// Would catch curves that fall apart, and a power of something else.
#[test]
fn over_a_parameter() {
    let costs =
        [cost("sort 10", 1e-3, 2e6), cost("sort 100", 11e-3, 2e6), cost("sort 1000", 0.13, 2e6)];
    let mut set = run_set(&costs, 12, Order::Blocks);
    for (benchmark, n) in set.benchmarks.iter_mut().zip(["10", "100", "1000"]) {
        benchmark.key.params = vec![("n".to_owned(), n.to_owned())];
    }
    let stills = pictures(set);
    let growth = named(&stills, "growth");
    assert!(growth.said[0].starts_with("sort {n}: grows by n^1.06"), "{:?}", growth.said);
    insta::assert_snapshot!("picture_growth", golden(growth));
}

/// Would catch a page that grows with the readings, an extreme that is not drawn, and silence about what is left out.
#[test]
fn of_many_readings_some_are_drawn() {
    let stills =
        pictures(run_set(&[cost("a", 1e-3, 2e6), cost("b", 2e-3, 2e6)], 20_000, Order::Blocks));
    for still in &stills {
        assert!(still.markup().len() < 60_000, "{}: {} bytes", still.name, still.markup().len());
    }
    for name in ["over-time", "differences"] {
        let caption = &named(&stills, name).caption;
        assert!(caption.contains("of many readings the smallest and the largest"), "{caption}");
    }
}

/// Would catch a name that becomes markup, in a page or in a file of its own.
#[test]
fn names_stay_text() {
    let hostile = "</title><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";
    let costs = [cost(hostile, 1e-3, 2e6), cost("]]>x", 2e-3, 2e6)];
    let data = data(&[run_set(&costs, 12, Order::Blocks)]);
    let analysis = analysed(&data);
    let groups = plots::of_analysis(&analysis, &data);
    let drawn = Drawn { groups: &groups, growing: &[] };
    let alone: String = stills(&analysis, drawn).iter().map(standing_alone).collect();
    for markup in [page(&analysis, drawn, &Observations::default()), alone] {
        assert!(markup.contains("&lt;script&gt;alert(1)"), "it is there");
        for never in ["<script>alert", "<img", "]]>", "style=\""] {
            assert!(!markup.contains(never), "{never}");
        }
    }
}

/// Would catch pictures of what does not scatter, or of too little, that divide by nothing.
#[test]
fn little_has_pictures_too() {
    for n in [1, 2, 3, 5] {
        let stills =
            pictures(run_set(&[cost("a", 1e-3, 2e6), cost("b", 0.0, 2e6)], n, Order::Blocks));
        for still in &stills {
            let markup = still.markup();
            assert!(!markup.contains("NaN") && !markup.contains("inf"), "{n}: {markup}");
        }
    }
}
