/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A redistribution by the algorithm of COSTA (M. Kabic, S. Pintarelli, A. Kozhevnikov,
 * J. VandeVondele: "COSTA: Communication-Optimal Shuffle and Transpose Algorithm with Process
 * Relabeling", ISC 2021), written from its description. Everything for one rank is packed into one
 * message; all receives and sends are posted; what stays is copied meanwhile; each message is
 * unpacked when it comes. COSTA may also give the new blocks to other ranks, so that the most
 * elements stay: relabel() finds which. */

#ifndef TEST_BENCHMARK_REDISTRIBUTION_COSTA_H
#define TEST_BENCHMARK_REDISTRIBUTION_COSTA_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* What a rank exchanges: counts and places in the packed buffers, by rank. */
struct costa_exchange {
  const int *send_counts, *send_places, *receive_counts, *receive_places;
};

/* Calls unpack(context, from, elements) for each rank from which something has come, and for the
 * rank itself first. `packed` has the rank's elements by their new owners. */
static inline void costa_exchange(const double *packed, double *arrived,
                                  const struct costa_exchange *exchange,
                                  void (*unpack)(void *context, int from, const double *elements),
                                  void *context) {
  int rank, ranks, count = 0, receives = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Request *requests = malloc(sizeof(MPI_Request) * 2 * ranks);
  int *from = malloc(sizeof(int) * ranks);
  for (int i = 0; i < ranks; ++i)
    if (i != rank && exchange->receive_counts[i]) {
      MPI_Irecv(arrived + exchange->receive_places[i], exchange->receive_counts[i], MPI_DOUBLE, i,
                2, MPI_COMM_WORLD, &requests[count]);
      from[count++] = i;
    }
  receives = count;
  for (int i = 0; i < ranks; ++i)
    if (i != rank && exchange->send_counts[i])
      MPI_Isend(packed + exchange->send_places[i], exchange->send_counts[i], MPI_DOUBLE, i, 2,
                MPI_COMM_WORLD, &requests[count++]);
  if (exchange->send_counts[rank])
    unpack(context, rank, packed + exchange->send_places[rank]);
  for (int done = 0; done < receives; ++done) {
    int which;
    MPI_Waitany(receives, requests, &which, MPI_STATUS_IGNORE);
    unpack(context, from[which], arrived + exchange->receive_places[from[which]]);
  }
  MPI_Waitall(count - receives, requests + receives, MPI_STATUSES_IGNORE);
  free(requests);
  free(from);
}

/* The new owner of each new block such that the most elements stay: stays[block * ranks + owner].
 * An assignment of greatest weight by shortest augmenting paths (H. W. Kuhn's Hungarian method),
 * O(ranks^3). The caller frees the result. */
static inline int *relabel(const long long *stays, int ranks) {
  long long *of_row = calloc(ranks + 1, sizeof(long long)),
            *of_column = calloc(ranks + 1, sizeof(long long)),
            *slack = malloc(sizeof(long long) * (ranks + 1));
  int *row_of = calloc(ranks + 1, sizeof(int)), *way = calloc(ranks + 1, sizeof(int));
  char *seen = malloc(ranks + 1);
  for (int block = 1; block <= ranks; ++block) {
    int column = 0;
    row_of[0] = block;
    memset(seen, 0, ranks + 1);
    for (int i = 0; i <= ranks; ++i)
      slack[i] = (1LL << 62);
    do {
      int next = 0;
      long long least = 1LL << 62;
      const int row = row_of[column];
      seen[column] = 1;
      for (int i = 1; i <= ranks; ++i) {
        if (seen[i])
          continue;
        const long long cost =
            -stays[(long long)(row - 1) * ranks + i - 1] - of_row[row] - of_column[i];
        if (cost < slack[i])
          slack[i] = cost, way[i] = column;
        if (slack[i] < least)
          least = slack[i], next = i;
      }
      for (int i = 0; i <= ranks; ++i)
        if (seen[i])
          of_row[row_of[i]] += least, of_column[i] -= least;
        else
          slack[i] -= least;
      column = next;
    } while (row_of[column] != 0);
    for (; column; column = way[column])
      row_of[column] = row_of[way[column]];
  }
  int *owner = malloc(sizeof(int) * ranks);
  for (int i = 1; i <= ranks; ++i)
    owner[row_of[i] - 1] = i - 1;
  free(of_row), free(of_column), free(slack), free(row_of), free(way), free(seen);
  return owner;
}

#endif
