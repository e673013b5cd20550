// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/mpi/MpiFunctions.h"

#include <iterator>
#include <unordered_map>

namespace sendwright {

namespace {

const MpiFunction functions[] = {
#define MPI_FUNCTION(name, role, effect, ...)                                                      \
  {MpiFunctionId::name, "MPI_" #name, MpiRole::role, BatchEffect::effect, __VA_ARGS__},
#include "analysis/mpi/MpiFunctions.def"
};

} // namespace

const MpiFunction *findMpiFunction(std::string_view name) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const MpiFunction *> map;
    for (const MpiFunction &function : functions)
      map.emplace(function.name, &function);
    return map;
  }();
  if (name.starts_with("PMPI_"))
    name.remove_prefix(1);
  auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

const MpiFunction &mpiFunction(MpiFunctionId id) { return functions[static_cast<std::size_t>(id)]; }

std::size_t mpiFunctionCount() { return std::size(functions); }

bool isSend(MpiRole role) { return role <= MpiRole::NonblockingSynchronousSend; }

} // namespace sendwright
