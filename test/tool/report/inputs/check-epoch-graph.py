# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph of an epoch in the report of this folder has what the drawing epoch.svg has."""

import re
import pathlib

from browser import Browser

drawing = pathlib.Path("epoch.svg").read_text(encoding="utf-8")
with Browser(dark=False, width=380) as browser:
    browser.open("report.html")
    assert browser.value("document.querySelectorAll('#epoch-graph circle').length") == drawing.count("<circle") == 4
    assert browser.value("document.querySelectorAll('#epoch-graph path.message').length") == 2
    assert browser.value("document.querySelectorAll('#epoch-graph path.order').length") == 2
    hints = browser.texts("#epoch-graph circle title")
    assert hints[0] == 'rank 1: MPI_Send to rank 2 at a<b".c:12', hints
    assert len(hints) == len(re.findall("<title>rank", drawing)), hints
    # Another epoch, by keys.
    box = "document.querySelector('#buffers select')"
    assert browser.value(box + ".options.length") == 2, browser.texts("#buffers select")
    words = browser.texts("#buffers figure .note")
    browser.value(box + ".focus()")
    browser.press("ArrowDown")
    assert browser.value("document.querySelectorAll('#epoch-graph path.message').length") == 2
    assert browser.texts("#buffers figure .note") != words and browser.problems == [], browser.problems
    assert browser.value("document.documentElement.scrollWidth <= innerWidth")
