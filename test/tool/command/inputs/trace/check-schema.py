#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-schema.py TRACE...: traces pass trace-events.schema.json. With Debian's python3-jsonschema."""

import json
import pathlib
import sys

import jsonschema

schema = json.loads(pathlib.Path(__file__).with_name("trace-events.schema.json").read_text())
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)


def problems(trace):
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in validator.iter_errors(trace)]


# The schema can fail.
event = {"ph": "X", "name": "a", "cat": "b", "ts": 0, "dur": 1, "pid": 0, "tid": 0}
assert not problems({"traceEvents": [event]})
for wrong in ({"ts": -1}, {"dur": "1"}, {"name": ""}, {"pid": "a"}, {"ph": "Q"}, {"extra": 1}, {"ph": "f"},
              {"ph": "M", "name": "thread_name", "args": {}}):
    assert problems({"traceEvents": [{**event, **wrong}]}), wrong

for name in sys.argv[1:]:
    trace = json.loads(pathlib.Path(name).read_bytes().decode("utf-8"), parse_constant=lambda word: sys.exit(f"{name}: {word} is no JSON"))
    found = problems(trace)
    assert not found, (name, found[:5])
    print(f"{name}: {len(trace['traceEvents'])} events pass")
