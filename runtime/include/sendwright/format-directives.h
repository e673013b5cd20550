/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The part of directives.h for the formats in brackets, one for each dimension of an array:
 *
 *     (gen_block(sizes), *)
 *     SENDWRIGHT_DISTRIBUTION(sendwright_gen_block(sizes), sendwright_collapsed())
 *
 * Include directives.h. */

#ifndef SENDWRIGHT_FORMAT_DIRECTIVES_H
#define SENDWRIGHT_FORMAT_DIRECTIVES_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

/* ---- distributions ---- */

/* One dimension with the array's extent in it; -1: the sum of the dimension's sizes. */
struct sendwright_distributed_dimension {
  struct sendwright_dimension dimension;
  sendwright_length extent;
};

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_dimension_of(unsigned kind, sendwright_length parameter) {
  struct sendwright_distributed_dimension made;
  made.dimension.kind = kind;
  made.dimension.parameter = parameter;
  made.dimension.sizes = 0;
  made.dimension.size_bytes = 0;
  made.dimension.sizes_signed = 0;
  made.dimension.size_count = -1;
  made.dimension.chosen = 0;
  made.dimension.chosen_bytes = 0;
  made.dimension.along = 0;
  made.extent = -1;
  return made;
}

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_list_of(unsigned kind, const void *sizes, unsigned bytes, int is_signed,
                   sendwright_length count) {
  struct sendwright_distributed_dimension made = sendwright_dimension_of(kind, 0);
  made.dimension.sizes = sizes;
  made.dimension.size_bytes = bytes;
  made.dimension.sizes_signed = is_signed;
  made.dimension.size_count = count;
  return made;
}

/* `*`, `block`, `block(n)`, `cyclic`, `cyclic(k)`. A length of 0 is an error, not a missing
 * length. */
#define sendwright_collapsed() sendwright_dimension_of(SENDWRIGHT_COLLAPSED, 0)
#define sendwright_block() sendwright_dimension_of(SENDWRIGHT_BLOCK, 0)
#define sendwright_block_length(...)                                                               \
  sendwright_dimension_of_length(SENDWRIGHT_BLOCK, SENDWRIGHT_LENGTH(__VA_ARGS__))
#define sendwright_cyclic() sendwright_dimension_of(SENDWRIGHT_CYCLIC, 0)
#define sendwright_cyclic_length(...)                                                              \
  sendwright_dimension_of_length(SENDWRIGHT_CYCLIC, SENDWRIGHT_LENGTH(__VA_ARGS__))

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_dimension_of_length(unsigned kind, sendwright_length length) {
  return sendwright_dimension_of(kind, length == 0 ? -1 : length);
}

/* `extent(N)` for a dimension. */
#define sendwright_extent(EXTENT, ...)                                                             \
  sendwright_dimension_of_extent(SENDWRIGHT_LENGTH(EXTENT), __VA_ARGS__)

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_dimension_of_extent(sendwright_length extent,
                               struct sendwright_distributed_dimension dimension) {
  dimension.extent = extent < 0 ? -2 : extent; /* negative is an error, not a missing one */
  return dimension;
}

/* The elements of a row, for a pointer to rows. */
#define sendwright_row(ARRAY) (sizeof((ARRAY)[0]) / sizeof((ARRAY)[0][0]))

/* The elements of a whole array in its first dimension. */
#define sendwright_count(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

SENDWRIGHT_INLINE struct sendwright_distribution
sendwright_line(struct sendwright_distributed_dimension only) {
  const struct sendwright_dimension collapsed =
      sendwright_dimension_of(SENDWRIGHT_COLLAPSED, 0).dimension;
  struct sendwright_distribution made;
  unsigned number;
  made.dimensions = 1;
  made.dimension[0] = only.dimension;
  made.extents[0] = only.extent;
  for (number = 1; number < SENDWRIGHT_DIMENSIONS; ++number) {
    made.dimension[number] = collapsed;
    made.extents[number] = 1;
  }
  return made;
}

/* The distribution with one more dimension. */
SENDWRIGHT_INLINE struct sendwright_distribution
sendwright_also(struct sendwright_distribution made, struct sendwright_distributed_dimension next) {
  made.dimension[made.dimensions] = next.dimension;
  made.extents[made.dimensions] = next.extent;
  ++made.dimensions;
  return made;
}

#define SENDWRIGHT_DISTRIBUTION(...)                                                               \
  SENDWRIGHT_CHOOSE(SENDWRIGHT_DISTRIBUTION_, __VA_ARGS__)(__VA_ARGS__)
#define SENDWRIGHT_DISTRIBUTION_1(A) sendwright_line(A)
#define SENDWRIGHT_DISTRIBUTION_2(A, B) sendwright_also(SENDWRIGHT_DISTRIBUTION_1(A), B)
#define SENDWRIGHT_DISTRIBUTION_3(A, B, C) sendwright_also(SENDWRIGHT_DISTRIBUTION_2(A, B), C)
#define SENDWRIGHT_DISTRIBUTION_4(A, B, C, D) sendwright_also(SENDWRIGHT_DISTRIBUTION_3(A, B, C), D)
#define SENDWRIGHT_DISTRIBUTION_5(A, B, C, D, E)                                                   \
  sendwright_also(SENDWRIGHT_DISTRIBUTION_4(A, B, C, D), E)
#define SENDWRIGHT_DISTRIBUTION_6(A, B, C, D, E, F)                                                \
  sendwright_also(SENDWRIGHT_DISTRIBUTION_5(A, B, C, D, E), F)
#define SENDWRIGHT_DISTRIBUTION_7(A, B, C, D, E, F, G)                                             \
  sendwright_also(SENDWRIGHT_DISTRIBUTION_6(A, B, C, D, E, F), G)

/* `balance(measured)`: the runtime measures the load. */
#define sendwright_measured() sendwright_dimension_of(SENDWRIGHT_BALANCE, 0)
#define sendwright_measured_into(SIZES)                                                            \
  sendwright_chosen_sizes(sendwright_measured(), &(SIZES)[0], sizeof((SIZES)[0]),                  \
                          __builtin_classify_type((SIZES)[0]) == 1)

/* `balance(COSTS, SIZES)`: SIZES is an array of integers, or a pointer to one. */
#define sendwright_balance_into(COSTS, SIZES)                                                      \
  sendwright_chosen_sizes(sendwright_balance(COSTS), &(SIZES)[0], sizeof((SIZES)[0]),              \
                          __builtin_classify_type((SIZES)[0]) == 1)

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_chosen_sizes(struct sendwright_distributed_dimension made, void *sizes,
                        unsigned long bytes, int is_integer)
    __attribute__((__diagnose_if__(!is_integer || bytes > 8,
                                   "balance: expected an array of integers for the sizes, or a "
                                   "pointer to one",
                                   "error"))) {
  made.dimension.chosen = sizes;
  made.dimension.chosen_bytes = (unsigned)bytes;
  return made;
}

/* ---- gen_block(SIZES), indirect(MAP), balance(COSTS): an array of integers, or a pointer to one;
 * in C++ also what has size() and operator[] for contiguous integers: std::vector, std::array,
 * std::span. Costs may also be float or double. ---- */

#ifndef __cplusplus

#define sendwright_gen_block(...) SENDWRIGHT_LIST(sendwright_sizes_checked, __VA_ARGS__)
#define sendwright_indirect(...) SENDWRIGHT_LIST(sendwright_map_checked, __VA_ARGS__)
#define SENDWRIGHT_LIST(FUNCTION, ...)                                                             \
  FUNCTION((__VA_ARGS__), sizeof((__VA_ARGS__)[0]),                                                \
           __builtin_classify_type((__VA_ARGS__)[0]) == 1,                                         \
           (__typeof__((__VA_ARGS__)[0]))-1 < (__typeof__((__VA_ARGS__)[0]))1,                     \
           SENDWRIGHT_ARRAY_BYTES(__VA_ARGS__))
/* 0 for a pointer. */
#define SENDWRIGHT_ARRAY_BYTES(...)                                                                \
  (__builtin_types_compatible_p(__typeof__(__VA_ARGS__), __typeof__(&(__VA_ARGS__)[0]))            \
       ? 0                                                                                         \
       : sizeof(__typeof__(__VA_ARGS__)))

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_sizes_checked(const volatile void *sizes, unsigned long bytes, int is_integer,
                         int is_signed, unsigned long array_bytes)
    __attribute__((__diagnose_if__(!is_integer || bytes > 8,
                                   "gen_block: expected an array of integers, or a pointer to one",
                                   "error"))) {
  return sendwright_list_of(SENDWRIGHT_GEN_BLOCK, (const void *)sizes, (unsigned)bytes, is_signed,
                            array_bytes ? (sendwright_length)(array_bytes / bytes) : -1);
}

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_map_checked(const volatile void *map, unsigned long bytes, int is_integer, int is_signed,
                       unsigned long array_bytes)
    __attribute__((__diagnose_if__(!is_integer || bytes > 8,
                                   "indirect: expected an array of integers, or a pointer to one",
                                   "error"))) {
  return sendwright_list_of(SENDWRIGHT_INDIRECT, (const void *)map, (unsigned)bytes, is_signed,
                            array_bytes ? (sendwright_length)(array_bytes / bytes) : -1);
}

#define sendwright_balance(...)                                                                    \
  sendwright_costs_checked((__VA_ARGS__), sizeof((__VA_ARGS__)[0]),                                \
                           __builtin_classify_type((__VA_ARGS__)[0]),                              \
                           (__typeof__((__VA_ARGS__)[0]))-1 < (__typeof__((__VA_ARGS__)[0]))1,     \
                           SENDWRIGHT_ARRAY_BYTES(__VA_ARGS__))

SENDWRIGHT_INLINE struct sendwright_distributed_dimension
sendwright_costs_checked(const volatile void *costs, unsigned long bytes, int class_of_type,
                         int is_signed, unsigned long array_bytes)
    __attribute__((__diagnose_if__((class_of_type != 1 && class_of_type != 8) || bytes > 8,
                                   "balance: expected an array of integers, float or double, or a "
                                   "pointer to one",
                                   "error"))) {
  return sendwright_list_of(SENDWRIGHT_BALANCE, (const void *)costs, (unsigned)bytes,
                            class_of_type == 8 ? SENDWRIGHT_FLOATING : is_signed,
                            array_bytes ? (sendwright_length)(array_bytes / bytes) : -1);
}

#else

template <typename Integer> struct sendwright_integer {
  static const bool is = false, is_signed = false;
};
#define SENDWRIGHT_INTEGER(TYPE)                                                                   \
  template <> struct sendwright_integer<TYPE> {                                                    \
    static const bool is = true, is_signed = static_cast<TYPE>(-1) < 1;                            \
  };
SENDWRIGHT_INTEGER(char)
SENDWRIGHT_INTEGER(signed char)
SENDWRIGHT_INTEGER(short)
SENDWRIGHT_INTEGER(int)
SENDWRIGHT_INTEGER(long)
SENDWRIGHT_INTEGER(long long)
SENDWRIGHT_INTEGER(unsigned char)
SENDWRIGHT_INTEGER(unsigned short)
SENDWRIGHT_INTEGER(unsigned)
SENDWRIGHT_INTEGER(unsigned long)
SENDWRIGHT_INTEGER(unsigned long long)
#undef SENDWRIGHT_INTEGER

template <typename Type> struct sendwright_unqualified {
  typedef Type type;
};
template <typename Type> struct sendwright_unqualified<const Type> {
  typedef Type type;
};
template <typename Type> struct sendwright_unqualified<volatile Type> {
  typedef Type type;
};
template <typename Type> struct sendwright_unqualified<const volatile Type> {
  typedef Type type;
};
template <bool condition, typename Type> struct sendwright_where {};
template <typename Type> struct sendwright_where<true, Type> {
  typedef Type type;
};
template <unsigned long> struct sendwright_valid {
  static const bool is = true;
};

/* Returns the dimension where Element is an integer; declares no function otherwise. */
template <typename Element>
struct sendwright_sizes
    : sendwright_where<sendwright_integer<typename sendwright_unqualified<Element>::type>::is,
                       sendwright_distributed_dimension> {};

/* Costs may be floating-point numbers, too. */
template <typename Element> struct sendwright_floating {
  static const bool is = false;
};
template <> struct sendwright_floating<float> {
  static const bool is = true;
};
template <> struct sendwright_floating<double> {
  static const bool is = true;
};
template <typename Element>
struct sendwright_costs
    : sendwright_where<sendwright_integer<typename sendwright_unqualified<Element>::type>::is ||
                           sendwright_floating<typename sendwright_unqualified<Element>::type>::is,
                       sendwright_distributed_dimension> {};

template <typename Element>
SENDWRIGHT_INLINE sendwright_distributed_dimension sendwright_list_at(unsigned kind,
                                                                      const Element *sizes,
                                                                      sendwright_length count) {
  return sendwright_list_of(
      kind, const_cast<const void *>(static_cast<const volatile void *>(sizes)), sizeof(Element),
      sendwright_floating<typename sendwright_unqualified<Element>::type>::is
          ? SENDWRIGHT_FLOATING
          : sendwright_integer<typename sendwright_unqualified<Element>::type>::is_signed,
      count);
}

/* Overloads of NAME for a list of KIND. */
#define SENDWRIGHT_LIST_OVERLOADS(NAME, KIND, ELEMENTS)                                            \
  template <typename Element, unsigned long count>                                                 \
  SENDWRIGHT_INLINE typename ELEMENTS<Element>::type NAME(const Element(&sizes)[count]) {          \
    return sendwright_list_at(KIND, &sizes[0], static_cast<sendwright_length>(count));             \
  }                                                                                                \
  template <typename Element>                                                                      \
  SENDWRIGHT_INLINE typename ELEMENTS<Element>::type NAME(Element *const &sizes) {                 \
    return sendwright_list_at<Element>(KIND, sizes, -1);                                           \
  }                                                                                                \
  template <typename Container>                                                                    \
  SENDWRIGHT_INLINE typename sendwright_where<                                                     \
      sendwright_valid<sizeof(*&(*static_cast<const Container *>(0))[0]) +                         \
                       sizeof((*static_cast<const Container *>(0)).size())>::is,                   \
      typename ELEMENTS<typename Container::value_type>::type>::type                               \
  NAME(const Container &sizes) {                                                                   \
    typedef typename Container::value_type Element;                                                \
    return sendwright_list_at<Element>(KIND, sizes.size() != 0 ? &sizes[0] : 0,                    \
                                       static_cast<sendwright_length>(sizes.size()));              \
  }
SENDWRIGHT_LIST_OVERLOADS(sendwright_gen_block, SENDWRIGHT_GEN_BLOCK, sendwright_sizes)
SENDWRIGHT_LIST_OVERLOADS(sendwright_indirect, SENDWRIGHT_INDIRECT, sendwright_sizes)
SENDWRIGHT_LIST_OVERLOADS(sendwright_balance, SENDWRIGHT_BALANCE, sendwright_costs)
#undef SENDWRIGHT_LIST_OVERLOADS

#endif

#endif /* SENDWRIGHT_FORMAT_DIRECTIVES_H */
