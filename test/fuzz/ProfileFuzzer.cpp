// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles: a profile that is read is shown, encoded again, planned, simulated, exported, analysed,
// and of every fourth there is a report with its plan, of every fourth one without. What `plan`
// writes is read, and what is exported is imported.

#include "analysis/file/FormatError.h"
#include "test/fuzz/Commands.h"
#include "test/fuzz/Containers.h"
#include "test/fuzz/Mutator.h"
#include "test/fuzz/ProfileMutations.h"
#include "test/fuzz/Scratch.h"

#include "analysis/plan/Plan.h"

#include <functional>
#include <optional>

using namespace sendwright;
using namespace sendwright::fuzz;

namespace {

/// Runs with more events are only read and shown: with sanitizers the rest would take too long.
constexpr std::uint64_t mostEvents = 20'000;

std::optional<Profile> decoded(std::string_view bytes) {
  try {
    return decodeProfile(bytes.data(), bytes.size(), "input.prof");
  } catch (const FormatError &) {
    return std::nullopt;
  }
}

void checkEncoding(const Profile &profile) {
  const std::string once = bytesOf(profile);
  const std::optional<Profile> again = decoded(once);
  if (!again)
    finding("what was encoded cannot be decoded");
  if (bytesOf(*again) != once)
    finding("a profile changes when it is encoded and decoded");
}

/// Plans in one of four ways, chosen by `way`: a changed profile may be planned in another way.
void plan(const std::string &file, std::size_t way) {
  const std::vector<std::string> options[] = {{},
                                              {"--machine", inputFile("machine.json")},
                                              {"--direct", "--choose", "replay"},
                                              {"--buffers", "2", "--synchronize", "partial"}};
  const std::string output = scratchFile("output.plan");
  std::vector<std::string> command{"plan", file, "-o", output};
  const std::vector<std::string> &chosen = options[way % std::size(options)];
  command.insert(command.end(), chosen.begin(), chosen.end());
  if (!run(command))
    return;
  try {
    readPlan(output);
  } catch (const FormatError &error) {
    finding(std::string("plan writes what cannot be read: ") + error.what());
  }
  run({"show", output});
  if (!run({"simulate", file, "--plan", output}))
    finding("a run is not simulated under its own plan");
  if (way / 8 % 4 == 0 && !report({file, "--plan", output}))
    finding("a run has no report with its own plan");
}

void exportAndImport(const std::string &file) {
  const std::string text = scratchFile("output.trace"), imported = scratchFile("imported.prof"),
                    again = scratchFile("again.trace");
  // A profile that uses requests twice at the same time can be exported, but not imported.
  if (!run({"trace", "export", file, "-o", text}) ||
      !run({"trace", "import", text, "-o", imported}))
    return;
  if (!run({"trace", "export", imported, "-o", again}) || readScratch(again) != readScratch(text))
    finding("what is imported is not exported as it was");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string file = writeScratch("input.prof", viewOf(data, size));
  const std::optional<Profile> profile = decoded(viewOf(data, size));
  if (!profile)
    return run({"show", file}) ? (finding("shown, but not read"), 0) : 0;
  checkEncoding(*profile);
  run({"show", file});
  run({"show", file, "--json"});
  run({"report-scaling", file});
  if (eventsOf(*profile) > mostEvents)
    return 0;
  const std::size_t way = std::hash<std::string_view>()(viewOf(data, size));
  plan(file, way);
  if (way / 8 % 4 == 1)
    report({file});
  if (way / 4 % 2)
    run({"analyze", "epochs", file, "--boundaries", scratchFile("boundaries")});
  else
    run({"analyze", "epochs", file, "--buffers", "1", "--json"});
  exportAndImport(file);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t mostSize, unsigned seed) {
  Draw draw(seed);
  const std::string_view bytes = viewOf(data, size);
  if (draw.oneIn(64))
    return LLVMFuzzerMutate(data, size, mostSize);
  if (std::optional<Profile> profile = draw.oneIn(8) ? std::nullopt : decoded(bytes)) {
    for (std::size_t changes = 1 + draw.below(3); changes > 0; --changes)
      mutateProfile(*profile, draw);
    limitEvents(*profile, mostEvents / 10);
    return handOver(bytesOf(*profile), data, size, mostSize);
  }
  std::optional<OpenContainer> container = takeApart(bytes);
  if (!container)
    return LLVMFuzzerMutate(data, size, mostSize);
  changeSections(*container, draw, mutateBytes);
  return handOver(putTogether(*container), data, size, mostSize);
}
