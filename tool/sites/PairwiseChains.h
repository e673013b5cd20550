// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of exchanges: consecutive calls of MPI_Sendrecv, as where the faces of a block are
// shifted, that may all be under way at once.
//
// Nothing in a chain but the calls themselves may look at what they receive, nor change what they
// send. So its statements only work out arguments: from local variables that nobody else can reach,
// and from other variables whose memory the runtime compares with what is received. Whether the
// buffers of two calls meet is for the runtime to find out, too.

#ifndef SENDWRIGHT_TOOL_SITES_PAIRWISECHAINS_H
#define SENDWRIGHT_TOOL_SITES_PAIRWISECHAINS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <set>
#include <string>

namespace sendwright {

struct PairwiseChain {
  std::size_t statements = 0; ///< how many of those given: up to the last call
  unsigned calls = 0;         ///< of MPI_Sendrecv, as written
  /// What the arguments are read from, as expressions that have an address: "n", "*mesh".
  std::set<std::string> reads;
};

/// The chains of one function's statements.
class PairwiseChains {
public:
  PairwiseChains(const clang::FunctionDecl &function, const clang::ASTContext &context);

  /// The longest chain that the statements begin with; without calls if the first has none. Linear
  /// in these statements.
  PairwiseChain atBeginOf(llvm::ArrayRef<clang::Stmt *> statements) const;

private:
  class Reader;
  /// How often a variable is named, and how often only to read or set it.
  struct Uses {
    unsigned all = 0, direct = 0;
  };
  class UsesWalk;
  /// Whether only the function's own reading and setting reaches the variable.
  bool isOwn(const clang::VarDecl &variable) const;

  const clang::ASTContext &context;
  llvm::DenseMap<const clang::VarDecl *, Uses> uses;
};

} // namespace sendwright

#endif
