# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""write-halo-trace.py RANKS [ROUNDS]: a trace of ranks in a torus that exchange with their four neighbours; rank 0
sends everyone a message first."""

import math
import sys

ranks, rounds = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
side = math.isqrt(ranks)
print(f"sendwright-trace 1\nranks {ranks}")
for rank in range(ranks):
    x, y = rank % side, rank // side
    neighbours = [(x + 1) % side + y * side, (x - 1) % side + y * side, x + (y + 1) % side * side, x + (y - 1) % side * side]
    print(f"rank {rank}")
    if rank == 0:
        print("\n".join(f"send {other} bytes=64 site=halo.c:12" for other in range(1, ranks)))
    else:
        print("recv 0 site=halo.c:15")
    for _ in range(rounds):
        for number, other in enumerate(neighbours):
            print(f"irecv {other} req={number} site=halo.c:30")
        print(f"compute {1e-4 * (1 + rank % 3)}")
        for number, other in enumerate(neighbours):
            print(f"isend {other} req={number + 4} bytes={1000 * (number + 1)} site=halo.c:34")
        print("wait req=0,1,2,3,4,5,6,7 site=halo.c:36\ncollective allreduce bytes=8")
