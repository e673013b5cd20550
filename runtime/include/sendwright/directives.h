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
 * evaluated once. For Clang, in every standard of C and C++; it includes nothing but
 * redistribution.h and alignment-directives.h, its own last part. */

#ifndef SENDWRIGHT_DIRECTIVES_H
#define SENDWRIGHT_DIRECTIVES_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "redistribution.h"

#define SENDWRIGHT_INLINE static __inline__ __attribute__((__always_inline__, __nodebug__))

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

/* In C, blocks lie in memory from malloc(), and whole arrays where they are declared. */
#define SENDWRIGHT_STORAGE(ARRAY) 0
#define SENDWRIGHT_WHOLE_STORAGE(ARRAY) 0

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
/* A struct, because Clang 16 cannot write the built-in question into the name of a function. */
template <typename Type> struct sendwright_constructible {
  static const bool is = __is_constructible(Type);
};
/* Elements that can be moved as bytes and mean the same on another rank. */
template <typename Element> struct sendwright_movable {
  static const bool is = __is_trivially_copyable(Element);
};
template <typename Element> struct sendwright_movable<const Element> {
  static const bool is = false;
};
template <typename Element> struct sendwright_movable<Element *> {
  static const bool is = false;
};
template <> struct sendwright_movable<void> {
  static const bool is = false;
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

/* How a variable holds its block: null for a pointer to memory from malloc(). */
template <typename Element>
SENDWRIGHT_INLINE
    typename sendwright_where<sendwright_movable<Element>::is, const sendwright_storage *>::type
    sendwright_storage_of(Element *) {
  return 0;
}

/* A std::vector with any allocator. A new block gets a copy of the variable's allocator; where
 * that does not equal the variable's own, the elements are copied once more. */
#if __has_feature(cxx_exceptions)
#define SENDWRIGHT_TRY try
#define SENDWRIGHT_CATCH catch (...)
#else
#define SENDWRIGHT_TRY
#define SENDWRIGHT_CATCH if (false)
#endif
#if __cplusplus >= 201402L
#define SENDWRIGHT_FIRST
#else
#define SENDWRIGHT_FIRST typename Vector::value_type(),
#endif
template <typename Vector> struct sendwright_vector {
  static void *data(void *variable) {
    Vector &vector = *static_cast<Vector *>(variable);
    return vector.empty() ? 0 : static_cast<void *>(&vector[0]);
  }
  static unsigned long long size(void *variable) { return static_cast<Vector *>(variable)->size(); }
  static void *create(void *variable, unsigned long long elements) {
    const Vector &vector = *static_cast<Vector *>(variable);
    const typename Vector::size_type count = static_cast<typename Vector::size_type>(elements);
    SENDWRIGHT_TRY { return new Vector(count, SENDWRIGHT_FIRST vector.get_allocator()); }
    SENDWRIGHT_CATCH { return 0; }
  }
  static void commit(void *variable, void *created) {
    Vector &vector = *static_cast<Vector *>(variable), &fresh = *static_cast<Vector *>(created);
    if (vector.get_allocator() == fresh.get_allocator())
      vector.swap(fresh);
    else
      vector.assign(fresh.begin(), fresh.end());
    discard(created);
  }
  static void discard(void *created) { delete static_cast<Vector *>(created); }
};
#undef SENDWRIGHT_TRY
#undef SENDWRIGHT_CATCH
#undef SENDWRIGHT_FIRST

/* Containers with a capacity() keep their elements in one piece. */
template <template <typename, typename> class Container, typename Element, typename Allocator>
SENDWRIGHT_INLINE typename sendwright_where<
    sendwright_valid<
        sizeof((*static_cast<const Container<Element, Allocator> *>(0)).capacity())>::is &&
        sendwright_movable<Element>::is && sendwright_constructible<Element>::is,
    const sendwright_storage *>::type
sendwright_storage_of(Container<Element, Allocator> &) {
  typedef Container<Element, Allocator> Type;
  typedef sendwright_vector<Type> Vector;
  static const sendwright_storage storage = {&Vector::data, &Vector::size,   &Vector::create,
                                             &Vector::data, &Vector::commit, &Vector::discard};
  return &storage;
}
#define SENDWRIGHT_STORAGE(ARRAY) sendwright_storage_of(ARRAY)

/* A whole array lies where it is declared; a std::span leads to memory elsewhere, with as many
 * elements as it says, and stays as it is. */
template <typename Span> struct sendwright_span {
  static void *data(void *variable) {
    Span &span = *static_cast<Span *>(variable);
    return span.empty() ? 0 : static_cast<void *>(&span[0]);
  }
  static unsigned long long size(void *variable) { return static_cast<Span *>(variable)->size(); }
};
template <typename Element, unsigned long count>
SENDWRIGHT_INLINE const sendwright_storage *sendwright_whole_storage_of(Element (&)[count]) {
  return 0;
}
template <template <typename, unsigned long> class Container, typename Element, unsigned long count>
SENDWRIGHT_INLINE
    typename sendwright_where<sizeof(Container<Element, count>) == sizeof(Element) * count,
                              const sendwright_storage *>::type
    sendwright_whole_storage_of(Container<Element, count> &) {
  return 0;
}
template <template <typename, unsigned long> class Container, typename Element, unsigned long count>
SENDWRIGHT_INLINE typename sendwright_where<
    sendwright_valid<sizeof((*static_cast<const Container<Element, count> *>(0)).size_bytes())>::is,
    const sendwright_storage *>::type
sendwright_whole_storage_of(Container<Element, count> &) {
  typedef Container<Element, count> Type;
  typedef sendwright_span<Type> Span;
  static const sendwright_storage storage = {&Span::data, &Span::size, 0, 0, 0, 0};
  return &storage;
}
#define SENDWRIGHT_WHOLE_STORAGE(ARRAY) sendwright_whole_storage_of(ARRAY)

#endif

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
