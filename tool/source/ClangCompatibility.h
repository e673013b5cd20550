// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place for differences between the versions of Clang that the tool is built for. Names and
// types are those of the newest version.

#ifndef SENDWRIGHT_TOOL_SOURCE_CLANGCOMPATIBILITY_H
#define SENDWRIGHT_TOOL_SOURCE_CLANGCOMPATIBILITY_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/Version.inc"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PPCallbacks.h"
#if CLANG_VERSION_MAJOR >= 19
#include "clang/AST/StmtOpenACC.h"
#endif

#if CLANG_VERSION_MAJOR != 16 && CLANG_VERSION_MAJOR != 19
#error "Sendwright is built and tested with Clang 16 and 19 only"
#endif

namespace sendwright {

#if CLANG_VERSION_MAJOR >= 19
using OpenAccConstruct = clang::OpenACCConstructStmt;
#else
using OpenAccConstruct = clang::Stmt; // no such construct: the pragmas are ignored
#endif

/// Whether the unit is compiled for a device, which has no MPI.
inline bool isForDevice(const clang::LangOptions &language) {
#if CLANG_VERSION_MAJOR >= 19
  const bool openMp = language.OpenMPIsTargetDevice;
#else
  const bool openMp = language.OpenMPIsDevice;
#endif
  return openMp || language.CUDAIsDevice || language.SYCLIsDevice;
}

inline bool isPureVirtual(const clang::CXXMethodDecl &method) {
#if CLANG_VERSION_MAJOR >= 19
  return method.isPureVirtual();
#else
  return method.isPure();
#endif
}

inline const clang::LangOptions &languageOf(const clang::CompilerInvocation &invocation) {
#if CLANG_VERSION_MAJOR >= 19
  return invocation.getLangOpts();
#else
  return *invocation.getLangOpts();
#endif
}

/// A string literal as code generation needs it, without a place in the text.
inline clang::StringLiteral *plainLiteral(clang::ASTContext &context, llvm::StringRef text) {
#if CLANG_VERSION_MAJOR >= 19
  constexpr auto kind = clang::StringLiteralKind::Ordinary;
#else
  constexpr auto kind = clang::StringLiteral::Ordinary;
#endif
  return clang::StringLiteral::Create(
      context, text, kind, /*Pascal=*/false,
      context.getStringLiteralArrayType(context.CharTy, static_cast<unsigned>(text.size())),
      clang::SourceLocation());
}

/// Whether the parsed unit belongs to a C++20 named module.
inline bool isUnitOfNamedModule(const clang::ASTContext &context) {
#if CLANG_VERSION_MAJOR >= 19
  return context.getCurrentNamedModule() != nullptr;
#else
  for (const clang::Decl *declaration : context.getTranslationUnitDecl()->noload_decls())
    if (const clang::Module *module = declaration->getOwningModule();
        module && module->isModulePurview())
      return true;
  return false;
#endif
}

/// Receives the names of included files as the directives spell them.
class InclusionListener : public clang::PPCallbacks {
public:
  virtual void included(llvm::StringRef name) = 0;

  void InclusionDirective(clang::SourceLocation, const clang::Token &, llvm::StringRef name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef,
                          llvm::StringRef, const clang::Module *,
#if CLANG_VERSION_MAJOR >= 19
                          bool,
#endif
                          clang::SrcMgr::CharacteristicKind) final {
    included(name);
  }
};

} // namespace sendwright

#endif
