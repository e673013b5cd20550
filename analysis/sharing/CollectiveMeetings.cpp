// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/CollectiveMeetings.h"

#include "analysis/mpi/MpiFunctions.h"
#include "analysis/sharing/ExpectedInstances.h"

#include <algorithm>
#include <functional>
#include <map>

namespace sendwright {

namespace {

/// One modelled collective call of a rank.
struct ModelledCall {
  std::size_t position = 0;
  bool blocks = false;
};

std::map<std::uint32_t, std::vector<ModelledCall>>
callsOf(const Timeline &timeline, std::size_t rank, const CollectiveMeetings::IsServed &isServed) {
  std::map<std::uint32_t, std::vector<ModelledCall>> calls;
  const RankTimeline &events = timeline.ranks[rank];
  for (std::size_t position = 0; position < events.size(); ++position) {
    const Event &event = events.at(position);
    if (event.kind != EventKind::Call)
      continue;
    const MpiFunction &function = mpiFunction(event.function);
    const std::uint32_t number = timeline.communicators.ofGroup(rank, event.communicator);
    if (function.operation && number != CommunicatorNumbers::none)
      calls[number].push_back({position, function.role != MpiRole::NonblockingCollective &&
                                             !(isServed && isServed(rank, event))});
  }
  return calls;
}

/// The instances at the rank before each call.
std::vector<std::uint64_t> countsAt(const std::vector<ModelledCall> &calls,
                                    const std::vector<std::size_t> &ends) {
  std::vector<std::uint64_t> counts;
  std::size_t count = 0;
  for (const ModelledCall &call : calls) {
    while (count < ends.size() && ends[count] <= call.position)
      ++count;
    counts.push_back(count);
  }
  return counts;
}

} // namespace

CollectiveMeetings::CollectiveMeetings(const Timeline &timeline,
                                       const std::vector<Instances> &exchanges,
                                       const IsServed &isServed) {
  std::vector<std::vector<std::uint64_t>> counts; // by exchange and call
  std::vector<ModelledCall> promisedCalls;
  for (const auto &[rank, ends] : exchanges) {
    const auto known = callsOf(timeline, rank, isServed);
    if (promised == UINT32_MAX) // the communicator of all ranks with the most calls
      for (const auto &[number, list] : known)
        if (timeline.communicators[number].members.size() == timeline.ranks.size() &&
            list.size() > promisedCalls.size()) {
          promised = number;
          promisedCalls = list;
        }
    const auto here = known.find(promised);
    counts.push_back(countsAt(here == known.end() ? promisedCalls : here->second, ends));
  }
  meets.resize(promisedCalls.size());
  for (std::size_t call = 0; call < promisedCalls.size(); ++call)
    if (promisedCalls[call].blocks)
      blocking.push_back(call);
  followRun(counts);
}

/// The members know what the recorded run did, as the plan will have it.
void CollectiveMeetings::followRun(const std::vector<std::vector<std::uint64_t>> &counts) {
  std::vector<ExpectedInstances::Counts> before;
  ExpectedInstances::Counts last(counts.size());
  bool isComplete = true;
  for (const std::size_t call : blocking) {
    ExpectedInstances::Counts &now = before.emplace_back(), step = last;
    for (const std::vector<std::uint64_t> &ofExchange : counts)
      now.push_back(call < ofExchange.size() ? ofExchange[call] : 0);
    std::ranges::transform(now, last, step.begin(), std::minus());
    isComplete = isComplete && recorded.add(step);
    last = now;
  }
  ExpectedInstances expected(counts.size(), &recorded);
  bool asExpected = true;
  for (std::size_t index = 0; index < blocking.size(); ++index) {
    ++calls;
    if (expected.meetsNext()) {
      meets[blocking[index]] = true;
      ++meetings;
      expected.agree(before[index], asExpected);
      asExpected = true;
      continue;
    }
    for (std::size_t exchange = 0; exchange < counts.size(); ++exchange)
      asExpected = asExpected && expected.beforeNext(exchange) == before[index][exchange];
    expected.pass();
  }
}

bool CollectiveMeetings::meetsBefore(std::uint32_t communicator, std::uint32_t call) const {
  return communicator != promised || call >= meets.size() || meets[call];
}

double CollectiveMeetings::share() const {
  return calls == 0 ? 1 : static_cast<double>(meetings) / static_cast<double>(calls);
}

} // namespace sendwright
