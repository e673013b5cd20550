#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a trace in Chrome's trace event format against the format, and against what `show --json` says of the run.

    check-chrome-trace.py TRACE SHOWN

Each event has the fields that the format documents for its phase. Slices of a track nest, here: follow one another.
Each flow begins and ends once, inside a slice of its rank, and never goes back in time. Calls and bytes are those of
the profile. Prints how much was checked.
"""

import collections
import json
import re
import sys

FIELDS = {"X": {"name", "cat", "ts", "dur", "pid", "tid", "args"},
          "s": {"name", "cat", "id", "ts", "pid", "tid"},
          "f": {"name", "cat", "id", "ts", "pid", "tid", "bp"},
          "M": {"name", "pid", "args"}}
SENDS = {"MPI_Send", "MPI_Bsend", "MPI_Rsend", "MPI_Ssend", "MPI_Isend", "MPI_Ibsend", "MPI_Irsend", "MPI_Issend",
         "MPI_Sendrecv", "MPI_Sendrecv_replace"}


def nanoseconds(microseconds):
    assert isinstance(microseconds, (int, float)) and microseconds >= 0, microseconds
    return round(microseconds * 1000)


def check_fields(events):
    for event in events:
        missing = FIELDS[event["ph"]] - set(event)
        assert not missing, f"{event} lacks {missing}"


def names_of_tracks(events, ranks):
    tracks = {(event["pid"], event["tid"]): event["args"]["name"] for event in events
              if event["ph"] == "M" and event["name"] == "thread_name"}
    assert sorted(tracks.values()) == sorted(f"rank {rank}" for rank in range(ranks)), tracks
    assert any(event["ph"] == "M" and event["name"] == "process_name" for event in events)
    return {track: int(name.split()[1]) for track, name in tracks.items()}


def slices_by_rank(events, tracks):
    slices = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            begin = nanoseconds(event["ts"])
            slices[tracks[event["pid"], event["tid"]]].append((begin, begin + nanoseconds(event["dur"]), event))
    for rank, of_rank in slices.items():
        of_rank.sort(key=lambda each: each[:2])
        for one, other in zip(of_rank, of_rank[1:]):
            assert one[0] < one[1] <= other[0], f"rank {rank}: {one} and {other} overlap"
    return slices


def slice_at(slices, rank, time):
    found = [event for begin, end, event in slices[rank] if begin <= time < end]
    assert len(found) == 1, f"rank {rank} has {len(found)} slices at {time} ns"
    return found[0]


def check_flows(events, tracks, slices):
    ends = {phase: {} for phase in "sf"}
    for event in events:
        if event["ph"] in ends:
            assert event["id"] not in ends[event["ph"]], event
            ends[event["ph"]][event["id"]] = event
    assert set(ends["s"]) == set(ends["f"])
    for number, begin in ends["s"].items():
        end = ends["f"][number]
        assert end["bp"] == "e" and (begin["name"], begin["cat"]) == (end["name"], end["cat"])
        assert nanoseconds(begin["ts"]) <= nanoseconds(end["ts"]), (begin, end)
        sender, receiver = tracks[begin["pid"], begin["tid"]], tracks[end["pid"], end["tid"]]
        send = slice_at(slices, sender, nanoseconds(begin["ts"]))
        receive = slice_at(slices, receiver, nanoseconds(end["ts"]))
        assert send["name"] in SENDS and send["args"]["peer"] == receiver, (send, receiver)
        assert re.match("MPI_(M?recv|Sendrecv|Wait|Test)", receive["name"], re.I), receive
    return len(ends["s"])


def check_sums(slices, shown):
    calls, bytes_of = collections.Counter(), collections.Counter()
    for of_rank in slices.values():
        for _, _, event in of_rank:
            calls[event["name"]] += 1
            bytes_of[event["name"]] += event["args"].get("bytes", 0)
            if event["name"] in SENDS:
                assert {"bytes", "peer", "tag", "communicator"} <= set(event["args"]), event
    expected = {each["name"]: each for each in shown["functions"]}
    assert calls == {name: each["calls"] for name, each in expected.items()}, (calls, expected)
    for name, each in expected.items():
        assert bytes_of[name] == each["bytes"], (name, bytes_of[name], each)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        trace = json.load(file)
    with open(sys.argv[2], encoding="utf-8") as file:
        shown = json.load(file)
    events = trace["traceEvents"]
    check_fields(events)
    tracks = names_of_tracks(events, shown["ranks"])
    slices = slices_by_rank(events, tracks)
    flows = check_flows(events, tracks, slices)
    check_sums(slices, shown)
    places = {event["args"].get("place") for of_rank in slices.values() for _, _, event in of_rank}
    ends = [of_rank[-1][1] for _, of_rank in sorted(slices.items())]
    print(f"{len(slices)} ranks, {sum(map(len, slices.values()))} calls, {flows} messages, ranks end at", *ends)
    print("places:", *sorted(place for place in places if place))


if __name__ == "__main__":
    main()
