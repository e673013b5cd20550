// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/redistribution/RedistributionArrays.h"

#include "tool/source/SyntaxWalk.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

namespace sendwright {

namespace {

using namespace clang;

constexpr char expectedBlock[] =
    "expected a pointer to this rank's block in memory from malloc(), a std::vector, or an array";

std::string quotedType(QualType type, const ASTContext &context) {
  return "'" + type.getAsString(context.getPrintingPolicy()) + "'";
}

/// Why elements of a type cannot be moved as bytes; "" where they can.
std::string elementProblem(QualType element, const ASTContext &context) {
  const std::string name = quotedType(element, context);
  if (element.isConstQualified() || element.isVolatileQualified())
    return "has elements of type " + name + ", expected elements that can be written";
  if (element->isDependentType())
    return "";
  if (element->isVoidType() || element->isFunctionType() || element->isIncompleteType())
    return "has elements of type " + name + ", whose size is not known, " + expectedBlock;
  if (element->isAnyPointerType() || element->isMemberPointerType() ||
      element->isBlockPointerType() || element->isReferenceType())
    return "has elements of type " + name +
           ", which mean nothing on another rank, expected the elements of the block one after "
           "another, in C order";
  if (element->isVariablyModifiedType())
    return "has elements of variable size " + name + ", expected a size that the type says";
  if (const auto *record = element->getAsRecordDecl(); record && record->hasFlexibleArrayMember())
    return "has elements of type " + name + " with a flexible array member, expected a fixed size";
  if (!element.isTriviallyCopyableType(context))
    return "has elements of type " + name +
           ", which is not trivially copyable, expected elements that can be moved as bytes";
  if (element->isAtomicType())
    return "has elements of type " + name + ", expected an arithmetic type or a structure";
  return "";
}

constexpr std::size_t mostNested = 7; // SENDWRIGHT_DIMENSIONS

/// Takes the lengths that nested arrays say, and judges their elements.
void judgeNested(QualType type, BlockVariable &block, const ASTContext &context) {
  while (const auto *array = context.getAsArrayType(type)) {
    TypeExtent extent{true, {}};
    if (const auto *constant = dyn_cast<ConstantArrayType>(array))
      extent.constant = constant->getSize().getZExtValue();
    block.extents.push_back(extent);
    if (isa<IncompleteArrayType>(array)) {
      block.problem = block.isWhole && block.extents.size() == 1
                          ? "is an array of unknown length, expected its length"
                          : "points to arrays of unknown length, expected the length of a row";
      return;
    }
    type = array->getElementType();
  }
  if (block.extents.size() > mostNested)
    block.problem =
        "has " + std::to_string(block.extents.size()) + " dimensions, expected at most seven";
  else
    block.problem = elementProblem(type, context);
}

void judgePointee(QualType pointee, BlockVariable &block, const ASTContext &context) {
  if (!context.getAsArrayType(pointee)) {
    block.problem = elementProblem(pointee, context);
    return;
  }
  block.extents.emplace_back();
  judgeNested(pointee, block, context);
}

/// A container of the standard library of this name, or null.
const ClassTemplateSpecializationDecl *standardContainer(QualType type, llvm::StringRef name) {
  const auto *record =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return record && record->isInStdNamespace() && record->getName() == name &&
                 record->getTemplateArgs().size() > 0
             ? record
             : nullptr;
}

/// Judges a std::array or a std::span, which is the whole array. Returns false for other types.
bool judgeView(QualType type, BlockVariable &block, const ASTContext &context) {
  const auto *array = standardContainer(type, "array");
  const auto *view = array ? array : standardContainer(type, "span");
  if (!view)
    return false;
  block.isWhole = true;
  if (array)
    block.extents.push_back({true, array->getTemplateArgs()[1].getAsIntegral().getZExtValue()});
  block.problem = elementProblem(view->getTemplateArgs()[0].getAsType(), context);
  return true;
}

/// Whether a specialisation is for this type, or for all of its template.
bool isFor(const ClassTemplateSpecializationDecl &specialization, QualType type,
           const ASTContext &context) {
  const TemplateArgument &argument = specialization.getTemplateArgs()[0];
  if (argument.getKind() != TemplateArgument::Type || !specialization.hasDefinition())
    return false;
  if (!isa<ClassTemplatePartialSpecializationDecl>(specialization))
    return context.hasSameUnqualifiedType(argument.getAsType(), type);
  const auto *pattern = argument.getAsType()->getAs<TemplateSpecializationType>();
  const auto *record =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  const TemplateDecl *of = pattern ? pattern->getTemplateName().getAsTemplateDecl() : nullptr;
  return of && record && declaresSameEntity(of, record->getSpecializedTemplate());
}

/// Whether the program specialises sendwright_view (sendwright/view.h) for a type. The compiler
/// judges what the specialisation says.
bool isProgramsView(QualType type, const ASTContext &context) {
  if (!type->getAsCXXRecordDecl())
    return false;
  for (NamedDecl *found :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get("sendwright_view"))) {
    auto *views = dyn_cast<ClassTemplateDecl>(found);
    if (!views || views->getTemplateParameters()->size() != 1)
      continue;
    for (const ClassTemplateSpecializationDecl *each : views->specializations())
      if (isFor(*each, type, context))
        return true;
    llvm::SmallVector<ClassTemplatePartialSpecializationDecl *, 4> partial;
    views->getPartialSpecializations(partial);
    for (const ClassTemplatePartialSpecializationDecl *each : partial)
      if (isFor(*each, type, context))
        return true;
  }
  return false;
}

/// The element type of a std::vector.
std::optional<QualType> vectorElement(QualType type) {
  const auto *vector = standardContainer(type, "vector");
  return vector ? std::optional(vector->getTemplateArgs()[0].getAsType()) : std::nullopt;
}

std::string ownerProblem(QualType type, const ASTContext &context) {
  const auto *record = type->getAsCXXRecordDecl();
  const std::string name = "is of type " + quotedType(type, context) + ", ";
  if (record && record->isInStdNamespace() &&
      (record->getName() == "unique_ptr" || record->getName() == "shared_ptr"))
    return name + "whose memory must not be passed to free(), " + expectedBlock;
  return name + expectedBlock;
}

void judgeType(QualType type, BlockVariable &block, const ASTContext &context) {
  const QualType referred = type.getNonReferenceType();
  if (context.getAsArrayType(referred)) {
    block.isWhole = true;
    judgeNested(referred, block, context);
    return;
  }
  if (referred->isDependentType())
    return;
  if (referred.isConstQualified()) {
    block.problem = "is of type " + quotedType(referred, context) +
                    " and cannot name a new block, expected a variable that can change";
    return;
  }
  if (const auto *pointer = referred->getAs<PointerType>())
    return judgePointee(pointer->getPointeeType(), block, context);
  if (judgeView(referred, block, context))
    return;
  if (isProgramsView(referred, context)) {
    block.isWhole = block.isProgramsView = true;
    return;
  }
  if (const std::optional<QualType> element = vectorElement(referred)) {
    if ((*element)->isBooleanType())
      block.problem = "is of type " + quotedType(referred, context) +
                      ", whose elements are bits, expected elements that have an address";
    else
      block.problem = elementProblem(*element, context);
    return;
  }
  block.problem = ownerProblem(referred, context);
}

/// Finds memory that is assigned to one variable.
class MemoryFinder final : public SyntaxWalk {
public:
  MemoryFinder(const VarDecl *variable, ASTContext &context)
      : variable(variable), context(context) {}

  bool VisitVarDecl(VarDecl *declared) override {
    if (declared->getCanonicalDecl() == variable && declared->hasInit())
      judge(declared->getInit());
    return found.empty();
  }
  bool VisitBinaryOperator(BinaryOperator *assignment) override {
    if (assignment->getOpcode() == BO_Assign && isVariable(assignment->getLHS()))
      judge(assignment->getRHS());
    return found.empty();
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->getDeclName().isIdentifier() &&
        callee->getName().ends_with("MPI_Alloc_mem"))
      for (const Expr *argument : call->arguments())
        if (const auto *address = dyn_cast<UnaryOperator>(argument->IgnoreParenCasts());
            address && address->getOpcode() == UO_AddrOf && isVariable(address->getSubExpr()))
          say("memory of MPI_Alloc_mem", call);
    return found.empty();
  }

  std::string found;

private:
  const VarDecl *variable;
  ASTContext &context;

  bool isVariable(const Expr *expression) const {
    const auto *reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
    return reference && reference->getDecl()->getCanonicalDecl() == variable;
  }

  void say(const char *what, const Expr *where) {
    const SourceManager &sources = context.getSourceManager();
    found = std::string(what) + " in line " +
            std::to_string(
                sources.getPresumedLineNumber(sources.getExpansionLoc(where->getBeginLoc())));
  }

  void judge(const Expr *value) {
    const Expr *inner = value->IgnoreParenCasts();
    if (isa<CXXNewExpr>(inner))
      return say("memory of new", value);
    if (inner->getType()->isArrayType() && !isa<StringLiteral>(inner) && !inner->isTypeDependent())
      return say("an array", value);
    if (const auto *address = dyn_cast<UnaryOperator>(inner);
        address && address->getOpcode() == UO_AddrOf)
      return say("an object that has a name", value);
    if (const auto *call = dyn_cast<CallExpr>(inner))
      if (const FunctionDecl *callee = call->getDirectCallee();
          callee && callee->getDeclName().isIdentifier() &&
          (callee->getName() == "alloca" || callee->getName() == "__builtin_alloca"))
        say("memory of alloca", value);
  }
};

} // namespace

BlockVariable blockVariable(const NamedDecl *declaration, ASTContext &context) {
  BlockVariable block;
  if (!declaration) {
    block.problem = "is not declared here, expected a variable that is declared earlier";
    return block;
  }
  const auto *variable = dyn_cast<VarDecl>(declaration);
  if (!variable) {
    block.problem = isa<FieldDecl>(declaration)
                        ? "is a member of a class, expected a variable that is not a member"
                        : "is not a variable, " + std::string(expectedBlock);
    return block;
  }
  block.variable = variable->getCanonicalDecl();
  const bool isReference = variable->getType()->isReferenceType();
  judgeType(variable->getType(), block, context);
  if (!block.problem.empty())
    return block;
  if (isa<ParmVarDecl>(variable) && !isReference && !block.isWhole &&
      !variable->getType()->isDependentType())
    block.problem = "is a parameter, a copy of the caller's variable, which would not name the new "
                    "block; expected the caller's own variable or, in C++, a reference to it";
  else if (variable->isStaticDataMember())
    block.problem = "is a member of a class, expected a variable that is not a member";
  else if (variable->getTLSKind() != VarDecl::TLS_None)
    block.problem = "is thread-local, expected a variable of the process";
  else if (variable->getStorageClass() == SC_Register)
    block.problem = "is a register variable, which has no address, expected one without 'register'";
  return block;
}

std::string foreignMemory(const VarDecl *variable, ASTContext &context) {
  if (!variable->getType()->isPointerType())
    return "";
  MemoryFinder finder(variable, context);
  finder.TraverseDecl(context.getTranslationUnitDecl());
  return finder.found;
}

} // namespace sendwright
