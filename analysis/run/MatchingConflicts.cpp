// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/run/MatchingConflicts.h"

#include "analysis/run/Timeline.h"
#include "analysis/trace/TraceLocation.h"

#include <algorithm>

namespace sendwright {

namespace {

bool isOn(const MatchingChannels &messages, const Profile &profile, std::size_t rank,
          const Event &event) {
  const Communicator *communicator = communicatorOf(event, profile.ranks[rank]);
  return communicator && messages.communicator && *communicator == *messages.communicator;
}

/// Whether one of the messages to `rank` fits source and tag, each of which may be a wildcard.
bool fitsOneOf(const MatchingChannels &messages, int rank, int source, int tag) {
  if (tag != anyTag && !messages.tags.contains(tag))
    return false;
  return std::any_of(
      messages.channels.begin(), messages.channels.end(), [&](const MatchingChannel &channel) {
        return channel.destination == rank && (source == anySource || source == channel.source) &&
               (tag == anyTag || tag == channel.tag);
      });
}

/// What a call receives or probes.
struct Taking {
  bool probes = false, receives = false;
  int source = 0, tag = 0;
};

Taking takenBy(const Event &event) {
  const MpiRole role = mpiFunction(event.function).role;
  const bool exchanges = role == MpiRole::SendReceive;
  return {role == MpiRole::Probe,
          exchanges || role == MpiRole::Receive || role == MpiRole::NonblockingReceive,
          exchanges ? event.receivePeer : event.peer, exchanges ? event.receiveTag : event.tag};
}

} // namespace

std::string atPlace(const Profile &profile, std::size_t rank, const Event &event) {
  const std::string place = callPlace(profile, profile.ranks[rank], event);
  return place.empty() ? "" : " at " + place;
}

std::string conflictOfSend(const Profile &profile, std::size_t rank, const Event &event,
                           const MatchingChannels &messages) {
  if (!sendsMessage(event) || event.peer < 0 || !isOn(messages, profile, rank, event) ||
      !messages.channels.contains({static_cast<int>(rank), event.peer, event.tag}))
    return "";
  return "rank " + std::to_string(rank) + " sends to rank " + std::to_string(event.peer) +
         " with tag " + std::to_string(event.tag) + atPlace(profile, rank, event) + ", too";
}

std::string conflictOfReceive(const Profile &profile, std::size_t rank, const Event &event,
                              const MatchingChannels &messages) {
  if (event.kind != EventKind::Call)
    return "";
  const MpiFunction &function = mpiFunction(event.function);
  const auto [probes, receives, source, tag] = takenBy(event);
  if (!probes && !(receives && (source == anySource || tag == anyTag)))
    return "";
  if (!isOn(messages, profile, rank, event) ||
      !fitsOneOf(messages, static_cast<int>(rank), source, tag))
    return "";
  const std::string place = atPlace(profile, rank, event);
  if (probes)
    return std::string(function.name) + place + " could see its messages";
  return (source == anySource ? "a receive from any source" : "a receive of any tag") + place +
         " could take its messages";
}

bool takesFromAnySource(const Communicator &communicator, const RankProfile &rank,
                        const Event &event) {
  if (event.kind != EventKind::Call)
    return false;
  const Taking taking = takenBy(event);
  if ((!taking.probes && !taking.receives) || taking.source != anySource)
    return false;
  const Communicator *on = communicatorOf(event, rank);
  return on && *on == communicator;
}

} // namespace sendwright
