#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random runs go out as OTF2 archives and come back with the same events.

    check-otf2-round-trip.py SENDWRIGHT SEEDS

OTF2 does not say which receives had wildcards; times come back as means. So sources are named, and computation is
left out, before the texts are compared.
"""

import random
import re
import subprocess
import sys

SENDS = ["send", "ssend", "bsend", "isend", "issend", "ibsend"]
ROOTED = ["bcast", "reduce", "gather", "scatter", "gatherv", "scatterv"]
COLLECTIVES = ROOTED + ["barrier", "allreduce", "allgather", "alltoall", "allgatherv", "alltoallv", "reduce_scatter",
                        "reduce_scatter_block", "scan", "exscan"]


class Rank:
    """The lines of a rank; requests take the lowest free numbers."""

    def __init__(self):
        self.lines, self.open = [], []

    def request(self):
        number = next(each for each in range(1000) if each not in self.open)
        self.open.append(number)
        return number

    def wait(self, random_numbers, all_requests=False):
        count = len(self.open) if all_requests else random_numbers.randint(0, len(self.open))
        chosen = random_numbers.sample(self.open, count)
        self.open = [each for each in self.open if each not in chosen]
        if chosen:
            self.lines.append("wait req=" + ",".join(map(str, chosen)))


def add_message(ranks, numbers):
    sender, receiver = numbers.sample(range(len(ranks)), 2)
    keys = f"bytes={numbers.choice([1, 8, 4096, 10**12])}"
    tag, comm, site = numbers.choice([0, 5, 2**31 - 1]), numbers.randint(0, 2), numbers.randint(0, 3)
    keys += (f" tag={tag}" if tag else "") + (f" comm={comm}" if comm else "")
    place = f" site=dir/a%20b.c:{site}" if site else ""
    word = numbers.choice(SENDS)
    request = f" req={ranks[sender].request()}" if word[0] == "i" else ""
    ranks[sender].lines.append(f"{word} {receiver}{request} {keys}{place}")
    receive = numbers.choice(["recv", "irecv"])
    request = f" req={ranks[receiver].request()}" if receive == "irecv" else ""
    source, taken = (f"{sender}", "") if numbers.random() < 0.5 else ("*", f" from={sender}")
    ranks[receiver].lines.append(f"{receive} {source}{request} {keys}{taken}{place}")


def add_collective(ranks, numbers):
    name = numbers.choice(COLLECTIVES)
    word = name if numbers.random() < 0.7 else "i" + name
    keys = f" root={numbers.randrange(len(ranks))}" if name in ROOTED else ""
    keys += "" if name == "barrier" else f" bytes={numbers.randint(1, 10**9)}"
    comm = numbers.randint(0, 2)
    keys += f" comm={comm}" if comm else ""
    for rank in ranks:
        request = f" req={rank.request()}" if word != name else ""
        rank.lines.append(f"collective {word}{request}{keys}")


def random_trace(seed):
    numbers = random.Random(seed)
    ranks = [Rank() for _ in range(numbers.randint(2, 6))]
    for rank in ranks:  # so that communicators keep their numbers
        rank.lines += [f"collective barrier{comm}" for comm in ("", " comm=1", " comm=2")]
    for _ in range(numbers.randint(5, 60)):
        numbers.choices([add_message, add_collective], [4, 1])[0](ranks, numbers)
        rank = numbers.choice(ranks)
        rank.wait(numbers)
        if numbers.random() < 0.3:
            rank.lines.append(f"compute {numbers.randint(1, 9)}e-6")
    for rank in ranks:
        rank.wait(numbers, all_requests=True)
    text = f"sendwright-trace 1\nranks {len(ranks)}\n"
    return text + "".join(f"rank {number}\n" + "\n".join(rank.lines) + "\n" for number, rank in enumerate(ranks))


def comparable(text):
    lines = []
    for line in text.splitlines():
        if taken := re.search(r" from=(\d+)", line):
            line = line.replace(taken[0], "").replace("recv *", f"recv {taken[1]}")
        if not line.startswith("compute"):
            lines.append(line)
    return lines


def main():
    def trace(*arguments, given=b""):
        return subprocess.run([sys.argv[1], "trace", *arguments], input=given, stdout=subprocess.PIPE,
                              check=True).stdout

    for seed in range(int(sys.argv[2])):
        text = random_trace(seed)
        profile = trace("import", "-", "-o", "-", given=text.encode())
        trace("export", "-", "--format", "otf2", "-o", "run.otf2", given=profile)
        profile = trace("import", "run.otf2", "-o", "-")
        given, back = comparable(text), comparable(trace("export", "-", "-o", "-", given=profile).decode())
        for number, (one, other) in enumerate(zip(given, back)):
            assert one == other, f"seed {seed}, event {number}: given {one}, back {other}"
        assert len(given) == len(back), f"seed {seed}"
    print(f"{sys.argv[2]} runs came back")


if __name__ == "__main__":
    main()
