// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest schedule in steps between two gen_block distributions, with proof.
//
// A schedule is as good as its step lengths, and whether lengths suffice takes a walk along the
// messages (MessagePaths.h). Lengths are looked at best first: the search begins with those that
// every schedule needs (the j-th longest step has room for the j-th largest message of any port),
// takes those with the least bound not looked at yet, and when they do not suffice continues with
// the remedies of the hardest obstacle (ObstacleRemedies.cpp). Any sufficient lengths are nowhere
// shorter than one of these, so that the first that suffice are the cheapest. A heuristic's
// schedule keeps the search from looking at what costs more.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_OPTIMALSTEPS_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_OPTIMALSTEPS_H

#include "analysis/redistribution/StepSchedule.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

struct OptimalSchedule : StepSchedule {
  bool proven = false;    ///< no schedule of this form costs less
  double lowerBound = 0;  ///< of the cost; the cost where proven
  std::size_t looked = 0; ///< step lengths that were tried
};

enum class StepLimit {
  LargestDegree, ///< as few steps as possible
  None
};

/// The cheapest schedule of the messages between two gen_block distributions, with local messages
/// or without. `costs` has one above 0 for each message. After `patience` looks the best schedule
/// found by then is returned, with a bound, not proven; so it is when the looks together take some
/// 4 * 10^8 operations, or what is still to be looked at 200 MB. Throws std::invalid_argument for
/// messages of other distributions (MessagePaths). Each look is linear in the messages; random
/// pairs take fewer than a hundred. In theory there may be exponentially many.
OptimalSchedule optimalSteps(const std::vector<Message> &messages, const std::vector<double> &costs,
                             StepLimit limit, bool localOnesToo, std::size_t patience = 200'000);

} // namespace sendwright

#endif
