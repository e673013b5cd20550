# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What measuring loads does in a function: it notes how long the call takes."""

from WrapperRoles import has_batch_part, is_recorded


def is_measured(function):
    """Whether the rank may wait in the call, or does in it what is no load of the program's."""
    return not function.variadic and (function.effect != "Pass" or has_batch_part(function) or is_recorded(function))


def measuring_call(function):
    """In the wrapper, before anything else happens. The thread's own place holds the caller, as further arguments
    would cost the wrapper a stack frame, even at rest."""
    call = function.call("sendwright_measured_MPI_" + function.name)
    return ["if (sendwright_interception & sendwright::interceptMeasuring) {",
            "  sendwright::redistribution::timeInCalls.caller = SENDWRIGHT_CALLER;", f"  return {call};", "}"]


def measured_body(inner):
    """`inner` are the lines of what follows, for the caller `caller`."""
    return ["[[maybe_unused]] const sendwright::Caller caller = sendwright::redistribution::timeInCalls.caller;",
            "const sendwright::redistribution::MeasuredCall measured;", *inner]
