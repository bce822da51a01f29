#!/usr/bin/env python3
"""Makes the inputs of the benchstat corpus: Go benchmark results with everything that changes a table.

Every random number comes from a seed of the file it is in, so that the files are the same each time.
"""
import pathlib
import random

HERE = pathlib.Path(__file__).parent / "inputs"
HEAD = "goos: linux\ngoarch: amd64\npkg: example.org/codec\ncpu: Example CPU @ 3.00GHz\n"


def line(name, n, *values):
    return f"Benchmark{name} \t{n:8d}\t" + "\t".join(f"{v} {u}" for v, u in values) + "\n"


def write(name, text):
    HERE.mkdir(exist_ok=True)
    data = text if isinstance(text, bytes) else text.encode()
    (HERE / name).write_bytes(data)


def runs(seed, names, count, scale=1.0, spread=0.03, units=("ns/op", "B/op", "allocs/op")):
    random.seed(seed)
    out = ""
    for name, base in names:
        for _ in range(count):
            values = []
            for unit in units:
                if unit == "ns/op":
                    values.append((f"{base * scale * random.gauss(1, spread):.4g}", unit))
                elif unit == "MB/s":
                    values.append((f"{3e4 / base / scale * random.gauss(1, spread):.2f}", unit))
                elif unit == "B/op":
                    values.append((int(base * 0.7) + random.choice([0, 0, 0, 8]), unit))
                else:
                    values.append((int(base) % 37, unit))
            out += line(name, random.randrange(1000, 10**6), *values)
    return out


NAMES = [("Encode/format=json-8", 1700.0), ("Encode/format=gob-8", 3050.0), ("Decode/format=json-8", 9400.0)]
MANY = [(f"Case{i:02d}/size={s}-4", 12.5 * 1.7**i) for i, s in enumerate(["1", "16", "256", "4k", "64k", "1M"])]

write("old.txt", HEAD + runs("old", NAMES, 10))
write("new.txt", HEAD + runs("new", NAMES, 10, 0.83))
write("third.txt", HEAD + runs("third", NAMES, 10, 1.21))
write("twelve.txt", HEAD + runs("twelve", MANY, 12))
write("twelve-slower.txt", HEAD + runs("twelve2", MANY, 12, 1.02))
for n in (1, 2, 3, 4, 5, 6, 9, 20, 21, 22, 25, 26, 29, 30, 31, 40, 50, 51, 60):
    write(f"n{n}.txt", HEAD + runs(f"n{n}", NAMES[:2], n))
    write(f"n{n}-new.txt", HEAD + runs(f"n{n}new", NAMES[:2], n, 1.01))
write("n60-far.txt", HEAD + runs("n60far", NAMES[:2], 60, 5))
write("fields.txt", HEAD + runs("fields", MANY, 5, units=("ns/op", "MB/s", "B/op", "allocs/op")))
write("fields-new.txt", HEAD + runs("fields2", MANY, 5, 0.5, units=("ns/op", "MB/s", "B/op", "allocs/op")))
# Ties: few distinct values, in samples of equal and of different sizes.
random.seed("ties")
for name, count in (("ties.txt", 10), ("ties-new.txt", 10), ("ties-long.txt", 17), ("ties-30.txt", 30)):
    text = HEAD
    for bench in ("A", "B", "C"):
        for _ in range(count):
            text += line(f"Tie{bench}-2", 100, (random.choice([100, 101, 102, 105]), "ns/op"))
    write(name, text)
write("equal.txt", HEAD + line("Same", 1, (250, "ns/op")) * 8)
write("equal-new.txt", HEAD + line("Same", 1, (250, "ns/op")) * 8)
write("shifted.txt", HEAD + line("Same", 1, (300, "ns/op")) * 8)
# Zeros where the unit is the same before and after tidying, so that benchstat keeps it.
zeros = "".join(line("None-8", 10, (v, "sec/op"), (0, "allocs/op"), (0, "B/op")) for v in (1e-6, 2e-6, 1.5e-6, 1.7e-6, 1.1e-6, 1.6e-6))
zeros += "".join(line("Some-8", 10, (v, "sec/op"), (3, "allocs/op"), (64, "B/op")) for v in (4e-6, 2e-6, 2.5e-6, 2.7e-6, 2.1e-6, 2.6e-6))
write("zeros.txt", HEAD + zeros)
write("zeros-new.txt", HEAD + zeros.replace("\t0 allocs/op", "\t2 allocs/op").replace("\t64 B/op", "\t0 B/op"))
write("negative.txt", HEAD + "".join(line("Drift", 5, (v, "celsius")) for v in (-3, -2.5, 0.5, -1, -2, -4, -3.5)))
write("negative-new.txt", HEAD + "".join(line("Drift", 5, (v, "celsius")) for v in (3, 2.5, 0.5, 1, 2, 4, 3.5)))
# Sizes from tiny to huge, decimal and binary.
scales = ""
for i, v in enumerate([1e-13, 3.3e-11, 9.9996e-10, 0.5e-9, 1e-6, 0.00099996, 0.25, 9.9995, 99.995, 999.96, 1.5e4, 3e7, 2e10, 7e13, 5e16]):
    scales += line(f"Scale{i}", 1, (f"{v:.17g}", "sec/op"), (f"{v * 1024:.17g}", "B/op"), (f"{v:.17g}", "B/sec"), (f"{v:.17g}", "widgets")) * 6
write("scales.txt", HEAD + scales)
write("other-set.txt", HEAD + runs("other", NAMES[:1] + [("Extra-8", 77.0)], 10))
write("pkgs.txt", HEAD + runs("p1", NAMES[:2], 6) + "pkg: example.org/other\n" + runs("p2", [("Encode/format=json-8", 40.0), ("Zip-8", 90.0)], 6) + "note: third\n" + runs("p3", NAMES[:1], 6))
write("pkgs-new.txt", HEAD + runs("p4", NAMES[:2], 6, 1.3) + "pkg: example.org/other\n" + runs("p5", [("Encode/format=json-8", 40.0)], 6))
write("deleted.txt", HEAD + "commit: abc\nbranch: main\nnote: x\n" + runs("d1", NAMES[:1], 6) + "commit:\n" + runs("d2", NAMES[:1], 6))
write("exact.txt", "Unit code-bytes assume=exact better=lower\nUnit ns/op better=lower\n" + "".join(line(f"Size/pkg={p}", 1, (b, "code-bytes"), (b / 7, "ns/op")) for p, b in (("fmt", 341_210), ("net", 1_220_100), ("os", 90_001))))
write("exact-new.txt", "".join(line(f"Size/pkg={p}", 1, (b, "code-bytes"), (b / 7, "ns/op")) for p, b in (("fmt", 341_210), ("net", 1_210_100), ("os", 90_101))))
write("inexact.txt", "Unit code-bytes assume=exact\n" + "".join(line("Size/pkg=fmt", 1, (b, "code-bytes")) for b in (10, 12, 12, 11)))
write("units.txt", "Unit ns/op assume=exact\nUnit widgets assume=nothing tidy=no\nUnit widgets assume=exact\n" + runs("units", NAMES[:2], 6, units=("ns/op",)) + "".join(line("Odd-8", 3, (v, "widgets"), (v * 2, "p99-ns"), (v / 3, "ns/widget")) for v in (1, 2, 3, 4, 5, 6)))
names = ["Ünïcode/größe=klein-8", "日本/語=1", "a/b/c/d-16", "Sub/x=1/x=2-4", "Trailing-", "Comma,Quote\"/k=a,b", "/slash", "-8", "Dash-8-8", "Eq=ual/=", "X"]
random.seed("odd")
for name, scale in (("odd.txt", 1), ("odd-new.txt", 2)):
    write(name, "key with space: no\nodd-key: värde, \"quoted\"\n" + "".join(line(n, 2, (f"{random.uniform(5, 9) * scale:.3f}", "ns/op")) for n in names for _ in range(5)))
messy = "PASS\nok  \texample.org/codec 1.2s\n# comment\n\n   leading\nBenchmark\n" + HEAD.replace("\n", "\r\n") + "BenchmarkPlain\n"
messy += runs("messy", NAMES[:2], 6).replace("\t", "   ", 40) + "--- BENCH: BenchmarkX\nBenchmarkbroken 12\nbenchmarklower 5 5 ns/op\nBenchmark_Under 5 5 ns/op\n"
messy += "BenchmarkExp-8 5 1.25e3 ns/op 1e-3 MB/s\nBenchmarkTwice 7 5 ns/op 6 ns/op\nUnknown: capital\nlower: value  with  spaces  \nempty:\n" + line("Tail-8", 9, (3, "ns/op"))[:-1]
write("messy.txt", messy)
grid = HEAD
random.seed("grid")
for fmt in ("json", "gob", "xml"):
    for size in ("1k", "512", "1Mi", "20k"):
        for impl in ("old", "new"):
            for _ in range(6):
                grid += line(f"Copy/fmt={fmt}/size={size}/impl={impl}-8", 4, (f"{random.uniform(90, 110) * (1 + len(size)) * (2 if impl == 'old' else 1):.2f}", "ns/op"))
write("grid.txt", grid)
