// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A JSON file that anybody may have edited. The JSON library reports the place of text that is not
// JSON; if a value is wrong, its key is looked up in the text, so that every message has a line.

#ifndef SENDWRIGHT_ANALYSIS_FILE_JSONTEXT_H
#define SENDWRIGHT_ANALYSIS_FILE_JSONTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace sendwright {

/// The text of such a file, and its messages about what is wrong in it.
class JsonText {
public:
  /// `text` must outlive this object; `name` is for messages.
  JsonText(const std::string &text, std::string name);

  /// The whole text. Throws FormatError if it is not JSON, nests deeply, or has numbers that no
  /// double holds. `expected`: what is said of text that is not JSON.
  nlohmann::json parse(const std::string &expected) const;

  /// Where the search for keys begins: at first, with the text.
  std::size_t searchStart() const { return scope; }
  void searchFrom(std::size_t position);
  /// From the first `key` at or behind `position` on; from the end if there is none. Linear.
  void searchFromKey(const std::string &key, std::size_t position = 0);
  /// From the next `word` behind where the search begins now; from the end if there is none.
  /// Linear.
  void searchFromNext(std::string_view word);

  /// Throws FormatError: "NAME:LINE: "KEY" is VALUE, expected EXPECTED", with the line of the key.
  [[noreturn]] void wrong(const std::string &key, const nlohmann::json &value,
                          const std::string &expected) const;
  /// Throws FormatError: "NAME:LINE: PROBLEM", with the line where the search for keys begins.
  [[noreturn]] void fail(const std::string &problem) const;
  /// The same with the line of `position`.
  [[noreturn]] void failAt(std::size_t position, const std::string &problem) const;

private:
  const std::string &text;
  std::string name;
  std::size_t scope = 0; // where the search for keys begins
};

} // namespace sendwright

#endif
