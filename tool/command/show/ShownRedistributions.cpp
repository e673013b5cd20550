// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownRedistributions.h"

#include "analysis/file/Escaping.h"

#include <string>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

std::string sizesText(const Json &sizes) {
  constexpr std::size_t most = 16;
  std::string text;
  for (std::size_t rank = 0; rank < sizes.size() && rank < most; ++rank)
    text += " " + sizes[rank].dump();
  return sizes.size() > most ? text + " ..." : text;
}

} // namespace

Json redistributionsJson(const std::vector<RecordedRedistribution> &list) {
  Json json = Json::array();
  for (const RecordedRedistribution &each : list)
    json.push_back({{"site", each.site.display()},
                    {"function", each.site.function},
                    {"count", each.count},
                    {"before", each.before},
                    {"after", each.after}});
  return json;
}

void printRedistributions(std::FILE *out, const Json &list) {
  if (!list.empty())
    std::fprintf(out, "\nredistributions: elements of each rank's block before and after\n");
  for (const Json &each : list)
    std::fprintf(out, "  %s in %s, %s times\n    from%s\n    to  %s\n",
                 printable(each["site"].get<std::string>()).c_str(),
                 printable(each["function"].get<std::string>()).c_str(),
                 each["count"].dump().c_str(), sizesText(each["before"]).c_str(),
                 sizesText(each["after"]).c_str());
}

} // namespace sendwright
