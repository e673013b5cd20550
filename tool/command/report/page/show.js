// Shows the sections in the order of the list, and switches between dark and light.
"use strict";
(() => {
  const {data, sections, element, redraw, shown} = Sendwright;
  const root = document.documentElement;

  function setTheme(dark) {
    root.setAttribute("data-theme", dark ? "dark" : "light");
  }

  function showSection(module) {
    const section = data.sections[module.name];
    const body = element("section", {id: module.name, "aria-label": module.title}, element("h2", {}, module.title));
    document.getElementById("sections").append(body);
    document.getElementById("contents").append(element("a", {href: "#" + module.name}, module.title));
    if (section.absent) {
      body.append(element("p", {class: "note absent"}, section.absent));
      return;
    }
    try {
      module.show(body, section);
    } catch (error) {
      body.append(element("p", {class: "note"}, "This section cannot be shown: " + error.message));
      console.error(error);
    }
  }

  const preference = window.matchMedia("(prefers-color-scheme: dark)");
  setTheme(preference.matches);
  preference.addEventListener("change", () => { setTheme(preference.matches); redraw(); });
  document.getElementById("theme").addEventListener("click", () => {
    setTheme(root.getAttribute("data-theme") !== "dark");
    redraw();
  });
  const name = data.profile.program || data.profile_name;
  document.title = shown(name) + ": Sendwright report";
  document.getElementById("title").textContent = shown(name);
  document.getElementById("origin").textContent = shown(`Profile ${data.profile_name}` +
    (data.plan_name ? `, plan ${data.plan_name}` : "") + `, machine '${data.machine.name || "without a name"}'` +
    (data.machine.given || data.plan_name ? "" : " (assumed)") + `. Sendwright ${data.version}.`);
  for (const module of sections)
    showSection(module);
  root.setAttribute("data-ready", "yes");
})();
