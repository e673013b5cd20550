#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins the parts of the page into one text and writes it as C++.

    embed.py FOLDER D3 LICENCE OUTPUT

FOLDER/page.html has a line @STYLES@, a line @LIBRARY@, a line @DATA@ and a line @MODULES@.
FOLDER/modules.txt lists the styles and scripts of the page in their order, a file a line.
"""

import pathlib
import re
import sys

PIECE = 8000  # bytes: compilers limit the length of a literal


def read(path):
    text = pathlib.Path(path).read_text(encoding="utf-8")
    if re.search(r"</(script|style)|<!--", text, re.I):
        sys.exit(f"{path}: holds '</script', '</style' or '<!--', expected text that cannot end its element")
    return text


def literals(name, text):
    """A function that returns the text in pieces."""
    data = text.encode("utf-8")
    pieces = []
    for start in range(0, len(data), PIECE):
        octal = "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"
                        for byte in data[start:start + PIECE])
        pieces.append(f'      "{octal}",\n')
    return (f"std::span<const std::string_view> {name}() {{\n"
            f"  static constexpr std::string_view pieces[] = {{\n{''.join(pieces)}  }};\n  return pieces;\n}}\n")


def main():
    folder, library, licence, output = (pathlib.Path(name) for name in sys.argv[1:])
    page = (folder / "page.html").read_text(encoding="utf-8")
    names = [line for line in (folder / "modules.txt").read_text().splitlines() if line and line[0] != "#"]
    parts = {
        "@STYLES@\n": "".join(read(folder / name) for name in names if name.endswith(".css")),
        "@LIBRARY@\n": "/*\n" + read(licence).replace("*/", "* /") + "*/\n" + read(library),
        "@MODULES@\n": "".join(read(folder / name) for name in names if name.endswith(".js")),
    }
    for mark, text in parts.items():
        page = page.replace(mark, text)
    before, after = page.split("@DATA@\n")
    output.write_text("// Written by tool/command/report/page/embed.py.\n"
                      '#include "tool/command/report/PageText.h"\n\nnamespace sendwright {\n\n'
                      + literals("pageBeforeData", before) + "\n" + literals("pageAfterData", after)
                      + "\n} // namespace sendwright\n", encoding="ascii")


main()
