#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints PRE with the destinations of every line sorted by how much they send in POST: ascending
# gives the paper's worst order, descending its best. For comparison only; a program that is rebuilt
# with a plan needs no sorted files.
#
# Usage: sort_pattern.py PRE POST ascending|descending

import sys


def lines(name):
    with open(name) as file:
        for line in file:
            sender, colon, rest = line.partition(":")
            if colon and not line.startswith("#"):
                yield int(sender), rest.split()


def main(pre, post, direction):
    sends = {sender: len(destinations) for sender, destinations in lines(post)}

    def key(entry):
        return sends.get(int(entry.split(":")[0]), 0)

    with open(pre) as file:
        print(file.readline().rstrip())
    for sender, destinations in lines(pre):
        print(f"{sender}:", *sorted(destinations, key=key, reverse=direction == "descending"))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in ("ascending", "descending"):
        sys.exit("usage: sort_pattern.py PRE POST ascending|descending")
    main(*sys.argv[1:])
