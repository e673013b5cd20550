#ifndef COMM_H
#define COMM_H
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* The kind of macro that a large code has in its communication header. */
#define COMM_CHECK(call)                                                                           \
  do {                                                                                             \
    int comm_code_ = (call);                                                                       \
    if (comm_code_ != MPI_SUCCESS) {                                                               \
      char comm_text_[MPI_MAX_ERROR_STRING];                                                       \
      int comm_length_;                                                                            \
      MPI_Error_string(comm_code_, comm_text_, &comm_length_);                                     \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, comm_text_);                   \
      MPI_Abort(MPI_COMM_WORLD, comm_code_);                                                       \
    }                                                                                              \
  } while (0)

#define COMM_TAG(kind) (1000 + (kind))
#define COMM_SEND(pointer, count, rank) comm_send_doubles(pointer, count, rank, COMM_TAG(1))
#define COMM_SEND_CHECKED(pointer, count, rank) COMM_CHECK(COMM_SEND(pointer, count, rank))

static inline int comm_send_doubles(const double *from, int count, int rank, int tag) {
  return count > 0 ? MPI_Send(from, count, MPI_DOUBLE, rank, tag, MPI_COMM_WORLD) : MPI_SUCCESS;
}

static inline int comm_send_int(const int *value, int rank) {
  return MPI_Send(value, 1, MPI_INT, rank, COMM_TAG(0), MPI_COMM_WORLD);
}
#endif
