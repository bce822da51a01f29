import pytest


@pytest.mark.parametrize("size", [64, 512])
def test_sum(benchmark, size):
    benchmark(sum, list(range(size)))


def test_sorted(benchmark):
    benchmark(sorted, [n * 7 % 512 for n in range(512)])
