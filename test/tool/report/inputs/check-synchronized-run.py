# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reports in this folder show super epochs where `analyze epochs` has them, and the plans' synchronisations."""

import json
import pathlib

from browser import Browser
from check_report import FRAMES, check, drawing, readout

KINDS = {"synchronize": 1, "announce": 2, "await": 3}
MARKS = """(() => { const run = Sendwright.data.sections.time.runs.find(run => run.name === 'planned') || Sendwright.data.sections.time.runs[0];
  const list = Sendwright.unpacked(run.marks.list, Uint32Array), marks = [];
  for (let at = 0; at < list.length; at += 4) marks.push(Array.from(list.slice(at, at + 3)).concat(list[at + 3] * run.seconds / 0xffffffff));
  return marks; })()"""

epochs = json.loads(pathlib.Path("epochs.json").read_text())
# By rank: in which super epochs it has events.
boundaries = [[int(token.split(":")[0]) for token in line.split()] for line in pathlib.Path("boundaries").read_text().splitlines()]
assert epochs["super_epochs"] > 3

for kind in ("full", "partial", "component"):
    if kind == "component":
        assert check(f"{kind}.html", "profile.json", f"{kind}.json") == ["story", "sites", "matrix", "time", "buffers"]
    plan = json.loads(pathlib.Path(f"{kind}.json").read_text())["rank_counts"][0]["synchronization"]
    with Browser() as browser:
        browser.open(f"{kind}.html")
        browser.value(FRAMES)
        marks = browser.value(MARKS)
        for rank, of_rank in enumerate(boundaries):
            begun = [number for at, mark, number, _ in marks if (at, mark) == (rank, 0)]
            assert begun == [number for number in of_rank if number > 0], (rank, begun, of_rank)
        assert [time for *_, time in marks] == sorted(time for *_, time in marks)
        acts = [mark for mark in marks if mark[1] > 0]
        if kind == "component":
            told, awaited = (sorted((rank, number) for rank, mark, number, _ in acts if mark == wanted) for wanted in (2, 3))
            assert told and awaited and sum(number for _, number in told) == len(awaited), (told, awaited)
        else:
            assert {mark for _, mark, *_ in acts} == {1} and len(acts) == plan["synchronizations"], (len(acts), plan["synchronizations"])
        assert f"{plan['synchronizations']} times, counted at each rank ({kind})" in browser.texts("#buffers")[0]
        assert len(browser.texts("table[data-name=super-epochs] tr.row")) == epochs["super_epochs"] - 1

        # The cursor says where it is; the marks can be left out.
        browser.value("document.querySelector('#time canvas').focus()")
        browser.press("Escape")
        assert "In super epoch 0." in readout(browser, "time"), readout(browser, "time")
        browser.press("ArrowRight", 40)
        assert "In super epoch 0." not in readout(browser, "time") and "In super epoch" in readout(browser, "time"), readout(browser, "time")
        with_marks = drawing(browser, "time")
        browser.value("Array.from(document.querySelectorAll('#time label')).find(each => each.textContent.includes('synchronisations')).querySelector('input').click()")
        assert drawing(browser, "time") != with_marks and "super epoch" not in readout(browser, "time")
        assert browser.problems == [], browser.problems

# Without a plan, super epochs are there to be looked at, and synchronisations are not.
with Browser() as browser:
    browser.open("plain.html")
    marks = browser.value(MARKS)
    assert {mark for _, mark, *_ in marks} == {0} and browser.value("Sendwright.data.sections.time.synchronized") is False
