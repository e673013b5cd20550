// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of MPI_Sendrecv in which each rank exchanges with every other rank, one in each step i: it
// sends to rank + i and receives from rank - i, modulo the number of ranks; or both partners are
// rank ^ i.

#ifndef SENDWRIGHT_TOOL_SITES_PAIRWISELOOPS_H
#define SENDWRIGHT_TOOL_SITES_PAIRWISELOOPS_H

#include "tool/sites/MessageLoops.h"

#include <optional>
#include <vector>

namespace sendwright {

/// How a partner is computed from the step.
enum class PartnerForm {
  Above,   ///< (rank + i) % modulus
  Below,   ///< (rank - i + modulus) % modulus
  Opposite ///< rank ^ i
};

struct StepPartner {
  PartnerForm form = PartnerForm::Above;
  const clang::Expr *rank = nullptr, *modulus = nullptr; ///< Opposite has no modulus
  const clang::VarDecl *variable = nullptr; ///< holds it; null: it is computed in the call
};

/// A loop that sends to each rank and receives from each rank.
struct PairwiseLoop {
  MessageLoop head;                ///< its variable is the step; its message is the sending half
  MessageCall sent, received;      ///< the halves of one call
  StepPartner to;                  ///< the rank that receives
  std::optional<StepPartner> from; ///< the rank that sends; nothing for an unknown form
  /// Variables that the body sets: partners and what they are computed from; and variables that it
  /// declares without a value.
  std::vector<const clang::VarDecl *> set, declared;
};

/// The exchange loop that a statement is; nothing for other statements. What else it does is in
/// `head.others`. Linear in the statement.
std::optional<PairwiseLoop> pairwiseLoopOf(const clang::Stmt *statement,
                                           const clang::ASTContext &context);

} // namespace sendwright

#endif
