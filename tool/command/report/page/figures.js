// How figures are printed, with the units of the command.
"use strict";
Sendwright.figures = (() => {
  function prefixed(value, unit, prefixes) {
    const size = Math.abs(value);
    for (const [factor, prefix] of prefixes)
      if (size >= factor)
        return trimmed(value / factor) + " " + prefix + unit;
    return trimmed(value) + " " + unit;
  }

  function trimmed(value) {
    return String(Number(value.toPrecision(4)));
  }

  /// Seconds in s, ms, us or ns.
  function time(seconds) {
    if (seconds === null || seconds === undefined || !isFinite(seconds))
      return "unknown";
    if (seconds === 0)
      return "0 s";
    const size = Math.abs(seconds);
    const [factor, unit] = size >= 1 ? [1, "s"] : size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "us"] : [1e9, "ns"];
    return trimmed(seconds * factor) + " " + unit;
  }

  const bytes = value => prefixed(value, "B", [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]);
  const count = value => Number(value).toLocaleString("en-GB");
  const percent = share => share === null || share === undefined ? "unknown" : (100 * share).toFixed(1) + " %";
  const signedPercent = share => (share > 0 ? "+" : "") + (100 * share).toFixed(1) + " %";

  const times = value => value === 1 ? "once" : count(value) + " times";

  return {time, bytes, count, times, percent, signedPercent};
})();
