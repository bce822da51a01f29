//! Analyses on several threads.

use std::num::NonZeroUsize;

use etalon_core::analysis::{analyse, analyse_on};
use etalon_core::random::Random;

use crate::by_cpu;
use crate::support::{Layout, cpu, data, normal, run_set};

/// Would catch a result that depends on which thread computed it, or came first.
#[test]
fn an_analysis_is_the_same_however_many_threads_compute_it() {
    let mut random = Random::new(7);
    let mut sample = |mean: f64| -> Vec<f64> {
        (0..40_000).map(|_| mean * (1.0 + 0.02 * normal(&mut random))).collect()
    };
    let samples = [sample(1.0), sample(1.01), sample(1.0)];
    let data = data(&[run_set(cpu(1e-6), &samples, Layout::Blocks)]);
    let one = format!("{:?}", analyse(&data, &by_cpu()));
    for threads in [2, 5] {
        let threads = NonZeroUsize::new(threads).unwrap();
        assert!(format!("{:?}", analyse_on(threads, &data, &by_cpu())) == one);
    }
}
