# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""print-section.py PAGE SECTION: prints the data of a section of a report as JSON."""

import json
import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
data = re.search(r'<script type="application/json" id="data">\n(.*?)</script>', page, re.S)[1]
print(json.dumps(json.loads(data)["sections"][sys.argv[2]]))
