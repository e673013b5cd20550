# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes small profiles with correct checksums that describe more than there is memory or time for,
# or whose parts contradict each other.
#
# Usage: write-profiles.py FOLDER

import math
import os
import re
import struct
import sys
import zlib

folder = sys.argv[1]
table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../../analysis/mpi/MpiFunctions.def")
functions = re.findall(r"^MPI_(?!UNRECORDED)\w+\((\w+),", open(table).read(), re.M)
PRIME = [0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5]
MASK = (1 << 64) - 1


def rotate(value, by):
    return (value << by | value >> (64 - by)) & MASK


def mix(sum, lane):
    return rotate(sum + lane * PRIME[1] & MASK, 31) * PRIME[0] & MASK


def xxh64(data):
    at = 0
    if len(data) >= 32:
        sums = [PRIME[0] + PRIME[1] & MASK, PRIME[1], 0, -PRIME[0] & MASK]
        while at + 32 <= len(data):
            sums = [mix(sum, lane) for sum, lane in zip(sums, struct.unpack_from("<4Q", data, at))]
            at += 32
        hash = sum(rotate(each, by) for each, by in zip(sums, (1, 7, 12, 18))) & MASK
        for each in sums:
            hash = ((hash ^ mix(0, each)) * PRIME[0] + PRIME[3]) & MASK
    else:
        hash = PRIME[4]
    hash = hash + len(data) & MASK
    while at + 8 <= len(data):
        hash = (rotate(hash ^ mix(0, struct.unpack_from("<Q", data, at)[0]), 27) * PRIME[0] + PRIME[3]) & MASK
        at += 8
    if at + 4 <= len(data):
        hash = (rotate(hash ^ struct.unpack_from("<I", data, at)[0] * PRIME[0] & MASK, 23) * PRIME[1] + PRIME[2]) & MASK
        at += 4
    for byte in data[at:]:
        hash = rotate(hash ^ byte * PRIME[4] & MASK, 11) * PRIME[0] & MASK
    hash = (hash ^ hash >> 33) * PRIME[1] & MASK
    hash = (hash ^ hash >> 29) * PRIME[2] & MASK
    return hash ^ hash >> 32


def number(value):
    groups = b""
    while value >= 0x80:
        groups += bytes([value & 0x7F | 0x80])
        value >>= 7
    return groups + bytes([value])


def signed(value):
    return number(value << 1 if value >= 0 else ~value << 1 | 1)


def text(value):
    return number(len(value)) + value.encode()


def event(function, peer=-3, bytes_=0, site=-1, requests=()):
    mask = (4 if bytes_ else 0) | (8 if site >= 0 else 0) | (16 if requests else 0)
    coded = b"\0" + number(functions.index(function)) + signed(peer) + number(mask)
    if bytes_:
        coded += number(bytes_)
    if site >= 0:
        coded += signed(site)
    if requests:
        coded += number(len(requests)) + b"".join(map(signed, requests))
    return coded


def grammar(rules):
    coded = number(len(rules))
    for rule in rules:
        coded += number(len(rule)) + b"".join(number(symbol << 1 | inner) + number(times) for symbol, inner, times in rule)
    return coded


def rank(ranks, events, rules, world=None, callers=0, inside=None, seconds=0):
    world = list(range(ranks)) if world is None else world
    site = text("a.c") + text("") + number(12) + number(0) + struct.pack("<Q", 0) + text("")
    coded = number(1) + site + number(0) + number(0)  # sites, calls, units
    coded += number(1) + number(0) + number(0) + number(len(world))  # communicators
    coded += b"".join(signed(member - before - 1) for member, before in zip(world, [-1] + world))
    coded += number(callers) + b"\0" * callers
    coded += number(len(events)) + b"".join(events)
    if inside is None:
        coded += number(0)
    else:
        coded += number(1) + number(1) + struct.pack("<4d", 0, 0, 0, inside)
    return coded + grammar(rules) + text("") + struct.pack("<d", seconds) + number(0) + number(0)


def write(name, ranks):
    sections = [(1, 0, text("app") + number(len(ranks)))] + [(2, index, coded) for index, coded in enumerate(ranks)]
    body = entries = b""
    for tag, index, content in sections:
        packed = struct.pack("<Q", len(content)) + zlib.compress(content)
        entries += struct.pack("<IIIIQQQ", tag, index, 0, 0, 56 + len(body), len(packed), xxh64(packed))
        body += packed
    end = 56 + len(body)
    head = b"\x89SWT\r\n\x1a\n" + struct.pack("<IIQQQQ", 6, 1, end + len(entries), end, len(sections), xxh64(entries))
    open(os.path.join(folder, name), "wb").write(head + struct.pack("<Q", xxh64(head)) + body + entries)


MANY = 10**17
send, receive = event("Send", 1, 8, 0), event("Recv", 1, 8)
write("long.prof", [rank(2, [event("Send", 1 - r, 8, 0), event("Recv", 1 - r, 8)],
                         [[(1, 1, MANY)], [(r, 0, 1), (1 - r, 0, 1)]]) for r in range(2)])
write("all-to-all.prof", [rank(64, [event("Alltoall", bytes_=6400)], [[(0, 0, MANY)]]) for r in range(64)])
write("waits.prof", [rank(1, [event("Waitall", requests=range(20000))], [[(0, 0, MANY)]])])
write("deep.prof", [rank(1, [event("Barrier")], [[(1, 1, MANY)]] + [[(r + 1, 1, 1)] for r in range(1, 20000)] + [[(0, 0, 1)]])])
write("events.prof", [rank(1, [event("Barrier")] * 10000000, [[(0, 0, 1)]])])
write("callers.prof", [rank(1, [event("Barrier")], [[(0, 0, 1)]], callers=50000000)])
everyone = [0, 1, 2]
bcast = event("Bcast", 0, 8)
write("no-world.prof", [rank(3, [bcast], [[(0, 0, 1)]], world) for world in (everyone, [0, 1], [0, 1])])
# Runs on 2, 4 and 8 ranks whose overhead grows with the fourteenth power of the number of ranks.
for ranks in (2, 4, 8):
    overhead = 1e-6 * ranks**14
    write("steep-%d.prof" % ranks, [rank(ranks, [event("Barrier")], [[(0, 0, 1)]], inside=overhead / ranks,
                                         seconds=(1 + overhead) / ranks) for r in range(ranks)])
# Odd-even transposition sorts of 2^10, 2^14, 2^18 and 2^22 keys on 2 to 16 ranks: (n/p) log (n/p) + n steps of a
# microsecond.
for ranks in (2, 4, 8, 16):
    for bits in (10, 14, 18, 22):
        serial = 1e-6 * 2**bits * bits
        overhead = 1e-6 * 2**bits * (ranks - math.log2(ranks))
        write("odd-even-%d-%d.prof" % (ranks, bits), [rank(ranks, [event("Barrier")], [[(0, 0, 1)]], inside=overhead / ranks,
                                                           seconds=(serial + overhead) / ranks) for r in range(ranks)])
# Runs whose overhead goes up and down by a tenth whatever the number of ranks.
for turn, ranks in enumerate((2, 4, 8, 16, 32)):
    overhead = 1 + 0.1 * (turn % 2)
    write("noise-%d.prof" % ranks, [rank(ranks, [event("Barrier")], [[(0, 0, 1)]], inside=overhead / ranks,
                                         seconds=(10 + overhead) / ranks) for r in range(ranks)])
