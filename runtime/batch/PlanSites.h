// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What layers above the batch ask of the plans that the program carries.

#ifndef SENDWRIGHT_RUNTIME_BATCH_PLANSITES_H
#define SENDWRIGHT_RUNTIME_BATCH_PLANSITES_H

#include "analysis/plan/Plan.h"
#include "runtime/batch/Batch.h"

#include <cstdint>

namespace sendwright {

/// This rank's part of the unit's plan; null if it could not be read. Lives forever.
const RankCountPlan *planOfUnit(const sendwright_unit &unit);

/// A site of that plan, made where no transformation has added it. Lives forever. Throws
/// std::bad_alloc.
PlannedSite &plannedSiteOf(const sendwright_unit &unit, std::uint32_t site);

/// Whether a unit of the program has the loop of that site, and its verdict holds.
bool isUsable(const sendwright_unit &unit, std::uint32_t site);

SiteIdentity identityOf(const sendwright_site &site);

/// Makes the batch where no unit has a plan, for sites that come later. On the thread that called
/// MPI_Init; there may be no others that call MPI.
void makeBatchWithoutPlan();

} // namespace sendwright

#endif
