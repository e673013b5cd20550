# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""write-exchange-trace.py RANKS DESTINATIONS [ROUNDS]: a trace of ranks of which each sends to so many others (some fewer,
where two of the distances are the same), spread over all ranks, receives as many, and then takes part in a sum; so many
rounds."""

import sys

ranks, destinations, rounds = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
distances = sorted({(number * number * 7 + number) % (ranks - 1) + 1 for number in range(destinations)})
print(f"sendwright-trace 1\nranks {ranks}")
for rank in range(ranks):
    print(f"rank {rank}")
    for _ in range(rounds):
        for number, distance in enumerate(distances):
            print(f"irecv {(rank - distance) % ranks} req={number} bytes=64 tag=3 site=everywhere.c:20")
        print(f"compute {1e-5 * (1 + rank % 5)}")
        for distance in distances:
            print(f"send {(rank + distance) % ranks} bytes=64 tag=3 site=everywhere.c:25")
        print("wait req=" + ",".join(map(str, range(len(distances)))) + " site=everywhere.c:28\ncollective allreduce bytes=8")
