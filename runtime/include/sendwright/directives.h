/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* What Sendwright's compiler plugin writes in place of `#pragma hpf` directives: macros that
 * read like the directives and expand to the calls of redistribution.h.
 *
 *     #pragma hpf processors P(6)
 *     sendwright_hpf_processors(P, 6);
 *
 *     #pragma hpf distribute A(gen_block(old)) onto P
 *     sendwright_hpf_distribute(SITE, A, P, sendwright_gen_block(old));
 *
 *     #pragma hpf redistribute A(gen_block(fresh))
 *     sendwright_hpf_redistribute(SITE, A, sendwright_gen_block(fresh));
 *
 * The object sendwright_processors_P then stands for P, and sendwright_array_A holds what is
 * known about the blocks of A. Nothing here has state of its own, and the user's expressions are
 * evaluated once. For Clang, in every standard of C and C++. It includes redistribution.h and its
 * own parts: processor-directives.h, format-directives.h, array-storage.h and
 * alignment-directives.h. */

#ifndef SENDWRIGHT_DIRECTIVES_H
#define SENDWRIGHT_DIRECTIVES_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "redistribution.h"

#define SENDWRIGHT_INLINE static __inline__ __attribute__((__always_inline__, __nodebug__))

#include "processor-directives.h"

#include "format-directives.h"

#include "array-storage.h"

/* ---- distribute ---- */

SENDWRIGHT_INLINE struct sendwright_array
sendwright_array_of(const char *name, void *variable, unsigned long element_size,
                    const struct sendwright_storage *storage, unsigned indices) {
  struct sendwright_array array;
  array.name = name;
  array.variable = variable;
  array.element_size = element_size;
  array.storage = storage;
  array.state = 0;
  array.indices = indices;
  return array;
}

SENDWRIGHT_INLINE struct sendwright_array *
sendwright_distribute_as(struct sendwright_site *site, struct sendwright_array *array,
                         const struct sendwright_processors *onto,
                         struct sendwright_distribution as) {
  sendwright_distribute(site, array, onto, &as);
  return array;
}

/* `distribute ARRAY(...) onto PROCESSORS`, for a variable that holds a block, for one that points
 * to rows, and for those of which ELEMENT names an element: what points to arrays of arrays, and
 * whole arrays with global indices. What the runtime remembers about the array is freed when the
 * block is left, in whatever way. All are only declarations, as the oldest C wants them at the
 * beginning of a block. */
#define sendwright_hpf_distribute(SITE, ARRAY, PROCESSORS, ...)                                    \
  SENDWRIGHT_DISTRIBUTE(SITE, ARRAY, (ARRAY)[0], PROCESSORS, __VA_ARGS__)
#define sendwright_hpf_distribute_rows(SITE, ARRAY, PROCESSORS, ...)                               \
  SENDWRIGHT_DISTRIBUTE(SITE, ARRAY, (ARRAY)[0][0], PROCESSORS, __VA_ARGS__)
#define sendwright_hpf_distribute_nested(SITE, ARRAY, ELEMENT, PROCESSORS, ...)                    \
  SENDWRIGHT_DISTRIBUTE(SITE, ARRAY, ELEMENT, PROCESSORS, __VA_ARGS__)
#define SENDWRIGHT_DISTRIBUTE(SITE, ARRAY, ELEMENT, PROCESSORS, ...)                               \
  SENDWRIGHT_DISTRIBUTE_IN(SITE, ARRAY, ELEMENT, SENDWRIGHT_STORAGE(ARRAY),                        \
                           SENDWRIGHT_LOCAL_INDICES, PROCESSORS, __VA_ARGS__)
#define sendwright_hpf_distribute_whole(SITE, ARRAY, ELEMENT, PROCESSORS, ...)                     \
  SENDWRIGHT_DISTRIBUTE_IN(SITE, ARRAY, ELEMENT, SENDWRIGHT_WHOLE_STORAGE(ARRAY),                  \
                           SENDWRIGHT_GLOBAL_INDICES, PROCESSORS, __VA_ARGS__)
#define SENDWRIGHT_DISTRIBUTE_IN(SITE, ARRAY, ELEMENT, STORAGE, INDICES, PROCESSORS, ...)          \
  __attribute__((__cleanup__(sendwright_forget),                                                   \
                 __nodebug__)) struct sendwright_array sendwright_array_##ARRAY =                  \
      sendwright_array_of(#ARRAY, (void *)&(ARRAY), sizeof(ELEMENT), STORAGE, INDICES);            \
  __attribute__((__unused__, __nodebug__))                                                         \
  const struct sendwright_array *const sendwright_distributed_##ARRAY =                            \
      sendwright_distribute_as(&SITE, &sendwright_array_##ARRAY,                                   \
                               &sendwright_processors_##PROCESSORS,                                \
                               SENDWRIGHT_DISTRIBUTION(__VA_ARGS__))

/* The same for a variable that lives as long as the program. The object is defined before the
 * unit's own text: */
#define sendwright_hpf_static_array(ARRAY)                                                         \
  static __attribute__((__nodebug__)) struct sendwright_array sendwright_array_##ARRAY = {         \
      #ARRAY, 0, 0, 0, 0, 0}
#define sendwright_hpf_distribute_static(SITE, ARRAY, PROCESSORS, ...)                             \
  SENDWRIGHT_DISTRIBUTE_STATIC(SITE, ARRAY, (ARRAY)[0], PROCESSORS, __VA_ARGS__)
#define sendwright_hpf_distribute_static_rows(SITE, ARRAY, PROCESSORS, ...)                        \
  SENDWRIGHT_DISTRIBUTE_STATIC(SITE, ARRAY, (ARRAY)[0][0], PROCESSORS, __VA_ARGS__)
#define sendwright_hpf_distribute_static_nested(SITE, ARRAY, ELEMENT, PROCESSORS, ...)             \
  SENDWRIGHT_DISTRIBUTE_STATIC(SITE, ARRAY, ELEMENT, PROCESSORS, __VA_ARGS__)
#define SENDWRIGHT_DISTRIBUTE_STATIC(SITE, ARRAY, ELEMENT, PROCESSORS, ...)                        \
  SENDWRIGHT_DISTRIBUTE_STATIC_IN(SITE, ARRAY, ELEMENT, SENDWRIGHT_STORAGE(ARRAY),                 \
                                  SENDWRIGHT_LOCAL_INDICES, PROCESSORS, __VA_ARGS__)
#define sendwright_hpf_distribute_static_whole(SITE, ARRAY, ELEMENT, PROCESSORS, ...)              \
  SENDWRIGHT_DISTRIBUTE_STATIC_IN(SITE, ARRAY, ELEMENT, SENDWRIGHT_WHOLE_STORAGE(ARRAY),           \
                                  SENDWRIGHT_GLOBAL_INDICES, PROCESSORS, __VA_ARGS__)
#define SENDWRIGHT_DISTRIBUTE_STATIC_IN(SITE, ARRAY, ELEMENT, STORAGE, INDICES, PROCESSORS, ...)   \
  (void)sendwright_distribute_as(                                                                  \
      &SITE,                                                                                       \
      sendwright_static_array(&sendwright_array_##ARRAY, (void *)&(ARRAY), sizeof(ELEMENT),        \
                              STORAGE, INDICES),                                                   \
      &sendwright_processors_##PROCESSORS, SENDWRIGHT_DISTRIBUTION(__VA_ARGS__))

SENDWRIGHT_INLINE struct sendwright_array *
sendwright_static_array(struct sendwright_array *array, void *variable, unsigned long element_size,
                        const struct sendwright_storage *storage, unsigned indices) {
  array->variable = variable;
  array->element_size = element_size;
  array->storage = storage;
  array->indices = indices;
  return array;
}

/* ---- redistribute ---- */

static __inline__ __attribute__((__nodebug__, __sentinel__)) void sendwright_redistribute_as(
    struct sendwright_site *site, unsigned schedule, const struct sendwright_schedule *known,
    const struct sendwright_processors *onto, struct sendwright_distribution to, ...) {
  __builtin_va_list list;
  struct sendwright_array **arrays;
  unsigned long count = 0, number;
  __builtin_va_start(list, to);
  while (__builtin_va_arg(list, struct sendwright_array *))
    ++count;
  __builtin_va_end(list);
  arrays = (struct sendwright_array **)__builtin_alloca(count * sizeof *arrays);
  __builtin_va_start(list, to);
  for (number = 0; number < count; ++number)
    arrays[number] = __builtin_va_arg(list, struct sendwright_array *);
  __builtin_va_end(list);
  if (onto)
    sendwright_redistribute_onto(site, schedule, known, count, arrays, onto, &to);
  else
    sendwright_redistribute(site, schedule, known, count, arrays, &to);
}

/* `redistribute ARRAY(...)` */
#define sendwright_hpf_redistribute(SITE, ARRAY, ...)                                              \
  sendwright_hpf_redistribute_all(SITE, SENDWRIGHT_SCHEDULE_AUTO, SENDWRIGHT_NOT_KNOWN,            \
                                  sendwright_arrays(&sendwright_array_##ARRAY), __VA_ARGS__)
/* `redistribute (...) schedule(SCHEDULE) :: ARRAYS`, where KNOWN is SENDWRIGHT_NOT_KNOWN or the
 * address of a schedule, and ARRAYS is sendwright_arrays(&sendwright_array_A, &sendwright_array_B).
 */
#define sendwright_hpf_redistribute_all(SITE, SCHEDULE, KNOWN, ARRAYS, ...)                        \
  sendwright_redistribute_as(&SITE, SCHEDULE, KNOWN, (const struct sendwright_processors *)0,      \
                             SENDWRIGHT_DISTRIBUTION(__VA_ARGS__), ARRAYS)
/* The same with `onto PROCESSORS`. */
#define sendwright_hpf_redistribute_onto(SITE, PROCESSORS, SCHEDULE, KNOWN, ARRAYS, ...)           \
  sendwright_redistribute_as(&SITE, SCHEDULE, KNOWN, &sendwright_processors_##PROCESSORS,          \
                             SENDWRIGHT_DISTRIBUTION(__VA_ARGS__), ARRAYS)
#define SENDWRIGHT_NOT_KNOWN ((const struct sendwright_schedule *)0)
#define sendwright_arrays(...) __VA_ARGS__, (struct sendwright_array *)0

/* ---- shadow and reflect ---- */

/* Cells, or whether a dimension is periodic. */
#define sendwright_cells(...) SENDWRIGHT_LENGTH(__VA_ARGS__)

static __inline__ __attribute__((__nodebug__)) void
sendwright_shadow_as(struct sendwright_site *site, struct sendwright_array *array,
                     unsigned dimensions, ...) {
  sendwright_length widths[2 * SENDWRIGHT_DIMENSIONS];
  __builtin_va_list list;
  unsigned number;
  __builtin_va_start(list, dimensions);
  for (number = 0; number < 2 * dimensions; ++number)
    widths[number] = __builtin_va_arg(list, sendwright_length);
  __builtin_va_end(list);
  sendwright_shadow(site, array, dimensions, widths);
}

static __inline__ __attribute__((__nodebug__)) void
sendwright_reflect_as(struct sendwright_site *site, struct sendwright_array *array,
                      unsigned corners, unsigned dimensions, ...) {
  sendwright_length periodic[SENDWRIGHT_DIMENSIONS];
  __builtin_va_list list;
  unsigned number;
  __builtin_va_start(list, dimensions);
  for (number = 0; number < dimensions; ++number)
    periodic[number] = __builtin_va_arg(list, sendwright_length);
  __builtin_va_end(list);
  sendwright_reflect_begin(site, array, corners, dimensions, periodic);
}

/* `shadow ARRAY(...)`: after the number of dimensions two sendwright_cells() for each. */
#define sendwright_hpf_shadow(SITE, ARRAY, ...)                                                    \
  sendwright_shadow_as(&SITE, &sendwright_array_##ARRAY, __VA_ARGS__)
/* `reflect_begin ARRAY`: after the number of dimensions, for each whether it is periodic. */
#define sendwright_hpf_reflect_begin(SITE, ARRAY, CORNERS, ...)                                    \
  sendwright_reflect_as(&SITE, &sendwright_array_##ARRAY, CORNERS, __VA_ARGS__)
#define sendwright_hpf_reflect_end(SITE, ARRAY)                                                    \
  sendwright_reflect_end(&SITE, &sendwright_array_##ARRAY)

/* ---- template, align and realign ---- */

#include "alignment-directives.h"

#endif /* SENDWRIGHT_DIRECTIVES_H */
