/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* How a program lets `#pragma hpf` directives take views of its own, such as std::mdspan, as whole
 * arrays: it specialises sendwright_view for them, in namespace scope outside of all namespaces and
 * before the first directive that names such a view. For example, in C++23:
 *
 *     template <typename Element, typename Extents>
 *     struct sendwright_view<std::mdspan<Element, Extents>> {
 *       typedef Element element;
 *       static Element *data(std::mdspan<Element, Extents> &view) { return view.data_handle(); }
 *       static unsigned long long size(const std::mdspan<Element, Extents> &view) {
 *         return view.size();
 *       }
 *     };
 *
 * data() returns the first of size() elements that lie one after another, in C order; it may be
 * null if there are no elements. Neither function throws. The view and its memory belong to the
 * program, which leaves them as they are while the array is distributed. The elements are trivially
 * copyable. For C++98 and later; in C the header is empty. */

#ifndef SENDWRIGHT_VIEW_H
#define SENDWRIGHT_VIEW_H
#if defined(__GNUC__)
#pragma GCC system_header
#endif

#ifdef __cplusplus
template <typename View> struct sendwright_view;
#endif

#endif /* SENDWRIGHT_VIEW_H */
