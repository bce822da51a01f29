#!/usr/bin/env python3
"""What it costs to look which files a program opens and asks about: `python3 bench/tracing.py ETALON`, the ratios of the executions under
etalon's tracer to plain ones, by etalon itself. Needs cc, node and python3."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

OPENS = """#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int n, char **words) {
    struct stat about;
    for (int i = 0; i < 10000; i++) if (n > 1) stat(words[0], &about); else close(open(words[0], O_RDONLY));
    return 0;
}
"""


def main():
    etalon = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as directory:
        # The tracer is the program under another name.
        tracer = os.path.join(directory, "etalon-tracer")
        os.symlink(etalon, tracer)
        opens = os.path.join(directory, "opens")
        subprocess.run(["cc", "-O1", "-xc", "-", "-o", opens], input=OPENS.encode(), check=True)
        python = os.path.realpath(subprocess.check_output(
            ["python3", "-c", "import sys; print(sys.executable)"], text=True).strip())
        programs = [
            ("python3 -c pass", [python, "-c", "pass"]),
            ("node -e 0", [shutil.which("node"), "-e", "0"]),
            ("10,000 opens", [opens]),
            ("10,000 questions about a name", [opens, "stat"]),
        ]
        for name, words in programs:
            plain = " ".join(words)
            traced = " ".join(["etalon-tracer", "/dev/null", words[0], *words])
            environment = {**os.environ, "PATH": directory + ":" + os.environ["PATH"]}
            told = subprocess.run(
                [etalon, "cmd", "--no-save", "--json", "-r", "60", "--reference", plain, plain, traced],
                env=environment, stdout=subprocess.PIPE, check=True)
            plain, traced = [benchmark["metrics"] for benchmark in json.loads(told.stdout)["benchmarks"]]
            print(f"{name}: " + ", ".join(
                f"{what} {plain[metric][of] * 1e3:.1f} ms, traced {traced[metric][of] * 1e3:.1f} ms "
                f"({traced[metric][of] / plain[metric][of]:.2f} times)"
                for what, metric, of in [("median of CPU time", "cpu", "median"), ("least time", "wall", "min")]))


main()
