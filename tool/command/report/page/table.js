// A table that is sorted by its headings and filtered by words; a row can open to show more.
"use strict";
Sendwright.table = (() => {
  const {element, shown} = Sendwright;
  const fewRows = 12; // that need no filter

  /// `columns`: [{title, value(row), text(row)}]; numbers are right-aligned. `details(row)`: null, or
  /// what a row shows when it is opened.
  function tableOf(name, columns, rows, details) {
    const state = {column: -1, down: false, words: ""};
    const body = element("tbody", {});
    const open = new Set();
    const isNumber = column => rows.some(row => typeof column.value(row) === "number");
    const textOf = (column, row) => column.text ? column.text(row) : String(column.value(row) ?? "");

    function visibleRows() {
      const words = state.words.toLowerCase().split(/\s+/).filter(word => word);
      const kept = rows.filter(row => {
        const text = columns.map(column => shown(textOf(column, row))).join(" ").toLowerCase();
        return words.every(word => text.includes(word));
      });
      if (state.column < 0)
        return kept;
      const value = columns[state.column].value;
      const order = (one, other) => typeof one === "number" && typeof other === "number" ? one - other
                                  : String(one ?? "").localeCompare(String(other ?? ""));
      return kept.sort((one, other) => (state.down ? -1 : 1) * order(value(one), value(other)));
    }

    function cell(column, row, index) {
      const text = textOf(column, row);
      const content = index === 0 && details
        ? element("button", {type: "button", "aria-expanded": String(open.has(row)), click: event => {
            open.has(row) ? open.delete(row) : open.add(row);
            fill();
            Array.from(body.children).filter(each => each.className === "row")[visibleRows().indexOf(row)].querySelector("button").focus();
            event.stopPropagation();
          }}, text) : text;
      return element("td", {class: isNumber(column) ? "number" : null}, content);
    }

    function fill() {
      body.textContent = "";
      for (const row of visibleRows()) {
        body.append(element("tr", {class: "row"}, columns.map((column, index) => cell(column, row, index))));
        if (details && open.has(row))
          body.append(element("tr", {class: "details"}, element("td", {colspan: columns.length}, element("div", {class: "inside"}, details(row)))));
      }
      headings.forEach((heading, index) => heading.setAttribute("aria-sort",
        state.column !== index ? "none" : state.down ? "descending" : "ascending"));
    }

    function sortBy(index) {
      state.down = state.column === index ? !state.down : isNumber(columns[index]);
      state.column = index;
      fill();
    }

    const headings = columns.map((column, index) => element("th", {class: isNumber(column) ? "number" : null, scope: "col"},
      element("button", {type: "button", click: () => sortBy(index)}, column.title)));
    const filter = element("input", {type: "search", "aria-label": "Filter", input: () => {
      state.words = filter.value;
      fill();
    }});
    fill();
    const saved = () => [columns.map(column => column.title)].concat(visibleRows().map(row => columns.map(column => column.value(row))));
    return element("div", {class: "table"},
      rows.length > fewRows || details ? element("div", {class: "controls"}, element("label", {}, "Filter ", filter)) : null,
      element("div", {class: "scroll"}, element("table", {"data-name": name}, element("thead", {}, element("tr", {}, headings)), body)),
      Sendwright.saving.buttons(name, null, saved));
  }

  return {tableOf};
})();
