// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler reads the text before the main file, as part of its predefined macros, so no line of
// the user's moves. Attribute selectany puts an object into a COMDAT, of which the linker keeps one
// copy.

#include "tool/source/Emission.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/Hashing.h"
#include "analysis/plan/Plan.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <map>

namespace sendwright {

namespace {

#define RUNTIME_CALL(identifier, name) constexpr char call##identifier[] = #name;
#include "runtime/RuntimeCalls.def"

/// A string literal, which may hold any bytes.
std::string literal(llvm::StringRef bytes) {
  std::string text = "\"";
  return text.append(escaped(bytes, TextPlace::StringLiteral)).append("\"");
}

/// The letters and digits of a qualified name; all else becomes underscores.
std::string identifierFrom(llvm::StringRef name) {
  std::string text;
  for (const char character : name)
    if (llvm::isAlnum(character))
      text += character;
    else if (!text.empty() && text.back() != '_')
      text += '_';
  return text;
}

std::string hexadecimal(std::uint64_t value, unsigned digits) {
  return llvm::utohexstr(value, /*LowerCase=*/true, 16).substr(16 - digits);
}

std::uint64_t digestOf(const std::string &text) { return XXH3_64bits(text.data(), text.size()); }

constexpr char shared[] = "__attribute__((selectany, visibility(\"hidden\"), nodebug))";
constexpr char local[] = "static __attribute__((nodebug))";

std::string suffixOf(const Unit &unit) { return "_" + hexadecimal(digestOf(unit.file), 8); }

/// Collects the definitions of one unit. Their names end in a digest of the unit's name, because a
/// precompiled header is a unit of its own.
class Definitions {
public:
  explicit Definitions(const Unit &unit) : unit(unit), suffix(suffixOf(unit)) {}

  std::string write() {
    for (const EmittedSite &site : unit.directives.sites)
      addSite(site);
    for (const std::string &array : unit.directives.staticArrays)
      text += "sendwright_hpf_static_array(" + array + ");\n";
    for (const std::string &schedule : unit.directives.schedules)
      text += schedule;
    if (!unit.announced())
      return text;
    for (const EmittedSite &site : unit.sites)
      addSite(site);
    for (const EmittedSite &call : unit.calls)
      addSite(call);
    for (const EmittedCaller &caller : unit.callers)
      addCaller(caller);
    const std::string sites = addSiteArray(), plan = addPlan(), facts = addFacts();
    addUnit(sites, plan, facts, addTargets());
    return text;
  }

private:
  const Unit &unit;
  const std::string suffix;
  std::string text;
  std::map<std::string, std::string> strings; // their names, keyed by content

  /// Adds a string as a separate object: a literal would have debug information.
  std::string addString(const std::string &content) {
    const auto [entry, isNew] = strings.try_emplace(
        content, "sendwright_string_" + std::to_string(strings.size()) + suffix);
    if (isNew)
      text +=
          std::string(local) + " const char " + entry->second + "[] = " + literal(content) + ";\n";
    return entry->second;
  }

  void addSite(const EmittedSite &site) {
    const SiteIdentity &identity = site.identity;
    const std::string file = addString(identity.file), function = addString(identity.function);
    text += std::string(shared) + " struct sendwright_site " + site.symbol() + " = {" + file +
            ", " + function + ", " + std::to_string(identity.line) + ", " +
            std::to_string(identity.ordinal) + ", 0x" + hexadecimal(identity.hash, 16) + "ULL, " +
            flagsOf(site) + ", 0};\n";
  }

  void addCaller(const EmittedCaller &caller) {
    const std::string file = addString(caller.identity.file), callee = addString(caller.callee);
    text += std::string(shared) + " struct sendwright_caller " + caller.symbol() + " = {" + file +
            ", " + callee + ", " + std::to_string(caller.identity.line) + ", 0};\n";
  }

  static std::string flagsOf(const EmittedSite &site) {
    if (site.function)
      return std::to_string(static_cast<unsigned>(site.function->id)) +
             "u << SENDWRIGHT_SITE_FUNCTION_SHIFT";
    if (site.deferrable)
      return std::string("SENDWRIGHT_SITE_DEFERRABLE") +
             (site.isBlock ? " | SENDWRIGHT_SITE_BLOCK" : "");
    if (site.measured)
      return "SENDWRIGHT_SITE_MEASURED";
    return site.stableBuffers ? "SENDWRIGHT_SITE_STABLE_BUFFERS" : "0";
  }

  std::string addSiteArray() {
    if (unit.sites.empty())
      return "0";
    const std::string name = "sendwright_sites" + suffix;
    text += std::string(local) + " struct sendwright_site *" + name + "[] = {";
    for (const EmittedSite &site : unit.sites)
      text += "&" + site.symbol() + ", ";
    text += "};\n";
    return name;
  }

  std::string addPlan() {
    if (unit.plan.empty())
      return "0";
    const std::string name = "sendwright_plan_" + planDigest(unit.plan.data(), unit.plan.size());
    text += std::string(shared) + " extern const unsigned char " + name + "[" +
            std::to_string(unit.plan.size() + 1) + "] = " + literal(unit.plan) + ";\n";
    return name;
  }

  std::string addFacts() {
    if (unit.facts.empty())
      return "0";
    const std::string name = "sendwright_facts" + suffix;
    text +=
        std::string(local) + " const unsigned char " + name + "[] = " + literal(unit.facts) + ";\n";
    return name;
  }

  /// A weak reference adds nothing to the program, and leaves the function's own declaration, which
  /// has another type, alone. The compiler emits the array after it has seen the whole unit.
  std::string addTargets() {
    if (unit.targets.empty())
      return "0";
    std::string names;
    for (std::size_t number = 0; number < unit.targets.size(); ++number) {
      const std::string name = "sendwright_target_" + std::to_string(number) + suffix;
      text += "static __attribute__((weakref(" + literal(unit.targets[number]) +
              "), nodebug)) void " + name + "(void);\n";
      names += name + ", ";
    }
    const std::string name = "sendwright_targets" + suffix;
    text += std::string(local) + " const sendwright_function " + name + "[] = {" + names + "};\n";
    return name;
  }

  void addUnit(const std::string &sites, const std::string &plan, const std::string &facts,
               const std::string &targets) {
    const std::string name = "sendwright_unit" + suffix, file = addString(unit.file);
    const std::string functions = unit.functions.empty() ? "0" : addString(unit.functions);
    text += std::string(local) + " struct sendwright_unit " + name +
            " = {SENDWRIGHT_RUNTIME_VERSION, " +
            (unit.generate ? "SENDWRIGHT_UNIT_GENERATE, " : "SENDWRIGHT_UNIT_USE, ") + file + ", " +
            sites + ", " + std::to_string(unit.sites.size()) + "UL, " + functions + ", " + plan +
            ", " + std::to_string(unit.plan.size()) + "UL, " + facts + ", " +
            std::to_string(unit.facts.size()) + "UL, " + targets + ", " +
            std::to_string(unit.targets.size()) + "UL, 0};\n";
    std::string description;
    if (unit.describedAtEnd) {
      const std::string function = descriptionFunction(unit);
      text += std::string(local) + " const char *" + function + "(void);\n";
      description = name + ".functions = " + function + "(); ";
    }
    text += "static __attribute__((constructor, used, nodebug)) void sendwright_start" + suffix +
            "(void) { " + description + callRegister + "(&" + name + "); }\n";
  }
};

/// The function of a place in the source and a digest of what identifies the place.
std::string nameOf(const SiteIdentity &identity) {
  const std::string key = llvm::sys::path::filename(identity.file).str() + '\0' +
                          identity.function + '\0' + hexadecimal(identity.hash, 16) + '\0' +
                          std::to_string(identity.ordinal);
  return identifierFrom(identity.function) + "_" + hexadecimal(digestOf(key), 8);
}

ScopeCalls scopeCalls(const EmittedSite &site, const char *begin, const char *end) {
  const std::string symbol = site.symbol();
  return {std::string(begin) + "(" + symbol + ");", std::string(end) + "(&" + symbol + "_scope);"};
}

} // namespace

std::string EmittedSite::symbol() const {
  return "sendwright_site_" + nameOf(identity) + (stableBuffers ? "_stable" : "") +
         (deferrable ? "_deferrable" : "");
}

std::string EmittedCaller::symbol() const { return "sendwright_caller_" + nameOf(identity); }

ScopeCalls markScope(const EmittedSite &site) {
  return scopeCalls(site, site.inTemplate ? callMarkInstance : callMark, callMarkEnd);
}

ScopeCalls batchScope(const EmittedSite &site) {
  return scopeCalls(site, site.inTemplate ? callBatchInstance : callBatch, callBatchEnd);
}

ScopeCalls chainScope(const EmittedSite &site, const std::set<std::string> &reads,
                      const ScopeCalls &inner) {
  const auto join = [](const std::string &first, const std::string &second) {
    return first + (first.empty() || second.empty() ? "" : " ") + second;
  };
  std::string opening = std::string(callChain) + "(" + site.symbol() + ");";
  for (const std::string &read : reads)
    opening += std::string(" ") + callChainReads + "(&" + read + ", sizeof(" + read + "));";
  return {join(opening, inner.opening),
          join(inner.closing, std::string(callChainEnd) + "(&" + site.symbol() + "_chain);")};
}

std::string markBefore(const EmittedSite &call) {
  return std::string(callCall) + "(&" + call.symbol() + ")";
}

std::string markBefore(const EmittedSite &call, const std::vector<std::string> &bounds) {
  std::string text = std::string(callCallCovering) + "(&" + call.symbol();
  for (const std::string &bound : bounds)
    text += ", " + bound;
  return text + ")";
}

std::string calledFromBefore(const EmittedCaller &caller) {
  return std::string(callCalledFrom) + "(&" + caller.symbol() + ")";
}

std::string synchronizeBefore(const EmittedSite &call) {
  return std::string(callSynchronize) + "(&" + call.symbol() + ")";
}

std::string checkedCall() {
  std::string call = callChecked;
  return call += '(';
}

std::string checkedCall(std::uint64_t slot, bool ofPointer) {
  std::string call = ofPointer ? callCheckedPointer : callCheckedObject;
  call += '(';
  call += std::to_string(slot);
  return call += ", ";
}

std::string checkedMemberCall() {
  std::string call = callCheckedMember;
  return call += '(';
}

std::string declarationsOf(const Unit &unit, const std::string &runtimeHeader) {
  std::string text = "# 1 \"<sendwright>\" 1 3\n";
  const auto include = [&](const char *name) {
    llvm::SmallString<256> header(runtimeHeader);
    llvm::sys::path::remove_filename(header);
    llvm::sys::path::append(header, name);
    text += "#include \"" + std::string(header) + "\"\n";
  };
  if (unit.directives.used) // it includes runtime.h, and so does the next header
    include("directives.h");
  if (unit.collectives)
    include("collectives.h");
  if (!unit.directives.used && !unit.collectives)
    include("runtime.h");
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  text += Definitions(unit).write();
  return text + "#ifdef __cplusplus\n}\n#endif\n# 1 \"<built-in>\" 2 3\n";
}

std::string descriptionFunction(const Unit &unit) { return "sendwright_describe" + suffixOf(unit); }

std::string declarationOfPresence() {
  return "# 1 \"<sendwright>\" 1 3\n#ifdef __cplusplus\nextern \"C\"\n#else\nextern\n#endif\n"
         "const char sendwright_plugin_required_by_this_file;\n# 1 \"<built-in>\" 2 3\n";
}

std::string dependencyOn(const std::string &file) {
  if (file.find_first_of("\"\n\r") != std::string::npos)
    return ""; // the name of a header has no escapes
  return "# 1 \"<sendwright>\" 1 3\n#if __has_include(\"" + file +
         "\")\n#endif\n"
         "# 1 \"<built-in>\" 2 3\n";
}

std::string withPredefines(const std::string &predefines, const std::string &text) {
  const std::size_t commandLine = predefines.find("# 1 \"<command line>\" 1\n");
  if (commandLine == std::string::npos)
    return predefines + text + "# 1 \"<built-in>\"\n";
  return predefines.substr(0, commandLine) + text + predefines.substr(commandLine);
}

} // namespace sendwright
