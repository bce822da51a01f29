//! The sections of `-G`, `-B`, `-D`, `-T` and the conditions of `-x`: goldens at 80 and 120 columns
//! from data made here, and what must hold of any data: no line beyond the width, labels that are
//! the values at their ticks, words that match the numbers beside them.

use crate::cases;
use crate::columns::{Column, RunSet, Series, data};
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::criteria::{Conditions, Criteria};
use etalon_core::metrics;
use etalon_core::model::{Benchmark, BenchmarkKey, Metric};
use etalon_core::plan::Settings;
use etalon_core::random::Random;
use etalon_report::terminal;
use etalon_report::text;
use etalon_report::view::{Explanation, Section, Statistics, View};

const ALL: [Section; 4] = [Section::Graph, Section::Boxplot, Section::Distribution, Section::Tail];

fn by_cpu() -> Settings {
    Settings { metric: metrics::CPU.to_owned(), ..Settings::default() }
}

fn view(sections: &[Section], width: usize) -> View {
    let sections = sections.iter().copied().collect();
    View { sections, width, ..View::SCREEN }
}

/// One metric, `cpu`, in a unit; a benchmark per name, without blocks.
fn run_set(unit: &str, benchmarks: &[(&str, Vec<f64>)]) -> RunSet {
    let of = |values: &Vec<f64>| {
        let rows = u32::try_from(values.len()).unwrap();
        let column = Column { rows: (0..rows).collect(), values: values.clone() };
        Series { rows, columns: vec![column], ..Series::default() }
    };
    RunSet {
        metrics: vec![Metric::new("cpu", unit)],
        benchmarks: benchmarks
            .iter()
            .map(|(name, _)| Benchmark {
                key: BenchmarkKey { name: (*name).to_owned(), params: Vec::new() },
                command: Some((*name).to_owned()),
                ..Benchmark::default()
            })
            .collect(),
        series: benchmarks.iter().map(|(_, values)| of(values)).collect(),
        ..RunSet::empty("example.csv")
    }
}

fn analysed(unit: &str, benchmarks: &[(&str, Vec<f64>)]) -> Analysis {
    analyse(&data(&[run_set(unit, benchmarks)]), &by_cpu()).unwrap()
}

fn explained(unit: &str, benchmarks: &[(&str, Vec<f64>)]) -> Analysis {
    let data = data(&[run_set(unit, benchmarks)]);
    let mut analysis = analyse(&data, &by_cpu()).unwrap();
    analysis.explain(&data);
    analysis
}

fn shown(analysis: &Analysis, view: View) -> String {
    let mut out = Vec::new();
    terminal::write(analysis, view, &mut out).unwrap();
    let report = String::from_utf8(out).unwrap();
    for line in report.lines() {
        assert!(text::width(line) <= view.width, "{} columns: {line:?}", text::width(line));
    }
    // Behind them is the ranking, whose ratios of absurd numbers are not these sections' business.
    let sections = report.split("Ranking by").next().unwrap().lines().skip(4);
    for line in sections {
        assert!(!line.contains("NaN") && !line.contains("inf"), "{line:?}");
    }
    report
}

/// Nearly normal values around `centre`, with a share of `spread`.
fn bell(seed: u64, n: usize, centre: f64, spread: f64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut z = || (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0;
    (0..n).map(|_| centre * (1.0 + spread * z())).collect()
}

/// Times with rare long ones, as commands have them.
fn times(seed: u64, n: usize, centre: f64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut stretch = || 1.0 + 0.05 / (1.0 - 0.97 * random.uniform());
    (0..n).map(|_| centre * stretch()).collect()
}

fn two() -> Analysis {
    analysed("s", &[("/bin/bash", times(3, 100, 2.4e-3)), ("ls", times(4, 100, 2.1e-3))])
}

#[test]
fn graph() {
    let mut warming: Vec<f64> = bell(1, 10, 2.5e-3, 0.05);
    warming[0] = 5e-3;
    let analysis = analysed("s", &[("/bin/bash", warming), ("ls", bell(2, 10, 2.2e-3, 0.1))]);
    insta::assert_snapshot!("graph_80", shown(&analysis, view(&[Section::Graph], 80)));
    insta::assert_snapshot!("graph_120", shown(&analysis, view(&[Section::Graph], 120)));
}

#[test]
fn boxplot() {
    insta::assert_snapshot!("boxplot_80", shown(&two(), view(&[Section::Boxplot], 80)));
    insta::assert_snapshot!("boxplot_120", shown(&two(), view(&[Section::Boxplot], 120)));
}

#[test]
fn distribution_and_tail() {
    let sections = [Section::Distribution, Section::Tail];
    insta::assert_snapshot!("distribution_80", shown(&two(), view(&sections, 80)));
    let normal = analysed("s", &[("bell", bell(5, 200, 34e-3, 0.01))]);
    insta::assert_snapshot!("distribution_normal_120", shown(&normal, view(&sections, 120)));
}

/// Would catch a cause in other words than its figures, and steady or few readings of which something is said.
#[test]
fn variation() {
    let steady = || bell(5, 40, 34e-3, 0.01);
    let step = steady().into_iter().enumerate();
    let step = step.map(|(at, value)| if at < 16 { value } else { value * 1.2 }).collect();
    let first = [vec![0.5], steady()].concat();
    let two = [bell(3, 20, 34e-3, 0.01), bell(4, 20, 45e-3, 0.01)].concat();
    let mut modes: Vec<f64> = two;
    Random::new(7).shuffle(&mut modes);
    let few = vec![1.0, 2.0, 3.0];
    let all = [
        ("a step", step),
        ("a slow first one", first),
        ("modes", modes),
        ("steady", steady()),
        ("few", few),
    ];
    let report = shown(&explained("s", &all), view(&[Section::Variation], 80));
    insta::assert_snapshot!("variation_80", report);
}

/// Would catch silence about causes that is said to rest on 200 readings, and rests on eight blocks.
#[test]
fn few_blocks_are_said_to_be_few() {
    for (blocks, said) in
        [(8, " in 8 blocks: ten blocks are needed"), (30, "nothing stands out in ")]
    {
        let case = cases::case("encode_bench.lua", None);
        let data = data(&[cases::run_set(&[("encode", case, cases::cost(1e-6, 0.0))], blocks)]);
        let settings = Settings { metric: metrics::WALL.to_owned(), ..Settings::default() };
        let mut analysis = analyse(&data, &settings).unwrap();
        analysis.explain(&data);
        let report = shown(&analysis, view(&[Section::Variation], 100));
        assert!(report.contains(said), "{report}");
    }
}

/// Would catch a note that nobody can rely on: one of a weak cause, of the weaker of two, or said twice.
#[test]
fn the_strongest_cause_is_a_note() {
    let noted = |benchmarks: &[(&str, Vec<f64>)]| {
        let data = data(&[run_set("s", benchmarks)]);
        let mut analysis = analyse(&data, &by_cpu()).unwrap();
        analysis.note_cause(&data);
        shown(&analysis, view(&[], 80))
    };
    let near = |centre, spread| bell(5, 30, centre, spread);
    let step = |by: f64| [near(0.01, 0.01), bell(6, 30, 0.01 * by, 0.01)].concat();
    let report =
        noted(&[("steady", near(0.01, 0.01)), ("weak", step(1.03)), ("strong", step(1.2))]);
    assert_eq!(report.matches("--explain-noise says more").count(), 1, "{report}");
    assert!(report.contains("strong: a step after 30 readings: from "), "{report}");
    for steady in [near(0.01, 0.01), near(0.01, 0.3), near(0.01, 0.0)] {
        let report = noted(&[("steady", steady)]);
        assert!(!report.contains("explain-noise"), "{report}");
    }
}

#[test]
fn everything_with_its_table() {
    let view = View { statistics: Statistics::Mini, ..view(&ALL, 80) };
    let few = analysed("us", &[("a", vec![120.0, 150.0, 119.0]), ("b", Vec::new())]);
    insta::assert_snapshot!("few_values", shown(&few, view));
}

#[test]
fn odd_data() {
    let sections = view(&ALL, 80);
    let mut spiky = vec![1.0; 30];
    spiky[20] = 86_400.0;
    let cases = [
        analysed("s", &[("one", vec![0.0341])]),
        analysed("s", &[("equal", vec![2e-3; 25]), ("zero", vec![0.0; 25])]),
        analysed("s", &[("ns", vec![1e-9, 2e-9, 3e-9]), ("days", spiky)]),
        analysed("count", &[("counts", vec![13.0, 13.0, 13.0, 14.0, 18.0, 572.0, 13.0, 13.0])]),
    ];
    let reports: Vec<String> = cases.iter().map(|analysis| shown(analysis, sections)).collect();
    insta::assert_snapshot!("odd_data", reports.join("\n=====\n\n"));
}

#[test]
fn foreign_units_and_names_fit() {
    let mut set = run_set(
        "allocated widgets per megaoperation\u{1b}[31m",
        &[("a\u{1b}[2J", bell(1, 120, 5e7, 0.2)), ("漢字", bell(2, 120, 6e7, 0.2))],
    );
    set.metrics[0].name = "a metric with a name so long that no title line of eighty columns can \
                           hold it without being broken somewhere\u{202e}"
        .to_owned();
    let settings = Settings { metric: set.metrics[0].name.clone(), ..by_cpu() };
    let analysis = analyse(&data(&[set]), &settings).unwrap();
    let report = shown(&analysis, view(&ALL[1..], 80));
    assert!(!report.contains('\u{1b}') && !report.contains('\u{202e}'));
    insta::assert_snapshot!("foreign_unit", report);
}

#[test]
fn nothing_tears_a_section() {
    let ends = [f64::MAX, -f64::MAX, 5e-324, 0.0, 1e300, -1e-300, 1e9, 999_999_999.999];
    let random = Random::new(9);
    for i in 0..300 {
        let mut random = random.stream(i);
        let mut sample = || {
            let n = 1 + random.below(40);
            (0..n)
                .map(|_| match random.below(8) {
                    0 => ends[random.below(8)],
                    1 => 0.0,
                    _ => random.uniform() * 10_f64.powf(20.0 * random.uniform() - 12.0),
                })
                .collect::<Vec<f64>>()
        };
        let unit = ["s", "B", "count", "pages/op"][usize::try_from(i % 4).unwrap()];
        let analysis = analysed(unit, &[("a", sample()), ("b", sample()), ("c", sample())]);
        for width in [80, 97, 120, 500] {
            shown(&analysis, view(&ALL, width));
        }
    }
}

/// Each label is the exact value at its tick: a benchmark whose extremes are two labels reaches
/// from the one's last column to the other's.
#[test]
fn labels_stand_at_their_values() {
    for (low, high) in [(2.0, 8.4), (0.0021, 0.0088), (30.9, 34.2), (1e5, 4.3e5)] {
        let plot = |values: Vec<f64>| {
            let analysis = analysed("pages/op", &[("a", values)]);
            shown(&analysis, view(&[Section::Boxplot], 80))
        };
        let axis = plot(vec![low, high]);
        let ticks = axis.lines().position(|line| line.contains("├─────────┼")).unwrap();
        let labels = axis
            .lines()
            .nth(ticks - 1)
            .unwrap()
            .trim_end()
            .trim_end_matches(" pages/op")
            .to_owned();
        // Labels end at their ticks.
        let ends: Vec<(usize, f64)> = labels
            .split_whitespace()
            .map(|label| {
                let at = labels.find(&format!(" {label}")).map_or(0, |at| at + 1);
                (at + label.len() - 1, label.parse().unwrap())
            })
            .collect();
        let (first, last) = (ends[0], *ends.last().unwrap());
        let again = plot(vec![first.1, last.1]);
        assert!(again.contains(&labels), "{labels}\n{again}");
        let row = again.lines().find(|line| line.contains("1:")).unwrap();
        let columns: Vec<char> = row.chars().collect();
        assert_eq!(columns[first.0], '├', "{again}");
        assert_eq!((columns.len() - 1, columns[last.0]), (last.0, '┤'), "{again}");
    }
}

/// The fault this is here for: kurtosis in the skew's words.
#[test]
fn words_match_the_values_beside_them() {
    let symmetric_thin: Vec<f64> = (0..400).map(|i| 1.0 + f64::from(i % 2) * 0.1).collect();
    let skewed_thin: Vec<f64> =
        (0..3000).map(|i| 2.0 - (1.0 - f64::from(i) / 3000.0).sqrt()).collect();
    let fat = {
        let mut values = bell(3, 400, 1.0, 0.01);
        for i in 0..4 {
            values[i * 2] = 1.3;
            values[i * 2 + 1] = 0.7;
        }
        values
    };
    let report = |values| {
        let analysis = analysed("s", &[("x", values)]);
        shown(&analysis, view(&[Section::Distribution], 80))
    };
    // Cells of a row are two columns apart.
    let cells = |report: &str| -> Vec<String> {
        let row = report.lines().find(|line| line.starts_with("  x  ")).unwrap();
        row.split("  ").filter(|cell| !cell.is_empty()).map(|cell| cell.trim().to_owned()).collect()
    };
    let thin = cells(&report(symmetric_thin));
    assert_eq!(thin[4..], ["0.00", "-2.01 thin"]);
    let skewed = cells(&report(skewed_thin));
    assert_eq!(skewed[4..], ["0.56 right", "-0.60 thin"]);
    let fat = cells(&report(fat));
    assert!(fat[5].ends_with(" fat") && fat[3] == "no, p < 0.001", "{fat:?}");
    let normal = cells(&report(bell(5, 200, 1.0, 0.01)));
    assert!(normal[3].starts_with("p 0."), "{normal:?}");
}

/// An extreme statistic must not read as normal, at any size.
#[test]
fn far_from_normal_is_never_called_normal() {
    for n in [8, 20, 1000, 200_000] {
        let mut values = vec![1.0; n];
        values[n / 2] = 1e6;
        let analysis = analysed("s", &[("spike", values)]);
        let report = shown(&analysis, view(&[Section::Distribution], 80));
        assert!(report.contains("no, p < 0.001"), "{report}");
    }
}

#[test]
fn percentiles_need_their_numbers() {
    let tail = |n| {
        let analysis = analysed("widgets", &[("x", bell(1, n, 1.0, 0.1))]);
        let report = shown(&analysis, view(&[Section::Tail], 80));
        let row = report.lines().find(|line| line.starts_with("  x  ")).unwrap().to_owned();
        row.split_whitespace().filter(|word| *word == "-").count()
    };
    assert_eq!([tail(19), tail(20), tail(99), tail(100)], [2, 1, 1, 0]);
}

#[test]
fn many_executions_share_bars_and_no_spike_is_lost() {
    let mut values = bell(1, 1234, 2e-3, 0.05);
    values[777] = 8e-3;
    let analysis = analysed("s", &[("long", values)]);
    let report = shown(&analysis, view(&[Section::Graph], 80));
    let bars: Vec<&str> = report.lines().filter(|line| line.starts_with('│')).collect();
    assert_eq!(bars.len(), 100);
    assert_eq!(bars.iter().filter(|bar| text::width(bar) == 80).count(), 1, "the spike");
    assert!(report.contains("1234 executions in time order, 100 bars"), "{report}");
    let analysis = analysed("s", &[("long", bell(1, 1000, 2e-3, 0.05))]);
    let report = shown(&analysis, view(&[Section::Graph], 80));
    assert_eq!(report.lines().filter(|line| line.starts_with('│')).count(), 1000);
}

#[test]
fn conditions_are_listed_and_open_a_verdict() {
    let set = || run_set("s", &[("a", bell(1, 60, 2e-3, 0.05)), ("b", bell(2, 60, 2.2e-3, 0.05))]);
    let conditions = Conditions { epsilon: Some(250e-6), superiority: Some(0.01) };
    let settings = Settings {
        criteria: Criteria { conditions, between: Some(0.0), ..Criteria::default() },
        ..by_cpu()
    };
    let analysis = analyse(&data(&[set()]), &settings).unwrap();
    let view = View { explanation: Explanation::Full, ..view(&[], 80) };
    insta::assert_snapshot!("conditions", shown(&analysis, view));
}
