# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an MPI declares and exports, read from its mpi.h and its libraries; and MpiFunctions.def."""

import re
import subprocess
from dataclasses import dataclass, field


@dataclass
class Parameter:
    text: str  # the declaration, with a name
    name: str


@dataclass
class Function:
    name: str  # without MPI_
    result: str
    parameters: list
    variadic: bool = False
    role: str = ""
    effect: str = "Flush"
    columns: dict = field(default_factory=dict)
    strict: str = ""  # what strict buffers do: Hand, Narrow, Meet, MeetGroup, Note, Begin, Drop

    def declaration(self, name, first=None):
        texts = ([first] if first else []) + [p.text for p in self.parameters]
        if self.variadic:
            texts.append("...")
        return f"{self.result} {name}({', '.join(texts) or 'void'})"

    def call(self, name, first=None):
        return f"{name}({', '.join(([first] if first else []) + [p.name for p in self.parameters])})"

    def argument(self, column):
        index = self.columns.get(column, -1)
        return self.parameters[index].name if index >= 0 else None


def preprocess(compiler, flags):
    command = [*compiler, "-E", "-P", "-x", "c", *flags, "-"]
    return subprocess.run(command, input="#include <mpi.h>\n", capture_output=True, text=True,
                          check=True).stdout


def without_attributes(text):
    """Removes __attribute__((...)), whose parentheses nest."""
    out = []
    while True:
        start = re.search(r"__attribute__\s*\(|__declspec\s*\(|__asm__\s*\(", text)
        if not start:
            return "".join(out) + text
        out.append(text[:start.start()])
        depth, end = 1, start.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[end:]


def split_parameters(text):
    parts, depth, current = [], 0, ""
    for character in text:
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
            continue
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        current += character
    parts.append(current.strip())
    return [part for part in parts if part and part != "void"]


def parse_parameter(text, index):
    text = re.sub(r"\s+", " ", text)
    pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", text)  # a pointer to a function
    if pointer:
        return Parameter(text, pointer.group(1))
    arrays = re.search(r"(\s*\[[^\]]*\])*$", text).start()
    head, suffix = text[:arrays], text[arrays:]
    words = [w for w in re.findall(r"\w+", head) if w not in ("const", "struct", "restrict", "unsigned")]
    last = re.search(r"(\w+)\s*$", head)
    if len(words) >= 2 and last and last.group(1) not in ("int", "long", "char"):
        # C++ has no `restrict`; parameters keep their names from the header.
        return Parameter(head.replace("restrict", "") + suffix, last.group(1))
    return Parameter(f"{head} argument{index}{suffix}", f"argument{index}")


def parse_functions(text):
    declarations = {}
    text = re.sub(r'extern\s+"C"\s*\{?', "", without_attributes(text))
    for statement in text.split(";"):
        statement = " ".join(line for line in statement.splitlines() if not line.startswith("#"))
        match = re.match(r"\s*(?:extern\s+)?([\w][\w\s\*]*?[\s\*])(P?MPI_\w+)\s*\((.*)\)\s*$", statement,
                         re.DOTALL)
        if not match or "typedef" in match.group(1):
            continue
        result, name, arguments = match.groups()
        texts = split_parameters(arguments)
        variadic = bool(texts) and texts[-1] == "..."
        if variadic:
            texts.pop()
        parameters = [parse_parameter(t, i) for i, t in enumerate(texts)]
        declarations[name] = Function(name.removeprefix("MPI_"), " ".join(result.split()), parameters,
                                      variadic)
    return [f for name, f in sorted(declarations.items())
            if name.startswith("MPI_") and "P" + name in declarations]


def exported(libraries, nm):
    """The names that shared libraries define."""
    symbols = set()
    for library in libraries:
        text = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True,
                              check=True).stdout
        symbols.update(line.split()[-1].split("@")[0] for line in text.splitlines() if line.strip())
    return symbols


def read_table(path):
    """The lines of MpiFunctions.def: name -> (role, effect, columns)."""
    names = ["buffer", "count", "datatype", "peer", "tag", "communicator", "request"]
    table = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r"MPI_FUNCTION\((\w+), (\w+), (\w+), ([-\d, ]+)\)", line)
            if match:
                values = [int(v) for v in match.group(4).split(",")]
                table[match.group(1)] = (match.group(2), match.group(3), dict(zip(names, values)))
    return table
