// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables can name a block of a distributed array: variables whose memory can be replaced
// by another block, with elements that mean the same on another rank.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONARRAYS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONARRAYS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sendwright {

struct BlockVariable {
  const clang::VarDecl *variable = nullptr; ///< the canonical declaration
  bool pointsToRows = false;                ///< double (*A)[M]
  std::optional<std::uint64_t> rowElements; ///< M, where it is a constant
  std::string problem;                      ///< why it cannot: what it is, what is expected

  /// Whether it stands outside of functions; the variable must be known.
  bool isGlobal() const { return variable->hasGlobalStorage() && !variable->isStaticLocal(); }
};

/// Judges what a name means. A name that depends on a template's parameters is left to the
/// compiler.
BlockVariable blockVariable(const clang::NamedDecl *declaration, clang::ASTContext &context);

/// Where the unit lets the variable point to memory that free() does not accept: what the memory is
/// ("memory of new[]") and the line; "" where no such place is found. Linear in the unit.
std::string foreignMemory(const clang::VarDecl *variable, clang::ASTContext &context);

} // namespace sendwright

#endif
