# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What irregular collectives do in a function: they replace it on the plan's communicators, and are told of
communicators that are created and freed."""

from CollectiveWrappers import is_noted
from WrapperRoles import created_communicator, is_freeing


def is_replaced(function):
    """Whether each rank has a block of its own size for each other rank, with counts of any type."""
    line = function.small
    return (line.get("role"), line.get("operation"), line.get("amount")) == ("Collective", "AllToAll", "CountForEach")


def is_irregular(function):
    return is_replaced(function) or is_noted(function)


def irregular_body(function, inner):
    """`inner` are the lines of what follows."""
    if is_replaced(function):
        arguments = ", ".join(p.name for p in function.parameters)
        call = (f"sendwright::irregular::replace(sendwright::MpiFunctionId::{function.name.removesuffix('_c')}, "
                f"{arguments}, &replaced)")
        return ["int replaced = MPI_SUCCESS;", f"if ({call})", "  return replaced;", *inner]
    if is_freeing(function):
        return [f"sendwright::irregular::dropCommunicator(*{function.parameters[0].name});", *inner]
    return [f"const int result = [&] {{ {' '.join(inner)} }}();", "if (result == MPI_SUCCESS)",
            f"  sendwright::irregular::noteCommunicator(*{created_communicator(function)});",
            "return result;"]
