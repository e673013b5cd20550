#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the ten pairs of communication patterns in patterns/, for 24 ranks. B. Ucar and C. Aykanat,
# "A Message Ordering Problem in Parallel Programs" (2004), Table 1, gives, for the communication
# before and after each of ten sparse matrix-vector multiplications, the smallest, largest and total
# number of sends of a rank, and max c'_p in the best and in the worst order; it does not print the
# patterns. The patterns here are random and agree with the table in all eight numbers.
#
# A pattern starts as random lists that prefer some receivers over others, as the hubs of a sparse
# matrix do. Hill climbing follows: of random changes that preserve minimum, maximum and total,
# those stay that do not move the best and the worst max c'_p away from the table's. The order
# within a list (the "given" order) is random.
#
# Usage: generate_patterns.py FOLDER    writes case01.pre.txt ... and patterns.json

import json
import random
import sys
from pathlib import Path

RANKS = 24

# min, max, total of PRE; the same of POST; max c'_p best, worst; milliseconds at 8, 64, 512, 1024
# bytes.
TABLE = [
    ((5, 21, 290), (6, 22, 358), 38, 42, (4.3, 4.4, 5.5, 7.2), (4.8, 5.0, 6.2, 7.8)),
    ((3, 23, 313), (11, 22, 370), 39, 45, (4.9, 5.0, 6.0, 7.3), (5.3, 5.4, 6.7, 7.8)),
    ((10, 23, 490), (15, 23, 504), 45, 46, (6.3, 6.4, 7.8, 9.7), (6.6, 6.6, 8.2, 10.1)),
    ((6, 22, 312), (10, 20, 356), 41, 42, (4.5, 4.6, 5.9, 7.3), (5.3, 5.6, 6.8, 8.2)),
    ((5, 23, 228), (7, 13, 228), 36, 36, (4.0, 4.1, 4.9, 5.9), (4.4, 4.6, 5.6, 6.6)),
    ((1, 23, 212), (4, 17, 236), 35, 40, (4.1, 4.1, 5.1, 6.0), (4.5, 4.6, 5.8, 6.7)),
    ((3, 20, 226), (7, 17, 253), 29, 37, (3.7, 3.7, 4.5, 5.3), (3.9, 3.9, 5.0, 5.9)),
    ((2, 23, 267), (4, 22, 278), 43, 45, (4.7, 4.7, 6.1, 7.6), (5.7, 5.9, 7.0, 8.1)),
    ((3, 16, 167), (4, 20, 273), 35, 36, (3.7, 4.0, 4.8, 5.6), (4.3, 4.3, 5.3, 6.0)),
    ((2, 23, 300), (10, 23, 316), 46, 46, (4.7, 4.7, 6.3, 8.0), (5.6, 5.7, 7.1, 8.3)),
]


def degrees(rng, least, most, total):
    """Random numbers of sends with exactly this minimum, maximum and sum, in random order."""
    result = [least, most]
    for left in range(RANKS - 2, 0, -1):
        rest = total - sum(result)
        low = max(least, rest - (left - 1) * most)
        high = min(most, rest - (left - 1) * least)
        result.append(min(high, max(low, round(rng.gauss(rest / left, (most - least) / 4)))))
    rng.shuffle(result)
    return result


def pattern(rng, counts):
    """For every rank a set of `counts` receivers, drawn by their popularity."""
    popularity = [rng.lognormvariate(0, 0.5) for _ in range(RANKS)]
    lists = []
    for sender, count in enumerate(counts):
        others = [p for p in range(RANKS) if p != sender]
        others.sort(key=lambda p: rng.expovariate(popularity[p]))
        lists.append(set(others[:count]))
    return lists


def completion(lists, key):
    """max c'_p: a send takes one unit, and a rank goes on when it has sent and received
    everything."""
    ready = [len(destinations) for destinations in lists]
    for destinations in lists:
        for position, receiver in enumerate(destinations):
            ready[receiver] = max(ready[receiver], position + 1)
    return max(r + k for r, k in zip(ready, key))


def by_key(lists, key, descending):
    return [sorted(d, key=lambda p: (key[p], p), reverse=descending) for d in lists]


def bounds(lists, key):
    return completion(by_key(lists, key, True), key), completion(by_key(lists, key, False), key)


def change(rng, pre, post):
    """Makes a random small change that preserves every minimum, maximum and total; returns new
    lists."""
    pre, post = [set(d) for d in pre], list(post)
    a, b = rng.sample(range(RANKS), 2)
    kind = rng.randrange(3)
    if kind == 0:  # another receiver
        free = [p for p in range(RANKS) if p != a and p not in pre[a]]
        if pre[a] and free:
            pre[a].remove(rng.choice(sorted(pre[a])))
            pre[a].add(rng.choice(free))
    elif kind == 1:  # two ranks exchange their work after the first phase
        post[a], post[b] = post[b], post[a]
    else:  # two ranks exchange their lists
        pre[a], pre[b] = pre[b], pre[a]
        for me, other in ((a, b), (b, a)):
            if me in pre[me]:
                pre[me].remove(me)
                pre[me].add(other)
    return pre, post


def search(rng, pre_shape, post_shape, best, worst):
    """Lists of the first phase and numbers of sends of the second that match the table."""
    while True:
        pre = pattern(rng, degrees(rng, *pre_shape))
        post = degrees(rng, *post_shape)
        distance = None
        for _ in range(5000):
            new_pre, new_post = change(rng, pre, post)
            found = bounds(new_pre, new_post)
            new_distance = abs(found[0] - best) + abs(found[1] - worst)
            if distance is None or new_distance <= distance:
                pre, post, distance = new_pre, new_post, new_distance
            if distance == 0:
                return pre, post


def shuffled(rng, lists, key):
    """The lists in a random order: of 200 orders, the one closest to halfway between best and
    worst."""
    best, worst = bounds(lists, key)
    orders = ([rng.sample(sorted(d), len(d)) for d in lists] for _ in range(200))
    return min(orders, key=lambda order: abs(completion(order, key) - (best + worst + 0.5) / 2))


def write(path, comment, lists):
    with open(path, "w") as out:
        print(f"# {comment} K={RANKS}", file=out)
        for sender, destinations in enumerate(lists):
            print(f"{sender}:", *(f"{d}:1" for d in destinations), file=out)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    cases = {}
    for number, (pre_shape, post_shape, best, worst, best_ms, worst_ms) in enumerate(TABLE, 1):
        rng = random.Random(number)
        name = f"case{number:02}"
        pre, key = search(rng, pre_shape, post_shape, best, worst)
        given = shuffled(rng, pre, key)
        post = [rng.sample(sorted(d), len(d)) for d in pattern(rng, key)]
        for lists, shape in ((given, pre_shape), (post, post_shape)):
            sizes = [len(d) for d in lists]
            assert (min(sizes), max(sizes), sum(sizes)) == shape
        write(folder / f"{name}.pre.txt", f"{name}, pre-communication", given)
        write(folder / f"{name}.post.txt", f"{name}, post-communication", post)
        found = bounds(pre, key)
        cases[name] = {
            "pre": pre_shape,
            "post": post_shape,
            "best": found[0],
            "worst": found[1],
            "given": completion(given, key),
            "paper": {
                "best": best,
                "worst": worst,
                "milliseconds_best": dict(zip(("8", "64", "512", "1024"), best_ms)),
                "milliseconds_worst": dict(zip(("8", "64", "512", "1024"), worst_ms)),
            },
        }
    text = ",\n".join(f'"{name}": {json.dumps(case)}' for name, case in cases.items())
    (folder / "patterns.json").write_text("{\n" + text + "\n}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: generate_patterns.py FOLDER")
    main(Path(sys.argv[1]))
