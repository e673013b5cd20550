// How many message buffers each rank needs, and the lines that need them.
"use strict";
Sendwright.section((() => {
  const {element} = Sendwright, {count} = Sendwright.figures;
  const mostBars = 64;

  /// The most of each group of ranks, where there are too many ranks for a bar each.
  function binned(values) {
    const each = Math.ceil(values.length / mostBars), points = [];
    for (let first = 0; first < values.length; first += each)
      points.push([each === 1 ? first : `${first} to ${Math.min(first + each, values.length) - 1}`, Math.max(...values.slice(first, first + each))]);
    return points;
  }

  /// Before which calls ranks synchronise.
  function synchronized(plan) {
    const most = plan.buffers.reduce((one, other) => Math.max(one, other), 0);
    return [element("h3", {}, "Where the plan synchronises"),
      element("p", {}, `${count(plan.synchronizations)} times, counted at each rank (${plan.kind}), so that ${count(most)} buffer${most === 1 ? "" : "s"} of each rank ${most === 1 ? "suffices" : "suffice"}.` + (plan.unmarked ? ` ${count(plan.unmarked)} times this is before a call that the plugin did not mark.` : "")),
      plan.calls.length ? Sendwright.table.tableOf("synchronized-calls", [
        {title: "Call", value: row => row.call}, {title: "Function", value: row => row.function},
        {title: "Times", value: row => row.times, text: row => count(row.times)},
        {title: "Ranks", value: row => row.ranks, text: row => count(row.ranks)}], plan.calls, null) : null].filter(each => each);
  }

  return {name: "buffers", title: "Buffers", show(body, section) {
    const largest = values => values.reduce((one, other) => Math.max(one, other), 0);
    body.append(element("p", {id: "buffers-summary"}, section.safe_without_buffers
      ? `None of the ${count(section.messages)} messages needs a buffer: each is received by a receive that can already be there.`
      : `Without synchronisation a rank needs up to ${count(largest(section.whole_program_buffers))} message buffers so that no send ever waits; ` +
        `with synchronisation between super epochs ${count(largest(section.buffers))} suffice. The run has ${count(section.epochs)} epochs, ` +
        `${count(section.complex_epochs)} of them complex, in ${count(section.super_epochs)} super epochs.`));
    const across = {title: section.buffers.length > mostBars ? "groups of ranks (the most of each)" : "rank"};
    body.append(Sendwright.chart.chartOf({name: "buffers", title: "Buffers of each rank", across, up: {title: "buffers", kind: "linear"}, bars: true,
      lines: [{name: "without synchronisation", points: binned(section.whole_program_buffers)},
              {name: "with synchronisation", points: binned(section.buffers)}]}));
    body.append(element("p", {class: "note"}, "Without synchronisation: so many that no send ever has to wait for its receive. " +
      "With synchronisation: so many that the run ends if ranks wait for one another between super epochs."));
    if (section.graphs.length)
      body.append(Sendwright.epochGraph.graphsOf(section.graphs));
    if (section.synchronized)
      body.append(...synchronized(section.synchronized));
    if (section.places.length)
      body.append(element("h3", {}, "Where messages that need a buffer are sent"), Sendwright.table.tableOf("places-in-need", [
        {title: "Place", value: row => row.place || "unknown"},
        {title: "Messages", value: row => row.messages, text: row => count(row.messages)},
      ], section.places, null));
  }};
})());
