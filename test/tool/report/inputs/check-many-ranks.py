# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In many.html 529 ranks share 96 cells across and down; synchronized.html opens."""

from browser import Browser

with Browser() as browser:
    browser.open("many.html")
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    browser.value("document.querySelector('#matrix canvas').focus()")
    browser.press("Escape")
    readout = browser.texts("#matrix .readout")[0]
    # Ranks 0 to 5 in a torus of 23 by 23: ten messages in a row, twice, and five from rank 0.
    assert readout.startswith("Rank 0 and the next 5 to rank 0 and the next 5: 25 messages."), readout
    browser.press("+", 7)
    browser.press("ArrowRight")
    readout = browser.texts("#matrix .readout")[0]
    assert readout.startswith("Rank 0 to rank 1: 3 messages."), readout
    browser.press("Escape")
    assert "and the next 5" in browser.texts("#matrix .readout")[0]
    rows = browser.value("Sendwright.data.sections.time.runs.map(run => run.rows)")
    assert rows == [256], rows
    assert browser.value("document.querySelectorAll('#buffers .chart rect').length") < 200
    assert browser.problems == [], browser.problems
    browser.picture("many.png")
    browser.open("synchronized.html")
    assert browser.texts("main h2") == browser.texts("#contents a")
    assert browser.texts("main .note")[0] and browser.problems == [], browser.problems
