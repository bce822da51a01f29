"""A million readings of criterion: how long reading takes beside counting bytes and a JSON parser, and its memory.

    python3 bench/harness.py target/release/etalon [READINGS]

The parser is Python's json.load in the same process order; times are the best of five, wall clock.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time

MOST_TIMES, MOST_BYTES = 3.0, 200e6


def best(action, times=5):
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def main():
    etalon, readings = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "sample.json")
        iters = [float(100 + at % 7) for at in range(readings)]
        times = [n * rng.gauss(2896.0, 40.0) for n in iters]
        with open(path, "w") as out:
            json.dump({"sampling_mode": "Flat", "iters": iters, "times": times}, out)

        def run(*command):
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def parse():
            with open(path) as text:
                json.load(text)

        wc, parser = best(lambda: run("wc", "-c", path)), best(parse)
        quiet = [etalon, "report", "--quiet", path]
        read = best(lambda: run(*quiet))
        peak = subprocess.run(
            ["/usr/bin/time", "-f", "%M", *quiet], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True
        )
        peak = 1024 * int(peak.stderr.split()[-1])
        share = read / (wc + parser)
        print(f"{readings:,} readings, {os.path.getsize(path) / 1e6:.1f} MB of text")
        print(f"wc -c {wc:.3f} s, JSON parser {parser:.3f} s, etalon report {read:.3f} s: {share:.2f} ×")
        print(f"peak {peak / 1e6:.0f} MB")
        sys.exit(share > MOST_TIMES or peak > MOST_BYTES)


if __name__ == "__main__":
    main()
