//! Who is best in a row, against readings whose answer is known.

use etalon_core::model::{Accept, Benchmark, BenchmarkKey};
use etalon_core::random::Random;
use etalon_core::tables::{Method, Query, QuerySpec, Ranks, Style, tabulate};

use crate::support::{Layout, cpu, data, normal, run_set};

/// The ranks of the only row of these columns, each with readings in blocks.
fn ranks(columns: &[Vec<f64>]) -> Ranks {
    let mut set = run_set(cpu(1e-9), columns, Layout::Blocks);
    set.benchmarks = (0..columns.len())
        .map(|column| Benchmark {
            key: BenchmarkKey {
                name: "b".to_owned(),
                params: vec![("impl".to_owned(), format!("i{column}"))],
            },
            command: None,
            shell: None,
            hash: None,
            accept: Accept::Zero,
            case: None,
        })
        .collect();
    let data = data(&[set]);
    let spec =
        QuerySpec { row: ".name".to_owned(), col: "/impl".to_owned(), ..QuerySpec::default() };
    let method = Method { ranks: true, ..Method::of(Style::Etalon) };
    let tables = tabulate(&data, Query::parse(&spec).unwrap(), &method);
    tables.tables[0].rows[0].ranks.clone().unwrap()
}

fn readings(level: f64, blocks: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..blocks).map(|_| level * (1.0 + 0.001 * normal(&mut random))).collect()
}

/// Would catch a best that is not, a tie that is a win, and letters that say something else than the verdicts.
#[test]
fn the_best_of_a_row_is_found_with_those_that_cannot_be_told_from_it() {
    let columns =
        [readings(2.0, 30, 1), readings(1.0, 30, 2), readings(1.0, 30, 3), readings(1.3, 30, 4)];
    let ranks = ranks(&columns);
    assert!([1, 2].contains(&ranks.best.unwrap()), "{ranks:?}");
    let other = 3 - ranks.best.unwrap();
    assert_eq!((&ranks.same[..], &ranks.unclear[..]), (&[other][..], &[][..]), "{ranks:?}");
    assert_eq!(ranks.letters, ["c", "a", "a", "b"]);
}

/// Would catch a verdict from fewer blocks than any correction allows.
#[test]
fn few_blocks_decide_nothing() {
    let columns: Vec<Vec<f64>> = (0..4).map(|at| readings(1.0 + f64::from(at), 5, 7)).collect();
    let ranks = ranks(&columns);
    assert_eq!((ranks.best, ranks.unclear.len()), (Some(0), 3), "{ranks:?}");
    assert_eq!(ranks.letters, ["a", "a", "a", "a"]);
}
