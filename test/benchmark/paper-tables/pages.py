# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages that test/benchmark/papers writes."""

from rows import DIFFERS, NOT_REPEATED, VERDICTS


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


def table(header, rows, right=()):
    """A table of Markdown; columns in `right` are figures."""
    lines = ["| " + " | ".join(map(cell, header)) + " |",
             "| " + " | ".join("---:" if column in right else "---" for column in range(len(header))) + " |"]
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def is_figure(text):
    return text == "" or text[0].isdigit() or text[0] in "-<"


def figures(rows):
    """The columns of figures only."""
    if not rows:
        return ()
    return [column for column in range(len(rows[0])) if all(is_figure(str(row[column])) for row in rows)]


def source_page(name, source, result):
    """The page of one source: a row for everything numbered, then the tables."""
    parts = [f"# {source.TITLE}\n", f"{source.ABOUT.strip()}\n",
             f"`test/benchmark/papers {name}` writes this page; "
             "[what the verdicts mean, and the other sources](../papers.md).\n",
             "## Everything that it numbers\n"]
    parts.append(table(["", "the paper", "here", "verdict"],
                       [[row.item, row.paper, row.ours, f"**{row.verdict}**" + (f": {row.why}" if row.why else "")]
                        for row in result.rows]))
    commands = list(dict.fromkeys((row.command, row.item) for row in result.rows if row.command))
    grouped = {}
    for command, item in commands:
        grouped.setdefault(command, []).append(item)
    parts.append("## The commands\n")
    parts.append(table(["to see", "command"],
                       [["; ".join(items), f"`{command}`"] for command, items in grouped.items()]))
    for one in result.tables:
        parts += [f"## {one.title}\n", f"{one.text.strip()}\n"]
        if one.image:
            parts.append(f"![{one.title}](../images/papers/{one.image})\n")
        parts.append(table(one.header, one.rows, figures(one.rows)))
    if extra := getattr(source, "NOTES", ""):
        parts.append(extra.strip() + "\n")
    return "\n".join(parts)


INTRODUCTION = """\
# The papers, table by table

Sendwright's analyses follow five sources. Here is everything that they number, and what we find: every table,
figure, algorithm, theorem and example. `test/benchmark/papers` runs the analyses, prints a line for each, and
writes this page and the pages behind it.

| verdict | |
| --- | --- |
| reproduced | our figures are the paper's, or what it claims holds for ours |
| better | ours are smaller where smaller is better |
| differs | with the reason, and where the paper contradicts itself with the evidence |
| not repeated | with the reason |

Analyses take seconds; a test compares these pages with them
(`LIT_OPTS="--filter papers" ctest --test-dir build -R lit`). Times on simulated clusters were measured once by
`test/benchmark/papers --measure`, which keeps them in `test/benchmark/paper-tables/measured/`. A program's
simulated times are the same in each run. The machines of the papers are not ours: where the paper has
seconds of its cluster, ours stand beside them for their ratios.
"""


def index_page(sources, results):
    parts = [INTRODUCTION, "## In short\n"]
    counts = []
    for name, result in results.items():
        numbers = [sum(row.verdict == verdict for row in result.rows) for verdict in VERDICTS]
        counts.append([f"[{sources[name].SHORT}](papers/{name}.md)", *numbers])
    counts.append(["all", *(sum(row[column] for row in counts) for column in range(1, 5))])
    parts.append(table(["", *VERDICTS], counts, range(1, 5)))
    parts.append("## Where a source does not reproduce\n")
    parts.append(table(["source", "", "the paper", "here", "why"],
                       [[f"[{name}](papers/{name}.md)", row.item, row.paper, row.ours, row.why]
                        for name, result in results.items() for row in result.rows if row.verdict == DIFFERS]))
    parts.append("## What is not repeated\n")
    parts.append(table(["source", "", "why"],
                       [[f"[{name}](papers/{name}.md)", row.item, row.why]
                        for name, result in results.items() for row in result.rows
                        if row.verdict == NOT_REPEATED]))
    for name, result in results.items():
        parts.append(f"## {sources[name].SHORT}\n")
        parts.append(f"[Both figures side by side, with the commands](papers/{name}.md).\n")
        parts.append(table(["", "verdict"], [[row.item, row.verdict] for row in result.rows]))
    return "\n".join(parts)
