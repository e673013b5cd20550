# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make-picture.py PAGE SECTION PICTURE: a picture of a section of a report, as docs/images/report.png is made."""

import sys

from browser import Browser

page, section, picture = sys.argv[1:]
with Browser(width=860) as browser:
    browser.open(page)
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    browser.picture(picture, f"#{section} canvas")
