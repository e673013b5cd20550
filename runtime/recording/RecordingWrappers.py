# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recording of uniform calls, whose arguments hold everything that goes into the profile."""

from WrapperRoles import COLLECTIVE_ROLES, SEND_ROLES, block_sides, has_blocks, is_freeing, note_of_created


def collective_bytes(function):
    """An expression: what this rank contributes. The count may be meaningless where the call is made
    in place, or on an intercommunicator, where contribution() does not look at it."""
    count, amount = function.argument("count"), function.column("amount")
    if not count:
        return "0"
    communicator = function.argument("communicator")
    of_neighbors = function.column("operation") == "Neighborhood"
    partners = f"sendwright::{'neighborCount' if of_neighbors else 'rankCount'}({communicator})"
    arguments = f"{communicator}, {function.argument('inPlace') or 'nullptr'}, {count}, {function.argument('datatype')}"
    if amount == "CountForEach":
        return f"sendwright::contribution({arguments}, {partners})"
    one = f"sendwright::contribution({arguments})"
    return f"{partners} * {one}" if amount == "BlockForEach" else one


def recorded_as(function):
    """The statement that records a successful call."""
    argument = function.argument
    request = argument("request")
    if function.role in SEND_ROLES:
        return (f"call.message({argument('peer')}, {argument('tag')}, {argument('communicator')}, "
                f"{argument('count')}, {argument('datatype')}, {request or 'nullptr'})")
    if function.role == "PersistentInit":
        return (f"call.persistent(sendwright::MpiFunctionId::{function.column('startedAs')}, "
                f"{argument('peer')}, {argument('tag')}, {argument('communicator')}, "
                f"{argument('count')}, {argument('datatype')}, {request})")
    if has_blocks(function):
        sent, received = block_sides(function)
        return (f"call.irregular({argument('communicator')}, {sent}, {received}, "
                f"{collective_bytes(function)}, {request or 'nullptr'})")
    if function.role in COLLECTIVE_ROLES:
        root = argument("peer")
        return (f"call.collective({argument('communicator')}, {'&' + root if root else 'nullptr'}, "
                f"{collective_bytes(function)}, {request or 'nullptr'})")
    return None


def recording_body(function):
    created = note_of_created(function, "sendwright::")
    statement = recorded_as(function)
    lines = []
    if is_freeing(function):
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
