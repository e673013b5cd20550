# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""M. Duymus, Performance improvement on latency-bound parallel HPC applications (Bilkent University, 2021)."""

import json
import math
import re
import tempfile
from pathlib import Path

from rows import BETTER, DIFFERS, NOT_REPEATED, REPRODUCED, Result, Table

SHORT = "Message sharing"
TITLE = "Message sharing, against its thesis"
ABOUT = """
M. Duymuş, *Performance improvement on latency-bound parallel HPC applications by message sharing between
processors* (Bilkent University, 2021): ranks in pairs send some of each other's messages (Phase I), and the busiest
rank hands messages to the idlest (Phase II). Ours: [message sharing](../transformations/message-sharing.md).
"""
SIMULATED = "all"  # each takes minutes of a processor


def twins(tools):
    patterns = tools.build / "twins"  # dividing all of them takes an hour
    file = patterns / "twins.json"
    tools.script("test/benchmark/sharing/matrices/run", "--build", tools.build, "--twins", "all", "--patterns", patterns,
                 "--simulate", SIMULATED, "--json", file)
    return json.loads(file.read_text())


MEASUREMENTS = {"sharing-twins": twins}
NUMBERED = (*(f"Fig. 2.{number}" for number in (1, 2, 3)), "Fig. 3.1", *(f"Fig. 4.{number}" for number in range(1, 10)),
            "Equation (4.1)", *(f"Table 6.{number}" for number in range(1, 5)),
            *(f"Algorithm {number}" for number in range(1, 5)))
PATTERNS = "test/benchmark/sharing/patterns"
TABLES = f"build/bin/sharing-benchmark tables {PATTERNS}"
ANALYZE = "build/bin/sendwright analyze sharing MATRIX"
# Table 6.1: rows, nonzeros, cv. Table 6.2: average initial, after I, after II; busiest likewise. Table 6.4: overhead.
MATRICES = {"cbuckle": (13681, 676515, 0.16, 7.43, 7.36, 7.6, 62, 41, 8, 0.02),
            "msc10848": (10848, 1229778, 0.42, 16.95, 16.62, 17.05, 67, 34, 18, 0),
            "fe_rotor": (99617, 1324862, 0.29, 12.68, 12.32, 12.75, 41, 23, 14, 0),
            "sparsine": (50000, 1548988, 0.36, 76.21, 56.87, 57.01, 223, 80, 58, 0.24),
            "coAuthorsDBLP": (299067, 1955352, 1.50, 175.02, 48.65, 48.89, 288, 216, 50, 9.56),
            "net125": (36720, 2577200, 0.95, 106.44, 52.01, 52.03, 209, 123, 53, 1.79),
            "nd3k": (9000, 3279360, 0.26, 59.15, 24.28, 24.88, 107, 47, 26, 0.9),
            "GaAsH6": (61349, 3381809, 2.44, 75.96, 25.66, 26.18, 227, 77, 27, 0.84),
            "pkustk04": (55590, 4218660, 1.46, 18.52, 17.4, 17.87, 101, 51, 19, 0),
            "gupta2": (62064, 4248286, 5.20, 154.37, 31.08, 31.73, 276, 132, 33, 3.47),
            "TSOPF_FS_b300_c2": (56814, 8767466, 6.23, 140.93, 74.29, 74.31, 497, 249, 124, 0.01),
            "pattern1": (19242, 9323432, 0.78, 70.41, 7.76, 8.06, 472, 61, 9, 3.61),
            "SiO2": (155331, 11283503, 4.05, 156.86, 23.92, 25.4, 298, 147, 26, 1.12),
            "human_gene_2": (14340, 18068388, 1.09, 393.25, 30.48, 30.66, 511, 256, 114, 1.27),
            "coPapersCiteseer": (434102, 32073440, 1.37, 102.99, 46.83, 47.1, 226, 131, 48, 6.15)}
FROM_USER = "test/benchmark/sharing/matrices/run FOLDER --twins all"
TWINS = "test/benchmark/papers sharing --measure --only sharing-twins"
COLUMNS = ("initial", "I", "I, II", "grid", "selected")


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def shared(tools, pattern):
    with tools.matrices(pattern) as (name,):
        return tools.analyze("sharing", name)


def pair(first, second, common):
    """Ranks 0 and 1 send to so many others, `common` of them the same."""
    ranks = 2 + first + second - common
    pattern = [[] for _ in range(ranks)]
    pattern[0] = list(range(2, 2 + first))
    pattern[1] = list(range(2 + first - common, ranks))
    return pattern


def as_printed(pattern, iterations):
    """What is left of the first two ranks' counters after so many iterations of the loop of Algorithm 1, in which
    Algorithm 2 shares. The maximum is not reset, so both ranks are paired again each time."""
    sets = [set(row) for row in pattern]
    counters, most, busiest, before = [len(row) for row in pattern], 0, 0, (-1, -1)
    for _ in range(iterations):
        if before == (busiest, counters[busiest]):
            break
        for rank, counter in enumerate(counters):
            if counter > most:
                most, busiest = counter, rank
        before = busiest, counters[busiest]
        friend = max((rank for rank in range(len(sets)) if rank != busiest),
                     key=lambda rank: len(sets[rank] & sets[busiest]))
        common = len(sets[busiest] & sets[friend])
        given = common if counters[friend] + common <= counters[busiest] else \
            (common + counters[busiest] - counters[friend]) // 2
        counters[busiest] -= given
        counters[friend] -= common - given
    return counters[:2]


def background(tools, result):
    result.add("Fig. 2.1, y = Ax by columns", "4 ranks, 8 x 8", "`examples/spmv --by columns`, any matrix", REPRODUCED,
               "the drawing's nonzeros are not in the text", "examples/spmv/simulate build 64 --power-law 4096 --by columns")
    rows = [{1: 2}, {0: 5, 3: 3}, {0: 1, 3: 6}, {2: 2}]
    found = shared(tools, rows)
    good = result.expect("Fig. 2.2", [found["messages"], found["direct"]["max_sends"]], [6, 2])
    result.add("Fig. 2.2, CRS of a matrix", "6 messages of 4 ranks", f"{found['messages']} messages",
               REPRODUCED if good else DIFFERS, "its column indices count from 1, its pointers from 0", ANALYZE)
    rows = [[1, 2, 3], [], [3, 4], [], []]
    found = shared(tools, rows)
    result.expect("Fig. 2.3", [found["direct"]["max_sends"], found["phase1"]["counter_max"]], [3, 2])
    result.add("Fig. 2.3, a combined message", "P1 from 3 messages to 2", f"busiest rank from "
               f"{found['direct']['max_sends']} to {found['phase1']['counter_max']}", REPRODUCED, "", ANALYZE)
    grid = [[] for _ in range(9)]
    grid[0] = [2, 8]
    found = shared(tools, grid)["store-and-forward"]["2"]
    result.expect("Fig. 3.1", [found["max_hops"], found["verified"]], [2, True])
    result.add("Fig. 3.1, 9 ranks in two dimensions", "to P3 directly, to P9 through P7",
               f"at most {found['max_hops']} hops; ours corrects the lowest dimension first, through P3", REPRODUCED,
               "which dimension comes first is free", "build/bin/analysis-tests --gtest_filter='StoreAndForward.*'")


def phase_one(tools, result):
    found = shared(tools, pair(6, 6, 6))
    one = found["phase1"]
    good = result.expect("Figs. 4.1, 4.2", [found["direct"]["max_sends"], one["counter_max"], one["union_max"]], [6, 3, 4])
    result.add("Fig. 4.1, two ranks, six common targets", "6 messages each", str(found["direct"]["max_sends"]),
               REPRODUCED, "", "build/bin/analysis-tests --gtest_filter='SenderSharing.TheThesissExamplesOfTwoRanks'")
    result.add("Fig. 4.2, after sharing", "3 and the one to the other: 4", f"{one['counter_max']} counted, "
               f"{one['union_max']} sent", REPRODUCED if good else DIFFERS, "" if good else "see the command",
               "build/bin/analysis-tests --gtest_filter='SenderSharing.TheThesissExamplesOfTwoRanks'")
    few, many = (shared(tools, pair(100, 80, common))["phase1"] for common in (10, 40))
    good = result.expect("Section 4.2", [few["counter_max"], many["counter_max"]], [90, 70])
    result.add("Sections 4.2.1, 4.2.2: 100 and 80 messages", "90 with 10 in common, 70 with 40",
               f"{few['counter_max']}, {many['counter_max']}", REPRODUCED if good else DIFFERS,
               "" if good else "see the command", ANALYZE)
    result.add("Equation (4.1)", "alpha = (|C| + max - friend) / 2", "the same, rounded down", REPRODUCED, "",
               "build/bin/analysis-tests --gtest_filter='SenderSharing.*'")
    sizes = as_printed(pair(6, 6, 6), 100)
    result.expect("Algorithm 1 as printed", sizes, [-294, -294])
    result.add("Algorithm 1", "the maximum is set to 0 once, before the loop", "anew in each iteration", DIFFERS,
               "as printed it never ends: it finds the first maximum again and again, and Algorithm 2 subtracts the same "
               f"messages each time (Fig. 4.1: {sizes[0]} messages of each rank after 100 iterations)",
               "test/benchmark/papers sharing")
    for item in ("Fig. 4.3, CRS of 4 ranks", "Fig. 4.4, counting common targets", "Fig. 4.5, the array of senders"):
        result.add(item, "data structures", "`analysis/sharing/search/SenderSharing.cpp`, with sorted lists", REPRODUCED,
                   "the drawing's numbers are only partly in the text; P0 and P3 have two common targets there and here",
                   "build/bin/analysis-tests --gtest_filter='SenderSharing.*'")
    result.add("Algorithm 2; Fig. 4.6, case 1", "singleton to singleton", "the same", REPRODUCED,
               "its test for equal sharing reads <= where the text reads <: alpha is the same",
               "build/bin/analysis-tests --gtest_filter='SenderSharing.*'")
    for item in ("Fig. 4.7, case 2", "Fig. 4.8, case 3", "Fig. 4.9, case 4"):
        result.add(item, "pairs that were paired before", "the same", REPRODUCED, "",
                   "build/bin/analysis-tests --gtest_filter='SenderSharing.ASecondPartnerTakesWhatTheFirstOneLeft'")
    result.add("Algorithm 3", "targets within a group are not shared", "the same", REPRODUCED, "",
               "build/bin/analysis-tests --gtest_filter='Patterns/KnownSharingFigures*'")


def phase_two(tools, result):
    result.add("Algorithm 4", "maximum and minimum are set to 0 once; alpha = (max - min) / 2", "both in each iteration",
               DIFFERS, "as printed no rank ever sends fewer than 0 messages, so rank 0 counts as the idlest throughout, and "
               "no other than the first maximum gives messages away", "build/bin/analysis-tests --gtest_filter='SenderSharing.PhaseTwo*'")
    with_hops = tools.analyze("sharing", tools.top / PATTERNS / "email-Enron.512.txt")
    two = with_hops["phase2"]
    good = result.expect("Phase II", [two["stages"], with_hops["phase1"]["stages"]], [4, 2])
    result.add("Phase II: stages", "not said", f"{two['stages']} stages, {two['max_hops']} hops; Phase I "
               f"{with_hops['phase1']['stages']}", DIFFERS,
               "it gives away hops of routes, not messages: executed with one message to each partner ranks wait in a "
               "circle" if good else "see the command",
               f"build/bin/sendwright analyze sharing {PATTERNS}/email-Enron.512.txt")
    one = with_hops["phase1"]
    result.expect("counters", [one["counter_max"], one["union_max"]], [115, 170])
    result.add("Counting: handing over", "left out; the overhead is called small",
               f"email-Enron, 512 ranks: {one['counter_max']} counted, {one['union_max']} sent", DIFFERS,
               "the message to the partner is not counted; with many partners it is not small",
               f"build/bin/sendwright analyze sharing {PATTERNS}/email-Enron.512.txt")
    direct = with_hops["direct"]
    result.add("Counting: receives", "left out", f"email-Enron, 512 ranks: {two['max_receives']} after both phases, "
               f"{direct['max_receives']} before", DIFFERS, "a rank that relays receives more than it did",
               f"build/bin/sendwright analyze sharing {PATTERNS}/email-Enron.512.txt")


def parse_tables(text):
    """Rows of sharing-benchmark tables: name, averages and maxima (initial, grid, I, II), overhead."""
    rows = []
    for line in text.splitlines():
        found = re.match(r"(\S.*?)\s{2,}((?:[\d.]+\s+){8}[\d.]+)$", line)
        if found:
            rows.append([found[1], *map(float, found[2].split())])
    return rows


def percent(part, whole):
    return f"{100 * (part / whole - 1):+.0f} %"


def simulated_rows(result, rows):
    """The twins whose exchanges were executed on a simulated network."""
    known = [row for row in rows if "simulated" in row]
    if not known:
        return
    result.tables.append(Table(
        "Twins: simulated time", "Microseconds until the last rank is through, the routes executed by the runtime on the "
        "simulated InfiniBand network (`examples/platforms/infiniband.xml`, whose machine file selects), 512 ranks, items "
        "of 8 bytes. *grid*: the smallest maximum with up to five dimensions; empty: not simulated.", ["twin of", "direct", *COLUMNS[1:], "selected method"],
        [[row["matrix"], *(f"{row['simulated'][column]:.1f}" if column in row["simulated"] else "" for column in COLUMNS),
          row["simulated method"]]
         for row in known]))
    full = [row["simulated"] for row in known if all(column in row["simulated"] for column in COLUMNS)]
    means = {column: geometric([times[column] / times["initial"] for times in full]) for column in COLUMNS}
    fastest = sum(times["selected"] <= 1.001 * min(times.values()) for times in full)
    result.add("Time of the methods", "not measured: messages are counted", f"{len(full)} twins executed on a simulated network, "
               f"in means of direct: Phase I {means['I']:.2f}, I and II {means['I, II']:.2f}, grid {means['grid']:.2f}, ours "
               f"{means['selected']:.2f}; ours is the fastest for {fastest}", BETTER if means["selected"] <= min(means.values())
               else DIFFERS, "routes in several stages send the fewest messages and wait least", TWINS)


def twin_rows(tools, result):
    """Tables 6.1 to 6.3 for the twins, whose analyses were kept."""
    rows = [row for row in tools.measured("sharing-twins") or [] if row["twin"]]
    assert rows, f"{TWINS} comes first"
    count = f"{len(rows)} twins"
    off = {row["matrix"]: row["cv"] / MATRICES[row["matrix"]][2] - 1 for row in rows}
    far = [f"{row['matrix']} ({row['cv']:.2f} instead of {MATRICES[row['matrix']][2]:g})" for row in rows
           if abs(off[row["matrix"]]) > 0.1]
    near = max(abs(part) for part in off.values() if abs(part) <= 0.1)
    exact = all((row["rows"], row["nonzeros"]) == MATRICES[row["matrix"]][:2] for row in rows)
    good = result.expect("twins", [exact, len(far) <= 1], [True, True])
    left = len(MATRICES) - len(rows)
    result.add("Table 6.1, matrices", "15 symmetric matrices of SuiteSparse", f"{count}: rows and nonzeros the same, cv "
               f"within {100 * near:.0f} %" + (f" but for {', '.join(far)}" if far else "") + "; the matrices themselves from "
               "your folder", REPRODUCED if good else DIFFERS,
               "the matrices are not part of the project" + (
                   f"; not divided yet, the command does: {left}" if left else "") + (
                   "; there the rows with most nonzeros find too few rows with room" if far else ""), FROM_USER)
    means = {what: {column: geometric([row[what][column] for row in rows]) for column in COLUMNS}
             for what in ("average", "busiest", "microseconds")}
    theirs = [geometric([MATRICES[row["matrix"]][column] for row in rows]) for column in range(3, 9)]
    ours = [means[what][column] for what in ("average", "busiest") for column in COLUMNS[:3]]
    result.add("Table 6.2, Phases I and II", "of these: means " + "; ".join(", ".join(
        f"{value:.1f}" for value in theirs[part:part + 3]) for part in (0, 3)), f"{count}: " + "; ".join(", ".join(
            f"{value:.1f}" for value in ours[part:part + 3]) for part in (0, 3)), DIFFERS,
               "a twin has a matrix's rows, nonzeros and cv, not its structure, which decides with whom ranks share "
               "targets", TWINS)
    busiest = means["busiest"]
    result.add("Table 6.3, Phase I below the start", f"of these: busiest {percent(theirs[4], theirs[3])}",
               f"{count}: {percent(busiest['I'], busiest['initial'])}", DIFFERS,
               "twins: see Table 6.2" if busiest["I"] < busiest["initial"] else "no gain on twins", TWINS)
    result.add("Table 6.3, Phase II below the start", f"of these: busiest {percent(theirs[5], theirs[3])}",
               f"{count}: {percent(busiest['I, II'], busiest['initial'])}", DIFFERS, "twins: see Table 6.2", TWINS)
    result.tables.append(Table(
        "Tables 6.2 and 6.3: twins of the matrices", "Generated symmetric matrices with the rows, the nonzeros and the cv "
        "of Table 6.1 (`test/benchmark/partitioning/Twin.h`), column-parallel on 512 ranks, divided by Zoltan's PHG; "
        "counted as the thesis counts. In brackets the thesis's figures for the matrix itself. *grid* is "
        "store-and-forward with the smallest maximum.",
        ["twin of", "cv", "average", "I", "I, II", "grid", "selected", "busiest", "I", "I, II", "grid", "selected",
         "overhead"],
        [[row["matrix"], f"{row['cv']:.2f} ({MATRICES[row['matrix']][2]:g})",
          *(f"{row['average'][column]:.1f} ({MATRICES[row['matrix']][3 + index]:g})" for index, column in enumerate(COLUMNS[:3])),
          *(f"{row['average'][column]:.1f}" for column in COLUMNS[3:]),
          *(f"{row['busiest'][column]} ({MATRICES[row['matrix']][6 + index]:g})" for index, column in enumerate(COLUMNS[:3])),
          *(str(row["busiest"][column]) for column in COLUMNS[3:]),
          f"{row['overhead']:.2f} ({MATRICES[row['matrix']][9]:g})"] for row in rows]))
    result.tables.append(Table(
        "Twins: load, volume and predicted time", "Sends and receives of the busiest rank, values sent for each value of the "
        "product (with relays), and microseconds on `test/benchmark/sharing/infiniband.json`, items of 8 bytes.",
        ["twin of", *("load: direct", *COLUMNS[1:]), *("volume: I", *COLUMNS[2:]), *("us: direct", *COLUMNS[1:]),
         "selected method"],
        [[row["matrix"], *(str(row["load"][column]) for column in COLUMNS),
          *(f"{row['volume'][column]:.2f}" for column in COLUMNS[1:]),
          *(f"{row['microseconds'][column]:.1f}" for column in COLUMNS), row["method"]] for row in rows]))
    simulated_rows(result, rows)
    return means, count


def tables(tools, result):
    means, count = twin_rows(tools, result)
    own = [geometric([row[column] for row in MATRICES.values()]) for column in range(3, 9)]
    theirs = [65.7, 25.7, 26.3, 187.6, 87.0, 30.8]
    good = all(abs(mean - printed) <= 0.01 * printed for mean, printed in zip(own, theirs))
    rows = parse_tables(tools.run("sharing-benchmark", "tables", tools.top / PATTERNS))
    large = next(row for index, row in enumerate(rows) if row[0] == "geometric means" and index > 8)
    result.add("Table 6.3, geometric means of Table 6.2", "65.7, 25.7, 26.3; 187.6, 87.0, 30.8",
               ", ".join(f"{mean:.1f}" for mean in own), REPRODUCED if good else DIFFERS,
               "" if good else "computed from its own Table 6.2", "test/benchmark/papers sharing")
    changes = [theirs[4] / theirs[3], theirs[5] / theirs[3], theirs[5] / 41.6, theirs[2] / 28.0, theirs[2] / theirs[1]]
    result.add("Table 6.3, what the text makes of it", "busiest -54 % after I, -84 % after II, -26 % to the baseline; average "
               "about -5 % to it, II adds 2 %", ", ".join(f"{100 * (change - 1):+.0f} %" for change in changes) +
               " of its own table", REPRODUCED, "", "test/benchmark/papers sharing")
    level = [name for name, row in MATRICES.items() if row[8] > 1.1 * row[5] + 1]
    twins = [row for row in tools.measured("sharing-twins") if row["twin"]]
    ours = [row["matrix"] for row in twins if row["busiest"]["I, II"] > 1.1 * row["average"]["I, II"] + 1]
    result.add("Chapter 6: load after Phase II", "the busiest rank reaches the average but for human_gene_2, TSOPF_FS_b300_c2",
               f"of its own Table 6.2: but for {', '.join(sorted(level))}; twins: but for {len(ours)} of {len(twins)}",
               REPRODUCED if len(level) == 2 else DIFFERS, "" if len(level) == 2 else "see the table", TWINS)
    busiest = means["busiest"]
    result.add("Table 6.3, Phase II below store-and-forward", "busiest -26 %",
               f"{count}: {percent(busiest['I, II'], busiest['grid'])}; three matrices: {percent(large[8], large[6])}", DIFFERS,
               "on these patterns store-and-forward with the best grid has fewer messages than Phase II"
               if busiest["I, II"] > busiest["grid"] else "other matrices, and the best grid of several", TABLES)
    overheads = [row[9] for row in MATRICES.values()]
    arithmetic = sum(overheads) / len(overheads)
    positive = geometric([value for value in overheads if value > 0])
    good = abs(positive - 0.8) < 0.05
    result.add("Table 6.4, overhead of Phase I", "geometric mean 0.8, 3 % of the average", f"of its own 15 figures: "
               f"geometric mean {positive:.2f} of those above 0, arithmetic mean {arithmetic:.2f}",
               REPRODUCED if good else DIFFERS, "three of the 15 are 0 and must be left out, or the mean is 0",
               "test/benchmark/papers sharing")
    result.add("Chapter 6: \"Table 6.5\"; initial maxima in \"Table 6.3\"", "named in Chapters 4 and 6", "", NOT_REPEATED,
               "there is no Table 6.5 (6.4 is meant), and the maxima are in Table 6.2")
    result.tables.append(Table(
        "Tables 6.1, 6.2 and 6.4: the thesis's matrices", "The thesis's figures for 512 ranks, partitioned by PaToH.",
        ["matrix", "rows", "nonzeros", "cv", "average", "I", "II", "busiest", "I", "II", "overhead"],
        [[name, f"{row[0]:,}", f"{row[1]:,}", *(f"{value:g}" for value in row[2:])] for name, row in MATRICES.items()]))
    result.tables.append(Table(
        "Tables 6.2 to 6.4: three matrices that we have", "The thesis's columns, counted as it counts, for three matrices "
        "partitioned by METIS; *grid* is store-and-forward with the smallest maximum. Its own means stand last.",
        ["", "average", "grid", "I", "II", "busiest", "grid", "I", "II", "overhead"],
        [[row[0], *(f"{value:.2f}" for value in row[1:5]), *(f"{value:.1f}" for value in row[5:9]), f"{row[9]:.2f}"]
         for row in rows]))


def selected(tools, result):
    text = tools.run("sharing-benchmark", "selected", tools.top / PATTERNS,
                     tools.top / "test" / "benchmark" / "sharing" / "infiniband.json", may_fail=True)
    rows, never_slower = [], True
    for line in text.splitlines():
        found = re.match(r"(\S+, \d+)\s+((?:[\d.]+\s+){9})(.*)$", line)
        if not found:
            continue
        figures = found[2].split()
        rows.append([found[1], figures[0], *figures[1:6], figures[7], figures[8], found[3]])
        never_slower &= float(figures[5]) <= min(map(float, figures[1:5])) + 0.05
    result.expect("selected", [never_slower, len(rows) >= 18], [True, True])
    result.add("Message sharing of ours", "Phases I and II", f"never slower than a method of the thesis, {len(rows)} rows",
               BETTER, "", f"build/bin/sharing-benchmark selected {PATTERNS} test/benchmark/sharing/infiniband.json")
    result.tables.append(Table(
        "Predicted time and load", "Microseconds on `test/benchmark/sharing/infiniband.json`, and sends plus receives of "
        "the busiest rank, for each method; *selected* is ours.",
        ["", "bytes", "direct", "Phase I", "I and II", "best grid", "selected", "load, I and II", "load, selected",
         "selected method"], rows))


def evaluate(tools):
    result = Result()
    background(tools, result)
    phase_one(tools, result)
    phase_two(tools, result)
    tables(tools, result)
    selected(tools, result)
    return result
