// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/BufferStability.h"

#include "tool/legality/LibraryFunctions.h"
#include "tool/legality/Stores.h"
#include "tool/source/SyntaxWalk.h"

#include <algorithm>

using namespace clang;

namespace sendwright {

namespace {

class WindowFinder final : public SyntaxWalk {
public:
  explicit WindowFinder(ASTContext &context) : context(context) {}
  bool found = false;

  // Inline functions of MPI's C++ bindings name every MPI function.
  bool TraverseDecl(Decl *declaration) override {
    bool skip =
        declaration && !isa<TranslationUnitDecl>(declaration) &&
        (isStandardLibrary(*declaration, context) || isDeclaredByMpi(*declaration, context));
    return skip || SyntaxWalk::TraverseDecl(declaration);
  }
  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    const auto *function = dyn_cast<FunctionDecl>(reference->getDecl());
    if (!function || !function->getIdentifier())
      return true;
    llvm::StringRef name = function->getName();
    name.consume_front("P");
    found |= name.starts_with("MPI_Win_create") || name.starts_with("MPI_Win_allocate") ||
             name == "MPI_Win_attach";
    return !found;
  }

private:
  ASTContext &context;
};

// Memory of such a type, handles included, is not read or written as another type.
bool isNumber(QualType type) {
  return !type.isNull() && type->isArithmeticType() && !type->isCharType() &&
         !type->isStdByteType() && !type->isEnumeralType();
}

class Prover {
public:
  Prover(const Stmt &loop, const FunctionDecl &function, ASTContext &context,
         const CalleeStoresOracle &oracle)
      : context(context), oracle(oracle), function(function), stores(findStores(loop, context)),
        exposed(exposedVariables(*function.getBody(), context)) {}

  bool prove() {
    if (stores.anywhere || !lookIntoCalls() || !buffersOutlive())
      return false;
    if (stores.buffers.empty() && !unseenBuffers)
      return true;
    unseenBuffers |= stores.scatteredBuffers;
    for (const MemoryPlace &place : stores.places)
      if (!isElsewhere(place))
        return false;
    for (const VarDecl *variable : stores.declared)
      if (!variable->getType()->isReferenceType() && !isElsewhere({variable, variable->getType()}))
        return false;
    return std::all_of(stores.temporaries.begin(), stores.temporaries.end(),
                       [this](QualType type) { return isElsewhere({nullptr, type}); });
  }

private:
  bool lookIntoCalls() {
    for (const auto *callees : {&stores.visible, &stores.external})
      for (const FunctionDecl *callee : *callees) {
        CalleeStores effects = oracle(*callee);
        if (effects.writesMemory)
          return false;
        unseenBuffers |= effects.maySend;
      }
    return true;
  }

  // A buffer declared in the loop ends with the iteration, a buffer in an exception with its
  // handler.
  bool buffersOutlive() const {
    if (stores.endsExceptions && (unseenBuffers || stores.scatteredBuffers ||
                                  !llvm::all_of(stores.buffers, isNamedVariable)))
      return false;
    return std::none_of(stores.buffers.begin(), stores.buffers.end(), [this](const auto &buffer) {
      return buffer.variable && stores.declared.contains(buffer.variable);
    });
  }

  static bool isNamedVariable(const MemoryPlace &place) { return place.variable != nullptr; }

  bool isElsewhere(const MemoryPlace &place) const {
    bool own = place.variable && place.variable->getParentFunctionOrMethod() == &function;
    if (own && !exposed.contains(place.variable))
      return true;
    if (unseenBuffers)
      return false;
    return std::all_of(stores.buffers.begin(), stores.buffers.end(),
                       [&](const MemoryPlace &buffer) { return areDisjoint(place, buffer); });
  }

  bool areDisjoint(const MemoryPlace &place, const MemoryPlace &buffer) const {
    if (place.variable && buffer.variable)
      return place.variable->getCanonicalDecl() != buffer.variable->getCanonicalDecl();
    QualType sent = elementType(buffer.type), stored = elementType(place.type);
    return isNeverMessage(place.type) && isNumber(sent) &&
           context.getCanonicalType(sent).getUnqualifiedType() !=
               context.getCanonicalType(stored).getUnqualifiedType();
  }

  QualType elementType(QualType type) const {
    return type.isNull() ? type : context.getBaseElementType(type);
  }

  ASTContext &context;
  const CalleeStoresOracle &oracle;
  const FunctionDecl &function;
  Stores stores;
  VariableSet exposed;
  bool unseenBuffers = false;
};

} // namespace

bool createsWindows(ASTContext &context) {
  WindowFinder finder(context);
  finder.TraverseDecl(context.getTranslationUnitDecl());
  return finder.found;
}

bool hasStableBuffers(const Stmt &loop, const FunctionDecl &function, ASTContext &context,
                      const CalleeStoresOracle &oracle) {
  return Prover(loop, function, context, oracle).prove();
}

} // namespace sendwright
