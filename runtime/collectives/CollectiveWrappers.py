# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What collectives by plan are told of: communicators that are created and freed."""

from WrapperRoles import created_communicator, duplicated_communicator, is_freeing


def is_noted(function):
    return not function.variadic and (is_freeing(function) or (
        created_communicator(function) is not None and not duplicated_communicator(function)))


def noting_body(function, inner):
    """`inner` are the lines of what follows."""
    if is_freeing(function):
        return [f"sendwright::collectives::dropCommunicator(*{function.parameters[0].name});", *inner]
    return [f"const int result = [&] {{ {' '.join(inner)} }}();", "if (result == MPI_SUCCESS)",
            f"  sendwright::collectives::noteCommunicator(*{created_communicator(function)});",
            "return result;"]
