/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The calls that HPF directives become: Sendwright's compiler plugin writes them in place of the
 * directives, and its runtime library defines them.
 *
 * The protocol, in the order of the directives:
 *
 *   1. `processors P(n)` becomes a struct sendwright_processors. `distribute A(...) onto P` becomes
 *      a struct sendwright_array in the same block, which is given to sendwright_distribute(); that
 *      call copies the sizes. At the end of the block sendwright_forget() frees what the struct
 *      holds; the array itself stays.
 *   2. `redistribute A(...)` becomes sendwright_redistribute(), which all ranks of the processors'
 *      communicator call together, in the same order. It checks on all ranks that the sizes are
 *      right and the same everywhere, moves the elements, and then lets the variables name the new
 *      blocks. If the check fails, nothing changes on any rank, and each rank calls the
 *      communicator's error handler.
 *   3. `align B(...) with A(...)` becomes a struct sendwright_array for B, which is given to
 *      sendwright_align(). From then on B moves whenever A moves, in the same messages. `realign`
 *      becomes sendwright_realign(), which moves B to where another array lies. `template T(n)` is
 * an array without elements, for others to be aligned with.
 *
 * An array is this rank's block, with its elements in C order, in memory from malloc() that the
 * variable points to, or in a std::vector; or it is the whole array, of which this rank owns a
 * part. MPI must be initialised. Only one thread may call these functions at a time; with
 * MPI_THREAD_MULTIPLE several may, each with its own arrays and communicator. The header is C89 and
 * C++98, and includes nothing but runtime.h. */

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

/* The largest number of dimensions of an array and of an arrangement of processors. */
#define SENDWRIGHT_DIMENSIONS 7

/* An arrangement of the ranks of a communicator, or of some of them: first, first + stride, ...,
 * last. The last dimension varies fastest. */
struct sendwright_processors {
  const char *name;         /* for messages */
  const void *communicator; /* the address of an MPI_Comm, or a null pointer: MPI_COMM_WORLD */
  unsigned dimensions;      /* 1 to SENDWRIGHT_DIMENSIONS */
  long long extents[SENDWRIGHT_DIMENSIONS];
  long long first, last, stride; /* stride 0: all ranks */
};

/* sendwright_dimension.kind */
#define SENDWRIGHT_COLLAPSED 0u /* "*": not distributed */
#define SENDWRIGHT_GEN_BLOCK 1u /* blocks of given sizes */
#define SENDWRIGHT_BLOCK 2u     /* blocks of `parameter` elements; 0: blocks as equal as possible */
#define SENDWRIGHT_CYCLIC 3u    /* blocks of `parameter` elements (0: 1), dealt out in turn */
#define SENDWRIGHT_INDIRECT 4u  /* a map says which processor owns each index */
#define SENDWRIGHT_BALANCE 5u   /* blocks whose sizes follow the load; only in a redistribution */
#define SENDWRIGHT_ALIGNED 6u   /* along a dimension of another array; only in an alignment */

/* sendwright_dimension.sizes_signed: costs that are float or double */
#define SENDWRIGHT_FLOATING 2

/* How one dimension of an array is distributed. The dimensions that are not collapsed are
 * assigned to the dimensions of the processors in order. */
struct sendwright_dimension {
  unsigned kind; /* SENDWRIGHT_... */
  /* For block and cyclic the length. For aligned the index of the other array, in its dimension
   * `along`, where index 0 lies: at least 0. */
  long long parameter;
  /* For gen_block: elements of each processor's block. For indirect: the processor of each index,
   * from 0. For balance: the cost of each index of this dimension that the rank owns, in the order
   * of its block. Read during the call. */
  const void *sizes;
  unsigned size_bytes;  /* of one element of `sizes`: 1, 2, 4 or 8; for balance also 0: there are no
                         * costs, and the runtime measures the load */
  int sizes_signed;     /* whether the elements of `sizes` are signed; SENDWRIGHT_FLOATING */
  long long size_count; /* the number of sizes, or -1 where the program's type does not say */
  /* For balance: where the chosen sizes go, an integer for each processor; may be null. Written on
   * all ranks, if the redistribution succeeds, also where the blocks stay as they are. */
  void *chosen;
  unsigned chosen_bytes; /* of one integer: 1, 2, 4 or 8 */
  unsigned along;        /* for aligned: a dimension of the other array, from 0 */
};

/* How an array is distributed. */
struct sendwright_distribution {
  unsigned dimensions; /* of the array: 1 to SENDWRIGHT_DIMENSIONS */
  struct sendwright_dimension dimension[SENDWRIGHT_DIMENSIONS];
  /* The array's elements in each dimension, over all ranks. -1: in a first distribution the sum
   * of the gen_block sizes, or the length of the map; in a redistribution, as before; in a first
   * alignment, up to the end of the dimension along which this one lies. */
  long long extents[SENDWRIGHT_DIMENSIONS];
};

/* How memory that is not from malloc() is replaced. No function may throw. With global indices only
 * data() and size() are called. */
struct sendwright_storage {
  /* The first element, and the number of elements. */
  void *(*data)(void *variable);
  unsigned long long (*size)(void *variable);
  /* Creates memory like the variable's for a number of elements, or returns a null pointer; returns
   * the first element of created memory. */
  void *(*create)(void *variable, unsigned long long elements);
  void *(*created_data)(void *created);
  /* The variable takes over `created` and its old memory is freed; or `created` is freed. */
  void (*commit)(void *variable, void *created);
  void (*discard)(void *created);
};

/* sendwright_array.indices: what a rank holds of the array */
#define SENDWRIGHT_LOCAL_INDICES 0u /* its own part alone, in memory that is replaced */
#define SENDWRIGHT_GLOBAL_INDICES                                                                  \
  1u                             /* room for all of it, of which it owns a part; stays in place */
#define SENDWRIGHT_NO_INDICES 2u /* nothing: a template, without variable and elements */

/* A distributed array. The definition sets the fields; `state` belongs to the runtime and starts as
 * null. */
struct sendwright_array {
  const char *name; /* for messages */
  /* The address of the pointer, or of the container; with global indices and without storage, of
   * the array's first element. */
  void *variable;
  unsigned long element_size;               /* bytes */
  const struct sendwright_storage *storage; /* null: memory from malloc(), or none */
  void *state;
  unsigned indices; /* SENDWRIGHT_..._INDICES */
};

/* sendwright_site.flags of a distribute directive: the load of its arrays is measured from there on
 * (beside SENDWRIGHT_SITE_... of runtime.h). */
#define SENDWRIGHT_SITE_MEASURED 8u

/* Says that the array's blocks lie as in the distribution. Not collective. A second call for the
 * same array replaces the first. Errors are reported by the next sendwright_redistribute() of
 * the array, on all ranks. */
void sendwright_distribute(struct sendwright_site *site, struct sendwright_array *array,
                           const struct sendwright_processors *onto,
                           const struct sendwright_distribution *as);

/* Frees what the runtime remembers about the array; its block stays. Arrays that are aligned with
 * it stay where they are, and are then aligned with nothing. */
void sendwright_forget(struct sendwright_array *array);

/* sendwright_redistribute(): the order in which a rank sends its messages */
#define SENDWRIGHT_SCHEDULE_AUTO 0u         /* the best known */
#define SENDWRIGHT_SCHEDULE_ASYNCHRONOUS 1u /* without steps, at the limit of the busiest port */
#define SENDWRIGHT_SCHEDULE_OPTIMAL 2u      /* in steps, with the least sum of step lengths */
#define SENDWRIGHT_SCHEDULE_MLC 3u          /* in steps, as published */
#define SENDWRIGHT_SCHEDULE_TPDR 4u         /* in steps, as published */

/* One message of a schedule. */
struct sendwright_scheduled_message {
  int source, destination;
  unsigned step; /* from 0; in an asynchronous schedule, the message's position at the receiver */
  long long elements;
};

/* Schedules known when the program was compiled: from constants, or for the sizes most frequent
 * in its profile. The runtime uses the schedule for the present sizes, and computes one where
 * there is none. */
struct sendwright_schedule {
  unsigned long long pair; /* digest of both distributions and the number of ranks */
  unsigned steps;          /* 0: asynchronous */
  unsigned long message_count;
  const struct sendwright_scheduled_message *messages; /* by sender, in the order to send */
  const struct sendwright_schedule *next;              /* for other sizes; may be null */
};

/* Moves the arrays, which share their processors, and all that is aligned with them to another
 * distribution, with one message per pair of ranks for all arrays together. `known` may be null.
 * Collective over the processors' communicator. Afterwards each variable names a new block. If that
 * is impossible, nothing changes on any rank, and the communicator's error handler is called with a
 * code whose text names the rank, the site, what was found and what was expected. */
void sendwright_redistribute(struct sendwright_site *site, unsigned schedule,
                             const struct sendwright_schedule *known, unsigned long array_count,
                             struct sendwright_array *const *arrays,
                             const struct sendwright_distribution *to);

/* The same, onto other processors of the same communicator; a null pointer: onto those that each
 * array has. A rank that is not among them keeps an empty block. */
void sendwright_redistribute_onto(struct sendwright_site *site, unsigned schedule,
                                  const struct sendwright_schedule *known,
                                  unsigned long array_count, struct sendwright_array *const *arrays,
                                  const struct sendwright_processors *onto,
                                  const struct sendwright_distribution *to);

/* Says that the array's blocks lie as those of `with`: each dimension is aligned or collapsed. As
 * long as both are known, the array moves whenever `with` moves, as part of the same messages, and
 * cannot be redistributed itself. All ranks align the same arrays in the same order. Not
 * collective. A second call for the same array, or sendwright_distribute(), replaces the first;
 * errors are reported by the next collective call for either array. */
void sendwright_align(struct sendwright_site *site, struct sendwright_array *array,
                      struct sendwright_array *with, const struct sendwright_distribution *as);

/* Moves the arrays, and all that is aligned with them, to where `with` lies, with one message per
 * pair of ranks; from then on they are aligned with it, and with nothing else. Collective over the
 * communicator of the first array's processors, which has the same ranks as that of `with`. Errors
 * are those of sendwright_redistribute(). */
void sendwright_realign(struct sendwright_site *site, unsigned long array_count,
                        struct sendwright_array *const *arrays, struct sendwright_array *with,
                        const struct sendwright_distribution *as);

/* Says that the array's block lies in memory with room for further cells around it: widths[2 * d]
 * below and widths[2 * d + 1] above it in dimension d, in C order with the block. With global
 * indices the cells are those elements of the array that lie next to the rank's part. Later
 * redistributions make room for them. Not collective; errors are reported by the next collective
 * call for the array. */
void sendwright_shadow(struct sendwright_site *site, struct sendwright_array *array,
                       unsigned dimensions, const long long *widths);

/* Fills the cells around the block with the elements that their owners have; periodic[d] says
 * whether the cells beyond the array's ends in dimension d are the elements of its other end.
 * Without corners, only cells that lie outside of the block in one dimension. Collective over all
 * ranks of the array's communicator. Between begin and end the program neither changes the block's
 * elements that are sent nor uses the cells. */
void sendwright_reflect_begin(struct sendwright_site *site, struct sendwright_array *array,
                              unsigned corners, unsigned dimensions, const long long *periodic);
void sendwright_reflect_end(struct sendwright_site *site, struct sendwright_array *array);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* SENDWRIGHT_REDISTRIBUTION_H */
