"""check-text.py [--json|--harmless]: checks that standard input is valid UTF-8 in which only line
ends have a meaning for a terminal, that no line begins as a forged one would, and that hostile text
is there, escaped. With --json it must also be one JSON value; with --harmless there need be no
hostile text."""
import json
import sys
import unicodedata

data = sys.stdin.buffer.read()
text = data.decode("utf-8")
for number, line in enumerate(text.split("\n"), 1):
    for character in line:
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            sys.exit(f"line {number}: {character!r} in {line!r}")
    if line.lstrip(" +").startswith(("forged", "escaped_from_comment", "/ ")):
        sys.exit(f"line {number}: text of a file is a line of its own: {line!r}")
if "--json" in sys.argv:
    json.loads(text)
elif "--harmless" not in sys.argv and "\\x1b" not in text and "\\u001b" not in text:
    sys.exit("nothing of the hostile text is shown: " + text[:2000])
