// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Judges the first loop of a function named `exchange` in a piece of source (ParsedSource.h).

#ifndef SENDWRIGHT_TEST_TOOL_LEGALITYFIXTURE_H
#define SENDWRIGHT_TEST_TOOL_LEGALITYFIXTURE_H

#include "analysis/plan/Plan.h"
#include "test/tool/Language.h"
#include "tool/legality/Legality.h"

#include <string>

namespace sendwright::test {

/// The verdict on the loop, with facts about other units from `plan`. Fails the running test if the
/// source does not compile or has no such loop. Judges a template's first instantiation.
LoopVerdict judge(const std::string &source, Language language, const Plan *plan = nullptr,
                  const std::vector<std::string> &arguments = {});

/// "" if the loop may be deferred, the reason otherwise.
std::string refusal(const std::string &source, Language language, const Plan *plan = nullptr,
                    const std::vector<std::string> &arguments = {});

/// refusal() of `for (i < n) { BODY }` in a C function with the usual parameters: destinations
/// `to`, a pointer `b`, a communicator `c`; `before` stands in front of the function.
std::string refusalOfBody(const std::string &body, const std::string &before = "");

/// The same in C++, in a loop with the same head as in C.
std::string refusalOfCxxBody(const std::string &body, const std::string &before = "");

/// The verdict on the first block of sends in a piece of source (StatementBlocks.h). Fails the
/// running test if there is none.
LoopVerdict judgeBlock(const std::string &source, Language language = Language::C);

/// Why the block from the first send to the last must not be deferred: of STATEMENTS in a C
/// function with destinations `to`, a pointer `b`, a communicator `c` and requests `r`; "" if it
/// may be.
std::string refusalOfBlock(const std::string &statements, const std::string &before = "");

/// The facts of the functions that a source defines; with `plan`, of those that it trusts.
std::map<std::string, FunctionFacts> functionFacts(const std::string &source, Language language,
                                                   const Plan *plan = nullptr);

/// The functions that pointers may lead to, by symbol.
std::map<std::string, CallTarget> callTargets(const std::string &source, Language language);

} // namespace sendwright::test

#endif
