// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of the program whose messages are shared, as its units register them.

#ifndef SENDWRIGHT_RUNTIME_BATCH_SHAREDSITES_H
#define SENDWRIGHT_RUNTIME_BATCH_SHAREDSITES_H

#include "analysis/plan/Plan.h"
#include "runtime/batch/Batch.h"

#include <vector>

namespace sendwright {

struct SharedSites {
  const RankCountPlan *plan = nullptr; ///< null if it could not be read; otherwise it lives forever
  std::vector<PlannedSite *> sites;    ///< for each part of the plan; null if no unit has the site
  bool allUsable = false;              ///< all sites have units, and their verdicts hold
};

/// The shared sites of the unit's plan.
SharedSites sharedSites(const sendwright_unit &unit);

/// This rank's part of the unit's plan; null if it could not be read. Lives forever.
const RankCountPlan *planOfUnit(const sendwright_unit &unit);

SiteIdentity identityOf(const sendwright_site &site);

/// Makes the batch where no unit has a plan, for sites that come later. On the thread that called
/// MPI_Init; there may be no others that call MPI.
void makeBatchWithoutPlan();

} // namespace sendwright

#endif
