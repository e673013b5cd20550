// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/program/UnitText.h"

#include "analysis/file/FormatError.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>

namespace sendwright {

namespace {

using Json = nlohmann::json;

const Json &partOf(const Json &site, const char *key, const std::string &where) {
  if (!site.contains(key))
    throw FormatError(where + ": no \"" + key + "\", expected what the plugin wrote");
  return site[key];
}

std::string textIn(const Json &site, const char *key, const std::string &where) {
  const Json &value = partOf(site, key, where);
  if (!value.is_string())
    throw FormatError(where + ": \"" + key + "\" is not text");
  return value;
}

template <typename Number>
Number numberIn(const Json &site, const char *key, const std::string &where) {
  const Json &value = partOf(site, key, where);
  if (!value.is_number_unsigned() ||
      value.get<std::uint64_t>() > std::numeric_limits<Number>::max())
    throw FormatError(where + ": \"" + key + "\" is not a number, or is too large");
  return value.get<Number>();
}

} // namespace

Json siteJson(const SiteIdentity &site) {
  return {{"file", site.file},
          {"function", site.function},
          {"line", site.line},
          {"ordinal", site.ordinal},
          {"hash", site.hash}};
}

SiteIdentity readSite(const Json &json, const std::string &where) {
  if (!json.is_object())
    throw FormatError(where + ": not an object, expected a site");
  return {textIn(json, "file", where),
          textIn(json, "function", where),
          numberIn<unsigned>(json, "line", where),
          numberIn<unsigned>(json, "ordinal", where),
          numberIn<std::uint64_t>(json, "hash", where),
          ""};
}

} // namespace sendwright
