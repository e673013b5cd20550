# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which layers of the runtime take part in a function; and what several of them need to know about
it."""

import re

# Persistent requests are remembered from their creation until they are freed, even when the layer
# rests.
ALWAYS_TOLD_EFFECT, ALWAYS_TOLD_NAME = "Remember", "Request_free"

# These free a communicator's handle or its error handler: what is known about it must be forgotten,
# even when the layer rests. The first argument is the communicator, or points to it.
FREEING = {"Comm_free", "Comm_disconnect"}
FORGETTING = FREEING | {"Comm_set_errhandler", "Errhandler_set"}

SEND_ROLES = {
    "Send", "BufferedSend", "ReadySend", "SynchronousSend", "NonblockingSend",
    "NonblockingBufferedSend", "NonblockingReadySend", "NonblockingSynchronousSend",
    "NonblockingReceive",
}
COLLECTIVE_ROLES = {"Collective", "NeighborCollective", "NonblockingCollective"}
# Recorded by code written by hand in runtime/recording/.
HAND_RECORDED_ROLES = {
    "Receive", "SendReceive", "Probe", "MatchedReceive", "Start", "Completion", "RequestFree",
    "Cancel",
}

# So are functions that the table does not have, because a profile holds them as two calls.
HAND_RECORDED_PAIRS = {"Isendrecv", "Isendrecv_replace"}

# A persistent request is recorded when it is started, as the call of the same mode.
STARTED_AS = {"Send_init": "Isend", "Bsend_init": "Ibsend", "Rsend_init": "Irsend",
              "Ssend_init": "Issend", "Recv_init": "Irecv"}


def has_batch_part(function):
    return function.effect in ("Capture", "Complete", "Remember")


def is_always_told(function):
    return function.effect == ALWAYS_TOLD_EFFECT or function.name == ALWAYS_TOLD_NAME


def is_recorded(function):
    return (function.role in SEND_ROLES | COLLECTIVE_ROLES or is_recorded_by_hand(function)
            or function.role in ("PersistentInit", "CommunicatorFree")
            or created_communicator(function) is not None)


def is_recorded_by_hand(function):
    return function.role in HAND_RECORDED_ROLES or function.name in HAND_RECORDED_PAIRS


def created_communicator(function):
    """The argument through which the function returns a communicator, or None."""
    if function.name in FORGETTING or function.role in SEND_ROLES:
        return None
    for parameter in function.parameters:
        if re.match(r"MPI_Comm ?\* ?\w+$", parameter.text):
            return parameter.name
    return None


def duplicated_communicator(function):
    """The communicator of which a call returns a copy that is none before a request is complete, or None: MPI
    must not be asked for the copy's members, which are those of the original."""
    return function.parameters[0].name if function.name.startswith("Comm_idup") else None


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
    return function.name.startswith("Comm_idup")


def emit(out, declaration, body):
    out.append(f"{declaration} {{")
    out += ["  " + line for line in body]
    out += ["}", ""]
