"""Curves of a record, as the tests of `analysis::warming` read them: the first ten processes of each case below.

One case is not among them: garbage is flat or warming, by when a process compiles it.
"""

import json
import sys

COURSES = {
    "flat": "flat",
    "late compilation": "warming",
    "alternating states": "unsteady",
    "leak": "slowing",
    "collector sawtooth": "unsteady",
}


def main():
    names, rows = [], []
    for line in open(sys.argv[1], encoding="utf-8"):
        record = json.loads(line)
        if record["type"] == "benchmark":
            names.append(record["name"])
        if record["type"] != "observation" or "wall" not in record["values"]:
            continue
        garbage = "yes" if "rewarm" in record["values"] else "no"
        phase = record.get("phase", "measured")
        row = (record["benchmark"], record["block"], phase, garbage, record["iterations"], record["values"]["wall"])
        rows.append(row)
    print("case,course,block,phase,garbage,calls,wall_ns")
    for benchmark, block, *rest in sorted(rows, key=lambda row: row[:2]):
        if block < 10 and names[benchmark] in COURSES:
            print(names[benchmark], COURSES[names[benchmark]], block, *rest, sep=",")


main()
