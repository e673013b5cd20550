// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content of the sections of a profile file. Everything is validated as it is read;
// ProfileRelations.h lists what must hold.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_PROFILECODEC_H
#define SENDWRIGHT_ANALYSIS_TRACE_PROFILECODEC_H

#include "analysis/file/Bytes.h"
#include "analysis/trace/MemberLists.h"
#include "analysis/trace/Profile.h"

#include <string>
#include <unordered_map>

namespace sendwright {

void encodeSite(ByteWriter &out, const SiteIdentity &site);
/// Throws FormatError, as `in` does.
SiteIdentity decodeSite(ByteReader &in);

/// One event. Equal events have equal bytes, different ones different bytes.
void encodeEvent(ByteWriter &out, const Event &event);

/// Redistributions over at most `rankCount` ranks. Decoding throws FormatError.
void encodeRedistributions(ByteWriter &out, const std::vector<RecordedRedistribution> &list);
std::vector<RecordedRedistribution> decodeRedistributions(ByteReader &in, std::size_t rankCount);

/// In this version of profiles every rank lists all members of its communicators.
inline constexpr std::uint32_t versionWithAllMembers = 6;

/// The events that a rank has itself; `rank` must outlive the result.
EventSource eventsOf(const RankProfile &rank);

/// Writes the content of a rank's section, before compression. Its events are those of `events`.
/// Returns the lists of members that it names, before compression.
std::vector<SharedMembers> encodeRankContent(ByteWriter &out, const RankProfile &rank,
                                             const EventSource &events,
                                             const std::vector<SiteIdentity> &sites,
                                             const std::vector<SiteIdentity> &callSites,
                                             const std::vector<ProfiledUnit> &units,
                                             MemberWriter &lists);

/// Joins ranks into a profile: each rank has its own lists of sites and units, the profile has one.
class ProfileAssembler {
public:
  /// Appends the next rank from the content of its section. `rankCount` is that of the whole
  /// profile, `version` the file's. Throws FormatError, as `in` does. Expected linear time.
  void add(ByteReader in, std::size_t rankCount, std::uint32_t version = versionWithAllMembers + 1);
  /// A list of members that ranks to be added name; `content` is what `in` reads. Throws
  /// FormatError.
  void addMembers(ByteReader in, std::string_view content, std::size_t rankCount) {
    lists.add(std::move(in), content, rankCount);
  }
  /// The index of a loop in the profile; equal for all sites that are sameAs() it.
  int siteIndex(const SiteIdentity &site);
  /// The same for a call.
  int callSiteIndex(const SiteIdentity &site);
  void addUnit(ProfiledUnit unit);

  Profile profile;

private:
  void readCommunicators(std::vector<Communicator> &communicators, ByteReader &in,
                         std::size_t rankCount);
  void shareMembers(std::vector<Communicator> &communicators, const ByteReader &in);

  std::unordered_map<std::string, int> siteIndices, callSiteIndices;
  std::unordered_map<std::string, bool> knownUnits;
  MemberLists lists;
};

} // namespace sendwright

#endif
