#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates the interception wrappers of one MPI from its own mpi.h.

The header is preprocessed by the C compiler; every MPI_X that it declares together with a PMPI_X
gets a wrapper, so that no function of that MPI can run past an open batch unnoticed. What a wrapper
does is MpiFunctions.def's to say; the layers are described in Interception.h. Three files come out:

    runtime/interception/Wrappers.h     declarations of the layers, with this MPI's argument types
    Wrappers.cpp                        the wrappers, and the recording of uniform calls
    FortranWrappers.cpp                 forwarders for the Fortran entry points (--fortran-library)
"""

import argparse
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

# Persistent requests are remembered from when they are made until they are freed, also at rest.
ALWAYS_TOLD_EFFECT, ALWAYS_TOLD_NAME = "Remember", "Request_free"

# False for an MPI without strict buffers (--without-strict-buffers).
STRICT_ENABLED = True

# Written by hand in Lifecycle.cpp.
LIFECYCLE = {"Init", "Init_thread", "Finalize"}

# A communicator's handle or error handler goes away: what is known of it must be forgotten, also at
# rest. The first argument is the communicator, or points to it.
FORGETTING = {"Comm_free", "Comm_disconnect", "Comm_set_errhandler", "Errhandler_set"}

SEND_ROLES = {
    "Send", "BufferedSend", "ReadySend", "SynchronousSend", "NonblockingSend",
    "NonblockingBufferedSend", "NonblockingReadySend", "NonblockingSynchronousSend",
    "NonblockingReceive",
}
COLLECTIVE_ROLES = {"Collective", "NeighborCollective", "NonblockingCollective"}
# Their recording is written by hand in runtime/recording/.
HAND_RECORDED_ROLES = {
    "Receive", "SendReceive", "Probe", "MatchedReceive", "Start", "Completion", "RequestFree",
    "Cancel",
}
# A persistent request is recorded when it is started, as the call of the same mode.
STARTED_AS = {"Send_init": "Isend", "Bsend_init": "Ibsend", "Rsend_init": "Irsend",
              "Ssend_init": "Issend", "Recv_init": "Irecv"}

# Collectives whose bytes are a sum over arrays: arguments (counts, datatype or datatypes).
COUNT_ARRAYS = {"Alltoallv": (1, 3), "Alltoallw": (1, 3), "Neighbor_alltoallv": (1, 3),
                "Neighbor_alltoallw": (1, 3), "Reduce_scatter": (2, 3)}
# Collectives whose count and datatype mean nothing at a rank that passes MPI_IN_PLACE as this argument.
IN_PLACE_ARGUMENT = {"Gather": 0, "Gatherv": 0, "Allgatherv": 0, "Scatter": 3, "Scatterv": 4,
                     "Alltoallv": 0, "Alltoallw": 0}

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

# Fortran: MPI_Wtime and MPI_Wtick return a double and observe nothing; MPI_Sizeof computes a constant;
# callbacks that MPI predefines are known by their addresses.
FORTRAN_UNWRAPPED = re.compile(r"mpi_(wtime|wtick|sizeof_\w+|\w+_fn|conversion_fn_null)(_f08)?_$")
FORTRAN_PARAMETERS = 16


@dataclass
class Parameter:
    text: str  # the declaration, with a name
    name: str


@dataclass
class Function:
    name: str  # without MPI_
    result: str
    parameters: list
    variadic: bool = False
    role: str = ""
    effect: str = "Flush"
    columns: dict = field(default_factory=dict)
    strict: str = ""  # what strict buffers do: Hand, Narrow, Meet, MeetGroup, Note, Begin, Drop

    def declaration(self, name, first=None):
        texts = ([first] if first else []) + [p.text for p in self.parameters]
        if self.variadic:
            texts.append("...")
        return f"{self.result} {name}({', '.join(texts) or 'void'})"

    def call(self, name, first=None):
        return f"{name}({', '.join(([first] if first else []) + [p.name for p in self.parameters])})"

    def argument(self, column):
        index = self.columns.get(column, -1)
        return self.parameters[index].name if index >= 0 else None


def preprocess(compiler, flags):
    command = [*compiler, "-E", "-P", "-x", "c", *flags, "-"]
    return subprocess.run(command, input="#include <mpi.h>\n", capture_output=True, text=True,
                          check=True).stdout


def without_attributes(text):
    """Removes __attribute__((...)), whose parentheses nest."""
    out = []
    while True:
        start = re.search(r"__attribute__\s*\(|__declspec\s*\(|__asm__\s*\(", text)
        if not start:
            return "".join(out) + text
        out.append(text[:start.start()])
        depth, end = 1, start.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[end:]


def split_parameters(text):
    parts, depth, current = [], 0, ""
    for character in text:
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
            continue
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0)
        current += character
    parts.append(current.strip())
    return [part for part in parts if part and part != "void"]


def parse_parameter(text, index):
    text = re.sub(r"\s+", " ", text)
    pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", text)  # a pointer to a function
    if pointer:
        return Parameter(text, pointer.group(1))
    arrays = re.search(r"(\s*\[[^\]]*\])*$", text).start()
    head, suffix = text[:arrays], text[arrays:]
    words = [w for w in re.findall(r"\w+", head) if w not in ("const", "struct", "restrict", "unsigned")]
    last = re.search(r"(\w+)\s*$", head)
    if len(words) >= 2 and last and last.group(1) not in ("int", "long", "char"):
        # C++ knows no `restrict`; the names stay those of the header.
        return Parameter(head.replace("restrict", "") + suffix, last.group(1))
    return Parameter(f"{head} argument{index}{suffix}", f"argument{index}")


def parse_functions(text):
    declarations = {}
    text = re.sub(r'extern\s+"C"\s*\{?', "", without_attributes(text))
    for statement in text.split(";"):
        statement = " ".join(line for line in statement.splitlines() if not line.startswith("#"))
        match = re.match(r"\s*(?:extern\s+)?([\w][\w\s\*]*?[\s\*])(P?MPI_\w+)\s*\((.*)\)\s*$", statement,
                         re.DOTALL)
        if not match or "typedef" in match.group(1):
            continue
        result, name, arguments = match.groups()
        texts = split_parameters(arguments)
        variadic = bool(texts) and texts[-1] == "..."
        if variadic:
            texts.pop()
        parameters = [parse_parameter(t, i) for i, t in enumerate(texts)]
        declarations[name] = Function(name.removeprefix("MPI_"), " ".join(result.split()), parameters,
                                      variadic)
    return [f for name, f in sorted(declarations.items())
            if name.startswith("MPI_") and "P" + name in declarations]


def exported(libraries, nm):
    """The names that shared libraries define."""
    symbols = set()
    for library in libraries:
        text = subprocess.run([nm, "-D", "--defined-only", library], capture_output=True, text=True,
                              check=True).stdout
        symbols.update(line.split()[-1].split("@")[0] for line in text.splitlines() if line.strip())
    return symbols


def read_table(path):
    """The lines of MpiFunctions.def: name -> (role, effect, columns)."""
    names = ["buffer", "count", "datatype", "peer", "tag", "communicator", "request"]
    table = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            match = re.match(r"MPI_FUNCTION\((\w+), (\w+), (\w+), ([-\d, ]+)\)", line)
            if match:
                values = [int(v) for v in match.group(4).split(",")]
                table[match.group(1)] = (match.group(2), match.group(3), dict(zip(names, values)))
    return table


def has_batch_part(function):
    return function.effect in ("Capture", "Complete", "Remember")


def is_always_told(function):
    return function.effect == ALWAYS_TOLD_EFFECT or function.name == ALWAYS_TOLD_NAME


def is_recorded(function):
    return (function.role in SEND_ROLES | COLLECTIVE_ROLES | HAND_RECORDED_ROLES
            or function.role in ("PersistentInit", "CommunicatorFree")
            or created_communicator(function) is not None)


def created_communicator(function):
    """The argument through which the function returns a communicator, or None."""
    if function.name in FORGETTING or function.role in SEND_ROLES:
        return None
    for parameter in function.parameters:
        if re.match(r"MPI_Comm ?\* ?\w+$", parameter.text):
            return parameter.name
    return None


# ---- recording ------------------------------------------------------------------------------------


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
    created = created_communicator(function)
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
        lines.append(f"  sendwright::noteCommunicator(*{created});")
    lines += ["}", "return result;"]
    return lines


# ---- strict buffers -------------------------------------------------------------------------------


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
    if GROUP_COLLECTIVE.match(plain):
        return "MeetGroup"
    if (role in ("Collective", "NeighborCollective") or plain in MORE_COLLECTIVES) and \
            argument_of_type(function, "MPI_Comm"):
        return "Meet"
    if role == "NonblockingCollective":
        return "Begin"
    # What a non-blocking duplication returns is no communicator yet.
    return "Note" if created_communicator(function) and not name.startswith("Comm_idup") else ""


def argument_of_type(function, kind):
    """The first argument of that type, or pointing to it: an expression of its value, or None."""
    for parameter in function.parameters:
        match = re.match(rf"{kind} ?(\*?) ?\w+$", parameter.text)
        if match and not (match.group(1) and kind == "MPI_Comm" and "Comm_" not in function.name):
            return match.group(1) + parameter.name
    return None


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
        kind = "Window" if function.name.startswith("Win") else "File"
        argument = argument_of_type(function, "MPI_Win" if kind == "Window" else "MPI_File")
        lines.append(f"sendwright::strict::meet{kind}({argument});")
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


# ---- synchronisation ------------------------------------------------------------------------------


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
    return None


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
    created = created_communicator(function)
    return f"noteCommunicator(*{created})" if created else None


def is_synchronized(function):
    return (synchronized_before(function) is not None or synchronized_after(function) is not None
            or does_what_is_due(function))


def does_what_is_due(function):
    """Calls that are no steps may wait for ranks which wait for this one at the boundary it has come to: a
    probe, also in a loop of the program's own, or what works on windows and files."""
    return function.effect == "Flush" and function.name not in FORGETTING


# Calls that wait are made in another way while receives from any source are watched.
WATCHED_CALLS = {"Recv": "receive", "Sendrecv": "sendAndReceive", "Sendrecv_replace": "sendAndReceiveReplacing",
                 "Waitany": "waitAny", "Waitsome": "waitSome"}
# What programs call in loops of their own.
POLLING = {"Test", "Testall", "Testany", "Testsome", "Iprobe", "Improbe", "Request_get_status"}
COMPLETIONS = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"}


def synchronized_call(function, namespace):
    """The call itself, an expression."""
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
    """A function of its own, so that the wrapper has nothing to keep over a call."""
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


# ---- wrappers -------------------------------------------------------------------------------------


def inner_body(function):
    forward = f"return {function.call(next_name(function))};"
    if is_always_told(function):
        return [f"return {function.call('sendwright_batch_MPI_' + function.name)};"]
    if has_batch_part(function):
        return ["if (sendwright_interception & "
                "(sendwright::interceptBatch | sendwright::interceptRequests))",
                f"  return {function.call('sendwright_batch_MPI_' + function.name)};", forward]
    if function.effect == "Flush":
        return ["if (sendwright_interception & sendwright::interceptBatch)",
                "  sendwright::flushBatches();", forward]
    return [forward]


def wrapper_body(function):
    if function.effect == "Pass" and not (has_batch_part(function) or is_recorded(function)):
        return inner_body(function)
    lines = []
    if function.name in FORGETTING:
        # Before the call, because another thread may be given the same handle right after it; after
        # what was captured is issued, because that looks at the communicator.
        communicator = function.parameters[0]
        star = "*" if "*" in communicator.text else ""
        lines += ["if (sendwright_interception & sendwright::interceptBatch)",
                  "  sendwright::flushBatches();",
                  f"sendwright::forgetCommunicator({star}{communicator.name});"]
    if not is_always_told(function):
        lines += ["if (__builtin_expect(sendwright_interception == 0, 1))",
                  f"  return {function.call('PMPI_' + function.name)};"]
    if is_limited(function):
        # Not an argument: a call with other arguments would cost the wrapper a frame, also at rest.
        limited = function.call("sendwright_limited_MPI_" + function.name)
        lines += ["if (sendwright_interception & sendwright::interceptStrict) {",
                  "  sendwright::strict::calledFrom = SENDWRIGHT_CALLER;", f"  return {limited};", "}"]
    return lines + active_body(function, "SENDWRIGHT_CALLER")


def is_limited(function):
    """Whether strict buffers are told of the call before anything else is done with it."""
    return STRICT_ENABLED and not function.variadic and (
        function.effect != "Pass" or has_batch_part(function) or is_recorded(function))


def active_body(function, caller):
    """What a wrapper does when something is intercepted."""
    lines = []
    if is_recorded(function):
        record = function.call("sendwright_record_MPI_" + function.name, caller)
        lines += ["if (sendwright_interception & sendwright::interceptRecording)", f"  return {record};"]
    if is_synchronized(function):
        told = function.call("sendwright_synchronized_MPI_" + function.name)
        lines += ["if (sendwright_interception & sendwright::interceptSynchronization)", f"  return {told};"]
    if has_batch_part(function) or is_recorded(function):
        return lines + [f"return {function.call('sendwright_inner_MPI_' + function.name)};"]
    return lines + inner_body(function)


def limited_body(function):
    """A function of its own, so that the wrapper has nothing to keep over a call."""
    return ["const sendwright::Caller caller = sendwright::strict::calledFrom;",
            f'sendwright::strict::enter("MPI_{function.name}", caller.address);',
            *active_body(function, "caller")]


def emit(out, declaration, body):
    out.append(f"{declaration} {{")
    out += ["  " + line for line in body]
    out += ["}", ""]


def next_text(function):
    """What lies below the batches: strict buffers, or MPI."""
    lines = [f"inline {function.declaration('sendwright_next_MPI_' + function.name)} {{"]
    if function.strict:
        lines += ["  if (sendwright::strict::on())",
                  f"    return {function.call('sendwright_strict_MPI_' + function.name)};"]
    return lines + [f"  return {function.call('PMPI_' + function.name)};", "}"]


def header_text(functions):
    out = ["// Generated from mpi.h and MpiFunctions.def by GenerateWrappers.py.", "",
           "#ifndef SENDWRIGHT_RUNTIME_INTERCEPTION_WRAPPERS_H",
           "#define SENDWRIGHT_RUNTIME_INTERCEPTION_WRAPPERS_H", "",
           '#include "runtime/interception/Interception.h"',
           '#include "runtime/strict/StrictBuffers.h"', "",
           "#include <mpi.h>", "", "// Functions that MPI deprecated are passed on, too.",
           '#pragma GCC diagnostic push',
           '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"', "",
           'extern "C" {', '#pragma GCC visibility push(hidden)']
    for function in functions:
        if has_batch_part(function):
            out.append(function.declaration("sendwright_batch_MPI_" + function.name) + ";")
        if has_batch_part(function) or is_recorded(function):
            out.append(function.declaration("sendwright_inner_MPI_" + function.name) + ";")
        if is_recorded(function):
            out.append(function.declaration("sendwright_record_MPI_" + function.name,
                                            "sendwright::Caller caller") + ";")
        if function.strict:
            out.append(function.declaration("sendwright_strict_MPI_" + function.name) + ";")
        if function.strict or function.name in STRICT_BY_HAND:
            out += next_text(function)
    out += ["#pragma GCC visibility pop", "}", "", "#pragma GCC diagnostic pop", "", "#endif", ""]
    return "\n".join(out)


def source_text(functions):
    out = ["// Generated from mpi.h and MpiFunctions.def by GenerateWrappers.py.", "",
           '#include "runtime/interception/Wrappers.h"',
           '#include "runtime/interception/Communicators.h"',
           '#include "runtime/interception/Interception.h"',
           '#include "runtime/recording/RecordedCall.h"',
           '#include "runtime/synchronization/AnySourceReceives.h"',
           '#include "runtime/synchronization/Synchronization.h"', "", "#include <climits>", "",
           "// The builtins speak of the function they stand in, so this is no function.",
           "#define SENDWRIGHT_CALLER \\",
           "  (sendwright::Caller{__builtin_extract_return_addr(__builtin_return_address(0)), \\",
           "                      __builtin_dwarf_cfa()})", "",
           "// Functions that MPI deprecated need wrappers, too.",
           '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"', "",
           "// Here, so that whoever links the runtime statically gets the wrappers with it: where mpi.h",
           "// declares its functions weak, calls of them do not fetch them from an archive.",
           "int sendwright_interception = 0;",
           "sendwright::Caller sendwright::strict::calledFrom{};", "", 'extern "C" {', ""]
    for function in functions:
        if has_batch_part(function) or is_recorded(function):
            emit(out, function.declaration("sendwright_inner_MPI_" + function.name), inner_body(function))
        if function.strict and function.strict != "Hand":
            emit(out, function.declaration("sendwright_strict_MPI_" + function.name), strict_body(function))
        if is_recorded(function) and function.role not in HAND_RECORDED_ROLES:
            # Inlined, it would make the wrapper save registers before it looks whether to do anything.
            emit(out, "__attribute__((noinline)) " +
                 function.declaration("sendwright_record_MPI_" + function.name, "sendwright::Caller caller"),
                 recording_body(function))
        if is_synchronized(function):
            emit(out, "__attribute__((noinline)) static " +
                 function.declaration("sendwright_synchronized_MPI_" + function.name),
                 synchronized_body(function))
        if is_limited(function):
            emit(out, "__attribute__((noinline)) static " +
                 function.declaration("sendwright_limited_MPI_" + function.name),
                 limited_body(function))
        emit(out, '__attribute__((visibility("default"))) ' + function.declaration("MPI_" + function.name),
             wrapper_body(function))
    out += ["}", ""]
    return "\n".join(out)


# ---- Fortran --------------------------------------------------------------------------------------


def fortran_entry_points(libraries, nm):
    """Entry points mpi_x_ and mpi_x_f08_, each with its profiling twin: pmpi_x_, or pmpir_x_f08_."""
    symbols = exported(libraries, nm)
    twins = {}
    for name in sorted(symbols):
        if re.fullmatch(r"mpi_\w*[a-z0-9]_", name) and not FORTRAN_UNWRAPPED.match(name):
            for twin in ("p" + name, "pmpir_" + name.removeprefix("mpi_")):
                if twin in symbols:
                    twins[name] = twin
    return twins


def sonames(libraries, readelf):
    """The names by which the dynamic linker knows the libraries."""
    found = []
    for library in libraries:
        text = subprocess.run([readelf, "-d", library], capture_output=True, text=True, check=True).stdout
        match = re.search(r"\(SONAME\).*\[(.*)\]", text)
        found.append(match.group(1) if match else os.path.basename(library))
    return found


def fortran_text(twins, libraries):
    out = ["// Generated from the Fortran libraries of this MPI by GenerateWrappers.py.", "",
           '#include "runtime/interception/FortranForwarding.h"', "",
           "const char *const sendwright::fortranLibraries[] = {",
           *(f'    "{library}",' for library in libraries), "    nullptr};", "", 'extern "C" {', ""]
    parameters = ", ".join(f"void *a{i}" for i in range(FORTRAN_PARAMETERS))
    arguments = ", ".join(f"a{i}" for i in range(FORTRAN_PARAMETERS))
    for name, twin in twins.items():
        plain = re.sub(r"(_f08(ts)?(_large)?)?_$", "", name).removeprefix("mpi_")
        before, after = "sendwright::beforeFortranCall()", None
        if plain in ("init", "init_thread"):
            before, after = None, "sendwright::beginLifecycle()"
        elif plain == "finalize":
            before = "sendwright::endLifecycle()"
        elif plain == "abort":
            before = None
        elif plain in {f.lower() for f in FORGETTING}:
            before = "sendwright::beforeFortranForgets(static_cast<const MPI_Fint *>(a0))"
        body = ["static std::atomic<sendwright::FortranFunction> target{nullptr};"]
        if before:
            body.append(before + ";")
        call = f'sendwright::callFortran(target, "{name}", "{twin}", {arguments})'
        body += [f"const std::intptr_t result = {call};", after + ";", "return result;"] if after \
            else [f"return {call};"]
        emit(out, f'__attribute__((visibility("default"))) std::intptr_t {name}({parameters})', body)
    out += ["}", ""]
    return "\n".join(out)


# ---- main -----------------------------------------------------------------------------------------


def write(directory, name, text):
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True, help="the C compiler")
    parser.add_argument("--flag", action="append", default=[], help="a flag of the preprocessor")
    parser.add_argument("--table", required=True, help="MpiFunctions.def")
    parser.add_argument("--library", action="append", default=[], help="holds the C functions")
    parser.add_argument("--fortran-library", action="append", default=[])
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--without-strict-buffers", action="store_true")
    parser.add_argument("--output", required=True, help="the folder to write to")
    options = parser.parse_args()

    functions = parse_functions(preprocess([options.compiler], options.flag))
    table = read_table(options.table)
    for function in functions:
        if function.name in table:
            function.role, function.effect, function.columns = table[function.name]
    names = {function.name for function in functions}
    if not {"Send", "Isend", "Waitall", "Alltoallv"} <= names:
        sys.exit("GenerateWrappers.py: mpi.h declares no MPI_Send with a PMPI_Send: not an MPI that "
                 "can be intercepted")
    functions = [function for function in functions if function.name not in LIFECYCLE]
    global STRICT_ENABLED
    STRICT_ENABLED = not options.without_strict_buffers
    for function in functions if STRICT_ENABLED else []:
        function.strict = strict_part(function, table)
    # MPICH declares conversions of statuses that only its Fortran library defines; they observe nothing.
    defined = exported(options.library, options.nm)
    if "PMPI_Send" in defined:
        functions = [function for function in functions if "PMPI_" + function.name in defined]
    write(options.output, "runtime/interception/Wrappers.h", header_text(functions))
    write(options.output, "Wrappers.cpp", source_text(functions))
    write(options.output, "FortranWrappers.cpp",
          fortran_text(fortran_entry_points(options.fortran_library, options.nm),
                       sonames(options.fortran_library, options.readelf)))


if __name__ == "__main__":
    main()
