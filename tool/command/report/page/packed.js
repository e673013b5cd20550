// Lists of numbers that the page holds as base64 of little-endian bytes.
"use strict";
Sendwright.unpacked = (text, Numbers) => {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; ++at)
    bytes[at] = letters.charCodeAt(at);
  return new Numbers(bytes.buffer);
};
