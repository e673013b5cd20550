// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/unit/QuietInvocation.h"

#include "clang/Lex/PreprocessorOptions.h"

namespace sendwright {

void keepOnlyReading(clang::CompilerInvocation &invocation) {
  clang::FrontendOptions &frontend = invocation.getFrontendOpts();
  frontend.ProgramAction = clang::frontend::ParseSyntaxOnly;
  frontend.OutputFile.clear();
  frontend.StatsFile.clear();
  frontend.TimeTracePath.clear();
  frontend.Plugins.clear();
  frontend.AddPluginActions.clear();
  frontend.PluginArgs.clear();
  frontend.DisableFree = false;
  frontend.ShowStats = false;
  invocation.getDependencyOutputOpts() = clang::DependencyOutputOptions();
  invocation.getPreprocessorOpts().RetainRemappedFileBuffers = true;
  clang::DiagnosticOptions &diagnostics = invocation.getDiagnosticOpts();
  diagnostics.DiagnosticSerializationFile.clear();
  diagnostics.DiagnosticLogFile.clear();
  diagnostics.VerifyDiagnostics = false;
}

} // namespace sendwright
