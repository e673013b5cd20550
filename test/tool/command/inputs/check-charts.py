# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-charts.py FOLDER: the charts are SVG without scripts or links, and have their titles, legends and lines."""

import pathlib
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
EXPECTED = {"speed-up.svg": ("Speed-up", ["ranks", "measured", "p"]),
            "efficiency.svg": ("Efficiency, and the share of communication", ["ranks", "%", "efficiency", "communication"]),
            "overhead.svg": ("Overhead: p times the time, minus the time of one processor", ["seconds", "measured", "1e-06 p^14.00"]),
            "isoefficiency.svg": ("Isoefficiency: work needed", ["efficiency 50 %", "efficiency 90 %"])}

for name, (title, words) in EXPECTED.items():
    root = tree.parse(pathlib.Path(sys.argv[1], name)).getroot()
    assert root.tag == SVG + "svg" and root.findtext(SVG + "title") == title, name
    assert not any(each.tag in (SVG + "script", SVG + "image") for each in root.iter()), name
    texts = ["".join(each.itertext()).strip() for each in root.iter(SVG + "text")]
    assert title in texts and all(word in texts for word in words), (name, texts)
    # Marks and lines: gnuplot writes points as uses of a shape.
    if name == "speed-up.svg":
        assert sum(1 for each in root.iter(SVG + "use")) >= 3, name
