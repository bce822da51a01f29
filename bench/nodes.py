"""nodes: experiments over three real OpenSSH servers, of which one is 7 % and one 15 % slower.

Measures: a loop of a fixed number of steps in a process, executed by `etalon cmd --on ssh:n1,n2,n3`, 15 blocks a node.
Each server plants how much slower its node is by a variable of its environment. Parts:
  same         the second command is the first: experiments that call it different, and intervals without 1;
  planted      it takes 5 % more steps: intervals without that ratio, and experiments that find it;
  interaction  it takes 3 % more steps on the second node alone: experiments that say that nodes disagree.

Fair because no experiment is left out and the nodes measure at the same time on whatever processors there are, as they
would be disturbed elsewhere. Where they share a machine, CPU time says more than wall clock: METRIC (`wall`), and BLOCKS
of a node (15), may be given. Results are kept experiment by experiment in RESULTS (a file, by default in the scratch
directory), so that it can go on where it was stopped. Needs sshd, ssh-keygen and cc, and root if sshd does. Arguments:
the number of experiments, then parts.
"""

import json
import os
import shutil
import socket
import subprocess
import sys

import lab

EXPERIMENTS = lab.count(40)
ROOM = os.path.join(lab.SCRATCH, "nodes")
RESULTS = os.environ.get("RESULTS") or os.path.join(lab.SCRATCH, "nodes.jsonl")
SLOWER = {"n1": 0, "n2": 7, "n3": 15}
BLOCKS = int(os.environ.get("BLOCKS", 15)) * len(SLOWER)
METRIC = os.environ.get("METRIC", "wall")
STEPS = 60_000_000
LOOP = """#include <stdlib.h>
static double percent(const char *name) { const char *text = getenv(name); return text ? atof(text) : 0; }
int main(int count, char **words) {
    double steps = atof(words[1]) * (1 + percent("SLOWER") / 100);
    if (count > 2) steps *= 1 + percent("ODD") / 100;
    for (volatile long step = 0; step < (long)steps; step++) {}
    return 0;
}
"""
PARTS = ("same", "planted", "interaction")


def write(name, text, mode=0o600):
    path = os.path.join(ROOM, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def done(*words):
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL)


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


def serve():
    """Servers, and a client in PATH that knows them and reads no configuration of the user's."""
    shutil.rmtree(ROOM, ignore_errors=True)
    os.makedirs(os.path.join(ROOM, "bin"))
    os.makedirs("/run/sshd", exist_ok=True)
    key = os.path.join(ROOM, "key")
    done("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
    servers, hosts, known = [], "", ""
    for name, slower in SLOWER.items():
        port, host = free_port(), os.path.join(ROOM, name)
        done("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", host)
        odd = 3 if name == "n2" else 0
        configuration = write(f"{name}.conf", f"""Port {port}
ListenAddress 127.0.0.1
HostKey {host}
PidFile none
AuthorizedKeysFile {key}.pub
StrictModes no
UsePAM no
PasswordAuthentication no
SetEnv ETALON_NODE={name} SLOWER={slower} ODD={odd}
""")
        sshd = shutil.which("sshd") or "/usr/sbin/sshd"
        servers.append(subprocess.Popen([sshd, "-D", "-f", configuration, "-E", host + ".log"]))
        hosts += f"Host {name}\n  HostKeyAlias {name}\n  Port {port}\n"
        with open(host + ".pub", encoding="utf-8") as public:
            known += f"{name} {public.read()}"
    hosts += f"Host *\n  HostName 127.0.0.1\n  IdentityFile {key}\n  IdentitiesOnly yes\n  BatchMode yes\n"
    hosts += f"  StrictHostKeyChecking yes\n  UserKnownHostsFile {write('known', known)}\n"
    for program in ("ssh", "scp", "sftp"):
        write(f"bin/{program}", f"#!/bin/sh\nexec /usr/bin/{program} -F {write('config', hosts)} \"$@\"\n", 0o755)
    os.environ["PATH"] = os.path.join(ROOM, "bin") + os.pathsep + os.environ["PATH"]
    done("cc", "-O2", "-o", os.path.join(ROOM, "loop"), write("loop.c", LOOP))
    return servers


def experiment(part, seed):
    steps = STEPS * 105 // 100 if part == "planted" else STEPS
    second = f"./loop {steps} odd" if part == "interaction" else f"./loop {steps}"
    words = ["cmd", "--on", "ssh:" + ",".join(SLOWER), "-r", BLOCKS, "--metric", METRIC, "--seed", seed, "--no-save"]
    words += ["--json", "-n", "first", f"./loop {STEPS}", "-n", "second", second]
    found = json.loads(lab.etalon(*words).out)["comparisons"][0]
    kept = {key: found[key] for key in ("ratio", "lo", "hi", "verdict")}
    return {"part": part, "seed": seed, **kept, "disagree": found["nodes"]["disagree"]}


def known():
    if not os.path.exists(RESULTS):
        return {}
    with open(RESULTS, encoding="utf-8") as file:
        return {(it["part"], it["seed"]): it for it in map(json.loads, file)}


def truth(part):
    """The true ratio: a process takes time besides its loop, which is not longer."""
    if part != "planted":
        return 1.0 if part == "same" else None
    words = ["cmd", "-r", 60, "--metric", METRIC, "--no-save", "--json", "./loop 0", f"./loop {STEPS}"]
    empty, whole = (it["metrics"][METRIC]["median"] for it in json.loads(lab.etalon(*words).out)["benchmarks"])
    return 1 + 0.05 * (1 - empty / whole)


def summary(part, all):
    def number(holds):
        return sum(map(holds, all))
    different = number(lambda it: it["verdict"] in ("faster", "slower"))
    text = f"{part:<12} {len(all)} experiments: called different {different}, nodes disagree {number(lambda it: it['disagree'])}"
    ratio = truth(part)
    if ratio:
        outside = number(lambda it: not it["lo"] <= ratio <= it["hi"])
        text += f", {ratio:.4f} outside its interval {outside}"
    print(text, flush=True)


def main():
    parts = sys.argv[2:] or list(PARTS)
    os.environ["ETALON_HOME"] = os.path.join(lab.SCRATCH, "home")
    servers = serve()
    try:
        os.chdir(ROOM)
        for seed in range(1, EXPERIMENTS + 1):
            for part in parts:
                if (part, seed) not in known():
                    with open(RESULTS, "a", encoding="utf-8") as file:
                        file.write(json.dumps(experiment(part, seed)) + "\n")
        for part in parts:
            summary(part, [known()[part, seed] for seed in range(1, EXPERIMENTS + 1)])
    finally:
        for server in servers:
            server.terminate()


main()
