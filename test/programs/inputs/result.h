/* What a program prints at its end: for each rank, how many bytes it has and their FNV-1a hash. */
#ifndef RESULT_H
#define RESULT_H
#include <mpi.h>
#include <stdio.h>

static inline void print_result(MPI_Comm communicator, const char *what, const void *data, size_t bytes) {
  unsigned long long own[2] = {bytes, 14695981039346656037u}, got[2];
  int rank, size;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &size);
  for (size_t at = 0; at < bytes; ++at)
    own[1] = (own[1] ^ ((const unsigned char *)data)[at]) * 1099511628211u;
  if (rank != 0) {
    MPI_Send(own, 2, MPI_UNSIGNED_LONG_LONG, 0, 32000, communicator);
    return;
  }
  printf("%s: %llu bytes, %016llx", what, own[0], own[1]);
  for (int from = 1; from < size; ++from) {
    MPI_Recv(got, 2, MPI_UNSIGNED_LONG_LONG, from, 32000, communicator, MPI_STATUS_IGNORE);
    printf("; %llu, %016llx", got[0], got[1]);
  }
  printf("\n");
}
#endif
