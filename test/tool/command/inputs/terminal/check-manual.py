# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every command has a page, and every option that its --help lists is on that page.

check-manual.py SENDWRIGHT FOLDER
"""

import os
import re
import subprocess
import sys

program, folder = sys.argv[1:]
pages = set(os.listdir(folder))


def check(words):
    text = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
    name = "-".join(["sendwright", *words]) + ".1"
    pages.remove(name)
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        page = file.read().replace("\\-", "-").replace("\\fB", " ").replace("\\fR", " ")
    options = re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", "\n".join(
        line.split("  ")[1] for line in text.splitlines() if line.startswith("  -")))
    for option in options:
        assert re.search(rf"(?<![\w-]){option}(?![\w-])", page), (name, option)
    assert options, name
    below = text.partition("Subcommands:")[2]
    for command in re.findall(r"^  (\S+)", below, re.MULTILINE):
        if command != "calibrate":  # passes --help on to the program that measures
            check([*words, command])


check([])
assert pages == {"sendwright-calibrate.1"}, pages
