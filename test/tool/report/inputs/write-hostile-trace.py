# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""write-hostile-trace.py TRACE: the trace with a file name of 10,000 characters, in which each kind of markup is."""

import pathlib
import sys
import urllib.parse

name = ("</script><script>window.taken=1</script><img src=x onerror=window.taken=1>'\"&amp;{{}}`${window.taken=1}"
        + "x" * 10000)[:10000] + "/"
print(pathlib.Path(sys.argv[1]).read_text().replace("site=app.c:42", "site=" + urllib.parse.quote(name, safe="/") + "app.c:42"), end="")
