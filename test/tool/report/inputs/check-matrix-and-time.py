# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The drawings of the report in this folder say what the run did."""

import json
import math
import pathlib
import re

from browser import Browser


def readout(browser, name):
    return browser.texts(f"#{name} .readout")[0]


def choose(browser, section, number, value):
    browser.value(f"(() => {{ const box = document.querySelectorAll('#{section} select')[{number}]; box.value = '{value}';"
                  " box.dispatchEvent(new Event('change')); })()")


def painted(browser, name):
    """How many colours a drawing has."""
    return browser.value(f"(() => {{ const canvas = document.querySelector('#{name} canvas');"
                         " const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});"
                         " copy.drawImage(canvas, 0, 0);"
                         " const data = copy.getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();"
                         " for (let at = 0; at < data.length; at += 4) seen.add(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);"
                         " return seen.size; })()")


def check_matrix(browser):
    browser.value("document.querySelector('#matrix canvas').focus()")
    browser.press("Escape")
    assert readout(browser, "matrix").startswith("Rank 0 to rank 0: 0 messages."), readout(browser, "matrix")
    browser.press("ArrowRight")  # three rounds, and the message of rank 0
    assert readout(browser, "matrix").startswith("Rank 0 to rank 1: 4 messages."), readout(browser, "matrix")
    browser.press("ArrowRight")
    assert readout(browser, "matrix").startswith("Rank 0 to rank 2: 1 message."), readout(browser, "matrix")
    choose(browser, "matrix", 1, "bytes")
    browser.press("Escape")
    browser.press("ArrowRight")
    assert readout(browser, "matrix").startswith("Rank 0 to rank 1: 3.064 kB."), readout(browser, "matrix")
    choose(browser, "matrix", 0, "2")  # the exchange alone
    browser.press("ArrowRight")
    assert readout(browser, "matrix").startswith("Rank 0 to rank 1: 3 kB."), readout(browser, "matrix")
    for order in ("host", "neighbours", "given"):
        choose(browser, "matrix", 2, order)
        assert painted(browser, "matrix") > 2
    span = browser.value("document.querySelector('#matrix canvas').clientWidth")
    browser.press("+")
    assert painted(browser, "matrix") > 2 and span > 0
    total = browser.value("Sendwright.unpackedSmall(Sendwright.data.sections.matrix.matrices[0].messages).reduce((one, other) => one + other)")
    assert total == 15 + 3 * 16 * 4, total


def check_time(browser, simulated):
    runs = browser.value("Sendwright.data.sections.time.runs.map(run => [run.name, run.seconds])")
    assert [name for name, _ in runs] == ["written", "planned"], runs
    for (_, seconds), key in zip(runs, ("before", "after")):
        assert math.isclose(seconds, max(rank["seconds"] for rank in simulated[key]["ranks"]), rel_tol=1e-9), (runs, key)
    browser.value("document.querySelector('#time canvas').focus()")
    browser.press("Escape")
    assert re.match(r"Simulated as written, rank 0 at 0 s: ", readout(browser, "time")), readout(browser, "time")
    browser.press("ArrowDown", 16)
    assert readout(browser, "time").startswith("Simulated with the plan, rank 0 at"), readout(browser, "time")
    before = readout(browser, "time")
    browser.press("ArrowRight", 25)
    assert readout(browser, "time") != before
    assert painted(browser, "time") > 6, painted(browser, "time")
    assert len(browser.texts("table[data-name=path-written] tr.row")) == min(len(simulated["before"]["steps"]), 10)
    # Time in each state, as the simulation has it.
    sums = browser.value("""(() => {
      const run = Sendwright.data.sections.time.runs[0], read = (text, type) => Sendwright.unpacked(text, type);
      const first = read(run.detail.first, Uint32Array), ends = read(run.detail.ends, Uint32Array), kinds = read(run.detail.kinds, Uint8Array);
      const sums = [0, 0, 0, 0, 0, 0, 0];
      for (let rank = 0; rank + 1 < first.length; ++rank)
        for (let at = first[rank], begin = 0; at < first[rank + 1]; begin = ends[at++])
          sums[kinds[at]] += (ends[at] - begin) / 0xffffffff * run.seconds;
      return sums; })()""")
    for state, expected in ((sums[0], "computation"), (sums[1], "overhead"), (sum(sums[2:5]), "waiting")):
        total = sum(rank[expected] for rank in simulated["before"]["ranks"])
        assert math.isclose(state, total, rel_tol=1e-3), (expected, state, total)
    browser.press("+", 4)
    assert painted(browser, "time") > 3


def check_saving(browser):
    """Each drawing makes an SVG, and each table and drawing a CSV."""
    for section, name in (("matrix", "matrix.svg"), ("time", "time.svg"), ("buffers", "buffers.svg")):
        browser.value("window.blobs = []; URL.createObjectURL = blob => { window.blobs.push(blob); return 'data:,'; };")
        browser.value(f"document.querySelector('#{section} [data-save=svg]').click()")
        text = browser.value("window.blobs[0].text()")
        assert text.startswith("<svg ") and text.count("<rect") > 3, (name, text[:200])
        browser.value(f"document.querySelector('#{section} [data-save=csv]').click()")
        assert browser.value("window.blobs[1].text()").count("\r\n") > 5
        browser.value(f"document.querySelector('#{section} [data-save=png]').click()")
        for _ in range(50):
            if browser.value("window.blobs.length") == 3:
                break
            browser.value("new Promise(done => setTimeout(done, 50))")
        assert browser.value("window.blobs[2].type") == "image/png"


simulated = json.loads(pathlib.Path("simulated.json").read_text())
epochs = json.loads(pathlib.Path("epochs.json").read_text())
for dark, width in ((False, 1200), (True, 380)):
    with Browser(dark=dark, width=width) as browser:
        browser.open("report.html")
        browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert browser.texts("#contents a") == browser.texts("main h2") and len(browser.texts("main h2")) >= 6
        check_matrix(browser)
        check_time(browser, simulated)
        buffers = browser.value("Sendwright.data.sections.buffers")
        assert all(buffers[key] == epochs[key] for key in ("epochs", "super_epochs", "buffers", "whole_program_buffers")), buffers
        assert browser.value("document.querySelectorAll('#buffers .chart rect').length") > 16
        assert browser.texts("#scaling .absent") != []
        assert browser.value("document.documentElement.scrollWidth <= innerWidth"), (width, browser.value("document.documentElement.scrollWidth"))
        if not dark:
            check_saving(browser)
        browser.picture("dark.png" if dark else "light.png")
        assert browser.problems == [], browser.problems
