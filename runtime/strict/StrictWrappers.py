# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What strict buffers do in a function, and what lies below the batches."""

import re

from WrapperRoles import created_communicator, duplicated_communicator

# Strict buffers: written by hand in runtime/strict/.
STRICT_BY_HAND = {
    "Send", "Bsend", "Rsend", "Ssend", "Isend", "Ibsend", "Irsend", "Issend", "Recv", "Irecv", "Sendrecv",
    "Sendrecv_replace", "Probe", "Mprobe", "Mrecv", "Imrecv", "Send_init", "Bsend_init", "Rsend_init",
    "Ssend_init", "Recv_init", "Start", "Startall", "Wait", "Waitall", "Waitany", "Waitsome", "Test",
    "Testall", "Testany", "Testsome", "Request_free", "Cancel", "Buffer_attach", "Buffer_detach",
}

# Collectives of a communicator besides those that the table calls so.
MORE_COLLECTIVES = {
    "Comm_disconnect", "Comm_dup_with_info", "Comm_spawn", "Comm_spawn_multiple", "Comm_accept",
    "Comm_connect", "File_open", "Intercomm_create", "Intercomm_merge", "Win_allocate",
    "Win_allocate_shared", "Win_create", "Win_create_dynamic",
}

# Collectives of a window's or a file's group, which may wait for the others.
GROUP_COLLECTIVE = re.compile(r"Win_(fence|free)$|File_(close|set_size|preallocate|set_view|sync|"
                              r"(read|write)(_at)?_all(_begin|_end)?|(read|write)_ordered(_begin|_end)?)$")

# Non-blocking collectives that end only when all members have begun them.
SYNCHRONIZING = {"Ibarrier", "Iallgather", "Iallgatherv", "Ialltoall", "Iallreduce", "Ireduce_scatter",
                 "Ireduce_scatter_block"}


def strict_part(function, table):
    """What strict buffers do in a function; "" where they leave it to MPI."""
    name = function.name
    large = name.endswith("_c")
    plain = name.removesuffix("_c")
    role = table.get(plain, ("",))[0]
    if name in STRICT_BY_HAND:
        return "Hand"
    if large and plain in STRICT_BY_HAND:
        counts = [p for p in function.parameters if p.text.startswith("MPI_Count ") and "*" not in p.text]
        return "Narrow" if counts and not plain.startswith("Buffer_") else ""
    if name == "Comm_free":
        return "Drop"
    if meeting_of_group(function):
        return "MeetGroup"
    if (role in ("Collective", "NeighborCollective") or plain in MORE_COLLECTIVES) and \
            argument_of_type(function, "MPI_Comm"):
        return "Meet"
    if role == "NonblockingCollective":
        return "Begin"
    # What a non-blocking duplication returns is no communicator yet.
    return "Note" if created_communicator(function) and not duplicated_communicator(function) else ""


def argument_of_type(function, kind):
    """An expression for the first argument that has this type or points to it, or None."""
    for parameter in function.parameters:
        match = re.match(rf"{kind} ?(\*?) ?\w+$", parameter.text)
        if match and not (match.group(1) and kind == "MPI_Comm" and "Comm_" not in function.name):
            return match.group(1) + parameter.name
    return None


def meeting_of_group(function):
    """The call by which ranks meet before a collective that is not one of a single communicator, or
    None."""
    names = [parameter.name for parameter in function.parameters]
    if function.name == "Intercomm_create":
        return f"meetOtherSide({', '.join(names[:4])})"
    if function.name in ("Comm_create_group", "Comm_create_from_group"):
        return f"meetGroup({argument_of_type(function, 'MPI_Group')})"
    if not GROUP_COLLECTIVE.match(function.name.removesuffix("_c")):
        return None
    kind = "Window" if function.name.startswith("Win") else "File"
    return f"meet{kind}({argument_of_type(function, 'MPI_Win' if kind == 'Window' else 'MPI_File')})"


def narrow_call(function):
    """The call of the twin with counts of type int."""
    arguments = [f"static_cast<int>({p.name})" if p.text.startswith("MPI_Count ") else p.name
                 for p in function.parameters]
    return f"sendwright_next_MPI_{function.name.removesuffix('_c')}({', '.join(arguments)})"


def strict_body(function):
    call = function.call("PMPI_" + function.name)
    if function.strict == "Narrow":
        fits = " && ".join(f"{p.name} <= INT_MAX" for p in function.parameters
                           if p.text.startswith("MPI_Count "))
        return [f"return {fits} ? {narrow_call(function)} : {call};"]
    lines = []
    communicator = argument_of_type(function, "MPI_Comm")
    if function.strict == "Meet":
        lines.append(f"sendwright::strict::meet({communicator});")
    if function.strict == "MeetGroup":
        lines.append(f"sendwright::strict::{meeting_of_group(function)};")
    if function.role == "CommunicatorFree":
        lines.append(f"sendwright::strict::dropCommunicator({communicator});")
    lines.append(f"const int result = {call};")
    created = created_communicator(function)
    if function.strict == "Begin":
        synchronizing = str(function.name.removesuffix("_c") in SYNCHRONIZING).lower()
        request = function.parameters[-1].name
        lines += ["if (result == MPI_SUCCESS)",
                  f"  sendwright::strict::noteCollective({communicator}, *{request}, {synchronizing});"]
    elif created:
        lines += ["if (result == MPI_SUCCESS)", f"  sendwright::strict::noteCommunicator(*{created});"]
    return lines + ["return result;"]


def next_name(function):
    return ("sendwright_next_MPI_" if function.name in STRICT_BY_HAND or function.strict else "PMPI_") \
        + function.name


def next_text(function):
    """What lies below the batches: strict buffers, or MPI."""
    lines = [f"inline {function.declaration('sendwright_next_MPI_' + function.name)} {{"]
    if function.strict:
        lines += ["  if (sendwright_interception & sendwright::interceptStrict)",
                  f"    return {function.call('sendwright_strict_MPI_' + function.name)};"]
    return lines + [f"  return {function.call('PMPI_' + function.name)};", "}"]
