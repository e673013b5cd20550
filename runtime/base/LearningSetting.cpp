// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/LearningSetting.h"

#include "runtime/base/Interception.h"
#include "runtime/base/LeastOfRanks.h"
#include "runtime/base/PlanAgreement.h"
#include "runtime/base/Units.h"

#include <cstdlib>
#include <cstring>
#include <vector>

namespace sendwright {

namespace {

bool toLearn = false;
const char *obstacleOfRanks = nullptr;

bool isOn(const char *variable) {
  const char *text = std::getenv(variable);
  return !text || std::strcmp(text, "0") != 0;
}

} // namespace

const char *learningSetting() {
  const char *text = std::getenv("SENDWRIGHT_ADAPT");
  return text && *text && std::strcmp(text, "0") != 0 ? text : nullptr;
}

JobSettings findJobSettings(MPI_Comm communicator, const char *obstacle) {
  const bool isSet = learningSetting() != nullptr;
  std::vector<unsigned long long> onAll{isSet,      !isSet,         !isOtherProgram(),
                                        !obstacle,  watchesFirst(), !watchesFirst(),
                                        disabled(), !disabled()};
  findLeastOfRanks(communicator, 0, onAll);
  if (!onAll[2])
    return {.severalPrograms = true};
  if (!onAll[7]) {
    sayGivenUp(onAll[6] ? disabledHere : disabledOnSome, "nothing is recorded or learned");
    return {.disabled = true};
  }
  if (!onAll[0] && !onAll[1])
    sayOnce("SENDWRIGHT_ADAPT is not set on every rank: nothing is learned");
  toLearn = onAll[0] != 0;
  if (!onAll[3])
    obstacleOfRanks = obstacle ? obstacle : "another rank cannot learn";
  else if (!onAll[4] && !onAll[5])
    obstacleOfRanks = "SENDWRIGHT_ADAPT_WATCH is not the same on all ranks";
  return {.learns = toLearn};
}

bool isToLearn() { return toLearn; }

const char *obstacleToLearning() { return obstacleOfRanks; }

bool measuresWhatIsLearned() { return isOn("SENDWRIGHT_ADAPT_MEASURE"); }

bool watchesFirst() { return isOn("SENDWRIGHT_ADAPT_WATCH"); }

} // namespace sendwright
