// Persistent forms of irregular collectives are in no profile; a build with a plan says at each call that
// it is left to MPI, also inside an expression. Other persistent calls get no such remark.
//
// RUN: %plan_for %t.plan leave %cc %s
// RUN: %cc %use=%t.plan %argument-remarks=all -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %cc %use=%t.plan -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=SILENT --allow-empty
//
// CHECK: persistent.c:[[# @LINE + 26]]:3: remark: MPIX_Alltoallv_init left to MPI: persistent calls are not recorded
// CHECK: persistent.c:[[# @LINE + 28]]:7: remark: MPIX_Neighbor_alltoallw_init left to MPI: persistent
// CHECK-NOT: remark: MPI
// SILENT-NOT: left to MPI

#include <mpi.h>

/* As MPI 4 declares them, under the names that Open MPI has before MPI 4. */
int MPIX_Alltoallv_init(const void *out, const int *counts, const int *places, MPI_Datatype type, void *in,
                        const int *from_counts, const int *from_places, MPI_Datatype from_type,
                        MPI_Comm communicator, void *info, MPI_Request *request);
int MPIX_Neighbor_alltoallw_init(const void *out, const int *counts, const long *places,
                                 const MPI_Datatype *types, void *in, const int *from_counts,
                                 const long *from_places, const MPI_Datatype *from_types,
                                 MPI_Comm communicator, void *info, MPI_Request *request);
int MPIX_Barrier_init(MPI_Comm communicator, void *info, MPI_Request *request);

void send(const double *out, int ranks, MPI_Comm communicator) {
  for (int rank = 0; rank < ranks; ++rank)
    MPI_Send(out, 1, MPI_DOUBLE, rank, 0, communicator);
}

int begin(const double *out, double *in, const int *counts, const int *places, const long *bytes,
          const MPI_Datatype *types, MPI_Comm communicator, MPI_Request *requests) {
  MPIX_Barrier_init(communicator, 0, &requests[1]);

  MPIX_Alltoallv_init(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, communicator,
                      0, &requests[2]);

  if (MPIX_Neighbor_alltoallw_init(out, counts, bytes, types, in, counts, bytes, types, communicator,
                                   0, &requests[3]))
    return 1;
  return 0;
}
