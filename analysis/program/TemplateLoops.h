// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in templates that the source calls collective operations. Each instantiation is a site of
// its own, with its own order. But a receive outside of loops does not say which instantiation it
// belongs to, and there is only one rewritten text. So as an operation all instantiations are one
// loop.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_TEMPLATELOOPS_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_TEMPLATELOOPS_H

#include "analysis/program/CollectiveSummary.h"
#include "analysis/trace/Profile.h"

#include <vector>

namespace sendwright {

/// Candidates with several instantiations in the profile that no unit refuses to rewrite.
std::vector<SiteIdentity>
collectivesOfSeveralInstantiations(const Profile &profile,
                                   const std::vector<CollectiveInSource> &candidates);

/// The profile with a single site, of no instantiation, for each of these loops. Linear.
Profile withOneSiteFor(const std::vector<SiteIdentity> &loops, Profile profile);

} // namespace sendwright

#endif
