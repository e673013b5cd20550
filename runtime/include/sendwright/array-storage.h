/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The part of directives.h that finds out how a variable holds its array: which memory it has, and
 * how that is replaced. Include directives.h. */

#ifndef SENDWRIGHT_ARRAY_STORAGE_H
#define SENDWRIGHT_ARRAY_STORAGE_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include "view.h"

#ifndef __cplusplus

/* In C, blocks lie in memory from malloc(), and whole arrays where they are declared. */
#define SENDWRIGHT_STORAGE(ARRAY) 0
#define SENDWRIGHT_WHOLE_STORAGE(ARRAY) 0

#else

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
/* A view for which the program says where its elements are (view.h). */
template <typename View> struct sendwright_viewed {
  static void *data(void *variable) {
    return sendwright_view<View>::data(*static_cast<View *>(variable));
  }
  static unsigned long long size(void *variable) {
    return sendwright_view<View>::size(*static_cast<View *>(variable));
  }
};
template <typename View>
SENDWRIGHT_INLINE
    typename sendwright_where<sendwright_movable<typename sendwright_view<View>::element>::is,
                              const sendwright_storage *>::type
    sendwright_whole_storage_of(View &) {
  typedef sendwright_viewed<View> Viewed;
  static const sendwright_storage storage = {&Viewed::data, &Viewed::size, 0, 0, 0, 0};
  return &storage;
}
/* Only its type is used. */
template <typename View>
typename sendwright_view<View>::element &sendwright_element_of_view(View &);
#define SENDWRIGHT_WHOLE_STORAGE(ARRAY) sendwright_whole_storage_of(ARRAY)

#endif

#endif /* SENDWRIGHT_ARRAY_STORAGE_H */
