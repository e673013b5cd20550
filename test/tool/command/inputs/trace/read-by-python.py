#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""read-by-python.py ARCHIVE: a line for each event, as OTF2's own reader for Python (Debian's python3-otf2) has it."""

import sys

import otf2

with otf2.reader.open(sys.argv[1]) as trace:
    print("ranks", len(list(trace.definitions.locations)), "communicators", len(list(trace.definitions.comms)))
    for location, event in trace.events:
        words = [location.name, type(event).__name__]
        if isinstance(event, (otf2.events.Enter, otf2.events.Leave)):
            words.append(event.region.name)
        if hasattr(event, "msg_tag"):
            words += ["tag", event.msg_tag, "bytes", event.msg_length]
        print(*words)
