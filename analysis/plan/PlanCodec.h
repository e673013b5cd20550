// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of a plan file that belong to no transformation, and the decisions; each
// transformation encodes its own sections in its folder. What is read is validated: numbers of
// ranks and sites must exist. Reading throws FormatError, as `in` does, and leaves what follows
// unread.

#ifndef SENDWRIGHT_ANALYSIS_PLAN_PLANCODEC_H
#define SENDWRIGHT_ANALYSIS_PLAN_PLANCODEC_H

#include "analysis/file/Bytes.h"
#include "analysis/plan/Plan.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sendwright {

/// What the predictions rest on, and the rank counts with the names of their profiles.
std::string encodeCommon(const Plan &plan);
void decodeCommon(ByteReader &in, Plan &plan);

/// What is known about functions, and the files that define them.
std::string encodeFunctionsOf(const Plan &plan);
void decodeFunctionsOf(ByteReader &in, Plan &plan);

/// The identities of the sites.
std::string encodeSites(const RankCountPlan &part);
std::vector<SiteIdentity> decodeSites(ByteReader &in);

/// Decisions, reasons and figures of the sites.
std::string encodeDecisions(const RankCountPlan &part);
void decodeDecisions(ByteReader &in, std::vector<SitePlan> &sites);

} // namespace sendwright

#endif
