"""How long a page of many observations takes to write, how much memory, and how large it is.

Measures: `etalon report FILE --html PAGE` on two commands of 500,000 observations each, ten metrics, beside the same
without a page, in turns; whole processes from outside, peak resident size from wait4.

Fair because both read the same record, which is what etalon writes (recorded.py), and print the same report. How fast
a page answers its reader is measured in a browser: web/test/interactions.js.
"""

import os

import lab
from recorded import record

TIMES = lab.count(5)
BLOCKS = 500_000

path, page = lab.tool("page.jsonl"), lab.tool("page.html")
record(path, BLOCKS)
pairs = [(lab.etalon("report", path, "--html", page), lab.etalon("report", path)) for _ in range(TIMES)]
figures = lab.Figures()
figures.median("report", [plain.seconds for _, plain in pairs], unit=" s")
figures.median("with a page", [paged.seconds for paged, _ in pairs], unit=" s")
figures.median("ratio", [paged.seconds / plain.seconds for paged, plain in pairs], 2)
figures.median("peak memory", [paged.rss / 1e6 for paged, _ in pairs], 300, 1, " MB")
figures.at_most("size of the page, MB", round(os.path.getsize(page) / 1e6, 2), 5)
figures.end()
