# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an MPI declares and exports, read from its mpi.h and its libraries; and MpiFunctions.def."""

import re
import subprocess
import sys
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
    columns: dict = field(default_factory=dict)  # of its line in the table
    small: dict = field(default_factory=dict)  # of the line of its twin with small counts, or its own
    strict: str = ""  # what strict buffers do (StrictWrappers.py)

    def declaration(self, name, first=None):
        texts = ([first] if first else []) + [p.text for p in self.parameters]
        if self.variadic:
            texts.append("...")
        return f"{self.result} {name}({', '.join(texts) or 'void'})"

    def call(self, name, first=None):
        return f"{name}({', '.join(([first] if first else []) + [p.name for p in self.parameters])})"

    def argument(self, column):
        """The name of the argument that the column gives, or None."""
        index = self.columns.get(column, -1)
        return self.parameters[index].name if index >= 0 else None

    def column(self, name):
        """The word in the column; "" where the function's line has no such column."""
        return self.columns.get(name, "")

    @property
    def kind(self):
        """What the table says of a function that a profile does not have; "" of others."""
        return self.small.get("kind", "")

    @property
    def is_large(self):
        """Whether it has a twin with counts of type int."""
        return self.name.endswith("_c")


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


# The columns of the macro that the others expand to.
COLUMNS = ["name", "role", "effect", "buffer", "count", "datatype", "peer", "tag", "communicator", "request"]


def words_of(text):
    return [word.strip() for word in text.split(",")]


def read_table(path):
    """The lines of MpiFunctions.def: name -> column -> word or number. Its macros say their columns, and which
    of them are those of MPI_FUNCTION. Ends the program where a function has two lines."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\\\n", "", re.sub(r"//.*", "", file.read()))
    macros = {"MPI_FUNCTION": (COLUMNS, COLUMNS)}
    definition = re.compile(r"^#define (\w+)\((.*?)\)(?:\s+MPI_FUNCTION\((.*?)\))?$", re.M)
    for macro, columns, expansion in definition.findall(text):
        macros[macro] = (words_of(columns), words_of(expansion) if expansion else [])
    table = {}
    for macro, line in re.findall(r"^(MPI_\w+)\((.*?)\)$", text, re.M):
        columns, expansion = macros[macro]
        row = dict(zip(columns, words_of(line)))
        row.update((column, row.get(word, word)) for column, word in zip(COLUMNS, expansion))
        if row["name"] in table:
            sys.exit(f"{path}: MPI_{row['name']} has two lines, expected one")
        table[row["name"]] = {column: int(word) if re.match(r"-?\d+$", word) else word
                              for column, word in row.items()}
    return table
