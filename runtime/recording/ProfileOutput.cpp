// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning and the end of recording. At the end the ranks' sections come to rank 0 over a
// tree, in the order of the ranks (SectionGathering.h). Rank 0 writes each as it comes, so that it
// never holds more than one; the file gets its name when it is complete. All this happens on a
// private communicator, which the program's messages cannot reach.

#include "analysis/file/FormatError.h"
#include "analysis/trace/Profile.h"
#include "runtime/base/Interception.h"
#include "runtime/base/LearningSetting.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/Units.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/recording/Recorder.h"
#include "runtime/recording/SectionGathering.h"
#include "runtime/recording/UnfinishedRun.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

namespace sendwright {

namespace {

// Not in a layer: other ranks wait for this rank's answer also if there was no memory for a
// recorder.
MPI_Comm recordingCommunicator = MPI_COMM_NULL; ///< a copy of MPI_COMM_WORLD while recording
bool abandoned = false;

constexpr std::size_t megabyte = std::size_t(1) << 20;

/// The limit on memory for recording, in bytes: SENDWRIGHT_PROFILE_MEMORY, in MiB, 64 by default.
std::size_t memoryLimit() {
  const char *name = "SENDWRIGHT_PROFILE_MEMORY", *text = std::getenv(name);
  if (!text)
    text = std::getenv(name = "SENDWRIGHT_RECORDING_MEMORY"); // its name before
  if (!text || !*text)
    return 64 * megabyte;
  char *end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end || value == 0 || value > SIZE_MAX / megabyte) {
    sayOnce("%s is \"%s\", expected a number of MiB; 64 is used", name, text);
    return 64 * megabyte;
  }
  return value * megabyte;
}

std::filesystem::path workingFolder() {
  std::error_code unknown;
  return std::filesystem::current_path(unknown);
}

/// The file for the profile: a relative name is below the folder in which the run began.
std::string profileName(const std::filesystem::path &folderAtStart) {
  const char *value = std::getenv("SENDWRIGHT_PROFILE");
  const std::string name = value && *value ? value : "sendwright.prof";
  return workingFolder() == folderAtStart ? name : (folderAtStart / name).string();
}

/// What this process recorded.
struct OwnPart {
  EncodedRank encoded;
  bool truncated = false;
  std::uint64_t kinds = 0; ///< of recorded calls
};

/// Nothing if encoding failed.
std::optional<OwnPart> encodeOwnPart(int rank) {
  if (abandoned)
    return std::nullopt;
  try {
    Recorder &recorder = *process.find<Recorder>();
    recorder.complete();
    OwnPart part;
    // Every rank runs the same program, so the units' data is needed only once.
    const RankProfile profile = recorder.takeProfile();
    const EventSource events = recorder.recordedEvents();
    part.encoded = encodeRankSection(profile, events, recorder.sites, recorder.callSites,
                                     rank == 0 ? recorder.units : std::vector<ProfiledUnit>());
    part.truncated = recorder.truncated;
    part.kinds = events.count;
    return part;
  } catch (...) {
    return std::nullopt;
  }
}

/// The pieces of a part, one after another.
class PiecesOfPart {
public:
  explicit PiecesOfPart(const std::optional<OwnPart> &part) : part(part) {}

  bool next(GatheredPiece &piece) {
    const std::size_t number = done++;
    if (!part)
      return number == 0; // a piece that says so
    const std::vector<SharedMembers> &lists = part->encoded.members;
    if (number > lists.size())
      return false;
    if (number == 0) {
      piece.kind = PieceKind::Rank;
      piece.truncated = part->truncated;
      piece.kinds = part->kinds;
      piece.bytes = part->encoded.section;
    } else {
      piece.kind = PieceKind::Members;
      piece.digest = lists[number - 1].digest;
      piece.bytes = lists[number - 1].section;
    }
    return true;
  }

private:
  const std::optional<OwnPart> &part;
  std::size_t done = 0;
};

/// Rank 0: the file, as its pieces come. After an error it says so once, and wants no more pieces.
class ProfileCollector {
public:
  explicit ProfileCollector(int ranks) : name(profileName(folderAtStart())), ranks(ranks) {
    attempt([&] {
      writer = std::make_unique<ProfileFileWriter>(name, program_invocation_short_name, ranks);
    });
  }

  void collect(MPI_Comm communicator, const PieceSource &own) {
    attempt([&] {
      gatherPieces(communicator, own, [&](const GatheredPiece &piece) { return take(piece); });
    });
    if (writer)
      attempt([&] { writer->finish(); });
    if (writer && kinds == 0)
      sayOnce("no call was recorded: %s does not show how the program communicates", name.c_str());
    if (truncated)
      sayOnce("%llu ranks reached the limit on memory for recording; their order of calls is "
              "incomplete (SENDWRIGHT_PROFILE_MEMORY=MiB raises it)",
              truncated);
  }

private:
  static std::filesystem::path folderAtStart() {
    const auto *recorder = process.find<Recorder>();
    return recorder ? std::filesystem::path(recorder->folder) : workingFolder();
  }

  template <typename Action> void attempt(Action &&action) {
    try {
      action();
    } catch (const FormatError &error) {
      sayOnce("%s; no profile is written", error.what());
      writer.reset();
    } catch (...) {
      sayOnce("%s: out of memory; no profile is written", name.c_str());
      writer.reset();
    }
  }

  bool take(const GatheredPiece &piece) {
    if (!writer)
      return false;
    if (piece.kind == PieceKind::Members) {
      writer->addMembers(piece.digest, piece.bytes);
      return true;
    }
    if (piece.kind == PieceKind::Failed)
      throw FormatError("rank " + std::to_string(received) + " ran out of memory while recording");
    ++received;
    truncated += piece.truncated;
    kinds += piece.kinds;
    writer->addSection(piece.bytes);
    return true;
  }

  std::string name;
  int ranks, received = 0;
  std::unique_ptr<ProfileFileWriter> writer;
  unsigned long long truncated = 0, kinds = 0;
};

bool generates(const sendwright_unit *unit) { return unit->mode & SENDWRIGHT_UNIT_GENERATE; }

void addUnit(Recorder &recorder, const sendwright_unit *unit) {
  recorder.units.push_back({unit->file ? unit->file : "", unit->functions ? unit->functions : ""});
}

} // namespace

void abandonRecording() noexcept {
  sendwright_interception &= ~interceptRecording;
  endWatchForEnd();
  abandoned = true;
  sayOnce("out of memory: recording ends");
}

void startRecording(int threadLevel, const char *learningObstacle) {
  bool wanted = false;
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    wanted |= generates(unit);
  if (!wanted)
    return;
  if (const char *reason = jobObstacle()) {
    sayGivenUp(reason, learningSetting() ? "nothing is learned" : "no profile is recorded");
    return;
  }
  const JobSettings settings = findJobSettings(MPI_COMM_WORLD, learningObstacle);
  if (settings.severalPrograms) {
    sayGivenUp(jobOfSeveralPrograms, "no profile is recorded");
    return;
  }
  if (settings.disabled)
    return;
  if (settings.learns) {
    if (std::getenv("SENDWRIGHT_PROFILE"))
      sayOnce("SENDWRIGHT_ADAPT is set: no profile is recorded");
    return;
  }
  if (PMPI_Comm_dup(MPI_COMM_WORLD, &recordingCommunicator) != MPI_SUCCESS)
    return;
  PMPI_Comm_set_errhandler(recordingCommunicator, MPI_ERRORS_RETURN);
  try {
    Recorder &recorder = process.begin(std::make_unique<Recorder>(threadLevel, memoryLimit()));
    recorder.folder = workingFolder().string();
    for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
      if (generates(unit))
        addUnit(recorder, unit);
    sendwright_interception |= interceptRecording;
    const int rank = rankIn(MPI_COMM_WORLD);
    watchForEnd(rank);
  } catch (...) {
    abandonRecording();
  }
}

void startRecordingOf(sendwright_unit *unit) {
  // Only if a profile is already being recorded: all ranks together must begin.
  if (generates(unit))
    withRecorder([&](Recorder &recorder) { addUnit(recorder, unit); });
}

void endRecording() {
  if (recordingCommunicator == MPI_COMM_NULL)
    return;
  sendwright_interception &= ~interceptRecording;
  endWatchForEnd();
  const int rank = rankIn(recordingCommunicator), ranks = ranksIn(recordingCommunicator);
  const std::optional<OwnPart> part = encodeOwnPart(rank);
  PiecesOfPart pieces(part);
  const PieceSource own = [&pieces](GatheredPiece &piece) { return pieces.next(piece); };
  if (rank == 0)
    ProfileCollector(ranks).collect(recordingCommunicator, own);
  else
    gatherPieces(recordingCommunicator, own, {});
  PMPI_Comm_free(&recordingCommunicator);
}

} // namespace sendwright
