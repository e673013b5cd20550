// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/FunctionSummary.h"

#include "analysis/file/Fields.h"
#include "analysis/file/FormatError.h"
#include "analysis/program/UnitText.h"

#include <nlohmann/json.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>

namespace sendwright {

namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string &name, const std::string &problem) {
  throw FormatError(name + ": " + problem);
}

bool readFlag(const Json &entry, const char *key, const std::string &where) {
  if (!entry.contains(key) || !entry[key].is_boolean())
    fail(where, std::string("no truth value \"") + key + "\", expected true or false");
  return entry[key];
}

FunctionFacts readFacts(const Json &entry, const std::string &where) {
  if (!entry.is_object())
    fail(where, "not an object, expected the facts of a function");
  FunctionFacts facts;
  if (entry.contains("waits")) {
    if (!entry["waits"].is_string())
      fail(where, "\"waits\" is not text, expected the reason");
    facts.mayWait = true;
    facts.reason = entry["waits"];
  }
  facts.writesMemory = readFlag(entry, "writes", where);
  facts.reachesMpi = readFlag(entry, "mpi", where);
  facts.sends = entry.value("sends", Json(false)) == true;
  if (entry.contains("calls")) {
    if (!entry["calls"].is_array())
      fail(where, "\"calls\" is not a list, expected the symbols called");
    for (const Json &callee : entry["calls"]) {
      if (!callee.is_string())
        fail(where, "\"calls\" has an entry that is not text, expected the symbols called");
      facts.callees.push_back(callee);
    }
  }
  return facts;
}

/// `facts` becomes the worse of the two.
void join(FunctionFacts &facts, const FunctionFacts &other) {
  if (other.mayWait && !facts.mayWait)
    facts.reason = other.reason;
  facts.mayWait |= other.mayWait;
  facts.writesMemory |= other.writesMemory;
  facts.reachesMpi |= other.reachesMpi;
  facts.sends |= other.sends;
}

} // namespace

Json functionsJson(const std::map<std::string, FunctionFacts> &functions) {
  Json json = Json::object();
  for (const auto &[symbol, facts] : functions) {
    Json &entry = json[symbol] = Json::object();
    if (facts.mayWait)
      entry["waits"] = facts.reason;
    entry["writes"] = facts.writesMemory;
    entry["mpi"] = facts.reachesMpi;
    if (facts.sends)
      entry["sends"] = true;
    entry["calls"] = facts.callees;
  }
  return json;
}

std::map<std::string, FunctionFacts> readFunctions(const Json &json, const std::string &where) {
  if (!json.is_object())
    fail(where, "facts about functions are not a JSON object, expected what the plugin wrote");
  std::map<std::string, FunctionFacts> functions;
  for (const auto &[symbol, entry] : json.items())
    functions[symbol] =
        readFacts(entry, std::string(where).append(": facts of function ").append(symbol));
  return functions;
}

void addFunctionFacts(std::map<std::string, FunctionFacts> &functions, const std::string &symbol,
                      FunctionFacts facts) {
  auto [place, isNew] = functions.try_emplace(symbol, facts);
  if (isNew)
    return;
  join(place->second, facts);
  std::vector<std::string> &callees = place->second.callees;
  for (std::string &callee : facts.callees)
    if (std::find(callees.begin(), callees.end(), callee) == callees.end())
      callees.push_back(std::move(callee));
}

template <typename Fields>
static void describeFacts(Fields fields, Described<Fields, FunctionFacts> &facts) {
  fields.flag(facts.mayWait);
  fields.flag(facts.writesMemory);
  fields.flag(facts.reachesMpi);
  fields.text(facts.reason);
  fields.length(facts.callees);
  for (auto &callee : facts.callees)
    fields.text(callee);
}

void encodeFacts(ByteWriter &out, const FunctionFacts &facts) {
  describeFacts(FieldWriter(out), facts);
}

FunctionFacts decodeFacts(ByteReader &in) {
  FunctionFacts facts;
  describeFacts(FieldReader(in), facts);
  return facts;
}

void encodeFunctions(ByteWriter &out, const std::map<std::string, FunctionFacts> &functions) {
  out.number(functions.size());
  for (const auto &[symbol, facts] : functions) {
    out.text(symbol);
    encodeFacts(out, facts);
  }
}

std::map<std::string, FunctionFacts> decodeFunctions(ByteReader &in) {
  std::map<std::string, FunctionFacts> functions;
  for (std::size_t count = in.count(6); count > 0; --count) {
    std::string symbol = in.text();
    functions[std::move(symbol)] = decodeFacts(in);
  }
  return functions;
}

std::string sourceNameOf(const std::string &symbol) {
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), &std::free);
  return name && symbol.starts_with("_Z") ? name.get() : symbol;
}

FunctionFacts
resolveFunction(const std::string &symbol, const std::map<std::string, FunctionFacts> &functions,
                const std::function<const FunctionFacts *(const std::string &)> &known) {
  FunctionFacts verdict;
  verdict.writesMemory = false;
  std::set<std::string> seen{symbol};
  std::vector<std::string> reached{symbol};
  while (!reached.empty()) {
    std::string current = std::move(reached.back());
    reached.pop_back();
    auto found = functions.find(current);
    const FunctionFacts *facts = found != functions.end() ? &found->second
                                 : known                  ? known(current)
                                                          : nullptr;
    if (!facts) {
      FunctionFacts unknown;
      unknown.mayWait = unknown.reachesMpi = true;
      unknown.reason = "calls " + current + ", which was not compiled with the plugin";
      join(verdict, unknown);
      continue;
    }
    join(verdict, *facts);
    for (const std::string &callee : facts->callees)
      if (seen.insert(callee).second)
        reached.push_back(callee);
  }
  return verdict;
}

} // namespace sendwright
