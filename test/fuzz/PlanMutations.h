// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of a plan's decoded fields, as no planner makes them.

#ifndef SENDWRIGHT_TEST_FUZZ_PLANMUTATIONS_H
#define SENDWRIGHT_TEST_FUZZ_PLANMUTATIONS_H

#include "analysis/plan/Plan.h"
#include "test/fuzz/Draw.h"

#include <string>

namespace sendwright::fuzz {

/// Changes one thing, of what ranks do rather than of what people read of it. The result may be a
/// plan that no reader accepts.
void mutatePlan(Plan &plan, Draw &draw);

/// The plan as a file; empty where the writer refuses it for figures that nobody could read.
std::string bytesOf(const Plan &plan);

} // namespace sendwright::fuzz

#endif
