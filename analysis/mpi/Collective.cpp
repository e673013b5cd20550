// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/mpi/Collective.h"

#include <array>

namespace sendwright {

namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 10> names = {
    "broadcast", "scatter",        "gather",    "allgather", "all-to-all",
    "reduce",    "reduce-scatter", "allreduce", "scan",      "barrier"};

} // namespace

std::string_view nameOf(Collective operation) { return names[static_cast<std::size_t>(operation)]; }

std::string withArticle(Collective operation) {
  if (operation == Collective::Reduce)
    return "a reduction";
  const std::string name(nameOf(operation));
  return (name.front() == 'a' ? "an " : "a ") + name;
}

const std::vector<Collective> &allCollectives() {
  static const std::vector<Collective> all = [] {
    std::vector<Collective> list;
    list.reserve(names.size());
    for (std::size_t index = 0; index < names.size(); ++index)
      list.push_back(static_cast<Collective>(index));
    return list;
  }();
  return all;
}

} // namespace sendwright
