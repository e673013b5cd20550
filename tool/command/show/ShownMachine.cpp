// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/ShownMachine.h"

#include "analysis/file/Escaping.h"

#include <string>

namespace sendwright {

void printUnstableFigures(std::FILE *out, const Machine &machine) {
  std::string names;
  for (const std::string &name : machine.unstable)
    names += (names.empty() ? "" : "; ") + printable(name);
  if (!names.empty())
    std::fprintf(out, "  unstable when measured, so predictions are unreliable: %s\n",
                 names.c_str());
}

} // namespace sendwright
