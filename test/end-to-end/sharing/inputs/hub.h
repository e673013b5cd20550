/* A hub that exchanges messages with all ranks, and further partners for each of the others. What a
 * rank receives enters a checksum of its own, with its source and length; rank 0 prints all of
 * them. */
#ifndef HUB_H
#define HUB_H
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

enum { most = 16, room = 300, rounds = 12 };

static int rank, ranks, partners;
static int partner[most]; /* the ranks that this rank sends to and receives from */
static int outbox[most][room], inbox[most][room];
static uint64_t checksum;

static void add_partner(int other) {
  other = (other + ranks) % ranks;
  for (int k = 0; k < partners; ++k)
    if (partner[k] == other)
      return;
  if (other != rank)
    partner[partners++] = other;
}

static void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int other = 0; other < ranks; ++other)
    if (rank == 0 || other == 0 || (rank - other) * (rank - other) == 1)
      add_partner(other);
}

/* How many values rank `from` has for rank `to` in a round, possibly none. */
static int length(int round, int from, int to) { return (round * 31 + from * 7 + to * 13) % room; }

static void fill(int round) {
  for (int k = 0; k < partners; ++k)
    for (int i = 0; i < room; ++i)
      outbox[k][i] = round * 1000003 + rank * 10007 + partner[k] * 101 + i;
}

static void take(int from, const int *values, int count) {
  uint64_t sum = checksum * 31 + (uint64_t)from * 65537 + (uint64_t)count;
  for (int i = 0; i < count; ++i)
    sum = sum * 1099511628211u + (uint64_t)values[i];
  checksum = sum;
}

static int finish(void) {
  uint64_t all[most];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Gather(&checksum, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  for (int k = 0; rank == 0 && k < ranks; ++k)
    printf("rank %d: %016llx\n", k, (unsigned long long)all[k]);
  MPI_Finalize();
  return 0;
}
#endif
