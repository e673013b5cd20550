// Lists of numbers that the page holds as base64 of little-endian bytes.
"use strict";
Sendwright.unpacked = (text, Numbers) => {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; ++at)
    bytes[at] = letters.charCodeAt(at);
  return new Numbers(bytes.buffer);
};

// The same of {"bytes" of a number, and "data"}.
Sendwright.unpackedSmall = ({bytes, data}) => bytes < 8
  ? Sendwright.unpacked(data, {1: Uint8Array, 2: Uint16Array, 4: Uint32Array}[bytes]) : Array.from(Sendwright.unpacked(data, BigUint64Array), Number);
