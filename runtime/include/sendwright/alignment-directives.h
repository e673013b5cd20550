/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The part of directives.h for `template`, `align` and `realign`:
 *
 *     #pragma hpf template T(n)
 *     sendwright_hpf_template(T, n);
 *
 *     #pragma hpf align B(i, *) with A(i)
 *     sendwright_hpf_align(SITE, B, B[0][0], A, sendwright_along(1), ...);
 *
 *     #pragma hpf realign B(i, *) with T(i + 1)
 *     sendwright_hpf_realign(SITE, T, sendwright_arrays(&sendwright_array_B),
 *                            sendwright_along_from(1, 1), sendwright_collapsed());
 *
 * Include directives.h. */

#ifndef SENDWRIGHT_ALIGNMENT_DIRECTIVES_H
#define SENDWRIGHT_ALIGNMENT_DIRECTIVES_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* ---- template ---- */

/* A name with extents. */
struct sendwright_template {
  unsigned dimensions;
  sendwright_length extents[SENDWRIGHT_DIMENSIONS];
};

/* `template NAME(...)` in a block, and outside of functions. */
#define sendwright_hpf_template(NAME, ...)                                                         \
  __attribute__((__nodebug__))                                                                     \
  const struct sendwright_template sendwright_template_##NAME =                                    \
      sendwright_template_of(SENDWRIGHT_EXTENTS(__VA_ARGS__)),                                     \
                                   *const sendwright_use_of_##NAME __attribute__((__unused__)) =   \
                                       &sendwright_template_##NAME
#define sendwright_hpf_unit_template(NAME, ...)                                                    \
  static __attribute__((__used__, __nodebug__))                                                    \
  const struct sendwright_template sendwright_template_##NAME = {                                  \
      SENDWRIGHT_BRACED_OF(SENDWRIGHT_EXTENTS(__VA_ARGS__))}

SENDWRIGHT_INLINE struct sendwright_template
sendwright_template_of(unsigned dimensions, sendwright_length a, sendwright_length b,
                       sendwright_length c, sendwright_length d, sendwright_length e,
                       sendwright_length f, sendwright_length g) {
  struct sendwright_template made;
  made.dimensions = dimensions;
  made.extents[0] = a;
  made.extents[1] = b;
  made.extents[2] = c;
  made.extents[3] = d;
  made.extents[4] = e;
  made.extents[5] = f;
  made.extents[6] = g;
  return made;
}

/* The extent of a template in a dimension, counted from 1. */
#define sendwright_template_extent(NAME, DIMENSION)                                                \
  sendwright_template_##NAME.extents[(DIMENSION) - 1]

/* `distribute NAME(...) onto PROCESSORS` for a template, in a block and outside of functions: an
 * array without variable and elements. */
#define sendwright_hpf_distribute_template(SITE, NAME, PROCESSORS, ...)                            \
  __attribute__((__cleanup__(sendwright_forget),                                                   \
                 __nodebug__)) struct sendwright_array sendwright_array_##NAME =                   \
      sendwright_array_of(#NAME, 0, 0, 0, SENDWRIGHT_NO_INDICES);                                  \
  __attribute__((__unused__, __nodebug__))                                                         \
  const struct sendwright_array *const sendwright_distributed_##NAME =                             \
      sendwright_distribute_as(&SITE, &sendwright_array_##NAME,                                    \
                               &sendwright_processors_##PROCESSORS,                                \
                               SENDWRIGHT_DISTRIBUTION(__VA_ARGS__))
#define sendwright_hpf_distribute_static_template(SITE, NAME, PROCESSORS, ...)                     \
  (void)sendwright_distribute_as(                                                                  \
      &SITE, sendwright_static_array(&sendwright_array_##NAME, 0, 0, 0, SENDWRIGHT_NO_INDICES),    \
      &sendwright_processors_##PROCESSORS, SENDWRIGHT_DISTRIBUTION(__VA_ARGS__))

/* ---- align ---- */

/* A dimension lies along a dimension of the other array, counted from 1; with its index 0 at the
 * other one's index SHIFT. */
#define sendwright_along(DIMENSION) sendwright_dimension_along((DIMENSION) - 1, 0)
#define sendwright_along_from(DIMENSION, ...)                                                      \
  sendwright_dimension_along((DIMENSION) - 1, SENDWRIGHT_LENGTH(__VA_ARGS__))

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_dimension_along(unsigned dimension, sendwright_length shift) {
  struct sendwright_distributed_dimension made = sendwright_dimension_of(SENDWRIGHT_ALIGNED, shift);
  made.dimension.along = dimension;
  return made;
}

SENDWRIGHT_INLINE struct sendwright_array *sendwright_align_as(struct sendwright_site *site,
                                                               struct sendwright_array *array,
                                                               struct sendwright_array *with,
                                                               struct sendwright_distribution as) {
  sendwright_align(site, array, with, &as);
  return array;
}

/* `align ARRAY(...) with TARGET(...)`, where ELEMENT names an element of ARRAY; _whole for arrays
 * with global indices, _static for variables that live as long as the program (directives.h). */
#define sendwright_hpf_align(SITE, ARRAY, ELEMENT, TARGET, ...)                                    \
  SENDWRIGHT_ALIGN(SITE, ARRAY, ELEMENT, SENDWRIGHT_STORAGE(ARRAY), SENDWRIGHT_LOCAL_INDICES,      \
                   TARGET, __VA_ARGS__)
#define sendwright_hpf_align_whole(SITE, ARRAY, ELEMENT, TARGET, ...)                              \
  SENDWRIGHT_ALIGN(SITE, ARRAY, ELEMENT, SENDWRIGHT_WHOLE_STORAGE(ARRAY),                          \
                   SENDWRIGHT_GLOBAL_INDICES, TARGET, __VA_ARGS__)
#define SENDWRIGHT_ALIGN(SITE, ARRAY, ELEMENT, STORAGE, INDICES, TARGET, ...)                      \
  __attribute__((__cleanup__(sendwright_forget),                                                   \
                 __nodebug__)) struct sendwright_array sendwright_array_##ARRAY =                  \
      sendwright_array_of(#ARRAY, (void *)&(ARRAY), sizeof(ELEMENT), STORAGE, INDICES);            \
  __attribute__((__unused__, __nodebug__))                                                         \
  const struct sendwright_array *const sendwright_distributed_##ARRAY =                            \
      sendwright_align_as(&SITE, &sendwright_array_##ARRAY, &sendwright_array_##TARGET,            \
                          SENDWRIGHT_DISTRIBUTION(__VA_ARGS__))
#define sendwright_hpf_align_static(SITE, ARRAY, ELEMENT, TARGET, ...)                             \
  SENDWRIGHT_ALIGN_STATIC(SITE, ARRAY, ELEMENT, SENDWRIGHT_STORAGE(ARRAY),                         \
                          SENDWRIGHT_LOCAL_INDICES, TARGET, __VA_ARGS__)
#define sendwright_hpf_align_static_whole(SITE, ARRAY, ELEMENT, TARGET, ...)                       \
  SENDWRIGHT_ALIGN_STATIC(SITE, ARRAY, ELEMENT, SENDWRIGHT_WHOLE_STORAGE(ARRAY),                   \
                          SENDWRIGHT_GLOBAL_INDICES, TARGET, __VA_ARGS__)
#define SENDWRIGHT_ALIGN_STATIC(SITE, ARRAY, ELEMENT, STORAGE, INDICES, TARGET, ...)               \
  (void)sendwright_align_as(&SITE,                                                                 \
                            sendwright_static_array(&sendwright_array_##ARRAY, (void *)&(ARRAY),   \
                                                    sizeof(ELEMENT), STORAGE, INDICES),            \
                            &sendwright_array_##TARGET, SENDWRIGHT_DISTRIBUTION(__VA_ARGS__))

/* ---- realign ---- */

static __inline__ __attribute__((__nodebug__, __sentinel__)) void
sendwright_realign_as(struct sendwright_site *site, struct sendwright_array *with,
                      struct sendwright_distribution as, ...) {
  __builtin_va_list list;
  struct sendwright_array **arrays;
  unsigned long count = 0, number;
  __builtin_va_start(list, as);
  while (__builtin_va_arg(list, struct sendwright_array *))
    ++count;
  __builtin_va_end(list);
  arrays = (struct sendwright_array **)__builtin_alloca(count * sizeof *arrays);
  __builtin_va_start(list, as);
  for (number = 0; number < count; ++number)
    arrays[number] = __builtin_va_arg(list, struct sendwright_array *);
  __builtin_va_end(list);
  sendwright_realign(site, count, arrays, with, &as);
}

/* `realign (...) with TARGET(...) :: ARRAYS`, where ARRAYS is
 * sendwright_arrays(&sendwright_array_B).
 */
#define sendwright_hpf_realign(SITE, TARGET, ARRAYS, ...)                                          \
  sendwright_realign_as(&SITE, &sendwright_array_##TARGET, SENDWRIGHT_DISTRIBUTION(__VA_ARGS__),   \
                        ARRAYS)

#endif /* SENDWRIGHT_ALIGNMENT_DIRECTIVES_H */
