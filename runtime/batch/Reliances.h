// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the functions of the program are still what the verdicts on its sites took them for. The
// plugin judged a loop by facts of functions in other units that the profile recorded; here they
// are compared with the facts that the units of this program bring. A site that relies on a
// function that became worse, or of which no unit tells anything, loses its plan and runs as
// written, which one line says.
//
// The same facts tell what calls through pointers may lead to (Calls.cpp).

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
  /// Reads what a unit says of its functions. Returns what its sites rely on, by their index; where
  /// the unit says nothing of its sites, as many that rely on nothing. Throws FormatError.
  std::vector<SiteReliance> addUnit(const sendwright_unit &unit);

  /// From here on `site` is to keep its plan only while what it relies on holds.
  void watch(sendwright_site *site, SiteReliance reliance);

  /// `site` is to lose its plan, which something else has said.
  void giveUp(sendwright_site *site);

  /// True when units came since the last check. Any thread.
  bool outdated() const { return changed.load(std::memory_order_acquire); }

  /// Takes the plan from the sites whose reliance is broken, and says so. A site that once lost its
  /// plan stays without. Linear in what the sites reach.
  void check();

  /// Why a loop that is deferred may not call the function at this address: part of a sentence, ""
  /// where it may. Looked up once for each function. The text lives until units come.
  const std::string &problemOfCall(sendwright_function function);

private:
  struct WatchedSite {
    sendwright_site *site;
    SiteReliance reliance;
  };
  std::map<std::string, FunctionFacts> functions;                ///< of all units, joined
  std::unordered_map<sendwright_function, CallTarget> targets;   ///< of all units, joined
  std::unordered_map<sendwright_function, std::string> problems; ///< of those that were called
  std::vector<WatchedSite> sites;
  std::set<sendwright_site *> givenUp; ///< also where another unit brings the same site
  std::atomic<bool> changed{false};
};

/// Compares again when shared libraries brought units since; at the begin of a scope, on the thread
/// that calls MPI. One load where there is nothing new.
void checkReliancesOfLateUnits();

/// The same as Reliances::problemOfCall for those of this program, of any thread's making.
std::string problemOfCall(sendwright_function function);

} // namespace sendwright

#endif
