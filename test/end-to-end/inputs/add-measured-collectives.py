# Prints a machine file with rows of measured_collectives, for 7 ranks and two sizes.
#
# Usage: add-measured-collectives.py MACHINE OPERATION=SECONDS...

import json
import sys

machine = json.load(open(sys.argv[1], encoding="utf-8"))
machine["measured_collectives"] = [
    {"operation": name, "ranks": 7, "bytes": size, "seconds": float(seconds)}
    for name, seconds in (argument.split("=") for argument in sys.argv[2:]) for size in (8, 100000)]
json.dump(machine, sys.stdout)
