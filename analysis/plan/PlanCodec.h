// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sections of a plan file hold, but for exchanges (SharedExchanges.h), collectives
// (PlannedCollectives.h), steps (SynchronizationSteps.h) and redistributions (ProfileCodec.h). What
// is read is validated: numbers of ranks and sites must exist. Reading throws FormatError, as its
// reader does, and expects nothing behind what it reads.

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLANCODEC_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLANCODEC_H

#include "analysis/file/Bytes.h"
#include "analysis/plan/Plan.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sendwright {

inline constexpr int mostPlannedRanks = 1 << 22;

/// What the predictions rest on, and the rank counts with their profiles' names.
std::string encodeCommon(const Plan &plan);
void decodeCommon(ByteReader &in, Plan &plan);

/// What is known of functions, and the files that define them.
std::string encodeFunctionsOf(const Plan &plan);
void decodeFunctionsOf(ByteReader &in, Plan &plan);

/// The identities of the sites.
std::string encodeSites(const RankCountPlan &part);
std::vector<SiteIdentity> decodeSites(ByteReader &in);

/// Decisions, reasons and figures of these sites.
std::string encodeDecisions(const RankCountPlan &part);
void decodeDecisions(ByteReader &in, std::vector<SitePlan> &sites);

/// One rank's orders; `siteCount` is that of the rank count's plan.
std::string encodeOrders(const std::vector<RankSite> &rank);
std::vector<RankSite> decodeOrders(ByteReader &in, int rankCount, std::size_t siteCount);

/// Where ranks synchronise, but for the steps of each.
std::string encodeSynchronization(const SynchronizationPlan &plan);
SynchronizationPlan decodeSynchronization(ByteReader &in, int rankCount);

} // namespace sendwright

#endif
