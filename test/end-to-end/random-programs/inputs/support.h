/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What every generated program shares: patterns that all ranks compute in the same way, the state
 * of one exchange, and the digest of everything received.
 *
 * A phase of a program is an exchange: exchange_begin() computes who sends what to whom from the
 * seed, the generated code sends and receives it, exchange_end() spoils the send buffers and adds
 * what arrived to the digest. What is sent depends on what was received before, so one wrong item
 * changes the final digests of many ranks. */

#ifndef SUPPORT_H
#define SUPPORT_H

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MPI 4 has persistent collectives. Those of MPICH 4.0 give wrong results, or end the program, when they
 * are started again (an allgather on 4 ranks). */
#if MPI_VERSION >= 4 && !(defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000)
#define HAS_PERSISTENT_COLLECTIVES 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define NO_MESSAGE (-77) /* peer of the entry after the last message */
#define LOCAL_ITEMS 2048 /* the largest message */
#define PHASES 64

enum pattern_flags {
  SINGLE = 1,          /* at most one message for each pair */
  GROUPED = 2,         /* messages to one destination are adjacent */
  REVERSED = 4,        /* the send list is stored from the last message to the first */
  NO_SELF = 8,         /* no rank sends to itself */
  TAGS = 16,           /* four tags */
  SKIP_EMPTY = 32,     /* empty messages are in the send list, but not sent */
  LOCAL_SELF = 64,     /* messages to oneself are in the send list, but not sent */
  NULLS = 128,         /* MPI_PROC_NULL among the destinations */
  BY_SOURCE = 256,     /* receives sorted by source; else in an order that all ranks share */
  ITERATION_TAG = 512, /* one tag, which changes in each iteration */
  SIZES_VARY = 1024,   /* they vary between iterations */
  STRIDED = 2048,      /* items of the send area are two places apart */
  MOVING_TAGS = 4096   /* all tags are others in each iteration */
};

struct message {
  int peer, tag, count;
  int offset;   /* in items: position in the area or the inbox */
  unsigned key; /* of its contents */
  struct message *next;
};

struct operation { /* sends and receives in one order that all ranks share */
  int receive;     /* index into receive, or -1 */
  struct message *message;
};

struct pending {
  MPI_Request request;
  unsigned *buffer;
  int peer;
};

struct run {
  int rank, size, variant, iteration;
  unsigned seed;
  unsigned long long digest, phase_digest[PHASES];
  unsigned work;
  MPI_Comm world, duplicate, row, backward;
};

struct exchange {
  struct run *run;
  int phase, active;
  MPI_Comm comm;
  int me, size, iteration;
  int free_comm;

  struct message *send, *receive; /* send[sends] has the peer NO_MESSAGE */
  int sends, receives, largest;   /* largest: most items of any message received */
  int send_items, receive_items;
  struct operation *operations;
  int operation_count;
  /* The same, one array a field, and for patterns of single messages by rank (-1: none). */
  int *peers, *tags, *counts, *offsets, *by_rank, *first;
  unsigned *keys;

  unsigned *area, *inbox, *scratch, **buffers;
  int buffer_count;
  MPI_Request *requests, *receive_requests;
  struct pending *pending;
  int request_count, pending_count, received;
  MPI_Status *statuses;
  MPI_Datatype strided;
  void *attached;
  int sequence[64];         /* messages received from each source so far */
  unsigned long long sum;   /* of what arrives in an order that MPI determines */
  unsigned long long added; /* of the rest: a plain sum */
};

static inline unsigned mix(unsigned a, unsigned b) {
  unsigned h = a * 2654435761u ^ (b + 0x9e3779b9u + (a << 6) + (a >> 2));
  h ^= h >> 15;
  h *= 0x85ebca6bu;
  return h ^ h >> 13;
}

static inline void fill(unsigned *buffer, int count, unsigned key) {
  for (int i = 0; i < count; i++)
    buffer[i] = mix(key, (unsigned)i);
}

#define CHECK(call)                                                                                \
  do {                                                                                             \
    int check_code = (call);                                                                       \
    if (check_code != MPI_SUCCESS) {                                                               \
      fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, check_code);                        \
      MPI_Abort(MPI_COMM_WORLD, check_code);                                                       \
    }                                                                                              \
  } while (0)

void run_begin(struct run *run, unsigned seed, int argc, char **argv);
/* Prints the digests of all ranks on rank 0; the result is the same on all ranks. */
unsigned run_end(struct run *run, int phases);

/* Takes over `comm`, which exchange_end() frees if `free_comm`. Returns 0 for MPI_COMM_NULL. */
int exchange_begin(struct exchange *x, struct run *run, int phase, MPI_Comm comm, int free_comm,
                   int iteration, int epoch, unsigned flags, int density, int largest);
void exchange_fill(struct exchange *x);
void exchange_attach(struct exchange *x);
void exchange_detach(struct exchange *x);
void exchange_end(struct exchange *x);

/* Adds a message to the digest: in the order of the calls, at a position, or per source. */
void take_in_order(struct exchange *x, const unsigned *data, const MPI_Status *status);
void take_at(struct exchange *x, int place, const unsigned *data, const MPI_Status *status);
void take_from_any(struct exchange *x, const unsigned *data, const MPI_Status *status);
void take_locally(struct exchange *x, int count, unsigned key);

/* For phases that are not exchanges. What a rank sends: depends on the iteration and on what the
 * rank received before. What it received: adds `bytes` bytes to the digest. */
unsigned phase_key(const struct run *run, int phase, int salt);
void phase_take(struct run *run, int phase, const void *data, size_t bytes);
/* Whether one rank sends another a message: the same answer on all ranks. */
int phase_pair(const struct run *run, int phase, int source, int destination, int density);

/* How HPF distributes an array over the ranks of a communicator. */
enum format { GEN_BLOCK, BLOCK, BLOCK_OF, CYCLIC_OF };
struct distribution {
  enum format format;
  int length, ranks, extent; /* length: of BLOCK_OF and CYCLIC_OF */
  int *sizes;                /* of GEN_BLOCK, one for each rank */
};
/* Random sizes, some of them 0; the caller frees them. */
int *random_sizes(unsigned key, int ranks, int extent);
int distributed_items(const struct distribution *d, int rank);
/* What the redistribute directive does, for a program compiled without the plugin: returns the new
 * block, and frees the old one. */
void *redistribute_by_hand(void *block, size_t item, const struct distribution *before,
                           const struct distribution *after, MPI_Comm comm);

/* Threads: creates a separate run for one of several threads, with its own communicators
 * (collective); and ends it, which adds the thread's digest. */
void run_fork(struct run *run, struct run *own, int thread);
void run_join(struct run *run, struct run *own, int phase);

#ifdef __cplusplus
}
#endif

#endif
