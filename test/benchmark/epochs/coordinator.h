/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Included in front of a program (-include) that is to synchronise as in J. Sampson's thesis: its
 * main, its sends and its receives go to coordinator.c. */

#ifndef COORDINATOR_H
#define COORDINATOR_H

#include <mpi.h>

MPI_Comm coordinated_world(void);
int coordinated_send(const void *data, int count, MPI_Datatype type, int to, int tag,
                     MPI_Comm comm);
int coordinated_recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                     MPI_Status *status);

#undef main
#define main application_main
#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD coordinated_world()
#define MPI_Init(argc, argv) ((void)(argc), (void)(argv))
#define MPI_Finalize() ((void)0)
#define MPI_Send coordinated_send
#define MPI_Recv coordinated_recv

#endif
