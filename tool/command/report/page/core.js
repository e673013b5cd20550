// The data of the page, and how its parts are made. All text from files enters the page as text:
// no function here takes markup.
"use strict";
const Sendwright = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const sections = [];
  const redraws = [];

  // Characters that a browser obeys rather than shows: controls, line ends, changes of the
  // direction of writing.
  const followed = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/g;

  /// Text for a person: what is not shown as itself becomes an escape.
  function shown(text) {
    return String(text).replace(followed, letter => {
      const code = letter.codePointAt(0);
      if (letter === "\n" || letter === "\r" || letter === "\t")
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[letter];
      return code < 256 ? "\\x" + code.toString(16).padStart(2, "0")
                        : "\\u" + code.toString(16).padStart(4, "0");
    });
  }

  /// An element with attributes and children; a child that is no element becomes text.
  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {}))
      if (typeof value === "function")
        made.addEventListener(key, value);
      else if (value !== null && value !== undefined && value !== false)
        made.setAttribute(key, value === true ? "" : value);
    for (const child of children.flat())
      if (child !== null && child !== undefined)
        made.append(child instanceof Node ? child : document.createTextNode(shown(child)));
    return made;
  }

  /// A control with a label that is always there to read.
  function choice(label, options, chosen, change) {
    const select = element("select", {change: () => change(select.value)},
      options.map(([value, text]) => element("option", {value, selected: value === chosen}, text)));
    return element("label", {}, label + " ", select);
  }

  /// A colour of the styles, as it is now.
  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  }

  /// Calls `draw` now, and again when colours or widths change.
  function drawn(draw) {
    redraws.push(draw);
    draw();
  }

  function redraw() {
    for (const draw of redraws)
      draw();
  }

  return {data, sections, shown, element, choice, colour, drawn, redraw,
          section: module => sections.push(module)};
})();
