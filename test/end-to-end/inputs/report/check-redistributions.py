# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report of the flame in this folder has four schedules, simulated, in which no port does two things at a time."""

import json
import pathlib

from browser import Browser
from check_report import FRAMES, check, options, select_by_keys

assert check() == ["story", "sites", "matrix", "time", "buffers", "redistributions"]
profile = json.loads(pathlib.Path("profile.json").read_text())
names = ["Sendwright", "TPDR", "MLC", "MPI_Alltoallv"]
with Browser() as browser:
    browser.open("report.html")
    browser.value(FRAMES)
    section = browser.value("Sendwright.data.sections.redistributions")
    assert section["all"] == len(section["list"]) or section["all"] > 16
    # Arrays of two dimensions: bytes are known, blocks are not. Every 20 steps of 100.
    assert all(item["before"] is None and item["site"] == "flame.c:226" for item in section["list"]), section["list"]
    assert sum(item["count"] for item in section["list"]) == 4 and profile["redistributions"] == [], section["list"]
    for item in section["list"]:
        scheduled = item["scheduled"]
        simulated, messages = scheduled["simulated"], scheduled["messages"]
        assert [each["name"] for each in simulated["schedules"]] == names, simulated
        # Rows of 64 doubles, of two arrays.
        assert not simulated["is_assumed"] and all(size % (2 * 64 * 8) == 0 for *_, size in messages), messages
        moving = {number for number, (source, destination, _) in enumerate(messages) if source != destination}
        for schedule in simulated["schedules"]:
            ports = {}
            for message, is_receive, begin, end in schedule["bars"]:
                ports.setdefault((messages[message][is_receive], is_receive), []).append((begin, end))
                assert 0 <= begin <= end <= schedule["seconds"] / simulated["seconds_of_tick"] + 2, (schedule["name"], message)
            assert {bar[0] for bar in schedule["bars"]} == moving, schedule["name"]
            for busy in ports.values():
                busy.sort()
                assert all(one[1] <= other[0] + 1 for one, other in zip(busy, busy[1:])), (schedule["name"], busy)
    boxes = "#redistributions select"
    shown = lambda: [text.split(":")[0] for text in browser.texts("#redistributions svg text") if ": " in text and "rank" not in text]
    assert shown() == names, shown()
    assert select_by_keys(browser, boxes, 1, 1) == "elements" and shown() == names[:3], shown()
    assert select_by_keys(browser, boxes, 1, -1) == "seconds"
    if len(options(browser, boxes, 0)) > 1:
        assert select_by_keys(browser, boxes, 0, 1) == "1" and shown() == names, shown()
    assert browser.value("document.querySelectorAll('#redistributions rect.bar').length") > 0
    assert browser.problems == [], browser.problems
