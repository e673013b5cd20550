// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/otf2/Otf2Definitions.h"

#include "analysis/simulation/CollectiveCalls.h"
#include "analysis/trace/TraceLocation.h"

#include <charconv>
#include <numeric>

namespace sendwright {

namespace {

struct SourceLine {
  std::string file;
  unsigned line = 0;
};

/// "app.c:12 (through layer.c:40)" is app.c, 12. Without a line for a caller's address.
SourceLine parsedPlace(std::string place) {
  for (const char *end : {" (through ", " ["})
    place = place.substr(0, place.find(end));
  const std::size_t colon = place.rfind(':');
  SourceLine source;
  if (colon == std::string::npos)
    return source;
  const char *const last = place.data() + place.size();
  const auto [end, error] = std::from_chars(place.data() + colon + 1, last, source.line);
  if (error != std::errc() || end != last)
    return {};
  source.file = place.substr(0, colon);
  return source;
}

SourceLine sourceOf(const Profile &profile, const RankProfile &rank, const Event &event) {
  if (event.call < 0 && event.site >= 0) {
    const SiteIdentity &site = profile.sites[static_cast<std::size_t>(event.site)];
    return {site.file, site.line};
  }
  return parsedPlace(callPlace(profile, rank, event));
}

OTF2_RegionRole regionRole(MpiRole role, CollectiveFlow flow) {
  if (isCollective(role))
    switch (flow) {
    case CollectiveFlow::AllToAll:
      return OTF2_REGION_ROLE_COLL_ALL2ALL;
    case CollectiveFlow::FromRoot:
      return OTF2_REGION_ROLE_COLL_ONE2ALL;
    case CollectiveFlow::ToRoot:
      return OTF2_REGION_ROLE_COLL_ALL2ONE;
    default:
      return OTF2_REGION_ROLE_COLL_OTHER;
    }
  if (isSend(role) || isReceive(role) || role == MpiRole::SendReceive || endsRequests(role))
    return OTF2_REGION_ROLE_POINT2POINT;
  return OTF2_REGION_ROLE_FUNCTION;
}

OTF2_CollectiveOp operationOf(Collective operation, bool hasOwnCounts) {
  switch (operation) {
  case Collective::Barrier:
    return OTF2_COLLECTIVE_OP_BARRIER;
  case Collective::Broadcast:
    return OTF2_COLLECTIVE_OP_BCAST;
  case Collective::Gather:
    return hasOwnCounts ? OTF2_COLLECTIVE_OP_GATHERV : OTF2_COLLECTIVE_OP_GATHER;
  case Collective::Scatter:
    return hasOwnCounts ? OTF2_COLLECTIVE_OP_SCATTERV : OTF2_COLLECTIVE_OP_SCATTER;
  case Collective::Allgather:
    return hasOwnCounts ? OTF2_COLLECTIVE_OP_ALLGATHERV : OTF2_COLLECTIVE_OP_ALLGATHER;
  case Collective::Reduce:
    return OTF2_COLLECTIVE_OP_REDUCE;
  case Collective::Allreduce:
    return OTF2_COLLECTIVE_OP_ALLREDUCE;
  case Collective::ReduceScatter:
    return hasOwnCounts ? OTF2_COLLECTIVE_OP_REDUCE_SCATTER
                        : OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
  case Collective::Scan:
    return OTF2_COLLECTIVE_OP_SCAN;
  default:
    return hasOwnCounts ? OTF2_COLLECTIVE_OP_ALLTOALLV : OTF2_COLLECTIVE_OP_ALLTOALL;
  }
}

} // namespace

OTF2_CollectiveOp collectiveOperation(const MpiFunction &function) {
  if (function.amount == CollectiveAmount::Context ||
      function.amount == CollectiveAmount::Membership)
    return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
  const bool hasOwnCounts = function.amount == CollectiveAmount::OwnBlock ||
                            function.amount == CollectiveAmount::CountForEach;
  return operationOf(function.operation.value_or(Collective::AllToAll), hasOwnCounts);
}

Otf2Definitions::Otf2Definitions(const Profile &profile, const Timeline &timeline)
    : profile(profile), timeline(timeline), everyone(timeline.ranks.size()) {
  std::iota(everyone.begin(), everyone.end(), 0);
}

OTF2_RegionRef Otf2Definitions::regionOf(std::size_t rank, const Event &event) {
  SourceLine source = sourceOf(profile, profile.ranks[rank], event);
  Region region;
  if (event.kind == EventKind::Call) {
    const MpiFunction &function = mpiFunction(event.function);
    region = {std::string(function.name), source.file, source.line, function.role, function.flow};
  } else {
    region = {"redistribute", source.file, source.line};
  }
  const auto [found, isNew] = regionNumbers.try_emplace(
      {region.name, region.file, region.line}, static_cast<OTF2_RegionRef>(regions.size()));
  if (isNew)
    regions.push_back(std::move(region));
  return found->second;
}

const std::vector<int> &Otf2Definitions::membersOf(OTF2_CommRef communicator) const {
  return communicator < timeline.communicators.size() &&
                 !timeline.communicators[communicator].intercommunicator
             ? timeline.communicators[communicator].members.vector()
             : everyone;
}

Otf2Definitions::Place Otf2Definitions::placeOf(std::size_t rank, const Event &event,
                                                int worldRank) const {
  const std::uint32_t number = timeline.communicators.of(rank, event.communicator);
  if (number != CommunicatorNumbers::none) {
    const std::vector<int> &members = membersOf(number);
    const std::uint32_t place = memberOf(members, worldRank);
    if (place < members.size() && memberOf(members, static_cast<int>(rank)) < members.size())
      return {number, place};
  }
  return {static_cast<OTF2_CommRef>(timeline.communicators.size()),
          static_cast<std::uint32_t>(worldRank)};
}

void Otf2Definitions::write(OTF2_GlobalDefWriter *writer, const Otf2Library &library,
                            const std::string &title, std::uint64_t end,
                            const std::vector<std::uint64_t> &events) {
  out = writer;
  checks = &library;
  checks->check(OTF2_GlobalDefWriter_WriteClockProperties(out, 1'000'000'000, 0, end + 1,
                                                          OTF2_UNDEFINED_TIMESTAMP),
                "writing definitions");
  writeLocations(title, events);
  writeCommunicators();
  writeRegions();
}

OTF2_StringRef Otf2Definitions::stringOf(const std::string &text) {
  const auto [found, isNew] =
      strings.try_emplace(text, static_cast<OTF2_StringRef>(strings.size()));
  if (isNew)
    checks->check(OTF2_GlobalDefWriter_WriteString(out, found->second, text.c_str()),
                  "writing definitions");
  return found->second;
}

/// The run is the root of the system tree; below it are the hosts with their ranks.
void Otf2Definitions::writeLocations(const std::string &title,
                                     const std::vector<std::uint64_t> &events) {
  const char *const what = "writing definitions";
  checks->check(OTF2_GlobalDefWriter_WriteSystemTreeNode(
                    out, 0, stringOf(title), stringOf("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE),
                what);
  std::map<std::string, OTF2_SystemTreeNodeRef> hosts;
  for (std::size_t rank = 0; rank < events.size(); ++rank) {
    const std::string &host = profile.ranks[rank].host;
    const auto [node, isNew] =
        hosts.try_emplace(host, static_cast<OTF2_SystemTreeNodeRef>(hosts.size() + 1));
    if (isNew)
      checks->check(OTF2_GlobalDefWriter_WriteSystemTreeNode(out, node->second,
                                                             stringOf(host.empty() ? "host" : host),
                                                             stringOf("node"), 0),
                    what);
    const OTF2_StringRef name = stringOf("rank " + std::to_string(rank));
    checks->check(
        OTF2_GlobalDefWriter_WriteLocationGroup(out, static_cast<OTF2_LocationGroupRef>(rank), name,
                                                OTF2_LOCATION_GROUP_TYPE_PROCESS, node->second,
                                                OTF2_UNDEFINED_LOCATION_GROUP),
        what);
    checks->check(OTF2_GlobalDefWriter_WriteLocation(out, rank, name, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                     events[rank],
                                                     static_cast<OTF2_LocationGroupRef>(rank)),
                  what);
  }
}

/// Group 0 lists the locations; group n + 1 is that of communicator n. The last communicator has
/// all ranks.
void Otf2Definitions::writeCommunicators() {
  const char *const what = "writing definitions";
  const auto writeGroup = [&](OTF2_GroupRef group, OTF2_GroupType type,
                              const std::vector<int> &members) {
    const std::vector<std::uint64_t> list(members.begin(), members.end());
    checks->check(OTF2_GlobalDefWriter_WriteGroup(
                      out, group, stringOf(""), type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                      static_cast<std::uint32_t>(list.size()), list.data()),
                  what);
  };
  writeGroup(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, everyone);
  const auto count = static_cast<OTF2_CommRef>(timeline.communicators.size());
  for (OTF2_CommRef number = 0; number <= count; ++number) {
    writeGroup(number + 1, OTF2_GROUP_TYPE_COMM_GROUP, membersOf(number));
    const std::string name = number == count ? "all ranks"
                             : number == 0   ? "MPI_COMM_WORLD"
                             : timeline.communicators[number].intercommunicator
                                 ? "intercommunicators"
                                 : "communicator " + std::to_string(number);
    checks->check(OTF2_GlobalDefWriter_WriteComm(out, number, stringOf(name), number + 1,
                                                 OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE),
                  what);
  }
}

void Otf2Definitions::writeRegions() {
  for (std::size_t index = 0; index < regions.size(); ++index) {
    const Region &region = regions[index];
    const OTF2_StringRef name = stringOf(region.name);
    const bool hasLine = region.line > 0 && !region.file.empty();
    checks->check(
        OTF2_GlobalDefWriter_WriteRegion(out, static_cast<OTF2_RegionRef>(index), name, name,
                                         stringOf(""), regionRole(region.role, region.flow),
                                         OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                                         hasLine ? stringOf(region.file) : OTF2_UNDEFINED_STRING,
                                         hasLine ? region.line : 0, hasLine ? region.line : 0),
        "writing definitions");
  }
}

} // namespace sendwright
