// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a translation unit gets besides edits: the runtime's declarations, an object for each of its
// sites, the plan or facts about its functions, and a constructor that registers them.

#ifndef SENDWRIGHT_TOOL_SOURCE_EMISSION_H
#define SENDWRIGHT_TOOL_SOURCE_EMISSION_H

#include "analysis/program/UnitFacts.h"
#include "analysis/trace/Profile.h"

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <vector>

namespace sendwright {

/// A site as the runtime sees it.
struct EmittedSite {
  SiteIdentity identity;
  bool stableBuffers = false;
  bool deferrable = false; ///< generate: what the loop sends may leave at the loop's end
  SiteReliance reliance;   ///< belongs to the unit, since units may see the site differently
  bool inTemplate = false; ///< its scopes say which instantiation they are in
  const MpiFunction *function = nullptr; ///< for a call
  bool isBlock = false;                  ///< of statements (StatementBlocks.h), not a loop
  bool measured = false; ///< a distribute directive: the load of its arrays is followed
  /// The object's name: the same in every unit that has the site (a loop in a header).
  std::string symbol() const;
};

/// A call of a function that may wrap calls of MPI.
struct EmittedCaller {
  SiteIdentity identity;
  std::string callee;         ///< as the sites of calls in it name it
  std::string symbol() const; ///< as above
};

/// What translated directives use. These sites are not registered: the calls name them.
struct DirectiveObjects {
  bool used = false; ///< there are directives, which need the header of the calls
  std::vector<EmittedSite> sites;
  std::vector<std::string> staticArrays; ///< names of variables that live as long as the program
  std::vector<std::string> schedules;    ///< definitions, in C and C++
};

struct Unit {
  std::string file; ///< the main source file, named as the compiler does
  bool generate = false;
  std::vector<EmittedSite> sites;     ///< sites of loops
  std::vector<EmittedSite> calls;     ///< not registered: the calls name them
  std::vector<EmittedCaller> callers; ///< likewise
  std::string functions;              ///< generate: encoded (analysis/program/UnitSummary.h)
  bool describedAtEnd = false;        ///< generate: `functions` is known when the unit ends
  llvm::StringRef plan;               ///< use: the bytes of the plan file
  std::string facts;                  ///< encoded (analysis/program/UnitFacts.h)
  std::vector<std::string> targets;   ///< use: symbols of its CallTargets
  DirectiveObjects directives;
  bool collectives = false; ///< sendwright/collectives.h is used

  /// Whether the runtime must be told of the unit when the program starts.
  bool announced() const {
    return !sites.empty() || !calls.empty() || !functions.empty() || describedAtEnd ||
           !facts.empty() || !plan.empty();
  }
};

/// The statements that open a scope, and that close it before the enclosing block ends.
struct ScopeCalls {
  std::string opening, closing;
};
ScopeCalls markScope(const EmittedSite &site);
ScopeCalls batchScope(const EmittedSite &site);
/// A scope in which exchanges overlap, around the scope `inner`, which may be empty: their sends
/// are issued before anything waits. `reads`: what the arguments of the exchanges are read from.
ScopeCalls chainScope(const EmittedSite &site, const std::set<std::string> &reads,
                      const ScopeCalls &inner);
/// The text in front of a call of MPI, an expression without a value.
std::string markBefore(const EmittedSite &call);
/// The same for a call that answers a loop: `bounds` are the root, the loop's first rank, and the
/// rank past its last.
std::string markBefore(const EmittedSite &call, const std::vector<std::string> &bounds);
/// The same for a call of a function that may wrap MPI.
std::string calledFromBefore(const EmittedCaller &caller);
std::string synchronizeBefore(const EmittedSite &call);
/// The text in front of a callee; and in front of an object, or a pointer to an object, whose
/// virtual function in the slot is called. A bracket closes it.
std::string checkedCall();
std::string checkedCall(std::uint64_t slot, bool ofPointer);
/// The same in front of a pointer to a member function.
std::string checkedMemberCall();

/// C and C++ text for the beginning of the unit: one region without debug information that the
/// compiler treats as a system header, so that it raises no warnings. The linker merges objects
/// that several units define, including the plan, whose name is its digest.
std::string declarationsOf(const Unit &unit, const std::string &runtimeHeader);

/// The function that declarationsOf() declares, and calls when the program starts, if the unit is
/// described at its end: const char *NAME(void). It must get a body that returns Unit::functions.
std::string descriptionFunction(const Unit &unit);

/// Text that declares the name by which sendwright/required.h knows that the plugin is there.
std::string declarationOfPresence();

/// Text that makes the compiler count `file` among the unit's dependencies (-MD), and does nothing
/// else; "" for a file whose name no #include can hold.
std::string dependencyOn(const std::string &file);

/// Puts text at the beginning of a unit's predefined macros, before those of the command line.
std::string withPredefines(const std::string &predefines, const std::string &text);

} // namespace sendwright

#endif
