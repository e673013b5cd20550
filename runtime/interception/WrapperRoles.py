# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which layers of the runtime take part in a function; and what several of them need to know about
it."""

import re

SEND_ROLES = {
    "Send", "BufferedSend", "ReadySend", "SynchronousSend", "NonblockingSend",
    "NonblockingBufferedSend", "NonblockingReadySend", "NonblockingSynchronousSend",
    "NonblockingReceive",
}
COLLECTIVE_ROLES = {"Collective", "NeighborCollective", "NonblockingCollective"}
FREEING_ROLES = {"CommunicatorFree", "CommunicatorDisconnect"}
# Recorded by code written by hand in runtime/recording/.
HAND_RECORDED_ROLES = {
    "Receive", "SendReceive", "Probe", "MatchedReceive", "Start", "Completion", "RequestFree",
    "Cancel",
}
# Functions that send, receive or complete messages.
MESSAGE_ROLES = SEND_ROLES | HAND_RECORDED_ROLES | {"PersistentInit"}


def is_freeing(function):
    """Whether the communicator that the first argument points to goes away."""
    return function.role in FREEING_ROLES


def is_forgetting(function):
    """Whether a communicator's handle or error handler goes away: what is known of it must be forgotten, also at
    rest. The first argument is the communicator, or points to it."""
    return is_freeing(function) or function.column("kind") == "ErrorHandler"


def has_batch_part(function):
    return function.effect in ("Capture", "Complete", "Remember")


def is_always_told(function):
    """Persistent requests are remembered from when they are made until they are freed, also at rest."""
    return function.effect == "Remember" or function.role == "RequestFree"


def is_recorded(function):
    return (function.role in SEND_ROLES | COLLECTIVE_ROLES or is_recorded_by_hand(function)
            or function.role == "PersistentInit" or is_freeing(function)
            or created_communicator(function) is not None)


def is_recorded_by_hand(function):
    return function.role in HAND_RECORDED_ROLES or function.column("kind") == "Exchange"


def created_communicator(function):
    """The argument through which the function returns a communicator, or None."""
    if is_forgetting(function) or function.role in SEND_ROLES:
        return None
    for parameter in function.parameters:
        if re.match(r"MPI_Comm ?\* ?\w+$", parameter.text):
            return parameter.name
    return None


def duplicated_communicator(function):
    """The communicator of which a call returns a copy that is none before a request is complete, or None: MPI
    must not be asked for the copy's members, which are those of the original."""
    return function.parameters[0].name if function.kind == "Duplication" else None


def note_of_created(function, namespace):
    """The call that tells a layer of the communicator that the function returns, or None."""
    created, original = created_communicator(function), duplicated_communicator(function)
    if created is None:
        return None
    return f"{namespace}noteDuplicate({original}, *{created})" if original else \
        f"{namespace}noteCommunicator(*{created})"


def is_quiet(function):
    """Whether nothing else may make progress in the call: with Open MPI 4.1 several MPI_Comm_idup of one
    communicator that are under way fail where some rank makes progress between two of them."""
    return function.kind == "Duplication"


def has_blocks(function):
    """Whether each rank has a block of its own size for each partner, or names its partners in a topology."""
    line = function.small
    return line.get("role") in COLLECTIVE_ROLES and (
        line.get("operation") == "Neighborhood"
        or (line.get("operation"), line.get("amount")) == ("AllToAll", "CountForEach"))


def is_rooted(function):
    """Whether blocks of their own sizes leave or reach one rank."""
    line = function.small
    return (line.get("role") in COLLECTIVE_ROLES and line.get("amount") == "OwnBlock"
            and line.get("flow") in ("FromRoot", "ToRoot"))


def gathers_to_all(function):
    """Whether each rank's block, of its own size, goes to all others."""
    line = function.small
    return (line.get("role") in COLLECTIVE_ROLES and line.get("amount") == "OwnBlock"
            and line.get("operation") == "Allgather")


def block_sides(function):
    """What such a function sends and what it receives, as two sendwright::BlockSide."""
    parameters = list(function.parameters)
    same = "oneForAll" if function.small.get("amount") in ("Block", "OwnBlock") else "oneForEach"
    sides = []
    for single in (same, "oneForEach"):
        buffer, count = parameters[:2]
        arrays = "*" in count.text or "[" in count.text  # then displacements and a type or types follow
        side, parameters = parameters[:4 if arrays else 3], parameters[4 if arrays else 3:]
        names = ", ".join(parameter.name for parameter in side)
        sides.append(f"sendwright::BlockSide{'' if arrays else '::' + single}({names})")
    return sides


def emit(out, declaration, body):
    out.append(f"{declaration} {{")
    out += ["  " + line for line in body]
    out += ["}", ""]
