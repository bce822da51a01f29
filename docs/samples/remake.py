#!/usr/bin/env python3
"""Makes the README's outputs anew: `python3 docs/samples/remake.py ETALON`, or `make samples`. Those of another page,
with commands that are executed in DIRECTORY: `python3 docs/samples/remake.py ETALON docs/openresty.md examples/openresty`.

Owns the text between a command of a console block and the block's end, where there is any: it becomes what the
command prints here and now, 80 columns wide. Refuses to choose a good moment: on a busy machine, notes say so in the
README. old.txt and new.txt were printed by the benchmarks in join/, each binary by itself on one CPU:
`go test -c [-tags builder]`, then `-test.bench . -test.count 10 -test.benchtime 30ms`.
"""

import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def printed(command: str, directory: str, environment: dict) -> str:
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=directory, env=environment, stdout=subprocess.PIPE, check=True, text=True
    )
    return done.stdout


def main() -> None:
    if len(sys.argv) not in (2, 4):
        sys.exit("usage: remake.py ETALON [PAGE DIRECTORY]")
    here = os.path.dirname(os.path.abspath(sys.argv[1]))
    page, directory = sys.argv[2:] or (os.path.join(ROOT, "README.md"), ROOT)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ, "PATH": here + os.pathsep + os.environ["PATH"], "ETALON_HOME": home,
            "COLUMNS": "80", "LC_ALL": "C.UTF-8", "NO_COLOR": "1",
        }

        def remade(block: re.Match) -> str:
            command, output = block.group(1), block.group(2)
            if output == "" or output.startswith("$ "):
                return block.group(0)
            return f"```console\n$ {command}\n{printed(command, directory, environment)}```"

        text = re.sub(r"```console\n\$ (.*)\n((?:.*\n)*?)```", remade, text)
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
