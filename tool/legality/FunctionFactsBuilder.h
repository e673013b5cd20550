// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of functions, bottom-up over the calls between the bodies that this unit has. Functions
// that call one another share their facts: within a cycle nothing bad is assumed, so recursion
// alone refuses nothing. (Strongly connected components: R. Tarjan, Depth-first search and linear
// graph algorithms, SIAM J. Comput. 1(2), 1972; linear in functions and calls.)

#ifndef SENDWRIGHT_TOOL_LEGALITY_FUNCTIONFACTSBUILDER_H
#define SENDWRIGHT_TOOL_LEGALITY_FUNCTIONFACTSBUILDER_H

#include "tool/legality/BodySummary.h"
#include "tool/legality/SpinLoops.h"

#include <memory>
#include <unordered_map>

namespace sendwright {

/// A function with all that it calls within the unit.
struct CombinedFacts {
  std::optional<std::string> refusal;    ///< why it may wait, or cannot be judged
  std::optional<std::string> sharedRead; ///< its result may depend on such a read
  bool reachesMpi = false;               ///< by itself, apart from what `external` may do
  bool sends = false;
  bool writesMemory = false;  ///< that a send buffer could share, apart from `external`
  bool changesMemory = false; ///< a loop that calls it makes progress, apart from `external`
  bool exposesLocals = false; ///< a send could read its own variables after their life
  std::map<std::string, std::string> external; ///< symbols of other units, and their names
};

/// What a loop somewhere may turn on that calls the function: a shared read, where it may return or
/// store what it read. For callers of which the loops are judged without knowing whom they call.
std::optional<std::string> waitBeyond(const clang::FunctionDecl &definition,
                                      const CombinedFacts &facts);

class FunctionFactsBuilder {
public:
  explicit FunctionFactsBuilder(clang::ASTContext &context) : passed(context), context(context) {}

  PassedFunctions passed; ///< of the unit

  /// The facts of a function, given with its body. Valid as long as this builder.
  const CombinedFacts &facts(const clang::FunctionDecl &definition);

  /// What the searches in loops and buffers ask of callees.
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
