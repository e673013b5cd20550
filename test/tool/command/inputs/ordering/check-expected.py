# Runs `sendwright analyze ordering --json` on every pattern of expected.json in the folder, compares
# best, worst and given, and requires the order to be a permutation of the pattern that reaches best.
#
# Usage: check-expected.py SENDWRIGHT FOLDER

import json
import os
import re
import subprocess
import sys


def read_lists(name):
    lists = {}
    for line in open(name):
        line = line.split("#")[0].strip()
        if line:
            sender, rest = line.split(":", 1)
            lists[int(sender)] = [int(dest) for dest in re.findall(r"(\d+):\d+", rest)]
    return lists


def completion(order, post):
    ready = [len(list_) for list_ in order]
    for list_ in order:
        for place, destination in enumerate(list_, 1):
            ready[destination] = max(ready[destination], place)
    return max(ready[rank] + len(post.get(rank, [])) for rank in range(len(order)))


sendwright, folder = sys.argv[1:]
expected = json.load(open(os.path.join(folder, "expected.json")))
assert expected
for name, figures in expected.items():
    pre, post = (os.path.join(folder, f"{name}.{phase}.txt") for phase in ("pre", "post"))
    run = [sendwright, "analyze", "ordering", pre, post, "--json"]
    found = json.loads(subprocess.run(run, check=True, capture_output=True).stdout)
    assert {key: found[key] for key in figures} == figures, (name, found, figures)
    assert all(type(found[key]) is int for key in figures)
    given = read_lists(pre)
    assert found["ranks"] == len(found["order"]) == 24
    for rank, list_ in enumerate(found["order"]):
        assert sorted(list_) == sorted(given.get(rank, [])), (name, rank)
    assert completion(found["order"], read_lists(post)) == found["best"], name
    assert found["lower_bound"] <= found["best"], name
