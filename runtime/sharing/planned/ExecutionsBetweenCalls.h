// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many executions of each exchange this rank has made between the blocking collective calls
// since the last meeting; and whether other members have made the same.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_EXECUTIONSBETWEENCALLS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_EXECUTIONSBETWEENCALLS_H

#include "analysis/sharing/ExpectedInstances.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright::exchange {

class ExecutionsBetweenCalls {
public:
  /// For an exchange in which this rank sends nothing, or which it does not share any more.
  static constexpr std::int64_t unknown = -1;

  /// The rank has come to a call. `executions`: of each exchange, so far, or `unknown`.
  void note(std::vector<std::int64_t> executions);
  /// The members have met before the last call: forgets what came before it.
  void forget() { atCalls.erase(atCalls.begin(), atCalls.end() - (atCalls.empty() ? 0 : 1)); }
  /// Members meet before the last call. Returns how many executions came before each of the last
  /// `number` calls; nothing if members have made different numbers. Collective over the
  /// communicator; the members have noted equally many calls, with equally many exchanges. Serves
  /// others meanwhile.
  std::vector<ExpectedInstances::Counts> agree(MPI_Comm communicator, std::size_t number) const;

private:
  std::vector<std::vector<std::int64_t>> atCalls; ///< executions so far, at the call of the last
                                                  ///< meeting and at each since
};

} // namespace sendwright::exchange

#endif
