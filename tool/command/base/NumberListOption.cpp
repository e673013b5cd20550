// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/base/NumberListOption.h"

#include "analysis/file/FormatError.h"
#include "analysis/file/NumberList.h"

#include <CLI/CLI.hpp>

namespace sendwright {

CLI::Option *addNumberListOption(CLI::App &command, const std::string &name, std::string &value,
                                 const std::string &description, const NumberListSyntax &syntax) {
  return command.add_option(name, value, description)
      ->check(CLI::Validator(
          [syntax](const std::string &text) {
            try {
              if (!text.starts_with('@'))
                parseNumberList(text, "", syntax.expected, syntax.largest);
              return std::string();
            } catch (const FormatError &error) { // its message begins with the option's name
              return std::string(error.what()).substr(2);
            }
          },
          syntax.shown));
}

} // namespace sendwright
