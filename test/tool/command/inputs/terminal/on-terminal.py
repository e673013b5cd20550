# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command whose standard error is a terminal, and prints what the command writes to it.

on-terminal.py [--slow-input SECONDS] COMMAND...
With --slow-input, the command's standard input begins with what this program's standard input has
and ends after so many seconds.
"""

import os
import pty
import subprocess
import sys
import time

arguments = sys.argv[1:]
seconds = 0.0
if arguments[0] == "--slow-input":
    seconds = float(arguments[1])
    arguments = arguments[2:]
outer, inner = pty.openpty()
process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=inner)
os.close(inner)
if seconds:
    process.stdin.write(sys.stdin.buffer.read())
    process.stdin.flush()
    time.sleep(seconds)
process.stdin.close()
written = b""
while True:
    try:
        block = os.read(outer, 4096)
    except OSError:  # the other end is closed
        break
    if not block:
        break
    written += block
process.wait()
sys.stdout.write(ascii(written.decode())[1:-1] + "\n")
