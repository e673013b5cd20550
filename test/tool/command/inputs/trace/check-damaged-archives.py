#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shortens and removes each file of traces.otf2 in turn: one line, exit status 1, no profile.

    check-damaged-archives.py SENDWRIGHT
"""

import pathlib
import shutil
import subprocess
import sys


def check(what):
    result = subprocess.run([sys.argv[1], "trace", "import", "damaged/traces.otf2", "-o", "damaged.prof"],
                            capture_output=True, text=True, check=False)
    lines = result.stderr.splitlines()
    assert result.returncode == 1 and len(lines) == 1, (what, result)
    assert lines[0].startswith("damaged/traces.otf2: ") and not result.stdout, (what, result)
    assert not pathlib.Path("damaged.prof").exists(), what


def main():
    files = ["traces.otf2", "traces.def", "traces/0.evt", "traces/4294967303.evt"]
    for name in files:
        size = pathlib.Path(name).stat().st_size
        for kept in (None, 0, size // 2, size - 10):
            shutil.rmtree("damaged", ignore_errors=True)
            pathlib.Path("damaged").mkdir()
            shutil.copytree("traces", "damaged/traces")
            for whole in ("traces.otf2", "traces.def"):
                shutil.copy(whole, "damaged")
            damaged = pathlib.Path("damaged", name)
            damaged.unlink()
            if kept is not None:
                damaged.write_bytes(pathlib.Path(name).read_bytes()[:kept])
            check((name, kept))


if __name__ == "__main__":
    main()
