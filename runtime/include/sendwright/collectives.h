/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What collective operations that a program spells with sends and receives become: Sendwright's
 * compiler plugin writes these words in front of the loops and calls, and its runtime library
 * defines what they mean.
 *
 *     if (rank == 0) {
 *       if (!sendwright_broadcast(SITE, values, count, MPI_DOUBLE, 0, 7, comm, 1, size, 0))
 *         for (i = 1; i < size; i++)
 *           MPI_Send(values, count, MPI_DOUBLE, i, 7, comm);
 *     } else {
 *       if (!sendwright_broadcast(SITE, values, count, MPI_DOUBLE, 0, 7, comm, 1, size, &status))
 *         MPI_Recv(values, count, MPI_DOUBLE, 0, 7, comm, &status);
 *     }
 *
 * Each is an expression: not 0 where the operation was done by the plan's schedule, 0 where the
 * loop or call is to run as written. All ranks of the communicator come to the same answer without
 * asking one another: it depends on the plan, which they compared in MPI_Init, on the communicator
 * and the root, and on whether the ranks that the loop goes over (FIRST to END - 1, itself left
 * out) are all others, which each rank works out from the same expressions.
 *
 * SITE is the loop's. A block is given by the addresses of those of rank 0 and of rank 1, from
 * which follow all others. COUNT, TYPE, TAG, COMM and STATUS are MPI's. STATUS, 0 where there is
 * none, gets what the last receive of the loop would have given it.
 *
 * For Clang, in every standard of C and C++, where MPI's header is included. Errors go to the
 * communicator's error handler, as those of the calls would. One thread at a time for each
 * communicator. */

#ifndef SENDWRIGHT_COLLECTIVES_H
#define SENDWRIGHT_COLLECTIVES_H
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

/* sendwright_collective.operation */
#define SENDWRIGHT_BROADCAST 0u
#define SENDWRIGHT_SCATTER 1u
#define SENDWRIGHT_GATHER 2u
#define SENDWRIGHT_ALLGATHER 3u
#define SENDWRIGHT_ALL_TO_ALL 4u
#define SENDWRIGHT_REDUCE 5u

/* sendwright_collective.reduction */
#define SENDWRIGHT_SUM 1u
#define SENDWRIGHT_PRODUCT 2u
#define SENDWRIGHT_MINIMUM 3u
#define SENDWRIGHT_MAXIMUM 4u
#define SENDWRIGHT_BITWISE_AND 5u
#define SENDWRIGHT_BITWISE_OR 6u
#define SENDWRIGHT_BITWISE_XOR 7u

/* sendwright_collective.own */
#define SENDWRIGHT_WITH_OWN                                                                        \
  1 /* the loop goes over this rank, too: its block for itself is copied */
#define SENDWRIGHT_IN_STEPS                                                                        \
  2 /* in each step it receives before it sends in the next: where a rank's                        \
       blocks lie in one another, all ranks run the loop as written */

/* What one rank gives or gets: `count` elements of a type, for the k-th rank `stride` bytes times k
 * behind `buffer`. */
struct sendwright_blocks {
  const void *buffer;
  long long stride;
  int count;
  const void *type; /* the address of an MPI_Datatype; a null pointer: there are none */
};

/* One rank's part in one operation. Of Broadcast the root has `send` and the others `receive`; of
 * Scatter and Gather likewise, and the root's block of its own is not touched. Of Reduce the root's
 * `receive` is the result, which holds its own contribution before. */
struct sendwright_collective {
  struct sendwright_site *site; /* the loop's, at all ranks */
  unsigned operation, reduction;
  const void *communicator; /* the address of an MPI_Comm */
  int root, tag;            /* root: -1 where there is none */
  long long first, end;     /* the ranks that the loop goes over, this rank or the root left out */
  int own;                  /* where there is no root: the words above */
  struct sendwright_blocks send, receive;
  void *status; /* an MPI_Status, or a null pointer, or MPI_STATUS_IGNORE */
};

/* Does it. Not 0 where it is done; 0: it is to run as written. With SENDWRIGHT_IN_STEPS what the
 * loop writes may then be written already. */
int sendwright_collective(const struct sendwright_collective *part);

/* Whether sendwright_collective() will do an operation without a root, for all ranks alike. What
 * precedes it, receives that are posted or sends that are begun, is left out then. */
int sendwright_collective_planned(struct sendwright_site *site, const void *communicator,
                                  long long first, long long end);

/* MPI's error code of the last operation that was done: MPI_SUCCESS, or what was given to the
 * communicator's error handler. For programs that look at what their calls return. */
int sendwright_collective_error(void);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* Numbers may be of any type: in C++ they would not become others in braces by themselves. */
#define SENDWRIGHT_BLOCKS(ZERO, ONE, COUNT, TYPE)                                                  \
  {(ZERO), (const char *)(ONE) - (const char *)(ZERO), (int)(COUNT), &(TYPE)}
#define SENDWRIGHT_NO_BLOCKS {0, 0, 0, 0}

/* STATUS where there is none: a 0 that is written in the program may raise warnings there. */
#define SENDWRIGHT_NO_STATUS 0

/* Handles of MPI may be numbers or macros: they get an address here. */
#define SENDWRIGHT_COLLECTIVE(SITE, OPERATION, REDUCTION, ROOT, TAG, COMM, FIRST, END, OWN, STYPE, \
                              RTYPE, SEND, RECEIVE, STATUS)                                        \
  __extension__({                                                                                  \
    MPI_Comm sendwright_communicator = (COMM);                                                     \
    MPI_Datatype sendwright_send_type = (STYPE), sendwright_receive_type = (RTYPE);                \
    struct sendwright_collective sendwright_part = {&(SITE),                                       \
                                                    (OPERATION),                                   \
                                                    (REDUCTION),                                   \
                                                    &sendwright_communicator,                      \
                                                    (int)(ROOT),                                   \
                                                    (int)(TAG),                                    \
                                                    (long long)(FIRST),                            \
                                                    (long long)(END),                              \
                                                    (OWN),                                         \
                                                    SEND,                                          \
                                                    RECEIVE,                                       \
                                                    (void *)(STATUS)};                             \
    (void)sendwright_send_type;                                                                    \
    (void)sendwright_receive_type;                                                                 \
    sendwright_collective(&sendwright_part);                                                       \
  })

#define sendwright_planned(SITE, COMM, FIRST, END)                                                 \
  __extension__({                                                                                  \
    MPI_Comm sendwright_communicator = (COMM);                                                     \
    sendwright_collective_planned(&(SITE), &sendwright_communicator, (long long)(FIRST),           \
                                  (long long)(END));                                               \
  })

/* At the root and at the others alike. */
#define sendwright_broadcast(SITE, BUFFER, COUNT, TYPE, ROOT, TAG, COMM, FIRST, END, STATUS)       \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_BROADCAST, 0u, ROOT, TAG, COMM, FIRST, END, 0, TYPE,      \
                        TYPE, SENDWRIGHT_BLOCKS(BUFFER, BUFFER, COUNT, sendwright_send_type),      \
                        SENDWRIGHT_BLOCKS(BUFFER, BUFFER, COUNT, sendwright_receive_type), STATUS)

/* ZERO and ONE: the addresses of the blocks for ranks 0 and 1. */
#define sendwright_scatter_send(SITE, ZERO, ONE, COUNT, TYPE, ROOT, TAG, COMM, FIRST, END)         \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_SCATTER, 0u, ROOT, TAG, COMM, FIRST, END, 0, TYPE, TYPE,  \
                        SENDWRIGHT_BLOCKS(ZERO, ONE, COUNT, sendwright_send_type),                 \
                        SENDWRIGHT_NO_BLOCKS, 0)
#define sendwright_scatter_receive(SITE, BUFFER, COUNT, TYPE, ROOT, TAG, COMM, FIRST, END, STATUS) \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_SCATTER, 0u, ROOT, TAG, COMM, FIRST, END, 0, TYPE, TYPE,  \
                        SENDWRIGHT_NO_BLOCKS,                                                      \
                        SENDWRIGHT_BLOCKS(BUFFER, BUFFER, COUNT, sendwright_receive_type), STATUS)

#define sendwright_gather_send(SITE, BUFFER, COUNT, TYPE, ROOT, TAG, COMM, FIRST, END)             \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_GATHER, 0u, ROOT, TAG, COMM, FIRST, END, 0, TYPE, TYPE,   \
                        SENDWRIGHT_BLOCKS(BUFFER, BUFFER, COUNT, sendwright_send_type),            \
                        SENDWRIGHT_NO_BLOCKS, 0)
#define sendwright_gather_receive(SITE, ZERO, ONE, COUNT, TYPE, ROOT, TAG, COMM, FIRST, END,       \
                                  STATUS)                                                          \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_GATHER, 0u, ROOT, TAG, COMM, FIRST, END, 0, TYPE, TYPE,   \
                        SENDWRIGHT_NO_BLOCKS,                                                      \
                        SENDWRIGHT_BLOCKS(ZERO, ONE, COUNT, sendwright_receive_type), STATUS)

/* RESULT holds the root's own contribution before; OPERATION is SENDWRIGHT_SUM, ... */
#define sendwright_reduce_send(SITE, BUFFER, COUNT, TYPE, OPERATION, ROOT, TAG, COMM, FIRST, END)  \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_REDUCE, OPERATION, ROOT, TAG, COMM, FIRST, END, 0, TYPE,  \
                        TYPE, SENDWRIGHT_BLOCKS(BUFFER, BUFFER, COUNT, sendwright_send_type),      \
                        SENDWRIGHT_NO_BLOCKS, 0)
#define sendwright_reduce_receive(SITE, RESULT, COUNT, TYPE, OPERATION, ROOT, TAG, COMM, FIRST,    \
                                  END, STATUS)                                                     \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_REDUCE, OPERATION, ROOT, TAG, COMM, FIRST, END, 0, TYPE,  \
                        TYPE, SENDWRIGHT_NO_BLOCKS,                                                \
                        SENDWRIGHT_BLOCKS(RESULT, RESULT, COUNT, sendwright_receive_type), STATUS)

/* What a rank has for all, and where it wants the blocks of others. */
#define SENDWRIGHT_ALLGATHER_OF(OWN, SITE, BUFFER, COUNT, TYPE, ZERO, ONE, RECEIVED,               \
                                RECEIVED_TYPE, TAG, COMM, FIRST, END)                              \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_ALLGATHER, 0u, -1, TAG, COMM, FIRST, END, OWN, TYPE,      \
                        RECEIVED_TYPE,                                                             \
                        SENDWRIGHT_BLOCKS(BUFFER, BUFFER, COUNT, sendwright_send_type),            \
                        SENDWRIGHT_BLOCKS(ZERO, ONE, RECEIVED, sendwright_receive_type), 0)
#define sendwright_allgather(...) SENDWRIGHT_ALLGATHER_OF(0, __VA_ARGS__)
#define sendwright_allgather_with_own(...) SENDWRIGHT_ALLGATHER_OF(SENDWRIGHT_WITH_OWN, __VA_ARGS__)
#define sendwright_pairwise_allgather(...) SENDWRIGHT_ALLGATHER_OF(SENDWRIGHT_IN_STEPS, __VA_ARGS__)
#define sendwright_pairwise_allgather_with_own(...)                                                \
  SENDWRIGHT_ALLGATHER_OF(SENDWRIGHT_IN_STEPS | SENDWRIGHT_WITH_OWN, __VA_ARGS__)

#define SENDWRIGHT_ALL_TO_ALL_OF(OWN, SITE, SENT_ZERO, SENT_ONE, COUNT, TYPE, ZERO, ONE, RECEIVED, \
                                 RECEIVED_TYPE, TAG, COMM, FIRST, END)                             \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_ALL_TO_ALL, 0u, -1, TAG, COMM, FIRST, END, OWN, TYPE,     \
                        RECEIVED_TYPE,                                                             \
                        SENDWRIGHT_BLOCKS(SENT_ZERO, SENT_ONE, COUNT, sendwright_send_type),       \
                        SENDWRIGHT_BLOCKS(ZERO, ONE, RECEIVED, sendwright_receive_type), 0)
#define sendwright_all_to_all(...) SENDWRIGHT_ALL_TO_ALL_OF(0, __VA_ARGS__)
#define sendwright_all_to_all_with_own(...)                                                        \
  SENDWRIGHT_ALL_TO_ALL_OF(SENDWRIGHT_WITH_OWN, __VA_ARGS__)
#define sendwright_pairwise_all_to_all(...)                                                        \
  SENDWRIGHT_ALL_TO_ALL_OF(SENDWRIGHT_IN_STEPS, __VA_ARGS__)
#define sendwright_pairwise_all_to_all_with_own(...)                                               \
  SENDWRIGHT_ALL_TO_ALL_OF(SENDWRIGHT_IN_STEPS | SENDWRIGHT_WITH_OWN, __VA_ARGS__)

#endif
