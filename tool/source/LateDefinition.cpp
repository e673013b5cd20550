// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/source/LateDefinition.h"

#include "tool/source/ClangCompatibility.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace sendwright {

namespace {

clang::FunctionDecl *declared(clang::ASTContext &context, llvm::StringRef name) {
  for (clang::NamedDecl *found :
       context.getTranslationUnitDecl()->lookup(&context.Idents.get(name)))
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(found))
      return function;
  return nullptr;
}

clang::Stmt *bodyThatReturns(clang::ASTContext &context, llvm::StringRef text) {
  const clang::SourceLocation nowhere;
  clang::Expr *pointer = clang::ImplicitCastExpr::Create(
      context, context.getPointerType(context.CharTy.withConst()), clang::CK_ArrayToPointerDecay,
      plainLiteral(context, text), nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
  return clang::CompoundStmt::Create(
      context, {clang::ReturnStmt::Create(context, nowhere, pointer, nullptr)},
      clang::FPOptionsOverride(), nowhere, nowhere);
}

} // namespace

void defineTextFunction(clang::CompilerInstance &compiler, llvm::StringRef name,
                        llvm::StringRef text) {
  clang::ASTContext &context = compiler.getASTContext();
  clang::FunctionDecl *declaration = declared(context, name);
  if (!declaration)
    return;
  clang::FunctionDecl *definition = clang::FunctionDecl::Create(
      context, declaration->getDeclContext(), declaration->getLocation(),
      declaration->getNameInfo(), declaration->getType(), declaration->getTypeSourceInfo(),
      clang::SC_Static, /*UsesFPIntrin=*/false, /*isInlineSpecified=*/false,
      /*hasWrittenPrototype=*/true, clang::ConstexprSpecKind::Unspecified,
      /*TrailingRequiresClause=*/{});
  definition->setPreviousDecl(declaration);
  definition->setBody(bodyThatReturns(context, text));
  definition->addAttr(clang::NoDebugAttr::CreateImplicit(context));
  declaration->getDeclContext()->addDecl(definition);
  compiler.getASTConsumer().HandleTopLevelDecl(clang::DeclGroupRef(definition));
}

} // namespace sendwright
