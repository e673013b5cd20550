# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Damages a file in many ways and runs a command on each copy.
#
#   damage.py truncate|flip [--inside PROGRAM] [--expect OUTPUT] FILE COMMAND...
#
# truncate: cut at every 97th byte. flip: one random byte in each 97 gets another value (fixed
# seed). The damaged copy is damaged.bin in the current folder; `{}` in COMMAND stands for it. With
# --inside, FILE's bytes are found in PROGRAM and damaged there (what is cut off becomes zeros).
#
# Prints one line for each distinct result: the number of copies, the exit status, and standard
# error with numbers replaced by N. A command that was killed by a signal or runs longer than a
# minute is shown as such.

import argparse
import collections
import pathlib
import random
import re
import stat
import subprocess

STEP = 97


def damaged_copies(data, kind):
    rng = random.Random(5)
    for begin in range(0, len(data), STEP):
        if kind == "truncate":
            yield data[:begin]
        else:
            position = rng.randrange(begin, min(begin + STEP, len(data)))
            other = data[position] ^ rng.randrange(1, 256)
            yield data[:position] + bytes([other]) + data[position + 1:]


def inside(program, data, copy):
    """The program with the one place that holds `data` replaced by the damaged copy."""
    place = program.find(data)
    assert place >= 0, "the program does not hold the file"
    copy += bytes(len(data) - len(copy))
    return program[:place] + copy + program[place + len(data):]


def describe(command):
    try:
        result = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return "runs on and on", b""
    status = f"exit {result.returncode}" if result.returncode >= 0 else \
        f"SIGNAL {-result.returncode}"
    lines = [line for line in result.stderr.decode(errors="replace").splitlines()
             if "sendwright" in line or "damaged.bin" in line]
    return status + "".join(": " + re.sub(r"\d+", "N", line) for line in lines), result.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=["truncate", "flip"])
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--inside", type=pathlib.Path)
    parser.add_argument("--expect", type=pathlib.Path, help="standard output of every run")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    damaged = pathlib.Path("damaged.bin")
    data = arguments.file.read_bytes()
    program = arguments.inside and arguments.inside.read_bytes()
    results = collections.Counter()
    for copy in damaged_copies(data, arguments.kind):
        damaged.write_bytes(inside(program, data, copy) if program else copy)
        damaged.chmod(damaged.stat().st_mode | stat.S_IXUSR)
        result, output = describe([part.replace("{}", str(damaged.resolve()) if program else
                                                str(damaged)) for part in arguments.command])
        if arguments.expect and output != arguments.expect.read_bytes():
            result += ": OTHER OUTPUT"
        results[result] += 1
    for result, count in sorted(results.items()):
        print(f"{count} x {result}")
    print(f"{sum(results.values())} copies")


if __name__ == "__main__":
    main()
