// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of the program whose messages are shared, as its units brought them.

#ifndef SENDWRIGHT_RUNTIME_BATCH_SHAREDSITES_H
#define SENDWRIGHT_RUNTIME_BATCH_SHAREDSITES_H

#include "analysis/plan/Plan.h"
#include "runtime/batch/Batch.h"

#include <vector>

namespace sendwright {

struct SharedSites {
  const RankPlan *plan = nullptr;   ///< null where it could not be read; else for good
  std::vector<PlannedSite *> sites; ///< of each part of the plan; null where no unit has it
  bool allUsable = false;           ///< all of them have units, and their verdicts hold
};

/// Those of the unit's plan.
SharedSites sharedSites(const sendwright_unit &unit);

/// The unit's plan as this rank has it, or null where it could not be read. Lasts for good.
const RankPlan *planOfUnit(const sendwright_unit &unit);

SiteIdentity identityOf(const sendwright_site &site);

/// Makes the batch where no unit has a plan, for sites that come later. On the thread that called
/// MPI_Init; there may be no others that call MPI.
void makeBatchWithoutPlan();

} // namespace sendwright

#endif
