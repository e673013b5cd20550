// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a translation unit gets besides edits: the runtime's declarations, an object for each of its
// sites, the plan or the facts of its functions, and a constructor that announces them.

#ifndef SENDWRIGHT_TOOL_SOURCE_EMISSION_H
#define SENDWRIGHT_TOOL_SOURCE_EMISSION_H

#include "analysis/program/UnitFacts.h"
#include "analysis/trace/Profile.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sendwright {

/// A site as the runtime sees it.
struct EmittedSite {
  SiteIdentity identity;
  bool stableBuffers = false;
  bool deferrable = false; ///< generate: what the loop sends may leave at its end
  SiteReliance reliance;   ///< goes into the unit, since units may see the site differently
  bool inTemplate = false; ///< its scopes say in which instantiation they are
  const MpiFunction *function = nullptr; ///< of a call
  /// The object's name: the same in every unit that has the site (a loop in a header).
  std::string symbol() const;
};

/// What translated directives use. Nobody is told of these sites: the calls name them.
struct DirectiveObjects {
  bool used = false; ///< there are directives, and so the header with what they became
  std::vector<EmittedSite> sites;
  std::vector<std::string> staticArrays; ///< names of variables that live as long as the program
  std::vector<std::string> schedules;    ///< definitions, in C and C++
};

struct Unit {
  std::string file; ///< the main source file, as the compiler names it
  bool generate = false;
  std::vector<EmittedSite> sites;   ///< loops
  std::vector<EmittedSite> calls;   ///< known to the runtime by the calls that name them alone
  std::string functions;            ///< generate: encoded (analysis/program/UnitSummary.h)
  llvm::StringRef plan;             ///< use: the bytes of the plan file
  std::string facts;                ///< encoded (analysis/program/UnitFacts.h)
  std::vector<std::string> targets; ///< use: symbols of its CallTargets
  DirectiveObjects directives;
  bool collectives = false; ///< the words for them are used (sendwright/collectives.h)

  /// Whether the runtime is to be told of it when the program starts.
  bool announced() const {
    return !sites.empty() || !calls.empty() || !functions.empty() || !facts.empty() ||
           !plan.empty();
  }
};

/// The names of the calls that are written around loops, with the site's symbol.
std::string markCall(const EmittedSite &site);
std::string batchCall(const EmittedSite &site);
/// What is written in front of a call of MPI, as an expression without a value.
std::string markBefore(const EmittedSite &call);
/// Of a call that answers a loop: `bounds` are the root, the loop's first rank and the one past its
/// last.
std::string markBefore(const EmittedSite &call, const std::vector<std::string> &bounds);
std::string synchronizeBefore(const EmittedSite &call);
/// What is written in front of a callee, and of an object or of a pointer to one whose virtual
/// function in the slot is called. A bracket closes it.
std::string checkedCall();
std::string checkedCall(std::uint64_t slot, bool ofPointer);

/// C and C++ text for the beginning of the unit: one region that the compiler takes for a system
/// header, so that it raises no warnings, without debug information. Objects that several units may
/// define are merged by the linker; so is the plan, whose name is its digest.
std::string declarationsOf(const Unit &unit, const std::string &runtimeHeader);

/// Text that declares the name by which sendwright/required.h knows that the plugin is there.
std::string declarationOfPresence();

/// Text that makes the compiler count `file` among what the unit depends on (-MD), and nothing
/// else; "" for a file whose name no #include could hold.
std::string dependencyOn(const std::string &file);

/// Puts text at the beginning of a unit's predefined macros, before those of the command line.
std::string withPredefines(const std::string &predefines, const std::string &text);

} // namespace sendwright

#endif
