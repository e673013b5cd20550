// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/benchmark/sharing/RouteWords.h"

#include <cstdio>
#include <fstream>

namespace sendwright {

namespace {

constexpr int mostDimensions = 5;

class MethodFiles {
public:
  MethodFiles(const ExchangePattern &pattern, std::string folder)
      : pattern(pattern), folder(std::move(folder)) {}

  void add(const std::string &name, const SharedRoutes &routes) {
    std::printf("%s %.2f %s\n", name.c_str(), routes.seconds * 1e6, routes.method.c_str());
    if (routes.table.stages < 2)
      return; // messages go as the program sends them
    std::ofstream file(folder + "/" + name + ".words");
    file << "ranks " << pattern.ranks << "\nsite 1\nexchange stages=" << routes.table.stages
         << "\n";
    for (std::size_t index = 0; index < pattern.messages.size(); ++index) {
      file << "route " << pattern.messages[index].source << " "
           << pattern.messages[index].destination << " 3";
      for (const Hop &hop : routes.table.routes[index])
        file << " " << hop.stage << ":" << hop.target;
      file << "\n";
    }
    good = good && file.flush();
  }

  bool allWritten() const { return good; }

private:
  const ExchangePattern &pattern;
  std::string folder;
  bool good = true;
};

} // namespace

int writeRouteWords(const ExchangePattern &pattern, const SharingAnalysis &analysis,
                    const std::string &folder) {
  MethodFiles files(pattern, folder);
  files.add("direct", analysis.direct);
  files.add("phase-one", analysis.phaseOne);
  files.add("phase-two", analysis.phaseTwo);
  for (const SharedRoutes &routes : analysis.storeAndForward)
    if (routes.table.stages <= mostDimensions)
      files.add("store-and-forward-" + std::to_string(routes.table.stages), routes);
  files.add("selected", analysis.selected());
  return files.allWritten() ? 0 : 1;
}

} // namespace sendwright
