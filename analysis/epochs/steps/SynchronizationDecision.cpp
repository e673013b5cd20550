// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Synchronisation proposes nothing for a site: if message buffers are limited, the whole program is
// synchronised, and SynchronizationPlanner.h adds this to a finished plan.

#include "analysis/transformation/Transformation.h"

namespace sendwright {

namespace {

class SynchronizationDecision final : public Transformation {
public:
  std::string_view stem() const override { return "synchronization"; }
  void study(StudiedRun & /*run*/) override {}
};

} // namespace

std::unique_ptr<Transformation> makeSynchronization() {
  return std::make_unique<SynchronizationDecision>();
}

} // namespace sendwright
