// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the units of a program built with a plan say of its functions, and what the plan's loops
// need of them. The plugin judged a loop by the facts that the profile recorded of functions in
// other units; a function that was edited since, or compiled otherwise, may have others. So each
// unit brings the facts of its functions as they are now, and the runtime compares before it defers
// anything.

#ifndef SENDWRIGHT_ANALYSIS_PROGRAM_UNITFACTS_H
#define SENDWRIGHT_ANALYSIS_PROGRAM_UNITFACTS_H

#include "analysis/program/FunctionFacts.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sendwright {

/// What a function of another unit may do, with all that it reaches, before a loop that calls it
/// may no longer be deferred. It may never wait outside MPI.
struct AllowedEffects {
  bool writesMemory = true;
  bool reachesMpi = true;
};

/// What the verdict on one site rests on.
struct SiteReliance {
  std::map<std::string, AllowedEffects> called; ///< functions of other units, by symbol
  std::set<std::string> beneath;                ///< those that they reached in the profile
};

/// A function whose address the unit takes: calls through pointers may lead to it.
struct CallTarget {
  std::string symbol;
  bool known = false; ///< the unit knows `facts`; else they are those of the unit that defines it
  FunctionFacts facts;
};

struct UnitFacts {
  std::map<std::string, FunctionFacts> functions; ///< defined here, that loops elsewhere may call
  std::vector<SiteReliance> sites;                ///< of the unit's sites, in their order
  std::vector<CallTarget> targets;                ///< in the order of sendwright_unit.targets
};

/// Bytes to embed, guarded by a checksum.
std::string encodeUnitFacts(const UnitFacts &facts);
/// Reads them back. Throws FormatError with `name` for any other bytes.
UnitFacts decodeUnitFacts(const void *data, std::size_t size, const std::string &name);

/// The functions that `called` reach by `functions`, without themselves.
std::set<std::string> functionsBeneath(const std::map<std::string, AllowedEffects> &called,
                                       const std::map<std::string, FunctionFacts> &functions);

/// Why a site may not be deferred in a program whose units define `functions`, and what to do about
/// it: part of a sentence, "" where all is as its verdict needs it. Linear in what is reached.
std::string brokenReliance(const SiteReliance &site,
                           const std::map<std::string, FunctionFacts> &functions);

/// `target`, which is new and empty or what is known so far of the function at one address, becomes
/// the worse of both.
void addCallTarget(CallTarget &target, CallTarget other);

/// Why a loop whose messages are deferred may not call `target` through a pointer in a program
/// whose units define `functions`: part of a sentence, "" where it may. Linear in what is reached.
std::string problemOfCall(const CallTarget &target,
                          const std::map<std::string, FunctionFacts> &functions);

/// The same where no unit speaks of the function, of which `name` is all that is known.
std::string problemOfUnknownCall(const std::string &name);

} // namespace sendwright

#endif
