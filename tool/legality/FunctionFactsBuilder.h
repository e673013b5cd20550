// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about functions, computed bottom-up over the calls between the bodies that this unit has.
// Functions that call one another share their facts: within a cycle nothing bad is assumed, so
// recursion alone causes no refusal. (Strongly connected components: R. Tarjan, Depth-first search
// and linear graph algorithms, SIAM J. Comput. 1(2), 1972; linear in functions and calls.)

#ifndef SENDWRIGHT_TOOL_LEGALITY_FUNCTIONFACTSBUILDER_H
#define SENDWRIGHT_TOOL_LEGALITY_FUNCTIONFACTSBUILDER_H

#include "tool/legality/BodySummary.h"
#include "tool/legality/SpinLoops.h"

#include <memory>
#include <unordered_map>

namespace sendwright {

/// A function together with everything that it calls within the unit.
struct CombinedFacts {
  std::optional<std::string> refusal;    ///< why it may wait, or cannot be judged
  std::optional<std::string> sharedRead; ///< its result may depend on this read
  bool reachesMpi = false;               ///< by itself, apart from what `external` may do
  bool sends = false;
  bool writesMemory = false;  ///< memory that a send buffer may share, apart from `external`
  bool changesMemory = false; ///< so a loop that calls it makes progress, apart from `external`
  bool exposesLocals = false; ///< a send could read its own variables after their life
  std::map<std::string, std::string> external; ///< symbols of other units, and their names
};

/// The shared read that decides when a loop calling this function ends, where the function may
/// return or store what it read. For callers that judge loops without knowing the calling function.
std::optional<std::string> waitBeyond(const clang::FunctionDecl &definition,
                                      const CombinedFacts &facts);

class FunctionFactsBuilder {
public:
  explicit FunctionFactsBuilder(clang::ASTContext &context) : passed(context), context(context) {}

  PassedFunctions passed; ///< in this unit

  /// The facts of a function that has a body here. The reference is valid as long as this builder.
  const CombinedFacts &facts(const clang::FunctionDecl &definition);

  /// Answers what the searches in loops and buffers ask about callees.
  CalleeOracle oracle();

private:
  struct Node {
    const clang::FunctionDecl *definition;
    std::size_t index, lowest;
    bool open = true; ///< on the stack: its component is not complete
    BodySummary summary;
    std::shared_ptr<CombinedFacts> facts;
  };

  Node &visit(const clang::FunctionDecl &definition);
  void close(Node &root);
  void combine(const Node &node, CombinedFacts &facts);

  clang::ASTContext &context;
  std::unordered_map<const clang::FunctionDecl *, std::unique_ptr<Node>> nodes;
  std::vector<Node *> stack;
};

} // namespace sendwright

#endif
