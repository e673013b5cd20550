/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The part of directives.h for `processors`, and for numbers that the user gives:
 *
 *     #pragma hpf processors P(6)
 *     sendwright_hpf_processors(P, 6);
 *
 * Include directives.h. */

#ifndef SENDWRIGHT_PROCESSOR_DIRECTIVES_H
#define SENDWRIGHT_PROCESSOR_DIRECTIVES_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* A name for a type that is an extension in the oldest standards. */
typedef long long sendwright_length;

/* A number that the user gives: only an integer has an operator "|". */
#define SENDWRIGHT_LENGTH(...) ((sendwright_length)((__VA_ARGS__) | 0))

/* ---- processors ---- */

/* SENDWRIGHT_CHOOSE(NAME, ARGUMENTS) is NAME followed by the number of arguments, 1 to 7. */
#define SENDWRIGHT_CHOOSE(NAME, ...)                                                               \
  SENDWRIGHT_EIGHTH(__VA_ARGS__, NAME##7, NAME##6, NAME##5, NAME##4, NAME##3, NAME##2, NAME##1, 0)
#define SENDWRIGHT_EIGHTH(A, B, C, D, E, F, G, CHOSEN, ...) CHOSEN

/* The number of extents, and seven extents. */
#define SENDWRIGHT_EXTENTS(...) SENDWRIGHT_CHOOSE(SENDWRIGHT_EXTENTS_, __VA_ARGS__)(__VA_ARGS__)
#define SENDWRIGHT_EXTENTS_1(A) 1u, SENDWRIGHT_LENGTH(A), 0, 0, 0, 0, 0, 0
#define SENDWRIGHT_EXTENTS_2(A, B) 2u, SENDWRIGHT_LENGTH(A), SENDWRIGHT_LENGTH(B), 0, 0, 0, 0, 0
#define SENDWRIGHT_EXTENTS_3(A, B, C)                                                              \
  3u, SENDWRIGHT_LENGTH(A), SENDWRIGHT_LENGTH(B), SENDWRIGHT_LENGTH(C), 0, 0, 0, 0
#define SENDWRIGHT_EXTENTS_4(A, B, C, D)                                                           \
  4u, SENDWRIGHT_LENGTH(A), SENDWRIGHT_LENGTH(B), SENDWRIGHT_LENGTH(C), SENDWRIGHT_LENGTH(D), 0,   \
      0, 0
#define SENDWRIGHT_EXTENTS_5(A, B, C, D, E)                                                        \
  5u, SENDWRIGHT_LENGTH(A), SENDWRIGHT_LENGTH(B), SENDWRIGHT_LENGTH(C), SENDWRIGHT_LENGTH(D),      \
      SENDWRIGHT_LENGTH(E), 0, 0
#define SENDWRIGHT_EXTENTS_6(A, B, C, D, E, F)                                                     \
  6u, SENDWRIGHT_LENGTH(A), SENDWRIGHT_LENGTH(B), SENDWRIGHT_LENGTH(C), SENDWRIGHT_LENGTH(D),      \
      SENDWRIGHT_LENGTH(E), SENDWRIGHT_LENGTH(F), 0
#define SENDWRIGHT_EXTENTS_7(A, B, C, D, E, F, G)                                                  \
  7u, SENDWRIGHT_LENGTH(A), SENDWRIGHT_LENGTH(B), SENDWRIGHT_LENGTH(C), SENDWRIGHT_LENGTH(D),      \
      SENDWRIGHT_LENGTH(E), SENDWRIGHT_LENGTH(F), SENDWRIGHT_LENGTH(G)

/* A distance below 1 is an error, and does not mean all ranks. */
#define SENDWRIGHT_STRIDE(STRIDE) ((STRIDE) < 1 ? -1 : (STRIDE))

SENDWRIGHT_INLINE struct sendwright_processors
sendwright_processors_of(const char *name, const void *communicator, int all,
                         sendwright_length first, sendwright_length last, sendwright_length stride,
                         unsigned dimensions, sendwright_length a, sendwright_length b,
                         sendwright_length c, sendwright_length d, sendwright_length e,
                         sendwright_length f, sendwright_length g) {
  struct sendwright_processors processors;
  processors.name = name;
  processors.communicator = communicator;
  processors.dimensions = dimensions;
  processors.extents[0] = a;
  processors.extents[1] = b;
  processors.extents[2] = c;
  processors.extents[3] = d;
  processors.extents[4] = e;
  processors.extents[5] = f;
  processors.extents[6] = g;
  processors.first = first;
  processors.last = last;
  processors.stride = all ? 0 : SENDWRIGHT_STRIDE(stride);
  return processors;
}

/* `ranks(FIRST:LAST:STRIDE)` */
#define sendwright_ranks(FIRST, LAST, STRIDE)                                                      \
  SENDWRIGHT_LENGTH(FIRST), SENDWRIGHT_LENGTH(LAST), SENDWRIGHT_LENGTH(STRIDE)

/* `processors NAME(...)` in a block: all ranks of MPI_COMM_WORLD, or of a communicator whose
 * handle is copied; with _on some of them, as RANKS, which is sendwright_ranks(...), says. */
#define sendwright_hpf_processors(NAME, ...) SENDWRIGHT_PROCESSORS(NAME, 0, 1, 0, 0, 0, __VA_ARGS__)
#define sendwright_hpf_processors_on(NAME, RANKS, ...)                                             \
  SENDWRIGHT_PROCESSORS(NAME, 0, 0, RANKS, __VA_ARGS__)
#define sendwright_hpf_processors_of(COMMUNICATOR, NAME, ...)                                      \
  SENDWRIGHT_COPIED(COMMUNICATOR, NAME);                                                           \
  SENDWRIGHT_PROCESSORS(NAME, &sendwright_communicator_##NAME, 1, 0, 0, 0, __VA_ARGS__)
#define sendwright_hpf_processors_on_of(COMMUNICATOR, NAME, RANKS, ...)                            \
  SENDWRIGHT_COPIED(COMMUNICATOR, NAME);                                                           \
  SENDWRIGHT_PROCESSORS(NAME, &sendwright_communicator_##NAME, 0, RANKS, __VA_ARGS__)
#define SENDWRIGHT_COPIED(COMMUNICATOR, NAME)                                                      \
  __attribute__((__nodebug__)) const __typeof__(COMMUNICATOR) sendwright_communicator_##NAME =     \
      (COMMUNICATOR)
#define SENDWRIGHT_PROCESSORS(NAME, COMMUNICATOR, ALL, FIRST, LAST, STRIDE, ...)                   \
  __attribute__((__nodebug__))                                                                     \
  const struct sendwright_processors sendwright_processors_##NAME = sendwright_processors_of(      \
      #NAME, COMMUNICATOR, ALL, FIRST, LAST, STRIDE, SENDWRIGHT_EXTENTS(__VA_ARGS__)),             \
                                     *const sendwright_use_of_##NAME __attribute__((__unused__)) = \
                                         &sendwright_processors_##NAME

/* The same outside of functions. For a variable, the handle is read when an array is
 * distributed. */
#define sendwright_hpf_unit_processors(NAME, ...)                                                  \
  SENDWRIGHT_UNIT_PROCESSORS(NAME, 0, 0, 0, 0, __VA_ARGS__)
#define sendwright_hpf_unit_processors_on(NAME, RANKS, ...)                                        \
  SENDWRIGHT_UNIT_PROCESSORS_ON(NAME, 0, RANKS, __VA_ARGS__)
#define sendwright_hpf_unit_processors_of(COMMUNICATOR, NAME, ...)                                 \
  SENDWRIGHT_UNIT_PROCESSORS(NAME, (const void *)&(COMMUNICATOR), 0, 0, 0, __VA_ARGS__)
#define sendwright_hpf_unit_processors_on_of(COMMUNICATOR, NAME, RANKS, ...)                       \
  SENDWRIGHT_UNIT_PROCESSORS_ON(NAME, (const void *)&(COMMUNICATOR), RANKS, __VA_ARGS__)
#define SENDWRIGHT_UNIT_PROCESSORS_ON(NAME, COMMUNICATOR, FIRST, LAST, STRIDE, ...)                \
  SENDWRIGHT_UNIT_PROCESSORS(NAME, COMMUNICATOR, FIRST, LAST, SENDWRIGHT_STRIDE(STRIDE),           \
                             __VA_ARGS__)
#define SENDWRIGHT_UNIT_PROCESSORS(NAME, COMMUNICATOR, FIRST, LAST, STRIDE, ...)                   \
  static __attribute__((__used__, __nodebug__))                                                    \
  const struct sendwright_processors sendwright_processors_##NAME = {                              \
      #NAME, COMMUNICATOR, SENDWRIGHT_BRACED_OF(SENDWRIGHT_EXTENTS(__VA_ARGS__)),                  \
      FIRST, LAST,         STRIDE}
#define SENDWRIGHT_BRACED_OF(...) SENDWRIGHT_BRACED(__VA_ARGS__)
#define SENDWRIGHT_BRACED(COUNT, ...)                                                              \
  COUNT, { __VA_ARGS__ }

#endif /* SENDWRIGHT_PROCESSOR_DIRECTIVES_H */
