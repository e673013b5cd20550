# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What synchronisation is told of a call, and how waiting calls are made meanwhile."""

from BatchWrappers import inner_body
from StrictWrappers import is_meeting_of_communicator
from WrapperRoles import (COLLECTIVE_ROLES, SEND_ROLES, has_batch_part, is_forgetting, is_freeing, is_recorded,
                          note_of_created)

WAITING_ROLES = SEND_ROLES | COLLECTIVE_ROLES | {"Receive", "SendReceive", "MatchedReceive", "PersistentInit"}


def watched_call(function):
    """By what the call is made while receives from any source are watched, if it waits for one; else None."""
    if function.role == "Receive":
        return "receive"
    if function.role == "SendReceive":
        replaces = function.column("receiveBuffer") == function.column("buffer")
        return "sendAndReceiveReplacing" if replaces else "sendAndReceive"
    if is_polling(function):
        return None
    return {"Any": "waitAny", "Some": "waitSome"}.get(function.column("completes"))


def is_polling(function):
    """What programs call in loops of their own."""
    return function.column("returns") == "Polls" or function.role == "RequestQuery"


def waits_for_all(function):
    return function.column("completes") == "All" and not is_polling(function)


def synchronized_before(function):
    """What synchronisation is told before a call."""
    argument, names = function.argument, [p.name for p in function.parameters]
    identity = f"sendwright::MpiFunctionId::{function.name}"
    if function.role in SEND_ROLES or function.role == "Receive":
        return f"call({identity}, {argument('peer')}, {argument('tag')}, {argument('communicator')})"
    if function.role in COLLECTIVE_ROLES:
        root = argument("peer")
        return f"collective({identity}, {'&' + root if root else 'nullptr'}, {argument('communicator')})"
    if function.role == "SendReceive":
        columns = ("peer", "tag", "source", "receiveTag", "communicator")
        return f"exchange({identity}, {', '.join(argument(column) for column in columns)})"
    if function.role == "MatchedReceive":
        return f"matchedReceive({identity}, *{argument('message')})"
    if function.role == "Start":
        return f"start({argument('count') or 1}, {argument('request')})"
    if waits_for_all(function):
        return "wait()"
    if function.role == "Completion" and not is_polling(function):
        return f"waitAny({argument('count')}, {argument('request')})"
    if function.role == "RequestFree":
        return f"dropRequest(*{names[0]})"
    if function.role == "CommunicatorDisconnect":
        return f"disconnect(*{names[0]})"
    if is_freeing(function):
        return f"dropCommunicator(*{names[0]})"
    if function.kind == "BufferReturn":
        return "detach()"
    if may_wait_unrecorded(function):
        return f'unrecordedCall("MPI_{function.name}")'
    return None


def may_wait_unrecorded(function):
    """Whether a rank may wait in the call for others that wait for it at a synchronisation: the plan does not
    know that they meet there. So may those with large counts, which a profile does not have."""
    is_listed = is_meeting_of_communicator(function) or function.kind in ("Group", "Waits", "Duplication")
    return not function.role and (is_listed or function.small.get("role") in WAITING_ROLES)


def number_completed(function, number_of_all):
    """How many requests a successful completion completed, an expression."""
    flag, index, completed = (function.argument(column) for column in ("flag", "index", "completed"))
    if function.column("completes") == "Some":
        return f"*{completed} == MPI_UNDEFINED ? 0 : *{completed}"
    if function.column("completes") == "Any":
        return f"*{flag} && *{index} != MPI_UNDEFINED" if flag else f"*{index} != MPI_UNDEFINED"
    return f"*{flag} ? {number_of_all} : 0" if flag else number_of_all


def synchronized_after(function):
    """What synchronisation is told after a successful call; may use `active`, the requests before it."""
    argument, names = function.argument, [p.name for p in function.parameters]
    if function.role == "Completion" and not waits_for_all(function):
        return f"completed({number_completed(function, 'active')})"
    if function.role == "PersistentInit":
        return (f"persistent(sendwright::MpiFunctionId::{function.column('startedAs')}, {argument('peer')}, "
                f"{argument('tag')}, {argument('communicator')}, *{argument('request')})")
    if function.role == "Probe" and argument("message"):
        found, flag = f"*{argument('message')}", argument("flag")
        found = f"*{flag} ? {found} : MPI_MESSAGE_NO_PROC" if flag else found
        return f"probed({names[0]}, {names[1]}, {names[2]}, {found}, *{names[-1]})"
    if function.role == "NonblockingReceive":
        return f"posted({argument('peer')}, {argument('communicator')}, *{argument('request')})"
    if function.role in ("Receive", "SendReceive"):
        return f"received(*{names[-1]}, {argument('communicator')})"
    return note_of_created(function, "")


def is_synchronized(function):
    return (synchronized_before(function) is not None or synchronized_after(function) is not None
            or does_what_is_due(function))


def does_what_is_due(function):
    """Calls that are no steps may wait for ranks which wait for this one at the boundary it has come to: a
    probe, also in a loop of the program's own, or what works on windows and files."""
    return function.effect == "Flush" and not is_forgetting(function)


def synchronized_call(function, namespace):
    """The call itself, as an expression."""
    call = function.call("sendwright_inner_MPI_" + function.name)
    watched = watched_call(function)
    return f"{namespace}watching() ? {function.call(namespace + watched)} : {call}" if watched else call


def synchronized_finish(function):
    """Of a completion: which requests it completed, as arguments of Completion::finish()."""
    number = number_completed(function, function.argument("count") or "1")
    is_one = function.column("completes") == "Any"
    return f"{number}{' ? 1 : 0' if is_one else ''}, {function.argument('index') or 'nullptr'}"


def synchronized_body(function):
    """A separate function, so that the wrapper has nothing to keep over a call."""
    namespace = "sendwright::synchronization::"
    before, after = synchronized_before(function), synchronized_after(function)
    names = [p.name for p in function.parameters]
    lines = [f"{namespace}{before};"] if before else []
    if does_what_is_due(function) and not before or is_polling(function):
        lines.append(f"{namespace}boundary();")
    if function.role == "Probe" and not is_polling(function):
        lines += [f"if ({namespace}watching())",
                  f"  {namespace}awaitMessage({names[0]}, {names[1]}, {names[2]});"]
    if is_polling(function):
        lines.append(f"{namespace}watch();")
    if not (has_batch_part(function) or is_recorded(function)):
        return lines + inner_body(function)
    completes = function.role == "Completion"
    if completes:
        count = function.argument("count") or 1
        lines.append(f"{namespace}Completion completion({count}, {function.argument('request')}, {names[-1]});")
        if waits_for_all(function):
            lines.append("completion.awaitAll();")
    if not after and not completes:
        return lines + [f"return {synchronized_call(function, namespace)};"]
    if after and "active" in after:
        count = function.argument("count") or 1
        lines.append(f"const int active = {namespace}activeRequests({count}, {function.argument('request')});")
    if after and after.startswith(("received", "probed")):
        lines += ["MPI_Status own;", f"if ({names[-1]} == MPI_STATUS_IGNORE)", f"  {names[-1]} = &own;"]
    lines += [f"const int result = {synchronized_call(function, namespace)};", "if (result == MPI_SUCCESS) {"]
    if completes:
        lines.append(f"  completion.finish({synchronized_finish(function)});")
    if after:
        lines.append(f"  {namespace}{after};")
    return lines + ["}", "return result;"]
