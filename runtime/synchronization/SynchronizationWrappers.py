# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What synchronisation is told of a call, and how waiting calls are made meanwhile."""

import re

from BatchWrappers import inner_body
from StrictWrappers import MORE_COLLECTIVES
from WrapperRoles import (COLLECTIVE_ROLES, FORGETTING, SEND_ROLES, STARTED_AS, has_batch_part, is_recorded,
                          note_of_created)

# Calls that wait are made in another way while receives from any source are watched.
WATCHED_CALLS = {"Recv": "receive", "Sendrecv": "sendAndReceive", "Sendrecv_replace": "sendAndReceiveReplacing",
                 "Waitany": "waitAny", "Waitsome": "waitSome"}

# What programs call in loops of their own.
POLLING = {"Test", "Testall", "Testany", "Testsome", "Iprobe", "Improbe", "Request_get_status"}
# Calls that may wait for other ranks, and that a profile does not have: they make communicators, windows,
# files, persistent collectives and messages in parts. Calls with large counts (MPI_Bcast_c) are of this kind, too.
UNRECORDED_WAITS = re.compile(r"Comm_(idup(_with_info)?|create_group|create_from_group)$|"
                              r"Intercomm_create_from_groups$|P(send|recv)_init$|"
                              r"(Neighbor_)?(All|all|Bar|Bcast|Exscan|Gather|Reduce|Scan|Scatter)\w*_init$")
WAITING_ROLES = SEND_ROLES | COLLECTIVE_ROLES | {"Receive", "SendReceive", "MatchedReceive", "PersistentInit"}
COMPLETIONS = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"}


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
        source = 8 if function.name == "Sendrecv" else 5
        return f"exchange({identity}, {names[3]}, {names[4]}, {names[source]}, {names[source + 1]}, " \
               f"{names[source + 2]})"
    if function.role == "MatchedReceive":
        return f"matchedReceive({identity}, *{names[3]})"
    if function.role == "Start":
        return f"start({argument('count') or 1}, {argument('request')})"
    if function.name in ("Wait", "Waitall"):
        return "wait()"
    if function.name in ("Waitany", "Waitsome"):
        return f"waitAny({names[0]}, {names[1]})"
    if function.role == "RequestFree":
        return f"dropRequest(*{names[0]})"
    if function.role == "CommunicatorFree":
        return f"dropCommunicator(*{names[0]})"
    if may_wait_unrecorded(function):
        return f'unrecordedCall("MPI_{function.name}")'
    return None


def may_wait_unrecorded(function):
    """Whether a rank may wait in the call for others that wait for it at a synchronisation: the plan does not
    know that they meet there."""
    plain = function.name.removesuffix("_c")
    is_listed = plain in MORE_COLLECTIVES or UNRECORDED_WAITS.match(plain) is not None
    return not function.role and (is_listed or function.role_of_small in WAITING_ROLES)


def synchronized_after(function):
    """What synchronisation is told after a successful call; may use `active`, the requests before it."""
    argument, names = function.argument, [p.name for p in function.parameters]
    completed = {
        "Test": lambda: f"*{names[1]} ? active : 0",
        "Testall": lambda: f"*{names[2]} ? active : 0",
        "Testany": lambda: f"*{names[3]} && *{names[2]} != MPI_UNDEFINED",
        "Waitany": lambda: f"*{names[2]} != MPI_UNDEFINED",
        "Testsome": lambda: f"*{names[2]} == MPI_UNDEFINED ? 0 : *{names[2]}",
        "Waitsome": lambda: f"*{names[2]} == MPI_UNDEFINED ? 0 : *{names[2]}",
    }.get(function.name)
    if completed:
        return f"completed({completed()})"
    if function.role == "PersistentInit":
        return (f"persistent(sendwright::MpiFunctionId::{STARTED_AS[function.name]}, {argument('peer')}, "
                f"{argument('tag')}, {argument('communicator')}, *{argument('request')})")
    if function.name in ("Mprobe", "Improbe"):
        found = f"*{names[3]} ? *{names[4]} : MPI_MESSAGE_NO_PROC" if function.name == "Improbe" else f"*{names[3]}"
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
    return function.effect == "Flush" and function.name not in FORGETTING


def synchronized_call(function, namespace):
    """The call itself, as an expression."""
    call = function.call("sendwright_inner_MPI_" + function.name)
    if function.name in WATCHED_CALLS:
        return f"{namespace}watching() ? {function.call(namespace + WATCHED_CALLS[function.name])} : {call}"
    return call


def synchronized_finish(function):
    """Of a completion: which requests it completed, as arguments of Completion::finish()."""
    names = [p.name for p in function.parameters]
    return {
        "Wait": lambda: "1, nullptr",
        "Waitall": lambda: f"{names[0]}, nullptr",
        "Test": lambda: f"*{names[1]} ? 1 : 0, nullptr",
        "Testall": lambda: f"*{names[2]} ? {names[0]} : 0, nullptr",
        "Testany": lambda: f"*{names[3]} && *{names[2]} != MPI_UNDEFINED ? 1 : 0, {names[2]}",
        "Waitany": lambda: f"*{names[2]} != MPI_UNDEFINED ? 1 : 0, {names[2]}",
        "Testsome": lambda: f"*{names[2]} == MPI_UNDEFINED ? 0 : *{names[2]}, {names[3]}",
        "Waitsome": lambda: f"*{names[2]} == MPI_UNDEFINED ? 0 : *{names[2]}, {names[3]}",
    }[function.name]()


def synchronized_body(function):
    """A separate function, so that the wrapper has nothing to keep over a call."""
    namespace = "sendwright::synchronization::"
    before, after = synchronized_before(function), synchronized_after(function)
    names = [p.name for p in function.parameters]
    lines = [f"{namespace}{before};"] if before else []
    if does_what_is_due(function) and not before or function.name in POLLING:
        lines.append(f"{namespace}boundary();")
    if function.name in ("Probe", "Mprobe"):
        lines += [f"if ({namespace}watching())",
                  f"  {namespace}awaitMessage({names[0]}, {names[1]}, {names[2]});"]
    if function.name in POLLING:
        lines.append(f"{namespace}watch();")
    if not (has_batch_part(function) or is_recorded(function)):
        return lines + inner_body(function)
    if function.name in COMPLETIONS:
        count = function.argument("count") or 1
        lines.append(f"{namespace}Completion completion({count}, {function.argument('request')}, {names[-1]});")
        if function.name in ("Wait", "Waitall"):
            lines.append("completion.awaitAll();")
    if not after and function.name not in COMPLETIONS:
        return lines + [f"return {synchronized_call(function, namespace)};"]
    if after and "active" in after:
        count = function.argument("count") or 1
        lines.append(f"const int active = {namespace}activeRequests({count}, {function.argument('request')});")
    if after and after.startswith(("received", "probed")):
        lines += ["MPI_Status own;", f"if ({names[-1]} == MPI_STATUS_IGNORE)", f"  {names[-1]} = &own;"]
    lines += [f"const int result = {synchronized_call(function, namespace)};", "if (result == MPI_SUCCESS) {"]
    if function.name in COMPLETIONS:
        lines.append(f"  completion.finish({synchronized_finish(function)});")
    if after:
        lines.append(f"  {namespace}{after};")
    return lines + ["}", "return result;"]
