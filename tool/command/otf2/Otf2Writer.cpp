// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank's events, in order of time. What a call sends or posts has the time of its begin, what
// it receives or completes that of its end. The record of a non-blocking receive or collective
// operation is at the call that completes it, so what it will say is kept until then.

#include "tool/command/otf2/Otf2Archive.h"

#include "analysis/simulation/RunMessages.h"
#include "tool/command/otf2/ArchiveFiles.h"
#include "tool/command/otf2/CollectiveSizes.h"
#include "tool/command/otf2/Otf2Definitions.h"
#include "tool/command/otf2/Otf2Library.h"

#include <memory>
#include <optional>
#include <unordered_map>

namespace sendwright {

namespace {

constexpr std::uint64_t chunkBytes = std::uint64_t{1} << 20;

struct ReceivedMessage {
  Otf2Definitions::Place source;
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
};

struct CollectiveEnd {
  OTF2_CollectiveOp operation = OTF2_COLLECTIVE_OP_BARRIER;
  OTF2_CommRef communicator = 0;
  std::uint32_t root = OTF2_COLLECTIVE_ROOT_NONE;
  CollectiveSizes sizes;
};

struct OpenRequestRecord {
  std::uint64_t number = 0; // unique on the rank
  bool isCancelled = false;
  std::optional<ReceivedMessage> receive;
  std::optional<CollectiveEnd> collective;
  bool isSend = false;
};

class RankEvents {
public:
  RankEvents(const Timeline &timeline, const TimedRun &times, const RunMessages &messages,
             Otf2Definitions &definitions, const Otf2Library &library, std::size_t rank,
             OTF2_EvtWriter *writer)
      : timeline(timeline), times(times), messages(messages), definitions(definitions),
        library(library), rank(rank), writer(writer),
        regions(timeline.ranks[rank].profile->events.size(), OTF2_UNDEFINED_REGION) {}

  void write() {
    const RankTimeline &events = timeline.ranks[rank];
    for (std::size_t position = 0; position < times.of(rank).size(); ++position)
      if (isDrawn(events.at(position)))
        writeCall(position, events.at(position), times.of(rank)[position]);
  }

private:
  void check(OTF2_ErrorCode code) const { library.check(code, "writing events"); }

  OTF2_RegionRef regionAt(std::size_t position) {
    OTF2_RegionRef &region = regions[timeline.ranks[rank].numbers[position]];
    if (region == OTF2_UNDEFINED_REGION)
      region = definitions.regionOf(rank, timeline.ranks[rank].at(position));
    return region;
  }

  void writeCall(std::size_t position, const Event &event, const EventTimes &time) {
    const OTF2_RegionRef region = regionAt(position);
    check(OTF2_EvtWriter_Enter(writer, nullptr, time.begin, region));
    if (event.kind == EventKind::Call) {
      const MpiFunction &function = mpiFunction(event.function);
      if (isSend(function.role) || function.role == MpiRole::SendReceive)
        writeSend(event, function, time);
      if (isReceive(function.role) || function.role == MpiRole::SendReceive)
        writeReceive(position, event, function, time);
      else if (isCollective(function.role))
        writeCollective(event, function, time);
      else if (endsRequests(function.role))
        writeCompletion(event, function, time);
    }
    check(OTF2_EvtWriter_Leave(writer, nullptr, time.end, region));
  }

  OpenRequestRecord &open(const Event &event) {
    OpenRequestRecord &request = event.requests.empty() ? unnamed : requests[event.requests[0]];
    request = {};
    request.number = nextRequest++;
    return request;
  }

  void writeSend(const Event &event, const MpiFunction &function, const EventTimes &time) {
    if (event.peer < 0)
      return;
    const Otf2Definitions::Place target = definitions.placeOf(rank, event, event.peer);
    const auto tag = static_cast<std::uint32_t>(event.tag);
    if (function.request < 0) {
      check(OTF2_EvtWriter_MpiSend(writer, nullptr, time.begin, target.rank, target.communicator,
                                   tag, event.bytes));
      return;
    }
    OpenRequestRecord &request = open(event);
    request.isSend = true;
    check(OTF2_EvtWriter_MpiIsend(writer, nullptr, time.begin, target.rank, target.communicator,
                                  tag, event.bytes, request.number));
  }

  /// What a receive posted here takes; nothing if that is unknown.
  std::optional<ReceivedMessage> receivedMessage(std::size_t position, const Event &event,
                                                 const MpiFunction &function) const {
    std::optional<ReceivedMessage> received;
    const bool exchanges = function.role == MpiRole::SendReceive;
    const int source = exchanges ? event.receivePeer : event.peer;
    const int tag = exchanges ? event.receiveTag : event.tag;
    if (source >= 0 && tag >= 0)
      received = {definitions.placeOf(rank, event, source), static_cast<std::uint32_t>(tag),
                  exchanges ? event.receiveBytes : event.bytes};
    const auto ignore = [](std::uint32_t) {};
    messages.at(
        rank, position,
        [&](std::uint32_t index) {
          const EventPosition &send = timeline.messages[index].send;
          const Event &sent = timeline.ranks[send.rank].at(send.position);
          received = {definitions.placeOf(rank, event, static_cast<int>(send.rank)),
                      static_cast<std::uint32_t>(sent.tag), sent.bytes};
        },
        ignore, ignore);
    return received;
  }

  void writeReceive(std::size_t position, const Event &event, const MpiFunction &function,
                    const EventTimes &time) {
    const std::optional<ReceivedMessage> received = receivedMessage(position, event, function);
    if (function.request >= 0) {
      const bool isToNobody = event.peer == nullRank;
      if (isToNobody)
        return;
      OpenRequestRecord &request = open(event);
      request.receive = received;
      check(OTF2_EvtWriter_MpiIrecvRequest(writer, nullptr, time.begin, request.number));
    } else if (received) {
      check(OTF2_EvtWriter_MpiRecv(writer, nullptr, time.end, received->source.rank,
                                   received->source.communicator, received->tag, received->bytes));
    }
  }

  CollectiveEnd endOf(const Event &event, const MpiFunction &function) const {
    const Otf2Definitions::Place own = definitions.ownPlace(rank, event);
    CollectiveEnd end;
    end.operation = collectiveOperation(function);
    end.communicator = own.communicator;
    if (event.peer >= 0)
      end.root = definitions.placeOf(rank, event, event.peer).rank;
    end.sizes = sizesOf(function, event.bytes,
                        {definitions.membersOf(own.communicator).size(), own.rank,
                         event.peer == static_cast<int>(rank)});
    return end;
  }

  void writeCollective(const Event &event, const MpiFunction &function, const EventTimes &time) {
    const CollectiveEnd end = endOf(event, function);
    if (function.request >= 0) {
      OpenRequestRecord &request = open(event);
      request.collective = end;
      check(
          OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, nullptr, time.begin, request.number));
      return;
    }
    check(OTF2_EvtWriter_MpiCollectiveBegin(writer, nullptr, time.begin));
    check(OTF2_EvtWriter_MpiCollectiveEnd(writer, nullptr, time.end, end.operation,
                                          end.communicator, end.root, end.sizes.sent,
                                          end.sizes.received));
  }

  void writeCompletion(const Event &event, const MpiFunction &function, const EventTimes &time) {
    for (const int number : event.requests) {
      const auto found = requests.find(number);
      if (found == requests.end())
        continue;
      if (function.role == MpiRole::Cancel) {
        found->second.isCancelled = true;
        continue;
      }
      if (function.role == MpiRole::Completion)
        writeCompleted(found->second, time);
      requests.erase(found);
    }
  }

  void writeCompleted(const OpenRequestRecord &request, const EventTimes &time) {
    if (request.isCancelled) {
      check(OTF2_EvtWriter_MpiRequestCancelled(writer, nullptr, time.end, request.number));
    } else if (request.isSend) {
      check(OTF2_EvtWriter_MpiIsendComplete(writer, nullptr, time.end, request.number));
    } else if (request.receive) {
      check(OTF2_EvtWriter_MpiIrecv(writer, nullptr, time.end, request.receive->source.rank,
                                    request.receive->source.communicator, request.receive->tag,
                                    request.receive->bytes, request.number));
    } else if (request.collective) {
      const CollectiveEnd &end = *request.collective;
      check(OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, nullptr, time.end, end.operation,
                                                         end.communicator, end.root, end.sizes.sent,
                                                         end.sizes.received, request.number));
    }
  }

  const Timeline &timeline;
  const TimedRun &times;
  const RunMessages &messages;
  Otf2Definitions &definitions;
  const Otf2Library &library;
  const std::size_t rank;
  OTF2_EvtWriter *const writer;
  std::vector<OTF2_RegionRef> regions;                 // by event number
  std::unordered_map<int, OpenRequestRecord> requests; // by the profile's number
  OpenRequestRecord unnamed;                           // of a call whose request ended at once
  std::uint64_t nextRequest = 0;
};

OTF2_FlushType flushAlways(void *, OTF2_FileType, OTF2_LocationRef, void *, bool) {
  return OTF2_FLUSH;
}

struct ArchiveCloser {
  void operator()(OTF2_Archive *archive) const { OTF2_Archive_Close(archive); }
};

} // namespace

void writeOtf2Archive(const Profile &profile, const Timeline &timeline, const TimedRun &times,
                      const std::string &title, const std::string &name) {
  ArchiveFiles files(name);
  const Otf2Library library(name);
  std::unique_ptr<OTF2_Archive, ArchiveCloser> archive(library.check(
      OTF2_Archive_Open(files.folder().c_str(), files.name().c_str(), OTF2_FILEMODE_WRITE,
                        chunkBytes, chunkBytes, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE),
      "making the archive"));
  OTF2_Archive *const out = archive.get();
  const OTF2_FlushCallbacks flushCallbacks = {flushAlways, nullptr};
  library.check(OTF2_Archive_SetFlushCallbacks(out, &flushCallbacks, nullptr),
                "making the archive");
  library.check(OTF2_Archive_SetSerialCollectiveCallbacks(out), "making the archive");
  library.check(OTF2_Archive_SetCreator(out, "Sendwright"), "making the archive");
  library.check(OTF2_Archive_SetDescription(out, title.c_str()), "making the archive");
  library.check(OTF2_Archive_OpenEvtFiles(out), "making the archive");
  Otf2Definitions definitions(profile, timeline);
  const RunMessages messages(timeline);
  std::vector<std::uint64_t> events(timeline.ranks.size());
  for (std::size_t rank = 0; rank < events.size(); ++rank) {
    OTF2_EvtWriter *const writer =
        library.check(OTF2_Archive_GetEvtWriter(out, rank), "writing events");
    RankEvents(timeline, times, messages, definitions, library, rank, writer).write();
    library.check(OTF2_EvtWriter_GetNumberOfEvents(writer, &events[rank]), "writing events");
    library.check(OTF2_Archive_CloseEvtWriter(out, writer), "writing events");
  }
  library.check(OTF2_Archive_CloseEvtFiles(out), "writing events");
  library.check(OTF2_Archive_OpenDefFiles(out), "writing definitions");
  for (std::size_t rank = 0; rank < events.size(); ++rank)
    library.check(
        OTF2_Archive_CloseDefWriter(
            out, library.check(OTF2_Archive_GetDefWriter(out, rank), "writing definitions")),
        "writing definitions");
  library.check(OTF2_Archive_CloseDefFiles(out), "writing definitions");
  OTF2_GlobalDefWriter *const global =
      library.check(OTF2_Archive_GetGlobalDefWriter(out), "writing definitions");
  definitions.write(global, library, title, times.end(), events);
  library.check(OTF2_Archive_CloseGlobalDefWriter(out, global), "writing definitions");
  library.check(OTF2_Archive_Close(archive.release()), "closing the archive");
  files.commit();
}

} // namespace sendwright
