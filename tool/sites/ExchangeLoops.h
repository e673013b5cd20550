// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of MPI_Sendrecv in which each rank exchanges with every other, one in each step: rank + i
// gets, and rank - i gives, modulo the number of ranks; or both are rank ^ i.

#ifndef SENDWRIGHT_TOOL_SITES_EXCHANGELOOPS_H
#define SENDWRIGHT_TOOL_SITES_EXCHANGELOOPS_H

#include "tool/sites/MessageLoops.h"

#include <optional>
#include <vector>

namespace sendwright {

/// How a partner follows from the step.
enum class PartnerForm {
  Above,   ///< (rank + i) % modulus
  Below,   ///< (rank - i + modulus) % modulus
  Opposite ///< rank ^ i
};

struct StepPartner {
  PartnerForm form = PartnerForm::Above;
  const clang::Expr *rank = nullptr, *modulus = nullptr; ///< of Opposite no modulus
  const clang::VarDecl *variable = nullptr; ///< that holds it; null: it is worked out in the call
};

/// One that sends to each rank and receives from each.
struct ExchangeLoop {
  MessageLoop head;                ///< its variable is the step; its message the sending half
  MessageCall sent, received;      ///< the halves of one call
  StepPartner to;                  ///< who gets
  std::optional<StepPartner> from; ///< who gives; nothing where that is none of the forms
  /// Declared or set in its body: partners, what they are worked out from, and what has no value.
  std::vector<const clang::VarDecl *> set, declared;
};

/// Such a loop; nothing for a statement that is none. What it does besides is in `head.others`.
/// Linear in the statement.
std::optional<ExchangeLoop> exchangeLoopOf(const clang::Stmt *statement,
                                           const clang::ASTContext &context);

} // namespace sendwright

#endif
