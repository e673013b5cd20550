/* What a program prints at its end: for each rank, how many bytes it has and their FNV-1a hash. */
#ifndef RESULT_H
#define RESULT_H
#include <mpi.h>
#include <stdio.h>

static inline void print_result(MPI_Comm communicator, const char *what, const void *data,
                                size_t bytes) {
  unsigned long long own[2] = {bytes, 14695981039346656037u}, all[2 * 16];
  int rank, size;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  for (size_t at = 0; at < bytes; ++at)
    own[1] = (own[1] ^ ((const unsigned char *)data)[at]) * 1099511628211u;
  if (size > 16)
    MPI_Abort(communicator, 1);
  MPI_Gather(own, 2, MPI_UNSIGNED_LONG_LONG, all, 2, MPI_UNSIGNED_LONG_LONG, 0, communicator);
  for (int from = 0; rank == 0 && from < size; ++from)
    printf("%s %d: %llu bytes, %016llx\n", what, from, all[2 * from], all[2 * from + 1]);
}
#endif
