// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/JsonText.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/JsonNesting.h"
#include "analysis/file/Limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace sendwright {

JsonText::JsonText(const std::string &text, std::string name) : text(text), name(std::move(name)) {}

nlohmann::json JsonText::parse(const std::string &expected) const {
  if (const std::size_t deep = findDeepNesting(text, limits::jsonNesting);
      deep != std::string_view::npos)
    failAt(deep, "lists and objects within one another, expected at most " +
                     std::to_string(limits::jsonNesting) + " levels");
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error &error) {
    failAt(std::min(error.byte, text.size()), "not JSON, expected " + expected);
  } catch (const nlohmann::json::exception &) {
    failAt(0, "a number that is too large, expected finite numbers");
  }
}

void JsonText::searchFrom(std::size_t position) { scope = std::min(position, text.size()); }

void JsonText::searchFromKey(const std::string &key, std::size_t position) {
  searchFrom(text.find('"' + key + '"', position));
}

void JsonText::searchFromNext(std::string_view word) { searchFrom(text.find(word, scope + 1)); }

void JsonText::wrong(const std::string &key, const nlohmann::json &value,
                     const std::string &expected) const {
  const std::size_t position = text.find('"' + key + '"', scope);
  failAt(position == std::string::npos ? scope : position,
         "\"" + key + "\" is " +
             value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).substr(0, 60) +
             ", expected " + expected);
}

void JsonText::fail(const std::string &problem) const { failAt(scope, problem); }

void JsonText::failAt(std::size_t position, const std::string &problem) const {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(position), '\n');
  throw FormatError(name + ":" + std::to_string(line) + ": " + problem);
}

} // namespace sendwright
