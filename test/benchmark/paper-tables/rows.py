# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a source of docs/papers/ consists of: rows, tables, and the tools that compute them."""

import json
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

REPRODUCED, BETTER, DIFFERS, NOT_REPEATED = VERDICTS = ("reproduced", "better", "differs", "not repeated")


@dataclass
class Row:
    """One table, figure, algorithm, theorem or example of a source."""
    item: str
    paper: str  # its figures, in our words
    ours: str
    verdict: str
    why: str = ""  # needed if it differs or is not repeated
    command: str = ""

    def __post_init__(self):
        if self.verdict in (DIFFERS, NOT_REPEATED) and not self.why:
            raise ValueError(f"{self.item}: {self.verdict}, but why?")


@dataclass
class Table:
    """Figures of the paper and ours side by side."""
    title: str
    text: str
    header: list
    rows: list
    image: str = ""  # a file of docs/images/papers


@dataclass
class Result:
    rows: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    plots: dict = field(default_factory=dict)  # file of docs/images/papers: what draws it there
    broken: list = field(default_factory=list)  # what was reproduced once, and is not now

    def add(self, item, paper, ours, verdict, why="", command=""):
        self.rows.append(Row(item, paper, ours, verdict, why, command))

    def expect(self, what, found, expected):
        """Whether `found` is what the page was written for; if not, the script fails."""
        if found != expected:
            self.broken.append(f"{what}: found {found}, expected {expected}")
        return found == expected


class Tools:
    """The build's programs, and measurements that were kept. `quick`: the longest analyses may be among these."""

    def __init__(self, top, build, quick=False):
        self.top, self.build, self.quick = Path(top), Path(build).resolve(), quick
        self.kept = Path(__file__).resolve().parent / "measured"

    def run(self, program, *arguments, may_fail=False):
        """Standard output of a program of the build."""
        done = subprocess.run([self.build / "bin" / program, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0 and not may_fail:
            raise SystemExit(f"{program} {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
        return done.stdout

    def script(self, *words, may_fail=False):
        """Standard output of a script of the tree."""
        done = subprocess.run([self.top / words[0], *map(str, words[1:])], capture_output=True, text=True)
        if done.returncode != 0 and not may_fail:
            raise SystemExit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
        return done.stdout

    def analyze(self, *arguments):
        """The object that `sendwright analyze ... --json` prints."""
        return json.loads(self.run("sendwright", "analyze", *arguments, "--json"))

    def matrices(self, *patterns):
        """Writes communication matrices, lists of {destination: items} by rank. A context of their names."""
        return _Matrices(patterns)

    def keep(self, name, value):
        self.kept.mkdir(exist_ok=True)
        (self.kept / f"{name}.json").write_text(json.dumps(value, indent=1) + "\n")

    def measured(self, name):
        """What was kept; nothing if it was never measured."""
        file = self.kept / f"{name}.json"
        return json.loads(file.read_text()) if file.is_file() else None


class _Matrices:
    def __init__(self, patterns):
        self.patterns = patterns

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        names = []
        for number, pattern in enumerate(self.patterns):
            names.append(Path(self.folder.name) / f"{number}.txt")
            lines = [f"# K={len(pattern)}"]
            for rank, row in enumerate(pattern):
                items = row.items() if isinstance(row, dict) else [(to, 1) for to in row]
                lines.append(f"{rank}: " + " ".join(f"{to}:{count}" for to, count in items))
            names[-1].write_text("\n".join(lines) + "\n")
        return names

    def __exit__(self, *_):
        self.folder.cleanup()


def number(value, digits=2):
    """A figure of a table: whole numbers with separators, others with so many digits."""
    if value is None:
        return ""
    if isinstance(value, int) or (isinstance(value, float) and value == int(value) and abs(value) >= 1000):
        return f"{int(value):,}"
    return f"{value:.{digits}f}"
