// What redistribute directives move, and when each port is busy under each schedule.
"use strict";
Sendwright.section((() => {
  const {element, colour, choice, drawn, shown} = Sendwright, {bytes, count, time, times} = Sendwright.figures;
  const left = 60, right = 12, title = 22, axis = 26;

  /// Of arrays with several dimensions only the bytes are known.
  const amount = (item, value) => item.before ? `${count(value)} elements` : bytes(value);

  /// {words(value): text, schedules: [{name, text, end, bars: [[message, is receive, begin, end]]}]}
  function chartOf(item, unit) {
    const {schedules, simulated} = item.scheduled;
    if (unit === "seconds")
      return {words: time, schedules: simulated.schedules.map(each => ({name: each.name, text: time(each.seconds), end: each.seconds,
        bars: each.bars.map(([message, isReceive, begin, end]) => [message, isReceive, begin * simulated.seconds_of_tick, end * simulated.seconds_of_tick])}))};
    return {words: value => item.before ? count(value) : bytes(value), schedules: schedules.map(each => ({name: each.name, text: amount(item, each.elements), end: each.elements,
      bars: each.bars.flatMap(([message, begin, end]) => [[message, 0, begin, end], [message, 1, begin, end]])}))};
  }

  /// Gantt charts one below the other, on one time axis: for each rank a line for sending, one for receiving.
  function gantt(item, unit, width) {
    const {words, schedules} = chartOf(item, unit), messages = item.scheduled.messages, ranks = item.ranks;
    const rank = Math.max(4, Math.min(22, 300 / ranks)), high = ranks * rank, height = schedules.length * (high + title) + axis;
    const x = d3.scaleLinear().domain([0, Math.max(...schedules.map(each => each.end)) || 1]).range([left, width - right]);
    const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img").attr("font-family", "sans-serif")
      .attr("aria-label", "When each port is busy, by schedule");
    svg.append("rect").attr("width", width).attr("height", height).attr("fill", colour("page"));
    const text = (at, y, anchor, words) => svg.append("text").attr("x", at).attr("y", y).attr("text-anchor", anchor).attr("font-size", 12)
      .attr("fill", colour("ink")).text(shown(words));
    schedules.forEach((schedule, panel) => {
      const top = panel * (high + title) + title;
      svg.append("rect").attr("class", "panel").attr("x", left).attr("y", top).attr("width", width - left - right).attr("height", high)
        .attr("fill", colour("raised"));
      text(left, top - 6, "start", `${schedule.name}: ${schedule.text}`);
      text(left - 6, top + 11, "end", "rank 0");
      if (ranks > 1 && high >= 26)
        text(left - 6, top + high - 2, "end", String(ranks - 1));
      for (const [message, isReceive, begin, end] of schedule.bars) {
        const [source, destination, elements] = messages[message], isLocal = source === destination;
        if (isLocal && isReceive)
          continue;
        svg.append("rect").attr("class", "bar").attr("x", x(begin)).attr("width", Math.max(x(end) - x(begin) - 0.6, 0.6))
          .attr("y", top + ((isReceive ? destination : source) + (isReceive ? 0.5 : 0)) * rank)
          .attr("height", rank / 2 - 0.5).attr("fill", colour(isLocal ? "line" : isReceive ? "series-5" : "series-0"))
          .append("title").text(shown(`${source} to ${destination}: ${amount(item, elements)}, from ${words(begin)} to ${words(end)}`));
      }
    });
    for (const tick of x.ticks(Math.max(2, Math.floor(width / 130))))
      text(Math.min(x(tick), width - right - 20), height - 7, "middle", words(tick));
    return svg.node();
  }

  function rowsOf(item, unit) {
    return [["schedule", "port", "sender", "receiver", item.before ? "elements" : "bytes", `begin, ${unit}`, `end, ${unit}`]].concat(
      chartOf(item, unit).schedules.flatMap(schedule => schedule.bars.map(([message, isReceive, begin, end]) =>
        [schedule.name, isReceive ? "receiver's" : "sender's", ...item.scheduled.messages[message], begin, end])));
  }

  /// What the loads between directives say of the blocks' sizes.
  function loadWords(load) {
    const best = load.best_blocks, which = `${load.site}, array ${load.array}: `;
    if (!best)
      return which + `the busiest ranks computed ${time(load.largest_seconds)} between directives, all of them ${time(load.mean_seconds)} on average.`;
    return which + `predicted ${time(best.as_run)} as it was, ${time(best.best)} with the best sizes of blocks, ` +
      (best.blocks.length === 1 ? "which stay" : `rebalanced every ${count(best.interval)} executions`) + `; ${time(best.evenly)} if the load were even.`;
  }

  return {name: "redistributions", title: "Redistributions", show(body, section) {
    const host = element("div", {class: "chart"}), words = element("p", {class: "blocks"}), units = element("span", {});
    const state = {item: section.list[0], unit: "seconds"};
    const sizes = list => list.slice(0, 16).map(count).join(" ") + (list.length > 16 ? " ..." : "");
    const unitAtHand = () => state.item.scheduled && state.item.scheduled.simulated ? state.unit : "elements";
    const draw = () => {
      const scheduled = state.item.scheduled;
      words.textContent = shown(!state.item.before ? `Among ${count(state.item.ranks)} ranks, ${times(state.item.count)} with these sizes. What stays within a rank is not known.` : `Blocks of ${sizes(state.item.before)} elements become blocks of ${sizes(state.item.after)}, ` +
        `${times(state.item.count)}.` + (unitAtHand() === "seconds" ? ` An element has ${count(scheduled.simulated.bytes_of_element)} bytes` +
        (scheduled.simulated.is_assumed ? " (assumed)." : ".") : ""));
      units.style.display = scheduled && scheduled.simulated ? "" : "none";
      host.textContent = "";
      host.append(scheduled ? gantt(state.item, unitAtHand(), Math.max(300, Math.min(host.clientWidth || 680, 736)))
                            : "The page has no room for the schedules of so many ranks.");
    };
    units.append(choice("Time in", [["seconds", "seconds, simulated"], ["elements", "elements or bytes moved"]], "seconds", value => { state.unit = value; draw(); }));
    body.append(
      element("p", {}, `Simulated as written, the run takes ${time(section.seconds_with_schedules)} with Sendwright's schedules, and ` +
        `${time(section.seconds_with_alltoallv)} if MPI_Alltoallv moves the arrays.`),
      ...section.loads.map(load => element("p", {class: "load"}, shown(loadWords(load)))),
      element("div", {class: "controls"}, choice("Directive", section.list.map((item, index) => [String(index), `${index + 1}: ${item.site} (${times(item.count)})`]), "0",
        value => { state.item = section.list[Number(value)]; draw(); }), units),
      words,
      element("div", {class: "legend"}, [["sends", "series-0"], ["receives", "series-5"], ["within the rank", "line"]].map(([name, series]) =>
        element("span", {}, element("i", {style: `background: var(--${series})`}), name))),
      host, Sendwright.saving.buttons("redistribution", () => host.querySelector("svg"), () => state.item.scheduled ? rowsOf(state.item, unitAtHand()) : [[]]),
      element("p", {class: "note"}, "TPDR and MLC move arrays in steps, in which all wait for the longest message; Sendwright's messages begin " +
        "as soon as they are next at both ends; MPI_Alltoallv exchanges with one rank after another, or with all at once. In seconds: as simulated on the machine, " +
        "if all ranks begin together. In elements: one element (or byte) takes one unit of time" +
        (section.all > section.list.length ? `. The page shows the first ${section.list.length} of ${section.all} redistributions` : "") + "."));
    drawn(draw);
    window.addEventListener("resize", draw);
  }};
})());
