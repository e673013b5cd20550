# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report in this folder shows an exchange among 512 ranks as written, as `trace matrix` has it, and as it is shared."""

import json
import pathlib

from browser import Browser
from check_report import FRAMES, check, readout

SUMS = """(() => Sendwright.data.sections.matrix.matrices.map(matrix => ["messages", "bytes"].map(key =>
          Array.from(Sendwright.unpackedSmall(matrix[key])).reduce((one, other) => one + other, 0))))()"""

assert check() == ["story", "sites", "matrix", "time", "buffers"]
plan = json.loads(pathlib.Path("plan.json").read_text())["rank_counts"][0]
site = next(each for each in plan["sites"] if each["decision"] == "rewrite")
assert site["transformation"] == "message-sharing"
with Browser() as browser:
    browser.open("report.html")
    browser.value(FRAMES)
    names = browser.value("Sendwright.data.sections.matrix.matrices.map(matrix => matrix.name)")
    assert names == ["The whole run", "everywhere.c:25", "One exchange at everywhere.c:25, as written",
                     f"One exchange at everywhere.c:25, shared: {site['sharing']['method']}"], names
    whole, of_site, written, shared = browser.value(SUMS)
    assert whole == of_site == written == [512 * 24, 512 * 24 * 64], (whole, of_site, written)
    pairs = [line.split(": ")[1].split() for line in pathlib.Path("matrix").read_text().splitlines() if line[0] != "#"]
    assert sum(int(pair.split(":")[1]) for line in pairs for pair in line) == whole[0]
    # Combined messages are fewer. Each carries at least one of the messages, and a header for each.
    assert shared[0] < written[0] and shared[1] > written[1] + 24 * written[0], (written, shared)
    # 512 ranks share 96 cells, until the view has no more ranks than cells.
    browser.value("document.querySelector('#matrix canvas').focus()")
    browser.press("Escape")
    assert "and the next 5 to rank 0 and the next 5: " in readout(browser, "matrix"), readout(browser, "matrix")
    browser.press("+", 3)
    assert "and the next" not in readout(browser, "matrix"), readout(browser, "matrix")
    # A site opens with what each transformation proposed, and why.
    browser.value("Array.from(document.querySelectorAll('#sites tr.row')).find(row => row.textContent.includes('rewrite')).querySelector('button').click()")
    rows = browser.value("Array.from(document.querySelectorAll('table[data-name=proposals] tr.row'), row => Array.from(row.children, each => each.textContent))")
    decisions = {row[0]: row[4] for row in rows if row[4]}
    assert decisions["message-sharing"] == "taken" and decisions["message-ordering"] == "not taken", rows
    assert all(row[5] for row in rows if row[4] == "not taken"), rows
