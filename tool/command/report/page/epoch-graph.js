// The communication graph of an epoch, by D3: a line for each rank with its calls in the program's
// order, and an arrow for each message. What a call is, is shown where the pointer rests on it.
"use strict";
Sendwright.epochGraph = (() => {
  const {element, colour, drawn, shown} = Sendwright;
  const left = 72, top = 20, across = 34, down = 44, radius = 6;
  const colours = {send: "series-1", receive: "series-0", other: "line"};

  function arrowHead(svg, name, fill) {
    svg.append("defs").append("marker").attr("id", name).attr("viewBox", "0 0 8 8").attr("refX", 8).attr("refY", 4)
      .attr("markerWidth", 7).attr("markerHeight", 7).attr("orient", "auto").append("path").attr("d", "M0 0L8 4L0 8z").attr("fill", fill);
  }

  /// From the edge of one call to the edge of another; a message of a rank to itself is bent.
  function way([x1, y1], [x2, y2], isMessage) {
    const length = Math.hypot(x2 - x1, y2 - y1), x = radius * (x2 - x1) / length, y = radius * (y2 - y1) / length;
    const bend = isMessage && y1 === y2 ? `Q${(x1 + x2) / 2} ${y1 - down / 2} ` : "L";
    return `M${x1 + x} ${y1 + y}${bend}${x2 - x} ${y2 - y}`;
  }

  function draw(host, graph) {
    host.textContent = "";
    const width = left + across * graph.columns, height = top + down * graph.ranks.length;
    const svg = d3.select(host).append("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("role", "img")
      .attr("style", `min-width: ${width}px; max-width: ${1.4 * width}px`)
      .attr("aria-label", `Epoch ${graph.epoch}: who waits for whom`).attr("font-family", "sans-serif");
    svg.append("rect").attr("width", width).attr("height", height).attr("fill", colour("page"));
    arrowHead(svg, "epoch-message", colour("series-1"));
    arrowHead(svg, "epoch-order", colour("line"));
    const place = ([row, column]) => [left + across * column, top + down * row];
    graph.ranks.forEach((rank, row) => svg.append("text").attr("x", 4).attr("y", place([row, 0])[1] + 4)
      .attr("font-size", 12).attr("fill", colour("ink")).text(`rank ${rank}`));
    for (const [from, to, isMessage] of graph.arcs) {
      const ends = [place(graph.vertices[from]), place(graph.vertices[to])];
      if (Math.hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]) < 2 * radius)
        continue;
      svg.append("path").attr("class", isMessage ? "message" : "order").attr("d", way(...ends, isMessage)).attr("fill", "none")
        .attr("stroke", colour(isMessage ? "series-1" : "line")).attr("stroke-width", isMessage ? 1.5 : 1)
        .attr("marker-end", `url(#epoch-${isMessage ? "message" : "order"})`);
    }
    for (const vertex of graph.vertices) {
      const [x, y] = place(vertex);
      svg.append("circle").attr("cx", x).attr("cy", y).attr("r", radius).attr("fill", colour(colours[vertex[2]]))
        .append("title").text(shown(vertex[3]));
    }
  }

  /// One of several graphs, the first at first: [{epoch, messages, super_epoch, ranks, columns,
  /// vertices: [[row, column, kind, text]], arcs: [[from, to, is message]]}]
  function graphsOf(graphs) {
    const host = element("div", {class: "chart", id: "epoch-graph", style: "overflow-x: auto"}), state = {graph: graphs[0]};
    const words = element("p", {class: "note"});
    const show = () => {
      const {epoch, messages, super_epoch} = state.graph;
      words.textContent = `Epoch ${epoch}, in super epoch ${super_epoch}: ${messages} message${messages === 1 ? "" : "s"}. These calls wait for one another in a ` +
        "circle unless some messages are buffered. Each line is a rank; thin arrows are its program's order, thick arrows are messages.";
      draw(host, state.graph);
    };
    drawn(show);
    const rows = () => [["from", "to", "message"]].concat(state.graph.arcs.map(([from, to, isMessage]) =>
      [state.graph.vertices[from][3], state.graph.vertices[to][3], isMessage ? 1 : 0]));
    return element("figure", {style: "margin: 0"}, element("h3", {}, "Why: complex epochs"),
      element("div", {class: "controls"}, graphs.length < 2 ? [] : Sendwright.choice("Epoch", graphs.map((graph, index) =>
        [String(index), `${graph.epoch} (${graph.messages} message${graph.messages === 1 ? "" : "s"})`]), "0",
        value => { state.graph = graphs[Number(value)]; show(); })),
      words, host, Sendwright.saving.buttons("epoch-graph", () => host.querySelector("svg"), rows));
  }

  return {graphsOf};
})();
