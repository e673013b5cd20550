// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/FunctionFactsBuilder.h"

#include "tool/legality/EvaluatedCode.h"
#include "tool/legality/MemoryEffects.h"

#include <algorithm>

using namespace clang;

namespace sendwright {

std::optional<std::string> waitBeyond(const FunctionDecl &definition, const CombinedFacts &facts) {
  return !definition.getReturnType()->isVoidType() || facts.writesMemory ? facts.sharedRead
                                                                         : std::nullopt;
}

const CombinedFacts &FunctionFactsBuilder::facts(const FunctionDecl &definition) {
  Node &node = visit(definition);
  if (node.facts)
    return *node.facts;
  // Asked while the function's component is still open: nothing bad is known yet.
  static const CombinedFacts none;
  return none;
}

CalleeOracle FunctionFactsBuilder::oracle() {
  const auto effects = [this](const FunctionDecl &definition) {
    const CombinedFacts &known = facts(definition);
    // Another unit's function is judged separately; here it counts as a change that may end a loop.
    bool opaque = !known.external.empty();
    return CalleeEffects{known.sharedRead, known.writesMemory || opaque,
                         known.changesMemory || opaque, known.reachesMpi};
  };
  return {effects, [this](const CallExpr &call) { return passed.targetsOf(call); }};
}

FunctionFactsBuilder::Node &FunctionFactsBuilder::visit(const FunctionDecl &definition) {
  std::unique_ptr<Node> &slot = nodes[&definition];
  if (slot)
    return *slot;
  slot = std::make_unique<Node>();
  Node &node = *slot;
  node.definition = &definition;
  node.index = node.lowest = nodes.size();
  stack.push_back(&node);
  node.summary = summarizeFunction(definition, context, passed);
  for (const VisibleCall &call : node.summary.visible) {
    const Node &callee = visit(*call.definition);
    if (callee.open)
      node.lowest = std::min(node.lowest, callee.lowest);
  }
  if (node.lowest == node.index)
    close(node);
  return node;
}

// All members of the component lie on the stack above its root.
void FunctionFactsBuilder::close(Node &root) {
  auto first = std::find(stack.begin(), stack.end(), &root);
  std::vector<Node *> members(first, stack.end());
  stack.erase(first, stack.end());
  auto shared = std::make_shared<CombinedFacts>();
  for (const Node *member : members)
    combine(*member, *shared);
  bool maySend = shared->sends || !shared->external.empty();
  shared->writesMemory |= maySend && shared->exposesLocals;
  for (Node *member : members) {
    member->facts = shared;
    member->open = false;
    member->summary = BodySummary();
  }
}

void FunctionFactsBuilder::combine(const Node &node, CombinedFacts &facts) {
  const BodySummary &own = node.summary;
  facts.reachesMpi |= own.reachesMpi;
  facts.sends |= own.sends;
  if (!facts.sharedRead)
    facts.sharedRead = own.sharedRead;
  if (!facts.refusal && own.refusal)
    facts.refusal = own.refusal->reason;
  // Only in a loop's own text can the runtime be told of the targets.
  if (!facts.refusal && !own.indirect.empty())
    facts.refusal = unknownCallReason(*own.indirect.front());
  for (const ExternalCall &call : own.external)
    facts.external.emplace(call.symbol, call.name);
  for (const VisibleCall &call : own.visible) {
    const CombinedFacts *callee = nodes.at(call.definition)->facts.get();
    if (call.throughPointer && !facts.refusal)
      facts.refusal =
          callee ? waitBeyond(*call.definition, *callee) : "calls itself through a pointer";
    if (!callee)
      continue; // of this component, combined on its own turn
    facts.reachesMpi |= callee->reachesMpi;
    facts.sends |= callee->sends;
    facts.writesMemory |= callee->writesMemory;
    if (!facts.sharedRead)
      facts.sharedRead = callee->sharedRead;
    if (!facts.refusal)
      facts.refusal = callee->refusal;
    facts.external.insert(callee->external.begin(), callee->external.end());
  }
  if (!facts.refusal)
    if (auto spin = findSpinLoop(own.loops, *node.definition->getBody(), context, oracle()))
      facts.refusal = spin->reason;
  facts.changesMemory |= changesMemory(*node.definition, context, oracle());
  MemoryEffects memory = memoryEffects(*node.definition, context);
  facts.writesMemory |= memory.storesOutside;
  facts.exposesLocals |= memory.exposesLocals;
}

} // namespace sendwright
