// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the units of a program built with a plan say about its functions, and what the plan's loops
// need from them. The plugin judged a loop by the facts that the profile recorded about functions
// in other units. A function that was edited since, or compiled differently, may have other facts.
// So each unit carries the facts of its functions as they are now, and the runtime compares before
// it defers anything.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_UNITFACTS_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_UNITFACTS_H

#include "analysis/program/FunctionFacts.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

/// What a function of another unit, with everything that it reaches, may do while a loop that calls
/// it may still be deferred. It may never wait outside MPI.
struct AllowedEffects {
  bool writesMemory = true;
  bool reachesMpi = true;
};

/// What the verdict on one site depends on.
struct SiteReliance {
  std::map<std::string, AllowedEffects> called; ///< functions of other units, by symbol
  std::set<std::string> beneath;                ///< functions that these reached in the profile
};

/// A function whose address the unit takes: calls through pointers may lead to it.
struct CallTarget {
  std::string symbol;
  bool known = false; ///< whether the unit knows `facts`; otherwise the defining unit does
  FunctionFacts facts;
};

struct UnitFacts {
  std::map<std::string, FunctionFacts> functions; ///< defined here; loops elsewhere may call them
  std::vector<SiteReliance> sites;                ///< by site of the unit, in order
  std::vector<CallTarget> targets;                ///< in the order of sendwright_unit.targets
};

/// The facts as bytes to embed, guarded by a checksum.
std::string encodeUnitFacts(const UnitFacts &facts);
/// Reads them back. Throws FormatError with `name` for any other bytes.
UnitFacts decodeUnitFacts(const void *data, std::size_t size, const std::string &name);

/// The functions that `called` reach by `functions`, without `called` themselves.
std::set<std::string> functionsBeneath(const std::map<std::string, AllowedEffects> &called,
                                       const std::map<std::string, FunctionFacts> &functions);

/// Why a site may not be deferred in a program whose units define `functions`, and what to do about
/// it: part of a sentence; "" if everything is as the verdict needs it. Linear in the functions
/// reached.
std::string brokenReliance(const SiteReliance &site,
                           const std::map<std::string, FunctionFacts> &functions);

/// `target`, which is new and empty or holds what is known so far about the function at one
/// address, becomes the worse of the two.
void addCallTarget(CallTarget &target, CallTarget other);

/// Why a loop whose messages are deferred may not call `target` through a pointer in a program
/// whose units define `functions`: part of a sentence; "" if it may. Linear in the functions
/// reached.
std::string problemOfCall(const CallTarget &target,
                          const std::map<std::string, FunctionFacts> &functions);

/// The same for a function that no unit mentions, of which only `name` is known.
std::string problemOfUnknownCall(const std::string &name);

} // namespace sendwright

#endif
