# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A lecture on the Message Passing Interface: LogGP, collective operations, efficiency."""

import json
import math
import tempfile
from pathlib import Path

from rows import BETTER, DIFFERS, NOT_REPEATED, REPRODUCED, Result, Table

SHORT = "Cost model and collectives"
TITLE = "Cost model and collectives, against their lecture"
ABOUT = """
A lecture, *The Message Passing Interface (MPI)*, on LogGP, collective operations and the efficiency of parallel
algorithms. It numbers nothing, so here is a row for each formula and each claim, in its order. Ours:
[the cost model](../cost-model.md) and [scaling](../scaling.md).
"""
MEASUREMENTS = {}
NUMBERED = ()  # nothing
# The lecture's Myrinet: L 7 us, o 70 us, g 66 us, 1.92 Gbit/s, messages of w = 16 kB.
L, O, G_MESSAGE, PACKET = 7e-6, 70e-6, 66e-6, 16000
G_BYTE = 8 / 1.92e9
MACHINE = {"name": "the lecture's Myrinet", "L": L, "o_send": O, "o_recv": O, "g": G_MESSAGE, "G": G_BYTE,
           "eager_limit": 1 << 40, "ranks_per_node": 1}
PACKETS = {**MACHINE, "name": "without support for long messages", "G": 0}
COLLECTIVES = "build/bin/sendwright analyze collectives --ranks 64 --bytes 16000"


class Lecture:
    """The lecture's formulas for p processes and blocks of n bytes."""

    def __init__(self, ranks, size):
        self.ranks, self.size, self.rounds = ranks, size, math.ceil(math.log2(ranks))

    def short(self):
        return O + L + O

    def long(self, size):
        return O + (size - 1) * G_BYTE + L + O

    def packets(self, size):
        return O + (math.ceil(size / PACKET) - 1) * max(O, G_MESSAGE) + L + O

    def broadcast(self):
        return self.rounds * self.long(self.size)

    def scatter(self):
        return sum(self.long(self.ranks / 2**k * self.size) for k in range(1, self.rounds + 1))

    def scatter_bound(self):
        return self.rounds * self.short() + self.ranks * self.size * G_BYTE

    def line(self):
        return self.long(self.size) * (self.ranks - 1)


def network(tools, name):
    """Latency and bandwidth of a platform's machine file, as the lecture gives them."""
    machine = json.loads((tools.top / "examples" / "platforms" / f"{name}.json").read_text())
    latency = machine["L"] + machine["o_send"] + machine["o_recv"]
    bits = 8 / machine["G"]
    return f"{name} {1e6 * latency:.3g} us, " + (f"{bits / 1e6:.0f} Mbit/s" if bits < 1e9 else f"{bits / 1e9:.0f} Gbit/s")


class Predictions:
    """What `sendwright` says of the lecture's machine."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, Path(folder)
        for name, machine in (("machine", MACHINE), ("packets", PACKETS)):
            (self.folder / f"{name}.json").write_text(json.dumps(machine))

    def replay(self, lines, machine="machine"):
        """Simulated seconds of two ranks: what rank 0 does, what rank 1 does."""
        trace = self.folder / "two.trace"
        trace.write_text("\n".join(["sendwright-trace 1", "ranks 2", "rank 0", *lines[0], "rank 1", *lines[1]]) + "\n")
        return json.loads(self.tools.run("sendwright", "simulate", trace, "--machine", self.folder / f"{machine}.json",
                                         "--json"))["seconds"]

    def collectives(self, ranks, size):
        """{operation: {algorithm: (formula, simulated)}}"""
        found = self.tools.analyze("collectives", "--ranks", ranks, "--bytes", size, "--machine",
                                   self.folder / "machine.json")
        return {operation["name"]: {row["name"]: (row["seconds"], row["simulated_seconds"])
                                    for row in operation["algorithms"]} for operation in found["collectives"]}


def us(seconds):
    return f"{1e6 * seconds:,.2f}"


def same(one, other):
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))


def messages(result, predictions):
    lecture, rows = Lecture(64, PACKET), []
    for item, what, theirs, ours in (
            ("Delivery of a short message", "o + L + o", lecture.short(),
             predictions.replay((["send 1 bytes=1"], ["recv 0"]))),
            ("Delivery, support for long messages", "o + (n-1) G + L + o", lecture.long(1000000),
             predictions.replay((["send 1 bytes=1000000"], ["recv 0"]))),
            ("Delivery, no support: packets", "o + (ceil(n/w)-1) max(o, g) + L + o", lecture.packets(100000),
             predictions.replay((7 * [f"send 1 bytes={PACKET}"], 7 * ["recv 0"]), "packets"))):
        good = result.expect(item, same(theirs, ours), True)
        result.add(item, f"{what} = {us(theirs)} us", f"{us(ours)} us in the replay", REPRODUCED if good else DIFFERS,
                   "" if good else "see the command", "build/bin/sendwright simulate TRACE --machine MACHINE")
        rows.append([item, what, us(theirs), us(ours)])
    busy = predictions.replay((7 * [f"send 1 bytes={PACKET}"] + ["compute 1"], 7 * ["recv 0"]), "packets") - 1
    whole = predictions.replay((["send 1 bytes=1000000", "compute 1"], ["recv 0"])) - 1
    good = result.expect("time of a sender", same(busy, 7 * O) and same(whole, O), True)
    result.add("Delivery: how long the sender is occupied", f"o + (ceil(n/w)-1) o = {us(7 * O)} us; with support only at the "
               "beginning", f"{us(busy)} us for 7 packets, {us(whole)} us for a long message in the replay",
               REPRODUCED if good else DIFFERS, "" if good else "see the command",
               "build/bin/sendwright simulate TRACE --machine MACHINE")
    result.add("Typical values: o", "about 70 us for MPI_Ssend on Myrinet; gap and overhead almost coincide",
               f"{1e6 * O:.0f} and {1e6 * G_MESSAGE:.0f} us are taken in all rows of this page", NOT_REPEATED,
               "a network that is not here; `calibrate` measures yours", "build/bin/sendwright calibrate -o MACHINE")
    return rows


def trees(result, lecture, found):
    binomial, best = (found["broadcast"][name] for name in ("binomial tree", "optimal tree"))
    good = result.expect("broadcast", same(binomial[1], lecture.broadcast()), True)
    result.add("MPI_Bcast, binomial tree", f"at most d (o+L+o) for short messages; {us(lecture.broadcast())} us",
               f"{us(binomial[1])} us", REPRODUCED if good else DIFFERS, "" if good else "see the command", COLLECTIVES)
    result.add("Binomial trees: a higher fan-out", "by dynamic programming", f"optimal tree, {us(best[1])} us",
               BETTER if best[1] < binomial[1] else REPRODUCED, "", COLLECTIVES)
    scatter, wide = (found["scatter"][name] for name in ("binomial tree", "optimal tree"))
    good = result.expect("scatter", same(scatter[1], lecture.scatter()), True)
    result.add("MPI_Scatter, binomial tree", f"{us(lecture.scatter())} us, at most {us(lecture.scatter_bound())}",
               f"{us(scatter[1])} us", REPRODUCED if good else DIFFERS, "" if good else "see the command", COLLECTIVES)
    result.add("MPI_Scatter: a higher fan-out", "helps", f"optimal tree, {us(wide[1])} us",
               BETTER if wide[1] < scatter[1] else DIFFERS,
               "" if wide[1] < scatter[1] else "not for this size", COLLECTIVES)
    gather = found["gather"]["binomial tree"]
    good = result.expect("gather", same(gather[0], lecture.scatter()), True)
    result.add("MPI_Gather", "as MPI_Scatter", f"{us(gather[1])} us", REPRODUCED if good else DIFFERS,
               "" if good else "see the command", COLLECTIVES)
    return [["broadcast, binomial tree", "d T(n)", us(lecture.broadcast()), us(binomial[1])],
            ["scatter, binomial tree", "sum over k of T(p n / 2^k)", us(lecture.scatter()), us(scatter[1])],
            ["gather, binomial tree", "the same", us(lecture.scatter()), us(gather[1])]]


def exchanges(result, lecture, found):
    rows = []
    for item, what, theirs, operation, name in (
            ("MPI_Allgather, linear array", "(p-1)(o+L+o)", lecture.line(), "allgather", "ring"),
            ("MPI_Allgather, hypercube", "sum over k of T(p n / 2^k)", lecture.scatter(), "allgather",
             "recursive doubling"),
            ("MPI_Alltoall, hypercube", "(p-1)(o+L+o)", lecture.line(), "all-to-all", "pairwise")):
        ours = found[operation][name]
        good = result.expect(item, same(ours[1], theirs), True)
        result.add(item, f"{what}: {us(theirs)} us", f"{name}, {us(ours[1])} us", REPRODUCED if good else DIFFERS,
                   "" if good else "see the command", COLLECTIVES)
        rows.append([f"{operation}, {name}", what, us(theirs), us(ours[1])])
    ring, combined = (found["allgather"][name][1] for name in ("ring", "recursive doubling"))
    result.add("MPI_Allgather: combined messages?", "a question", f"where messages double with each round, {us(combined)} "
               f"instead of {us(ring)} us", REPRODUCED if combined < ring else DIFFERS,
               "its next slide answers it" if combined < ring else "not for this size", COLLECTIVES)
    busiest = most_messages_on_a_link(6)
    good = result.expect("edge-disjoint paths", busiest, 1)
    result.add("MPI_Alltoall: paths on the hypercube", "edge-disjoint in each phase",
               f"64 processes, dimension by dimension: at most {busiest} message on a link", REPRODUCED if good else DIFFERS,
               "" if good else "another order of dimensions is needed", "test/benchmark/papers cost-model")
    return rows


def most_messages_on_a_link(dimensions):
    """Of all phases b, in which each process u sends to u XOR b, lowest dimension first."""
    most = 0
    for phase in range(1, 1 << dimensions):
        links = {}
        for place in range(1 << dimensions):
            for bit in range(dimensions):
                if phase >> bit & 1:
                    links[place, bit] = links.get((place, bit), 0) + 1
                    place ^= 1 << bit
        most = max(most, *links.values())
    return most


def long_broadcast(result, predictions):
    size = 10_000_000
    found = predictions.collectives(64, size)["broadcast"]
    tree, parts = found["binomial tree"][1], found["scatter + ring allgather"][1]
    good = result.expect("long broadcast", parts < tree, True)
    result.add("Broadcasting a long message", "scatter, then allgather: why?",
               f"10 MB: {1e3 * parts:.0f} ms instead of {1e3 * tree:.0f} by the tree", REPRODUCED if good else DIFFERS,
               "" if good else "see the command",
               "build/bin/sendwright analyze collectives --ranks 64 --bytes 10000000")


def reductions(result, found):
    broadcast = found["broadcast"]["binomial tree"][1]
    for item, operation, name in (("MPI_Reduce, binomial tree", "reduce", "binomial tree"),
                                  ("MPI_Allreduce: reduce, then broadcast", "allreduce", "reduce + broadcast"),
                                  ("MPI_Scan, binomial trees", "scan", "binomial trees")):
        ours = found[operation][name][1]
        factor = ours / broadcast
        paper = "as the broadcast" if operation == "reduce" else "about twice the broadcast"
        good = result.expect(item, round(factor) <= 2, True)
        result.add(item, paper, f"{factor:.2f} times, {us(ours)} us", REPRODUCED if good else DIFFERS,
                   "" if good else "see the command", COLLECTIVES)
    doubling = found["allreduce"]["recursive doubling"][1]
    result.add("MPI_Allreduce: faster", "not in the lecture", f"recursive doubling, {us(doubling)} us", BETTER, "",
               COLLECTIVES)


def scaled_down(predictions):
    """A reduction of 1,024 values on 16 ranks, replayed, and what q < 16 ranks take that do its operations: 1 ms each,
    a barrier after each step. [(q, seconds, work / q + t_P, work_P / work_Q)]"""
    operations = [1024 >> step for step in range(10)]
    seconds = {}
    for ranks in (16, 8, 4, 2, 1):
        lines = ["sendwright-trace 1", f"ranks {ranks}"]
        for rank in range(ranks):
            lines.append(f"rank {rank}")
            for count in operations:
                own = count // ranks + (rank < count % ranks)
                lines += [f"compute {own * 1e-3:.6f}"] if own else []
                lines.append("collective barrier")
        trace = predictions.folder / "steps.trace"
        trace.write_text("\n".join(lines) + "\n")
        seconds[ranks] = json.loads(predictions.tools.run("sendwright", "simulate", trace, "--machine",
                                                          predictions.folder / "machine.json", "--json"))["seconds"]
    return [(ranks, seconds[ranks], 16 * seconds[16] / ranks + seconds[16], 16 * seconds[16] / (ranks * seconds[ranks]))
            for ranks in (8, 4, 2, 1)]


def scaling(result, predictions):
    report = "build/bin/sendwright report-scaling PROFILE..."
    result.add("Work, speed-up, efficiency", "S = t_S / t_P, E = S / p", "printed for each run", REPRODUCED, "", report)
    rows = scaled_down(predictions)
    good = result.expect("Scaling down", all(own <= bound for _, own, bound, _ in rows), True)
    result.add("Scaling down", "t_Q <= work / q + t_P", "the bound beside each run with fewer ranks; a reduction planned for 16 "
               "ranks, replayed on fewer: " + ", ".join(f"{ranks}: {1e3 * own:.0f} ms (at most {1e3 * bound:.0f})"
                                                        for ranks, own, bound, _ in rows), REPRODUCED if good else DIFFERS,
               "" if good else "see the command", "build/bin/analysis-tests --gtest_filter='Scaling.RunsOnFewerRanks*'")
    good = result.expect("Scaling down: efficiency", all(kept >= 1 / (1 + ranks / 16) for ranks, _, _, kept in rows), True)
    result.add("Scaling down: efficiency", "work_P / work_Q is at least 1 / (1 + q / p)", "the same reduction: " + ", ".join(
        f"{ranks}: {kept:.2f} (at least {1 / (1 + ranks / 16):.2f})" for ranks, _, _, kept in rows),
               REPRODUCED if good else DIFFERS, "" if good else "see the command", "test/benchmark/papers cost-model")
    result.add("Rules of thumb: n fixed", "efficiency tends to fall with p", "by the law fitted to the runs", REPRODUCED,
               "", report)
    result.add("Rules of thumb: p fixed", "efficiency tends to grow with n", "by the law, with --size", REPRODUCED, "",
               report + " --size LIST")
    result.add("Isoefficiency: prefix sums", "p log2 p", "p log2 p, fitted to runs of n/p + log2 p", REPRODUCED, "",
               "build/bin/analysis-tests --gtest_filter='Scaling.PrefixSums*'")
    result.add("Isoefficiency: odd-even transposition sort", "2^Theta(p)",
               "exp(a E/(1-E) p^b), fitted to runs of (n/p) log (n/p) + n", REPRODUCED, "",
               "build/bin/analysis-tests --gtest_filter='Scaling.OddEven*'")
    result.add("More rules of thumb: communication behind computation", "advice, no figure", "waits move behind what does not "
               "need them, large sends leave early: examples/completion 21.05 -> 0.54 ms on 64 simulated ranks", REPRODUCED,
               "the transformation follows it", "build/bin/sendwright-smpi --ranks 64 --source examples/completion -- ./heat")
    result.add("More rules of thumb: partition, map by locality", "advice, no figure", "", NOT_REPEATED,
               "what a program computes where is its author's decision; `balance` alone moves work, to even it out")


def evaluate(tools):
    result = Result()
    result.add("Send modes", "MPI_Send, MPI_Isend, MPI_Ssend", "all modes, in the replay as in the analysis of buffers",
               REPRODUCED, "", "build/bin/analysis-tests --gtest_filter='EpochAnalysis.*Sends*'")
    result.add("Collective functions", "11 functions", "all of them, and more (`analysis/mpi/MpiFunctions.def`)",
               REPRODUCED, "", "build/bin/sendwright analyze collectives --ranks 64 --bytes 16000")
    result.add("Communicators, their topologies", "groups of processes with coordinates or a graph",
               "recorded and replayed: communicators, Cartesian and graph topologies, exchanges with neighbours", REPRODUCED, "",
               'LIT_OPTS="--filter neighbor" ctest --test-dir build -R lit')
    result.add("All-to-all: a transposed matrix", "an example", "(block, *) to (*, block)", REPRODUCED, "",
               "build/bin/analysis-tests --gtest_filter='RedistributionSchedule.ATransposedArrayReachesTheLimit'")
    result.add("LogGP: parameters", "L, o, g, G, P", "o_send, o_recv, O and ports besides", REPRODUCED, "",
               "build/bin/sendwright calibrate -o MACHINE")
    gap = 8 * PACKET / 1.92e9
    result.add("Typical values: g", "66 us (Myrinet), 128 us (Gigabit)", f"{1e6 * gap:.1f} us, {8e6 * PACKET / 1e9:.0f} us "
               "for 16 kB of 1,000 bytes", REPRODUCED, "with 1,024 bytes to the kB 68.3 and 131 us")
    result.add("Cost of communicating: networks", "Fast Ethernet 100 us, 100 Mbit/s; InfiniBand 1.32 us, 10 Gbit/s",
               "; ".join(network(tools, name) for name in ("fast-ethernet", "infiniband")), DIFFERS,
               "networks of its time; ours are the simulated ones, with what SMPI takes for a message",
               "build/bin/sendwright calibrate -o MACHINE")
    with tempfile.TemporaryDirectory() as folder:
        predictions = Predictions(tools, folder)
        rows = messages(result, predictions)
        lecture, found = Lecture(64, PACKET), predictions.collectives(64, PACKET)
        rows += trees(result, lecture, found)
        rows += exchanges(result, lecture, found)
        long_broadcast(result, predictions)
        reductions(result, found)
        scaling(result, predictions)
    result.tables.append(Table(
        "Formulas and the replay", "Microseconds on the lecture's Myrinet (L 7 us, o 70 us, g 66 us, 1.92 Gbit/s, no "
        "handshakes), 64 processes with blocks of 16 kB: its formula evaluated by itself, and our simulation of every "
        "message.", ["", "formula", "the lecture", "here"], rows))
    return result


NOTES = """
## Its algorithms in our table

Every algorithm of the lecture is in [the table of collective operations](../cost-model.md#collectives): the
binomial trees under their name; the linear array of MPI_Allgather as *ring*; its hypercube as *recursive
doubling*; the hypercube of MPI_Alltoall as *pairwise*, whose partner in phase b is rank XOR b if the ranks are a
power of two; MPI_Allreduce as *reduce + broadcast*; MPI_Scan as *binomial trees*. Each one's schedule is
replayed message by message.
"""
