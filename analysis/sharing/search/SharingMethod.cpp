// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/search/SharingMethod.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace sendwright {

namespace {

constexpr std::string_view gridName = "store-and-forward";

const SharedRoutes *fastestOf(const std::vector<SharedRoutes> &several, int stages) {
  const SharedRoutes *best = nullptr;
  for (const SharedRoutes &routes : several)
    if (routes.verified && (stages == 0 || routes.table.stages == stages) &&
        (!best || routes.seconds < best->seconds))
      best = &routes;
  return best;
}

const SharedRoutes *ifVerified(const SharedRoutes &routes) {
  return routes.verified ? &routes : nullptr;
}

} // namespace

std::optional<SharingMethod> sharingMethodOf(std::string_view name) {
  using Kind = SharingMethod::Kind;
  struct Name {
    std::string_view name;
    Kind kind;
  };
  constexpr Name names[] = {{"fastest", Kind::Fastest},        {"direct", Kind::Direct},
                            {"phase1", Kind::PhaseOne},        {"phase2", Kind::PhaseTwo},
                            {gridName, Kind::StoreAndForward}, {"group", Kind::Group}};
  const auto *const known = std::ranges::find(names, name, &Name::name);
  if (known != std::end(names))
    return SharingMethod{known->kind, 0};
  if (name.size() == gridName.size() + 2 && name.starts_with(gridName) &&
      name[gridName.size()] == ':' && name.back() >= '2' && name.back() <= '9')
    return SharingMethod{Kind::StoreAndForward, name.back() - '0'};
  return std::nullopt;
}

const SharedRoutes *routesOf(const SharingAnalysis &analysis, SharingMethod method) {
  switch (method.kind) {
  case SharingMethod::Kind::Direct:
    return ifVerified(analysis.direct);
  case SharingMethod::Kind::PhaseOne:
    return ifVerified(analysis.phaseOne);
  case SharingMethod::Kind::PhaseTwo:
    return ifVerified(analysis.phaseTwo);
  case SharingMethod::Kind::StoreAndForward:
    return fastestOf(analysis.storeAndForward, method.dimensions);
  case SharingMethod::Kind::Group:
    return fastestOf(analysis.groupSharing, 0);
  case SharingMethod::Kind::Fastest:
    break;
  }
  return &analysis.selected();
}

SharingChoice selectRoutes(const ExchangePattern &pattern, const Machine &machine,
                           double bytesPerItem, SearchEffort effort, SharingMethod method) {
  if (method.kind == SharingMethod::Kind::Fastest)
    return selectRoutes(pattern, machine, bytesPerItem, effort);
  const SharingAnalysis analysis = analyzeSharing(pattern, machine, bytesPerItem, effort);
  const SharedRoutes *routes = routesOf(analysis, method);
  return {routes ? *routes : analysis.direct, {}, analysis.direct.seconds};
}

} // namespace sendwright
