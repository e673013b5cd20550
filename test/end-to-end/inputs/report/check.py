# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reports in this folder show what the commands print as JSON."""

import json
import math
import pathlib

from browser import Browser
from check_report import check


def load(name):
    return json.loads(pathlib.Path(name).read_text())


assert check() == ["story", "sites", "matrix", "time", "buffers"]
profile, plan = load("profile.json"), load("plan.json")
with Browser() as browser:
    browser.open("report.html")
    # What `show` prints, without loss.
    assert browser.value("Sendwright.data.profile") == profile
    shown, sites = browser.value("Sendwright.data.sections.sites.plan"), plan["rank_counts"][0]["sites"]
    for site in (*shown, *sites):
        del site["hash"]  # a browser's numbers have 53 bits
    assert shown == sites
    rows = browser.texts("table[data-name=efficiency] tr.row td:first-child")
    assert rows == ["As recorded", "Simulated as written", "Simulated with the plan"], rows
    recorded = browser.value("Sendwright.data.sections.story.efficiency[0]")
    assert math.isclose(recorded["seconds"], profile["seconds"])
    assert 0 < recorded["parallel_efficiency"] < 1
    for run in browser.value("Sendwright.data.sections.story.efficiency"):
        for whole, parts in (("parallel_efficiency", ("load_balance", "communication_efficiency")),
                             ("communication_efficiency", ("serialisation_efficiency", "transfer_efficiency"))):
            assert math.isclose(run[whole], run[parts[0]] * run[parts[1]], rel_tol=1e-9), run

    rewritten = next(site for site in plan["rank_counts"][0]["sites"] if site["decision"] == "rewrite")
    browser.value("Array.from(document.querySelectorAll('#sites tr.row')).find(row => row.textContent.includes('rewrite')).querySelector('button').click()")
    assert "for (i = 0; i < phase->send_count; i++)" in browser.texts("#sites .source .here")[0]
    assert browser.texts("#sites .reason") == ["rewrite: " + rewritten["reason"]]
    added = browser.texts("#sites .diff .added")
    assert added and any("sendwright_batch" in line for line in added), added
    proposals = browser.texts("table[data-name=proposals] tr.row td:first-child")
    assert "message-ordering" in proposals and "message-sharing" in proposals, proposals
    sent = browser.value("Sendwright.unpackedSmall(Sendwright.data.sections.matrix.matrices[0].messages).reduce((one, other) => one + other)")
    assert sent == sum(site["sends"] for site in profile["sites"]), sent
    assert [run[0] for run in browser.value("Sendwright.data.sections.time.runs.map(run => [run.name])")] == ["recorded", "written", "planned"]
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    browser.picture("report.png")
    assert browser.problems == [], browser.problems

    browser.open("ring.html")
    scaling = load("scaling.json")
    assert browser.value("Sendwright.data.sections.scaling") == scaling
    assert browser.texts("table[data-name=scaling] tr.row td:first-child") == ["2", "3"]
    assert browser.value("document.querySelectorAll('#scaling .chart svg').length") >= 2
    assert browser.problems == [], browser.problems
