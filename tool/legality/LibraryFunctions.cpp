// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/legality/LibraryFunctions.h"

#include "tool/source/MpiHeaders.h"
#include "tool/source/SyntaxWalk.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace clang;
using llvm::StringRef;

namespace sendwright {

namespace {

const llvm::StringMap<LibraryEffect> &listedEffects() {
  static const llvm::StringMap<LibraryEffect> effects = {
#define LIBRARY_FUNCTION(name, effect) {name, LibraryEffect::effect},
#include "tool/legality/LibraryFunctions.def"
  };
  return effects;
}

// Headers of ISO C: their functions return, apart from the listed exceptions.
const llvm::StringSet<> &isoHeaders() {
  static const llvm::StringSet<> headers = {
      "alloca.h", "assert.h",    "complex.h",  "ctype.h",      "errno.h",  "fenv.h",   "float.h",
      "getopt.h", "inttypes.h",  "iso646.h",   "limits.h",     "locale.h", "malloc.h", "math.h",
      "memory.h", "stdarg.h",    "stdbool.h",  "stddef.h",     "stdint.h", "stdio.h",  "stdlib.h",
      "string.h", "strings.h",   "tgmath.h",   "time.h",       "uchar.h",  "values.h", "wchar.h",
      "wctype.h", "stdatomic.h", "stdalign.h", "stdnoreturn.h"};
  return headers;
}

// Headers of POSIX and Linux: their functions cannot reach MPI, but only listed ones are known to
// return.
const llvm::StringSet<> &posixHeaders() {
  static const llvm::StringSet<> headers = {
      "aio.h",      "byteswap.h", "dirent.h",    "dlfcn.h",   "endian.h", "err.h",      "error.h",
      "execinfo.h", "fcntl.h",    "fnmatch.h",   "ftw.h",     "glob.h",   "grp.h",      "iconv.h",
      "ifaddrs.h",  "langinfo.h", "libgen.h",    "libintl.h", "link.h",   "monetary.h", "mqueue.h",
      "netdb.h",    "nl_types.h", "poll.h",      "pthread.h", "pty.h",    "pwd.h",      "regex.h",
      "sched.h",    "search.h",   "semaphore.h", "setjmp.h",  "signal.h", "spawn.h",    "syslog.h",
      "termios.h",  "threads.h",  "ucontext.h",  "ulimit.h",  "unistd.h", "utime.h",    "utmpx.h",
      "wordexp.h"};
  return headers;
}

enum class Header { Other, IsoC, Mathematics, Posix, Cxx, Compiler };

// A folder that holds <stdio.h>: another library may have an error.h of its own in a deeper folder.
bool isIncludeRoot(StringRef folder) {
  StringRef name = llvm::sys::path::filename(folder);
  return name == "include" || name.contains("-linux-") || name.ends_with("-linux");
}

Header headerOf(StringRef file) {
  using llvm::sys::path::filename;
  using llvm::sys::path::parent_path;
  std::size_t cxx = file.find("/c++/");
  if (cxx != StringRef::npos && isIncludeRoot(file.take_front(cxx)))
    return Header::Cxx;
  if (filename(parent_path(file)) == "include" &&
      (file.contains("/lib/clang/") || file.contains("/lib/gcc/")))
    return Header::Compiler;
  StringRef base = filename(file), folder;
  if (!isIncludeRoot(parent_path(file))) {
    if (!isIncludeRoot(parent_path(parent_path(file))))
      return Header::Other;
    folder = filename(parent_path(file));
  }
  if ((folder.empty() &&
       (base == "math.h" || base == "complex.h" || base == "ctype.h" || base == "wctype.h")) ||
      (folder == "bits" && (base.starts_with("mathcalls") || base.starts_with("cmathcalls"))))
    return Header::Mathematics;
  if (folder == "bits" &&
      (base.starts_with("std") || base.starts_with("string") || base.starts_with("wchar") ||
       base.starts_with("byteswap") || base.starts_with("uintn")))
    return Header::IsoC;
  if (folder == "bits" || folder == "sys" || folder == "asm" || folder == "asm-generic" ||
      folder == "linux" || folder == "netinet" || folder == "arpa" || folder == "gnu" ||
      (folder.empty() && posixHeaders().contains(base)))
    return Header::Posix;
  return folder.empty() && isoHeaders().contains(base) ? Header::IsoC : Header::Other;
}

Header headerOf(const Decl &declaration, const SourceManager &sources) {
  SourceLocation location = sources.getExpansionLoc(declaration.getLocation());
  if (location.isInvalid() || !sources.isInSystemHeader(location))
    return Header::Other;
  return headerOf(sources.getFilename(location));
}

// A function belongs to a library when any of its declarations does: programs repeat some by hand.
Header headerOfAny(const FunctionDecl &function, const SourceManager &sources) {
  for (const FunctionDecl *declaration : function.redecls())
    if (Header header = headerOf(*declaration, sources); header != Header::Other)
      return header;
  return Header::Other;
}

bool declaredByMpi(const FunctionDecl &function, const SourceManager &sources) {
  for (const FunctionDecl *declaration : function.redecls())
    if (isMpiHeader(sources.getFilename(sources.getExpansionLoc(declaration->getLocation()))))
      return true;
  return false;
}

// A program that defines MPI functions itself stands between its calls and the runtime.
bool definedByProgram(const FunctionDecl &function, const SourceManager &sources) {
  const FunctionDecl *definition = nullptr;
  return function.hasBody(definition) &&
         !isMpiHeader(sources.getFilename(sources.getExpansionLoc(definition->getLocation())));
}

// Fortran entry points, such as "mpi_send_", called from C.
bool isFortranEntry(StringRef name) {
  if (!name.starts_with("mpi_") || !name.ends_with("_"))
    return false;
  StringRef stem = name.drop_front(4).rtrim('_');
  if (stem.empty())
    return false;
  std::string capitalised = "MPI_" + stem.take_front(1).upper() + stem.drop_front(1).str();
  return findMpiFunction(capitalised) != nullptr;
}

bool inNamespaceMpi(const FunctionDecl &function) {
  for (const DeclContext *context = function.getDeclContext(); context;
       context = context->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(context))
      if (space->getName() == "MPI" && space->getParent()->isTranslationUnit())
        return true;
  return false;
}

std::optional<KnownFunction> classifyMpi(const FunctionDecl &function,
                                         const SourceManager &sources) {
  if (!function.getIdentifier())
    return std::nullopt;
  StringRef name = function.getName();
  KnownFunction known;
  known.kind = KnownFunction::Mpi;
  if (name.starts_with("MPI_") || name.starts_with("PMPI_")) {
    known.mpi = findMpiFunction(std::string_view(name.data(), name.size()));
    if (definedByProgram(function, sources) || (!known.mpi && !declaredByMpi(function, sources)))
      return std::nullopt;
    // What a program calls through the profiling interface bypasses the runtime.
    if (name.starts_with("PMPI_") && !(known.mpi && known.mpi->effect == BatchEffect::Pass))
      known.kind = KnownFunction::Bypass;
    return known;
  }
  if (name.starts_with("MPIX_") && !function.hasBody()) {
    known.kind = KnownFunction::Bypass;
    return known;
  }
  if (inNamespaceMpi(function) && declaredByMpi(function, sources)) {
    known.mpi = findMpiFunction("MPI_" + name.str());
    return known;
  }
  if (isFortranEntry(name) || name.starts_with("sendwright_"))
    return known;
  return std::nullopt;
}

LibraryEffect listedEffect(const FunctionDecl &function, LibraryEffect otherwise) {
  std::string name = qualifiedName(function);
  const auto &effects = listedEffects();
  auto found = effects.find(name);
  std::string plain = name.starts_with("std::") ? name.substr(5) : name; // std::strlen, std::sqrt
  if (found == effects.end())
    found = effects.find(plain);
  if (found != effects.end())
    return found->second;
  if (plain.starts_with("atomic_"))
    return LibraryEffect::ReadsShared;
  if (std::size_t colons = name.rfind("::"); colons != std::string::npos) {
    found = effects.find(name.substr(0, colons) + "::*");
    if (found != effects.end())
      return found->second;
  }
  return otherwise;
}

bool extractsFromStream(const FunctionDecl &function) {
  if (function.getOverloadedOperator() != OO_GreaterGreater || function.param_empty())
    return false;
  const auto *stream =
      function.getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return stream && stream->getDeclName().isIdentifier() && stream->getName() == "basic_istream";
}

// Comparisons and iterator arithmetic: the library's only operators that are free functions and
// leave their operands alone.
bool isPlainOperator(const FunctionDecl &function) {
  switch (function.getOverloadedOperator()) {
  case OO_EqualEqual:
  case OO_ExclaimEqual:
  case OO_Less:
  case OO_LessEqual:
  case OO_Greater:
  case OO_GreaterEqual:
  case OO_Spaceship:
  case OO_Plus:
  case OO_Minus:
    return true;
  default:
    return false;
  }
}

// A const operator may also assign, to what its object stands for: the elements of a slice.
bool isAssignment(const FunctionDecl &function) {
  OverloadedOperatorKind kind = function.getOverloadedOperator();
  return kind == OO_Equal || (kind >= OO_PlusEqual && kind <= OO_PipeEqual) ||
         kind == OO_LessLessEqual || kind == OO_GreaterGreaterEqual || kind == OO_PlusPlus ||
         kind == OO_MinusMinus;
}

// Members and operators that change neither their operands nor anything else.
bool changesNothing(const FunctionDecl &function) {
  if (isPlainOperator(function))
    return true;
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  if (!method)
    return isAccessor(function);
  if (isAssignment(function) || storesThroughParameters(function) ||
      StringRef(qualifiedName(*method->getParent())).starts_with("std::ranges::"))
    return false;
  return isAccessor(function) || method->isConst();
}

LibraryEffect effectInHeader(const FunctionDecl &function, Header header) {
  switch (header) {
  case Header::Mathematics:
    return storesThroughParameters(function) ? LibraryEffect::Returns : LibraryEffect::Pure;
  case Header::Cxx:
    if (extractsFromStream(function))
      return LibraryEffect::Waits;
    return changesNothing(function) ? LibraryEffect::Pure : LibraryEffect::Returns;
  case Header::IsoC:
  case Header::Compiler:
    return LibraryEffect::Returns;
  case Header::Posix:
  case Header::Other:
    return LibraryEffect::Unknown;
  }
  return LibraryEffect::Unknown;
}

bool isIterator(QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return record && record->getDeclName().isIdentifier() && record->getName().contains("iterator");
}

// Builtins have no header. Old code also declares library builtins by hand.
LibraryEffect effectOfBuiltin(const FunctionDecl &function, const ASTContext &context) {
  unsigned id = function.getBuiltinID();
  const std::string text(context.BuiltinInfo.getName(id));
  StringRef name = text;
  if (name.starts_with("__sync_") || name.starts_with("__atomic_") ||
      name.starts_with("__c11_atomic_") || name.starts_with("__scoped_atomic_"))
    return LibraryEffect::ReadsShared;
  bool plain = name.starts_with("__builtin_") && !context.BuiltinInfo.hasCustomTypechecking(id) &&
               !storesThroughParameters(function);
  if (plain || context.BuiltinInfo.isConst(id) || context.BuiltinInfo.isPure(id) ||
      context.BuiltinInfo.isUnevaluated(id))
    return LibraryEffect::Pure;
  return LibraryEffect::Returns;
}

// An annotation on declarations of this parse alone; the compiler's own parse does not see it.
constexpr llvm::StringLiteral harmless = "sendwright-harmless";
constexpr llvm::StringLiteral redistributing = "sendwright-redistributing";

bool isMarked(const FunctionDecl &function, llvm::StringRef mark) {
  return llvm::any_of(
      function.specific_attrs<AnnotateAttr>(),
      [mark](const AnnotateAttr *attribute) { return attribute->getAnnotation() == mark; });
}

bool isMarkedAsHarmless(const FunctionDecl &function) { return isMarked(function, harmless); }

class HarmlessFunctions final : public SyntaxWalk {
public:
  HarmlessFunctions(ASTContext &context, llvm::function_ref<bool(llvm::StringRef)> isHarmless)
      : context(context), isHarmless(isHarmless) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool enters(Stmt &) override { return false; }
  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (isHarmless(qualifiedName(*function)))
      function->addAttr(AnnotateAttr::CreateImplicit(context, harmless, nullptr, 0));
    return true;
  }

private:
  ASTContext &context;
  llvm::function_ref<bool(llvm::StringRef)> isHarmless;
};

} // namespace

std::string qualifiedName(const NamedDecl &declaration) {
  std::string name = declaration.getDeclName().getAsString();
  if (isa<CXXConstructorDecl>(declaration) || isa<CXXDestructorDecl>(declaration)) {
    // Drop the template arguments that the name of a template's constructor carries.
    name = cast<CXXMethodDecl>(declaration).getParent()->getNameAsString();
    if (isa<CXXDestructorDecl>(declaration))
      name.insert(0, "~");
  }
  for (const DeclContext *context = declaration.getDeclContext(); context;
       context = context->getParent()) {
    if (const auto *space = dyn_cast<NamespaceDecl>(context)) {
      if (!space->isInline() && !space->isAnonymousNamespace())
        name.insert(0, space->getNameAsString() + "::");
    } else if (const auto *record = dyn_cast<RecordDecl>(context)) {
      if (record->getIdentifier())
        name.insert(0, record->getNameAsString() + "::");
    }
  }
  return name;
}

bool storesThroughParameters(const FunctionDecl &function) {
  if (!function.hasPrototype() || function.isVariadic())
    return true;
  bool ofTemplate = function.getPrimaryTemplate() != nullptr;
  for (const ParmVarDecl *parameter : function.parameters()) {
    QualType type = parameter->getType(), pointee = type->getPointeeType();
    if (pointee.isNull() ? isIterator(type) || (ofTemplate && type->isRecordType())
                         : !pointee.isConstQualified() && !pointee->isFunctionType())
      return true;
  }
  return false;
}

bool printsToStandardStream(const FunctionDecl &callee, const Expr *site) {
  static const llvm::StringSet<> streams = {"stdout", "stderr", "__stdoutp", "__stderrp"};
  const auto *call = dyn_cast_or_null<CallExpr>(site);
  if (!call)
    return false;
  for (unsigned i = 0; i < call->getNumArgs(); ++i) {
    const Expr &argument = *call->getArg(i)->IgnoreParenImpCasts();
    if (i >= callee.getNumParams()) { // for %n
      QualType pointee = argument.getType()->getPointeeType();
      if (!pointee.isNull() && pointee->isIntegerType() && !pointee->isAnyCharacterType() &&
          !pointee.isConstQualified())
        return false;
      continue;
    }
    QualType pointee = callee.getParamDecl(i)->getType()->getPointeeType();
    if (pointee.isNull() || !pointee->isRecordType() || pointee.isConstQualified())
      continue;
    const auto *stream = dyn_cast<DeclRefExpr>(&argument);
    if (!stream || !stream->getDecl()->getIdentifier() ||
        !streams.contains(stream->getDecl()->getName()))
      return false;
  }
  return true;
}

bool isContainerIterator(const CXXRecordDecl &record) {
  static const llvm::StringSet<> names = {
      "__normal_iterator", "_Rb_tree_iterator",     "_Rb_tree_const_iterator",
      "_List_iterator",    "_Deque_iterator",       "_List_const_iterator",
      "_Node_iterator",    "_Node_const_iterator",  "__wrap_iter",
      "__tree_iterator",   "__tree_const_iterator", "__hash_iterator",
      "__list_iterator",   "__list_const_iterator"};
  return names.contains(record.getName());
}

bool isAccessor(const FunctionDecl &function) {
  const auto *method = dyn_cast<CXXMethodDecl>(&function);
  if (!method)
    return listedEffect(function, LibraryEffect::Unknown) == LibraryEffect::Pure;
  // A view computes its elements by calling functions of the program.
  if (llvm::StringRef(qualifiedName(*method->getParent())).starts_with("std::ranges::"))
    return false;
  switch (function.getOverloadedOperator()) {
  case OO_Subscript: // operator[] of a map inserts
    return !method->getParent()->getName().contains("map");
  case OO_Star:
  case OO_Arrow:
    return true;
  case OO_None:
    break;
  default:
    return false;
  }
  static const llvm::StringSet<> names = {"back", "begin",     "c_str",  "capacity", "cbegin",
                                          "cend", "data",      "empty",  "end",      "front",
                                          "get",  "has_value", "length", "rbegin",   "rend",
                                          "size", "top",       "value",  "max_size"};
  if (function.getIdentifier() && function.getName() == "at")
    return !method->getParent()->getName().contains("map");
  return function.getIdentifier() && names.contains(function.getName());
}

bool isStandardLibrary(const Decl &declaration, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  if (const auto *function = dyn_cast<FunctionDecl>(&declaration))
    return function->getBuiltinID() || function->isReplaceableGlobalAllocationFunction() ||
           headerOfAny(*function, sources) != Header::Other;
  return headerOf(declaration, sources) != Header::Other;
}

bool isDeclaredByMpi(const Decl &declaration, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  return isMpiHeader(sources.getFilename(sources.getExpansionLoc(declaration.getLocation())));
}

void markAsRedistributing(FunctionDecl &function, ASTContext &context) {
  function.addAttr(AnnotateAttr::CreateImplicit(context, redistributing, nullptr, 0));
}

bool isMarkedAsRedistributing(const FunctionDecl &function) {
  const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
  return isMarked(pattern ? *pattern : function, redistributing);
}

void markAsHarmless(ASTContext &context, llvm::function_ref<bool(llvm::StringRef)> isHarmless) {
  HarmlessFunctions(context, isHarmless).TraverseDecl(context.getTranslationUnitDecl());
}

KnownFunction classifyFunction(const FunctionDecl &function, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  if (auto mpi = classifyMpi(function, sources))
    return *mpi;
  KnownFunction known;
  known.kind = KnownFunction::Library;
  if (isMarkedAsHarmless(function)) {
    known.effect = LibraryEffect::Returns;
    return known;
  }
  if (Header header = headerOfAny(function, sources); header != Header::Other) {
    LibraryEffect effect = effectInHeader(function, header);
    if (function.hasAttr<ConstAttr>() || function.hasAttr<PureAttr>())
      effect = LibraryEffect::Pure;
    known.effect = listedEffect(function, effect);
    return known;
  }
  if (function.hasBody() || function.isDefined())
    return KnownFunction();
  if (function.getBuiltinID()) {
    known.effect = listedEffect(function, effectOfBuiltin(function, context));
    return known;
  }
  if (function.isReplaceableGlobalAllocationFunction()) {
    known.effect = listedEffect(function, LibraryEffect::Returns);
    return known;
  }
  // SimGrid's headers replace some library functions by macros.
  if (function.getIdentifier() && function.getName().starts_with("smpi_")) {
    known.effect = listedEffect(function, LibraryEffect::Unknown);
    return known;
  }
  // A function without side effects can neither wait nor send.
  if (function.hasAttr<ConstAttr>() || function.hasAttr<PureAttr>()) {
    known.effect = LibraryEffect::Pure;
    return known;
  }
  return KnownFunction();
}

} // namespace sendwright
