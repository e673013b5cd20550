/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Collective operations that a program spells out as sends and receives. Sendwright's compiler
 * plugin writes these macros in front of the loops and calls, and its runtime library carries
 * them out.
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
 * Each macro is an expression. It is not 0 where the plan's schedule carried out the operation,
 * and 0 where the loop or call must run as written. All ranks of the communicator get the same
 * answer without asking one another. The answer depends on the plan, which they compared in
 * MPI_Init; on the communicator and the root; and on whether the loop goes over all other ranks
 * (FIRST to END - 1 without the rank itself), which each rank computes from the same
 * expressions.
 *
 * SITE is the site of the loop. Blocks are given by the addresses of the blocks for rank 0 and
 * rank 1, from which all others follow. COUNT, TYPE, TAG, COMM and STATUS mean the same as in
 * MPI. STATUS, 0 where there is none, gets what the loop's last receive would have stored in it.
 *
 * For Clang, in every standard of C and C++, after MPI's header. Errors go to the communicator's
 * error handler, as errors of the original calls would. One thread at a time for each
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
  1 /* the loop also goes over this rank, and copies its block for itself */
#define SENDWRIGHT_IN_STEPS                                                                        \
  2 /* each step receives before the next step sends: where a rank's blocks                        \
       overlap, all ranks run the loop as written */

/* What one rank sends or receives: `count` elements of a type; the block for rank k begins
 * `stride` * k bytes behind `buffer`. */
struct sendwright_blocks {
  const void *buffer;
  long long stride;
  int count;
  const void *type; /* the address of an MPI_Datatype; a null pointer: no blocks */
};

/* One rank's part in one operation. In Broadcast the root sets `send` and the others set
 * `receive`. Likewise in Scatter and Gather, which do not touch the root's block for itself. In
 * Reduce the root's `receive` is the result; before the operation it holds the root's own
 * contribution. */
struct sendwright_collective {
  struct sendwright_site *site; /* the site of the loop, the same on all ranks */
  unsigned operation, reduction;
  const void *communicator; /* the address of an MPI_Comm */
  int root, tag;            /* root: -1 where the operation has none */
  long long first, end;     /* the ranks that the loop goes over, maybe not this rank or the root */
  int own;                  /* SENDWRIGHT_WITH_OWN and so on; for operations without a root */
  struct sendwright_blocks send, receive;
  void *status; /* the address of an MPI_Status, MPI_STATUS_IGNORE, or a null pointer */
};

/* Carries out the operation. Returns 0 where the loop must run as written, else not 0. With
 * SENDWRIGHT_IN_STEPS, the memory that the loop writes to may already be overwritten then. */
int sendwright_collective(const struct sendwright_collective *part);

/* Whether sendwright_collective() will carry out an operation without a root; the same answer on
 * all ranks. If so, the program skips the receives it would post, or the sends it would begin,
 * before the operation. */
int sendwright_collective_planned(struct sendwright_site *site, const void *communicator,
                                  long long first, long long end);

/* MPI's error code of the last operation carried out: MPI_SUCCESS, or the code that was passed
 * to the communicator's error handler. For programs that check what their calls return. */
int sendwright_collective_error(void);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* Numbers may be of any type: in C++, braces do not convert them implicitly. */
#define SENDWRIGHT_BLOCKS(ZERO, ONE, COUNT, TYPE)                                                  \
  {(ZERO), (const char *)(ONE) - (const char *)(ZERO), (int)(COUNT), &(TYPE)}
#define SENDWRIGHT_NO_BLOCKS {0, 0, 0, 0}

/* Stands for a STATUS where there is none: a 0 written in the program may raise warnings there. */
#define SENDWRIGHT_NO_STATUS 0

/* MPI handles may be numbers or macros: here they get an address. */
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

/* The same at the root and at the other ranks. */
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

/* Before the operation, RESULT holds the root's own contribution; OPERATION: SENDWRIGHT_SUM etc. */
#define sendwright_reduce_send(SITE, BUFFER, COUNT, TYPE, OPERATION, ROOT, TAG, COMM, FIRST, END)  \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_REDUCE, OPERATION, ROOT, TAG, COMM, FIRST, END, 0, TYPE,  \
                        TYPE, SENDWRIGHT_BLOCKS(BUFFER, BUFFER, COUNT, sendwright_send_type),      \
                        SENDWRIGHT_NO_BLOCKS, 0)
#define sendwright_reduce_receive(SITE, RESULT, COUNT, TYPE, OPERATION, ROOT, TAG, COMM, FIRST,    \
                                  END, STATUS)                                                     \
  SENDWRIGHT_COLLECTIVE(SITE, SENDWRIGHT_REDUCE, OPERATION, ROOT, TAG, COMM, FIRST, END, 0, TYPE,  \
                        TYPE, SENDWRIGHT_NO_BLOCKS,                                                \
                        SENDWRIGHT_BLOCKS(RESULT, RESULT, COUNT, sendwright_receive_type), STATUS)

/* What a rank sends to all ranks, and where it stores the other ranks' blocks. */
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
