/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Six collective operations, spelled as in programs that were written after the first pages of
 * an MPI tutorial: one rank sends to all others in a loop, or receives from them. Sendwright
 * finds the loops and lets all ranks share the work.
 *
 * Usage: collectives [COUNT [ROUNDS]]      elements of a block (8), and how often (20)
 *
 * Standard output says what all ranks have at the end, standard error the microseconds of each
 * operation, with the barrier that ends it. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* A check that many programs have. */
#define CHECKED(call)                                                                              \
  do {                                                                                             \
    int error_ = (call);                                                                           \
    if (error_ != MPI_SUCCESS) {                                                                   \
      fprintf(stderr, "%s:%d: error %d in %s\n", __FILE__, __LINE__, error_, #call);               \
      MPI_Abort(MPI_COMM_WORLD, error_);                                                           \
    }                                                                                              \
  } while (0)

static void broadcast(double *values, int count) {
  MPI_Status status;
  if (rank == 0) {
    for (int to = 1; to < size; to++)
      MPI_Send(values, count, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
  } else {
    MPI_Recv(values, count, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &status);
  }
}

/* The other ranks branch off first, and results are checked. */
static void scatter(const double *all, double *mine, int count) {
  if (rank != 0) {
    if (MPI_Recv(mine, count, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      MPI_Abort(MPI_COMM_WORLD, 1);
    return;
  }
  memcpy(mine, all, (size_t)count * sizeof *mine);
  for (int to = 1; to < size; to++) {
    int error = MPI_Send(all + to * count, count, MPI_DOUBLE, to, 2, MPI_COMM_WORLD);
    if (error != MPI_SUCCESS)
      MPI_Abort(MPI_COMM_WORLD, error);
  }
}

static void gather(double *all, const double *mine, int count) {
  if (rank == 0) {
    memcpy(all, mine, (size_t)count * sizeof *mine);
    for (int from = 1; from < size; from++)
      CHECKED(MPI_Recv(all + from * count, count, MPI_DOUBLE, from, 3, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE));
  } else {
    CHECKED(MPI_Send(mine, count, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD));
  }
}

static void reduce(int *sum, const int *mine, int count) {
  if (rank == 0) {
    int *part = malloc((size_t)count * sizeof *part);
    memcpy(sum, mine, (size_t)count * sizeof *sum);
    for (int from = 1; from < size; from++) {
      MPI_Recv(part, count, MPI_INT, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int k = 0; k < count; k++)
        sum[k] += part[k];
    }
    free(part);
  } else {
    MPI_Send(mine, count, MPI_INT, 0, 4, MPI_COMM_WORLD);
  }
}

static void allgather(const int *mine, int *all, int count) {
  MPI_Request *requests = malloc((size_t)size * sizeof *requests);
  int begun = 0;
  for (int from = 0; from < size; from++)
    if (from != rank)
      MPI_Irecv(all + from * count, count, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[begun++]);
  memcpy(all + rank * count, mine, (size_t)count * sizeof *all);
  for (int to = 0; to < size; to++)
    if (to != rank)
      MPI_Send(mine, count, MPI_INT, to, 5, MPI_COMM_WORLD);
  MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
  free(requests);
}

static void exchange(const int *out, int *in, int count) {
  MPI_Request *requests = malloc((size_t)size * sizeof *requests);
  int begun = 0, error;
  for (int to = 0; to < size; to++)
    if (to != rank)
      MPI_Isend(out + to * count, count, MPI_INT, to, 6, MPI_COMM_WORLD, &requests[begun++]);
  memcpy(in + rank * count, out + rank * count, (size_t)count * sizeof *in);
  for (int from = 0; from < size; from++)
    if (from != rank)
      MPI_Recv(in + from * count, count, MPI_INT, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  error = MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
  if (error != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, error);
  free(requests);
}

enum { operations = 6 };
static const char *const names[operations] = {"broadcast", "scatter",   "gather",
                                              "reduce",    "allgather", "all-to-all"};

/* The blocks of all ranks, and a digest of what all ranks received. */
struct Data {
  double *doubles, *block;
  int *out, *in, *sum;
  unsigned long long check;
};

static void note(struct Data *data, long long value) {
  data->check = data->check * 6364136223846793005ULL + (unsigned long long)value;
}

static void perform(int operation, struct Data *data, int count) {
  switch (operation) {
  case 0:
    broadcast(data->block, count);
    break;
  case 1:
    scatter(data->doubles, data->block, count);
    break;
  case 2:
    gather(data->doubles, data->block, count);
    break;
  case 3:
    reduce(data->sum, data->out, count);
    break;
  case 4:
    allgather(data->out, data->in, count);
    break;
  default:
    exchange(data->out, data->in, count);
  }
}

static void play(struct Data *data, int count, int rounds, double *seconds) {
  for (int round = 0; round < rounds; round++)
    for (int operation = 0; operation < operations; operation++) {
      for (int k = 0; k < size * count; k++) {
        data->out[k] = rank * 1000 + k + round;
        if (rank == 0)
          data->doubles[k] += k + round;
      }
      MPI_Barrier(MPI_COMM_WORLD);
      const double begun = MPI_Wtime();
      perform(operation, data, count);
      MPI_Barrier(MPI_COMM_WORLD);
      seconds[operation] += MPI_Wtime() - begun;
      for (int k = 0; k < count; k++) {
        note(data, (long long)data->block[k]);
        note(data, rank == 0 ? data->sum[k] : 0);
      }
      for (int k = 0; k < size * count; k++)
        note(data, rank == 0 ? (long long)data->doubles[k] + data->in[k] : data->in[k]);
    }
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 8, rounds = argc > 2 ? atoi(argv[2]) : 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const size_t all = (size_t)size * (size_t)count;
  struct Data data = {calloc(all, sizeof(double)),        calloc((size_t)count, sizeof(double)),
                      calloc(all, sizeof(int)),           calloc(all, sizeof(int)),
                      calloc((size_t)count, sizeof(int)), 0};
  double seconds[operations] = {0};
  play(&data, count, rounds, seconds);

  unsigned long long together = 0;
  MPI_Reduce(&data.check, &together, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d ranks, %d elements, %d rounds: %016llx\n", size, count, rounds, together);
    for (int operation = 0; operation < operations; operation++)
      fprintf(stderr, "%s %.2f us\n", names[operation], 1e6 * seconds[operation] / rounds);
  }
  free(data.doubles);
  free(data.block);
  free(data.out);
  free(data.in);
  free(data.sum);
  MPI_Finalize();
  return 0;
}
