// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cheapest schedule in steps between two gen_block distributions, with proof.
//
// The cost of a schedule is that of its step lengths, and one walk along the messages decides
// whether lengths suffice (MessagePaths.h). The search tries lengths in the order of a lower bound
// on their cost. It begins with the lengths that every schedule needs (the j-th longest step has
// room for the j-th largest message of any port). If lengths do not suffice, it adds the remedies
// of their hardest obstacle (ObstacleRemedies.cpp). Sufficient lengths are nowhere shorter than
// some remedy, so the first lengths that suffice are the cheapest. A heuristic's schedule bounds
// the cost from above.

#ifndef SENDWRIGHT_ANALYSIS_REDISTRIBUTION_OPTIMALSTEPS_H
#define SENDWRIGHT_ANALYSIS_REDISTRIBUTION_OPTIMALSTEPS_H

#include "analysis/redistribution/StepSchedule.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

struct OptimalSchedule : StepSchedule {
  bool proven = false;    ///< no schedule with this step limit costs less
  double lowerBound = 0;  ///< of the cost; equal to the cost if proven
  std::size_t looked = 0; ///< step lengths that were tried
};

enum class StepLimit {
  LargestDegree, ///< as few steps as possible
  None
};

/// The cheapest schedule of the messages between two gen_block distributions, with or without local
/// messages. `costs` has a cost above 0 for each message. The search stops after `patience` tries,
/// after some 4 * 10^8 operations in all, or if untried lengths take 200 MB: then the result is the
/// best schedule found so far, with a bound, and not proven. Throws std::invalid_argument for
/// messages of other distributions (MessagePaths). Each try is linear in the messages; random pairs
/// take fewer than a hundred tries. In theory there may be exponentially many.
OptimalSchedule optimalSteps(const std::vector<Message> &messages, const std::vector<double> &costs,
                             StepLimit limit, bool localOnesToo, std::size_t patience = 200'000);

} // namespace sendwright

#endif
