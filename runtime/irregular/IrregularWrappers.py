# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What irregular collectives do in a function: they replace it on the plan's communicators, and are told of
communicators that are created and freed."""

from CollectiveWrappers import is_noted
from WrapperRoles import created_communicator, is_freeing

# The names in runtime/irregular/ that do the calls, also for counts of another type.
REPLACEMENTS = {"Alltoallv": "alltoallv", "Alltoallv_c": "alltoallv"}


def is_irregular(function):
    return function.name in REPLACEMENTS or is_noted(function)


def irregular_body(function, inner):
    """`inner` are the lines of what follows."""
    if function.name in REPLACEMENTS:
        arguments = ", ".join(p.name for p in function.parameters)
        call = f"sendwright::irregular::{REPLACEMENTS[function.name]}({arguments}, &replaced)"
        return ["int replaced = MPI_SUCCESS;", f"if ({call})", "  return replaced;", *inner]
    if is_freeing(function):
        return [f"sendwright::irregular::dropCommunicator(*{function.parameters[0].name});", *inner]
    return [f"const int result = [&] {{ {' '.join(inner)} }}();", "if (result == MPI_SUCCESS)",
            f"  sendwright::irregular::noteCommunicator(*{created_communicator(function)});",
            "return result;"]
