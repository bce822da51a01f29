"""The log ratios of two cases of a Lua record, one value per block, as `etalon` forms them.

Owns: median over turns of the log ratio within a block, computed anew from the record. Refuses: to
decide anything with them.
"""

import math
import statistics

import lab


def readings(path):
    """{block: {benchmark: {turn: ns per call}}} of the measured samples."""
    found = {}
    for row in lab.observations(path):
        wall = row.get("values", {}).get("wall")
        if wall is not None and "turn" in row:
            cases = found.setdefault(row["block"], {})
            cases.setdefault(row["benchmark"], {})[row["turn"]] = wall / row["iterations"]
    return found


def of_blocks(shown, base, candidate):
    """One log ratio per block, of the experiment that an analysis shows."""
    result = []
    for _, cases in sorted(readings(shown["executions"][0]["source"]).items()):
        a, b = cases.get(base, {}), cases.get(candidate, {})
        result.append(statistics.median(math.log(b[turn] / a[turn]) for turn in a.keys() & b.keys()))
    return result
