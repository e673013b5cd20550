// Saves charts as pictures and figures as tables.
"use strict";
Sendwright.saving = (() => {
  const {element, colour} = Sendwright;

  function download(name, blob) {
    const link = element("a", {href: URL.createObjectURL(blob), download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  /// Fields that a spreadsheet would take for a formula begin with an apostrophe.
  function field(value) {
    let text = value === null || value === undefined ? "" : String(value);
    if (typeof value === "string" && /^[=+\-@\t\r]/.test(text))
      text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  }

  /// `rows`: arrays, the first with the titles.
  function csvOf(rows) {
    return rows.map(row => row.map(field).join(",")).join("\r\n") + "\r\n";
  }

  function svgText(svg) {
    const copy = svg.cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  }

  function saveSvg(name, svg) {
    download(name + ".svg", new Blob([svgText(svg)], {type: "image/svg+xml"}));
  }

  function savePng(name, svg) {
    const box = svg.viewBox.baseVal, image = new Image();
    image.onload = () => {
      const canvas = element("canvas", {width: 2 * box.width, height: 2 * box.height});
      const pen = canvas.getContext("2d");
      pen.fillStyle = colour("page");
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(blob => download(name + ".png", blob));
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgText(svg));
  }

  /// Buttons for a chart. `svg` makes the drawing, `rows` the figures, when they are asked for.
  function buttons(name, svg, rows) {
    const made = [];
    if (svg)
      made.push(element("button", {type: "button", "data-save": "svg", click: () => saveSvg(name, svg())}, "Save as SVG"),
                element("button", {type: "button", "data-save": "png", click: () => savePng(name, svg())}, "Save as PNG"));
    if (rows)
      made.push(element("button", {type: "button", "data-save": "csv",
        click: () => download(name + ".csv", new Blob([csvOf(rows())], {type: "text/csv"}))}, "Numbers as CSV"));
    return element("div", {class: "controls"}, made);
  }

  return {buttons, csvOf};
})();
