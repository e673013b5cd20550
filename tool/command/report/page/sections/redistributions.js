// What redistribute directives move, and when each port is busy under each schedule.
"use strict";
Sendwright.section((() => {
  const {element, colour, choice, drawn, shown} = Sendwright, {count, time} = Sendwright.figures;
  const width = 680, left = 52, right = 8, title = 20, axis = 24;

  /// Gantt charts one below the other, on one time axis: for each rank a line for sending, one for receiving.
  function gantt(item) {
    const {messages, schedules} = item.scheduled, ranks = item.before.length;
    const rank = Math.max(4, Math.min(22, 300 / ranks)), high = ranks * rank, height = schedules.length * (high + title) + axis;
    const x = d3.scaleLinear().domain([0, Math.max(1, ...schedules.map(each => each.elements))]).range([left, width - right]);
    const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img").attr("font-family", "sans-serif")
      .attr("aria-label", "When each port is busy, by schedule");
    svg.append("rect").attr("width", width).attr("height", height).attr("fill", colour("page"));
    const text = (at, y, anchor, words) => svg.append("text").attr("x", at).attr("y", y).attr("text-anchor", anchor).attr("font-size", 12)
      .attr("fill", colour("ink")).text(shown(words));
    schedules.forEach((schedule, panel) => {
      const top = panel * (high + title) + title;
      svg.append("rect").attr("x", left).attr("y", top).attr("width", width - left - right).attr("height", high).attr("fill", colour("raised"));
      text(left, top - 5, "start", `${schedule.name}: ${count(schedule.elements)} elements`);
      text(left - 6, top + 11, "end", "rank 0");
      text(left - 6, top + high, "end", String(ranks - 1));
      for (const [message, begin, end] of schedule.bars) {
        const [source, destination, elements] = messages[message];
        for (const [row, series] of source === destination ? [[source * rank, "line"]] : [[source * rank, "series-0"], [(destination + 0.5) * rank, "series-5"]])
          svg.append("rect").attr("x", x(begin)).attr("width", Math.max(x(end) - x(begin) - 0.6, 0.4)).attr("y", top + row)
            .attr("height", rank / 2 - 0.5).attr("fill", colour(series))
            .append("title").text(shown(`${source} to ${destination}: ${elements} elements, from ${begin} to ${end}`));
      }
    });
    for (const tick of x.ticks(6))
      text(x(tick), height - 6, "middle", count(tick));
    return svg.node();
  }

  function rowsOf(item) {
    return [["schedule", "sender", "receiver", "elements", "begin", "end"]].concat(item.scheduled.schedules.flatMap(schedule =>
      schedule.bars.map(([message, begin, end]) => [schedule.name, ...item.scheduled.messages[message], begin, end])));
  }

  return {name: "redistributions", title: "Redistributions", show(body, section) {
    const host = element("div", {class: "chart"}), words = element("p", {class: "blocks"}), state = {item: section.list[0]};
    const sizes = list => list.slice(0, 16).join(", ") + (list.length > 16 ? ", ..." : "");
    const draw = () => {
      words.textContent = shown(`From ${sizes(state.item.before)} to ${sizes(state.item.after)} elements, ${count(state.item.count)} times.`);
      host.textContent = "";
      host.append(state.item.scheduled ? gantt(state.item) : "The page has no room for the schedules of so many ranks.");
    };
    body.append(
      element("p", {}, `Simulated as written, the run takes ${time(section.seconds_with_schedules)} with Sendwright's schedules, and ` +
        `${time(section.seconds_with_alltoallv)} if MPI_Alltoallv moves the arrays.`),
      element("div", {class: "controls"}, choice("Directive", section.list.map((item, index) => [String(index), `${item.site} (${count(item.count)} times)`]), "0",
        value => { state.item = section.list[Number(value)]; draw(); })),
      words,
      element("div", {class: "legend"}, [["sends", "series-0"], ["receives", "series-5"], ["within the rank", "line"]].map(([name, series]) =>
        element("span", {}, element("i", {style: `background: var(--${series})`}), name))),
      host, Sendwright.saving.buttons("redistribution", () => host.querySelector("svg"), () => state.item.scheduled ? rowsOf(state.item) : [[]]),
      element("p", {class: "note"}, "One element takes one unit of time. TPDR and MLC move arrays in steps, in which all wait for the longest message; " +
        "Sendwright's messages begin as soon as they are next at both ends" +
        (section.all > section.list.length ? `. The page shows the first ${section.list.length} of ${section.all} redistributions` : "") + "."));
    drawn(draw);
  }};
})());
