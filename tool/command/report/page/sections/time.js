// When ranks do what, as a space-time diagram: a panel for each run, all on one time axis.
"use strict";
Sendwright.section((() => {
  const {element, colour, choice} = Sendwright, {time, count} = Sendwright.figures;
  const kinds = [["Computing", "series-2"], ["Processor time for messages", "series-5"], ["Waiting for a message", "series-1"],
    ["Waiting for a receiver", "series-3"], ["Waiting in a collective", "series-0"], ["Inside MPI, as recorded", "series-4"], ["Ended", "raised"]];
  const titles = {recorded: "As recorded (with the average times of its calls)", written: "Simulated as written", planned: "Simulated with the plan"};
  const left = 64, right = 8, title = 20, axis = 22, mostIntervals = 40000, mostLines = 1500, mostMarks = 1500, mostSuperEpochs = 200;

  function unpack(run) {
    const numbers = (text, Numbers) => Sendwright.unpacked(text, Numbers), detail = run.detail;
    const tick = run.seconds / 0xffffffff;
    return {...run, tick, shares: numbers(run.cells, Uint8Array), first: numbers(detail.first, Uint32Array), ends: numbers(detail.ends, Uint32Array),
      kindsOf: numbers(detail.kinds, Uint8Array), places: numbers(detail.places, Uint16Array), until: detail.until,
      lines: numbers(run.messages.lines, Uint32Array), linesUntil: run.messages.until, ...unpackMarks(run, tick)};
  }

  /// Super epochs and synchronisations: of each rank, and the beginnings of each super epoch by rank. A recorded run, and the
  /// run as written, have no synchronisations.
  function unpackMarks(run, tick) {
    const list = Sendwright.unpacked(run.marks.list, Uint32Array), marks = new Map(), superEpochs = new Map();
    for (let at = 0; at < list.length; at += 4) {
      const [rank, kind, number] = list.slice(at, at + 3), seconds = list[at + 3] * tick;
      if (kind > 0 && run.name !== "planned")
        continue;
      if (!marks.has(rank))
        marks.set(rank, []);
      marks.get(rank).push({kind, number, seconds});
      if (kind > 0)
        continue;
      if (!superEpochs.has(number))
        superEpochs.set(number, []);
      superEpochs.get(number).push([rank, seconds]);
    }
    for (const beginnings of superEpochs.values())
      beginnings.sort((one, other) => one[0] - other[0]);
    return {rankMarks: marks, superEpochs};
  }

  function markText({kind, number}) {
    const ranks = `${count(number)} rank${number === 1 ? "" : "s"}`;
    return [`super epoch ${number} begins`, `waits until ${number === 0 ? "all ranks" : ranks} have come as far`,
      `tells ${ranks} that it has come so far`, `waits until rank ${number} has told that it has come so far`][kind];
  }

  /// The first interval of a rank that ends after a time.
  function intervalAt(run, rank, seconds) {
    let low = run.first[rank], high = run.first[rank + 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (run.ends[middle] * run.tick <= seconds)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /// Whether single intervals can be drawn: the page has them, and there are not too many.
  function hasDetail(run, state) {
    if (state.end > run.until * 1.000001 && run.until < run.seconds)
      return false;
    let number = 0;
    for (let rank = state.top; rank < state.bottom && number <= mostIntervals; ++rank)
      number += intervalAt(run, rank, state.end) - intervalAt(run, rank, state.begin);
    return number <= mostIntervals;
  }

  function drawIntervals(pen, run, state, x, y, room, colours) {
    for (let rank = state.top; rank < state.bottom; ++rank) {
      let at = intervalAt(run, rank, state.begin), begin = state.begin;
      for (; at < run.first[rank + 1] && begin < state.end; ++at) {
        const end = Math.min(run.ends[at] * run.tick, state.end);
        pen.rectangle(x(begin), y(rank), Math.max(x(end) - x(begin), 0.3), Math.max(room - (room > 3 ? 1 : 0), 0.5), colours[run.kindsOf[at]]);
        begin = end;
      }
    }
  }

  /// Cells of the whole run, each in the mixture of its kinds' colours.
  function drawCells(pen, run, state, ranks, x, y, colours) {
    const rgb = colours.map(each => d3.rgb(each)), shown = run.kinds - 1, width = run.seconds / run.columns;
    const rank = row => row * ranks / run.rows;
    for (let row = 0; row < run.rows; ++row) {
      const above = Math.max(rank(row), state.top), below = Math.min(rank(row + 1), state.bottom);
      if (below <= above)
        continue;
      let begun = null, before = null;
      const finish = until => {
        if (before !== null)
          pen.rectangle(x(Math.max(begun, state.begin)), y(above), x(Math.min(until, state.end)) - x(Math.max(begun, state.begin)), y(below) - y(above), before);
      };
      const last = Math.min(run.columns, Math.ceil(state.end / width));
      for (let column = Math.max(0, Math.floor(state.begin / width)); column < last; ++column) {
        let rest = 255, red = 0, green = 0, blue = 0;
        for (let kind = 0; kind < run.kinds; ++kind) {
          const share = kind < shown ? Math.min(run.shares[(row * run.columns + column) * shown + kind], rest) : rest;
          rest -= share;
          red += share * rgb[kind].r;
          green += share * rgb[kind].g;
          blue += share * rgb[kind].b;
        }
        const mixed = `rgb(${Math.round(red / 255)},${Math.round(green / 255)},${Math.round(blue / 255)})`;
        if (mixed !== before) {
          finish(column * width);
          begun = column * width;
          before = mixed;
        }
      }
      finish(last * width);
    }
  }

  function visibleLines(run, state) {
    const lines = [];
    for (let at = 0; at < run.lines.length && lines.length <= mostLines; at += 4) {
      const [sender, begin, receiver, end] = [run.lines[at], run.lines[at + 1] * run.tick, run.lines[at + 2], run.lines[at + 3] * run.tick];
      if (begin < state.end && end > state.begin && (inView(state, sender) || inView(state, receiver)))
        lines.push([sender, begin, receiver, end]);
    }
    return lines.length > mostLines || state.begin > run.linesUntil ? [] : lines;
  }

  const inView = (state, rank) => rank >= state.top && rank < state.bottom;

  /// Cuts a line off at the edges of the panel.
  function clipped(pen, state, x, y, from, to, stroke, thickness, dashes) {
    const at = (seconds, rank) => [x(seconds), y(rank + 0.5)];
    let [[x1, y1], [x2, y2]] = [at(...from), at(...to)];
    const box = [x(state.begin), y(state.top), x(state.end), y(state.bottom)];
    let low = 0, high = 1;
    for (const [step, room] of [[x1 - x2, x1 - box[0]], [x2 - x1, box[2] - x1], [y1 - y2, y1 - box[1]], [y2 - y1, box[3] - y1]]) {
      if (step === 0 && room < 0)
        return;
      if (step > 0)
        high = Math.min(high, room / step);
      else if (step < 0)
        low = Math.max(low, room / step);
    }
    if (low < high)
      pen.line(x1 + low * (x2 - x1), y1 + low * (y2 - y1), x1 + high * (x2 - x1), y1 + high * (y2 - y1), stroke, thickness, dashes);
  }

  function drawPath(pen, run, state, x, y) {
    let before = null;
    for (const [rank, begin, end] of run.path.steps) {
      if (before && begin >= state.begin && before[0] <= state.end)
        clipped(pen, state, x, y, before, [begin, rank], colour("path"), 1.2);
      if (end >= state.begin && begin <= state.end)
        clipped(pen, state, x, y, [begin, rank], [end, rank], colour("path"), 2.4);
      before = [end, rank];
    }
  }

  /// Dashed lines where super epochs begin, squares where ranks synchronise; false if there are too many.
  function drawMarks(pen, run, state, x, y, room) {
    const inTime = seconds => seconds >= state.begin && seconds <= state.end;
    const squares = [], lines = [];
    for (let rank = state.top; rank < state.bottom; ++rank)
      for (const mark of run.rankMarks.get(rank) || [])
        if (mark.kind > 0 && inTime(mark.seconds))
          squares.push([mark.seconds, rank]);
    for (const beginnings of run.superEpochs.values())
      beginnings.forEach(([rank, seconds], index) => {
        const [after, then] = beginnings[index + 1] || [rank, seconds];
        if (after >= state.top && rank < state.bottom && (inTime(seconds) || inTime(then)))
          lines.push([seconds, rank, then, after]);
      });
    if (squares.length + lines.length > mostMarks)
      return false;
    for (const [seconds, rank, then, after] of lines) {
      clipped(pen, state, x, y, [seconds, rank - 0.5], [seconds, rank + 0.5], colour("epoch"), 1.6);
      if (after > rank + 1 || then !== seconds)
        clipped(pen, state, x, y, [seconds, rank + 0.5], [then, after - 0.5], colour("epoch"), 1, [3, 3]);
    }
    const side = Math.max(3, Math.min(8, room - 2));
    for (const [seconds, rank] of squares) {
      pen.rectangle(x(seconds) - side / 2 - 1, y(rank + 0.5) - side / 2 - 1, side + 2, side + 2, colour("page"));
      pen.rectangle(x(seconds) - side / 2, y(rank + 0.5) - side / 2, side, side, colour("epoch"));
    }
    return true;
  }

  /// In which super epoch a rank is, and what it does near there to synchronise.
  function marksAt(run, state, rank, seconds) {
    const near = (state.end - state.begin) / 100, marks = run.rankMarks.get(rank) || [];
    const begun = marks.filter(mark => mark.kind === 0 && mark.seconds <= seconds), said = [];
    if (run.superEpochs.size)
      said.push(`In super epoch ${begun.length ? begun[begun.length - 1].number : 0}.`);
    for (const mark of marks.filter(mark => mark.kind > 0 && Math.abs(mark.seconds - seconds) <= near).slice(0, 3))
      said.push(`Here, by the plan, it ${markText(mark)}.`);
    return said.length ? " " + said.join(" ") : "";
  }

  function placeText(section, number) {
    const [place, call] = section.places[number] || ["", ""];
    return [call, place].filter(text => text).join(" at ");
  }

  function whole(state) {
    Object.assign(state, {begin: 0, end: state.longest, top: 0, bottom: state.ranks, cursor: {panel: 0, rank: 0, seconds: 0}});
  }

  function view(state, section) {
    const colours = () => kinds.map(([, name]) => colour(name));
    const panelHeight = () => Math.max(110, Math.min(240, 12 * (state.bottom - state.top)));
    const topOf = panel => panel * (panelHeight() + title) + title;
    const scaleOf = width => seconds => left + (seconds - state.begin) / (state.end - state.begin) * (width - left - right);
    return {
      name: "time", label: "When ranks do what",
      height: () => state.runs.length * (panelHeight() + title) + axis,
      draw(pen, width, height, onScreen) {
        const x = scaleOf(width), high = panelHeight(), room = high / (state.bottom - state.top), painted = colours();
        state.detail = [];
        state.tooManyMarks = false;
        state.runs.forEach((run, panel) => {
          const above = topOf(panel), y = rank => above + (rank - state.top) * room;
          pen.rectangle(left, above, width - left - right, high, colour("raised"));
          state.detail[panel] = hasDetail(run, state);
          if (state.detail[panel])
            drawIntervals(pen, run, state, x, y, room, painted);
          else
            drawCells(pen, run, state, state.ranks, x, y, painted);
          if (state.lines)
            for (const [sender, begin, receiver, end] of visibleLines(run, state))
              clipped(pen, state, x, y, [begin, sender], [end, receiver], colour("ink"), 0.7);
          if (state.path && run.path)
            drawPath(pen, run, state, x, y);
          if (state.marks && !drawMarks(pen, run, state, x, y, room))
            state.tooManyMarks = true;
          pen.text(left, above - 6, `${titles[run.name]}: ${time(run.seconds)}`, "start");
          pen.text(left - 6, above + 12, `rank ${state.top}`, "end");
          pen.text(left - 6, above + high, String(state.bottom - 1), "end");
        });
        for (const tick of d3.scaleLinear().domain([state.begin, state.end]).ticks(Math.max(2, Math.floor(width / 160))))
          pen.text(x(tick), height - 6, time(tick), "middle");
        if (!onScreen)
          return;
        const {panel, rank, seconds} = state.cursor, y = topOf(panel) + (rank + 0.5 - state.top) * room;
        pen.line(x(seconds), topOf(panel), x(seconds), topOf(panel) + high, colour("accent"), 1);
        pen.line(left, y, width - right, y, colour("accent"), 1);
      },
      describe() {
        const {panel, rank, seconds} = state.cursor, run = state.runs[panel];
        return this.activity() + (state.marks && seconds < run.seconds ? marksAt(run, state, rank, seconds) : "") +
          (state.tooManyMarks ? " There are too many super epochs to draw; zoom in." : "");
      },
      activity() {
        const {panel, rank, seconds} = state.cursor, run = state.runs[panel];
        const words = `${titles[run.name]}, rank ${rank} at ${time(seconds)}: `;
        if (seconds >= run.seconds)
          return words + "ended.";
        if (seconds < run.until || run.until >= run.seconds) {
          const at = intervalAt(run, rank, seconds);
          return words + (at >= run.first[rank + 1] ? "ended." : [kinds[run.kindsOf[at]][0].toLowerCase(), placeText(section, run.places[at])].filter(each => each).join(", ") + ".");
        }
        const row = Math.floor(rank * run.rows / state.ranks), column = Math.min(run.columns - 1, Math.floor(seconds / run.seconds * run.columns));
        return words + kinds.slice(0, -1).map(([name], kind) => [name, run.shares[(row * run.columns + column) * (run.kinds - 1) + kind]])
          .filter(([, share]) => share > 2).map(([name, share]) => `${name.toLowerCase()} ${Math.round(share / 2.55)} %`).join(", ") + " around there.";
      },
      move(x, y, width) {
        const panel = Math.floor((y - title) / (panelHeight() + title) + 0.0001);
        const rank = state.top + Math.floor((y - topOf(panel)) / panelHeight() * (state.bottom - state.top));
        if (panel >= 0 && panel < state.runs.length && inView(state, rank) && x >= left && x <= width - right)
          state.cursor = {panel, rank, seconds: state.begin + (x - left) / (width - left - right) * (state.end - state.begin)};
      },
      step(across, down) {
        const cursor = state.cursor, span = state.end - state.begin, rows = state.bottom - state.top;
        cursor.seconds = Math.max(0, Math.min(state.longest, cursor.seconds + across * span / 50));
        cursor.rank += down;
        if (cursor.rank < 0 || cursor.rank >= state.ranks) {
          const panel = cursor.panel + down;
          cursor.rank = panel < 0 ? 0 : panel >= state.runs.length ? state.ranks - 1 : down > 0 ? 0 : state.ranks - 1;
          cursor.panel = Math.max(0, Math.min(state.runs.length - 1, panel));
        }
        if (cursor.seconds < state.begin || cursor.seconds > state.end)
          state.begin = Math.max(0, Math.min(state.longest - span, cursor.seconds - span / 2));
        state.end = state.begin + span;
        if (!inView(state, cursor.rank))
          state.top = Math.max(0, Math.min(state.ranks - rows, Math.floor(cursor.rank - rows / 2)));
        state.bottom = state.top + rows;
      },
      zoom(factor) {
        const span = Math.max(state.longest * 1e-7, Math.min(state.longest, (state.end - state.begin) * factor));
        state.begin = Math.max(0, Math.min(state.longest - span, state.cursor.seconds - span / 2));
        state.end = state.begin + span;
        const rows = Math.max(Math.min(8, state.ranks), Math.min(state.ranks, Math.round((state.bottom - state.top) * (state.zoomsRanks ? factor : 1))));
        state.top = Math.max(0, Math.min(state.ranks - rows, Math.floor(state.cursor.rank - rows / 2)));
        state.bottom = state.top + rows;
      },
      whole: () => whole(state),
      rows() {
        const rows = [["run", "rank", "begin, s", "end, s", "activity", "place"]];
        for (const run of state.runs)
          for (let rank = 0; rank < state.ranks; ++rank)
            for (let at = run.first[rank], begin = 0; at < run.first[rank + 1]; ++at) {
              const end = run.ends[at] * run.tick;
              rows.push([run.name, rank, begin, end, kinds[run.kindsOf[at]][0], placeText(section, run.places[at])]);
              begin = end;
            }
        return rows;
      },
    };
  }

  /// The critical path in words, its longest steps first.
  function pathTable(section, run) {
    const steps = run.path.steps.map(([rank, begin, end, place]) => ({rank, begin, seconds: end - begin, place: placeText(section, place)}));
    return [element("h3", {}, `Critical path, ${titles[run.name].toLowerCase()}: ${count(run.path.all)} stays on ranks, the longest first`),
      Sendwright.table.tableOf("path-" + run.name, [
        {title: "Rank", value: row => row.rank},
        {title: "Begins", value: row => row.begin, text: row => time(row.begin)},
        {title: "Lasts", value: row => row.seconds, text: row => time(row.seconds)},
        {title: "Ends in", value: row => row.place}], steps.sort((one, other) => other.seconds - one.seconds).slice(0, 10), null)];
  }

  /// When each super epoch begins.
  function superEpochTable(run) {
    const rows = Array.from(run.superEpochs, ([number, beginnings]) => {
      const times = beginnings.map(([, seconds]) => seconds), from = times.reduce((one, other) => Math.min(one, other));
      return {number, ranks: beginnings.length, first: from, last: times.reduce((one, other) => Math.max(one, other))};
    }).sort((one, other) => one.number - other.number);
    return [element("h3", {}, `Super epochs, ${titles[run.name].toLowerCase()}`), element("details", {}, element("summary", {},
      rows.length > mostSuperEpochs ? `The first ${mostSuperEpochs} of ${count(rows.length)}` : `${count(rows.length + 1)}, the first at the beginning of the run`),
      Sendwright.table.tableOf("super-epochs", [
        {title: "Super epoch", value: row => row.number},
        {title: "Ranks", value: row => row.ranks, text: row => count(row.ranks)},
        {title: "First rank begins", value: row => row.first, text: row => time(row.first)},
        {title: "Last rank begins", value: row => row.last, text: row => time(row.last)}], rows.slice(0, mostSuperEpochs), null))];
  }

  return {name: "time", title: "When", show(body, section) {
    const all = section.runs.map(unpack), simulated = all.filter(run => run.name !== "recorded");
    const longestOf = runs => Math.max(...runs.map(run => run.seconds));
    const hasMarks = all.some(run => run.superEpochs.size || run.rankMarks.size);
    const state = {ranks: section.ranks, lines: section.ranks <= 64, path: true, zoomsRanks: section.ranks > 64, marks: hasMarks && section.synchronized};
    const show = runs => {
      Object.assign(state, {runs, longest: longestOf(runs)});
      whole(state);
    };
    // Beside a recorded run that is far longer, nothing of the others could be seen.
    const apart = longestOf(all) > 4 * longestOf(simulated);
    show(apart ? simulated : all);
    const surface = Sendwright.surface.surfaceOf(view(state, section));
    const only = name => all.filter(run => run.name === name);
    const runsShown = {all, simulated, recorded: only("recorded"), written: only("written"), planned: only("planned")};
    const choices = [["all", "all, on one time axis"], ["simulated", "simulated"], ["recorded", "recorded"], ["written", "simulated as written"],
      ["planned", "simulated with the plan"]].filter(([key]) => runsShown[key].length && (key !== "simulated" || runsShown[key].length < all.length && simulated.length > 1));
    const tick = (label, key) => element("label", {}, element("input", {type: "checkbox", checked: state[key], change: event => {
      state[key] = event.target.checked;
      surface.draw();
    }}), " " + label);
    body.append(
      element("div", {class: "legend"}, kinds.filter(([name]) => all.length > simulated.length || !name.startsWith("Inside")).concat([["Critical path", "path"]],
        hasMarks ? [["Super epoch" + (section.synchronized ? ", synchronisation" : ""), "epoch"]] : [])
        .map(([name, series]) => element("span", {}, element("i", {style: `background: var(--${series})`}), name))),
      element("div", {class: "controls"}, all.length === 1 ? [] : choice("Runs", choices, apart ? (simulated.length > 1 ? "simulated" : "written") : "all", value => {
        show(runsShown[value]);
        surface.draw();
      }), tick("Messages, where there are few", "lines"), tick("Critical path", "path"), hasMarks ? tick("Super epochs" + (section.synchronized ? " and synchronisations" : ""), "marks") : [], tick("Zoom ranks, too", "zoomsRanks")),
      surface.host,
      ...all.filter(run => run.until < run.seconds).map(run => element("p", {class: "note"},
        `${titles[run.name]}: the page has single calls up to ${time(run.until)}; later parts are shown as shares of time.`)),
      element("p", {class: "note"}, (section.cut ? "Only the beginning of the run is in the page. " : "") +
        "Cells with several calls or ranks mix their colours. A message is a line from the end of the call that sends it to the end of the call that receives it."),
      ...(hasMarks ? [element("p", {class: "note"}, "Where a super epoch begins there is a line, dashed from rank to rank. " + (section.synchronized
        ? "Squares are synchronisations of the plan, at the calls before which they come. They are not simulated: the runs are shown without the time that they take."
        : "Synchronisation there would make the buffers of the next section suffice; nothing synchronises there now."))] : []),
      ...(hasMarks ? superEpochTable(simulated[simulated.length - 1]) : []),
      ...all.filter(run => run.path && run.path.steps.length).flatMap(run => pathTable(section, run)));
  }};
})());
