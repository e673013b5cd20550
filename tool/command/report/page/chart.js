// Line charts and bar charts, by D3. Colours are attributes, not styles, so that a saved drawing
// has them, too.
"use strict";
Sendwright.chart = (() => {
  const {element, colour, drawn, shown} = Sendwright;
  const width = 640, height = 360, margin = {left: 76, right: 16, top: 16, bottom: 48};

  function scaleOf(kind, values, range) {
    const known = values.filter(value => isFinite(value) && (kind !== "log" || value > 0));
    let [low, high] = known.length ? d3.extent(known) : [1, 2];
    if (kind !== "log")
      low = Math.min(low, 0);
    if (low === high)
      high = kind === "log" ? 2 * low : low + 1;
    return (kind === "log" ? d3.scaleLog().base(10) : d3.scaleLinear()).domain([low, high]).range(range).nice();
  }

  function frame(svg, chart, across, up, acrossTicks, words) {
    const axes = [[d3.axisBottom(across), 0, height - margin.bottom], [d3.axisLeft(up).ticks(6, chart.up.kind === "log" ? ".1~e" : "~g"), margin.left, 0]];
    if (acrossTicks)
      axes[0][0].tickValues(acrossTicks).tickFormat(words || d3.format("~g"));
    for (const [axis, x, y] of axes) {
      const group = svg.append("g").attr("transform", `translate(${x},${y})`).call(axis).attr("font-size", 12);
      group.selectAll("text").attr("fill", colour("ink"));
      group.selectAll("path,line").attr("stroke", colour("line"));
    }
    const label = (x, y, turn, text) => svg.append("text").attr("transform", `translate(${x},${y}) rotate(${turn})`)
      .attr("text-anchor", "middle").attr("font-size", 12).attr("fill", colour("ink")).text(shown(text));
    label((margin.left + width - margin.right) / 2, height - 8, 0, chart.across.title);
    label(16, (margin.top + height - margin.bottom) / 2, -90, chart.up.title);
  }

  function drawLines(svg, chart) {
    const points = chart.lines.flatMap(line => line.points);
    const across = scaleOf(chart.across.kind, points.map(point => point[0]), [margin.left, width - margin.right]);
    const up = scaleOf(chart.up.kind, points.map(point => point[1]), [height - margin.bottom, margin.top]);
    frame(svg, chart, across, up, Array.from(new Set(points.map(point => point[0]))).slice(0, 16));
    chart.lines.forEach((line, index) => {
      const stroke = colour("series-" + index % 6);
      const visible = line.points.filter(([x, y]) => isFinite(across(x)) && isFinite(up(y)));
      svg.append("path").attr("d", d3.line()(visible.map(([x, y]) => [across(x), up(y)]))).attr("fill", "none")
        .attr("stroke", stroke).attr("stroke-width", 2).attr("stroke-dasharray", line.model ? "6 4" : null);
      if (!line.model)
        visible.forEach(([x, y]) => svg.append("circle").attr("cx", across(x)).attr("cy", up(y)).attr("r", 3.5)
          .attr("fill", stroke).append("title").text(shown(`${line.name}: ${x}, ${y}`)));
    });
  }

  /// Bars beside one another for each place; each place has one value for each series.
  function drawBars(svg, chart) {
    const places = chart.lines[0].points.length;
    const across = d3.scaleLinear().domain([0, places]).range([margin.left, width - margin.right]);
    const up = scaleOf("linear", chart.lines.flatMap(line => line.points.map(point => point[1])), [height - margin.bottom, margin.top]);
    // A place has its name below the middle of its bars.
    const longest = Math.max(...chart.lines[0].points.map(point => String(point[0]).length));
    const few = Math.ceil(places * (7 * longest + 14) / (across(places) - across(0))), middles = Array.from({length: Math.ceil(places / few)}, (_, index) => index * few + 0.5);
    frame(svg, chart, across, up, middles, middle => shown(chart.lines[0].points[Math.floor(middle)][0]));
    const place = across(1) - across(0), gap = Math.min(place / 8, 6), room = (place - gap) / chart.lines.length;
    chart.lines.forEach((line, index) => line.points.forEach(([x, y], number) =>
      svg.append("rect").attr("x", across(number) + gap / 2 + index * room).attr("width", Math.max(room * 0.95, 0.5))
        .attr("y", up(y)).attr("height", Math.max(up(0) - up(y), 0)).attr("fill", colour("series-" + index % 6))
        .append("title").text(shown(`${line.name}: ${x}, ${y}`))));
  }

  function legend(chart) {
    return element("div", {class: "legend"}, chart.lines.map((line, index) => element("span", {},
      element("i", {style: `background: var(--series-${index % 6})`}), line.name + (line.model ? " (dashed)" : ""))));
  }

  /// {name, title, across: {title, kind}, up: {title, kind}, bars, lines: [{name, points, model}]}
  function chartOf(chart) {
    const host = element("div", {class: "chart"});
    const rows = () => [["series", chart.across.title, chart.up.title]]
      .concat(chart.lines.flatMap(line => line.points.map(point => [line.name, point[0], point[1]])));
    drawn(() => {
      host.textContent = "";
      const svg = d3.select(host).append("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img")
        .attr("aria-label", shown(chart.title)).attr("font-family", "sans-serif");
      svg.append("rect").attr("width", width).attr("height", height).attr("fill", colour("page"));
      (chart.bars ? drawBars : drawLines)(svg, chart);
    });
    const [titles, ...values] = rows();
    return element("figure", {style: "margin: 0"}, element("h3", {}, chart.title), legend(chart), host,
      Sendwright.saving.buttons(chart.name, () => host.querySelector("svg"), rows),
      element("details", {}, element("summary", {}, "Numbers"),
        Sendwright.table.tableOf(chart.name + "-numbers", titles.map((title, index) => ({title, value: row => row[index]})), values, null)));
  }

  return {chartOf};
})();
