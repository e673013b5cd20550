// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// write-large-profile RANKS AVERAGE MOST EXECUTIONS FILE: the profile of a program in which each
// rank sends to some other ranks in a loop, so many times. How many others falls by a power law
// from MOST, with the mean AVERAGE; who they are is arbitrary. The same arguments write the same
// file everywhere.

#include "analysis/trace/Profile.h"
#include "test/benchmark/sharing/RandomPatterns.h"

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace sendwright {

namespace {

constexpr std::uint64_t bytes = 64;

Event call(MpiFunctionId function, int peer = noPeer) {
  Event event;
  event.function = function;
  event.peer = peer;
  event.bytes = bytes;
  return event;
}

Event mark(EventKind kind) {
  Event event;
  event.kind = kind;
  event.site = 0;
  return event;
}

RankProfile rankProfile(const std::vector<int> &sources, const std::vector<int> &destinations,
                        std::uint64_t executions) {
  RankProfile result;
  std::vector<GrammarItem> execution;
  auto append = [&](Event event) {
    execution.push_back({static_cast<std::uint32_t>(result.events.size()), false, 1});
    result.events.push_back(std::move(event));
  };
  Event waitAll = call(MpiFunctionId::Waitall);
  for (int source : sources) {
    Event receive = call(MpiFunctionId::Irecv, source);
    receive.requests = {static_cast<int>(waitAll.requests.size())};
    waitAll.requests.push_back(receive.requests[0]);
    append(std::move(receive));
  }
  append(mark(EventKind::SiteEnter));
  for (int destination : destinations) {
    Event send = call(MpiFunctionId::Send, destination);
    send.site = 0;
    append(std::move(send));
  }
  append(mark(EventKind::SiteLeave));
  if (!waitAll.requests.empty())
    append(std::move(waitAll));
  append(call(MpiFunctionId::Allreduce));
  result.sequence.rules = {{{1, true, executions}}, execution};
  for (std::size_t event = 0; event < result.events.size(); ++event) {
    EventStatistics &statistics = result.statistics.emplace_back();
    statistics.count = executions;
    statistics.before = 1e-7 * static_cast<double>(executions);
    statistics.beforeMinimum = statistics.beforeMaximum = 1e-7;
    statistics.inside = 1e-6 * static_cast<double>(executions);
  }
  return result;
}

void write(int ranks, double average, int most, std::uint64_t executions, const char *file) {
  const ExchangePattern pattern = powerLaw(ranks, average, most);
  std::vector<std::vector<int>> sources(pattern.ranks), destinations(pattern.ranks);
  for (const PatternMessage &message : pattern.messages) {
    destinations[message.source].push_back(message.destination);
    sources[message.destination].push_back(message.source);
  }
  std::vector<int> everyone(pattern.ranks);
  std::iota(everyone.begin(), everyone.end(), 0);
  const Communicator world{everyone, 0, false};
  Profile profile;
  profile.program = "application";
  profile.sites.push_back({"application.c", "exchange", 12, 0, 12, ""});
  for (int rank = 0; rank < ranks; ++rank) {
    profile.ranks.push_back(rankProfile(sources[rank], destinations[rank], executions));
    profile.ranks.back().communicators = {world};
  }
  writeProfile(profile, file);
  std::printf("%d ranks, %zu messages in an execution\n", ranks, pattern.messages.size());
}

} // namespace

} // namespace sendwright

int main(int argc, char **argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: write-large-profile RANKS AVERAGE MOST EXECUTIONS FILE\n");
    return 2;
  }
  sendwright::write(std::atoi(argv[1]), std::atof(argv[2]), std::atoi(argv[3]),
                    static_cast<std::uint64_t>(std::atoll(argv[4])), argv[5]);
  return 0;
}
