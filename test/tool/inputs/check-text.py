"""check-text.py [--json|--harmless]: standard input is text of valid UTF-8 in which nothing but the ends of lines has a
meaning for a terminal, no line begins as a forged one would, and hostile text is there, as an escape that is
read. With --json it is one JSON value, too; with --harmless there need be no hostile text."""
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
