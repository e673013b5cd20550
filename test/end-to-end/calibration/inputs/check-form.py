# Checks that a measured machine file has everything that docs/file-formats.md says.

import json
import sys

machine = json.load(open(sys.argv[1], encoding="utf-8"))
PARAMETERS = {"L", "o_send", "o_recv", "g", "G", "O", "O_recv"}
calibration = machine["calibration"]
wrong = []
for where, link in (("the machine", machine), ("intra", machine["intra"])):
    wrong += [f"{where} lacks {key}" for key in (PARAMETERS | {"eager_limit"}) - set(link)]
for key in PARAMETERS:
    figure = calibration["within"][key]
    if figure["stable"] or not figure["note"]:
        wrong.append(f"{key}: {figure}, expected it to be marked, with the reason")
wrong += [f"a row without {key}" for row in machine["incast"]
          for key in {"senders", "bytes", "factor", "spread", "seconds", "stable", "note"} - set(row)]
wrong += [f"{row}: without {key}" for row in machine["measured_collectives"]
          for key in {"operation", "ranks", "bytes", "seconds", "spread", "stable", "note"} - set(row)]
if {row["operation"] for row in machine["measured_collectives"] if row["bytes"] == 8} != {
        "broadcast", "scatter", "gather", "allgather", "all-to-all", "reduce"}:
    wrong.append("measured_collectives lacks operations")
wrong += [f"calibration lacks {key}" for key in
          {"mpi", "ranks", "nodes", "processors_per_node", "seconds", "unstable"} - set(calibration)]
sys.exit("\n".join(wrong) or 0)
