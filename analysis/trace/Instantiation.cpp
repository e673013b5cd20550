// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/Instantiation.h"

namespace sendwright {

namespace {

constexpr std::string_view digits = "0123456789";

/// Removes ":12" from the end of a text; false if it ends in another way.
bool removeNumber(std::string_view &text) {
  const std::size_t last = text.find_last_not_of(digits);
  if (last == std::string_view::npos || last + 1 == text.size() || text[last] != ':')
    return false;
  text = text.substr(0, last);
  return true;
}

/// The file of "src/app.cpp:12:3" without its folders; "" for any other text.
std::string_view fileOfPlace(std::string_view place) {
  const bool hasColumn = removeNumber(place), hasLine = removeNumber(place);
  if (!hasColumn || !hasLine)
    return "";
  return place.substr(place.rfind('/') + 1); // npos + 1 is 0
}

} // namespace

std::string instantiationIn(std::string_view function) {
  const std::size_t open = function.find(" [");
  if (open == std::string_view::npos || function.back() != ']')
    return "";
  std::string_view rest = function.substr(open + 2, function.size() - open - 3);
  std::string result;
  constexpr std::string_view at = " at ";
  for (std::size_t found; (found = rest.find(at)) != std::string_view::npos;) {
    const std::string_view place = rest.substr(found + at.size());
    // A folder's name may contain brackets, too.
    std::size_t end = place.find(')');
    while (end != std::string_view::npos && fileOfPlace(place.substr(0, end)).empty())
      end = place.find(')', end + 1);
    if (end == std::string_view::npos)
      break;
    result.append(rest.substr(0, found)).append(" in ").append(fileOfPlace(place.substr(0, end)));
    rest = place.substr(end);
  }
  return result.append(rest);
}

} // namespace sendwright
