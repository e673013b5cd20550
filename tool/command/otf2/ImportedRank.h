// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run of one rank, built from the records of an archive. A call of MPI is a region with records
// within. What a non-blocking receive takes is known where it is completed, so it and what follows
// it are kept until then.

#ifndef SENDWRIGHT_TOOL_COMMAND_OTF2_IMPORTEDRANK_H
#define SENDWRIGHT_TOOL_COMMAND_OTF2_IMPORTEDRANK_H

#include "analysis/trace/EventNumbers.h"
#include "tool/command/otf2/CollectiveSizes.h"
#include "tool/command/otf2/Otf2ReadDefinitions.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace sendwright {

struct RecordedMessage {
  OTF2_CommRef communicator = 0;
  std::uint32_t partner = 0; ///< member of the communicator; of the remote group if it has one
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
};

struct RecordedCollective {
  OTF2_CollectiveOp operation = OTF2_COLLECTIVE_OP_BARRIER;
  OTF2_CommRef communicator = 0;
  std::uint32_t root = OTF2_COLLECTIVE_ROOT_NONE;
  CollectiveSizes sizes;
};

class ImportedRank {
public:
  using SiteIndex = std::function<int(const SiteIdentity &)>;

  /// All must outlive it. `siteIndex`: numbers a site.
  ImportedRank(const Otf2ReadDefinitions &definitions, const Otf2Library &library, std::size_t rank,
               RankProfile &profile, SiteIndex siteIndex);

  // The records, in their order. All throw FormatError.
  void enter(OTF2_TimeStamp time, OTF2_RegionRef region);
  void leave(OTF2_TimeStamp time);
  void send(OTF2_TimeStamp time, const RecordedMessage &message);
  void startSend(OTF2_TimeStamp time, const RecordedMessage &message, std::uint64_t request);
  void receive(OTF2_TimeStamp time, const RecordedMessage &message);
  void startReceive(OTF2_TimeStamp time, std::uint64_t request);
  void completeSend(OTF2_TimeStamp time, std::uint64_t request);
  void completeReceive(OTF2_TimeStamp time, const RecordedMessage &message, std::uint64_t request);
  void cancel(OTF2_TimeStamp time, std::uint64_t request);
  void endCollective(OTF2_TimeStamp time, const RecordedCollective &collective);
  void startCollective(OTF2_TimeStamp time, std::uint64_t request);
  void completeCollective(OTF2_TimeStamp time, const RecordedCollective &collective,
                          std::uint64_t request);

  /// Completes the profile of the rank.
  void finish();
  /// Whether there was any record of MPI.
  bool hasMpi() const { return records > 0; }

private:
  struct OpenRegion {
    OTF2_RegionRef region = 0;
    int site = noSite; // of this region or the innermost around it that has a line
  };
  /// An event that is not yet part of the run.
  struct PendingEvent {
    Event event;
    double before = 0, inside = 0;
    bool isComplete = true;
  };
  struct OpenRequest {
    std::uint64_t pending = 0; // counts all events of the rank
    int number = 0;
  };
  /// The call whose records are being read.
  struct Call {
    const MpiFunction *function = nullptr; // null if its region is unknown
    std::size_t depth = 0;                 // regions open around it, and it; 0: no call
    double begin = 0;
    std::vector<PendingEvent> events;
    std::vector<int> completed, cancelled; // requests
  };

  double seconds(OTF2_TimeStamp time);
  template <typename Act> void record(OTF2_TimeStamp time, Act &&act);
  Event eventOf(const MpiFunction &function) const;
  Event eventOfCall(bool (*hasRole)(MpiRole), bool hasRequest, MpiFunctionId otherwise) const;
  int communicatorIndex(OTF2_CommRef reference);
  int partner(OTF2_CommRef reference, std::uint32_t rank) const;
  int tagOf(std::uint32_t tag) const;
  void describeMessage(Event &event, const RecordedMessage &message);
  void describeCollective(Event &event, const RecordedCollective &collective);
  void open(Event event, std::uint64_t request, bool isComplete);
  PendingEvent *close(std::uint64_t request);
  void finishCall(double end);
  void append(PendingEvent event);
  void flush(bool all);
  [[noreturn]] void fail(const std::string &problem) const;

  const Otf2ReadDefinitions &definitions;
  const Otf2Library &library;
  const std::size_t rank;
  RankProfile &profile;
  SiteIndex siteIndex;
  EventNumbers numbers;
  GrammarBuilder sequence;
  std::vector<OpenRegion> regions;
  std::unordered_map<OTF2_CommRef, int> communicators;
  std::unordered_map<OTF2_CommRef, RankList> partners;
  Call call;
  std::deque<PendingEvent> pending;
  std::uint64_t flushed = 0; // events that have left `pending`
  std::unordered_map<std::uint64_t, OpenRequest> requests;
  std::set<int> freeNumbers;
  int nextNumber = 0;
  std::uint64_t records = 0;
  bool hasBegun = false;
  double first = 0, last = 0, callEnd = 0; // seconds
};

} // namespace sendwright

#endif
