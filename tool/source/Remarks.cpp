// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unit's own diagnostics are switched off during the first parse, so remarks have their own
// engine. It uses the original text, which is what the user wants to see.

#include "tool/source/Remarks.h"

#include "analysis/file/Escaping.h"
#include "tool/source/ClangCompatibility.h"

namespace sendwright {

Remarks::Remarks(clang::CompilerInstance &unit, clang::DiagnosticConsumer &client,
                 RemarkLevel level)
    : engine(unit.getDiagnostics().getDiagnosticIDs(), forDiagnostics(unit.getDiagnosticOpts()),
             &client,
             /*ShouldOwnClient=*/false),
      level(level) {
  engine.setSourceManager(&unit.getSourceManager());
}

void Remarks::applied(clang::SourceLocation location, const std::string &what) {
  if (level != RemarkLevel::None)
    print(location, what);
}

void Remarks::asUsual(clang::SourceLocation location, const std::string &what) {
  if (level == RemarkLevel::All)
    print(location, what);
}

void Remarks::notApplied(clang::SourceLocation location, const std::string &what,
                         const std::string &reason) {
  if (level != RemarkLevel::None)
    print(location, what + " left as written: " + reason);
}

void Remarks::callNotApplied(clang::SourceLocation location, const std::string &reason) {
  if (level != RemarkLevel::None)
    print(location, "call left as written: " + reason +
                        "; any synchronisation happens when the call reaches MPI");
}

void Remarks::callLeft(clang::SourceLocation location, const std::string &function,
                       const std::string &reason) {
  if (level == RemarkLevel::All)
    print(location, function + " left to MPI: " + reason);
}

void Remarks::notReplaced(clang::SourceLocation location, const std::string &what, bool isPlanned) {
  if (level == RemarkLevel::All || (isPlanned && level != RemarkLevel::None))
    print(location, "loop not replaced by 'collectives': it looks like " + what);
}

void Remarks::left(clang::SourceLocation location, const std::string &what,
                   const std::string &reason) {
  if (level == RemarkLevel::All)
    print(location, what + " left as written: " + reason);
}

void Remarks::print(clang::SourceLocation location, const std::string &text) {
  const unsigned id = engine.getCustomDiagID(clang::DiagnosticsEngine::Remark, "%0");
  engine.Report(location, id) << printable(text);
}

} // namespace sendwright
