# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report in this folder runs no script but its own, and shows names as text."""

import pathlib
import re

from browser import Browser

page = pathlib.Path("report.html").read_bytes()
data = page[page.index(b'id="data">'):]
data = data[:data.index(b"</script>")]
assert b"\\u003c/script\\u003e" in data and not re.search(rb"[\x00-\x09\x0b-\x1f\x7f<>&]", data[10:]), "markup in the data"
assert page.count(b"<script") == 3, page.count(b"<script")
with Browser() as browser:
    browser.open("report.html")
    browser.value("document.querySelectorAll('#sites td button').forEach(each => each.click())")
    assert browser.texts("#sites .details").count("") == 0 and len(browser.texts("#sites tr.details")) == 2
    names = browser.texts("#sites tr.row td:first-child")
    long = next(name for name in names if "window.taken" in name)
    assert "</script><script>window.taken=1</script><img src=x" in long and len(long) > 10000, long[:300]
    assert any("\\x1b[2J" in name and "\\u202e" in name for name in names), [name[-200:] for name in names]
    text = browser.value("document.body.textContent")
    assert "\x1b" not in text and "\u202e" not in text
    assert browser.value("window.taken") is None
    assert browser.value("document.querySelectorAll('img').length") == 0
    assert browser.value("document.querySelectorAll('script').length") == 3
    # A name of any length does not make the page wider than the window.
    assert browser.value("document.documentElement.scrollWidth <= innerWidth"), browser.value("document.documentElement.scrollWidth")
    assert browser.problems == [], browser.problems
