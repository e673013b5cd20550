# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What collectives by plan are told of: communicators that are created and freed."""

from WrapperRoles import FREEING, created_communicator, duplicated_communicator


def is_noted(function):
    return not function.variadic and (function.name in FREEING or (
        created_communicator(function) is not None and not duplicated_communicator(function)))


def noting_body(function, inner):
    """`inner` are the lines of what follows."""
    if function.name in FREEING:
        return [f"sendwright::collectives::dropCommunicator(*{function.parameters[0].name});", *inner]
    return [f"const int result = [&] {{ {' '.join(inner)} }}();", "if (result == MPI_SUCCESS)",
            f"  sendwright::collectives::noteCommunicator(*{created_communicator(function)});",
            "return result;"]
