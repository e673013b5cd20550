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
