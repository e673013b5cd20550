// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes to a plan's decoded fields that no planner would make.

#ifndef SENDWRIGHT_TEST_FUZZ_PLANMUTATIONS_H
#define SENDWRIGHT_TEST_FUZZ_PLANMUTATIONS_H

#include "analysis/plan/Plan.h"
#include "test/fuzz/Draw.h"

#include <string>

namespace sendwright::fuzz {

/// Changes one thing, rather in what ranks do than in what people read about it. The result may be
/// a plan that no reader accepts.
void mutatePlan(Plan &plan, Draw &draw);

/// The plan as a file; empty if the writer refuses it because of unreadable figures.
std::string bytesOf(const Plan &plan);

} // namespace sendwright::fuzz

#endif
