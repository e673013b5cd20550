# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Figures of the papers as plots, drawn by gnuplot."""

import shutil
import subprocess

def stacked(image, title, unit, parts, groups):
    """Bars of several parts that add up to 100: groups is {group: {bar: [part, ...]}}. False without gnuplot."""
    if not shutil.which("gnuplot"):
        return False
    colours = ("#1f5fa8", "#d98f3f", "#cccccc")
    lines = ["set terminal svg size 720,340 font 'sans-serif,12' background 'white'", f"set output '{image}'",
             f"set title '{title}'", "set style data histograms", "set style histogram rowstacked",
             "set style fill solid 0.9 border rgb '#666666'", "set boxwidth 0.7", "set yrange [0:100]",
             f"set ylabel '{unit}'", "set grid ytics lc rgb '#dddddd'", "set key outside right center", "set bmargin 4"]
    plots = []
    for number, (group, bars) in enumerate(groups.items()):
        lines.append(f"$group{number} << END")
        lines += [" ".join([bar, *map(str, values)]) for bar, values in bars.items()]
        lines.append("END")
        start = number * (len(bars) + 1)
        plots.append(f"newhistogram '{group}' offset 0,-0.8 at {start}")
        for part, (name, colour) in enumerate(zip(parts, colours)):
            label = f"title '{name}'" if number == 0 else "notitle"
            plots.append(f"$group{number} using {part + 2}:xtic(1) {label} lc rgb '{colour}'")
    lines.append("plot " + ", ".join(plots))
    subprocess.run(["gnuplot"], input="\n".join(lines) + "\n", text=True, check=True)
    return True


def bipartite(image, title, messages, names):
    """Messages as arrows from sources above to destinations below; a source's width shows what it has. `names` says
    what is written at each message. False without gnuplot."""
    if not shutil.which("gnuplot"):
        return False
    ranks = 1 + max(max(message[:2]) for message in messages)
    lines = ["set terminal svg size 720,300 font 'sans-serif,12' background 'white'", f"set output '{image}'",
             f"set title '{title}'", "unset border", "unset tics", "unset key", f"set xrange [-0.6:{ranks - 0.4}]",
             "set yrange [-0.35:1.35]"]
    for rank in range(ranks):
        for height, kind, label in ((1, "S", 1.17), (0, "D", -0.17)):
            elements = sum(message[2] for message in messages if message[height == 0] == rank)
            lines.append(f"set label '{kind}P{rank} ({elements})' at {rank},{label} center")
    for number, ((source, destination, _), name) in enumerate(zip(messages, names)):
        colour = "#b3541e" if source == destination else "#1f5fa8"
        lines.append(f"set arrow from {source},1 to {destination},0.04 lw 1.5 lc rgb '{colour}'")
        place = 0.68 if number % 2 else 0.38
        lines.append(f"set label '{name}' at {destination + (source - destination) * place},{place} left offset 0.5,0 "
                     f"font ',10' tc rgb '{colour}'")
    points = [f"{rank} {height}" for rank in range(ranks) for height in (0, 1)]
    lines += ["$ends << END", *points, "END", "plot $ends with points pt 7 ps 1.2 lc rgb '#222222'"]
    subprocess.run(["gnuplot"], input="\n".join(lines) + "\n", text=True, check=True)
    return True


def schedule_lines(schedules, cost, local):
    """Commands for the bars of schedules, below each other: messages of a step one above the other, as long as they cost."""
    lines, top = [], 0.0
    for name, steps in schedules:
        lanes, start = max(map(len, steps)), 0.0
        lines.append(f"set label '{name}' at -0.6,{top - lanes / 2} right")
        for step in steps:
            for lane, message in enumerate(sorted(step)):
                colour = "#b3541e" if message in local else "#1f5fa8"
                low, high = top - lane - 0.9, top - lane - 0.1
                lines.append(f"set object rectangle from {start},{low} to {start + cost[message]},{high} fc rgb '{colour}' "
                             "fs solid 0.8 noborder")
                lines.append(f"set label 'm{message}' at {start + 0.15},{(low + high) / 2} left font ',9' front "
                             f"tc rgb '{'white' if cost[message] > 1.5 else 'black'}'")
            start += max(cost[message] for message in step)
            lines.append(f"set arrow from {start},{top} to {start},{top - lanes} nohead lw 1 lc rgb '#222222'")
        lines.append(f"set label '{start:g}' at {start + 0.5},{top - lanes / 2} left")
        top -= lanes + 1
    return lines, top


def schedules_in_steps(image, title, schedules, cost, local):
    """Steps of named schedules in time, separated by lines; local messages have another colour. False without gnuplot."""
    if not shutil.which("gnuplot"):
        return False
    bars, bottom = schedule_lines(schedules, cost, local)
    longest = max(sum(max(cost[message] for message in step) for step in steps) for _, steps in schedules)
    lines = [f"set terminal svg size 720,{round(90 - 24 * bottom)} font 'sans-serif,12' background 'white'",
             f"set output '{image}'", f"set title '{title}'", "unset key", "unset ytics", "set border 1",
             "set xtics nomirror", f"set xrange [-6:{longest + 4}]", f"set yrange [{bottom + 0.5}:0.5]", *bars,
             "plot -1e9 notitle"]
    subprocess.run(["gnuplot"], input="\n".join(lines) + "\n", text=True, check=True)
    return True
