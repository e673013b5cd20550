# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The redistributions in report.html have the costs of `sendwright analyze redistribution`, and no port does two
things at a time."""

import json
import os
import pathlib
import subprocess

from browser import Browser


def analyzed(item):
    sizes = [",".join(map(str, item[key])) for key in ("before", "after")]
    return json.loads(subprocess.check_output([os.environ["SENDWRIGHT"], "analyze", "redistribution", "--old", sizes[0],
                                               "--new", sizes[1], "--rlr", "1", "--json"]))


profile = json.loads(pathlib.Path("profile.json").read_text())
with Browser() as browser:
    browser.open("report.html")
    section = browser.value("Sendwright.data.sections.redistributions")
    # Behind those whose blocks are known: what ranks recorded at calls of other directives.
    known = [shown for shown in section["list"] if shown["before"]]
    assert section["all"] == len(section["list"]) and len(known) == len(profile["redistributions"]) > 0
    for shown, item in zip(known, profile["redistributions"], strict=True):
        assert all(shown[key] == item[key] for key in item), (shown, item)
        expected, scheduled = analyzed(item), shown["scheduled"]
        assert scheduled["messages"] == expected["messages"]
        costs = [schedule["elements"] for schedule in scheduled["schedules"]]
        assert costs == [expected["asynchronous"]["makespan"], expected["schedules"]["tpdr"]["cost"], expected["schedules"]["mlc"]["cost"]], costs
        for schedule in scheduled["schedules"]:
            ports = {}
            for message, begin, end in schedule["bars"]:
                source, destination, elements = scheduled["messages"][message]
                assert end - begin == elements and end <= schedule["elements"]
                if source != destination:
                    ports.setdefault(("from", source), []).append((begin, end))
                    ports.setdefault(("to", destination), []).append((begin, end))
            for busy in ports.values():
                busy.sort()
                assert all(one[1] <= other[0] for one, other in zip(busy, busy[1:])), busy
    assert [load["array"] for load in section["loads"]] == [load["array"] for load in profile["loads"]]
    assert len(browser.texts("#redistributions p.load")) == len(section["loads"])
    assert len(browser.texts("#redistributions svg text")) >= 9
    assert browser.value("document.querySelectorAll('#redistributions svg rect').length") > 4
    assert browser.problems == [], browser.problems
    browser.picture("report.png", "#redistributions")
