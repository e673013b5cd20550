// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which experiments are made, how often and with which sizes, so that figures are as good as the
// time allows. Everything runs on the director.

#ifndef SENDWRIGHT_RUNTIME_CALIBRATION_MEASUREMENTS_H
#define SENDWRIGHT_RUNTIME_CALIBRATION_MEASUREMENTS_H

#include "analysis/calibration/CalibratedMachine.h"
#include "runtime/calibration/Experiments.h"

#include <vector>

namespace sendwright {

/// The parameters between the director and the first of `partners`, and the latency to up to eight
/// of them. Takes `seconds` or little more: at least three rounds, at most fifteen. `worldRanks`:
/// what the ranks are called in reports.
CalibratedLink measureLink(Director &director, const std::vector<int> &partners,
                           const std::vector<int> &worldRanks, double seconds);

/// What 2, 4, 8, ... and all `senders` to the director cost beyond what `link` says, for several
/// sizes. Leaves out what would take too long; takes `seconds` or little more, but for the first
/// row, which is always measured.
std::vector<CalibratedIncast> measureIncast(Director &director, const std::vector<int> &senders,
                                            const LinkFigures &link, double seconds);

} // namespace sendwright

#endif
