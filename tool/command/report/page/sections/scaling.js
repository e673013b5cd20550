// How the program scales, from profiles of runs with several numbers of ranks.
"use strict";
Sendwright.section((() => {
  const {element} = Sendwright, {time, percent} = Sendwright.figures;

  /// A line for each size, or one line where sizes follow the ranks.
  function linesOf(section, name, model, value) {
    const lines = new Map();
    for (const row of section.runs) {
      const size = section.size_follows_ranks ? 0 : row.size, point = value(row);
      if (!lines.has(size))
        lines.set(size, {size, model, points: []});
      if (point !== null)
        lines.get(size).points.push([row.ranks, point]);
    }
    return Array.from(lines.values()).filter(line => line.points.length)
      .map(line => ({...line, name: lines.size > 1 ? `${name}, size ${line.size}` : name}));
  }

  function overheadBy(law, row) {
    const p = row.ranks;
    return p < 2 ? null : law.factor * (law.shape === "power" ? p ** law.exponent : p * Math.log2(p)) * row.serial_seconds ** law.work_exponent;
  }

  function charts(section) {
    const ranks = {title: "ranks", kind: "log"};
    const made = [
      {name: "speed-up", title: "Speed-up", across: ranks, up: {title: "time of one processor / time", kind: "log"},
       lines: [...linesOf(section, "measured", false, row => row.speed_up), {name: "p", model: true, points: section.runs.map(row => [row.ranks, row.ranks])}]},
      {name: "efficiency-and-communication", title: "Efficiency, and the share of communication", across: ranks, up: {title: "%", kind: "linear"},
       lines: [...linesOf(section, "efficiency", false, row => 100 * row.efficiency),
               ...linesOf(section, "communication", false, row => 100 * row.communication_share)]}];
    if (section.laws.length)
      made.push({name: "overhead", title: "Overhead: p times the time, minus the time of one processor", across: ranks, up: {title: "seconds", kind: "log"},
        lines: [...linesOf(section, "measured", false, row => row.ranks > 1 && row.overhead_seconds > 0 ? row.overhead_seconds : null),
                ...section.laws.flatMap(law => linesOf(section, law.law, true, row => overheadBy(law, row)))]});
    if (section.isoefficiency.length && !section.size_follows_ranks)
      made.push({name: "isoefficiency", title: "Isoefficiency: work needed", across: ranks, up: {title: "seconds of one processor", kind: "log"},
        lines: Array.from(new Set(section.isoefficiency.map(row => row.efficiency))).map(efficiency => ({name: `efficiency ${Math.round(100 * efficiency)} %`,
          model: true, points: section.isoefficiency.filter(row => row.efficiency === efficiency).map(row => [row.ranks, row.serial_seconds])}))});
    return made;
  }

  return {name: "scaling", title: "Scaling", show(body, section) {
    body.append(element("p", {}, `Time of one processor: ${section.serial_from}.`));
    const seconds = (title, key) => ({title, value: row => row[key], text: row => time(row[key])});
    const share = (title, key) => ({title, value: row => row[key], text: row => percent(row[key])});
    body.append(Sendwright.table.tableOf("scaling", [{title: "Ranks", value: row => row.ranks}, {title: "Profile", value: row => row.profile},
      seconds("Time", "seconds"), {title: "Speed-up", value: row => row.speed_up, text: row => row.speed_up.toFixed(3)},
      share("Efficiency", "efficiency"), share("Communication", "communication_share"), seconds("Overhead", "overhead_seconds")], section.runs, null));
    if (section.doubts.length)
      body.append(element("p", {class: "note"}, "Do not trust the law beyond these runs: " + section.doubts.join("; ") + "."));
    charts(section).forEach(chart => body.append(Sendwright.chart.chartOf(chart)));
  }};
})());
