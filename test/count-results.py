#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Counts the tests in the XML files that GoogleTest and lit wrote below a folder: prints the number
# that passed and the number that did not, and names the latter on standard error. A test skipped
# because something is missing did not pass; a test that was not asked for, or that does not apply
# here, does not count.
#
# Usage: count-results.py FOLDER

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

NOT_COUNTED = ("Test not selected", "Unsupported configuration")

passed = failed = 0
for file in sorted(Path(sys.argv[1]).rglob("*.xml")):
    for case in ElementTree.parse(file).iter("testcase"):
        if any((c.get("message") or "").startswith(NOT_COUNTED) for c in case if c.tag == "skipped"):
            continue
        bad = [c.tag for c in case if c.tag in ("failure", "error", "skipped")]
        if bad or case.get("status") == "notrun":
            failed += 1
            print(f"{(bad or ['not run'])[0]}: {case.get('classname')} {case.get('name')}", file=sys.stderr)
        else:
            passed += 1
print(passed, failed)
sys.exit(0 if passed + failed > 0 else 1)
