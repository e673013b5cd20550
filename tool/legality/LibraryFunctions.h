// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about a function without its body. MPI functions are known by name; functions of
// the C and C++ libraries and POSIX by the header that declares them and a list of exceptions
// (LibraryFunctions.def).
//
// Being a system header says little: CMake passes the headers of every imported library, including
// MPI's, by -isystem. So libraries are recognised by the names of their headers.

#ifndef SENDWRIGHT_TOOL_LEGALITY_LIBRARYFUNCTIONS_H
#define SENDWRIGHT_TOOL_LEGALITY_LIBRARYFUNCTIONS_H

#include "analysis/mpi/MpiFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace sendwright {

/// What a library function may do to sends that are deferred. See LibraryFunctions.def.
enum class LibraryEffect : std::uint8_t {
  Pure,
  Prints,
  Returns,
  Advances,
  ReadsShared,
  AsksSystem,
  Waits,
  Exits,
  Jumps,
  Unknown, ///< of a library that cannot reach MPI, but may not return at once
};

struct KnownFunction {
  enum Kind : std::uint8_t {
    User,    ///< judged by its body, or by the facts recorded for its unit
    Mpi,     ///< the runtime intercepts it
    Bypass,  ///< MPI, but not seen by the runtime
    Library, ///< the C or C++ library, POSIX, or a compiler builtin
  };
  Kind kind = User;
  const MpiFunction *mpi = nullptr;              ///< its line in MpiFunctions.def, if any
  LibraryEffect effect = LibraryEffect::Unknown; ///< for kind Library
};

/// Classifies `function`. Constant time, apart from looking up the name of its file; thread-safe
/// for different contexts.
KnownFunction classifyFunction(const clang::FunctionDecl &function,
                               const clang::ASTContext &context);

/// Remembers that a directive in `function` will become a call, which this parse does not see.
void markAsRedistributing(clang::FunctionDecl &function, clang::ASTContext &context);
bool isMarkedAsRedistributing(const clang::FunctionDecl &function);

/// Treats the functions whose qualified names `isHarmless` accepts as functions that return at once
/// and do not reach MPI, whatever their bodies hold. Linear in the unit.
void markAsHarmless(clang::ASTContext &context,
                    llvm::function_ref<bool(llvm::StringRef)> isHarmless);

/// True where the declaration stands in a header of the C or C++ library or of POSIX, or is built
/// in. Bodies there are never read, so a parser may skip them.
bool isStandardLibrary(const clang::Decl &declaration, const clang::ASTContext &context);

/// True where the declaration stands in a header of MPI: its inline functions are MPI's own.
bool isDeclaredByMpi(const clang::Decl &declaration, const clang::ASTContext &context);

/// True where some parameter lets the function store to an object of its caller: a pointer or
/// reference to something not constant, an iterator, or variable arguments.
bool storesThroughParameters(const clang::FunctionDecl &function);

/// True for a call of a function of effect Prints that visibly writes to stdout or stderr, and
/// stores nothing by %n: its output is no send buffer.
bool printsToStandardStream(const clang::FunctionDecl &callee, const clang::Expr *site);

/// True for library members that only return or count what a container, smart pointer, iterator or
/// string holds: they call nothing of the element's type.
bool isAccessor(const clang::FunctionDecl &function);

/// True for iterators of containers: they step over elements without touching them.
bool isContainerIterator(const clang::CXXRecordDecl &record);

/// "std::thread::join": the name without inline namespaces and template arguments.
std::string qualifiedName(const clang::NamedDecl &declaration);

} // namespace sendwright

#endif
