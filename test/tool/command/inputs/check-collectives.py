# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks that the figures of `sendwright analyze collectives --json` agree with one another.
#
# Usage: check-collectives.py FILE

import json
import sys

result = json.load(open(sys.argv[1]))
names = {entry["name"] for entry in result["collectives"]}
assert {"broadcast", "scatter", "gather", "allgather", "all-to-all", "reduce", "allreduce", "scan"} <= names, names
for entry in result["collectives"]:
    seconds = {row["name"]: row["seconds"] for row in entry["algorithms"]}
    assert seconds[entry["best"]] <= min(seconds.values()) * (1 + 1e-6), entry
    for row in entry["algorithms"]:
        simulated = row["simulated_seconds"]
        if row["kind"] != "estimate":
            assert simulated <= row["seconds"] * (1 + 1e-9), row
        if row["kind"] == "exact":
            assert simulated >= row["seconds"] * (1 - 1e-9), row
    starts = [part["from"] for part in entry["ranges"]]
    assert starts[0] == 0 and starts == sorted(set(starts)), entry
    # The range that holds this size names the best algorithm.
    part = [part for part in entry["ranges"] if part["from"] <= result["bytes"]][-1]
    assert part["algorithm"] == entry["best"], entry
