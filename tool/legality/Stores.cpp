// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/Stores.h"

#include "tool/legality/BodySummary.h"
#include "tool/legality/EvaluatedCode.h"
#include "tool/legality/LibraryCallbacks.h"
#include "tool/legality/LibraryFunctions.h"

using namespace clang;

namespace sendwright {

bool isPredefinedDatatype(const Expr &datatype) {
  const Expr &value = *datatype.IgnoreParenCasts();
  if (const auto *choice = dyn_cast<ConditionalOperator>(&value))
    return isPredefinedDatatype(*choice->getTrueExpr()) &&
           isPredefinedDatatype(*choice->getFalseExpr());
  if (const auto *address = dyn_cast<UnaryOperator>(&value))
    return address->getOpcode() == UO_AddrOf;
  if (const auto *reference = dyn_cast<DeclRefExpr>(&value)) {
    const auto *constant = dyn_cast<VarDecl>(reference->getDecl());
    return constant && constant->getType().isConstQualified() && constant->getInit() &&
           isPredefinedDatatype(*constant->getInit());
  }
  return isa<IntegerLiteral>(value);
}

namespace {

// Casts of an lvalue that still designate the same object, or a part of it.
bool staysInObject(CastKind kind) {
  return kind == CK_NoOp || kind == CK_ArrayToPointerDecay || kind == CK_DerivedToBase ||
         kind == CK_UncheckedDerivedToBase || kind == CK_LValueBitCast;
}

// The lvalue whose address a pointer value is, or null.
const Expr *addressedLvalue(const Expr &pointer) {
  const Expr *value = &pointer;
  while (true) {
    value = value->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(value)) {
      if (cast->getCastKind() == CK_ArrayToPointerDecay)
        return cast->getSubExpr();
      if (cast->getCastKind() == CK_LValueToRValue)
        return nullptr;
      value = cast->getSubExpr();
    } else if (const auto *operation = dyn_cast<UnaryOperator>(value)) {
      return operation->getOpcode() == UO_AddrOf ? operation->getSubExpr() : nullptr;
    } else if (const auto *sum = dyn_cast<BinaryOperator>(value)) {
      if (!sum->isAdditiveOp())
        return nullptr;
      value = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
    } else {
      return nullptr;
    }
  }
}

// Whether MPI may store through a parameter. It does not store through handles, which are pointers
// in some MPIs.
bool isOutput(QualType parameter) {
  QualType pointee = parameter->getPointeeType();
  if (pointee.isNull() || pointee.isConstQualified() || pointee->isFunctionType())
    return false;
  const auto *alias = parameter->getAs<TypedefType>();
  return !alias || !alias->getDecl()->getName().starts_with("MPI_");
}

bool isBlockingCapture(const MpiFunction &function) {
  return isSend(function.role) && function.effect == BatchEffect::Capture && function.request < 0;
}

// MPI functions that store only through their arguments, and only until they complete.
bool storesThroughArguments(const MpiFunction &function) {
  switch (function.role) {
  case MpiRole::Receive:
  case MpiRole::NonblockingReceive:
  case MpiRole::Probe:
  case MpiRole::MatchedReceive:
  case MpiRole::Completion:
  case MpiRole::RequestFree:
  case MpiRole::Cancel:
  case MpiRole::RequestQuery:
  case MpiRole::Query:
    return true;
  default:
    return isSend(function.role) || function.id == MpiFunctionId::Abort;
  }
}

// The iterators that a library operator advances, compares or dereferences; it keeps no copies.
std::vector<const Expr *> operatedIterators(const KnownFunction &callee, const Expr *site) {
  std::vector<const Expr *> found;
  const auto *call = dyn_cast_or_null<CXXOperatorCallExpr>(site);
  if (!call || callee.kind != KnownFunction::Library)
    return found;
  for (const Expr *argument : call->arguments()) {
    const auto *record = argument->getType()->getAsCXXRecordDecl();
    if (record && record->getIdentifier() && isContainerIterator(*record))
      found.push_back(argument);
  }
  return found;
}

/// Strings and library exceptions: they store only to themselves.
bool isMadeByStandard(const FunctionDecl &function) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  const auto *record = method ? method->getParent() : nullptr;
  if (!record) {
    const std::string name = qualifiedName(function);
    return name == "std::to_string" || name == "std::operator+";
  }
  if (!record->isInStdNamespace() || !record->getIdentifier())
    return false;
  if (record->getName() == "basic_string")
    return true;
  while (record->hasDefinition() && record->getNumBases() > 0) {
    record = record->bases_begin()->getType()->getAsCXXRecordDecl();
    if (!record)
      return false;
  }
  return record->isInStdNamespace() && record->getIdentifier() && record->getName() == "exception";
}

class StoreFinder final : public EvaluatedCode {
public:
  StoreFinder(Stores &stores, ASTContext &context) : stores(stores), context(context) {}

  void onCall(const FunctionDecl &callee, const Expr *site, SourceLocation) override {
    KnownFunction known = classifyFunction(callee, context);
    for (const Expr *iterator : operatedIterators(known, site))
      operated.insert(iterator->IgnoreParenImpCasts());
    switch (known.kind) {
    case KnownFunction::Mpi:
    case KnownFunction::Bypass:
      onMpiCall(callee, known, site);
      return;
    case KnownFunction::Library:
      onLibraryCall(callee, known, site);
      return;
    case KnownFunction::User:
      if (callee.isTrivial())
        onTrivialCall(callee, site);
      else if (const FunctionDecl *definition = visibleDefinition(callee))
        stores.visible.push_back(definition);
      else
        stores.external.push_back(&callee);
      return;
    }
  }
  void onUnknownCall(const std::string &, SourceLocation) override { stores.anywhere = true; }
  void onLambda(const LambdaExpr &lambda) override {
    if (lambda.isGenericLambda())
      stores.anywhere = true;
    else
      stores.visible.push_back(lambda.getCallOperator());
  }

  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->isAssignmentOp())
      onStore(*operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    if (operation->isIncrementDecrementOp())
      onStore(*operation->getSubExpr());
    return true;
  }
  bool VisitDeclaratorDecl(DeclaratorDecl *declaration) override {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (variable && variable->hasLocalStorage())
      stores.declared.insert(variable);
    return true;
  }
  bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr *temporary) override {
    if (throws == 0 && !operated.contains(temporary->getSubExpr()->IgnoreParenImpCasts()))
      stores.temporaries.push_back(temporary->getType());
    return true;
  }
  bool VisitCompoundLiteralExpr(CompoundLiteralExpr *literal) override {
    stores.temporaries.push_back(literal->getType());
    return true;
  }
  // In C, the object that a function returns has no name and no node; an array in it gets an
  // address.
  bool VisitCastExpr(CastExpr *cast) override {
    if (cast->getCastKind() == CK_ArrayToPointerDecay && !cast->getSubExpr()->isLValue())
      stores.temporaries.push_back(cast->getSubExpr()->getType());
    return true;
  }
  bool enters(Stmt &statement) override {
    if (!EvaluatedCode::enters(statement))
      return false;
    throws += isa<CXXThrowExpr>(statement) ? 1 : 0;
    return true;
  }
  void leaves(Stmt &statement) override { throws -= isa<CXXThrowExpr>(statement) ? 1 : 0; }
  bool VisitCXXCatchStmt(CXXCatchStmt *) override { return stores.endsExceptions = true; }
  bool VisitAtomicExpr(AtomicExpr *) override { return stores.anywhere = true; }
  bool VisitAsmStmt(AsmStmt *) override { return stores.anywhere = true; }

private:
  void onStore(const Expr &lvalue) {
    stores.places.push_back(placeOf(lvalue));
    // The store may tell another thread to go on and overwrite what it waited for.
    QualType type = lvalue.getType();
    stores.anywhere |= type.isVolatileQualified() || type->isAtomicType();
  }

  void onMpiCall(const FunctionDecl &callee, const KnownFunction &known, const Expr *site) {
    const auto *call = dyn_cast_or_null<CallExpr>(site);
    if (!call || !callee.hasPrototype() || !known.mpi || !storesThroughArguments(*known.mpi)) {
      stores.anywhere = true;
      return;
    }
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const Expr &argument = *call->getArg(i);
      bool buffer = isSend(known.mpi->role) && static_cast<int>(i) == known.mpi->buffer;
      if (buffer && isBlockingCapture(*known.mpi))
        onBuffer(argument, *call, known.mpi->datatype);
      if (buffer || i >= callee.getNumParams())
        continue;
      bool null = argument.IgnoreParenCasts()->getType()->isIntegerType(); // MPI_STATUS_IGNORE
      if (isOutput(callee.getParamDecl(i)->getType()) && !null)
        stores.places.push_back(pointeeOf(argument));
    }
  }

  void onBuffer(const Expr &buffer, const CallExpr &call, int datatype) {
    stores.buffers.push_back(pointeeOf(buffer));
    stores.scatteredBuffers |= datatype < 0 || datatype >= static_cast<int>(call.getNumArgs()) ||
                               !isPredefinedDatatype(*call.getArg(datatype));
  }

  // The text of an error message is built in temporaries with memory of their own. So whatever the
  // library is given to change, or returns a reference to, must also be a temporary.
  bool buildsThrownObject(const FunctionDecl &callee, const Expr *site) const {
    const auto changesNamed = [](QualType parameter, const Expr &argument) {
      const bool changes =
          parameter->isReferenceType()
              ? !parameter.getNonReferenceType().isConstQualified()
              : parameter->isPointerType() && !parameter->getPointeeType().isConstQualified();
      return changes && !isa<MaterializeTemporaryExpr>(argument.IgnoreParenImpCasts());
    };
    if (throws == 0 || callee.isVariadic() || !isMadeByStandard(callee))
      return false;
    if (isa<CXXDestructorDecl>(callee))
      return true;
    llvm::ArrayRef<const Expr *> arguments;
    if (const auto *construction = dyn_cast_or_null<CXXConstructExpr>(site))
      arguments = llvm::ArrayRef(construction->getArgs(), construction->getNumArgs());
    else if (const auto *call = dyn_cast_or_null<CallExpr>(site);
             call && !isa<CXXMethodDecl>(callee))
      arguments = llvm::ArrayRef(call->getArgs(), call->getNumArgs());
    else
      return false;
    for (unsigned i = 0; i < std::min<std::size_t>(arguments.size(), callee.getNumParams()); ++i)
      if (changesNamed(callee.getParamDecl(i)->getType(), *arguments[i]))
        return false;
    return true;
  }

  void onLibraryCall(const FunctionDecl &callee, const KnownFunction &known, const Expr *site) {
    LibraryCallbacks callbacks = libraryCallbacks(callee, site, context);
    stores.anywhere |= callbacks.unknown.has_value();
    stores.visible.insert(stores.visible.end(), callbacks.functions.begin(),
                          callbacks.functions.end());
    for (const FunctionDecl *callback : callbacks.functions)
      stores.anywhere |= !visibleDefinition(*callback) || isStandardLibrary(*callback, context);
    if (known.effect == LibraryEffect::Pure ||
        (known.effect == LibraryEffect::Prints && printsToStandardStream(callee, site)))
      return;
    if (buildsThrownObject(callee, site))
      return;
    if (callee.isTrivial())
      onTrivialCall(callee, site);
    else if (!onHandleContainer(callee, site) && !onIteratorStep(callee, site))
      stores.anywhere = true;
  }

  // Copies of plain objects: an assignment, or the initial value of a new object.
  void onTrivialCall(const FunctionDecl &callee, const Expr *site) {
    const auto *call = dyn_cast_or_null<CallExpr>(site);
    const auto *method = dyn_cast<CXXMethodDecl>(&callee);
    if (!method || !call)
      return;
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(call))
      stores.places.push_back(placeOf(*member->getImplicitObjectArgument()));
    else if (isa<CXXOperatorCallExpr>(call) && call->getNumArgs() > 0)
      stores.places.push_back(placeOf(*call->getArg(0)));
  }

  // ++it changes the iterator itself.
  bool onIteratorStep(const FunctionDecl &callee, const Expr *site) {
    const auto *call = dyn_cast_or_null<CXXOperatorCallExpr>(site);
    if (!call || call->getNumArgs() == 0)
      return false;
    OverloadedOperatorKind kind = callee.getOverloadedOperator();
    bool steps = kind == OO_PlusPlus || kind == OO_MinusMinus || kind == OO_PlusEqual ||
                 kind == OO_MinusEqual;
    const auto *record = call->getArg(0)->getType()->getAsCXXRecordDecl();
    if (!steps || !record || !record->getName().contains("iterator"))
      return false;
    stores.places.push_back(placeOf(*call->getArg(0)));
    return true;
  }

  // requests.push_back(r) stores handles among handles.
  bool onHandleContainer(const FunctionDecl &callee, const Expr *site) {
    const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(site);
    const auto *method = dyn_cast<CXXMethodDecl>(&callee);
    if (!call || !method || !method->getParent()->getIdentifier() ||
        method->getParent()->getName() != "vector")
      return false;
    QualType object = call->getImplicitObjectArgument()->getType();
    const auto *written = object->getAs<TemplateSpecializationType>();
    if (!written || written->template_arguments().empty() ||
        written->template_arguments()[0].getKind() != TemplateArgument::Type)
      return false;
    QualType element = written->template_arguments()[0].getAsType();
    if (!isNeverMessage(element))
      return false;
    stores.places.push_back({nullptr, element});
    return true;
  }

  Stores &stores;
  ASTContext &context;
  unsigned throws = 0;                         // around the code that is being walked
  llvm::SmallPtrSet<const Expr *, 8> operated; // a call is visited before its arguments
};

// Every use of a variable exposes it, except uses known to read or write it in place.
class ExposureFinder final : public EvaluatedCode {
public:
  explicit ExposureFinder(ASTContext &context) : context(context) {}

  VariableSet exposed() const {
    VariableSet result = bound;
    for (const DeclRefExpr *use : uses)
      if (!inPlace.contains(use))
        result.insert(cast<VarDecl>(use->getDecl()));
    return result;
  }

  void onCall(const FunctionDecl &callee, const Expr *site, SourceLocation) override {
    KnownFunction known = classifyFunction(callee, context);
    const auto *call = dyn_cast_or_null<CallExpr>(site);
    if (known.kind == KnownFunction::Mpi && call && known.mpi &&
        known.mpi->id != MpiFunctionId::Get_address) {
      for (unsigned i = 0; i < call->getNumArgs(); ++i)
        if (!isBlockingCapture(*known.mpi) || static_cast<int>(i) != known.mpi->buffer)
          if (const Expr *lvalue = addressedLvalue(*call->getArg(i)))
            markInPlace(*lvalue);
      return;
    }
    if (known.kind == KnownFunction::Library && known.effect == LibraryEffect::Prints && call &&
        printsToStandardStream(callee, site)) {
      for (const Expr *argument : call->arguments())
        if (const Expr *lvalue = addressedLvalue(*argument))
          markInPlace(*lvalue);
      return;
    }
    for (const Expr *iterator : operatedIterators(known, site))
      markInPlace(*iterator);
    if (!callee.isTrivial())
      return;
    if (call)
      for (const Expr *argument : call->arguments())
        markInPlace(*argument);
    else if (const auto *construction = dyn_cast_or_null<CXXConstructExpr>(site))
      for (const Expr *argument : construction->arguments())
        markInPlace(*argument);
  }
  void onUnknownCall(const std::string &, SourceLocation) override {}
  void onLambda(const LambdaExpr &) override {}

  bool VisitDeclRefExpr(DeclRefExpr *use) override {
    if (isa<VarDecl>(use->getDecl()))
      uses.push_back(use);
    // auto [rank, data] = neighbour: a part with a name of its own.
    if (const auto *part = dyn_cast<BindingDecl>(use->getDecl()))
      if (const auto *whole = dyn_cast_or_null<VarDecl>(part->getDecomposedDecl()))
        bound.insert(whole);
    return true;
  }
  bool VisitCastExpr(CastExpr *cast) override {
    if (cast->getCastKind() == CK_LValueToRValue || cast->getCastKind() == CK_ToVoid)
      markInPlace(*cast->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *operation) override {
    if (operation->isAssignmentOp())
      markInPlace(*operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) override {
    if (operation->isIncrementDecrementOp())
      markInPlace(*operation->getSubExpr());
    return true;
  }

private:
  void markInPlace(const Expr &lvalue) {
    if (const DeclRefExpr *root = rootReference(&lvalue))
      inPlace.insert(root);
  }

  ASTContext &context;
  VariableSet bound;
  std::vector<const DeclRefExpr *> uses;
  llvm::SmallPtrSet<const DeclRefExpr *, 16> inPlace;
};

} // namespace

const DeclRefExpr *rootReference(const Expr *lvalue) {
  while (true) {
    lvalue = lvalue->IgnoreParens();
    if (const auto *reference = dyn_cast<DeclRefExpr>(lvalue))
      return reference;
    if (const auto *cast = dyn_cast<CastExpr>(lvalue)) {
      if (!staysInObject(cast->getCastKind()))
        return nullptr;
      lvalue = cast->getSubExpr();
      continue;
    }
    const auto *member = dyn_cast<MemberExpr>(lvalue);
    if (member && !member->isArrow()) {
      lvalue = member->getBase();
      continue;
    }
    const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue);
    if (element && element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()) {
      lvalue = element->getBase();
      continue;
    }
    return nullptr;
  }
}

MemoryPlace placeOf(const Expr &lvalue) {
  if (const DeclRefExpr *root = rootReference(&lvalue))
    if (const auto *variable = dyn_cast<VarDecl>(root->getDecl()))
      if (!variable->getType()->isReferenceType() && !root->refersToEnclosingVariableOrCapture())
        return {variable, variable->getType()};
  return {nullptr, lvalue.getType()};
}

MemoryPlace pointeeOf(const Expr &pointer) {
  if (const Expr *lvalue = addressedLvalue(pointer))
    return placeOf(*lvalue);
  // A cast to void * on the way to MPI hides what is pointed to.
  const Expr *value = pointer.IgnoreParenCasts();
  QualType type = value->getType();
  return {nullptr, type->isPointerType() ? type->getPointeeType() : QualType()};
}

Stores findStores(const Stmt &statement, ASTContext &context) {
  Stores stores;
  StoreFinder(stores, context).walkStatement(&statement);
  return stores;
}

VariableSet exposedVariables(const Stmt &body, ASTContext &context) {
  ExposureFinder finder(context);
  finder.walkStatement(&body);
  return finder.exposed();
}

bool isNeverMessage(QualType type) {
  if (type.isNull() || type->isDependentType())
    return false;
  for (const auto *alias = type->getAs<TypedefType>(); alias;
       alias = alias->desugar()->getAs<TypedefType>()) {
    llvm::StringRef name = alias->getDecl()->getName();
    if (name == "MPI_Request" || name == "MPI_Status")
      return true;
  }
  if (const auto *array = type->getAsArrayTypeUnsafe())
    return isNeverMessage(array->getElementType());
  if (type->isAnyPointerType() || type->isReferenceType())
    return true;
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record || record->isUnion() || !record->getDefinition())
    return false;
  for (const FieldDecl *field : record->getDefinition()->fields())
    if (!isNeverMessage(field->getType()))
      return false;
  if (const auto *derived = dyn_cast<CXXRecordDecl>(record->getDefinition()))
    for (const CXXBaseSpecifier &base : derived->bases())
      if (!isNeverMessage(base.getType()))
        return false;
  return true;
}

} // namespace sendwright
