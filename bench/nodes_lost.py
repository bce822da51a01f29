"""What becomes of blocks on several machines: lost, late, and what collecting them costs.

Parts (all without one; `nodes:cut` is one alone):

kills    30 times, a node of two is killed as a power cut does it, at a random instant of an experiment. Then: the
         schedule is complete, each block is whole and of one node, no block that was in the record is gone, and no
         process or directory of a node that lives is left.
cut      the server of a node is stopped for 20 s, which nobody is told of: all blocks are there, once.
collect  200 nodes, each a worker of its own behind a stand-in for ssh that executes what it is told here: the CPU time of
         etalon itself against the time that the nodes measured.
report   a record of 1e6 observations from 20 nodes, reported, against the same one without nodes.

Fair because the servers of `kills` and `cut` are OpenSSH's, with its defaults, and every process of a node is found below
its server, or by a variable of its environment that the server sets. The stand-in costs CPU time of this machine that is not etalon's, so
collecting is held against time that commands slept, which no machine runs short of. Needs sshd, ssh-keygen and root.
"""

import glob
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time

import lab

PARTS = sys.argv[2:] or ["kills", "cut", "collect", "report"]
KILLS = lab.count(30)
SEED = 11
HOME = os.path.join(lab.SCRATCH, "nodes")
ENV = {**os.environ, "ETALON_HOME": os.path.join(HOME, "home"), "LC_ALL": "C.UTF-8"}
figures = lab.Figures()


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Node:
    """A server on a port of this machine. What it starts knows its name and has a directory for temporary files."""

    def __init__(self, name):
        self.name, self.port = name, free_port()
        self.directory = os.path.join(HOME, name)
        os.makedirs(os.path.join(self.directory, "tmp"))
        settings = (
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {HOME}/host\nPidFile none\n"
            f"AuthorizedKeysFile {HOME}/id.pub\nUsePAM no\nStrictModes no\nUseDNS no\nPasswordAuthentication no\n"
            f"PermitRootLogin prohibit-password\nMaxSessions 20\n"
            f"SetEnv ETALON_NODE={name} TMPDIR={self.directory}/tmp\n"
        )
        write(os.path.join(self.directory, "sshd"), settings)
        self.start()

    def start(self):
        self.server = subprocess.Popen(
            [shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-f", os.path.join(self.directory, "sshd")],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.01)

    def served(self):
        """The server and what it has started, below one another. sshd writes over its own environment."""
        parents, found = {}, [self.server.pid]
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(path, encoding="utf-8") as file:
                    parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(path.split("/")[2]))
            except OSError:
                pass
        for pid in found:
            found += parents.get(pid, [])
        return found if self.server.poll() is None else []

    def work(self):
        wanted, found = f"ETALON_NODE={self.name}".encode(), []
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                with open(path, "rb") as file:
                    if wanted in file.read().split(b"\0"):
                        found.append(int(path.split("/")[2]))
            except OSError:
                pass
        return found

    def all(self):
        return [*self.served(), *self.work()]

    def signal(self, number):
        """All at once, as far as that goes: stopped first, so that nothing tells of the end of something else."""
        for pid in self.all():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def cut(self):
        self.signal(signal.SIGSTOP)
        while self.all():
            self.signal(signal.SIGKILL)
            time.sleep(0.01)
        self.server.wait()

    def left(self):
        return os.listdir(os.path.join(self.directory, "tmp"))


def servers(names):
    os.makedirs("/run/sshd", exist_ok=True)
    os.makedirs(HOME, mode=0o700)
    for key in ("id", "host"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{HOME}/{key}"], check=True)
    nodes = [Node(name) for name in names]
    with open(f"{HOME}/host.pub", encoding="utf-8") as file:
        key = " ".join(file.read().split()[:2])
    known = "".join(f"{node.name} {key}\n" for node in nodes)
    write(f"{HOME}/known", known)
    hosts = "".join(f"Host {n.name}\n  HostKeyAlias {n.name}\n  Port {n.port}\n" for n in nodes)
    hosts += (
        f"Host *\n  HostName 127.0.0.1\n  User root\n  IdentityFile {HOME}/id\n  IdentitiesOnly yes\n"
        f"  UserKnownHostsFile {HOME}/known\n  StrictHostKeyChecking yes\n"
    )
    write(f"{HOME}/config", hosts)
    os.mkdir(f"{HOME}/bin")
    write(f"{HOME}/bin/ssh", f"#!/bin/sh\nexec {shutil.which('ssh')} -F '{HOME}/config' \"$@\"\n", 0o755)
    ENV["PATH"] = f"{HOME}/bin:{os.environ['PATH']}"
    return nodes


def start(*arguments):
    return subprocess.Popen(
        [lab.ETALON, *map(str, arguments)], env=ENV, cwd=HOME,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )


def record():
    paths = glob.glob(f"{HOME}/home/runs/2*")
    return max(paths) if paths else None


def blocks(path):
    """Observations of each block, as benchmark and node."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith('{"type":"observation"') and line.endswith("\n"):
                row = json.loads(line)
                if row.get("phase", "measured") == "measured":
                    found.setdefault(row["block"], []).append((row["benchmark"], row["node"]))
    return found


def is_whole(block):
    return sorted(block) == [(0, block[0][1]), (1, block[0][1])]


def kills(nodes):
    random.seed(SEED)
    lost = torn = left = incomplete = came = 0
    victim, other = nodes[:2]
    for _ in range(KILLS):
        before = record()
        run = start("cmd", "-r", 60, "--on", f"ssh:{victim.name},{other.name}", "sleep 0.02", "sleep 0.021")
        while record() == before and run.poll() is None:
            time.sleep(0.005)
        time.sleep(random.uniform(0, 1.5))
        known = {number for number, block in blocks(record()).items() if is_whole(block)}
        came += len(known)
        victim.cut()
        run.communicate()
        after = blocks(record())
        incomplete += run.returncode != 0 or len(after) != 60
        torn += sum(not is_whole(block) for block in after.values())
        lost += len(known - after.keys())
        deadline = time.monotonic() + 20
        while other.work() and time.monotonic() < deadline:
            time.sleep(0.05)
        left += len(other.work()) + len(other.left())
        victim.start()
        lab_run = start("cmd", "-r", 1, "--on", f"ssh:{victim.name}", "true")
        lab_run.communicate()
        time.sleep(0.3)
        left += len(victim.work()) + len(victim.left())
    figures.plain("blocks in records when a node was killed", f"{came} of {KILLS * 60}")
    figures.at_most("finished blocks lost", lost, 0)
    figures.at_most("blocks not whole, or of two nodes", torn, 0)
    figures.at_most("schedules not complete", incomplete, 0)
    figures.at_most("processes and directories left", left, 0)


def cut(nodes):
    run = start("cmd", "-r", 600, "--on", "ssh:" + ",".join(n.name for n in nodes), "sleep 0.05", "sleep 0.051")
    while not record() or len(blocks(record())) < 20:
        time.sleep(0.05)
    # The server and its connections; what was started there goes on.
    work = nodes[1].work()
    stopped = [pid for pid in nodes[1].served() if pid not in work]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    at = len(blocks(record()))
    time.sleep(20)
    meanwhile = len(blocks(record())) - at
    for pid in stopped:
        os.kill(pid, signal.SIGCONT)
    said = run.communicate()[1]
    after = blocks(record())
    late = [row for row in after.values() if row[0][1] == 1]
    figures.plain("blocks of the others in these 20 s", meanwhile)
    figures.plain("blocks of that node in all", len(late))
    figures.plain("what was said", " / ".join(line for line in said.splitlines() if "left out" in line) or "nothing: it came back")
    with open(record(), encoding="utf-8") as file:
        twice = [json.loads(line)["text"] for line in file if '"type":"note"' in line and "executed twice" in line]
    figures.plain("blocks executed twice", twice or "none")
    figures.at_most("blocks missing, torn or twice", sum(not is_whole(b) for b in after.values()) + 600 - len(after), 0)
    figures.at_most("exit code", run.returncode, 0)


STAND_IN = """#!/bin/sh
# What etalon asks of ssh, executed here: a socket that is there as long as the connection, and sessions.
host= command= socket= holds=
while [ $# -gt 0 ]; do
    case $1 in
    -o) case $2 in ControlPath=*) socket=${2#ControlPath=} ;; esac; shift ;;
    -N) holds=1 ;;
    --) host=$2; command=$3; break ;;
    esac
    shift
done
if [ -n "$holds" ]; then : >"$socket"; exec sleep 1000000; fi
mkdir -p "HOME/far/$host"
exec env ETALON_NODE="$host" TMPDIR="HOME/far/$host" sh -c "$command"
"""


def collect():
    os.makedirs(f"{HOME}/stand-in", exist_ok=True)
    write(f"{HOME}/stand-in/ssh", STAND_IN.replace("HOME", HOME), 0o755)
    many, runs, slept = 200, 1600, 2.0
    env = {**ENV, "PATH": f"{HOME}/stand-in:{os.environ['PATH']}"}
    hosts = "ssh:" + ",".join(f"m{number}" for number in range(many))
    argv = [lab.ETALON, "cmd", "-r", str(runs), "--on", hosts, f"sleep {slept}", f"sleep {slept + 0.01}"]
    begun = time.monotonic()
    run = subprocess.Popen(argv, env=env, cwd=HOME, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while True:
        path = record()
        if path and path.endswith(".partial") and len(blocks(path)) >= many:
            break
        if run.poll() is not None:
            sys.exit(run.communicate()[1])
        time.sleep(0.5)

    def cpu():
        with open(f"/proc/{run.pid}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    first, from_block, at = cpu(), len(blocks(path)), time.monotonic()
    last, to_block, until = first, from_block, at
    while run.poll() is None:
        time.sleep(0.2)
        try:
            last, to_block, until = cpu(), len(blocks(path)), time.monotonic()
        except (OSError, ValueError, IndexError):
            break
    run.communicate()
    done = to_block - from_block
    measured = done * (2 * slept + 0.01)
    figures.plain("nodes, until their first blocks", f"{many}, {at - begun:.0f} s")
    figures.plain("blocks a second", f"{done / (until - at):.0f}")
    figures.plain("time that nodes were busy measuring", f"{measured / ((until - at) * many) * 100:.1f} %")
    figures.at_most("CPU time of collecting, share of time measured", (last - first) / measured, 0.01)


def report():
    header = (
        '{"type":"header","format":"etalon","version":1,"id":"by-hand","context":{}}\n'
        '{"type":"metric","name":"wall","unit":"ns","direction":"lower","kind":"noisy"}\n'
        '{"type":"benchmark","name":"a","command":"a"}\n{"type":"benchmark","name":"b","command":"b"}\n'
    )
    random.seed(SEED)
    os.makedirs(HOME, exist_ok=True)
    paths = [f"{HOME}/one.jsonl", f"{HOME}/many.jsonl"]
    with open(paths[0], "w", encoding="utf-8") as one, open(paths[1], "w", encoding="utf-8") as many:
        one.write(header)
        many.write(header + "".join(f'{{"type":"node","name":"n{number}"}}\n' for number in range(20)))
        for block in range(500_000):
            for benchmark in range(2):
                wall = int(1e8 * (1 + 0.05 * benchmark) * random.lognormvariate(0, 0.02))
                start, end = f'{{"type":"observation","benchmark":{benchmark},', f'"block":{block},"values":{{"wall":{wall}}}}}\n'
                one.write(start + end)
                many.write(f'{start}"node":{block % 20},{end}')
    took = {path: [] for path in paths}
    for _ in range(7):
        for path in paths:
            took[path].append(lab.etalon("report", path).seconds)
    one, many = (sorted(took[path])[3] for path in paths)
    figures.plain("report of 1e6 observations of one machine", f"{one:.2f} s")
    figures.plain("of 20 nodes", f"{many:.2f} s")
    figures.at_most("ratio", many / one, 1.2)


if "kills" in PARTS or "cut" in PARTS:
    # No other server of this machine has these names, by which processes are killed.
    nodes = servers([f"lost-{os.getpid()}-{number}" for number in range(3)])
    try:
        if "kills" in PARTS:
            kills(nodes)
        if "cut" in PARTS:
            cut(nodes)
    finally:
        for node in nodes:
            node.cut()
else:
    os.makedirs(HOME, mode=0o700)
if "collect" in PARTS:
    collect()
if "report" in PARTS:
    report()
figures.end()
