//! Two benchmarks of criterion, in short.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

fn sums(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sum");
    for size in [64_u64, 512] {
        let numbers: Vec<u64> = (0..size).collect();
        group.bench_with_input(BenchmarkId::from_parameter(size), &numbers, |bencher, numbers| {
            bencher.iter(|| sums::sum(black_box(numbers)));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(20))
        .measurement_time(Duration::from_millis(50));
    targets = sums
}
criterion_main!(benches);
