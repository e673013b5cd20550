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
import pathlib
import sys

sys.dont_write_bytecode = True  # beside the sources

# Each layer defines in its own folder what it does in a function.
LAYERS = ["batch", "chains", "collectives", "irregular", "recording", "redistribution",
          "sharing/planned", "strict", "synchronization"]
RUNTIME = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(RUNTIME / folder) for folder in ["interception", *LAYERS]]

from BatchWrappers import inner_body  # noqa: E402
from ChainWrappers import chained_body, is_chained  # noqa: E402
from CollectiveWrappers import is_noted, noting_body  # noqa: E402
from ExchangeWrappers import exchange_body, is_by_hand, is_exchanged  # noqa: E402
from IrregularWrappers import irregular_body, is_irregular  # noqa: E402
from FortranWrappers import fortran_entry_points, fortran_text, sonames  # noqa: E402
from MpiHeader import exported, parse_functions, preprocess, read_table  # noqa: E402
from MeasuringWrappers import is_measured, measured_body, measuring_call  # noqa: E402
from RecordingWrappers import recording_body  # noqa: E402
from StrictWrappers import is_strict_by_hand, next_text, strict_body, strict_part  # noqa: E402
from SynchronizationWrappers import is_synchronized, synchronized_body  # noqa: E402
from WrapperRoles import (emit, has_batch_part, is_always_told, is_forgetting, is_freeing,  # noqa: E402
                          is_quiet, is_recorded, is_recorded_by_hand)

# False for an MPI without strict buffers (--without-strict-buffers).
STRICT_ENABLED = True

# What precedes the wrappers.
SOURCE_BEGIN = r"""// Generated from mpi.h and MpiFunctions.def by GenerateWrappers.py.

#include "runtime/interception/Wrappers.h"
#include "runtime/base/Communicators.h"
#include "runtime/base/Interception.h"
#include "runtime/batch/Flush.h"
#include "runtime/chains/PairwiseChain.h"
#include "runtime/collectives/Collectives.h"
#include "runtime/irregular/IrregularCollectives.h"
#include "runtime/sharing/planned/Exchange.h"
#include "runtime/sharing/planned/WatchedTraffic.h"
#include "runtime/recording/RecordedCall.h"
#include "runtime/redistribution/MeasuredCalls.h"
#include "runtime/start/Lifecycle.h"
#include "runtime/strict/StrictBuffers.h"
#include "runtime/synchronization/AnySourceReceives.h"
#include "runtime/synchronization/Synchronization.h"

#include <climits>

// The builtins speak of the function they stand in, so this is no function.
#define SENDWRIGHT_CALLER \
  (sendwright::Caller{__builtin_extract_return_addr(__builtin_return_address(0)), \
                      __builtin_dwarf_cfa()})

// Functions that MPI deprecated need wrappers, too.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// Here, so that whoever links the runtime statically gets the wrappers with it: where mpi.h
// declares its functions weak, calls of them do not fetch them from an archive.
int sendwright_interception = 0;
sendwright::Caller sendwright::strict::calledFrom{};

namespace sendwright {
template <class Count> constexpr bool isSmallCount(Count count) { return count >= 0 && count <= INT_MAX; }
} // namespace sendwright

extern "C" {
"""


def is_lifecycle(function):
    """Whether MPI begins or ends in it: written by hand in Lifecycle.cpp."""
    return function.role == "Environment" and function.effect != "Pass"


def is_session_end(function):
    """Where a program that never calls MPI_Init ends MPI."""
    return function.kind == "SessionEnd"


def counts_that_differ(function, small):
    """The names of the large counts, if these are all that tells the declarations of the two apart
    (arrays of counts are not converted) and layers ask for the call."""
    if not small or len(function.parameters) != len(small.parameters):
        return []
    if small.role in ("", "Query") and small.column("kind") != "Exchange":
        return []
    counts = []
    for large, parameter in zip(function.parameters, small.parameters):
        if large.text == parameter.text:
            continue
        if not (large.text == f"MPI_Count {large.name}" and parameter.text == f"int {large.name}"):
            return []
        counts.append(large.name)
    return counts


def large_wrapper_body(function, small):
    """A call with large counts is the call with small counts, if these are small: so it is recorded,
    captured and shared as that one. Its parameters have the same names."""
    lines = wrapper_body(function)
    if counts := counts_that_differ(function, small):
        fit = " && ".join(f"sendwright::isSmallCount({count})" for count in counts)
        lines = [f"if ({fit}) {{", *["  " + line for line in wrapper_body(small)], "}", *lines]
    return lines


def wrapper_body(function):
    if function.effect == "Pass" and not (has_batch_part(function) or is_recorded(function)):
        return inner_body(function)
    lines = []
    if is_session_end(function):
        lines.append("sendwright::sessionEnds();")
    if is_forgetting(function):
        # Before the call, because another thread may get the same handle right after it; but after
        # captured sends are issued, which reads the communicator.
        communicator = function.parameters[0]
        star = "*" if "*" in communicator.text else ""
        lines += ["if (sendwright_interception & sendwright::interceptBatch)",
                  "  sendwright::flushBatches();",
                  f"sendwright::forgetCommunicator({star}{communicator.name});"]
    if not is_always_told(function):
        lines += ["if (__builtin_expect(sendwright_interception == 0, 1))",
                  f"  return {function.call('PMPI_' + function.name)};"]
    if is_measured(function):
        lines += measuring_call(function)
    return lines + limited_call(function, "SENDWRIGHT_CALLER") + active_body(function, "SENDWRIGHT_CALLER")


def limited_call(function, caller):
    """Leads to strict buffers, if they are told of the call."""
    if not is_limited(function):
        return []
    # Not passed as an argument: a call with other arguments would cost the wrapper a stack frame,
    # even at rest.
    limited = function.call("sendwright_limited_MPI_" + function.name)
    return ["if (sendwright_interception & sendwright::interceptStrict) {",
            f"  sendwright::strict::calledFrom = {caller};", f"  return {limited};", "}"]


def is_limited(function):
    """Whether strict buffers are told of the call before anything else happens."""
    return STRICT_ENABLED and not function.variadic and (
        function.effect != "Pass" or has_batch_part(function) or is_recorded(function))


def active_body(function, caller):
    """What a wrapper does if something is intercepted."""
    lines = []
    if is_chained(function):
        lines += ["if (sendwright_interception & sendwright::interceptChain) {",
                  *["  " + line for line in chained_body(function)], "}"]
    if is_recorded(function):
        record = function.call("sendwright_record_MPI_" + function.name, caller)
        lines += ["if (sendwright_interception & sendwright::interceptRecording)", f"  return {record};"]
    if is_synchronized(function):
        told = function.call("sendwright_synchronized_MPI_" + function.name)
        lines += ["if (sendwright_interception & sendwright::interceptSynchronization)", f"  return {told};"]
    if is_noted(function):
        noted = function.call("sendwright_noted_MPI_" + function.name)
        lines += ["if (sendwright_interception & sendwright::interceptCollectives)", f"  return {noted};"]
    return lines + irregular_call(function)


def irregular_call(function):
    lines = []
    if is_irregular(function):
        told = function.call("sendwright_irregular_MPI_" + function.name)
        lines += ["if (sendwright_interception & sendwright::interceptIrregular)", f"  return {told};"]
    return lines + shared_call(function)


def shared_call(function):
    lines = []
    if is_exchanged(function):
        told = function.call("sendwright_exchanged_MPI_" + function.name)
        lines += ["if (sendwright_interception & sendwright::interceptExchange)", f"  return {told};"]
    return lines + inner_call(function)


def inner_call(function):
    if has_batch_part(function) or is_recorded(function):
        return [f"return {function.call('sendwright_inner_MPI_' + function.name)};"]
    return inner_body(function)


def limited_body(function):
    """A separate function, so that the wrapper has nothing to keep over a call."""
    entered = [] if is_quiet(function) else [
        f'sendwright::strict::enter("MPI_{function.name}", caller.address);']
    return ["const sendwright::Caller caller = sendwright::strict::calledFrom;", *entered,
            *active_body(function, "caller")]


def header_text(functions):
    out = ["// Generated from mpi.h and MpiFunctions.def by GenerateWrappers.py.", "",
           "#ifndef SENDWRIGHT_RUNTIME_INTERCEPTION_WRAPPERS_H",
           "#define SENDWRIGHT_RUNTIME_INTERCEPTION_WRAPPERS_H", "",
           '#include "runtime/base/Interception.h"', "",
           "#include <mpi.h>", "",
           *(["#define SENDWRIGHT_HAS_ISENDRECV // since MPI 4.0", ""]
             if any(function.column("kind") == "Exchange" for function in functions) else []),
           "// Functions that MPI deprecated are passed on, too.",
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
        if is_by_hand(function):
            out.append(function.declaration("sendwright_exchange_MPI_" + function.name) + ";")
        if function.strict:
            out.append(function.declaration("sendwright_strict_MPI_" + function.name) + ";")
        if function.strict or is_strict_by_hand(function):
            out += next_text(function)
    out += ["#pragma GCC visibility pop", "}", "", "#pragma GCC diagnostic pop", "", "#endif", ""]
    return "\n".join(out)


def source_text(functions):
    out = [SOURCE_BEGIN]
    named = {function.name: function for function in functions}
    smaller = {function.name: named.get(function.name.removesuffix("_c")) for function in functions if function.is_large}
    # Those with small counts first, because the others call their parts.
    for function in sorted(functions, key=lambda each: each.is_large):
        emit_parts(out, function)
        emit(out, '__attribute__((visibility("default"))) ' + function.declaration("MPI_" + function.name),
             large_wrapper_body(function, smaller.get(function.name)))
    out += ["}", ""]
    return "\n".join(out)


def emit_parts(out, function):
    """The functions that the wrapper of a function calls."""
    if has_batch_part(function) or is_recorded(function):
        emit(out, function.declaration("sendwright_inner_MPI_" + function.name), inner_body(function))
    if function.strict and function.strict != "hand":
        emit(out, function.declaration("sendwright_strict_MPI_" + function.name), strict_body(function))
    # If inlined, the others would make the wrapper save registers before it checks whether to do
    # anything.
    if is_recorded(function) and not is_recorded_by_hand(function):
        emit(out, "__attribute__((noinline)) " +
             function.declaration("sendwright_record_MPI_" + function.name, "sendwright::Caller caller"),
             recording_body(function))
    for layer, body in layer_bodies(function).items():
        emit(out, "__attribute__((noinline)) static " +
             function.declaration(f"sendwright_{layer}_MPI_{function.name}"), body)


def layer_bodies(function):
    """What each layer that is told of the function does, by the name of its part."""
    bodies = {}
    if is_synchronized(function):
        bodies["synchronized"] = synchronized_body(function)
    if is_exchanged(function):
        bodies["exchanged"] = exchange_body(function, inner_call(function))
    if is_irregular(function):
        bodies["irregular"] = irregular_body(function, shared_call(function))
    if is_noted(function):
        bodies["noted"] = noting_body(function, irregular_call(function))
    if is_limited(function):
        bodies["limited"] = limited_body(function)
    if is_measured(function):
        bodies["measured"] = measured_body(limited_call(function, "caller") + active_body(function, "caller"))
    return bodies


def write(directory, name, text):
    """Does not touch a file whose contents stay the same, so that its users need not be compiled
    again."""
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
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
        function.columns = table.get(function.name, {})
        function.small = table.get(function.name.removesuffix("_c"), {})
        function.role, function.effect = (function.columns.get(*each) for each in
                                          (("role", ""), ("effect", "Flush")))
    if not {"Send", "NonblockingSend", "Completion", "Collective"} <= {function.role for function in functions}:
        sys.exit("GenerateWrappers.py: mpi.h declares no MPI_Send with a PMPI_Send: not an MPI that "
                 "can be intercepted")
    functions = [function for function in functions if not is_lifecycle(function)]
    global STRICT_ENABLED
    STRICT_ENABLED = not options.without_strict_buffers
    for function in functions if STRICT_ENABLED else []:
        function.strict = strict_part(function)
    # MPICH declares conversions of statuses that only its Fortran library defines; no layer needs
    # them.
    defined = exported(options.library, options.nm)
    if "PMPI_Send" in defined:
        functions = [function for function in functions if "PMPI_" + function.name in defined]
    write(options.output, "runtime/interception/Wrappers.h", header_text(functions))
    write(options.output, "Wrappers.cpp", source_text(functions))
    write(options.output, "FortranWrappers.cpp",
          fortran_text(fortran_entry_points(options.fortran_library, options.nm),
                       [function.name.lower() for function in functions if is_freeing(function)],
                       [function.name.lower() for function in functions if is_forgetting(function)],
                       sonames(options.fortran_library, options.readelf)))


if __name__ == "__main__":
    main()
