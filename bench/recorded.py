"""Records of many observations, as etalon writes them.

Owns the one shape that parts of the bench share: two commands in n interleaved blocks, the first lines from a real
execution, the values as scattered, tied and skewed as real ones (CPU time in whole µs, resident size in pages, rare
spikes).
"""

import random

import lab

METRICS = "wall user sys cpu rss minflt majflt vcsw ivcsw cpu_wait cpu_wait_max".split()
SEED = 1


def opening(n):
    """A real record's lines before its first observation, for n blocks."""
    source = lab.analysis("cmd", "-r", 2, "-n", "one", "-n", "two", "/bin/true", "/bin/true")
    path = source["executions"][0]["source"]
    with open(path, encoding="utf-8") as lines:
        kept = [line for line in lines if '"type":"observation"' not in line and '"type":"end"' not in line]
    assert [line.split('"')[7] for line in kept if '"type":"metric"' in line] == METRICS
    return "".join(kept).replace('"runs":2', f'"runs":{n}')


def record(path, n):
    """n blocks of two commands, the second 0.5 % slower."""
    rng = random.Random(SEED)
    gauss, uniform = rng.gauss, rng.random
    at = 1_000_000
    with open(path, "w", encoding="utf-8") as file:
        file.write(opening(n))
        for block in range(n):
            first = uniform() < 0.5
            for benchmark in (first, not first):
                spike = uniform() < 0.01
                cpu = int((390 + 2 * benchmark) * (1 + 0.03 * gauss(0, 1)) * (1.5 if spike else 1))
                wall = int(cpu * 1000 + 9000 * (1 + 0.1 * gauss(0, 1)))
                wait = int(5500 * (1 + 0.1 * gauss(0, 1))) + (300_000 if spike else 0)
                user, sys = (cpu, 0) if uniform() < 0.9 else (0, cpu)
                rss = 1609728 + 4096 * int(3 * uniform())
                at += wall + 60_000
                file.write(
                    f'{{"type":"observation","benchmark":{benchmark:d},"block":{block},"at":{at},"values":'
                    f'{{"wall":{wall},"user":{user},"sys":{sys},"cpu":{cpu},"rss":{rss},'
                    f'"minflt":{49 + int(3 * uniform())},"majflt":0,"vcsw":1,"ivcsw":{spike:d},'
                    f'"cpu_wait{"" if spike else "_max"}":{wait}}}}}\n'
                )
        file.write('{"type":"end","stopped_by":"runs","at":"2026-11-21T04:00:00Z"}\n')
