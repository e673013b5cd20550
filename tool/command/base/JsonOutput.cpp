// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/base/JsonOutput.h"

#include "analysis/file/Escaping.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace sendwright {

void writeJson(const nlohmann::ordered_json &json) {
  const std::string document =
      json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::printf("%s\n", escaped(document, TextPlace::JsonDocument).c_str());
}

} // namespace sendwright
