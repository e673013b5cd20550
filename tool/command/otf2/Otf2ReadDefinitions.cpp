// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/otf2/Otf2ReadDefinitions.h"

#include "analysis/file/Limits.h"
#include "analysis/trace/TextTrace.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

namespace sendwright {

Otf2ReadDefinitions::Otf2ReadDefinitions(OTF2_Reader *reader, const Otf2Library &library)
    : library(library) {
  const char *const what = "reading definitions";
  OTF2_GlobalDefReader *const definitions =
      library.check(OTF2_Reader_GetGlobalDefReader(reader), what);
  OTF2_GlobalDefReaderCallbacks *const callbacks = makeCallbacks();
  const OTF2_ErrorCode registered =
      OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, this);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  library.check(registered, what);
  std::uint64_t read = 0;
  const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
  guard.rethrow();
  library.check(code, what);
  OTF2_Reader_CloseGlobalDefReader(reader, definitions);
  if (ticksPerSecond == 0)
    library.fail("no clock, expected the resolution of its times");
  findRanks();
  findRegions();
  numberCommunicators();
}

OTF2_GlobalDefReaderCallbacks *Otf2ReadDefinitions::makeCallbacks() {
  OTF2_GlobalDefReaderCallbacks *const callbacks = OTF2_GlobalDefReaderCallbacks_New();
  setClockCallback(callbacks);
  setRegionCallbacks(callbacks);
  setCommunicatorCallbacks(callbacks);
  setLocationCallbacks(callbacks);
  return callbacks;
}

void Otf2ReadDefinitions::setClockCallback(OTF2_GlobalDefReaderCallbacks *callbacks) {
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
      callbacks,
      [](void *self, std::uint64_t resolution, std::uint64_t offset, std::uint64_t, std::uint64_t) {
        static_cast<Otf2ReadDefinitions *>(self)->ticksPerSecond = resolution;
        static_cast<Otf2ReadDefinitions *>(self)->firstTick = offset;
        return OTF2_CALLBACK_SUCCESS;
      });
}

void Otf2ReadDefinitions::setRegionCallbacks(OTF2_GlobalDefReaderCallbacks *callbacks) {
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, [](void *self,
                                                                OTF2_StringRef reference,
                                                                const char *string) {
    Otf2ReadDefinitions &definitions = *static_cast<Otf2ReadDefinitions *>(self);
    return definitions.guard.run([&] { definitions.strings[reference] = string ? string : ""; });
  });
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(
      callbacks, [](void *self, OTF2_RegionRef reference, OTF2_StringRef name,
                    OTF2_StringRef canonicalName, OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm,
                    OTF2_RegionFlag, OTF2_StringRef file, std::uint32_t line, std::uint32_t) {
        Otf2ReadDefinitions &definitions = *static_cast<Otf2ReadDefinitions *>(self);
        return definitions.guard.run(
            [&] { definitions.rawRegions[reference] = {name, canonicalName, file, line}; });
      });
}

void Otf2ReadDefinitions::setCommunicatorCallbacks(OTF2_GlobalDefReaderCallbacks *callbacks) {
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(
      callbacks, [](void *self, OTF2_GroupRef reference, OTF2_StringRef, OTF2_GroupType type,
                    OTF2_Paradigm paradigm, OTF2_GroupFlag flags, std::uint32_t count,
                    const std::uint64_t *list) {
        Otf2ReadDefinitions &definitions = *static_cast<Otf2ReadDefinitions *>(self);
        return definitions.guard.run([&] {
          definitions.members += count;
          if (definitions.members > limits::members)
            definitions.library.fail("more than " + std::to_string(limits::members) +
                                     " members of groups, expected fewer");
          definitions.groups[reference] = {type,
                                           paradigm == OTF2_PARADIGM_MPI,
                                           (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0,
                                           {list, list + count}};
        });
      });
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, [](void *self, OTF2_CommRef reference,
                                                              OTF2_StringRef, OTF2_GroupRef group,
                                                              OTF2_CommRef, OTF2_CommFlag) {
    Otf2ReadDefinitions &definitions = *static_cast<Otf2ReadDefinitions *>(self);
    return definitions.guard.run([&] { definitions.comms[reference].group = group; });
  });
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(
      callbacks, [](void *self, OTF2_CommRef reference, OTF2_StringRef, OTF2_GroupRef one,
                    OTF2_GroupRef other, OTF2_CommRef, OTF2_CommFlag) {
        Otf2ReadDefinitions &definitions = *static_cast<Otf2ReadDefinitions *>(self);
        return definitions.guard.run([&] { definitions.comms[reference] = {one, other, 0}; });
      });
}

void Otf2ReadDefinitions::setLocationCallbacks(OTF2_GlobalDefReaderCallbacks *callbacks) {
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
      callbacks, [](void *self, OTF2_LocationRef reference, OTF2_StringRef, OTF2_LocationType,
                    std::uint64_t events, OTF2_LocationGroupRef group) {
        Otf2ReadDefinitions &definitions = *static_cast<Otf2ReadDefinitions *>(self);
        return definitions.guard.run([&] {
          definitions.locationEvents[reference] = events;
          definitions.groupOfLocation[reference] = group;
        });
      });
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(
      callbacks, [](void *self, OTF2_LocationGroupRef reference, OTF2_StringRef,
                    OTF2_LocationGroupType, OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef) {
        Otf2ReadDefinitions &definitions = *static_cast<Otf2ReadDefinitions *>(self);
        return definitions.guard.run([&] { definitions.nodeOfGroup[reference] = node; });
      });
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(
      callbacks, [](void *self, OTF2_SystemTreeNodeRef reference, OTF2_StringRef name,
                    OTF2_StringRef, OTF2_SystemTreeNodeRef) {
        Otf2ReadDefinitions &definitions = *static_cast<Otf2ReadDefinitions *>(self);
        return definitions.guard.run([&] { definitions.nodeNames[reference] = name; });
      });
}

std::string Otf2ReadDefinitions::text(OTF2_StringRef reference) const {
  const auto found = strings.find(reference);
  return found == strings.end() ? "" : found->second;
}

/// The ranks are the members of MPI's group of locations.
void Otf2ReadDefinitions::findRanks() {
  for (const auto &[reference, group] : groups)
    if (group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS && group.isOfMpi && ranks.empty())
      ranks = group.members;
  if (ranks.empty())
    library.fail("no ranks of MPI, expected the trace of an MPI program");
  if (ranks.size() > mostTraceRanks)
    library.fail(std::to_string(ranks.size()) + " ranks, expected at most " +
                 std::to_string(mostTraceRanks));
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::string location = std::to_string(ranks[rank]);
    if (!locationEvents.count(ranks[rank]))
      library.fail("rank " + std::to_string(rank) + " is location " + location +
                   ", expected a location that is defined");
    if (!rankOfLocation.try_emplace(ranks[rank], static_cast<int>(rank)).second)
      library.fail("location " + location + " twice among the ranks, expected it once");
  }
}

void Otf2ReadDefinitions::findRegions() {
  for (const auto &[reference, raw] : rawRegions) {
    Region region{text(raw.canonicalName), text(raw.file), raw.line, false};
    if (region.name.rfind("MPI_", 0) != 0)
      region.name = text(raw.name);
    region.isMpi = region.name.rfind("MPI_", 0) == 0;
    regions[reference] = std::move(region);
  }
}

/// The first communicator of all ranks is MPI_COMM_WORLD.
void Otf2ReadDefinitions::numberCommunicators() {
  std::vector<int> everyone(ranks.size());
  std::iota(everyone.begin(), everyone.end(), 0);
  worldCommunicator.members = everyone;
  std::map<std::vector<int>, unsigned> known;
  unsigned intercommunicators = 0, ofOneRank = 0;
  for (auto &[reference, comm] : comms) {
    if (comm.remote != OTF2_UNDEFINED_GROUP) {
      comm.instance = intercommunicators++;
      continue;
    }
    const auto group = groups.find(comm.group);
    if (group == groups.end())
      library.fail("communicator " + std::to_string(reference) + " has group " +
                   std::to_string(comm.group) + ", expected a group that is defined");
    if (group->second.type == OTF2_GROUP_TYPE_COMM_SELF) {
      comm.instance = 1U << 30 | ofOneRank++; // apart from those of groups of one rank
      continue;
    }
    const RankList members = worldRanks(comm.group, 0);
    const RankList &kept = ranksOfGroups.try_emplace(comm.group, members).first->second;
    comm.instance = known[kept]++;
  }
}

RankList Otf2ReadDefinitions::worldRanks(OTF2_GroupRef reference, std::size_t rank) const {
  if (const auto kept = ranksOfGroups.find(reference); kept != ranksOfGroups.end())
    return kept->second;
  const auto found = groups.find(reference);
  if (found == groups.end())
    library.fail("group " + std::to_string(reference) +
                 " of a communicator is not defined, "
                 "expected its members");
  const Group &group = found->second;
  if (group.type == OTF2_GROUP_TYPE_COMM_SELF)
    return RankList{static_cast<int>(rank)};
  if (group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
    return worldCommunicator.members;
  std::vector<int> list;
  std::set<int> seen;
  for (const std::uint64_t member : group.members) {
    int one = -1;
    if (group.hasGlobalMembers) {
      const auto place = rankOfLocation.find(member);
      one = place == rankOfLocation.end() ? -1 : place->second;
    } else if (member < ranks.size()) {
      one = static_cast<int>(member);
    }
    if (one < 0 || !seen.insert(one).second)
      library.fail("member " + std::to_string(member) + " of group " + std::to_string(reference) +
                   ", expected each of the " + std::to_string(ranks.size()) +
                   " ranks at most once");
    list.push_back(one);
  }
  return list;
}

std::string Otf2ReadDefinitions::hostOf(std::size_t rank) const {
  const auto group = groupOfLocation.find(ranks[rank]);
  const auto node =
      group == groupOfLocation.end() ? nodeOfGroup.end() : nodeOfGroup.find(group->second);
  const auto name = node == nodeOfGroup.end() ? nodeNames.end() : nodeNames.find(node->second);
  return name == nodeNames.end() ? "" : text(name->second);
}

double Otf2ReadDefinitions::secondsAt(OTF2_TimeStamp time) const {
  const std::uint64_t ticks = time < firstTick ? 0 : time - firstTick;
  return static_cast<double>(ticks) / static_cast<double>(ticksPerSecond);
}

const Otf2ReadDefinitions::Region *Otf2ReadDefinitions::region(OTF2_RegionRef reference) const {
  const auto found = regions.find(reference);
  return found == regions.end() ? nullptr : &found->second;
}

Otf2ReadDefinitions::SeenCommunicator Otf2ReadDefinitions::communicator(OTF2_CommRef reference,
                                                                        std::size_t rank) const {
  const auto found = comms.find(reference);
  if (found == comms.end())
    library.fail("rank " + std::to_string(rank) + " uses communicator " +
                 std::to_string(reference) + ", expected one that is defined");
  const Comm &comm = found->second;
  RankList local = worldRanks(comm.group, rank), remote = local;
  const auto holds = [&](const RankList &list) {
    return std::find(list.begin(), list.end(), static_cast<int>(rank)) != list.end();
  };
  const bool isBetween = comm.remote != OTF2_UNDEFINED_GROUP;
  if (isBetween) {
    remote = worldRanks(comm.remote, rank);
    if (!holds(local))
      std::swap(local, remote);
  }
  if (!holds(local))
    library.fail("rank " + std::to_string(rank) + " uses communicator " +
                 std::to_string(reference) + ", which does not hold it, expected a member");
  return {{local, comm.instance, isBetween}, remote};
}

} // namespace sendwright
