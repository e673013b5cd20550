// Who sends to whom: senders down, receivers across. Many ranks share a cell until the view zooms in.
"use strict";
Sendwright.section((() => {
  const {element, colour, choice} = Sendwright, {bytes, count} = Sendwright.figures;
  const mostCells = 96, left = 64, top = 26, right = 8, bottom = 8;

  function amount(state, value) {
    return state.what === "bytes" ? bytes(value) : `${count(value)} message${value === 1 ? "" : "s"}`;
  }

  /// The matrix at hand in the order at hand: positions of its pairs.
  function arrange(state, section) {
    const matrix = section.matrices[state.matrix];
    if (!matrix.unpacked)
      matrix.unpacked = Object.fromEntries(["senders", "receivers", "messages", "bytes"].map(key => [key, Sendwright.unpackedSmall(matrix[key])]));
    const {senders, receivers} = matrix.unpacked, size = Math.ceil(section.ranks / matrix.together);
    const orders = Sendwright.orders;
    const order = state.order === "neighbours" ? orders.byNeighbours(size, senders, receivers)
                : state.order === "host" && matrix.together === 1 ? orders.byHost(section.hosts) : orders.given(size);
    const place = new Uint32Array(size);
    order.forEach((rank, at) => { place[rank] = at; });
    Object.assign(state, {size, order_list: order, together: matrix.together, down: Uint32Array.from(senders, rank => place[rank]),
      across: Uint32Array.from(receivers, rank => place[rank]), values: matrix.unpacked[state.what === "bytes" ? "bytes" : "messages"]});
    whole(state);
  }

  function whole(state) {
    Object.assign(state, {first: [0, 0], span: state.size, cursor: [0, 0]}); // [across, down]
  }

  /// Sums of the visible cells.
  function cellsOf(state) {
    const cells = Math.min(state.span, mostCells), each = state.span / cells;
    const sums = new Float64Array(cells * cells);
    for (let pair = 0; pair < state.values.length; ++pair) {
      const x = Math.floor((state.across[pair] - state.first[0]) / each), y = Math.floor((state.down[pair] - state.first[1]) / each);
      if (x >= 0 && y >= 0 && x < cells && y < cells)
        sums[y * cells + x] += state.values[pair];
    }
    return {cells, each, sums};
  }

  /// More stands out more from the page, be it dark or light.
  function shade(share) {
    const isDark = document.documentElement.getAttribute("data-theme") === "dark";
    return d3.interpolateViridis(isDark ? 0.2 + 0.8 * share : 0.85 * (1 - share));
  }

  function rankText(state, position) {
    const from = state.order_list[Math.min(Math.floor(position), state.size - 1)] * state.together;
    return state.together === 1 ? `${from}` : `${from} to ${from + state.together - 1}`;
  }

  function view(state) {
    const side = (width, height) => Math.min(width - left - right, height - top - bottom);
    return {
      name: "matrix", label: "Who sends to whom",
      height: width => Math.min(width, 560),
      draw(pen, width, height, onScreen) {
        const {cells, each, sums} = state.grid = cellsOf(state), room = side(width, height) / cells;
        const most = sums.reduce((one, other) => Math.max(one, other), 0);
        for (let y = 0; y < cells; ++y)
          for (let x = 0; x < cells; ++x)
            if (sums[y * cells + x] > 0)
              pen.rectangle(left + x * room, top + y * room, room, room,
                shade(most > 1 ? Math.log1p(sums[y * cells + x]) / Math.log1p(most) : 1));
        for (const [x1, y1, x2, y2] of [[0, 0, cells, 0], [0, 0, 0, cells], [cells, 0, cells, cells], [0, cells, cells, cells]])
          pen.line(left + x1 * room, top + y1 * room, left + x2 * room, top + y2 * room, colour("line"), 1);
        pen.text(left, top - 8, `to rank ${rankText(state, state.first[0])}`, "start");
        pen.text(left + cells * room, top - 8, rankText(state, state.first[0] + state.span - 1), "end");
        pen.text(left - 6, top + 12, `from ${rankText(state, state.first[1])}`, "end");
        pen.text(left - 6, top + cells * room, rankText(state, state.first[1] + state.span - 1), "end");
        if (!onScreen)
          return;
        const [x, y] = [0, 1].map(axis => Math.floor((state.cursor[axis] - state.first[axis]) / each));
        for (const [x1, y1, x2, y2] of [[x, y, x + 1, y], [x, y + 1, x + 1, y + 1], [x, y, x, y + 1], [x + 1, y, x + 1, y + 1]])
          pen.line(left + x1 * room, top + y1 * room, left + x2 * room, top + y2 * room, colour("series-1"), 2);
      },
      describe() {
        const {cells, each, sums} = state.grid;
        const [x, y] = [0, 1].map(axis => Math.floor((state.cursor[axis] - state.first[axis]) / each));
        const from = rankText(state, state.first[1] + y * each), to = rankText(state, state.first[0] + x * each);
        const more = each > 1 ? ` and the next ${Math.ceil(each) - 1}` : "";
        return `Rank ${from}${more} to rank ${to}${more}: ${amount(state, sums[y * cells + x])}. ` +
          (each > 1 ? "Ranks that follow one another share a cell; zoom in to see them apart." : "");
      },
      move(x, y, width, height) {
        const room = side(width, height) / state.grid.cells;
        const at = [Math.floor((x - left) / room), Math.floor((y - top) / room)];
        if (at.every(cell => cell >= 0 && cell < state.grid.cells))
          state.cursor = at.map((cell, axis) => state.first[axis] + cell * state.grid.each);
      },
      step(across, down) {
        [across, down].forEach((by, axis) => {
          state.cursor[axis] = Math.max(0, Math.min(state.size - 1, state.cursor[axis] + by * Math.max(state.grid.each, 1)));
          if (state.cursor[axis] < state.first[axis])
            state.first[axis] = Math.max(0, state.first[axis] - state.span / 2);
          else if (state.cursor[axis] >= state.first[axis] + state.span)
            state.first[axis] = Math.min(state.size - state.span, state.first[axis] + state.span / 2);
        });
      },
      zoom(factor) {
        const span = Math.max(Math.min(4, state.size), Math.min(state.size, Math.round(state.span * factor)));
        state.first = state.cursor.map(at => Math.max(0, Math.min(state.size - span, Math.round(at - span / 2))));
        state.cursor = state.cursor.map(Math.floor);
        state.span = span;
      },
      whole: () => whole(state),
      rows() {
        const rows = [["sender", "receiver", state.what]];
        for (let pair = 0; pair < state.values.length; ++pair)
          rows.push([rankText(state, state.down[pair]), rankText(state, state.across[pair]), state.values[pair]]);
        return rows;
      },
    };
  }

  return {name: "matrix", title: "Who sends to whom", show(body, section) {
    const state = {matrix: 0, what: "messages", order: "given"};
    arrange(state, section);
    const surface = Sendwright.surface.surfaceOf(view(state));
    const change = (key, value) => { state[key] = value; arrange(state, section); surface.draw(); };
    body.append(element("div", {class: "controls"},
      choice("Messages of", section.matrices.map((matrix, index) => [String(index), matrix.name]), "0", value => change("matrix", Number(value))),
      choice("Count", [["messages", "messages"], ["bytes", "bytes"]], "messages", value => change("what", value)),
      choice("Order of ranks", [["given", "as they are"], ["host", "by node"], ["neighbours", "neighbours together"]], "given", value => change("order", value))),
      surface.host,
      element("p", {class: "note"}, "Messages from rank to rank, without those inside collective operations. The more a cell stands out from " +
        "the page, the more it has, on a logarithmic scale; empty cells have none." + (section.matrices[0].together > 1 ?
        ` The page has the sums of ${section.matrices[0].together} ranks each, as there are too many pairs of ranks.` : "")));
  }};
})());
