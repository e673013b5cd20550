# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""J. Sampson, Buffer allocation in message passing systems: An implementation for MPI (UNLV 2007)."""

import json
import re
import subprocess
import tempfile
from pathlib import Path

from rows import BETTER, DIFFERS, NOT_REPEATED, REPRODUCED, Result, Table, number

SHORT = "Buffers and barriers"
TITLE = "Buffers and barriers, against their thesis"
ABOUT = """
J. Sampson, *Buffer allocation in message passing systems: An implementation for MPI* (University of Nevada, Las
Vegas, 2007): epochs, the buffers that they need, and barriers between super epochs. Ours:
[synchronisation for few buffers](../transformations/epochs.md). The thesis does not print its five programs; ours
are in `examples/epochs`, with the order of messages that gives its tables.
"""
NUMBERED = (*(f"Fig. 2-{number}" for number in range(1, 6)), "Algorithm 1", "Fig. 3-1", "Fig. 3-2", "Fig. 3-3", "Fig. 4-1",
            *(f"Table {number}" for number in range(1, 7)))
TABLES = "build/bin/epoch-benchmark tables"
TIMES = "test/benchmark/epochs/simulated-times --platform fast-ethernet"
COORDINATED = ("MM-17,MM-26,MM-65,MM-101,FFT-16,FFT-32,FFT-64,HG-17,HG-33,HG-65,NBP-16,NBP-32,NBP-64,DES-17,DES-33,"
               "DES-65")
COORDINATOR = "test/benchmark/epochs/coordinated-times"
TABLE_TWO_FACTORS = (22.40, 33.33, 78.22, 118.18, 286.18, 11.75, 22.20, 42.50, 82.14, 1.06, 1.13, 1.26, 1.51, 2.98, 2.99,
                     3.00, 2.98, 1.01, 1.03, 1.06, 1.13)
# Table 3: seconds with collection, without, slow-down.
TABLE_THREE = {("MM", 17): (16.62, 17.17, 0.97), ("MM", 26): (11.77, 12.05, 0.98), ("MM", 65): (11.62, 11.41, 1.02),
               ("MM", 101): (9.28, 9.18, 1.01), ("MM", 257): (11.19, 11.29, 0.99), ("FFT", 16): (7.24, 7.17, 1.01),
               ("FFT", 32): (7.39, 7.15, 1.03), ("FFT", 64): (8.24, 8.27, 1.00), ("FFT", 128): (10.61, 9.21, 1.15),
               ("HG", 17): (18.21, 11.31, 1.61), ("HG", 33): (11.30, 10.82, 1.04), ("HG", 65): (9.04, 8.82, 1.03),
               ("HG", 129): (9.09, 8.81, 1.03), ("NBP", 16): (47.63, 70.52, 0.68), ("NBP", 32): (45.38, 45.24, 1.00),
               ("NBP", 64): (39.32, 36.42, 1.08), ("NBP", 128): (37.12, 34.66, 1.07), ("DES", 17): (8.61, 8.80, 0.98),
               ("DES", 33): (6.35, 6.54, 0.97), ("DES", 65): (4.60, 4.50, 1.02), ("DES", 129): (4.18, 3.96, 1.06)}
# Table 4: seconds under Pbs, Fbs, Nbs, and the factors as the columns' heads name them: Nbs/Fbs, Fbs/Pbs.
TABLE_FOUR = {("MM", 17): (26.29, 16.67, 16.65, 0.63, 1.00), ("MM", 26): (14.01, 11.43, 11.99, 0.82, 0.95),
              ("MM", 65): (11.93, 13.53, 11.49, 1.13, 1.18), ("MM", 101): (9.58, 11.62, 9.68, 1.21, 1.20),
              ("MM", 257): (10.62, 13.35, 11.04, 1.26, 1.21), ("FFT", 16): (12.31, 11.70, 7.07, 0.95, 1.65),
              ("FFT", 32): (19.79, 13.74, 7.09, 0.69, 1.94), ("FFT", 64): (42.92, 18.75, 7.80, 0.44, 2.40),
              ("FFT", 128): (81.20, 26.39, 9.33, 0.33, 2.83), ("HG", 17): (17.73, 11.99, 11.28, 0.68, 1.06),
              ("HG", 33): (14.31, 12.61, 11.11, 0.88, 1.13), ("HG", 65): (15.33, 13.81, 8.98, 0.90, 1.54),
              ("HG", 129): (23.78, 14.65, 8.79, 0.62, 1.67), ("NBP", 16): (73.07, 86.95, 63.36, 1.19, 1.37),
              ("NBP", 32): (48.45, 51.44, 42.49, 1.06, 1.21), ("NBP", 64): (50.96, 42.23, 37.36, 0.83, 1.13),
              ("NBP", 128): (47.76, 40.59, 36.35, 0.85, 1.12), ("DES", 17): (9.31, 6.84, 9.12, 0.74, 0.75),
              ("DES", 33): (7.24, 7.18, 6.29, 0.99, 1.14), ("DES", 65): (4.50, 6.83, 4.45, 1.52, 1.54),
              ("DES", 129): (9.70, 7.25, 3.96, 0.75, 1.83)}
# Table 6: super epochs, seconds under Pbs and Fbs.
TABLE_SIX = {("MM", 257, "1"): (17, 10.62, 13.35), ("MM", 257, "5"): (7, 10.91, 12.37),
             ("MM", 257, "10"): (5, 10.84, 12.21), ("FFT", 128, "1"): (15750, 81.20, 26.39),
             ("FFT", 128, "5"): (3375, 20.88, 13.22), ("HG", 129, "2"): (2001, 23.78, 14.65),
             ("HG", 129, "4"): (2, 8.68, 8.64)}


def simulated_times(only, platform="fast-ethernet", buffers=None):
    def measure(tools):
        """{application ranks: milliseconds of each kind}"""
        text = tools.script("test/benchmark/epochs/simulated-times", "--build", tools.build, "--platform", platform,
                            "--only", only, *(["--buffers", buffers] if buffers else []), may_fail=True)
        found = {}
        for line in text.splitlines():
            words = line.split()
            if words and words[0] in ("MM", "FFT", "HG", "NBP", "DES"):
                rest = words[2:] if words[0] == "MM" else words[3:]
                found[f"{words[0]} {words[1]}"] = dict(
                    zip(("none", "idle", "full", "partial", "component"), map(float, rest[:5])))
        return found
    return measure


def coordinated(tools):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "times.json"
        tools.script("test/benchmark/epochs/coordinated-times", "--build", tools.build, "--only", COORDINATED, "--json",
                     file)
        return json.loads(file.read_text())


def collection(tools):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "times.json"
        tools.script("test/benchmark/epochs/collection-times", "--build", tools.build, "--json", file, may_fail=True)
        return json.loads(file.read_text())


def on_cluster(tools):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "times.json"
        tools.script("test/benchmark/epochs/on-cluster", "--build", tools.build, "--runs", 9, "--json", file)
        return json.loads(file.read_text())


COLLECTION = "test/benchmark/epochs/collection-times"
ON_CLUSTER = "test/benchmark/epochs/on-cluster"
MEASUREMENTS = {**{f"epochs-times-{name.lower()}": simulated_times(name)
                   for name in ("MM-17", "MM-26", "MM-65", "MM-101", "FFT-16", "FFT-32", "FFT-64", "FFT-128", "HG-17",
                                "HG-33", "HG-65", "NBP-16", "NBP-32", "NBP-64", "NBP-128", "DES-17", "DES-33",
                                "DES-65")},
                "epochs-coordinated": coordinated, "epochs-collection": collection, "epochs-on-cluster": on_cluster,
                **{f"epochs-larger-{app.lower()}-{ranks}-{buffers}": simulated_times(f"{app}-{ranks}", "infiniband", buffers)
                   for app, ranks, buffers in (("HG", 129, 0), ("HG", 129, 4), ("FFT", 128, 0), ("FFT", 128, 5),
                                               ("MM", 257, 0), ("MM", 257, 5), ("MM", 257, 10))}}


def parse_tables(text):
    """(rows of Tables 2 and 5, allocations of Table 1, rows of Table 6) of epoch-benchmark tables."""
    counts, allocations, larger, part = [], [], [], 0
    for line in text.splitlines():
        if line.startswith("Table"):
            part += 1
        words = line.split()
        if len(words) < 3 or not words[1].isdigit() or words[0].startswith("Table"):
            continue
        if part == 1:
            counts.append([words[0], *map(int, words[1:12])])
        elif part == 2:
            vectors = re.findall(r"\([^)]*\)", line)
            totals = re.findall(r"\)\s+(\d+)", line)
            allocations.append([words[0], int(words[1]), *zip(vectors, map(int, totals))])
        else:
            larger.append([words[0], int(words[1]), re.search(r"\([^)]*\)", line)[0], int(words[-2]), int(words[-1])])
    return counts, allocations, larger


def table_one(result, allocations):
    rows = [[app, ranks, least[0], least[1], whole[0], whole[1]] for app, ranks, least, whole in allocations]
    result.tables.append(Table(
        "Table 1: buffers", "Ours for each rank (first three and last) and in all: the fewest with synchronisation "
        "(NA), and without (DFBA). The thesis: MM (0, 1, ...) and (n, O(sqrt n), ...); FFT (1, ...) and O(log n); HG (0, "
        "1, 2, ..., 2, 1) and (3(n-1), 6, 7, ..., 7, 6), 10n-9 in all; NBP (1, ...) and (n, ..., n); DES (0, 1, 2, ..., "
        "2, 1) and (n-1, 2, 4, ..., 4, 2), 5n-9 in all.",
        ["", "n", "NA", "in all", "DFBA", "in all"], rows))
    heat = next(row for row in allocations if row[:2] == ["HG", 17])
    multiply = next(row for row in allocations if row[:2] == ["MM", 17])
    good = result.expect("Table 1", [heat[3][1], multiply[3][0].split(",")[0]], [10 * 17 - 12, "(16"])
    result.add("Table 1, allocations NA", "five vectors", "the same five", REPRODUCED, "", TABLES)
    result.add("Table 1, DFBA of HG", "10n-9 in all, 161 for n = 17", f"10n-12, {heat[3][1]} for n = 17", DIFFERS,
               "its own vector sums to 10n-12" if good else "see the table", TABLES)
    result.add("Table 1, DFBA of MM", "n for rank 0", "n-1 for rank 0", DIFFERS,
               "rank 0 has n-1 workers, each of which sends it one message", TABLES)
    result.add("Table 1, DFBA of FFT, NBP, DES", "O(log n); n; 5n-9 in all", "within these; the same; the same",
               REPRODUCED, "", TABLES)


def tables_two_and_five(result, counts):
    equal = all(row[2] == row[3] and row[4] == row[5] for row in counts)
    result.expect("Table 2", [equal, len(counts)], [True, 21])
    result.add("Table 2, epochs and super epochs", "21 rows", "the same in all rows" if equal else "", REPRODUCED if equal
               else DIFFERS, "" if equal else "see the table", TABLES)
    wrong = [f"{app} on {ranks}: {printed:.2f}, {epochs / supers:.2f} by its own columns"
             for (app, ranks, _, epochs, _, supers, *_), printed in zip(counts, TABLE_TWO_FACTORS)
             if abs(epochs / supers - printed) > 0.0101]
    result.add("Table 2, improvement factors", "1.01 to 286.18", f"epochs / super epochs in {21 - len(wrong)} of 21 rows",
               DIFFERS if wrong else REPRODUCED, "; ".join(wrong), TABLES)
    full = all(row[9] == (row[5] - 1) * row[1] for row in counts)
    result.add("Chapter 4: full synchronisations", "(b - 1) n for b super epochs", f"so in {'all' if full else 'not all'} rows "
               "of Table 5", REPRODUCED if result.expect("Chapter 4: (b - 1) n", full, True) else DIFFERS,
               "" if full else "see the table", TABLES)
    equal = all(row[6] == row[7] and row[8] == row[9] for row in counts)
    result.expect("Table 5", equal, True)
    result.add("Table 5, synchronisations", "21 rows, Pbs and Fbs", "the same in all rows", REPRODUCED if equal else DIFFERS,
               "" if equal else "see the table", TABLES)
    result.tables.append(Table(
        "Tables 2 and 5", "Epochs, super epochs and synchronisations; *component* is our third kind, in which only ranks "
        "wait for one another that exchange messages in the super epoch.",
        ["", "n", "epochs: paper", "here", "super epochs: paper", "here", "Pbs: paper", "here", "Fbs: paper", "here",
         "component"],
        [[row[0], row[1], *(number(row[column]) for column in (3, 2, 5, 4, 7, 6, 9, 8, 10))] for row in counts]))


def table_three(tools, result):
    low, high = min(row[2] for row in TABLE_THREE.values()), max(row[2] for row in TABLE_THREE.values())
    below = sum(row[2] < 1 for row in TABLE_THREE.values())
    paper = f"slow-down {low:.2f} to {high:.2f} in 21 rows, below 1 in {below}"
    measured = tools.measured("epochs-collection") or []
    own = [row["with"] / row["without"] for row in measured if row["steady"]]
    if own:
        result.add("Table 3, data collection", paper, f"2 to 5 ranks: {min(own):.2f} to {max(own):.2f} in {len(own)} rows",
                   REPRODUCED if max(own) <= high else DIFFERS, "" if max(own) <= high else "see the table", COLLECTION)
    else:
        result.add("Table 3, data collection", paper, "", NOT_REPEATED, ("runs of one program differed by up to a factor of "
                   f"{max(row['spread'] for row in measured):.1f} while these were measured, so the table below says little; it "
                   if measured else "") + "needs a machine with nothing else to do; with 16 ranks and more on two processors a run measures the "
                   "scheduler, and on a simulated cluster recording takes no time. The command measures 2 to 5 ranks; what "
                   "recording costs a call is in docs/costs.md", COLLECTION)
    result.tables.append(Table(
        "Table 3: data collection", "The thesis's seconds, least of ten runs on 8 nodes of two processors.",
        ["", "n", "with", "without", "slow-down"],
        [[app, ranks, *(f"{value:.2f}" for value in row)] for (app, ranks), row in TABLE_THREE.items()]))
    if measured:
        result.tables.append(Table(
            "Table 3 on one machine", "Seconds of the programs of `examples/epochs` under Open MPI, least of so many runs, with "
            "and without recording in turn. *pairs*: the median of the slow-downs of two runs one after the other; *spread*: the "
            "longest run without recording over the least. The machine had other work where the least times of two halves of "
            "the runs differ by more than 5 %.",
            ["", "n", "runs", "with", "without", "slow-down", "pairs", "spread", ""],
            [[row["program"], row["ranks"], row["runs"], number(row["with"]), number(row["without"]),
              number(row["with"] / row["without"]), number(row["pairs"]), number(row["spread"]),
              "" if row["steady"] else "other work"] for row in measured]))


def times_of(tools):
    found = {}
    for name in MEASUREMENTS:
        if name.startswith("epochs-times-"):
            found.update(tools.measured(name) or {})
    return found


def table_four(tools, result):
    times, coordinated_times = times_of(tools), tools.measured("epochs-coordinated") or {}
    wrong = [key for key, (pbs, fbs, nbs, one, other) in TABLE_FOUR.items()
             if abs(nbs / fbs - one) > 0.02 or abs(fbs / pbs - other) > 0.02]
    result.add("Table 4, heads of its factors", "Nbs/Fbs and Fbs/Pbs",
               f"its figures are Fbs/Pbs and Fbs/Nbs in {len(wrong)} of 21 rows", DIFFERS,
               "for 17 ranks of MM it has 0.63, and 16.67 / 26.29 is 0.63; 16.65 / 16.67 is 1.00", "test/benchmark/papers epochs")
    rows, better, compared = [], 0, 0
    for (app, ranks), (pbs, fbs, nbs, *_) in TABLE_FOUR.items():
        ours, theirs = times.get(f"{app} {ranks}"), coordinated_times.get(f"{app} {ranks}")
        if ours:
            compared += 1
            better += ours["component"] / ours["none"] <= max(pbs, fbs) / nbs
        rows.append([app, ranks, f"{nbs:.2f}", f"{fbs / nbs:.2f}", f"{pbs / nbs:.2f}",
                     *((number(ours["none"]), *(number(ours[kind] / ours["none"]) for kind in
                                                ("full", "partial", "component"))) if ours else ("", "", "", "")),
                     *(number(theirs[kind] / ours["none"]) if ours and theirs else "" for kind in ("full", "partial"))])
    result.tables.append(Table(
        "Table 4: what synchronisation costs", "Theirs: seconds without (Nbs), and the ratio to it with full (Fbs) and "
        "partial barriers (Pbs). Ours: simulated milliseconds on Fast Ethernet and the same ratios, computation not "
        "counted, so the ratios are what they would be if the programs only communicated; fewer rounds than theirs. "
        "*thesis's* are its own barriers in our simulation: MPI_Barrier, and a coordinating process (one more rank, because "
        "SimGrid cannot spawn processes; `test/benchmark/epochs/coordinator.c`). Empty: not measured.",
        ["", "n", "Nbs, s", "Fbs", "Pbs", "none, ms", "full", "partial", "component", "thesis's full", "thesis's partial"],
        rows))
    compare_coordinated(result, times, coordinated_times)
    fft = times.get("FFT 128")
    if fft:
        result.add("Table 4, FFT on 128 ranks", "Pbs 8.70, Fbs 2.83 times Nbs",
                   f"partial {fft['partial'] / fft['none']:.2f}, full {fft['full'] / fft['none']:.2f}, component "
                   f"{fft['component'] / fft['none']:.2f}", BETTER,
                   "its partial barriers go through one coordinating process, ours from rank to rank", TIMES)
    if compared:
        result.add("Table 4, run times", "21 rows; Pbs up to 8.70 times Nbs",
                   f"component at most as much as the worse of Pbs and Fbs in {better} of {compared} rows measured",
                   BETTER if better == compared else DIFFERS,
                   "" if better == compared else "without computation the start and the end, which we count, are a larger "
                   "share of a run", TIMES)
    else:
        result.add("Table 4, run times", "21 rows", "", NOT_REPEATED, "not measured yet", TIMES)
    if ours := times.get("DES 17"):
        result.add("Table 4, DES on 17 ranks", "faster with full barriers than without (6.84, 9.12 s)",
                   f"full {ours['full'] / ours['none']:.2f} times none", DIFFERS,
                   "an effect of that machine's caches, as the thesis supposes: the simulated one has none", TIMES)


def compare_coordinated(result, times, coordinated_times):
    """The thesis's partial barriers beside ours."""
    both = [key for key in coordinated_times if key in times]
    if not both:
        result.add("Chapter 3: pbarrier process", "partial barriers by a process from MPI_Comm_spawn", "", NOT_REPEATED,
                   "not measured yet", COORDINATOR)
        return
    worst = max(both, key=lambda key: coordinated_times[key]["partial"] / times[key]["component"])
    wins = sum(times[key]["component"] <= coordinated_times[key]["partial"] for key in both)
    slower = sum(coordinated_times[key]["partial"] > coordinated_times[key]["full"] for key in both)
    result.add("Chapter 3: pbarrier process", "partial barriers by a process from MPI_Comm_spawn",
               f"as a baseline: component is faster in {wins} of {len(both)} rows, {worst}: "
               f"{coordinated_times[worst]['partial'] / times[worst]['none']:.2f} times none instead of "
               f"{times[worst]['component'] / times[worst]['none']:.2f}", BETTER,
               "here it is one rank more, because SimGrid cannot spawn processes; on-cluster spawns it", COORDINATOR)
    theirs = sum(row[0] > row[1] for row in TABLE_FOUR.values())
    result.add("Chapter 4: partial slower than full", f"in {theirs} of 21 rows; a bottleneck at the coordinating process",
               f"with its barriers in {slower} of {len(both)} rows", REPRODUCED if 2 * slower > len(both) else DIFFERS,
               "" if 2 * slower > len(both) else "not in most rows here", COORDINATOR)


def emulated(tools, result):
    """Tables 4 and 6 with a kernel's TCP in place of a simulation."""
    times = tools.measured("epochs-on-cluster")
    if not times:
        result.add("Tables 4 and 6, real TCP", "", "", NOT_REPEATED, "not measured yet", ON_CLUSTER)
        return
    others = ("full", "partial", "thesis's full", "thesis's partial")
    best = sum(found["component"]["ratio"] <= min(found[other]["ratio"] for other in others) for found in times.values())
    apart = sum(found["component"]["low"] > min(found[other]["high"] for other in others) for found in times.values())
    worst = max(times, key=lambda app: times[app]["thesis's partial"]["ratio"])
    theirs = times[worst]["thesis's partial"]["ratio"]
    result.add("Table 4, real TCP, 16 and 17 ranks", "5 rows; Pbs up to 1.74 times Nbs",
               f"component is fastest in {best}, and slower than another by more than the quartiles in {apart}; {worst}: "
               f"{times[worst]['component']['ratio']:.2f}, the thesis's partial barriers {theirs:.2f}",
               BETTER if apart == 0 else DIFFERS, "" if apart == 0 else "see the table", ON_CLUSTER)
    more = {app: next((name for name in found if name.startswith("full, ")), None) for app, found in times.items()}
    falls = {app: times[app][name]["ms"] / times[app]["full"]["ms"] for app, name in more.items() if name}
    result.add("Table 6, real TCP, 16 and 17 ranks", "full barriers cost less with more buffers",
               ", ".join(f"{app} {fall:.2f} of the time" for app, fall in falls.items()),
               REPRODUCED if max(falls.values()) <= 1 else DIFFERS, "" if max(falls.values()) <= 1 else "see the table",
               ON_CLUSTER)
    rows = [[app, *(f"{found[name]['ratio']:.2f} ({found[name]['low']:.2f} to {found[name]['high']:.2f})"
                    if name != "none" else number(found[name]["ms"], 3) for name in ("none", *KINDS_ON_CLUSTER)),
             *(number(found[name]["ratio"]) if name else "" for name in
               (more[app], more[app] and more[app].replace("full", "component")))] for app, found in times.items()]
    result.tables.append(Table(
        "Tables 4 and 6 on an emulated cluster", "Eight hosts, each a network namespace with a link of 100 Mbit/s, under a "
        "kernel's TCP; 17 ranks (FFT and NBP 16) of one machine, which share its two processors. Medians of nine runs in turn: "
        "milliseconds, ratios to *none* in the same turn (quartiles). *thesis's*: MPI_Barrier, and a coordinating process from "
        "MPI_Comm_spawn, without its start. *more*: five buffers for each rank (HG: four).",
        ["", "none, ms", "idle", "full", "partial", "component", "thesis's full", "thesis's partial", "full, more",
         "component, more"], rows))


KINDS_ON_CLUSTER = ("idle", "full", "partial", "component", "thesis's full", "thesis's partial")


def table_six(tools, result, larger):
    equal = all(row[3] == row[4] for row in larger)
    result.expect("Table 6", [equal, len(larger)], [True, 7])
    result.add("Table 6, super epochs", "7 rows", "the same in all rows", REPRODUCED if equal else DIFFERS,
               "" if equal else "see the table", TABLES)
    rows, falls = [], []
    for (app, ranks, shown), (epochs, pbs, fbs) in TABLE_SIX.items():
        fewest = TABLE_SIX[app, ranks, "2" if app == "HG" else "1"]
        buffers = 0 if fewest == (epochs, pbs, fbs) else int(shown)
        ours, base = ((tools.measured(f"epochs-larger-{app.lower()}-{ranks}-{count}") or {}).get(f"{app} {ranks}")
                      for count in (buffers, 0))
        rows.append([app, ranks, buffers or "fewest", number(epochs), f"{pbs:.2f}", f"{fbs:.2f}",
                     f"{pbs / fewest[1]:.2f}", f"{fbs / fewest[2]:.2f}",
                     *((number(ours["full"], 3), number(ours["component"], 3)) if ours else ("", "")),
                     number(ours["full"] / base["full"]) if ours and base else ""])
        if ours and base and buffers:
            falls.append(ours["full"] <= base["full"])
    larger_times = "test/benchmark/epochs/simulated-times --platform infiniband --only HG-129 --buffers 4"
    if falls:
        result.add("Table 6, seconds" if len(falls) == 4 else f"Table 6, seconds: {len(falls)} of 4 larger allocations",
                   "full barriers cost less with more buffers", f"so in {sum(falls)} of {len(falls)}",
                   REPRODUCED if all(falls) else DIFFERS, "" if all(falls) else "see the table", larger_times)
    if len(falls) < 4:
        result.add("Table 6, seconds: the others", f"{4 - len(falls)} of 4 larger allocations", "", NOT_REPEATED,
                   "not measured: each takes many minutes on 128 and 257 simulated ranks", larger_times)
    result.tables.append(Table(
        "Table 6: times with more buffers", "The thesis's seconds, and their ratio to those with the fewest buffers; our "
        "simulated milliseconds on InfiniBand (which has nodes enough for 257 ranks), the same ratio for full barriers. "
        "Empty: not measured.",
        ["", "n", "buffers", "super epochs", "Pbs, s", "Fbs, s", "Pbs", "Fbs", "full, ms", "component, ms", "full"], rows))
    result.tables.append(Table(
        "Table 6: more buffers", "Super epochs.", ["", "n", "buffers", "the thesis", "here"],
        [[app, ranks, buffers, number(paper), number(ours)] for app, ranks, buffers, ours, paper in larger]))


def analysis_of(tools, trace, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "example.trace"
        file.write_text("sendwright-trace 1\n" + trace)
        return tools.analyze("epochs", file, *options)


def refusal_of_buffers(tools, trace):
    """What the command says where two sends head on have no buffer."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "example.trace"
        file.write_text("sendwright-trace 1\n" + trace)
        done = subprocess.run([tools.build / "bin" / "sendwright", "analyze", "epochs", file, "--buffers", "0"],
                              capture_output=True, text=True)
    assert done.returncode != 0, done.stdout
    return f"status {done.returncode}: " + done.stderr.strip().split(": ", 1)[-1]


def examples(tools, result):
    head_on = "ranks 2\nrank 0\nsend 1\nrecv 1\nrank 1\nsend 0\nrecv 0\n"
    found = analysis_of(tools, head_on)
    result.expect("Chapter 2", [found["buffers"], found["epochs"]], [[1, 1], 1])
    result.add("Chapter 2: two sends head on", "deadlock without buffers", "one epoch, a buffer each", REPRODUCED, "",
               "build/bin/analysis-tests --gtest_filter='EpochAnalysis.HeadOnSendsNeedABufferEach'")
    result.add("Chapter 3: fewer buffers than the minimum", "an error", refusal_of_buffers(tools, head_on), REPRODUCED, "",
               "build/bin/sendwright analyze epochs TRACE --buffers 0")
    chain = "ranks 3\nrank 0\nsend 1\nrank 1\nrecv 0\nsend 2\nrank 2\nrecv 1\n"
    found = analysis_of(tools, chain)
    good = result.expect("acyclic graphs", [sum(found["buffers"]), found["super_epochs"]], [0, 1])
    result.add("Chapter 2: acyclic graphs", "need no buffers", "none, and one super epoch", REPRODUCED if good else DIFFERS,
               "" if good else "see the command", "build/bin/sendwright analyze epochs TRACE")
    result.add("Fig. 2-1, communication graph", "two processes", "the same graph of any trace", REPRODUCED,
               "the drawing's arcs are not in the text", "build/bin/analysis-tests --gtest_filter='EpochDrawing.*'")
    result.add("Section 2: DFBA", "O(|V| n + |V| log |V|)", "the same allocations in linear time", BETTER, "",
               "test/benchmark/epochs/run")
    for item, what in (("Fig. 2-2, epochs of a graph", "a drawing"), ("Fig. 2-3, the DAG of epochs", "a drawing"),
                       ("Fig. 2-5, super epochs", "a drawing")):
        result.add(item, what, "each run's epochs, their order and super epochs, in lists and drawings", REPRODUCED,
                   "the drawing's arcs are not in the text", "build/bin/analysis-tests --gtest_filter='EpochList.*'")
    result.add("Fig. 2-4, Algorithm 1", "super epochs, O(|V|^2)", "the same super epochs, in linear time", BETTER, "",
               TABLES)
    result.add("Fig. 3-1, the tool's steps", "run, analyse, run again", "profile, plan, rebuild", REPRODUCED, "",
               "test/end-to-end/synchronization")
    result.add("Fig. 3-2, wrapper of MPI_Send", "a macro, a line of text for each call",
               "PMPI, a compressed grammar of the calls", BETTER, "", "test/benchmark/recording/run")
    result.add("Fig. 3-3, data structures", "arrays top and bottom for each epoch", "intervals of each rank", REPRODUCED, "",
               "build/bin/analysis-tests --gtest_filter='Epoch*'")
    result.add("Chapter 4: five applications", "MM, FFT, HG, NBP, DES", "`examples/epochs`, five programs", REPRODUCED, "",
               "test/benchmark/epochs/program-figures")


def larger_buffers(tools, result):
    """DES with b buffers: the thesis expects 1/b of the super epochs."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "des.prof"
        tools.run("epoch-benchmark", "profile", "DES", 17, 1000, profile)
        found = {buffers: tools.analyze("epochs", profile, "--buffers", buffers)["super_epochs"] for buffers in (2, 4, 8)}
    good = result.expect("DES with more buffers", found, DES_SUPER_EPOCHS)
    result.add("Chapter 4: DES with b buffers", "1/b of the super epochs",
               ", ".join(f"{count} with {buffers}" for buffers, count in found.items()) + " (1,001 with the fewest)",
               DIFFERS, "as in its own Fig. 4-1 and Table 6: with one more buffer each, neighbours fit without waiting"
               if good else "see the command", "build/bin/sendwright analyze epochs DES.prof --buffers 4")
    result.add("Chapter 5: future work", "partial barriers without a coordinator; earlier results used again",
               "ranks notify ranks; linear time, in one pass over the run", BETTER, "",
               "test/benchmark/epochs/run")
    result.add("Fig. 4-1, similar patterns", "few more buffers, far fewer super epochs", f"DES: {found[4]} with 4 buffers",
               REPRODUCED, "", "build/bin/sendwright analyze epochs DES.prof --buffers 4")


DES_SUPER_EPOCHS = {2: 1001, 4: 2, 8: 2}


def evaluate(tools):
    result = Result()
    counts, allocations, larger = parse_tables(tools.run("epoch-benchmark", "tables", may_fail=True))
    examples(tools, result)
    table_one(result, allocations)
    tables_two_and_five(result, counts)
    table_three(tools, result)
    table_four(tools, result)
    table_six(tools, result, larger)
    emulated(tools, result)
    larger_buffers(tools, result)
    return result
