# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an open batch does with a function."""

from StrictWrappers import next_name
from WrapperRoles import has_batch_part, is_always_told


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
