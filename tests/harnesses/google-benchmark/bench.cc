#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

static void BM_sum(benchmark::State& state) {
    std::vector<long> values(state.range(0), 1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(values.data());
        benchmark::DoNotOptimize(std::accumulate(values.begin(), values.end(), 0L));
    }
}
BENCHMARK(BM_sum)->Arg(64)->Arg(512)->MinTime(0.01);
BENCHMARK_MAIN();
