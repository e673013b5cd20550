// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of what another thread, a signal or a device may change: volatile and atomic objects.

#ifndef SENDWRIGHT_TOOL_LEGALITY_SHAREDREADS_H
#define SENDWRIGHT_TOOL_LEGALITY_SHAREDREADS_H

#include "clang/AST/Stmt.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <optional>
#include <string>

namespace sendwright {

/// "reads the volatile 'flag'" or "reads the atomic 'ready'" where `node` itself (not its children)
/// reads such an object, or is a read-modify-write of one.
std::optional<std::string> describeSharedRead(const clang::Stmt &node);

/// Remembers which expressions are statements of their own, so that nobody sees their value: a
/// counter that is only incremented tells nothing. Feed it the nodes from the outside in.
class DiscardedValues {
public:
  void note(const clang::Stmt &node);
  bool contains(const clang::Stmt &node) const { return discarded.contains(&node); }

private:
  void add(const clang::Stmt *statement);
  llvm::SmallPtrSet<const clang::Stmt *, 16> discarded;
};

} // namespace sendwright

#endif
