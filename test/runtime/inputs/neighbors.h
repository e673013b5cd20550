/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For tests of collectives of neighbours: counts the calls that MPI itself does, as irregular.h does
 * for MPI_Alltoallv. */

#ifndef TEST_RUNTIME_NEIGHBORS_H
#define TEST_RUNTIME_NEIGHBORS_H

#include "irregular.h"

#define COUNTED(NAME, PARAMETERS, ARGUMENTS)                                                        \
  int P##NAME PARAMETERS {                                                                          \
    int(*next) PARAMETERS = dlsym(RTLD_NEXT, "P" #NAME);                                            \
    ++left_to_mpi;                                                                                  \
    return next ARGUMENTS;                                                                          \
  }

COUNTED(MPI_Neighbor_alltoall,
        (const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type,
         MPI_Comm comm),
        (out, count, type, in, in_count, in_type, comm))
COUNTED(MPI_Neighbor_allgather,
        (const void *out, int count, MPI_Datatype type, void *in, int in_count, MPI_Datatype in_type,
         MPI_Comm comm),
        (out, count, type, in, in_count, in_type, comm))
COUNTED(MPI_Neighbor_allgatherv,
        (const void *out, int count, MPI_Datatype type, void *in, const int in_counts[],
         const int in_places[], MPI_Datatype in_type, MPI_Comm comm),
        (out, count, type, in, in_counts, in_places, in_type, comm))
COUNTED(MPI_Neighbor_alltoallv,
        (const void *out, const int counts[], const int places[], MPI_Datatype type, void *in,
         const int in_counts[], const int in_places[], MPI_Datatype in_type, MPI_Comm comm),
        (out, counts, places, type, in, in_counts, in_places, in_type, comm))
COUNTED(MPI_Neighbor_alltoallw,
        (const void *out, const int counts[], const MPI_Aint places[], const MPI_Datatype types[],
         void *in, const int in_counts[], const MPI_Aint in_places[], const MPI_Datatype in_types[],
         MPI_Comm comm),
        (out, counts, places, types, in, in_counts, in_places, in_types, comm))

#endif
