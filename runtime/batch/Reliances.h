// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the program's functions are still what the verdicts on its sites assumed. The plugin
// judged a loop by facts about functions in other units that the profile recorded; here these are
// compared with the facts that the units of this program carry. A site that relies on a function
// that became worse, or that no unit describes, loses its plan and runs as written, and one line
// says so.
//
// The same facts tell what calls through pointers may lead to (CallsThroughPointers.cpp).

#ifndef SENDWRIGHT_RUNTIME_BATCH_RELIANCES_H
#define SENDWRIGHT_RUNTIME_BATCH_RELIANCES_H

#include "analysis/program/UnitFacts.h"
#include "runtime/include/sendwright/runtime.h"

#include <atomic>
#include <unordered_map>
#include <vector>

namespace sendwright {

class Reliances {
public:
  /// Reads what a unit says about its functions. Returns, by index of its sites, what they rely on;
  /// if the unit says nothing about its sites, none of them relies on anything. Throws FormatError.
  std::vector<SiteReliance> addUnit(const sendwright_unit &unit);

  /// Adds to what units say.
  void addFunctions(std::map<std::string, FunctionFacts> added);

  /// From now on, `site` keeps its plan only while what it relies on holds.
  void watch(sendwright_site *site, SiteReliance reliance);

  /// `site` loses its plan; the caller has said why.
  void giveUp(sendwright_site *site);

  /// True if units were added since the last check. Any thread may call it.
  bool outdated() const { return changed.load(std::memory_order_acquire); }

  /// Takes the plan from sites whose reliance is broken, and says so. A site that lost its plan
  /// never gets it back. Linear in what the sites reach.
  void check();

  /// Why a deferred loop may not call the function at this address: part of a sentence, or "" if it
  /// may. Looked up once for each function. The text lives until units are added.
  const std::string &problemOfCall(sendwright_function function);

private:
  struct WatchedSite {
    sendwright_site *site;
    SiteReliance reliance;
  };
  std::map<std::string, FunctionFacts> functions;                ///< of all units, joined
  std::unordered_map<sendwright_function, CallTarget> targets;   ///< of all units, joined
  std::unordered_map<sendwright_function, std::string> problems; ///< of the functions called so far
  std::vector<WatchedSite> sites;
  std::set<sendwright_site *> givenUp; ///< even if another unit has the same site
  std::atomic<bool> changed{false};
};

/// Compares again if shared libraries added units since; at the beginning of a scope, on the thread
/// that calls MPI. One load if nothing changed.
void checkReliancesOfLateUnits();

/// Tells problemOfCall() what pointers in units that are built to be profiled may lead to, and what
/// is known about all their functions: their loops may learn. Throws FormatError.
void addCallsOfProfiledUnits(std::map<std::string, FunctionFacts> functions);

/// Reliances::problemOfCall() for this program; any thread may call it.
std::string problemOfCall(sendwright_function function);

} // namespace sendwright

#endif
