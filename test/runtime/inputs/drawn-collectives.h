/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sites of collective operations, and what a seed gives each of them: its communicator, its root,
 * its sizes, the values of its elements and their datatypes. All ranks draw the same. */

#ifndef TEST_RUNTIME_DRAWN_COLLECTIVES_H
#define TEST_RUNTIME_DRAWN_COLLECTIVES_H

#include "../../../runtime/include/sendwright/collectives.h"

#include "mixed-numbers.h"

#include <mpi.h>

#include <stdint.h>

static const struct {
  unsigned operation;
  const char *name, *algorithm;
} algorithms[] = {
    {SENDWRIGHT_BROADCAST, "broadcast", "linear"},
    {SENDWRIGHT_BROADCAST, "broadcast", "binomial tree"},
    {SENDWRIGHT_BROADCAST, "broadcast", "optimal tree"},
    {SENDWRIGHT_BROADCAST, "broadcast", "scatter + ring allgather"},
    {SENDWRIGHT_BROADCAST, "broadcast", "scatter + doubling allgather"},
    {SENDWRIGHT_SCATTER, "scatter", "linear"},
    {SENDWRIGHT_SCATTER, "scatter", "binomial tree"},
    {SENDWRIGHT_SCATTER, "scatter", "optimal tree"},
    {SENDWRIGHT_GATHER, "gather", "linear"},
    {SENDWRIGHT_GATHER, "gather", "binomial tree"},
    {SENDWRIGHT_GATHER, "gather", "optimal tree"},
    {SENDWRIGHT_ALLGATHER, "allgather", "ring"},
    {SENDWRIGHT_ALLGATHER, "allgather", "recursive doubling"},
    {SENDWRIGHT_ALL_TO_ALL, "all-to-all", "linear"},
    {SENDWRIGHT_ALL_TO_ALL, "all-to-all", "ring"},
    {SENDWRIGHT_ALL_TO_ALL, "all-to-all", "pairwise"},
    {SENDWRIGHT_ALL_TO_ALL, "all-to-all", "Bruck"},
    {SENDWRIGHT_REDUCE, "reduce", "linear"},
    {SENDWRIGHT_REDUCE, "reduce", "binomial tree"},
    {SENDWRIGHT_REDUCE, "reduce", "optimal tree"},
    {SENDWRIGHT_REDUCE, "reduce", "ring reduce-scatter + gather"},
    {SENDWRIGHT_BROADCAST, "broadcast", "MPI_Bcast"},
    {SENDWRIGHT_SCATTER, "scatter", "MPI_Scatter"},
    {SENDWRIGHT_GATHER, "gather", "MPI_Gather"},
    {SENDWRIGHT_ALLGATHER, "allgather", "MPI_Allgather"},
    {SENDWRIGHT_ALL_TO_ALL, "all-to-all", "MPI_Alltoall"},
    {SENDWRIGHT_REDUCE, "reduce", "MPI_Reduce"},
};

enum {
  kinds = sizeof algorithms / sizeof *algorithms,
  sites = 2 * kinds,     /* each algorithm on two communicators with different sizes */
  few_elements_site = 4, /* large in the profile, cut into pieces */
};

/* For the program to set. */
static int ranks;
static uint64_t seed;

/* A number that all ranks know. */
static uint64_t draw(int what, int a, int b, int c) {
  uint64_t value = mix(seed * 77 + (uint64_t)what);
  value = mix(value ^ (uint64_t)(unsigned)a);
  value = mix(value ^ (uint64_t)(unsigned)b << 16);
  return mix(value ^ (uint64_t)(unsigned)c << 32);
}
static int below(int limit, int what, int a, int b, int c) {
  return (int)(draw(what, a, b, c) % (uint64_t)limit);
}

/* 0: the world, 1: a duplicate of it, 2: all but the first, reversed. */
static int communicator_of(int site) { return site < kinds || ranks < 3 ? site % 2 : 2; }
static int members_of(int site) { return communicator_of(site) == 2 ? ranks - 1 : ranks; }
static int has_root(int site) {
  unsigned operation = algorithms[site % kinds].operation;
  return operation != SENDWRIGHT_ALLGATHER && operation != SENDWRIGHT_ALL_TO_ALL;
}
static int root_of(int site) {
  return has_root(site) ? below(members_of(site), 1, site, 0, 0) : -1;
}

/* The number of elements of four bytes in the profile. */
static int profiled(int site) {
  static const int counts[] = {0, 1, 10, 500, 4200, 9000, 30000};
  return site == few_elements_site ? 30000 : counts[below(7, 2, site, 0, 0)];
}

/* The number of elements that a member sends in an instance: for some operations the same for all
 * members, for others different. */
static int elements(int site, int instance, int member) {
  static const int factors[] = {4, 4, 4, 1, 3, 40, 0};
  unsigned operation = algorithms[site % kinds].operation;
  int differ = operation >= SENDWRIGHT_GATHER && operation <= SENDWRIGHT_ALL_TO_ALL &&
               below(3, 3, site, instance, 0) == 0;
  int which = differ ? member + 1 : 0;
  int count = profiled(site) * factors[below(7, 4, site, instance, which)] / 4 +
              below(3, 5, site, instance, which);
  return count > 262144 ? 262144 : count;
}
static int most_elements(int site, int instance) {
  int most = 0;
  for (int member = 0; member < members_of(site); ++member)
    if (elements(site, instance, member) > most)
      most = elements(site, instance, member);
  return most;
}

static int value_of(int site, int instance, int from, int to, int index) {
  return (int)(mix((uint64_t)(site * 100 + instance) << 40 ^ (uint64_t)from << 32 ^
                   (uint64_t)to << 24 ^ (uint64_t)index));
}

/* A datatype with one element of four bytes: an int, or one with a gap behind it. */
static MPI_Datatype with_gap;
struct type {
  MPI_Datatype datatype;
  int each, step; /* of them for an element; ints from one element to the next */
};
static struct type type_of(int site, int instance, int member, int which) {
  struct type integers = {MPI_INT, 1, 1}, bytes = {MPI_BYTE, 4, 1}, gaps = {with_gap, 1, 2};
  int kind = below(6, 6 + which, site, instance, member);
  if (algorithms[site % kinds].operation == SENDWRIGHT_REDUCE)
    return integers;
  return kind == 0 ? gaps : kind == 1 ? bytes : integers;
}

#endif
