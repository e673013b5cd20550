// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/interception/Job.h"

#include <cstdlib>

namespace sendwright {

const char *const jobOfSeveralPrograms = "the job consists of several programs";

const char *jobObstacle() {
  const char *programs = std::getenv("OMPI_NUM_APP_CTX"); // other launchers do not say
  if (programs && std::atoi(programs) > 1)
    return jobOfSeveralPrograms;
#ifndef SMPI_H // where there is no MPI_Comm_spawn
  MPI_Comm parent = MPI_COMM_NULL;
  if (PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL)
    return "the processes were started by MPI_Comm_spawn";
#endif
  return nullptr;
}

bool isOtherProgram() {
  int *number = nullptr, known = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, static_cast<void *>(&number), &known);
  return known && *number > 0;
}

bool severalPrograms(MPI_Comm communicator) {
  const int other = isOtherProgram();
  int several = 0;
  PMPI_Allreduce(&other, &several, 1, MPI_INT, MPI_LOR, communicator);
  return several != 0;
}

const char *disagreement(unsigned long long digest, const char *own) {
  const unsigned long long mine[4] = {digest, ~digest, !isOtherProgram(), !own};
  unsigned long long least[4] = {0, 0, 0, 0};
  PMPI_Allreduce(mine, least, 4, MPI_UNSIGNED_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
  if (!least[2])
    return jobOfSeveralPrograms;
  if (least[0] != digest || least[1] != ~digest)
    return "the ranks have different plans";
  if (!least[3])
    return own ? own : "another rank cannot follow the plan";
  return nullptr;
}

} // namespace sendwright
