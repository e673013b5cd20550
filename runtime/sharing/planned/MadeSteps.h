// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many executions of each exchange this rank has made between the blocking collective calls
// since the last meeting; and whether other members have made the same.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_MADESTEPS_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_MADESTEPS_H

#include "analysis/sharing/ExpectedInstances.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright::exchange {

class MadeSteps {
public:
  /// For an exchange of which this rank sends nothing, or which it does not share any more.
  static constexpr std::int64_t unknown = -1;

  /// The rank has come to a call. `executions`: of each exchange, so far, or `unknown`.
  void note(std::vector<std::int64_t> executions);
  /// From here on the last call is the first.
  void forget() { calls.erase(calls.begin(), calls.end() - (calls.empty() ? 0 : 1)); }
  /// Members have met before the last call, and agree on the steps before the last `number` calls.
  /// Empty if they have made different ones. Collective over the communicator; the members have
  /// noted equally many calls, with equally many exchanges. Serves others meanwhile.
  std::vector<ExpectedInstances::Counts> agree(MPI_Comm communicator, std::size_t number) const;

private:
  std::vector<std::vector<std::int64_t>> calls; ///< executions before each since the last meeting,
                                                ///< and before that
};

} // namespace sendwright::exchange

#endif
