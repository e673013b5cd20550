// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables can be distributed arrays. A variable names this rank's block if its memory can
// be replaced by another block: a pointer, a std::vector. It is the whole array, with global
// indices, if its memory stays: an array, a std::array, a std::span. Its elements must mean the
// same on another rank.

#ifndef SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONARRAYS_H
#define SENDWRIGHT_TOOL_TRANSFORMATIONS_REDISTRIBUTION_REDISTRIBUTIONARRAYS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The extent of one dimension as a type says it.
struct TypeExtent {
  bool said = false;
  std::optional<std::uint64_t> constant; ///< where it is one
};

struct BlockVariable {
  const clang::VarDecl *variable = nullptr; ///< the canonical declaration; of a template null
  /// The number of the template directive: this is no variable, but a name with extents.
  std::optional<std::size_t> templateNumber;
  bool isTemplateOfUnit = false; ///< declared outside of functions
  bool isWhole = false;          ///< every rank has room for the whole array
  bool isProgramsView = false;   ///< whole, by a specialisation of sendwright_view
  /// What the type says of the dimensions: an entry for each dimension, if it says anything. Of
  /// double (*A)[M] the first is not said.
  std::vector<TypeExtent> extents;
  std::string problem; ///< why it cannot: what it is, what is expected

  bool pointsToRows() const { return !isWhole && !extents.empty(); }
  bool saysExtent(std::size_t dimension) const {
    return dimension < extents.size() && extents[dimension].said;
  }

  bool isTemplate() const { return templateNumber.has_value(); }
  /// Whether it stands outside of functions; the variable must be known.
  bool isGlobal() const { return isStatic() && !(variable && variable->isStaticLocal()); }
  /// Whether what is known about it lives as long as the program.
  bool isStatic() const { return isTemplate() ? isTemplateOfUnit : variable->hasGlobalStorage(); }
  bool isSameAs(const BlockVariable &other) const {
    return variable == other.variable && templateNumber == other.templateNumber;
  }
};

/// Judges what a name means. A name that depends on a template's parameters is left to the
/// compiler.
BlockVariable blockVariable(const clang::NamedDecl *declaration, clang::ASTContext &context);

/// Where the unit lets the variable point to memory that free() does not accept: what the memory is
/// ("memory of new[]") and the line; "" where no such place is found. Linear in the unit.
std::string foreignMemory(const clang::VarDecl *variable, clang::ASTContext &context);

} // namespace sendwright

#endif
