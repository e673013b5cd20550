# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report in this folder shows what the commands print as JSON."""

import json
import math
import pathlib

from browser import Browser


def load(name):
    return json.loads(pathlib.Path(name).read_text())


def column(browser, number):
    return browser.texts(f"#sites table[data-name=sites] tr.row td:nth-child({number})")


profile, plan, simulated = load("profile.json"), load("plan.json"), load("simulated.json")
sites, planned = profile["sites"], plan["rank_counts"][0]["sites"]
with Browser() as browser:
    browser.open("report.html")
    assert browser.problems == [], browser.problems
    assert browser.texts("#contents a")[:2] == ["The story", "Sites"]

    # The story, and the figures of efficiency.
    story = browser.texts("#summary")[0]
    rewritten = sum(site["decision"] == "rewrite" for site in planned)
    assert f"ran on {profile['ranks']} ranks" in story and f"rewrites {rewritten} of {len(planned)} loops" in story, story
    assert browser.texts("table[data-name=efficiency] tr.row td:first-child") == ["Simulated as written", "Simulated with the plan"]
    figures = browser.value("Sendwright.data.sections.story.efficiency")
    assert math.isclose(figures[0]["seconds"], simulated["seconds"]), figures
    assert math.isclose(figures[1]["seconds"], simulated["planned_seconds"]), figures

    # Sites, as `show` has them.
    def row(site):
        return [f"{site['file']}:{site['line']}", f"{site['sends']:,}", f"{site['bytes']} B"]
    shown = [list(each) for each in zip(column(browser, 1), column(browser, 3), column(browser, 4))]
    assert shown == [row(site) for site in sites], shown
    decisions = {f"{site['file']}:{site['line']}": site for site in planned}
    for name, decision in zip(column(browser, 1), column(browser, 7)):
        site = decisions[name]
        assert decision == ("rewrite: " + site["transformation"] if site["decision"] == "rewrite" else "leave"), (name, decision)

    # Sorting by the number of messages, twice; by keys.
    heading = "document.querySelectorAll('#sites table[data-name=sites] th button')[2]"
    for direction in ("descending", "ascending"):
        browser.value(heading + ".focus()")
        browser.press("Enter")
        counts = [int(text) for text in column(browser, 3)]
        assert counts == sorted((site["sends"] for site in sites), reverse=direction == "descending"), counts
        assert browser.value(heading + ".parentNode.getAttribute('aria-sort')") == direction

    # Filtering by words.
    browser.value("document.querySelector('#sites input').focus()")
    for letter in ":58":
        browser.press(letter)
    assert column(browser, 1) == ["app.c:58"], column(browser, 1)

    # Opening a site: its source and the plan's reason.
    browser.value("document.querySelector('#sites tr.row button').focus()")
    browser.press("Enter")
    assert browser.texts("#sites .source .here") == ["   58  line 58 of app.c"], browser.texts("#sites .source .here")
    assert browser.texts("#sites .reason") == [f"{decisions['app.c:58']['decision']}: {decisions['app.c:58']['reason']}"]
    assert browser.value("document.activeElement.getAttribute('aria-expanded')") == "true"
    browser.press("Enter")
    assert browser.texts("#sites .source") == []

    # Dark and light.
    page = "getComputedStyle(document.body).backgroundColor"
    light = browser.value(page)
    browser.value("document.getElementById('theme').focus()")
    browser.press("Enter")
    assert browser.value(page) != light
    assert browser.problems == [], browser.problems
    browser.picture("report.png")
