// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/PlanAgreement.h"

#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"
#include "runtime/base/Interception.h"
#include "runtime/base/MpiDifferences.h"
#include "runtime/base/PrivateCommunicator.h"
#include "runtime/base/Units.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

namespace sendwright {

const char *const jobOfSeveralPrograms = "the job consists of several programs";
const char *const disabledHere = "SENDWRIGHT_DISABLE is set";
const char *const disabledOnSome = "SENDWRIGHT_DISABLE is set on some ranks, but not on all";

void sayGivenUp(const char *reason, const char *otherwise) {
  if (!disabled() || reason == disabledOnSome)
    sayOnce("%s: %s", reason, otherwise);
}

unsigned long long agreementDigest(const sendwright_unit &unit, unsigned long long seed) {
  return containerDigest({reinterpret_cast<const char *>(unit.plan), unit.plan_size}, seed);
}

const char *jobObstacle() {
  const char *programs = std::getenv("OMPI_NUM_APP_CTX"); // other launchers do not tell
  if (programs && std::atoi(programs) > 1)
    return jobOfSeveralPrograms;
  MPI_Comm parent = MPI_COMM_NULL;
  if (!isSimulated && PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL)
    return "the processes were started by MPI_Comm_spawn";
  return nullptr;
}

bool isOtherProgram() {
  int *number = nullptr, known = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, static_cast<void *>(&number), &known);
  return known && *number > 0;
}

void disagreements(unsigned long long digest, std::span<const char *> own,
                   std::span<unsigned long long> sums) {
  std::vector<unsigned long long> mine{digest, ~digest, !isOtherProgram(), disabled(), !disabled()};
  const std::size_t ofUses = mine.size();
  for (const char *obstacle : own)
    mine.push_back(!obstacle);
  PrivateCommunicator *communicator = privateCommunicator();
  if (!communicator) { // on no rank
    std::ranges::fill(own, "MPI cannot create a communicator");
    return;
  }
  std::vector<unsigned long long> least = mine;
  communicator->findLeast(least, sums);
  for (std::size_t use = 0; use < own.size(); ++use)
    if (!least[2])
      own[use] = jobOfSeveralPrograms;
    else if (!least[3] && !least[4])
      own[use] = disabledOnSome;
    else if (least[0] != digest || least[1] != ~digest)
      own[use] = "the ranks have different plans";
    else if (!least[ofUses + use])
      own[use] = own[use] ? own[use] : "another rank cannot follow the plan";
}

const char *obstacleOfPlan(const sendwright_unit &unit,
                           std::optional<std::string> (*find)(const void *, std::size_t,
                                                              const std::string &, int),
                           std::string &text) {
  const int rank = rankIn(MPI_COMM_WORLD), ranks = ranksIn(MPI_COMM_WORLD);
  if (rank != 0)
    return nullptr;
  try {
    const std::optional<std::string> found = find(unit.plan, unit.plan_size, unit.file, ranks);
    if (!found)
      return nullptr;
    text = "the plan in " + std::string(unit.file) + " contradicts itself: " + *found;
    return text.c_str();
  } catch (const FormatError &) {
    return "a rank cannot read its part of the plan";
  } catch (const std::bad_alloc &) {
    return "there is no memory to check the plan";
  }
}

const char *disagreement(unsigned long long digest, const char *own) {
  disagreements(digest, {&own, 1});
  return own;
}

} // namespace sendwright
