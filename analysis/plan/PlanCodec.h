// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the sections of a plan file hold that belong to no transformation, and the decisions; what
// else belongs to one is encoded in its own folder. What is read is validated: numbers of ranks and
// sites must exist. Reading throws FormatError, as its reader does, and expects nothing behind what
// it reads.

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLANCODEC_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLANCODEC_H

#include "analysis/file/Bytes.h"
#include "analysis/plan/Plan.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sendwright {

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

} // namespace sendwright

#endif
