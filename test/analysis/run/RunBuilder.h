// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles for tests, written down as the calls of each rank.

#ifndef SENDWRIGHT_TEST_ANALYSIS_RUN_RUNBUILDER_H
#define SENDWRIGHT_TEST_ANALYSIS_RUN_RUNBUILDER_H

#include "analysis/trace/Profile.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace sendwright {

/// Calls are appended to one rank at a time. Receives are posted non-blocking and completed
/// together by waitAll(). Communicator 0 has all ranks; addCommunicator() makes others.
class RunBuilder {
public:
  explicit RunBuilder(int ranks) {
    profile.program = "app";
    profile.ranks.resize(ranks);
    pending.resize(ranks);
    std::vector<int> everyone(static_cast<std::size_t>(ranks));
    std::iota(everyone.begin(), everyone.end(), 0);
    const Communicator world{everyone, 0, false};
    for (RankProfile &rank : profile.ranks) {
      rank.communicators.push_back(world);
      rank.sequence.rules.emplace_back();
    }
  }

  int addSite(unsigned line) {
    profile.sites.push_back({"app.c", "exchange", line, 0, line, ""});
    return static_cast<int>(profile.sites.size()) - 1;
  }

  /// Returns the same number for every rank; only members may use it.
  int addCommunicator(std::vector<int> members, bool intercommunicator = false) {
    for (RankProfile &rank : profile.ranks)
      rank.communicators.push_back({members, 0, intercommunicator});
    return static_cast<int>(profile.ranks[0].communicators.size()) - 1;
  }

  void enter(int rank, int site) { mark(rank, EventKind::SiteEnter, site); }
  void leave(int rank, int site) { mark(rank, EventKind::SiteLeave, site); }
  void skip(int rank, int site) { mark(rank, EventKind::SiteSkip, site); }

  void compute(int rank, double seconds) {
    Event event;
    event.kind = EventKind::Compute;
    event.seconds = seconds;
    append(rank, event);
  }

  void send(int rank, int destination, std::uint64_t bytes, int site,
            MpiFunctionId function = MpiFunctionId::Send, int communicator = 0) {
    Event event = call(function, site, communicator);
    event.peer = destination;
    event.bytes = bytes;
    append(rank, event);
  }

  /// Both halves of a Sendrecv.
  void sendReceive(int rank, int destination, int source, int tag, std::uint64_t bytes, int site) {
    Event event = call(MpiFunctionId::Sendrecv, site, 0);
    event.peer = destination;
    event.receivePeer = source;
    event.tag = event.receiveTag = tag;
    event.bytes = event.receiveBytes = bytes;
    append(rank, event);
  }

  /// A non-blocking send; waitAll() completes it.
  void postSend(int rank, int destination, std::uint64_t bytes, int site) {
    Event event = call(MpiFunctionId::Isend, site, 0);
    event.peer = destination;
    event.bytes = bytes;
    event.requests = {static_cast<int>(pending[rank].size())};
    pending[rank].push_back(event.requests[0]);
    append(rank, event);
  }

  void receive(int rank, int source, int site = noSite, int communicator = 0) {
    Event event = call(MpiFunctionId::Recv, site, communicator);
    event.peer = source;
    event.bytes = 1 << 30;
    append(rank, event);
  }

  void post(int rank, int source, int site = noSite, int communicator = 0) {
    Event event = call(MpiFunctionId::Irecv, site, communicator);
    event.peer = source;
    event.bytes = 1 << 30;
    event.requests = {static_cast<int>(pending[rank].size())};
    pending[rank].push_back(event.requests[0]);
    append(rank, event);
  }

  void waitAll(int rank, int site = noSite) {
    if (pending[rank].empty())
      return;
    Event event = call(MpiFunctionId::Waitall, site, 0);
    event.requests = pending[rank];
    pending[rank].clear();
    append(rank, event);
  }

  void collective(int rank, MpiFunctionId function, int communicator = 0) {
    append(rank, call(function, noSite, communicator));
  }

  /// MPI_Alltoallv or its kin, in which the rank has these bytes for these ranks.
  void alltoallv(int rank, const std::vector<std::pair<int, std::uint64_t>> &blocks,
                 int communicator = 0, MpiFunctionId function = MpiFunctionId::Alltoallv) {
    Event event = call(function, noSite, communicator);
    for (const auto &[to, bytes] : blocks) {
      event.moved.push_back({to, false, bytes, bytes});
      event.bytes += bytes;
    }
    append(rank, event);
  }
  /// The same without a record of who gets what.
  void denseAlltoallv(int rank, std::uint64_t bytes, int communicator = 0) {
    Event event = call(MpiFunctionId::Alltoallv, noSite, communicator);
    event.bytes = bytes;
    append(rank, event);
  }

  void redistribute(int rank, std::vector<MovedMessage> moved) {
    Event event;
    event.kind = EventKind::Redistribution;
    event.moved = std::move(moved);
    append(rank, event);
  }

  void add(int rank, const Event &event) { append(rank, event); }

  void barrier() {
    for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank)
      collective(static_cast<int>(rank), MpiFunctionId::Barrier);
  }

  /// A complete communication phase, from each rank's list of destinations: receives are posted,
  /// the loop sends, the receives are waited for.
  void phase(const std::vector<std::vector<int>> &lists, int site, std::uint64_t bytes = 8,
             MpiFunctionId function = MpiFunctionId::Send) {
    const int ranks = static_cast<int>(lists.size());
    for (int rank = 0; rank < ranks; ++rank)
      for (int source = 0; source < ranks; ++source)
        for (int destination : lists[source])
          if (destination == rank)
            post(rank, source);
    for (int rank = 0; rank < ranks; ++rank) {
      if (!lists[rank].empty()) {
        enter(rank, site);
        for (int destination : lists[rank])
          send(rank, destination, bytes, site, function);
        leave(rank, site);
      }
      waitAll(rank);
    }
  }

  Profile profile;
  int tag = 0; ///< of the sends and receives that follow

private:
  Event call(MpiFunctionId function, int site, int communicator) const {
    Event event;
    event.function = function;
    event.tag =
        isSend(mpiFunction(function).role) || isReceive(mpiFunction(function).role) ? tag : 0;
    event.site = site;
    event.communicator = communicator;
    return event;
  }

  void mark(int rank, EventKind kind, int site) {
    Event event;
    event.kind = kind;
    event.site = site;
    append(rank, event);
  }

  void append(int rank, const Event &event) {
    RankProfile &target = profile.ranks[rank];
    auto found = std::find(target.events.begin(), target.events.end(), event);
    const auto number = static_cast<std::uint32_t>(found - target.events.begin());
    if (found == target.events.end())
      target.events.push_back(event);
    target.sequence.rules[0].push_back({number, false, 1});
  }

  std::vector<std::vector<int>> pending; // requests, by rank
};

} // namespace sendwright

#endif
