// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/collectives/PlannedCollectives.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/file/Limits.h"
#include "analysis/trace/ProfileFields.h"

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

template <typename Fields>
void describeCollective(Fields fields, Described<Fields, PlannedCollective> &collective,
                        std::size_t rankCount, std::size_t sites) {
  describeIndex(fields, collective.site, sites, "site");
  fields.number(collective.operation, static_cast<std::uint64_t>(Collective::Reduce), "operation");
  describeGroup(fields, collective.communicator, rankCount, 0,
                "a collective's communicator, expected one within a group");
  const std::vector<int> &members = collective.communicator.members;
  if constexpr (Fields::reads)
    fields.expect(members.size() >= 2 &&
                      std::set<int>(members.begin(), members.end()).size() == members.size(),
                  [&] {
                    return "a communicator of " + std::to_string(members.size()) +
                           " ranks, expected two or more, each once";
                  });
  fields.number(collective.root, members.size() - 1, "root");
  fields.text(collective.algorithm);
  fields.number(collective.bytes);
  fields.expect(!callsLibrary(collective) || collective.bytes <= INT_MAX - collectiveMessageHead,
                [&] {
                  return std::to_string(collective.bytes) +
                         " bytes, expected no more than MPI's functions take";
                });
  fields.number(collective.slots, UINT32_MAX, "number of slots");
  fields.expect(collective.slots == slotsOf(collective.operation, members.size(), true) ||
                    collective.slots == slotsOf(collective.operation, members.size(), false),
                [&] {
                  return std::to_string(collective.slots) +
                         " slots, expected those of a schedule for " +
                         std::to_string(members.size()) + " ranks";
                });
}

template <typename Fields>
void describeCollectives(Fields fields, Described<Fields, std::vector<PlannedCollective>> &list,
                         std::size_t rankCount, std::size_t sites) {
  fields.length(list, 8);
  std::int64_t previous = -1;
  for (auto &collective : list) {
    describeCollective(fields, collective, rankCount, sites);
    fields.expect(collective.site > previous, [&] {
      return "site " + std::to_string(collective.site) + ", expected sites in order, each once";
    });
    previous = collective.site;
  }
}

/// What bounds a step; a writer does not look at it.
struct StepBounds {
  std::size_t self = 0; ///< the rank in the communicator
  std::uint64_t members = 0, slots = 0;
  bool combines = false;
};

template <typename Fields>
void describeSlots(Fields fields, Described<Fields, std::vector<SlotRange>> &slots,
                   const StepBounds &bounds) {
  fields.length(slots, 2);
  std::int64_t end = 0; // end of the previous range, which is near the next one
  std::uint64_t moved = 0;
  for (auto &range : slots) {
    fields.relativeNumber(range.first, end, 0, static_cast<std::int64_t>(bounds.slots) - 1,
                          "slot, relative,");
    fields.number(range.count, bounds.slots - range.first, "number of slots");
    end = std::int64_t{range.first} + range.count;
    moved += range.count;
  }
  fields.expect(moved > 0 && moved <= bounds.slots, [&] {
    return "a message with " + std::to_string(moved) +
           " slots, expected at least one and at most " + std::to_string(bounds.slots);
  });
}

template <typename Fields>
void describeScheduleStep(Fields fields, Described<Fields, CollectiveStep> &step,
                          const StepBounds &bounds) {
  std::uint64_t peer = std::uint64_t{step.peer} << 1 | (step.isSend ? 1 : 0);
  fields.number(peer, 2 * bounds.members - 1, "peer");
  if constexpr (Fields::reads) {
    step.isSend = peer & 1;
    step.peer = static_cast<std::uint32_t>(peer >> 1);
  }
  fields.expect(step.peer != bounds.self,
                [&] { return "peer " + std::to_string(step.peer) + ", expected another rank"; });
  fields.number(step.bytes);
  fields.number(step.arrival,
                bounds.combines ? static_cast<std::uint64_t>(Arrival::CombineRight) : 0, "arrival");
  describeSlots(fields, step.slots, bounds);
}

template <typename Fields>
void describeSiteCollective(Fields fields, Described<Fields, SiteCollective> &collective) {
  fields.optional(collective.prediction, [&](auto &prediction) {
    fields.number(prediction.operation, static_cast<std::uint64_t>(Collective::Reduce),
                  "operation");
    fields.text(prediction.algorithm);
    fields.number(prediction.ranks, mostPlannedRanks, "number of ranks");
    fields.number(prediction.bytes);
    fields.number(prediction.instances);
    fields.finite(prediction.writtenSeconds, "a time");
    fields.finite(prediction.seconds, "a time");
  });
  describeRefusal(fields, collective.refusal);
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
  describeCollectives(FieldWriter(out), collectives, 0, 0);
}

std::vector<PlannedCollective> decodeCollectives(ByteReader &in, int rankCount, std::size_t sites) {
  std::vector<PlannedCollective> collectives;
  describeCollectives(FieldReader(in), collectives, static_cast<std::size_t>(rankCount), sites);
  in.expectEnd();
  return collectives;
}

void encodeCollectiveParts(ByteWriter &out, const std::vector<RankCollective> &parts) {
  out.number(parts.size());
  for (const RankCollective &part : parts) {
    out.number(part.collective);
    out.number(part.steps.size());
    for (const CollectiveStep &step : part.steps)
      describeScheduleStep(FieldWriter(out), step, {});
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
    const PlannedCollective &collective = collectives[next];
    const StepBounds bounds{self, collective.communicator.members.size(), collective.slots,
                            collective.operation == Collective::Reduce};
    in.resize(part.steps, 6);
    for (CollectiveStep &step : part.steps)
      describeScheduleStep(FieldReader(in), step, bounds);
    ++next;
  }
  if (findNext(self))
    in.fail("no part in collective " + std::to_string(next) + " of rank " + std::to_string(rank));
  in.expectEnd();
  return parts;
}

void encodeSiteCollective(ByteWriter &out, const SiteCollective &collective) {
  describeSiteCollective(FieldWriter(out), collective);
}

void decodeSiteCollective(ByteReader &in, SiteCollective &collective) {
  describeSiteCollective(FieldReader(in), collective);
}

} // namespace sendwright
