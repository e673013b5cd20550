// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definitions of an archive that is read. Everything is checked as it is read, as the archive
// may come from anywhere.

#ifndef SENDWRIGHT_TOOL_COMMAND_OTF2_OTF2READDEFINITIONS_H
#define SENDWRIGHT_TOOL_COMMAND_OTF2_OTF2READDEFINITIONS_H

#include "analysis/trace/Profile.h"
#include "tool/command/otf2/Otf2Library.h"

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sendwright {

/// Runs what a callback of the library does. No exception may cross the library, which is in C: it
/// is kept, reading is interrupted, and it is thrown again by rethrow().
class CallbackGuard {
public:
  template <typename Act> OTF2_CallbackCode run(Act &&act) {
    try {
      act();
      return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
      caught = std::current_exception();
      return OTF2_CALLBACK_INTERRUPT;
    }
  }
  void rethrow() const {
    if (caught)
      std::rethrow_exception(caught);
  }

private:
  std::exception_ptr caught;
};

class Otf2ReadDefinitions {
public:
  struct Region {
    std::string name, file;
    unsigned line = 0;
    bool isMpi = false; ///< named MPI_...
  };
  /// A communicator as a rank sees it, and the ranks that its messages go to.
  struct SeenCommunicator {
    Communicator communicator;
    RankList partners;
  };

  /// Reads the global definitions. Throws FormatError.
  Otf2ReadDefinitions(OTF2_Reader *reader, const Otf2Library &library);

  /// The locations of the ranks.
  const std::vector<std::uint64_t> &locations() const { return ranks; }
  std::uint64_t eventsOf(std::size_t rank) const { return locationEvents.at(ranks[rank]); }
  /// The host of a rank; may be empty.
  std::string hostOf(std::size_t rank) const;
  const Communicator &world() const { return worldCommunicator; }
  /// Seconds since the trace began.
  double secondsAt(OTF2_TimeStamp time) const;
  /// Null if it is unknown.
  const Region *region(OTF2_RegionRef reference) const;
  /// Throws FormatError if it is unknown, or does not hold the rank.
  SeenCommunicator communicator(OTF2_CommRef reference, std::size_t rank) const;

private:
  struct Group {
    OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
    bool isOfMpi = false, hasGlobalMembers = false;
    std::vector<std::uint64_t> members;
  };
  struct Comm {
    OTF2_GroupRef group = 0, remote = OTF2_UNDEFINED_GROUP; // `remote`: of an intercommunicator
    unsigned instance = 0;
  };
  struct RawRegion {
    OTF2_StringRef name, canonicalName, file;
    std::uint32_t line;
  };

  /// What the library calls for each definition, with this object as the first argument; the
  /// caller deletes it.
  static OTF2_GlobalDefReaderCallbacks *makeCallbacks();
  static void setClockCallback(OTF2_GlobalDefReaderCallbacks *callbacks);
  static void setRegionCallbacks(OTF2_GlobalDefReaderCallbacks *callbacks); ///< also of all names
  static void setCommunicatorCallbacks(OTF2_GlobalDefReaderCallbacks *callbacks);
  /// Also of the locations' hosts.
  static void setLocationCallbacks(OTF2_GlobalDefReaderCallbacks *callbacks);
  void findRanks();
  void findRegions();
  void numberCommunicators();
  RankList worldRanks(OTF2_GroupRef reference, std::size_t rank) const;
  std::string text(OTF2_StringRef reference) const;

  const Otf2Library &library;
  CallbackGuard guard;
  std::unordered_map<OTF2_StringRef, std::string> strings;
  std::unordered_map<OTF2_RegionRef, RawRegion> rawRegions;
  std::unordered_map<OTF2_RegionRef, Region> regions;
  std::map<OTF2_GroupRef, Group> groups;
  std::map<OTF2_CommRef, Comm> comms;
  std::unordered_map<std::uint64_t, std::uint64_t> locationEvents;
  std::unordered_map<std::uint64_t, OTF2_LocationGroupRef> groupOfLocation;
  std::unordered_map<OTF2_LocationGroupRef, OTF2_SystemTreeNodeRef> nodeOfGroup;
  std::unordered_map<OTF2_SystemTreeNodeRef, OTF2_StringRef> nodeNames;
  std::map<OTF2_GroupRef, RankList> ranksOfGroups;
  std::vector<std::uint64_t> ranks; // their locations
  std::unordered_map<std::uint64_t, int> rankOfLocation;
  Communicator worldCommunicator;
  std::uint64_t members = 0; // of all groups
  std::uint64_t ticksPerSecond = 0, firstTick = 0;
};

} // namespace sendwright

#endif
