// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in templates that the source calls collective operations. Each instantiation is a site of
// its own, with an order of its own; but a receive outside of loops does not say which
// instantiation it is of, and the rewritten text is one. So as an operation all are one loop.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_TEMPLATELOOPS_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_TEMPLATELOOPS_H

#include "analysis/program/CollectiveSummary.h"
#include "analysis/trace/Profile.h"

#include <vector>

namespace sendwright {

/// Those of which several instantiations are in the profile, and of which no unit says that they
/// cannot be rewritten.
std::vector<SiteIdentity>
collectivesOfSeveralInstantiations(const Profile &profile,
                                   const std::vector<CollectiveInSource> &candidates);

/// The profile with one site, of no instantiation, for each of these loops. Linear.
Profile withOneSiteFor(const std::vector<SiteIdentity> &loops, Profile profile);

} // namespace sendwright

#endif
