// A drawing that is looked at with a pointer or with keys: a cursor moves over it, and it zooms
// around the cursor. It is drawn on a canvas for the screen and as SVG to be saved, by one function.
"use strict";
Sendwright.surface = (() => {
  const {element, colour, drawn, shown} = Sendwright;

  function canvasPen(canvas, width, height) {
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = height + "px";
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    return {
      rectangle(x, y, w, h, fill) {
        context.fillStyle = fill;
        context.fillRect(x, y, w, h);
      },
      line(x1, y1, x2, y2, stroke, thickness, dashes) {
        context.setLineDash(dashes || []);
        context.strokeStyle = stroke;
        context.lineWidth = thickness;
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
        context.stroke();
      },
      text(x, y, words, anchor) {
        context.fillStyle = colour("ink");
        context.font = "12px sans-serif";
        context.textAlign = {start: "left", middle: "center", end: "right"}[anchor];
        context.fillText(shown(words), x, y);
      },
    };
  }

  function svgPen(width, height) {
    const svg = d3.create("svg").attr("viewBox", `0 0 ${width} ${height}`).attr("font-family", "sans-serif");
    const pen = {
      rectangle: (x, y, w, h, fill) => svg.append("rect").attr("x", x.toFixed(2)).attr("y", y.toFixed(2))
        .attr("width", w.toFixed(2)).attr("height", h.toFixed(2)).attr("fill", fill),
      line: (x1, y1, x2, y2, stroke, thickness, dashes) => svg.append("line").attr("x1", x1.toFixed(2)).attr("y1", y1.toFixed(2))
        .attr("x2", x2.toFixed(2)).attr("y2", y2.toFixed(2)).attr("stroke", stroke).attr("stroke-width", thickness)
        .attr("stroke-dasharray", dashes ? dashes.join(" ") : null),
      text: (x, y, words, anchor) => svg.append("text").attr("x", x).attr("y", y).attr("font-size", 12)
        .attr("text-anchor", anchor).attr("fill", colour("ink")).text(shown(words)),
    };
    return {pen, node: svg.node()};
  }

  /// `view`: {name, label, height(width), draw(pen, width, height), rows(), describe(), move(x, y, width, height),
  /// step(across, down), zoom(factor), whole()}. Positions are in pixels of the drawing.
  function surfaceOf(view) {
    const canvas = element("canvas", {tabindex: "0", role: "application", "aria-label": view.label + ". Arrow keys move the cursor, " +
      "plus and minus zoom, Escape shows everything.", style: "width: 100%; touch-action: pan-y"});
    const readout = element("p", {class: "readout", role: "status"});
    const width = () => Math.max(canvas.clientWidth || canvas.parentNode.clientWidth || 640, 280);

    function draw() {
      const wide = width(), high = view.height(wide), pen = canvasPen(canvas, wide, high);
      pen.rectangle(0, 0, wide, high, colour("page"));
      view.draw(pen, wide, high, true);
      readout.textContent = shown(view.describe());
    }
    function act(change) {
      change();
      draw();
    }
    function saved() {
      const wide = width(), high = view.height(wide), {pen, node} = svgPen(wide, high);
      pen.rectangle(0, 0, wide, high, colour("page"));
      view.draw(pen, wide, high, false);
      return node;
    }
    const keys = {ArrowLeft: () => view.step(-1, 0), ArrowRight: () => view.step(1, 0), ArrowUp: () => view.step(0, -1),
      ArrowDown: () => view.step(0, 1), "+": () => view.zoom(0.5), "=": () => view.zoom(0.5), "-": () => view.zoom(2),
      Escape: () => view.whole()};
    canvas.addEventListener("keydown", event => {
      if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey)
        return;
      event.preventDefault();
      act(keys[event.key]);
    });
    const moveTo = event => {
      const box = canvas.getBoundingClientRect();
      act(() => view.move(event.clientX - box.left, event.clientY - box.top, box.width, box.height));
    };
    let waiting = null; // at most one drawing for each frame
    canvas.addEventListener("pointermove", event => {
      if (!waiting)
        requestAnimationFrame(() => { moveTo(waiting); waiting = null; });
      waiting = event;
    });
    canvas.addEventListener("pointerdown", moveTo);
    canvas.addEventListener("dblclick", () => act(() => view.zoom(0.5)));
    canvas.addEventListener("wheel", event => {
      if (document.activeElement !== canvas)
        return; // the page scrolls until the drawing is chosen
      event.preventDefault();
      act(() => view.zoom(event.deltaY < 0 ? 0.8 : 1.25));
    }, {passive: false});
    const button = (text, change) => element("button", {type: "button", click: () => act(change)}, text);
    const host = element("div", {class: "surface", "data-name": view.name},
      element("div", {class: "controls"}, button("Zoom in", () => view.zoom(0.5)), button("Zoom out", () => view.zoom(2)),
        button("Everything", () => view.whole())),
      canvas, readout, Sendwright.saving.buttons(view.name, saved, view.rows));
    window.addEventListener("resize", draw);
    requestAnimationFrame(() => drawn(draw));
    return {host, draw};
  }

  return {surfaceOf};
})();
