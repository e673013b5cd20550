# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What irregular collectives do in a function: they replace it on the plan's communicators, and are told of
communicators that are created and freed."""

from CollectiveWrappers import is_noted
from WrapperRoles import block_sides, created_communicator, gathers_to_all, has_blocks, is_freeing, is_rooted


def is_replaced(function):
    """Whether it waits for blocks of its partners, with counts of any type."""
    return (has_blocks(function) or is_rooted(function) or gathers_to_all(function)) and \
        function.small.get("role") != "NonblockingCollective"


def is_irregular(function):
    return is_replaced(function) or is_noted(function)


def irregular_body(function, inner):
    """`inner` are the lines of what follows."""
    if is_replaced(function):
        communicator = function.parameters[function.small["communicator"]].name
        root = f"{function.parameters[function.small['root']].name}, " if is_rooted(function) else ""
        call = (f"sendwright::irregular::replace(sendwright::MpiFunctionId::{function.name.removesuffix('_c')}, "
                f"{', '.join(block_sides(function))}, {root}{communicator}, &replaced)")
        return ["int replaced = MPI_SUCCESS;", f"if ({call})", "  return replaced;", *inner]
    if is_freeing(function):
        return [f"sendwright::irregular::dropCommunicator(*{function.parameters[0].name});", *inner]
    return [f"const int result = [&] {{ {' '.join(inner)} }}();", "if (result == MPI_SUCCESS)",
            f"  sendwright::irregular::noteCommunicator(*{created_communicator(function)});",
            "return result;"]
