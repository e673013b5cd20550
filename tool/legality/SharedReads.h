// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of what another thread, a signal, a device or another process may change: volatile and
// atomic objects, and answers of the operating system.

#ifndef SENDWRIGHT_TOOL_LEGALITY_SHAREDREADS_H
#define SENDWRIGHT_TOOL_LEGALITY_SHAREDREADS_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// "reads the volatile 'flag'", "reads the atomic 'ready'" or "asks the operating system through
/// stat" where `node` itself (not its children) reads such an object, or modifies it by a
/// read-modify-write.
std::optional<std::string> describeSharedRead(const clang::Stmt &node);

/// The lvalues in which a shared read stores its result: `s` of stat(name, &s). Null stands for
/// memory behind a pointer. Empty for other nodes.
std::vector<const clang::Expr *> storedSharedReads(const clang::Stmt &node);

/// Remembers which expressions are whole statements, so that their values are never seen: a counter
/// that is only incremented tells nothing. Feed it the nodes from the outside in.
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
