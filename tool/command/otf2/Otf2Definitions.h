// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the events of an archive refer to: regions, communicators, locations. Region numbers are
// those of places (function and line); communicators have the numbers of the timeline.

#ifndef SENDWRIGHT_TOOL_COMMAND_OTF2_OTF2DEFINITIONS_H
#define SENDWRIGHT_TOOL_COMMAND_OTF2_OTF2DEFINITIONS_H

#include "analysis/run/Timeline.h"
#include "analysis/trace/Profile.h"
#include "tool/command/otf2/Otf2Library.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace sendwright {

/// The operation that stands for a collective function, or for a call that makes or frees a
/// communicator.
OTF2_CollectiveOp collectiveOperation(const MpiFunction &function);

class Otf2Definitions {
public:
  /// All must outlive it.
  Otf2Definitions(const Profile &profile, const Timeline &timeline);

  /// The region of an event that is drawn. O(log n) for n regions.
  OTF2_RegionRef regionOf(std::size_t rank, const Event &event);

  /// A rank in a communicator: its reference, and the rank's number there. If the communicator is
  /// unknown or does not hold the rank (an intercommunicator), in that of all ranks.
  struct Place {
    OTF2_CommRef communicator = 0;
    std::uint32_t rank = 0;
  };
  Place placeOf(std::size_t rank, const Event &event, int worldRank) const;
  /// The communicator of a call, in which it has its own place.
  Place ownPlace(std::size_t rank, const Event &event) const {
    return placeOf(rank, event, static_cast<int>(rank));
  }
  const std::vector<int> &membersOf(OTF2_CommRef communicator) const;

  /// Writes all, once the events are written. `events`: how many each rank has.
  void write(OTF2_GlobalDefWriter *writer, const Otf2Library &library, const std::string &title,
             std::uint64_t end, const std::vector<std::uint64_t> &events);

private:
  struct Region {
    std::string name, file;
    unsigned line = 0;
    MpiRole role = MpiRole::Query;
    CollectiveFlow flow = CollectiveFlow::None;
  };

  OTF2_StringRef stringOf(const std::string &text);
  void writeLocations(const std::string &title, const std::vector<std::uint64_t> &events);
  void writeCommunicators();
  void writeRegions();

  const Profile &profile;
  const Timeline &timeline;
  std::vector<int> everyone;
  std::map<std::tuple<std::string, std::string, unsigned>, OTF2_RegionRef> regionNumbers;
  std::vector<Region> regions;
  std::unordered_map<std::string, OTF2_StringRef> strings;
  OTF2_GlobalDefWriter *out = nullptr;
  const Otf2Library *checks = nullptr;
};

} // namespace sendwright

#endif
