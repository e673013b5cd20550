/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What HPF directives become: Sendwright's compiler plugin writes these calls in their place, and
 * its runtime library defines them.
 *
 * The protocol, in the order of the directives:
 *
 *   1. `processors P(n)` is a struct sendwright_processors, `distribute A(...) onto P` a struct
 *      sendwright_array in the same block, given to sendwright_distribute(), which copies the
 * sizes. At the end of the block sendwright_forget() frees what it holds; the array itself stays.
 *   2. `redistribute A(...)` is sendwright_redistribute(), which all ranks of the processors'
 *      communicator call together, in the same order. It checks on all ranks that the sizes are
 *      right and the same everywhere, moves the elements, and then lets the variables name the new
 *      blocks. Where the check fails nothing has changed on any rank, and each calls the error
 *      handler of the communicator.
 *
 * An array is this rank's block, its elements in C order, in memory of malloc() that the variable
 * points to, or in a std::vector. MPI must be initialised. One thread at a time calls these
 * functions; with MPI_THREAD_MULTIPLE several may, each with arrays and a communicator of its own.
 * The header is C89 and C++98, and includes nothing but runtime.h. */

#ifndef SENDWRIGHT_REDISTRIBUTION_H
#define SENDWRIGHT_REDISTRIBUTION_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* The most dimensions of an array and of an arrangement of processors. */
#define SENDWRIGHT_DIMENSIONS 2

/* An arrangement of all ranks of a communicator; the last dimension varies fastest. */
struct sendwright_processors {
  const char *name;         /* for messages */
  const void *communicator; /* the address of an MPI_Comm, or a null pointer: MPI_COMM_WORLD */
  unsigned dimensions;      /* 1 or 2 */
  long long extents[SENDWRIGHT_DIMENSIONS];
};

/* sendwright_dimension.kind */
#define SENDWRIGHT_COLLAPSED 0u /* "*": not distributed */
#define SENDWRIGHT_GEN_BLOCK 1u /* blocks of given sizes */
#define SENDWRIGHT_BLOCK 2u     /* blocks of `parameter` elements; 0: as many as make them equal */
#define SENDWRIGHT_CYCLIC 3u    /* blocks of `parameter` elements (0: 1) in turn */

/* How one dimension of an array is distributed. The dimensions that are not collapsed take those of
 * the processors in turn. */
struct sendwright_dimension {
  unsigned kind;       /* SENDWRIGHT_... */
  long long parameter; /* of block and cyclic */
  const void *sizes;   /* of gen_block: elements of each processor's block; read by the call only */
  unsigned size_bytes; /* of one of the sizes: 1, 2, 4 or 8 */
  int sizes_signed;    /* whether they have a sign */
  long long size_count; /* how many there are, or -1 where the program's type does not say */
};

/* How an array is distributed. */
struct sendwright_distribution {
  unsigned dimensions; /* of the array: 1 or 2 */
  struct sendwright_dimension dimension[SENDWRIGHT_DIMENSIONS];
  /* The array's elements in each dimension, over all ranks; -1: the sum of the sizes of its
   * gen_block; where an array is redistributed, what it was. */
  long long extents[SENDWRIGHT_DIMENSIONS];
};

/* How memory other than that of malloc() is replaced. No function may throw. */
struct sendwright_storage {
  /* The first element, and how many there are. */
  void *(*data)(void *variable);
  unsigned long long (*size)(void *variable);
  /* New memory of as many elements, like the variable's, or a null pointer; its first element. */
  void *(*create)(void *variable, unsigned long long elements);
  void *(*created_data)(void *created);
  /* The variable takes it and its own is freed; or it is freed. */
  void (*commit)(void *variable, void *created);
  void (*discard)(void *created);
};

/* A distributed array. The first four fields are set where it is defined, `state` is the runtime's
 * own and null before. */
struct sendwright_array {
  const char *name;                         /* for messages */
  void *variable;                           /* the address of the pointer, or of the container */
  unsigned long element_size;               /* bytes */
  const struct sendwright_storage *storage; /* null: a pointer to memory of malloc(), or null */
  void *state;
};

/* The array's blocks lie as the distribution says. Not collective. Called again for the same array
 * it replaces what was said before. What is wrong is reported by the next sendwright_redistribute()
 * of the array, on all ranks. */
void sendwright_distribute(struct sendwright_site *site, struct sendwright_array *array,
                           const struct sendwright_processors *onto,
                           const struct sendwright_distribution *as);

/* Frees what is remembered of the array; its block stays. */
void sendwright_forget(struct sendwright_array *array);

/* sendwright_redistribute(): in which order a rank sends its messages */
#define SENDWRIGHT_SCHEDULE_AUTO 0u         /* what is best as far as known */
#define SENDWRIGHT_SCHEDULE_ASYNCHRONOUS 1u /* without steps, at the limit of the busiest port */
#define SENDWRIGHT_SCHEDULE_OPTIMAL 2u      /* in steps, the least sum of step lengths */
#define SENDWRIGHT_SCHEDULE_MLC 3u          /* in steps, as published */
#define SENDWRIGHT_SCHEDULE_TPDR 4u         /* in steps, as published */

/* One message of a schedule. */
struct sendwright_scheduled_message {
  int source, destination;
  unsigned step; /* from 0; in an asynchronous schedule the position at the receiver */
  long long elements;
};

/* Schedules known where the program was compiled: from constants, or for what its profile shows
 * most often. The one for the present sizes is used; where there is none it is computed. */
struct sendwright_schedule {
  unsigned long long pair; /* digest of both distributions and the number of ranks */
  unsigned steps;          /* 0: asynchronous */
  unsigned long message_count;
  const struct sendwright_scheduled_message *messages; /* by sender, in the order to send */
  const struct sendwright_schedule *next;              /* for other sizes; may be null */
};

/* Moves the arrays, which have the same processors, to another distribution, with one message per
 * pair of ranks for all of them together. `known` may be null. Collective over the processors'
 * communicator. Afterwards each variable names a new block; where it cannot be, nothing has changed
 * on any rank, and the communicator's error handler was called with a code whose text names the
 * rank, the site, what was found and what was expected. */
void sendwright_redistribute(struct sendwright_site *site, unsigned schedule,
                             const struct sendwright_schedule *known, unsigned long array_count,
                             struct sendwright_array *const *arrays,
                             const struct sendwright_distribution *to);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* SENDWRIGHT_REDISTRIBUTION_H */
