// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/sendwright/ShownSharing.h"

#include "tool/sendwright/CoverageTable.h"

#include <cinttypes>

namespace sendwright {

namespace {

void printRow(std::FILE *out, const char *name, const SharingFigures &figures, double predicted) {
  std::fprintf(out, "      %-36s %6d %13.3g %9" PRId64 " %12" PRId64 " %8" PRId64 " %9.3g %11s\n",
               name, figures.stages, figures.averageSends, figures.maxSends, figures.maxReceives,
               figures.maxLoad, figures.volumeFactor, scaled(predicted, "s").c_str());
}

} // namespace

void printSharing(std::FILE *out, const SitePlan &plan) {
  if (!plan.notShared.empty())
    std::fprintf(out, "    not shared because %s\n", plan.notShared.c_str());
  if (!plan.sharing)
    return;
  const SharingPrediction &sharing = *plan.sharing;
  std::fprintf(out, "      %-36s %6s %13s %9s %12s %8s %9s %11s\n", "messages of a rank", "stages",
               "average sends", "max sends", "max receives", "max load", "volume", "predicted");
  printRow(out, "direct", sharing.direct, sharing.directSeconds);
  if (sharing.shared.stages > 1)
    printRow(out, sharing.method.c_str(), sharing.shared, sharing.seconds);
}

} // namespace sendwright
