// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/report/ReportPage.h"

#include "analysis/file/Escaping.h"
#include "tool/command/report/PageText.h"

#include <nlohmann/json.hpp>

namespace sendwright {

namespace {

/// JSON has these characters in strings alone, where the escapes mean the same.
std::string withoutMarkup(const std::string &json) {
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (const char letter : json)
    switch (letter) {
    case '<':
      text += "\\u003c";
      break;
    case '>':
      text += "\\u003e";
      break;
    case '&':
      text += "\\u0026";
      break;
    default:
      text += letter;
    }
  return text;
}

} // namespace

std::string reportPage(const nlohmann::ordered_json &data) {
  const std::string json =
      data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string page;
  for (const std::string_view piece : pageBeforeData())
    page += piece;
  page += withoutMarkup(escaped(json, TextPlace::JsonDocument));
  for (const std::string_view piece : pageAfterData())
    page += piece;
  return page;
}

} // namespace sendwright
