// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/UnitFacts.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/Hashing.h"
#include "analysis/program/FunctionSummary.h"

namespace sendwright {

namespace {

constexpr std::size_t checksumBytes = 8;

SiteReliance decodeReliance(ByteReader &in) {
  SiteReliance site;
  for (std::size_t count = in.count(3); count > 0; --count) {
    AllowedEffects &allowed = site.called[in.text()];
    allowed.writesMemory = in.flag();
    allowed.reachesMpi = in.flag();
  }
  for (std::size_t count = in.count(); count > 0; --count)
    site.beneath.insert(in.text());
  return site;
}

void encodeReliance(ByteWriter &out, const SiteReliance &site) {
  out.number(site.called.size());
  for (const auto &[symbol, allowed] : site.called) {
    out.text(symbol);
    out.number(allowed.writesMemory);
    out.number(allowed.reachesMpi);
  }
  out.number(site.beneath.size());
  for (const std::string &symbol : site.beneath)
    out.text(symbol);
}

/// Calls `visit(symbol, facts)` for `start` and everything that it reaches until one call returns
/// true; `facts` is null for an unknown function.
template <typename Visit>
void visitReached(const std::string &start, const std::map<std::string, FunctionFacts> &functions,
                  Visit visit) {
  std::set<std::string> seen{start};
  std::vector<std::string> reached{start};
  while (!reached.empty()) {
    const std::string symbol = std::move(reached.back());
    reached.pop_back();
    const auto found = functions.find(symbol);
    const FunctionFacts *facts = found == functions.end() ? nullptr : &found->second;
    if (visit(symbol, facts))
      return;
    for (std::size_t callee = 0; facts && callee < facts->callees.size(); ++callee)
      if (seen.insert(facts->callees[callee]).second)
        reached.push_back(facts->callees[callee]);
  }
}

/// A forbidden effect of the function; "" if there is none.
std::string forbiddenEffect(const FunctionFacts &facts, const AllowedEffects &allowed) {
  if (facts.mayWait)
    return facts.reason.empty() ? "may wait outside MPI" : facts.reason;
  if (facts.writesMemory && !allowed.writesMemory)
    return "may write memory that is sent";
  if (facts.reachesMpi && !allowed.reachesMpi)
    return "may call MPI";
  return "";
}

std::string changed(const std::string &symbol, const std::string &effect) {
  return sourceNameOf(symbol) + ", which it reaches, now " + effect + "; profile again";
}

std::string problemOf(const std::string &symbol, const FunctionFacts *facts,
                      const SiteReliance &site, const AllowedEffects &allowed) {
  if (facts) {
    const std::string effect = forbiddenEffect(*facts, allowed);
    return effect.empty() ? "" : changed(symbol, effect);
  }
  if (site.called.count(symbol) || site.beneath.count(symbol))
    return "nothing is known about " + sourceNameOf(symbol) +
           ", which it reaches; compile it with the plugin and this plan, or profile again";
  return "it reaches " + sourceNameOf(symbol) +
         ", which it did not when it was profiled; profile again";
}

void encodeTarget(ByteWriter &out, const CallTarget &target) {
  out.text(target.symbol);
  out.number(target.known);
  if (target.known)
    encodeFacts(out, target.facts);
}

CallTarget decodeTarget(ByteReader &in) {
  CallTarget target;
  target.symbol = in.text();
  target.known = in.flag();
  if (target.known)
    target.facts = decodeFacts(in);
  return target;
}

constexpr char compileIt[] = "; compile it with the plugin and this plan";

/// Why `start`, which `target` calls or is, may not run while messages are deferred.
std::string problemBeneath(const std::string &target, const std::string &start,
                           const std::map<std::string, FunctionFacts> &functions) {
  std::string problem;
  visitReached(start, functions, [&](const std::string &symbol, const FunctionFacts *facts) {
    const std::string effect = facts ? forbiddenEffect(*facts, {}) : "";
    if (facts && effect.empty())
      return false;
    if (symbol == target)
      problem = facts ? "it calls " + sourceNameOf(target) + " through a pointer, which " + effect
                      : problemOfUnknownCall(target);
    else
      problem =
          "it calls " + sourceNameOf(target) + " through a pointer, which reaches " +
          sourceNameOf(symbol) +
          (facts ? ", which " + effect : ", about which nothing is known" + std::string(compileIt));
    return true;
  });
  return problem;
}

} // namespace

std::string encodeUnitFacts(const UnitFacts &facts) {
  ByteWriter content;
  encodeFunctions(content, facts.functions);
  content.number(facts.sites.size());
  for (const SiteReliance &site : facts.sites)
    encodeReliance(content, site);
  content.number(facts.targets.size());
  for (const CallTarget &target : facts.targets)
    encodeTarget(content, target);
  const std::string bytes = content.take();
  ByteWriter checksum;
  checksum.fixed64(XXH64(bytes.data(), bytes.size(), 0));
  return checksum.take() + bytes;
}

UnitFacts decodeUnitFacts(const void *data, std::size_t size, const std::string &name) {
  const std::string_view all(static_cast<const char *>(data), size);
  ByteReader head(all, name);
  const std::uint64_t checksum = head.fixed64();
  const std::string_view bytes = all.substr(checksumBytes);
  if (XXH64(bytes.data(), bytes.size(), 0) != checksum)
    head.fail("damaged (checksum differs), expected what the plugin wrote");
  ByteReader in(bytes, name);
  UnitFacts facts;
  facts.functions = decodeFunctions(in);
  in.resize(facts.sites, 2);
  for (SiteReliance &site : facts.sites)
    site = decodeReliance(in);
  in.resize(facts.targets, 2);
  for (CallTarget &target : facts.targets)
    target = decodeTarget(in);
  in.expectEnd();
  return facts;
}

std::set<std::string> functionsBeneath(const std::map<std::string, AllowedEffects> &called,
                                       const std::map<std::string, FunctionFacts> &functions) {
  std::set<std::string> beneath;
  for (const auto &[start, allowed] : called)
    visitReached(start, functions, [&](const std::string &symbol, const FunctionFacts *) {
      if (!called.count(symbol))
        beneath.insert(symbol);
      return false;
    });
  return beneath;
}

std::string brokenReliance(const SiteReliance &site,
                           const std::map<std::string, FunctionFacts> &functions) {
  std::string problem;
  for (const auto &called : site.called) {
    const AllowedEffects &allowed = called.second;
    visitReached(called.first, functions,
                 [&](const std::string &symbol, const FunctionFacts *facts) {
                   problem = problemOf(symbol, facts, site, allowed);
                   return !problem.empty();
                 });
    if (!problem.empty())
      break;
  }
  return problem;
}

void addCallTarget(CallTarget &target, CallTarget other) {
  if (target.symbol.empty() || (other.known && !target.known)) {
    target = std::move(other);
    return;
  }
  if (!other.known || target.facts.mayWait)
    return;
  if (other.facts.mayWait) {
    target = std::move(other);
    return;
  }
  std::vector<std::string> &callees = target.facts.callees;
  callees.insert(callees.end(), other.facts.callees.begin(), other.facts.callees.end());
}

std::string problemOfCall(const CallTarget &target,
                          const std::map<std::string, FunctionFacts> &functions) {
  if (!target.known)
    return problemBeneath(target.symbol, target.symbol, functions);
  if (target.facts.mayWait)
    return "it calls " + sourceNameOf(target.symbol) + " through a pointer, which " +
           forbiddenEffect(target.facts, {});
  for (const std::string &callee : target.facts.callees)
    if (std::string problem = problemBeneath(target.symbol, callee, functions); !problem.empty())
      return problem;
  return "";
}

std::string problemOfUnknownCall(const std::string &name) {
  return "nothing is known about " + sourceNameOf(name) + ", which it calls through a pointer" +
         compileIt;
}

} // namespace sendwright
