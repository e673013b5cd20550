// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/CollectiveSummary.h"

#include "analysis/file/FormatError.h"
#include "analysis/program/UnitText.h"

#include <nlohmann/json.hpp>

namespace sendwright {

namespace {

using Json = nlohmann::json;

constexpr Collective writtenOperations[] = {Collective::Broadcast, Collective::Scatter,
                                            Collective::Gather,    Collective::Allgather,
                                            Collective::AllToAll,  Collective::Reduce};

constexpr const char *writtenReductions[] = {"sum",         "product",    "minimum",    "maximum",
                                             "bitwise and", "bitwise or", "bitwise xor"};

Json jsonOf(const std::vector<SiteIdentity> &sites) {
  Json list = Json::array();
  for (const SiteIdentity &site : sites)
    list.push_back(siteJson(site));
  return list;
}

/// Reads one entry of the list.
class CollectiveReader {
public:
  CollectiveReader(const Json &entry, std::string where) : entry(entry), where(std::move(where)) {
    if (!entry.is_object())
      fail("not an object, expected a collective operation");
  }

  CollectiveInSource collective() const {
    CollectiveInSource read;
    read.operation = operation();
    read.loop = readSite(member("loop"), where + " loop");
    read.sends = sites("sends");
    read.receives = sites("receives");
    read.own = isTrue("own");
    if (read.operation == Collective::Reduce)
      read.reduction = reduction();
    if (entry.contains("problem"))
      read.problem = text("problem");
    return read;
  }

private:
  const Json &entry;
  const std::string where;

  [[noreturn]] void fail(const std::string &problem) const {
    throw FormatError(where + ": " + problem);
  }

  const Json &member(const char *key) const {
    if (!entry.contains(key))
      fail(std::string("no \"") + key + "\", expected what the plugin wrote");
    return entry[key];
  }

  std::string text(const char *key) const {
    if (!member(key).is_string())
      fail(std::string("\"") + key + "\" is not text");
    return member(key);
  }

  /// A missing key means false.
  bool isTrue(const char *key) const {
    if (entry.contains(key) && !entry[key].is_boolean())
      fail(std::string("\"") + key + "\" is neither true nor false");
    return entry.value(key, false);
  }

  Collective operation() const {
    const std::string name = text("operation");
    for (const Collective operation : writtenOperations)
      if (name == nameOf(operation))
        return operation;
    fail("\"operation\" is '" + name + "', expected one that loops can spell");
  }

  std::string reduction() const {
    std::string name = text("reduction");
    for (const char *known : writtenReductions)
      if (name == known)
        return name;
    fail("\"reduction\" is '" + name + "', expected how elements are combined");
  }

  std::vector<SiteIdentity> sites(const char *key) const {
    if (!member(key).is_array())
      fail(std::string("\"") + key + "\" is not a list, expected sites");
    std::vector<SiteIdentity> read;
    for (const Json &site : member(key))
      read.push_back(readSite(site, where + " " + key));
    return read;
  }
};

} // namespace

Json collectivesJson(const std::vector<CollectiveInSource> &collectives) {
  Json list = Json::array();
  for (const CollectiveInSource &collective : collectives) {
    Json entry = {{"operation", nameOf(collective.operation)},
                  {"loop", siteJson(collective.loop)},
                  {"sends", jsonOf(collective.sends)},
                  {"receives", jsonOf(collective.receives)}};
    if (collective.own)
      entry["own"] = true;
    if (!collective.reduction.empty())
      entry["reduction"] = collective.reduction;
    if (!collective.problem.empty())
      entry["problem"] = collective.problem;
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<CollectiveInSource> readCollectives(const Json &json, const std::string &where) {
  if (!json.is_array())
    throw FormatError(where + ": collective operations are not a JSON list, expected what the "
                              "plugin wrote");
  std::vector<CollectiveInSource> collectives;
  for (const Json &entry : json)
    collectives.push_back(CollectiveReader(entry, where + ": collective operation " +
                                                      std::to_string(collectives.size()))
                              .collective());
  return collectives;
}

} // namespace sendwright
