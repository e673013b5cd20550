// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANNEROPTIONS_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANNEROPTIONS_H

#include "analysis/machine/Machine.h"
#include "analysis/trace/Profile.h"
#include "analysis/verification/MeasuredGain.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright {

/// Whether the run is replayed, and what for.
enum class RunReplay : std::uint8_t {
  None,   ///< not replayed: each site is decided by its own model
  Report, ///< likewise; the replay then says what this is worth for the whole run
  Choose  ///< the replay chooses what lets the whole run end soonest
};

/// What a transformation does at a site, or with a function's calls on a communicator, was
/// measured, and is slower than as written.
struct MeasuredLoss {
  SiteIdentity site;
  std::string transformation; ///< stem
  MeasuredGain gain;
  std::uint64_t calls = 0; ///< VerifiedSite::digest; 0: `site` says what it is about
};

struct PlannerOptions {
  Machine machine;                       ///< that the predictions rest on
  bool assumed = false;                  ///< nobody named the machine
  std::vector<std::string_view> leftOut; ///< stems of transformations that propose nothing
  std::vector<MeasuredLoss> lost;        ///< sites that transformations leave alone
  /// How messages are shared, whatever it gains: a name that
  /// analysis/sharing/search/SharingMethod.h knows. Empty: as is fastest, where it gains.
  std::string sharingMethod;
  double thresholdPercent = 1; ///< smallest gain for which a loop is rewritten: percentage of the
                               ///< loop's own predicted time, or of the whole run if the run is
                               ///< replayed to choose
  RunReplay replay = RunReplay::None;
  std::uint64_t events = 0; ///< calls that are analysed one by one, over all ranks; 0:
                            ///< limits::plannedCalls

  bool uses(std::string_view stem) const {
    return std::find(leftOut.begin(), leftOut.end(), stem) == leftOut.end();
  }
};

} // namespace sendwright

#endif
