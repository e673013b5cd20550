#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes bytes of traces.otf2 at random: what is noticed is one line and exit status 1, and there is no profile; what
is not noticed is a profile that can be read.

    check-random-damages.py SENDWRIGHT SEEDS
"""

import pathlib
import random
import shutil
import subprocess
import sys

FILES = ["traces.otf2", "traces.def", "traces/0.evt", "traces/4294967303.evt", "traces/8589934592.evt"]


def changed(data, numbers):
    data = bytearray(data)
    kind = numbers.choice(["bits", "bytes", "cut", "left out", "twice", "large number"])
    place = numbers.randrange(len(data))
    length = numbers.randint(1, 16)
    if kind == "bits":
        data[place] ^= 1 << numbers.randrange(8)
    elif kind == "bytes":
        data[place:place + length] = numbers.randbytes(len(data[place:place + length]))
    elif kind == "cut":
        del data[place:]
    elif kind == "left out":
        del data[place:place + length]
    elif kind == "twice":
        data[place:place] = data[place:place + length]
    else:
        data[place:place + 9] = b"\x08" + b"\xff" * 8
    return kind, bytes(data)


def run(*arguments):
    return subprocess.run([sys.argv[1], *arguments], capture_output=True, text=True, check=False, timeout=120)


def main():
    refused = 0
    for seed in range(int(sys.argv[2])):
        numbers = random.Random(seed)
        shutil.rmtree("damaged", ignore_errors=True)
        pathlib.Path("damaged").mkdir()
        shutil.copytree("traces", "damaged/traces")
        for whole in ("traces.otf2", "traces.def"):
            shutil.copy(whole, "damaged")
        name = numbers.choice(FILES)
        kind, data = changed(pathlib.Path(name).read_bytes(), numbers)
        pathlib.Path("damaged", name).write_bytes(data)
        result = run("trace", "import", "damaged/traces.otf2", "-o", "damaged.prof")
        what = (seed, name, kind, result)
        assert result.returncode in (0, 1) and not result.stdout, what
        if result.returncode == 0:
            assert not result.stderr and run("show", "damaged.prof").returncode == 0, what
            pathlib.Path("damaged.prof").unlink()
            continue
        refused += 1
        lines = result.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("damaged/traces.otf2: "), what
        assert not [path for path in pathlib.Path().iterdir() if "damaged.prof" in path.name], what
    print(f"{sys.argv[2]} damages, {refused} noticed")


if __name__ == "__main__":
    main()
