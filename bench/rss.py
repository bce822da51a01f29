"""Whether a small command's memory is its own beside a large one's.

Measures: the peak resident size etalon reports for /bin/true while every block also holds a command
of 300 MB (bench/fat.c touches that much). Fair because they alternate in random order, so a
launcher that grew with what it starts would show; the kernel lets a child begin at its parent's
resident size, so the figure is the launcher's own where that is larger than the command.
"""

import lab

BLOCKS = lab.count(20)
FAT = 300

shown = lab.analysis("cmd", "-r", BLOCKS, "-n", "true", "-n", "fat", "/bin/true", f"{lab.tool('fat')} {FAT}")
true, fat = (b["metrics"]["rss"] for b in shown["benchmarks"])
figures = lab.Figures()
figures.at_least(f"peak memory of the {FAT} MB command, median, MB", round(fat["median"] / 1e6, 1), FAT)
figures.at_most("peak memory of /bin/true, median, MB", round(true["median"] / 1e6, 3), 2.5)
figures.at_most("peak memory of /bin/true, largest, MB", round(true["max"] / 1e6, 3), 2.5)
figures.end()
