# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""S.-C. Chen and C.-H. Hsu, Multi-Level Communication Scheduling for Irregular Data Redistribution."""

from functools import partial

from plots import bipartite, schedules_in_steps, stacked
from rows import BETTER, DIFFERS, REPRODUCED, Result, Table

SHORT = "Redistribution"
TITLE = "Redistribution, against its paper"
ABOUT = """
S.-C. Chen and C.-H. Hsu, *Multi-Level Communication Scheduling for Irregular Data Redistribution*: in which
steps the messages travel when an array changes from one GEN_BLOCK distribution to another. Ours:
[redistribution](../transformations/redistribution.md).
"""
NUMBERED = (*(f"Definition {number}" for number in (1, 3, 4)), *(f"Fig. {number}" for number in range(1, 10)))
OLD, NEW = [9, 8, 9, 16, 25, 33], [28, 17, 5, 10, 22, 18]
EXAMPLE = "build/bin/sendwright analyze redistribution --old 9,8,9,16,25,33 --new 28,17,5,10,22,18"
SIMPLE = [[1, 5, 9], [2, 6, 10], [3, 7, 11], [4, 8]]  # messages of the steps of Fig. 3 (b)
FIGURE_FIVE = [[2, 5, 8, 10], [3, 6], [4, 7], [1, 9, 11]]
RANKS, RANGES = (8, 32, 128), ("alpha", "beta", "gamma", "delta")


def parse_comparison(text):
    """{generator ranks range: figures} of redistribution-benchmark comparison."""
    found = {}
    for line in text.splitlines():
        words = line.replace("|", " ").replace("%", " ").split()
        if words and words[0] in ("sequential", "exponential"):
            figures = [float(word) for word in words[3:]]
            found[" ".join(words[:3])] = dict(zip(
                ("mlc_lmr", "lmr_mlc", "same_lmr", "mlc", "tpdr", "same", "figure", "figure_lmr", "figure_same",
                 "gap_mlc", "gap_lmr", "gap_figure", "any", "asynchronous"), figures))
    return found


def compare(tools, unit):
    """Of 1,000 pairs for each number of nodes, range and generator; in elements, or in seconds of a machine. The latter take
    the longest of all analyses, and --check uses what was found when the page was written."""
    name = f"redistribution-{unit}"
    if unit != "elements" and tools.quick and (kept := tools.measured(name)):
        return kept
    where = [] if unit == "elements" else [tools.top / "examples" / "platforms" / f"{unit}.json"]
    found = parse_comparison(tools.run("redistribution-benchmark", "comparison", 1000, *where))
    if unit != "elements" and not tools.quick:
        tools.keep(name, found)
    return found


MEASUREMENTS = {}


def analysis(tools, old, new, *options):
    return tools.analyze("redistribution", "--old", ",".join(map(str, old)), "--new", ",".join(map(str, new)), *options)


def costs(messages, ratio):
    """Of each message, by its number in the paper; a local one costs a part."""
    return {number: elements / (ratio if source == destination else 1)
            for number, (source, destination, elements) in enumerate(messages, 1)}


def length(steps, cost):
    return sum(max(cost[message] for message in step) for step in steps)


def numbers(steps):
    return [sorted(message + 1 for message in step) for step in steps]


def picture(result, title, text, name, messages):
    """A drawing of the messages and a table of them."""
    labels = [f"m{number}({elements})" for number, (_, _, elements) in enumerate(messages, 1)]
    result.tables.append(Table(title, text, ["message", "from", "to", "elements", "", "cost with RLR 8"], [
        [f"m{number}", f"SP{source}", f"DP{destination}", elements, "local" if source == destination else "remote",
         f"{elements / (8 if source == destination else 1):g}"]
        for number, (source, destination, elements) in enumerate(messages, 1)], name))
    result.plots[name] = partial(bipartite, title=title, messages=messages, names=labels)


def steps_table(result, title, text, cost, name, local, *schedules):
    """The messages of each step, and its cost, of named schedules; a drawing of them, and a table."""
    result.plots[name] = partial(schedules_in_steps, title=title, schedules=schedules, cost=cost, local=local)
    rows = []
    for schedule, steps in schedules:
        rows += [[schedule if number == 1 else "", number,
                  ", ".join(f"m{message}({cost[message]:g})" for message in sorted(step)), f"{max(cost[one] for one in step):g}"]
                 for number, step in enumerate(steps, 1)]
        rows.append(["", "", "in all", f"{length(steps, cost):g}"])
    result.tables.append(Table(title, text, ["schedule", "step", "messages", "cost"], rows, name))


def definitions(tools, result):
    found = analysis(tools, [5, 5, 5, 5], [3, 4, 6, 7])
    picture(result, "Fig. 1: a bipartite graph of messages", "Seven messages between four sources and four destinations; "
            "the sizes are ours.", "redistribution-graph.svg", found["messages"])
    result.expect("Fig. 1", len(found["messages"]), 7)
    result.add("Definition 1, 2; Fig. 1", "4 sources, 4 destinations, 7 messages",
               f"{len(found['messages'])} messages between two GEN_BLOCKs of 4 ranks whose bounds all differ",
               REPRODUCED, "the drawing's sizes are not in the text", "build/bin/sendwright analyze redistribution --old 5,5,5,5 --new 3,4,6,7")
    found = analysis(tools, [5, 5, 5, 5], [6, 2, 7, 5])
    out, into = (max(sum(message[end] == rank for message in found["messages"]) for rank in range(4)) for end in (0, 1))
    result.expect("Fig. 2", [out, into], [3, 2])
    picture(result, "Fig. 2: a graph of degree 3", "SP1 sends three messages; the sizes are ours.",
            "redistribution-degree.svg", found["messages"])
    result.add("Definition 3; Fig. 2", "Degree_max 3, the out-degree of a source", f"{out}; at a destination {into}", REPRODUCED,
               "the drawing's sizes are not in the text", "build/bin/sendwright analyze redistribution --old 5,5,5,5 --new 6,2,7,5")


def examples(tools, result):
    found = analysis(tools, OLD, NEW)
    messages = found["messages"]
    good = result.expect("Fig. 3 (a)", [message[2] for message in messages], [9, 8, 9, 2, 14, 3, 5, 10, 7, 15, 18])
    result.add("Section 1: HPF code", "DISTRIBUTE, REDISTRIBUTE of A(100)",
               "`#pragma hpf`, with the same words in C and C++", REPRODUCED, command="examples/redistribution/simulate")
    result.add("Fig. 3 (a), messages", "11 messages, m1 to m11", f"{len(messages)}, the same sizes",
               REPRODUCED if good else DIFFERS, "" if good else "see the command", EXAMPLE)
    picture(result, "Fig. 3 (a): the messages of the example", "From 9, 8, 9, 16, 25, 33 to 28, 17, 5, 10, 22, 18 elements.",
            "redistribution-example.svg", messages)
    full, reduced = costs(messages, 1), costs(messages, 8)
    local = [message for message in reduced if messages[message - 1][0] == messages[message - 1][1]]
    steps_table(result, "Fig. 3 (b): the simple schedule", "Every message in full.", full, "redistribution-simple.svg",
                local, ("simple", SIMPLE))
    steps_table(result, "Fig. 4: the same with cheap local messages", "A local message costs an eighth.", reduced,
                "redistribution-local.svg", local, ("simple", SIMPLE))
    result.expect("Fig. 3 (b)", length(SIMPLE, full), 57)
    result.add("Fig. 3 (b), a simple schedule", "14 + 15 + 18 + 10 = 57", f"{length(SIMPLE, full):.0f}", REPRODUCED,
               command="build/bin/analysis-tests --gtest_filter='RedistributionSchedule.OfThePapersSimpleExample'")
    result.expect("Fig. 4", [length(SIMPLE, reduced), reduced[1]], [48, 1.125])
    result.add("Fig. 4, cost with LMR", "48; m1(1.25)", f"48; m1 is {reduced[1]:g}", DIFFERS,
               "9 elements at an eighth are 1.125, not 1.25; no step's length changes",
               "build/bin/analysis-tests --gtest_filter='RedistributionSchedule.OfThePapersSimpleExample'")
    schedules = found["schedules"]
    tpdr, lmr = schedules["tpdr"]["cost"], schedules["tpdr-lmr"]["cost"]
    result.expect("TPDR", [tpdr, lmr], [44, 27.125])
    result.add("TPDR, which it cites", "fewest steps, low cost", f"{len(schedules['tpdr']['steps'])} steps, {tpdr:g}",
               REPRODUCED, "", EXAMPLE)
    result.add("LMR, which it cites", "improves TPDR", f"{lmr:g} instead of {tpdr:g}", REPRODUCED, "", EXAMPLE)
    mlc, figure, best = (schedules[name]["cost"] for name in ("mlc", "mlc-figure", "optimal"))
    same_steps = sorted(numbers(schedules["mlc-figure"]["steps"])) == sorted(FIGURE_FIVE)
    result.expect("MLC", [mlc, figure, length(FIGURE_FIVE, reduced), best], [28.25, 31.25, 31.25, 26])
    steps_table(result, "Fig. 5: schedules in levels", "Local messages in a step of their own, at an eighth; ours by the "
                "paper's text, by the reading that gives its figure, and the optimum with the local step.", reduced,
                "redistribution-levels.svg", local, ("text", numbers(schedules["mlc"]["steps"])), ("figure", numbers(schedules["mlc-figure"]["steps"])),
                ("optimum", [*numbers(schedules["optimal"]["steps"]), local]))
    result.add("Section 4: MLC, steps 1 to 10", "no figure of its own", f"{mlc:g}", DIFFERS,
               "its ten steps, followed literally, give 28.25; its Fig. 5 has 31.25", EXAMPLE)
    result.add("Fig. 5, a schedule of MLC", "15 + 9 + 5 + 2.25 = 31.25",
               f"{figure:g} under a second reading" + (", the same steps" if same_steps else ""), DIFFERS,
               f"not what its own text gives (28.25); the optimum of the remote messages is {best:g}, proven, "
               "so 28.25 with the local step",
               EXAMPLE)
    waiting = found["asynchronous"]["makespan"]
    result.add("Section 3: steps", "no node contention within a step", f"{waiting:g} without steps, the limit of a port",
               BETTER, "", EXAMPLE)


def comparison(tools, result):
    result.add("Fig. 6, ranges of sizes", "alpha, beta, gamma, delta", "the same four, two generators of sizes",
               REPRODUCED, "the paper names no generator", "build/bin/redistribution-benchmark comparison 100")
    found = {unit: compare(tools, unit) for unit in TITLES}
    elements = found["elements"]
    claims = {8: ("Fig. 7", "MLC better in most cases"), 32: ("Fig. 8", "MLC better in 65 to 75 %"),
              128: ("Fig. 9", "TPDR better with alpha, beta, gamma; MLC with delta")}
    for ranks, (name, claim) in claims.items():
        shares = {generator: [(elements[f"{generator} {ranks} {one}"]["mlc"],
                               elements[f"{generator} {ranks} {one}"]["tpdr"]) for one in RANGES]
                  for generator in ("sequential", "exponential")}
        text = "; ".join(f"{generator} " + ", ".join(f"{mlc:.0f} : {tpdr:.0f}" for mlc, tpdr in each)
                         for generator, each in shares.items())
        why, verdict = judge(ranks, shares)
        result.add(f"{name}, {ranks} nodes", claim, f"% of cases, MLC : TPDR better, alpha to delta: {text}", verdict, why,
                   "build/bin/redistribution-benchmark comparison")
    ties = {ranks: {generator: [100 - sum(each) for each in shares] for generator, shares in shares_of(found, ranks).items()}
            for ranks in (8, 32)}
    result.add("Section 5: equal costs", "many with alpha on 8 nodes, almost none on 32", "% of cases, alpha to delta, 8 nodes: "
               + "; ".join(f"{generator} {', '.join(f'{tie:.0f}' for tie in each)}" for generator, each in ties[8].items())
               + f"; 32 nodes: at most {max(max(each) for each in ties[32].values()):.1f}", *judge_ties(ties),
               "build/bin/redistribution-benchmark comparison")
    seconds = {unit: [figures[f"{generator} 32 {one}"]["mlc"] for generator in ("sequential", "exponential")
                      for one in RANGES] for unit, figures in found.items() if unit != "elements"}
    result.add("Figs. 7 to 9, in seconds", "costs in elements only", "32 nodes, MLC better: " + "; ".join(
        f"{min(shares):.0f} to {max(shares):.0f} % on {unit}" for unit, shares in seconds.items()), BETTER,
        "a local step costs no message there, so MLC gains under both generators",
        "build/bin/redistribution-benchmark comparison 1000 examples/platforms/infiniband.json")
    for unit, figures in found.items():
        result.tables.append(comparison_table(unit, figures))
        for ranks, (name, _) in claims.items():
            image = f"redistribution-{ranks}-{unit}.svg"
            title = f"{name}: {ranks} nodes, " + ("cost in elements" if unit == "elements" else f"time on {unit}")
            result.tables.append(Table(title, PLOT, ["sizes", *RANGES], bars_table(figures, ranks), image))
            result.plots[image] = partial(stacked, title=title, unit="% of 1,000 cases",
                                          parts=("MLC better", "TPDR better", "the same"), groups=bars(figures, ranks))


def shares_of(found, ranks):
    """{generator: [(% MLC better, % TPDR better) for each range]}, cost in elements"""
    return {generator: [(mlc, tpdr) for mlc, tpdr, _ in each.values()]
            for generator, each in ((name.split()[0], each) for name, each in bars(found["elements"], ranks).items())}


def judge_ties(ties):
    """(verdict, reason)"""
    few = max(max(each) for each in ties[32].values()) <= 5
    most = {generator: each[0] == max(each) for generator, each in ties[8].items()}
    if few and all(most.values()):
        return REPRODUCED, ""
    if few and most["exponential"]:
        return DIFFERS, "so with exponential sizes; with sequential ones delta has as many on 8 nodes as alpha"
    return DIFFERS, "not under either generator"


PLOT = "% of cases in which MLC is better : TPDR is better, in the rest both cost the same."


def bars(figures, ranks):
    return {f"{generator} sizes": {one: [figures[f"{generator} {ranks} {one}"][part] for part in ("mlc", "tpdr", "same")]
                                   for one in RANGES} for generator in ("sequential", "exponential")}


def bars_table(figures, ranks):
    return [[generator, *(f"{mlc:.1f} : {tpdr:.1f}" for mlc, tpdr, _ in each.values())]
            for generator, each in bars(figures, ranks).items()]


def judge(ranks, shares):
    """(reason, verdict) from the shares of cases in which MLC is better, and TPDR."""
    wins = {generator: [mlc > tpdr for mlc, tpdr in each] for generator, each in shares.items()}
    if ranks == 128:
        return ("under neither generator is MLC the better one with delta" if not (wins["sequential"][3] or
                wins["exponential"][3]) else "MLC is better with delta under one generator only", DIFFERS)
    if all(wins["sequential"] + wins["exponential"]):
        return "", REPRODUCED
    if all(wins["exponential"]):
        return ("so with exponential sizes; with sequential ones MLC loses where ranges are wide. The paper names no "
                "generator, and the result depends on it as much as on the method", DIFFERS)
    return "not under either generator", DIFFERS


TITLES = {"elements": "Figs. 7 to 9, cost in elements",
          "fast-ethernet": "Figs. 7 to 9, in seconds on Fast Ethernet",
          "infiniband": "Figs. 7 to 9, in seconds on InfiniBand"}


def comparison_table(unit, figures):
    text = ("1,000 pairs of distributions of 10,000 elements a row. *better*: % of cases in which MLC's cost is smaller, "
            "TPDR's, or neither; TPDR counts local messages in full, as the paper does. Gap: mean distance from the "
            "proven optimum of the same form.")
    if unit != "elements":
        text = (f"The same pairs; a step costs T(n) of its longest message of doubles on "
                f"`examples/platforms/{unit}.json`, a local element an eighth of G.")
    rows = []
    for key, row in figures.items():
        generator, ranks, name = key.split()
        rows.append([generator, ranks, name, f"{row['mlc']:.1f}", f"{row['tpdr']:.1f}", f"{row['same']:.1f}",
                     f"{row['mlc_lmr']:.1f}", f"{row['lmr_mlc']:.1f}", f"{row['gap_mlc']:.2f}", f"{row['gap_lmr']:.2f}",
                     *([f"{row['asynchronous']:.2f}"] if unit == "elements" else [])])
    return Table(TITLES[unit], text,
                 ["sizes", "nodes", "range", "MLC better", "TPDR better", "same", "MLC better than LMR", "LMR better",
                  "MLC, gap %", "LMR, gap %", *(["without steps"] if unit == "elements" else [])], rows)


def evaluate(tools):
    result = Result()
    definitions(tools, result)
    result.add("Definition 4", "local and remote messages", "the same", REPRODUCED, "", EXAMPLE)
    examples(tools, result)
    comparison(tools, result)
    return result
