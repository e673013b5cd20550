// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/base/MethodOption.h"

#include "analysis/sharing/search/SharingMethod.h"

#include <CLI/CLI.hpp>

namespace sendwright {

CLI::Option *addMethodOption(CLI::App &command, std::string &method,
                             const std::string &description) {
  return command.add_option("--method", method, description)
      ->check(CLI::Validator(
          [](const std::string &text) {
            return sharingMethodOf(text) ? std::string()
                                         : text + ", expected " + std::string(sharingMethodNames) +
                                               " with D from 2 to 9";
          },
          "direct|phase1|phase2|store-and-forward[:D]|group|fastest"));
}

} // namespace sendwright
