// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The beginning and the end of recording. At the end rank 0 asks one rank after another for its
// section and writes it, so that it never holds more than one; the file gets its name when it is
// complete. All this happens on a private communicator, which the program's messages cannot reach.

#include "analysis/file/FormatError.h"
#include "analysis/trace/Profile.h"
#include "runtime/base/Interception.h"
#include "runtime/base/LearningSetting.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/Units.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/recording/Recorder.h"
#include "runtime/recording/UnfinishedRun.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

namespace sendwright {

namespace {

// Not in a layer: rank 0 waits for this rank's answer also if there was no memory for a recorder.
MPI_Comm recordingCommunicator = MPI_COMM_NULL; ///< a copy of MPI_COMM_WORLD while recording
bool abandoned = false;

constexpr std::size_t megabyte = std::size_t(1) << 20;

/// The limit on memory for recording, in bytes: SENDWRIGHT_RECORDING_MEMORY, in MiB, 64 by default.
std::size_t memoryLimit() {
  const char *text = std::getenv("SENDWRIGHT_RECORDING_MEMORY");
  if (!text || !*text)
    return 64 * megabyte;
  char *end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end || value == 0 || value > SIZE_MAX / megabyte) {
    sayOnce("SENDWRIGHT_RECORDING_MEMORY is \"%s\", expected a number of MiB; 64 is used", text);
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

/// One rank's part on its way to rank 0.
struct Section {
  std::string bytes;
  unsigned long long truncated = 0;
  unsigned long long kinds = 0; ///< of recorded calls
};

/// What this process recorded; nothing if encoding failed.
std::optional<Section> encodeOwnSection(int rank) {
  if (abandoned)
    return std::nullopt;
  try {
    Recorder &recorder = *process.find<Recorder>();
    recorder.complete();
    Section section;
    // Every rank runs the same program, so the units' data is needed only once.
    const RankProfile profile = recorder.rankProfile();
    section.bytes = encodeRankSection(profile, recorder.sites, recorder.callSites,
                                      rank == 0 ? recorder.units : std::vector<ProfiledUnit>());
    section.truncated = recorder.truncated;
    section.kinds = profile.events.size();
    return section;
  } catch (...) {
    return std::nullopt;
  }
}

// Messages of the exchange between rank 0 and another: rank 0 asks; the other answers with a header
// (size or `failed`, truncated, kinds); rank 0 makes room and asks again; the other sends the
// bytes, in parts whose counts fit an int.
constexpr int askTag = 1, headerTag = 2, bytesTag = 3;
constexpr unsigned long long failed = ~0ull;
constexpr unsigned long long part = 1ull << 30;

void answer(const std::optional<Section> &section, MPI_Comm communicator) {
  const auto isWanted = [&] {
    int wanted = 0;
    PMPI_Recv(&wanted, 1, MPI_INT, 0, askTag, communicator, MPI_STATUS_IGNORE);
    return wanted != 0;
  };
  if (!isWanted())
    return;
  unsigned long long header[3] = {failed, 0, 0};
  if (section) {
    header[0] = section->bytes.size();
    header[1] = section->truncated;
    header[2] = section->kinds;
  }
  PMPI_Send(header, 3, MPI_UNSIGNED_LONG_LONG, 0, headerTag, communicator);
  if (!section || !isWanted())
    return;
  for (unsigned long long sent = 0; sent < header[0]; sent += part)
    PMPI_Send(section->bytes.data() + sent, int(std::min(part, header[0] - sent)), MPI_BYTE, 0,
              bytesTag, communicator);
}

void sayWanted(int rank, int wanted, MPI_Comm communicator) {
  PMPI_Send(&wanted, 1, MPI_INT, rank, askTag, communicator);
}

/// The section of `rank`; nothing if the rank has none. Throws std::bad_alloc.
std::optional<Section> ask(int rank, MPI_Comm communicator) {
  sayWanted(rank, 1, communicator);
  unsigned long long header[3] = {failed, 0, 0};
  PMPI_Recv(header, 3, MPI_UNSIGNED_LONG_LONG, rank, headerTag, communicator, MPI_STATUS_IGNORE);
  if (header[0] == failed)
    return std::nullopt;
  Section section;
  section.truncated = header[1];
  section.kinds = header[2];
  try {
    section.bytes.resize(header[0]);
  } catch (...) {
    sayWanted(rank, 0, communicator);
    throw;
  }
  sayWanted(rank, 1, communicator);
  for (unsigned long long received = 0; received < header[0]; received += part)
    PMPI_Recv(section.bytes.data() + received, int(std::min(part, header[0] - received)), MPI_BYTE,
              rank, bytesTag, communicator, MPI_STATUS_IGNORE);
  return section;
}

/// Rank 0: asks every rank and writes the file. Every rank is asked, even after the file was given
/// up.
void writeFile(const std::optional<Section> &own, int ranks, MPI_Comm communicator) {
  const auto *recorder = process.find<Recorder>();
  const std::string name =
      profileName(recorder ? std::filesystem::path(recorder->folder) : workingFolder());
  std::unique_ptr<ProfileFileWriter> writer;
  const auto attempt = [&](auto &&action) {
    try {
      action();
    } catch (const FormatError &error) {
      sayOnce("%s; no profile is written", error.what());
      writer.reset();
    } catch (...) {
      sayOnce("%s: out of memory; no profile is written", name.c_str());
      writer.reset();
    }
  };
  attempt([&] {
    writer = std::make_unique<ProfileFileWriter>(name, program_invocation_short_name, ranks);
  });
  unsigned long long truncated = 0, kinds = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    if (!writer) {
      if (rank > 0)
        sayWanted(rank, 0, communicator);
      continue;
    }
    attempt([&] {
      const std::optional<Section> section = rank == 0 ? own : ask(rank, communicator);
      if (!section)
        throw FormatError("rank " + std::to_string(rank) + " ran out of memory while recording");
      truncated += section->truncated;
      kinds += section->kinds;
      writer->add(section->bytes);
    });
  }
  if (writer)
    attempt([&] { writer->finish(); });
  if (writer && kinds == 0)
    sayOnce("no call was recorded: %s does not show how the program communicates", name.c_str());
  if (truncated)
    sayOnce(
        "%llu ranks reached the limit on memory for recording; their order of calls is incomplete "
        "(SENDWRIGHT_RECORDING_MEMORY=MiB raises it)",
        truncated);
}

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

void startRecording(int threadLevel) {
  bool wanted = false;
  for (const sendwright_unit *unit = registeredUnits(); unit; unit = unit->next)
    wanted |= generates(unit);
  if (!wanted)
    return;
  if (const char *reason = jobObstacle()) {
    sayOnce("%s, so %s", reason,
            learningSetting() ? "nothing is learned" : "no profile is recorded");
    return;
  }
  if (severalPrograms(MPI_COMM_WORLD)) {
    sayOnce("%s, so no profile is recorded", jobOfSeveralPrograms);
    return;
  }
  if (findWhetherToLearn(MPI_COMM_WORLD)) {
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
  const std::optional<Section> section = encodeOwnSection(rank);
  if (rank == 0)
    writeFile(section, ranks, recordingCommunicator);
  else
    answer(section, recordingCommunicator);
  PMPI_Comm_free(&recordingCommunicator);
}

} // namespace sendwright
