// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/MemoryEffects.h"

#include "tool/legality/Stores.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace sendwright {

MemoryEffects memoryEffects(const FunctionDecl &definition, ASTContext &context) {
  const Stmt &body = *definition.getBody();
  Stores stores = findStores(body, context);
  MemoryEffects effects;
  // Constructors and destructors store to their object.
  effects.storesOutside =
      stores.anywhere || isa<CXXConstructorDecl>(definition) || isa<CXXDestructorDecl>(definition);
  for (const MemoryPlace &place : stores.places)
    effects.storesOutside |= !place.variable || !place.variable->hasLocalStorage();
  effects.exposesLocals |= stores.endsExceptions;
  VariableSet exposed = exposedVariables(body, context);
  for (const VarDecl *variable : exposed)
    effects.exposesLocals |= variable->hasLocalStorage() &&
                             !variable->getType()->isReferenceType() &&
                             !isNeverMessage(variable->getType());
  for (QualType type : stores.temporaries)
    effects.exposesLocals |= !isNeverMessage(type);
  return effects;
}

} // namespace sendwright
