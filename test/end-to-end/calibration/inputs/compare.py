# Checks that a measured machine file agrees within 5 % with the known figures, except for g, which
# must be hidden.
#
# Usage: compare.py [--within] MEASURED KNOWN [--known-within]

import argparse
import json
import sys
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("measured", type=Path)
parser.add_argument("known", type=Path)
parser.add_argument("--within", action="store_true", help="what was measured within a node")
parser.add_argument("--known-within", action="store_true", help="what is known of one")
arguments = parser.parse_args()
measured, known = (json.loads(file.read_text()) for file in (arguments.measured, arguments.known))
how = measured["calibration"]["within" if arguments.within else "between"]
found = measured["intra"] if arguments.within else measured
known = known["intra"] if arguments.known_within else known
wrong = [f"{key}: {found[key]}, expected {known[key]}"
         for key in ("L", "o_send", "o_recv", "G", "O", "O_recv", "eager_limit")
         if not abs(found[key] - known[key]) <= 0.05 * known[key]]
if how["g"]["seen"] or found["g"] != 0 or "cannot be seen" not in how["g"]["note"]:
    wrong.append(f"g: {how['g']}, expected it to be hidden")
wrong += [f"{key}: not stable" for key, figure in how.items() if isinstance(figure, dict) and not figure["stable"]]
sys.exit("\n".join(wrong) or 0)
