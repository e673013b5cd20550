# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What strict buffers do in a function, and what lies below the batches."""

import re

from WrapperRoles import MESSAGE_ROLES, created_communicator, duplicated_communicator, is_freeing


BUFFER_KINDS = {"BufferSpace", "BufferReturn"}


def by_hand(line):
    """Whether the function of that line of the table is written by hand in runtime/strict/."""
    return line.get("role") in MESSAGE_ROLES and not (line["role"] == "Probe" and line["returns"] == "Polls") or \
        line.get("kind") in BUFFER_KINDS


def is_strict_by_hand(function):
    return by_hand(function.columns)


def is_meeting_of_communicator(function):
    """Whether the ranks of a communicator meet in it, besides the collectives that a profile has."""
    return function.kind in ("Communicator", "Sides") or function.small.get("role") == "CommunicatorDisconnect"


def ends_after_all_begin(function):
    """Whether a non-blocking collective ends only when all members have begun it. Where each pair has a count of
    its own, that may be zero, and nobody waits."""
    line = function.small
    return line["flow"] == "AllToAll" and (line["operation"], line["amount"]) != ("AllToAll", "CountForEach")


def strict_part(function):
    """What strict buffers do in a function; "" where they leave it to MPI:

    hand        what runtime/strict/ says
    narrow      where the counts fit, what they do in the twin with counts of type int
    drop        they forget a communicator
    meet        they wait until all of a communicator have come
    meet group  until all of a group have, or both sides of a new intercommunicator
    begin       they note that a non-blocking collective was begun
    note        they note a new communicator
    """
    if is_strict_by_hand(function):
        return "hand"
    if function.is_large and by_hand(function.small):
        counts = [p for p in function.parameters if p.text.startswith("MPI_Count ") and "*" not in p.text]
        return "narrow" if counts and function.kind not in BUFFER_KINDS else ""
    role = function.small.get("role")
    if role == "CommunicatorFree":
        return "drop"
    if meeting_of_group(function):
        return "meet group"
    if (role in ("Collective", "NeighborCollective") or is_meeting_of_communicator(function)) and \
            argument_of_type(function, "MPI_Comm"):
        return "meet"
    if role == "NonblockingCollective":
        return "begin"
    # A nonblocking duplication does not return a communicator yet.
    return "note" if created_communicator(function) and not duplicated_communicator(function) else ""


def argument_of_type(function, kind):
    """An expression for the first argument that has this type or points to it, or None."""
    for parameter in function.parameters:
        match = re.match(rf"{kind} ?(\*?) ?\w+$", parameter.text)
        if match and not (match.group(1) and kind == "MPI_Comm" and not is_freeing(function)):
            return match.group(1) + parameter.name
    return None


def meeting_of_group(function):
    """The call by which ranks meet before a collective that is not one of a single communicator, or
    None."""
    names = [parameter.name for parameter in function.parameters]
    if function.kind == "Sides":
        return f"meetOtherSide({', '.join(names[:4])})"
    handle = {"Group": "MPI_Group", "Window": "MPI_Win", "File": "MPI_File"}.get(function.kind)
    return f"meet{function.kind}({argument_of_type(function, handle)})" if handle else None


def narrow_call(function):
    """The call of the twin with counts of type int."""
    arguments = [f"static_cast<int>({p.name})" if p.text.startswith("MPI_Count ") else p.name
                 for p in function.parameters]
    return f"sendwright_next_MPI_{function.name.removesuffix('_c')}({', '.join(arguments)})"


def strict_body(function):
    call = function.call("PMPI_" + function.name)
    if function.strict == "narrow":
        fits = " && ".join(f"{p.name} <= INT_MAX" for p in function.parameters
                           if p.text.startswith("MPI_Count "))
        return [f"return {fits} ? {narrow_call(function)} : {call};"]
    lines = []
    communicator = argument_of_type(function, "MPI_Comm")
    if function.strict == "meet":
        lines.append(f"sendwright::strict::meet({communicator});")
    if function.strict == "meet group":
        lines.append(f"sendwright::strict::{meeting_of_group(function)};")
    if is_freeing(function):
        lines.append(f"sendwright::strict::dropCommunicator({communicator});")
    lines.append(f"const int result = {call};")
    created = created_communicator(function)
    if function.strict == "begin":
        synchronizing = str(ends_after_all_begin(function)).lower()
        request = function.parameters[-1].name
        lines += ["if (result == MPI_SUCCESS)",
                  f"  sendwright::strict::noteCollective({communicator}, *{request}, {synchronizing});"]
    elif created:
        lines += ["if (result == MPI_SUCCESS)", f"  sendwright::strict::noteCommunicator(*{created});"]
    return lines + ["return result;"]


def next_name(function):
    return ("sendwright_next_MPI_" if is_strict_by_hand(function) or function.strict else "PMPI_") \
        + function.name


def next_text(function):
    """What lies below the batches: strict buffers, or MPI."""
    lines = [f"inline {function.declaration('sendwright_next_MPI_' + function.name)} {{"]
    if function.strict:
        lines += ["  if (sendwright_interception & sendwright::interceptStrict)",
                  f"    return {function.call('sendwright_strict_MPI_' + function.name)};"]
    return lines + [f"  return {function.call('PMPI_' + function.name)};", "}"]
