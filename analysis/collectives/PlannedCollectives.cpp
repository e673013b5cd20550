// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/collectives/PlannedCollectives.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/file/Limits.h"
#include "analysis/trace/ProfileCodec.h"

#include <algorithm>
#include <climits>
#include <set>

namespace sendwright {

namespace {

/// Joins consecutive slots.
std::vector<SlotRange> rangesOf(const std::vector<std::uint32_t> &slots) {
  std::vector<SlotRange> ranges;
  for (const std::uint32_t slot : slots)
    if (!ranges.empty() && ranges.back().first + ranges.back().count == slot)
      ++ranges.back().count;
    else
      ranges.push_back({slot, 1});
  return ranges;
}

bool isPieced(Collective operation) {
  return operation == Collective::Broadcast || operation == Collective::Reduce;
}

PlannedCollective decodeCollective(ByteReader &in, int rankCount, std::size_t sites) {
  PlannedCollective collective;
  collective.site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
  if (collective.site >= sites)
    in.fail("site " + std::to_string(collective.site) + ", expected one of " +
            std::to_string(sites));
  collective.operation = static_cast<Collective>(
      in.number(static_cast<std::uint64_t>(Collective::Reduce), "operation"));
  std::vector<Communicator> communicators;
  decodeCommunicators(in, communicators, static_cast<std::size_t>(rankCount));
  if (communicators.size() != 1 || communicators.front().intercommunicator)
    in.fail("a collective's communicator, expected one within a group");
  collective.communicator = std::move(communicators.front());
  const std::vector<int> &members = collective.communicator.members;
  if (members.size() < 2 || std::set<int>(members.begin(), members.end()).size() != members.size())
    in.fail("a communicator of " + std::to_string(members.size()) +
            " ranks, expected two or more, each once");
  collective.root = static_cast<std::uint32_t>(in.number(members.size() - 1, "root"));
  collective.algorithm = in.text();
  collective.bytes = in.number();
  if (callsLibrary(collective) && collective.bytes > INT_MAX - collectiveMessageHead)
    in.fail(std::to_string(collective.bytes) +
            " bytes, expected no more than MPI's functions take");
  collective.slots = static_cast<std::uint32_t>(in.number(UINT32_MAX, "number of slots"));
  if (collective.slots != slotsOf(collective.operation, members.size(), true) &&
      collective.slots != slotsOf(collective.operation, members.size(), false))
    in.fail(std::to_string(collective.slots) + " slots, expected those of a schedule for " +
            std::to_string(members.size()) + " ranks");
  return collective;
}

void encodeStep(ByteWriter &out, const CollectiveStep &step) {
  out.number(std::uint64_t{step.peer} << 1 | (step.isSend ? 1 : 0));
  out.number(step.bytes);
  out.byte(static_cast<std::uint8_t>(step.arrival));
  out.number(step.slots.size());
  std::int64_t end = 0; // end of the previous range, which is near the next one
  for (const SlotRange &range : step.slots) {
    out.signedNumber(range.first - end);
    out.number(range.count);
    end = std::int64_t{range.first} + range.count;
  }
}

CollectiveStep decodeStep(ByteReader &in, std::size_t self, const PlannedCollective &collective) {
  const std::uint64_t members = collective.communicator.members.size();
  CollectiveStep step;
  const std::uint64_t peer = in.number(2 * members - 1, "peer");
  step.isSend = peer & 1;
  step.peer = static_cast<std::uint32_t>(peer >> 1);
  if (step.peer == self)
    in.fail("peer " + std::to_string(step.peer) + ", expected another rank");
  step.bytes = in.number();
  const bool combines = collective.operation == Collective::Reduce;
  step.arrival = static_cast<Arrival>(
      in.number(combines ? static_cast<std::uint64_t>(Arrival::CombineRight) : 0, "arrival"));
  in.resize(step.slots, 2);
  std::int64_t end = 0;
  std::uint64_t moved = 0;
  for (SlotRange &range : step.slots) {
    const std::int64_t first =
        end + in.signedNumber(-end, std::int64_t{collective.slots} - 1 - end, "slot, relative,");
    range.first = static_cast<std::uint32_t>(first);
    range.count =
        static_cast<std::uint32_t>(in.number(collective.slots - range.first, "number of slots"));
    end = first + range.count;
    moved += range.count;
  }
  if (moved == 0 || moved > collective.slots)
    in.fail("a message with " + std::to_string(moved) +
            " slots, expected at least one and at most " + std::to_string(collective.slots));
  return step;
}

} // namespace

std::uint64_t slotsOf(Collective operation, std::uint64_t ranks, bool pieces) {
  if (isPieced(operation))
    return pieces ? ranks : 1;
  return operation == Collective::AllToAll ? ranks * ranks : ranks;
}

bool callsLibrary(const PlannedCollective &collective) {
  return collective.algorithm == libraryFunctionOf(collective.operation);
}

RankCollective libraryPart(const PlannedCollective &collective, std::uint32_t rank) {
  const auto ranks = static_cast<std::uint32_t>(collective.communicator.members.size());
  const auto slot = [&](std::uint32_t from, std::uint32_t to) -> std::uint32_t {
    switch (collective.operation) {
    case Collective::AllToAll:
      return from * ranks + to;
    case Collective::Scatter:
      return (to + ranks - collective.root) % ranks;
    case Collective::Gather:
    case Collective::Allgather:
      return (from + ranks - collective.root) % ranks;
    default: // a single message
      return 0;
    }
  };
  const bool toRoot =
      collective.operation == Collective::Gather || collective.operation == Collective::Reduce;
  const bool fromRoot =
      collective.operation == Collective::Broadcast || collective.operation == Collective::Scatter;
  RankCollective part;
  for (const bool isSend : {true, false})
    for (std::uint32_t peer = 0; peer < ranks; ++peer) {
      const std::uint32_t from = isSend ? rank : peer, to = isSend ? peer : rank;
      if (peer == rank || (toRoot && to != collective.root) ||
          (fromRoot && from != collective.root))
        continue;
      part.steps.push_back(
          {isSend,
           peer,
           collective.bytes,
           collective.operation == Collective::Reduce ? Arrival::CombineLeft : Arrival::Store,
           {{slot(from, to), 1}}});
    }
  return part;
}

std::vector<RankCollective> collectivePartsOf(std::uint32_t number, const Schedule &schedule) {
  std::vector<RankCollective> parts(schedule.ranks.size());
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    parts[rank].collective = number;
    for (const ScheduledOperation &operation : schedule.ranks[rank]) {
      const ScheduledMessage &message = schedule.messages[operation.message];
      parts[rank].steps.push_back({operation.isSend, operation.isSend ? message.to : message.from,
                                   message.bytes, message.arrival,
                                   rangesOf(schedule.slots[operation.message])});
    }
  }
  return parts;
}

void encodeCollectives(ByteWriter &out, const std::vector<PlannedCollective> &collectives) {
  out.number(collectives.size());
  for (const PlannedCollective &collective : collectives) {
    out.number(collective.site);
    out.byte(static_cast<std::uint8_t>(collective.operation));
    encodeCommunicators(out, {collective.communicator});
    out.number(collective.root);
    out.text(collective.algorithm);
    out.number(collective.bytes);
    out.number(collective.slots);
  }
}

std::vector<PlannedCollective> decodeCollectives(ByteReader &in, int rankCount, std::size_t sites) {
  std::vector<PlannedCollective> collectives(in.countOf<PlannedCollective>(8));
  std::int64_t previous = -1;
  for (PlannedCollective &collective : collectives) {
    collective = decodeCollective(in, rankCount, sites);
    if (collective.site <= previous)
      in.fail("site " + std::to_string(collective.site) + ", expected sites in order, each once");
    previous = collective.site;
  }
  in.expectEnd();
  return collectives;
}

void encodeCollectiveParts(ByteWriter &out, const std::vector<RankCollective> &parts) {
  out.number(parts.size());
  for (const RankCollective &part : parts) {
    out.number(part.collective);
    out.number(part.steps.size());
    for (const CollectiveStep &step : part.steps)
      encodeStep(out, step);
  }
}

std::vector<RankCollective>
decodeCollectiveParts(ByteReader &in, int rank, const std::vector<PlannedCollective> &collectives) {
  std::vector<RankCollective> parts(in.countOf<RankCollective>(2));
  std::size_t next = 0;
  // The number of the next collective that the rank is in, and its rank in the communicator.
  const auto findNext = [&](std::size_t &self) {
    for (; next < collectives.size(); ++next) {
      const std::vector<int> &members = collectives[next].communicator.members;
      const auto own = std::find(members.begin(), members.end(), rank);
      self = static_cast<std::size_t>(own - members.begin());
      if (own != members.end())
        return true;
    }
    return false;
  };
  std::size_t self = 0;
  for (RankCollective &part : parts) {
    part.collective = static_cast<std::uint32_t>(in.number(UINT32_MAX, "collective"));
    if (!findNext(self) || part.collective != next)
      in.fail("collective " + std::to_string(part.collective) + ", expected those of rank " +
              std::to_string(rank) + ", in order, each once");
    const std::size_t steps = in.count(6, sizeof(part.steps[0]));
    part.steps.reserve(steps);
    while (part.steps.size() < steps)
      part.steps.push_back(decodeStep(in, self, collectives[next]));
    ++next;
  }
  if (findNext(self))
    in.fail("no part in collective " + std::to_string(next) + " of rank " + std::to_string(rank));
  in.expectEnd();
  return parts;
}

void encodePrediction(ByteWriter &out, const CollectivePrediction &prediction) {
  out.byte(static_cast<std::uint8_t>(prediction.operation));
  out.text(prediction.algorithm);
  out.number(prediction.ranks);
  out.number(prediction.bytes);
  out.number(prediction.instances);
  out.real(prediction.writtenSeconds);
  out.real(prediction.seconds);
}

CollectivePrediction decodeCollectivePrediction(ByteReader &in) {
  CollectivePrediction prediction;
  prediction.operation = static_cast<Collective>(
      in.number(static_cast<std::uint64_t>(Collective::Reduce), "operation"));
  prediction.algorithm = in.text();
  prediction.ranks = static_cast<std::uint32_t>(in.number(mostPlannedRanks, "number of ranks"));
  prediction.bytes = in.number();
  prediction.instances = in.number();
  prediction.writtenSeconds = in.finite("a time");
  prediction.seconds = in.finite("a time");
  return prediction;
}

} // namespace sendwright
