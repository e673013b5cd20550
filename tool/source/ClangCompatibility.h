// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place for differences between the versions of Clang that the tool is built for. Names and
// types are those of the newest version.

#ifndef SENDWRIGHT_TOOL_SOURCE_CLANGCOMPATIBILITY_H
#define SENDWRIGHT_TOOL_SOURCE_CLANGCOMPATIBILITY_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/Version.inc"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#if CLANG_VERSION_MAJOR >= 19
#include "clang/AST/StmtOpenACC.h"
#endif

#if CLANG_VERSION_MAJOR != 16 && CLANG_VERSION_MAJOR != 19 && CLANG_VERSION_MAJOR != 22
#error "Sendwright is built and tested with Clang 16, 19 and 22 only"
#endif

#include <functional>
#include <memory>
#include <optional>
#include <string>

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

inline std::string textOf(const clang::GCCAsmStmt &assembly) {
#if CLANG_VERSION_MAJOR >= 22
  return assembly.getAsmString();
#else
  return assembly.getAsmString()->getString().str();
#endif
}

/// Diagnostic options with an owner, because engines of older versions share them.
#if CLANG_VERSION_MAJOR >= 22
using OwnedDiagnosticOptions = std::unique_ptr<clang::DiagnosticOptions>;
#else
using OwnedDiagnosticOptions = llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions>;
#endif

/// Options as an engine or a printer of diagnostics takes them.
#if CLANG_VERSION_MAJOR >= 22
inline clang::DiagnosticOptions &forDiagnostics(clang::DiagnosticOptions &options) {
  return options;
}
#else
inline clang::DiagnosticOptions *forDiagnostics(clang::DiagnosticOptions &options) {
  return &options;
}
#endif

/// Options as clang::HeaderSearch takes them.
#if CLANG_VERSION_MAJOR >= 22
inline const clang::HeaderSearchOptions &
forHeaderSearch(const std::shared_ptr<clang::HeaderSearchOptions> &options) {
  return *options;
}
#else
inline std::shared_ptr<clang::HeaderSearchOptions>
forHeaderSearch(const std::shared_ptr<clang::HeaderSearchOptions> &options) {
  return options;
}
#endif

/// A compiler for `invocation`, which reads `files` and reports to `client`; the caller owns both.
inline std::unique_ptr<clang::CompilerInstance>
makeCompiler(std::shared_ptr<clang::CompilerInvocation> invocation,
             std::shared_ptr<clang::PCHContainerOperations> containers, clang::FileManager &files,
             clang::DiagnosticConsumer &client) {
#if CLANG_VERSION_MAJOR >= 22
  auto compiler =
      std::make_unique<clang::CompilerInstance>(std::move(invocation), std::move(containers));
  compiler->setVirtualFileSystem(files.getVirtualFileSystemPtr());
#else
  auto compiler = std::make_unique<clang::CompilerInstance>(std::move(containers));
  compiler->setInvocation(std::move(invocation));
#endif
  compiler->setFileManager(&files);
  compiler->createDiagnostics(&client, /*ShouldOwnClient=*/false);
  return compiler;
}

/// The directives of a file; without a value, the whole text is preprocessed.
using DirectivesOfFile =
    std::function<std::optional<llvm::ArrayRef<clang::dependency_directives_scan::Directive>>(
        clang::FileEntryRef)>;

/// Makes the preprocessor of `compiler` read directives alone.
#if CLANG_VERSION_MAJOR >= 22
class DirectivesGetter : public clang::DependencyDirectivesGetter {
public:
  explicit DirectivesGetter(DirectivesOfFile directives) : directives(std::move(directives)) {}

  std::unique_ptr<clang::DependencyDirectivesGetter> cloneFor(clang::FileManager &) override {
    return std::make_unique<DirectivesGetter>(directives);
  }
  std::optional<llvm::ArrayRef<clang::dependency_directives_scan::Directive>>
  operator()(clang::FileEntryRef file) override {
    return directives(file);
  }

private:
  DirectivesOfFile directives;
};

inline void readDirectivesOnly(clang::CompilerInstance &compiler, DirectivesOfFile directives) {
  compiler.setDependencyDirectivesGetter(std::make_unique<DirectivesGetter>(std::move(directives)));
}
#else
inline void readDirectivesOnly(clang::CompilerInstance &compiler, DirectivesOfFile directives) {
  compiler.getPreprocessorOpts().DependencyDirectivesForFile = std::move(directives);
}
#endif

/// Macros are expanded also in a preprocessed source, where newer versions expand none.
inline void expandMacros(clang::Preprocessor &preprocessor) {
#if CLANG_VERSION_MAJOR >= 22
  preprocessor.SetEnableMacroExpansion();
#else
  static_cast<void>(preprocessor);
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
