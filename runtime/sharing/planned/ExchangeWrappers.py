# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the sharing of messages does in a function."""

from StrictWrappers import argument_of_type, is_meeting_of_communicator, meeting_of_group
from WrapperRoles import MESSAGE_ROLES, SEND_ROLES, created_communicator, is_freeing, is_quiet, note_of_created


def by_hand(line):
    """Whether the function of that line of the table is written by hand in runtime/sharing/planned/."""
    return line.get("role") in MESSAGE_ROLES | {"RequestQuery"} or line.get("kind") == "Exchange"


def is_by_hand(function):
    return by_hand(function.columns)


def is_narrowed(function):
    """Whether it is a twin with counts of another type of one that is written by hand."""
    return function.is_large and by_hand(function.small)


def is_meeting(function):
    return (function.role in ("Collective", "NeighborCollective") or is_meeting_of_communicator(function)) and \
        argument_of_type(function, "MPI_Comm")


def is_exchanged(function):
    """Whether sharing does anything in the function."""
    if function.variadic:
        return False
    return (is_by_hand(function) or is_narrowed(function) or function.effect != "Pass"
            or created_communicator(function) is not None)


def exchange_arguments(function):
    """The arguments of a call that begins a send and a receive, by what they are. MPI_Isendrecv_replace has the
    buffer of both at the beginning."""
    names = [parameter.name for parameter in function.parameters]
    return dict(zip(("count", "datatype", "destination", "tag"), names[1:5])) | \
        dict(zip(("source", "receiveTag", "communicator", "request"), names[-4:]))


def noted_in_pause(function):
    """What is noted of a call while sharing pauses, and MPI carries all messages (Pauses.h)."""
    role = function.small.get("role")
    exchange = exchange_arguments(function) if function.kind == "Exchange" else {}

    def argument(column):
        index = function.small.get(column, -1)
        return function.parameters[index].name if index >= 0 else exchange.get(column)

    communicator = argument("communicator")

    def sent(peer, tag):
        return f"sendwright::exchange::noteSentInPause({communicator}, {argument(peer)}, {argument(tag)});"

    def received(peer, tag):
        return f"sendwright::exchange::noteReceiveInPause({communicator}, {argument(peer)}, {argument(tag)});"

    if not communicator:
        return []
    if role == "SendReceive" or function.kind == "Exchange":
        return [sent("destination", "tag"), received("source", "receiveTag")]
    if role == "PersistentInit" or (role == "Probe" and argument("message")):
        return [f"sendwright::exchange::noteUnknownInPause({communicator});"]
    if role in ("Receive", "NonblockingReceive"):
        return [received("peer", "tag")]
    if role in SEND_ROLES:
        return [sent("peer", "tag")]
    return []


def watched_notes(function):
    """What is noted of a call while learning watches, before it and after it (WatchedTraffic.h)."""
    role, line, namespace = function.small.get("role"), function.small, "sendwright::exchange::"
    exchange = exchange_arguments(function) if function.kind == "Exchange" else {}

    def argument(column):
        index = line.get(column, -1)
        return function.parameters[index].name if index >= 0 else exchange.get(column)

    communicator, request, last = argument("communicator"), argument("request"), function.parameters[-1].name
    envelope = f"{communicator}, {argument('peer')}, {argument('tag')}"
    result = "result == MPI_SUCCESS"

    def sent(peer):
        may_travel = "false" if role in ("SynchronousSend", "NonblockingSynchronousSend") else "true"
        return (f"{namespace}watchSend(__builtin_frame_address(0), {communicator}, {argument(peer)}, "
                f"{argument('tag')}, {argument('count')}, {argument('datatype')}, {may_travel});")

    def received(source, tag):
        return f"{namespace}WatchedReceive watched({communicator}, {source}, {tag}, {last});"

    if role == "NonblockingReceive":
        return [], [f"{namespace}watchPosted(result, {envelope}, {request});"]
    if role in SEND_ROLES:
        return [sent("peer")], []
    if role == "Receive":
        return [received(argument("peer"), argument("tag"))], ["watched.finish(result);"]
    if role == "SendReceive":
        return ([sent("destination"), received(argument("source"), argument("receiveTag"))],
                ["watched.finish(result);"])
    if function.kind == "Exchange":
        return [sent("destination")], [f"{namespace}watchPosted(result, {communicator}, {argument('source')}, "
                                       f"{argument('receiveTag')}, {last});"]
    if role == "PersistentInit":
        what = f"{argument('buffer')}, {argument('count')}, {argument('datatype')}, {argument('peer')}, {argument('tag')}"
        started = line["startedAs"]
        letter = started[1:].removesuffix("send")  # of the mode, as MPI names it
        made = "watchPersistentReceive(" if started == "Irecv" else f"watchPersistentSend(\"{letter}\", "
        return [], [f"if ({result})", f"  {namespace}{made}{what}, {communicator}, {request});"]
    if role == "Start":
        return [], [f"if ({result})", f"  {namespace}watchStarts(__builtin_frame_address(0), "
                    f"{argument('count') or 1}, {request});"]
    if role == "RequestFree":
        return [f"{namespace}watchFreed({request});"], []
    if role == "Probe" and argument("message"):
        found = f"*{argument('flag')} != 0" if argument("flag") else "true"
        return [f"{namespace}WatchedProbe watched({communicator}, {last});"], [f"watched.finish(result, {result} && {found});"]
    if role == "Completion":
        before = [f"{namespace}WatchedCompletion watched({argument('count') or 1}, {request}, {last});"]
        reached = f"{result} && *{argument('flag')} != 0" if argument("flag") else result
        if line.get("completes") == "Any":
            return before, [f"watched.any({reached} ? *{argument('index')} : MPI_UNDEFINED);"]
        if line.get("completes") == "Some":
            return before, [f"watched.some({result} || result == MPI_ERR_IN_STATUS ? *{argument('completed')} : 0, "
                            f"{argument('index')});"]
        return before, [f"watched.all({reached}" + ("" if argument("flag") else " || result == MPI_ERR_IN_STATUS") + ");"]
    if role == "Probe":
        return [f"{namespace}watchWait();"], ([f"if ({result} && !*{argument('flag')})", f"  {namespace}notePollInVain();"]
                                              if argument("flag") else [])
    return [], []


def exchange_body(function, inner):
    """`inner` are the lines of the layers below."""
    if not is_by_hand(function) and not is_narrowed(function):
        return carried_body(function, inner)
    carried = carried_body(function, inner)
    before, after = watched_notes(function)
    either = ["if (sendwright::exchange::isPausing()) {", *["  " + line for line in inner], "}", *carried]
    watched = [*before, "const int result = [&] {", *["  " + line for line in either], "}();", *after,
               "return result;"] if before or after else either
    return ["if (sendwright::exchange::isWatching()) {", *["  " + line for line in watched], "}",
            "if (sendwright::exchange::isPausing()) {",
            *["  " + line for line in [*noted_in_pause(function), *inner]], "}", *carried]


def carried_body(function, inner):
    """The same if sharing does not pause."""
    if is_by_hand(function):
        return [f"return {function.call('sendwright_exchange_MPI_' + function.name)};"]
    if is_narrowed(function):
        counts = [p for p in function.parameters if p.text.startswith("MPI_Count ") and "*" not in p.text]
        if counts:
            fits = " && ".join(f"{p.name} <= INT_MAX" for p in counts)
            arguments = [f"static_cast<int>({p.name})" if p in counts else p.name
                         for p in function.parameters]
            twin = f"sendwright_exchange_MPI_{function.name.removesuffix('_c')}({', '.join(arguments)})"
            return [f"if ({fits})", f"  return {twin};", "sendwright::exchange::progress();", *inner]
    lines = []
    of_group = meeting_of_group(function)
    if of_group:
        lines.append(f"sendwright::exchange::{of_group};")
    elif is_meeting(function):
        lines.append(f"sendwright::exchange::meet({argument_of_type(function, 'MPI_Comm')});")
    elif not is_quiet(function):
        lines.append("sendwright::exchange::progress();")
    if is_freeing(function):
        lines.append(f"sendwright::exchange::dropCommunicator(*{function.parameters[0].name});")
    created = note_of_created(function, "sendwright::exchange::")
    if created:
        return lines + [f"const int result = [&] {{ {' '.join(inner)} }}();",
                        "if (result == MPI_SUCCESS)",
                        f"  {created};", "return result;"]
    return lines + inner
