// The marked loops, what the plan decides about each, and the source around it.
"use strict";
Sendwright.section((() => {
  const {element, data} = Sendwright, {time, bytes, count} = Sendwright.figures;

  function decisionOf(row) {
    const plan = row.plan;
    return !plan ? (data.plan_name ? "not in the plan" : "no plan") : plan.decision === "rewrite" ? "rewrite: " + plan.transformation : "leave";
  }

  function sourceOf(row) {
    const source = row.entry.source;
    if (!source)
      return element("p", {class: "note"}, "The source could not be read.");
    return element("pre", {class: "source", tabindex: "0"}, source.lines.map((line, index) => {
      const number = source.first + index;
      return element("div", {class: number === row.site.line ? "here" : null}, String(number).padStart(5) + "  " +
        line.replace(/\t/g, "    "));
    }));
  }

  /// The rewritten lines, where a diff was given.
  function diffOf(row) {
    if (!row.entry.diff)
      return [];
    return [element("h3", {}, "Rewritten"), element("pre", {class: "source diff", tabindex: "0"}, row.entry.diff.map(line =>
      element("div", {class: {"+": "added", "-": "removed"}[line[0]]}, line.replace(/\t/g, "    "))))];
  }

  /// What each transformation says: {transformation, as written, its own, why not}. A site has one transformation; where nothing
  /// is said against the others, another gains more.
  function proposals(plan, completion) {
    const rows = [], taken = plan.decision === "rewrite" ? plan.transformation : "";
    for (const figures of plan.ordering) {
      rows.push({kind: "message-ordering", what: `${figures.phase}: order by ${figures.key}`, given: figures.given,
                 proposed: figures.planned, why: figures.reason});
      for (const [key, words] of [["keyed", "published key"], ["staggered", "staggered"]])
        if (figures[key] > 0)
          rows.push({kind: "message-ordering", what: `${figures.phase}: ${words}, predicted`, given: figures.given, proposed: figures[key], why: "", isFigure: true});
    }
    const sharing = plan.sharing;
    if (sharing.method)
      rows.push({kind: "message-sharing", what: sharing.method, given: sharing.direct.predicted_seconds,
                 proposed: sharing.shared.predicted_seconds, why: sharing.not_shared});
    else if (sharing.not_shared)
      rows.push({kind: "message-sharing", what: "", given: null, proposed: null, why: sharing.not_shared});
    const collective = plan.collective;
    if (collective.operation)
      rows.push({kind: "collectives", what: `${collective.operation} by ${collective.algorithm}`, given: collective.written_seconds,
                 proposed: collective.scheduled_seconds, why: collective.not_collective || ""});
    else if (collective.not_collective)
      rows.push({kind: "collectives", what: "", given: null, proposed: null, why: collective.not_collective});
    if (completion)
      rows.push({kind: "early-completion", what: `a rank waits ${time(completion.waiting)} of an execution in its sends (${completion.percent.toFixed(1)} % of its run), ` +
        `of up to ${bytes(completion.largest)}`, given: completion.waiting, proposed: null, taken: completion.taken, why: completion.not_early});
    return rows.map(row => {
      if (row.isFigure)
        return {...row, decision: ""};
      const isTaken = row.taken === undefined ? row.kind === taken : row.taken;
      return {...row, decision: isTaken ? "taken" : "not taken", why: row.why || (isTaken ? "" : taken ? `the plan takes ${taken} here` : plan.reason)};
    });
  }

  function detailsOf(row) {
    const made = [element("p", {}, `In ${row.site.function || "an unknown function"}` +
      (row.site.instantiation ? ` [${row.site.instantiation}]` : "") + `: ${count(row.site.executions)} executions on ` +
      `${count(row.site.sending_ranks)} ranks, ${row.site.destinations_min} to ${row.site.destinations_max} destinations of a rank.`)];
    if (row.site.refused)
      made.push(element("p", {}, "The compiler would leave it: it " + row.site.refused));
    if (row.plan) {
      made.push(element("p", {class: "reason"}, `${row.plan.decision}: ${row.plan.reason}`));
      const rows = proposals(row.plan, row.entry.completion);
      if (rows.length)
        made.push(element("h3", {}, "Proposals"), Sendwright.table.tableOf("proposals", [
          {title: "Transformation", value: each => each.kind},
          {title: "What", value: each => each.what},
          {title: "As written", value: each => each.given, text: each => each.given === null ? "" : time(each.given)},
          {title: "Proposed", value: each => each.proposed, text: each => each.proposed === null ? "" : time(each.proposed)},
          {title: "Decision", value: each => each.decision},
          {title: "Why, or why not", value: each => each.why},
        ], rows, null));
    }
    made.push(element("h3", {}, "Source"), sourceOf(row), ...diffOf(row));
    return made;
  }

  /// Calls that are no loops: irregular collectives, and calls that wait long.
  function otherCalls(section) {
    const made = [];
    if ((section.irregular || []).length)
      made.push(element("h3", {}, "Irregular collectives"), Sendwright.table.tableOf("irregular", [
        {title: "Function", value: each => each.function},
        {title: "Places", value: each => each.sites.join(", ")},
        {title: "Ranks", value: each => each.members.length, text: each => count(each.members.length)},
        {title: "Calls", value: each => each.calls, text: each => count(each.calls)},
        {title: "A call as written", value: each => each.written_seconds, text: each => time(each.written_seconds)},
        {title: "As proposed", value: each => each.planned_seconds, text: each => time(each.planned_seconds)},
        {title: "Decision", value: each => each.replaced ? "replace" : "leave"},
        {title: "Why", value: each => each.reason}], section.irregular, null));
    if ((section.long_waits || []).length)
      made.push(element("h3", {}, "Calls that wait long"), Sendwright.table.tableOf("long-waits", [
        {title: "Call", value: each => each.call}, {title: "Function", value: each => each.function},
        {title: "Waiting, longest rank", value: each => each.seconds, text: each => time(each.seconds)},
        {title: "Of its run", value: each => each.percent, text: each => each.percent.toFixed(1) + " %"}], section.long_waits, null),
        element("p", {class: "note"}, "The compiler moves these calls behind statements that need nothing of what they complete, or says which line needs it."));
    return made;
  }

  return {name: "sites", title: "Sites", show(body, section) {
    const rows = data.profile.sites.map((site, index) => {
      const entry = section.list[index];
      return {site, entry, plan: section.plan && entry.plan_site >= 0 ? section.plan[entry.plan_site] : null};
    });
    if (!rows.length) {
      body.append(element("p", {class: "note"}, "The profile has no marked loops: the program was not compiled with the plugin, or sends in no loop."),
        ...otherCalls(section));
      return;
    }
    const seconds = (title, value) => ({title, value, text: row => time(value(row))});
    const columns = [
      {title: "Site", value: row => `${row.site.file}:${row.site.line}`},
      {title: "Function", value: row => row.site.function},
      {title: "Messages", value: row => row.site.sends, text: row => count(row.site.sends)},
      {title: "Bytes", value: row => row.site.bytes, text: row => bytes(row.site.bytes)},
      ...(data.sections.story.recorded ? [seconds("In MPI, recorded", row => row.entry.seconds_inside)] : []),
      seconds("Waiting, as written", row => row.entry.waiting_written),
    ];
    if (section.plan)
      columns.push(seconds("Waiting, with the plan", row => row.entry.waiting_planned),
        {title: "Decision", value: decisionOf},
        {title: "Gain of an execution", value: row => row.plan ? row.plan.gain : 0,
         text: row => row.plan && row.plan.decision === "rewrite" ? `${time(row.plan.gain)} (${row.plan.gain_percent.toFixed(1)} %)` : ""});
    body.append(Sendwright.table.tableOf("sites", columns, rows, detailsOf),
      element("p", {class: "note"}, "Times are sums over all ranks. A site opens to show its source and all proposals."), ...otherCalls(section));
  }};
})());
