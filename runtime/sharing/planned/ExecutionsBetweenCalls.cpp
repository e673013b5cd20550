// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/ExecutionsBetweenCalls.h"

#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <utility>

namespace sendwright::exchange {

void ExecutionsBetweenCalls::note(std::vector<std::int64_t> executions) {
  if (!atCalls.empty() && atCalls.back().size() != executions.size())
    atCalls.clear(); // of other exchanges
  atCalls.push_back(std::move(executions));
}

std::vector<ExpectedInstances::Counts> ExecutionsBetweenCalls::agree(MPI_Comm communicator,
                                                                     std::size_t number) const {
  if (atCalls.size() <= number) // at all members: they have noted the same calls
    return {};
  const std::size_t exchanges = atCalls.back().size();
  std::vector<std::int64_t> said;
  said.reserve(2 * number * exchanges);
  for (std::size_t call = atCalls.size() - number; call < atCalls.size(); ++call)
    for (std::size_t exchange = 0; exchange < exchanges; ++exchange) {
      const std::int64_t now = atCalls[call][exchange], before = atCalls[call - 1][exchange];
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
