# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What holds of every report, whatever run it shows.

    check(page="report.html", profile="profile.json", plan="plan.json")

opens the page wide and light, and as narrow as a telephone and dark; PLAN may be None. The page has all sections and
no error on its console, and its figures are those of `show --json`. Everything is done by keys: sorting, filtering,
opening a site, zooming, and switching the runs and messages shown, the count, the order of ranks, and the colours.
Pictures of the page stay as NAME-light.png and NAME-dark.png.
"""

import json
import pathlib

from browser import Browser

SECTIONS = ["The story", "Sites", "Who sends to whom", "When", "Buffers", "Redistributions", "Scaling"]
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def element(selector, number=0):
    return f"document.querySelectorAll({json.dumps(selector)})[{number}]"


def readout(browser, name):
    return browser.texts(f"#{name} .readout")[0]


def drawing(browser, name):
    """A number for what a canvas shows."""
    return browser.value(f"(() => {{ const text = {element(f'#{name} canvas')}.toDataURL(); let sum = 0;"
                         " for (let at = 0; at < text.length; ++at) sum = (sum * 31 + text.charCodeAt(at)) >>> 0; return sum; })()")


def select_by_keys(browser, selector, number, steps):
    """Moves the choice of a box by arrow keys; returns the value then."""
    browser.value(element(selector, number) + ".focus()")
    browser.press("ArrowDown" if steps > 0 else "ArrowUp", abs(steps))
    return browser.value(element(selector, number) + ".value")


def options(browser, selector, number):
    return browser.value(f"Array.from({element(selector, number)}.options, each => each.value)")


def check_sections(browser):
    assert browser.texts("main h2") == SECTIONS == browser.texts("#contents a"), browser.texts("main h2")
    shown = []
    for name in browser.value("Sendwright.sections.map(each => each.name)"):
        absent = browser.texts(f"#{name} .absent")
        assert len(absent) <= 1 and not any("cannot be shown" in text for text in browser.texts(f"#{name} .note")), name
        if not absent:
            # A section that is there has a table, a drawing, or says why it has neither.
            assert browser.value(element(f"#{name} table, #{name} canvas, #{name} svg, #{name} .note") + " !== undefined"), name
            shown.append(name)
    return shown


def check_figures(browser, profile, plan):
    assert browser.value("Sendwright.data.profile") == profile
    cells = [browser.texts(f"#sites table[data-name=sites] tr.row td:nth-child({column})") for column in (1, 3)]
    rows = [(f"{site['file']}:{site['line']}", f"{site['sends']:,}") for site in profile["sites"]]
    assert list(zip(*cells)) == rows, (cells, rows)
    sent = browser.value("Sendwright.data.sections.matrix.absent ? 0 : "
                         "Array.from(Sendwright.unpackedSmall(Sendwright.data.sections.matrix.matrices[0].messages)).reduce((one, other) => one + other, 0)")
    calls = sum(each["calls"] for each in profile["functions"] if each["name"] in
                ("MPI_Send", "MPI_Isend", "MPI_Ssend", "MPI_Issend", "MPI_Bsend", "MPI_Ibsend", "MPI_Rsend", "MPI_Irsend",
                 "MPI_Sendrecv", "MPI_Sendrecv_replace"))
    assert sum(site["sends"] for site in profile["sites"]) <= sent <= calls, (sent, calls)
    if plan is None:
        return
    part = next(each for each in plan["rank_counts"] if each["ranks"] == profile["ranks"])
    shown, sites = browser.value("Sendwright.data.sections.sites.plan"), part["sites"]
    for site in shown + sites:
        site.pop("hash")  # a browser's numbers have 53 bits
    assert shown == sites
    rewritten = sum(site["decision"] == "rewrite" for site in sites)
    assert f"rewrites {rewritten} of {len(sites)} loops" in browser.texts("#summary")[0], browser.texts("#summary")


def check_tables(browser):
    """Sorts each table with several rows by its last column, twice."""
    browser.value("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    for number in range(browser.value("document.querySelectorAll('main table').length")):
        table = element("main table", number)
        if browser.value(table + ".querySelectorAll('tr.row').length") < 2 or not browser.value(table + ".getClientRects().length"):
            continue
        button = table + ".querySelector('th:last-child button')"
        seen = []
        for _ in range(2):
            browser.value(button + ".focus()")
            browser.press("Enter")
            seen.append(browser.value(button + ".parentNode.getAttribute('aria-sort')"))
        assert sorted(seen) == ["ascending", "descending"], (number, seen)


def check_sites(browser):
    if not browser.texts("#sites table[data-name=sites] tr.row"):
        return
    browser.value(element("#sites table[data-name=sites] tr.row button") + ".focus()")
    browser.press("Enter")
    assert len(browser.texts("#sites tr.details")) == 1
    browser.press("Enter")
    assert browser.texts("#sites tr.details") == []
    browser.value(element("#sites input[type=search]") + ".focus()")
    for letter in "qqq":
        browser.press(letter)
    assert browser.texts("#sites table[data-name=sites] tr.row") == []
    for _ in "qqq":
        browser.press("Backspace")
    assert browser.texts("#sites table[data-name=sites] tr.row") != []


def check_surface(browser, name):
    """Zooms in and out, and moves the cursor."""
    browser.value(element(f"#{name} canvas") + ".focus()")
    browser.press("Escape")
    before, text = drawing(browser, name), readout(browser, name)
    browser.press("ArrowRight")
    browser.press("ArrowDown")
    assert readout(browser, name) != text or browser.value("Sendwright.data.profile.ranks") < 2, text
    browser.press("+", 2)
    zoomed = drawing(browser, name)
    browser.press("-", 3)
    browser.press("Escape")
    assert drawing(browser, name) == before, f"{name} is not what it was"
    return zoomed != before


def check_matrix(browser):
    zooms = check_surface(browser, "matrix")
    assert zooms or browser.value("Sendwright.data.profile.ranks") <= 4
    boxes, before = "#matrix select", drawing(browser, "matrix")
    for number, expected in ((1, "bytes"), (2, "host")):
        assert select_by_keys(browser, boxes, number, 1) == expected
    assert select_by_keys(browser, boxes, 2, 1) == "neighbours"
    select_by_keys(browser, boxes, 2, -2)
    select_by_keys(browser, boxes, 1, -1)
    assert drawing(browser, "matrix") == before
    shared = browser.value(f"Array.from({element(boxes)}.options, each => each.text).findIndex(each => each.includes(', shared:'))")
    if shared > 0:  # the messages of one exchange as written, and as they travel
        select_by_keys(browser, boxes, 0, shared - 1)
        written = drawing(browser, "matrix")
        select_by_keys(browser, boxes, 0, 1)
        assert drawing(browser, "matrix") != written
        select_by_keys(browser, boxes, 0, -shared)
    return shared > 0


def check_time(browser):
    assert check_surface(browser, "time"), "time does not zoom"
    names = options(browser, "#time select", 0) if browser.texts("#time select") else []
    for name, words in (("written", "Simulated as written"), ("planned", "Simulated with the plan"), ("recorded", "As recorded")):
        if name not in names:
            continue
        at = browser.value(element("#time select") + ".selectedIndex")
        assert select_by_keys(browser, "#time select", 0, names.index(name) - at) == name
        browser.value(element("#time canvas") + ".focus()")
        browser.press("Escape")
        assert readout(browser, "time").startswith(words), (name, readout(browser, "time"))
    for number in range(browser.value("document.querySelectorAll('#time input[type=checkbox]').length")):
        browser.value(element("#time input[type=checkbox]", number) + ".focus()")
        before = browser.value("document.activeElement.checked")
        browser.press(" ")
        assert browser.value("document.activeElement.checked") != before
        browser.press(" ")


def check_theme(browser):
    page, before = "getComputedStyle(document.body).backgroundColor", {}
    for name in ("matrix", "time"):
        if browser.value(f"!!document.querySelector('#{name} canvas')"):
            before[name] = drawing(browser, name)
    colour = browser.value(page)
    browser.value("document.getElementById('theme').focus()")
    browser.press("Enter")
    assert browser.value(page) != colour
    for name, drawn in before.items():
        assert drawing(browser, name) != drawn, f"{name} keeps its colours"
    browser.press("Enter")
    assert browser.value(page) == colour


def check(page="report.html", profile="profile.json", plan="plan.json"):
    """Returns the names of the sections that have something to show."""
    profile = json.loads(pathlib.Path(profile).read_text())
    plan = plan and json.loads(pathlib.Path(plan).read_text())
    for dark, width in ((False, 1200), (True, 380)):
        with Browser(dark=dark, width=width) as browser:
            browser.open(page)
            browser.value(FRAMES)
            shown = check_sections(browser)
            browser.picture(pathlib.Path(page).stem + ("-dark.png" if dark else "-light.png"))
            check_figures(browser, profile, json.loads(json.dumps(plan)))
            check_sites(browser)
            check_tables(browser)
            if "matrix" in shown:
                check_matrix(browser)
            if "time" in shown:
                check_time(browser)
            check_theme(browser)
            assert browser.value("document.documentElement.scrollWidth <= innerWidth"), (width, browser.value("document.documentElement.scrollWidth"))
            assert browser.problems == [], browser.problems
    return shown
