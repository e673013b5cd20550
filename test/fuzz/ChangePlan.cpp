// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// change-plan PLAN OUT SEED [CHANGES]: the plan with some decoded fields changed, one by
// default, and correct checksums. The changes depend only on the seed. Plans that no reader
// accepts are replaced by new ones, as long as one in a thousand is accepted. Exit status 3:
// fewer are.

#include "analysis/file/FormatError.h"
#include "test/fuzz/PlanMutations.h"
#include "test/fuzz/Scratch.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace sendwright;
using namespace sendwright::fuzz;

namespace {

bool accepted(const std::string &bytes) {
  try {
    decodePlan(bytes.data(), bytes.size(), "changed");
    return true;
  } catch (const FormatError &) {
    return false;
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "usage: change-plan PLAN OUT SEED [CHANGES]\n");
    return 2;
  }
  const std::string original = readScratch(argv[1]);
  Draw draw(std::strtoull(argv[3], nullptr, 10));
  for (int attempt = 0; attempt < 1000; ++attempt) {
    Plan plan = decodePlan(original.data(), original.size(), argv[1]);
    for (int changes = argc == 5 ? std::atoi(argv[4]) : 1; changes > 0; --changes)
      mutatePlan(plan, draw);
    const std::string changed = bytesOf(plan);
    if (changed == original || !accepted(changed))
      continue;
    std::ofstream(argv[2], std::ios::binary) << changed;
    return 0;
  }
  return 3;
}
