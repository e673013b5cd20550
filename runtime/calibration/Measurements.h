// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which experiments run, how often and with which sizes, so that the figures are as good as the
// time allows. Everything here runs on the director.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_MEASUREMENTS_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_MEASUREMENTS_H

#include "analysis/calibration/CalibratedMachine.h"
#include "runtime/calibration/Experiments.h"
#include "runtime/calibration/ProgressLine.h"

#include <vector>

namespace sendwright {

/// Measures the parameters between the director and the first of `partners`, and the latency to up
/// to eight of them. Takes `seconds` or slightly longer: at least three rounds, at most fifteen.
/// `worldRanks` are the ranks' numbers in reports. `progress` hears of it between rounds.
CalibratedLink measureLink(Director &director, const std::vector<int> &partners,
                           const std::vector<int> &worldRanks, double seconds,
                           ProgressLine &progress);

/// Measures how much longer than `link` predicts messages take from 2, 4, 8, ... and all `senders`
/// to the director, for several sizes. Leaves out what would take too long; takes `seconds` or
/// slightly longer, apart from the first row, which is always measured.
std::vector<CalibratedIncast> measureIncast(Director &director, const std::vector<int> &senders,
                                            const LinkFigures &link, double seconds,
                                            ProgressLine &progress);

} // namespace sendwright

#endif
