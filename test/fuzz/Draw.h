// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random choices and changes of single values, for mutators. What is drawn depends only on the
// seed. Numbers are drawn where faults are: near the old value, near the bounds, at powers of 2.

#ifndef SENDWRIGHT_TEST_FUZZ_DRAW_H
#define SENDWRIGHT_TEST_FUZZ_DRAW_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace sendwright::fuzz {

class Draw {
public:
  explicit Draw(std::uint64_t seed) : random(seed) {}

  /// From 0 to `limit` - 1; 0 where `limit` is 0.
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random() % limit; }
  bool oneIn(std::size_t times) { return below(times) == 0; }

  /// Another value; it may be the same.
  template <typename Integer> void change(Integer &value) {
    value = static_cast<Integer>(
        changed(static_cast<std::uint64_t>(value), std::numeric_limits<Integer>::digits));
    if (std::numeric_limits<Integer>::is_signed && oneIn(8))
      value = static_cast<Integer>(std::int64_t{-1} - static_cast<std::int64_t>(below(4)));
  }
  void change(bool &value) { value = !value; }
  void change(double &value);
  void change(std::string &text);

  /// Mostly an index into a list with `size` elements, sometimes just outside.
  template <typename Index> void changeIndex(Index &index, std::size_t size) {
    if (oneIn(8))
      change(index);
    else
      index = static_cast<Index>(below(size + oneIn(4)));
  }

  /// Removes, repeats, swaps or moves elements. Does nothing to an empty list.
  template <typename Element> void rearrange(std::vector<Element> &list) {
    if (list.empty())
      return;
    const std::size_t one = below(list.size()), other = below(list.size());
    switch (below(4)) {
    case 0:
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(one));
      break;
    case 1:
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(other), Element(list[one]));
      break;
    case 2:
      std::swap(list[one], list[other]);
      break;
    default:
      list[one] = Element(list[other]);
    }
  }

  /// An element to change; null if there is none.
  template <typename List> auto pick(List &list) -> decltype(&*list.begin()) {
    return list.empty() ? nullptr : &*std::next(list.begin(), place(below(list.size())));
  }

private:
  static std::ptrdiff_t place(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }
  std::uint64_t changed(std::uint64_t value, int digits);

  std::mt19937_64 random;
};

} // namespace sendwright::fuzz

#endif
