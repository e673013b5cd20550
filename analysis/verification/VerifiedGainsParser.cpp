// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Anybody may have edited the file: every value is checked.

#include "analysis/file/JsonText.h"
#include "analysis/file/Limits.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/verification/VerifiedGains.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>

namespace sendwright {

namespace {

using GainsJson = nlohmann::json;

constexpr double mostSeconds = 1e9, mostCount = 9e15, mostPercent = 1e9;

class GainsParser {
public:
  GainsParser(const std::string &text, std::string name) : text(text, std::move(name)) {}

  VerifiedGains parse() {
    const std::string expected = "a file that a run with SENDWRIGHT_VERIFY wrote";
    const GainsJson json = text.parse(expected);
    if (!json.is_object() || json.value("verified_gains", GainsJson()) != 1)
      text.fail("no \"verified_gains\": 1, expected " + expected);
    VerifiedGains gains;
    gains.ranks = static_cast<int>(number(json, "ranks", 1, mostPlannedRanks));
    const GainsJson sites = json.value("sites", GainsJson());
    if (!sites.is_array())
      wrong(json, "sites", "a list of sites");
    text.searchFromKey("sites");
    for (const GainsJson &site : sites) {
      // Each site begins behind the previous site, so that a wrong value is found in its own line.
      text.searchFromNext("{\"");
      gains.sites.push_back(parseSite(site));
    }
    return gains;
  }

private:
  VerifiedSite parseSite(const GainsJson &json) {
    if (!json.is_object())
      text.fail("a site that is not an object, expected an object with file, line, function, ...");
    VerifiedSite read;
    if (json.contains("calls"))
      parseCalls(json, read);
    else
      parseIdentity(json, read.site);
    read.transformation = words(json, "transformation");
    read.executions = static_cast<std::uint64_t>(number(json, "executions", 0, mostCount));
    if (json.contains("problem"))
      read.problem = words(json, "problem");
    else
      read.gain = parseGain(json);
    return read;
  }

  void parseCalls(const GainsJson &json, VerifiedSite &read) const {
    read.function = words(json, "calls");
    if (read.function.empty())
      wrong(json, "calls", "the name of a function");
    read.callers = static_cast<int>(number(json, "callers", 1, mostPlannedRanks));
    read.digest = hash(json, "digest");
  }

  void parseIdentity(const GainsJson &json, SiteIdentity &site) const {
    site.file = words(json, "file");
    site.function = words(json, "function");
    site.instantiation = words(json, "instantiation");
    site.line = static_cast<unsigned>(number(json, "line", 0, 0xffffffff));
    site.ordinal = static_cast<unsigned>(number(json, "ordinal", 0, 0xffffffff));
    site.hash = hash(json, "hash");
  }

  MeasuredGain parseGain(const GainsJson &json) {
    MeasuredGain gain;
    gain.pairs = static_cast<std::uint64_t>(number(json, "pairs", fewestPairs, mostCount));
    gain.asWritten = number(json, "as_written", 0, mostSeconds);
    gain.asPlanned = number(json, "as_planned", 0, mostSeconds);
    gain.percent = number(json, "gain_percent", -mostPercent, 100);
    gain.lowest = number(json, "lowest_percent", -mostPercent, 100);
    gain.highest = number(json, "highest_percent", -mostPercent, 100);
    if (!(gain.lowest <= gain.percent && gain.percent <= gain.highest))
      wrong(json, "gain_percent", "a number from lowest_percent to highest_percent");
    return gain;
  }

  std::string words(const GainsJson &json, const char *key) const {
    const GainsJson value = json.value(key, GainsJson());
    if (!value.is_string())
      wrong(json, key, "text");
    return value;
  }

  double number(const GainsJson &json, const char *key, double least, double most) const {
    const GainsJson value = json.value(key, GainsJson());
    const double found = value.is_number() ? value.get<double>() : std::nan("");
    if (!(found >= least && found <= most))
      wrong(json, key, "a number from " + shortText(least) + " to " + shortText(most));
    return found;
  }

  std::uint64_t hash(const GainsJson &json, const char *key) const {
    const std::string digits = words(json, key);
    if (digits.size() != 16 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
      wrong(json, key, "16 hexadecimal digits");
    return std::strtoull(digits.c_str(), nullptr, 16);
  }

  static std::string shortText(double value) { return GainsJson(value).dump(); }

  [[noreturn]] void wrong(const GainsJson &json, const std::string &key,
                          const std::string &expected) const {
    if (!json.contains(key))
      text.fail("no \"" + key + "\", expected " + expected);
    text.wrong(key, json[key], expected);
  }

  JsonText text;
};

} // namespace

VerifiedGains readVerifiedGains(const std::string &name) {
  return parseVerifiedGains(readTextFile(name), name == "-" ? "<stdin>" : name);
}

VerifiedGains parseVerifiedGains(const std::string &text, const std::string &name) {
  return GainsParser(text, name).parse();
}

} // namespace sendwright
