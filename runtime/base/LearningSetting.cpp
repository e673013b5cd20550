// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/LearningSetting.h"

#include "runtime/base/Interception.h"

#include <cstdlib>
#include <cstring>

namespace sendwright {

namespace {

bool toLearn = false;

} // namespace

const char *learningSetting() {
  const char *text = std::getenv("SENDWRIGHT_ADAPT");
  return text && *text && std::strcmp(text, "0") != 0 ? text : nullptr;
}

bool findWhetherToLearn(MPI_Comm communicator) {
  const bool isSet = learningSetting() != nullptr;
  const int mine[] = {isSet, !isSet};
  int any[2] = {0, 0};
  PMPI_Allreduce(mine, any, 2, MPI_INT, MPI_LOR, communicator);
  if (any[0] && any[1])
    sayOnce("SENDWRIGHT_ADAPT is not set on every rank: nothing is learned");
  toLearn = any[0] && !any[1];
  return toLearn;
}

bool isToLearn() { return toLearn; }

bool measuresWhatIsLearned() {
  const char *text = std::getenv("SENDWRIGHT_ADAPT_MEASURE");
  return !text || std::strcmp(text, "0") != 0;
}

} // namespace sendwright
