// The run in a paragraph, and the figures of parallel efficiency.
"use strict";
Sendwright.section((() => {
  const {element, data} = Sendwright, {time, count, percent} = Sendwright.figures;
  const names = {recorded: "As recorded", written: "Simulated as written", planned: "Simulated with the plan"};

  function whatTheRunDid() {
    const profile = data.profile;
    return `${profile.program || "The program"} ran on ${count(profile.ranks)} ranks` +
      (profile.hosts > 1 ? ` on ${count(profile.hosts)} hosts` : "") +
      (profile.seconds > 0 ? ` for ${time(profile.seconds)}` : "") +
      ` and made ${count(profile.events)} calls and steps that were recorded.`;
  }

  function whereItWaited(run) {
    const all = run.computation + run.overhead + run.waiting;
    if (!(all > 0))
      return "Simulated, it takes no time.";
    let text = `On the machine '${data.machine.name || "without a name"}' it is predicted to take ${time(run.seconds)} as written; ` +
      `its ranks wait for ${percent(run.waiting / all)} of that time`;
    const first = run.places[0];
    if (first)
      text += `, most of it in ${first.function}` + (first.place ? ` at ${first.place}` : "") + ` (${percent(first.seconds / run.waiting)} of all waiting)`;
    return text + ".";
  }

  function whatThePlanChanges(story) {
    if (!story.planned)
      return "No plan was given.";
    const sites = data.sections.sites.plan || [], taken = sites.filter(site => site.decision === "rewrite");
    const before = story.written.seconds, after = story.planned.seconds;
    const change = before > 0 ? (before - after) / before : 0;
    return `The plan rewrites ${count(taken.length)} of ${count(sites.length)} loops. With it the run is predicted to take ` +
      (Math.abs(change) < 0.0005 ? "as long as before." : `${time(after)}, which is ${percent(Math.abs(change))} ${change >= 0 ? "less" : "more"}.`);
  }

  function doubts(story) {
    const made = [];
    if (story.cut)
      made.push("Only the beginning of the run was simulated; its times are estimates of the whole run.");
    for (const place of story.not_recorded.slice(0, 8))
      made.push(`Ranks reached their limit on memory (SENDWRIGHT_PROFILE_MEMORY): the order of ${count(place.calls)} calls of ` +
        `${count(place.ranks)} ranks at ${place.place} was not recorded` +
        (place.uncounted > 0 ? `, and ${count(place.uncounted)} of them are not counted either.` : "."));
    if (story.not_recorded.length > 8)
      made.push(`Calls at ${count(story.not_recorded.length - 8)} more places were not recorded (sendwright show).`);
    for (const [name, run] of [["as written", story.written], ["with the plan", story.planned]])
      if (run && run.ranks_not_at_their_end > 0)
        made.push(`Simulated ${name}, ${count(run.ranks_not_at_their_end)} ranks never reach their end: they wait forever.`);
    for (const [call, calls] of Object.entries(story.written.left_out))
      made.push(`${call} is not modelled and counts as no time (${count(calls)} calls).`);
    return made;
  }

  function figures(story) {
    const share = key => ({value: row => row[key], text: row => percent(row[key])});
    return Sendwright.table.tableOf("efficiency", [
      {title: "Run", value: row => names[row.run]},
      {title: "Time", value: row => row.seconds, text: row => time(row.seconds)},
      {title: "Parallel efficiency", ...share("parallel_efficiency")},
      {title: "Load balance", ...share("load_balance")},
      {title: "Communication efficiency", ...share("communication_efficiency")},
      {title: "Serialisation efficiency", ...share("serialisation_efficiency")},
      {title: "Transfer efficiency", ...share("transfer_efficiency")},
    ], story.efficiency, null);
  }

  function places(story) {
    return [["written", "as written"], ["planned", "with the plan"]].filter(([key]) => story[key] && story[key].places.length)
      .map(([key, words]) => [element("h3", {}, `Where ranks wait, simulated ${words}`),
        Sendwright.table.tableOf("waiting-" + key, [
          {title: "Place", value: row => row.place || "unknown"},
          {title: "Call", value: row => row.function},
          {title: "Waiting, all ranks", value: row => row.seconds, text: row => time(row.seconds)},
          {title: "Times", value: row => row.waits, text: row => count(row.waits)},
        ], story[key].places, null)]).flat();
  }

  return {name: "story", title: "The story", show(body, story) {
    body.append(
      element("p", {id: "summary"}, [whatTheRunDid(), whereItWaited(story.written), whatThePlanChanges(story)].join(" ")),
      ...doubts(story).map(text => element("p", {class: "note"}, text)),
      element("h3", {}, "Efficiency"), figures(story),
      element("p", {class: "note"}, "Parallel efficiency is load balance times communication efficiency, and that is serialisation " +
        "times transfer efficiency. They compare average computation with the longest, that with the run on a network that costs " +
        "nothing, and that with the run."),
      ...places(story));
  }};
})());
