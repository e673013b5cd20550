# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recording of uniform calls, whose arguments hold everything that goes into the profile."""

from WrapperRoles import COLLECTIVE_ROLES, SEND_ROLES, STARTED_AS, note_of_created

# Collectives whose bytes are a sum over arrays: arguments (counts, datatype or datatypes).
COUNT_ARRAYS = {"Alltoallv": (1, 3), "Alltoallw": (1, 3), "Neighbor_alltoallv": (1, 3),
                "Neighbor_alltoallw": (1, 3), "Reduce_scatter": (2, 3)}
# Collectives whose count and datatype mean nothing at a rank that passes MPI_IN_PLACE as this argument.
IN_PLACE_ARGUMENT = {"Gather": 0, "Gatherv": 0, "Allgatherv": 0, "Scatter": 3, "Scatterv": 4,
                     "Alltoallv": 0, "Alltoallw": 0}


def collective_bytes(function):
    """An expression: what this rank contributes. The count may be meaningless where the call is made
    in place, or on an intercommunicator, where contribution() does not look at it."""
    name = function.name
    blocking = name[1:].capitalize() if function.role == "NonblockingCollective" else name
    communicator = function.argument("communicator")
    in_place = IN_PLACE_ARGUMENT.get(blocking)
    buffer = function.parameters[in_place].name if in_place is not None else "nullptr"
    partners = ("neighborCount" if blocking.startswith("Neighbor") else "rankCount") + f"({communicator})"
    if blocking in COUNT_ARRAYS:
        counts, datatypes = (function.parameters[i].name for i in COUNT_ARRAYS[blocking])
        return (f"sendwright::contribution({communicator}, {buffer}, {counts}, {datatypes}, "
                f"sendwright::{partners})")
    if not function.argument("count"):
        return "0"
    one = (f"sendwright::contribution({communicator}, {buffer}, {function.argument('count')}, "
           f"{function.argument('datatype')})")
    return f"sendwright::{partners} * {one}" if blocking in ("Alltoall", "Neighbor_alltoall") else one


def recorded_as(function):
    """The statement that records a successful call."""
    argument = function.argument
    request = argument("request")
    if function.role in SEND_ROLES:
        return (f"call.message({argument('peer')}, {argument('tag')}, {argument('communicator')}, "
                f"{argument('count')}, {argument('datatype')}, {request or 'nullptr'})")
    if function.role == "PersistentInit":
        return (f"call.persistent(sendwright::MpiFunctionId::{STARTED_AS[function.name]}, "
                f"{argument('peer')}, {argument('tag')}, {argument('communicator')}, "
                f"{argument('count')}, {argument('datatype')}, {request})")
    if function.role in COLLECTIVE_ROLES:
        root = argument("peer")
        return (f"call.collective({argument('communicator')}, {'&' + root if root else 'nullptr'}, "
                f"{collective_bytes(function)}, {request or 'nullptr'})")
    return None


def recording_body(function):
    created = note_of_created(function, "sendwright::")
    statement = recorded_as(function)
    lines = []
    if function.role == "CommunicatorFree":
        communicator = function.parameters[0].name
        return ["static_cast<void>(caller);", f"sendwright::dropCommunicator(*{communicator});",
                f"return {function.call('sendwright_inner_MPI_' + function.name)};"]
    if statement:
        lines.append(f"sendwright::RecordedCall call(caller, sendwright::MpiFunctionId::{function.name});")
    else:
        lines.append("static_cast<void>(caller);")
    lines.append(f"const int result = {function.call('sendwright_inner_MPI_' + function.name)};")
    lines.append("if (result == MPI_SUCCESS) {")
    if statement:
        lines.append(f"  {statement};")
    if created:
        lines.append(f"  {created};")
    lines += ["}", "return result;"]
    return lines
