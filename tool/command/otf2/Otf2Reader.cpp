// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the definitions, then each rank's events by themselves: nothing here needs the order of
// events of different ranks. Other locations, such as threads, may have no records of MPI.

#include "tool/command/otf2/Otf2Archive.h"

#include "tool/command/otf2/ImportedRank.h"
#include "tool/command/otf2/Otf2Library.h"
#include "tool/command/otf2/Otf2ReadDefinitions.h"

#include <filesystem>
#include <memory>

namespace sendwright {

namespace {

struct ReaderCloser {
  void operator()(OTF2_Reader *reader) const { OTF2_Reader_Close(reader); }
};

struct EventCallbacksDeleter {
  void operator()(OTF2_EvtReaderCallbacks *callbacks) const {
    OTF2_EvtReaderCallbacks_Delete(callbacks);
  }
};

/// A rank whose events are being read.
struct ReadRank {
  ImportedRank &rank;
  CallbackGuard guard;
};

/// Runs `act` on the rank that the library hands to a callback.
template <typename Act> OTF2_CallbackCode onRank(void *data, Act &&act) {
  ReadRank &read = *static_cast<ReadRank *>(data);
  return read.guard.run([&] { act(read.rank); });
}

using Attributes = OTF2_AttributeList *;

void setRegionCallbacks(OTF2_EvtReaderCallbacks *callbacks) {
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time,
                                                         std::uint64_t, void *data, Attributes,
                                                         OTF2_RegionRef region) {
    return onRank(data, [&](ImportedRank &rank) { rank.enter(time, region); });
  });
  OTF2_EvtReaderCallbacks_SetLeaveCallback(
      callbacks,
      [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
         OTF2_RegionRef) { return onRank(data, [&](ImportedRank &rank) { rank.leave(time); }); });
}

void setMessageCallbacks(OTF2_EvtReaderCallbacks *callbacks) {
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag,
                    std::uint64_t bytes) {
        return onRank(data, [&](ImportedRank &rank) {
          rank.send(time, {communicator, receiver, tag, bytes});
        });
      });
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    std::uint32_t receiver, OTF2_CommRef communicator, std::uint32_t tag,
                    std::uint64_t bytes, std::uint64_t request) {
        return onRank(data, [&](ImportedRank &rank) {
          rank.startSend(time, {communicator, receiver, tag, bytes}, request);
        });
      });
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(
      callbacks,
      [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
         std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes) {
        return onRank(data, [&](ImportedRank &rank) {
          rank.receive(time, {communicator, sender, tag, bytes});
        });
      });
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag,
                    std::uint64_t bytes, std::uint64_t request) {
        return onRank(data, [&](ImportedRank &rank) {
          rank.completeReceive(time, {communicator, sender, tag, bytes}, request);
        });
      });
}

void setRequestCallbacks(OTF2_EvtReaderCallbacks *callbacks) {
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    std::uint64_t request) {
        return onRank(data, [&](ImportedRank &rank) { rank.startReceive(time, request); });
      });
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    std::uint64_t request) {
        return onRank(data, [&](ImportedRank &rank) { rank.completeSend(time, request); });
      });
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    std::uint64_t request) {
        return onRank(data, [&](ImportedRank &rank) { rank.cancel(time, request); });
      });
}

void setCollectiveCallbacks(OTF2_EvtReaderCallbacks *callbacks) {
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                    std::uint64_t sent, std::uint64_t received) {
        return onRank(data, [&](ImportedRank &rank) {
          rank.endCollective(time, {operation, communicator, root, {sent, received}});
        });
      });
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    std::uint64_t request) {
        return onRank(data, [&](ImportedRank &rank) { rank.startCollective(time, request); });
      });
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
      callbacks, [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, Attributes,
                    OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                    std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
        return onRank(data, [&](ImportedRank &rank) {
          rank.completeCollective(time, {operation, communicator, root, {sent, received}}, request);
        });
      });
}

class ArchiveReader {
public:
  ArchiveReader(const std::string &name, const Otf2Library &library)
      : name(name), library(library),
        handle(library.check(OTF2_Reader_Open(name.c_str()), "opening")),
        callbacks(OTF2_EvtReaderCallbacks_New()) {
    library.check(OTF2_Reader_SetSerialCollectiveCallbacks(handle.get()), "opening");
    setRegionCallbacks(callbacks.get());
    setMessageCallbacks(callbacks.get());
    setRequestCallbacks(callbacks.get());
    setCollectiveCallbacks(callbacks.get());
  }

  Profile read() {
    const Otf2ReadDefinitions definitions(handle.get(), library);
    ProfileAssembler assembler;
    assembler.profile.ranks.resize(definitions.locations().size());
    for (const std::uint64_t location : definitions.locations())
      library.check(OTF2_Reader_SelectLocation(handle.get(), location), "opening");
    readLocalDefinitions(definitions);
    library.check(OTF2_Reader_OpenEvtFiles(handle.get()), "opening the events");
    bool hasMpi = false;
    for (std::size_t index = 0; index < definitions.locations().size(); ++index) {
      ImportedRank rank(definitions, library, index, assembler.profile.ranks[index],
                        [&](const SiteIdentity &site) { return assembler.siteIndex(site); });
      readEvents(definitions, index, rank);
      rank.finish();
      hasMpi |= rank.hasMpi();
    }
    if (!hasMpi)
      library.fail("no records of MPI, expected the trace of an MPI program");
    return std::move(assembler.profile);
  }

private:
  /// They say how a location's references map to those of the global definitions.
  void readLocalDefinitions(const Otf2ReadDefinitions &definitions) {
    library.check(OTF2_Reader_OpenDefFiles(handle.get()), "opening the definitions of ranks");
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(name).replace_extension();
    for (const std::uint64_t location : definitions.locations()) {
      std::error_code ignored;
      if (!fs::exists(folder / (std::to_string(location) + ".def"), ignored))
        continue; // nothing to map
      OTF2_DefReader *const reader = library.check(OTF2_Reader_GetDefReader(handle.get(), location),
                                                   "reading the definitions of a rank");
      std::uint64_t read = 0;
      library.check(OTF2_Reader_ReadAllLocalDefinitions(handle.get(), reader, &read),
                    "reading the definitions of a rank");
      library.check(OTF2_Reader_CloseDefReader(handle.get(), reader),
                    "reading the definitions of a rank");
    }
    library.check(OTF2_Reader_CloseDefFiles(handle.get()), "reading the definitions of a rank");
  }

  void readEvents(const Otf2ReadDefinitions &definitions, std::size_t index, ImportedRank &rank) {
    const char *const what = "reading the events of a rank";
    OTF2_EvtReader *const reader =
        library.check(OTF2_Reader_GetEvtReader(handle.get(), definitions.locations()[index]), what);
    ReadRank data{rank, {}};
    library.check(OTF2_Reader_RegisterEvtCallbacks(handle.get(), reader, callbacks.get(), &data),
                  what);
    std::uint64_t read = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(handle.get(), reader, &read);
    data.guard.rethrow();
    library.check(code, what);
    if (read != definitions.eventsOf(index))
      library.fail("rank " + std::to_string(index) + " has " + std::to_string(read) +
                   " events, expected " + std::to_string(definitions.eventsOf(index)) +
                   " by its definition");
    library.check(OTF2_Reader_CloseEvtReader(handle.get(), reader), what);
  }

  const std::string &name;
  const Otf2Library &library;
  const std::unique_ptr<OTF2_Reader, ReaderCloser> handle;
  const std::unique_ptr<OTF2_EvtReaderCallbacks, EventCallbacksDeleter> callbacks;
};

} // namespace

Profile readOtf2Archive(const std::string &name) {
  const Otf2Library library(name);
  return ArchiveReader(name, library).read();
}

} // namespace sendwright
