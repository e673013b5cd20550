# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""write-ring-trace.py RANKS ROUNDS: a trace of ranks that all send to the next rank before they receive, so that the
messages of each round must be buffered; every third round goes the other way."""

import sys

ranks, rounds = map(int, sys.argv[1:])
print(f"sendwright-trace 1\nranks {ranks}")
for rank in range(ranks):
    print(f"rank {rank}")
    for number in range(rounds):
        distance = -1 if number % 3 == 2 else 1
        print(f"compute {1e-5 * (1 + (rank + number) % 4)}")
        for tag in range(3):
            print(f"send {(rank + distance) % ranks} bytes=512 tag={tag} site=ring.c:{10 + distance}")
        for tag in range(3):
            print(f"recv {(rank - distance) % ranks} tag={tag} site=ring.c:20")
