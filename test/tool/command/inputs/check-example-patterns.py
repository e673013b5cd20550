# Compares best, worst and given of `sendwright analyze ordering --json` with patterns.json of the
# folder, and both with the paper's figures that stand there too.
#
# Usage: check-example-patterns.py SENDWRIGHT FOLDER

import json
import subprocess
import sys

sendwright, folder = sys.argv[1:]
cases = json.load(open(f"{folder}/patterns.json"))
assert len(cases) == 10
for name, case in cases.items():
    run = [sendwright, "analyze", "ordering", f"{folder}/{name}.pre.txt", f"{folder}/{name}.post.txt", "--json"]
    found = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    assert found["ranks"] == 24, (name, found["ranks"])
    for figure in ("best", "worst", "given"):
        assert found[figure] == case[figure], (name, figure, found[figure], case[figure])
    for figure in ("best", "worst"):
        assert found[figure] == case["paper"][figure], (name, figure, found[figure])
