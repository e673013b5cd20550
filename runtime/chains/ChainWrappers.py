# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an open chain of exchanges does in a function."""


def is_chained(function):
    return function.role == "SendReceive"


def chained_body(function):
    """The lines before those of a call that runs as written."""
    arguments = ", ".join(p.name for p in function.parameters)
    return ["int begun = MPI_SUCCESS;", f"if (sendwright::chains::begin({arguments}, &begun))", "  return begun;"]
