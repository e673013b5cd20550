// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/MadeSteps.h"

#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <utility>

namespace sendwright::exchange {

void MadeSteps::note(std::vector<std::int64_t> executions) {
  if (!calls.empty() && calls.back().size() != executions.size())
    calls.clear(); // of other exchanges
  calls.push_back(std::move(executions));
}

std::vector<ExpectedInstances::Counts> MadeSteps::agree(MPI_Comm communicator,
                                                        std::size_t number) const {
  if (calls.size() <= number) // at all members: they have noted the same calls
    return {};
  const std::size_t exchanges = calls.back().size();
  std::vector<std::int64_t> said;
  said.reserve(2 * number * exchanges);
  for (std::size_t call = calls.size() - number; call < calls.size(); ++call)
    for (std::size_t exchange = 0; exchange < exchanges; ++exchange) {
      const std::int64_t now = calls[call][exchange], before = calls[call - 1][exchange];
      const bool isKnown = now != unknown && before != unknown;
      said.push_back(isKnown ? now - before : saidNothing);
      said.push_back(isKnown ? before - now : saidNothing);
    }
  agreeOnLargest(communicator, said, "a collective");
  std::vector<ExpectedInstances::Counts> made(number, ExpectedInstances::Counts(exchanges));
  for (std::size_t index = 0; index < number * exchanges; ++index) {
    const std::int64_t most = said[2 * index], least = said[2 * index + 1];
    if (!saidTheSame(most, least))
      return {};
    if (most == saidNothing)
      continue; // nobody sends it
    if (most < 0)
      return {};
    made[index / exchanges][index % exchanges] = static_cast<std::uint64_t>(most);
  }
  return made;
}

} // namespace sendwright::exchange
