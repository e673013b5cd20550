// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a `.sendwright` file says about a project, and the same words as arguments.

#include "analysis/file/FormatError.h"
#include "test/fuzz/Mutator.h"
#include "test/fuzz/Scratch.h"
#include "test/fuzz/TextMutations.h"
#include "tool/unit/ProjectRules.h"

#include <algorithm>
#include <cstdlib>

using namespace sendwright;
using namespace sendwright::fuzz;

namespace {

void ask(const Options &options) {
  const std::string source = scratchFile("source.c");
  try {
    const ProjectRules rules = ProjectRules::forSource(source, options);
    for (const char *function : {"solve", "cblas_dgemm", "a::b::c", ""})
      rules.neverCommunicates(function);
    for (const std::string &file : {source, scratchFile("third_party/x.c"), std::string("x.c")})
      rules.leavesOut(file);
  } catch (const FormatError &error) {
    const std::string message = error.what();
    if (std::any_of(message.begin(), message.end(), [](unsigned char c) { return c < ' '; }))
      std::abort();
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  writeScratch(".sendwright", viewOf(data, size));
  ask({});
  Options options;
  options.noCommunication =
      options.leaveOut = {std::string(viewOf(data, std::min<std::size_t>(size, 64)))};
  ask(options);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t mostSize, unsigned seed) {
  static const std::vector<std::string> words = {"no-communication",
                                                 "leave-out",
                                                 "cblas_*",
                                                 "[a-z]*",
                                                 "[",
                                                 "{a,b}",
                                                 "?",
                                                 "third_party/*",
                                                 "*.c",
                                                 "#",
                                                 "\\",
                                                 "**",
                                                 "[!a]",
                                                 "{a,{b,c}}",
                                                 "[]"};
  return handOver(mutatedText(std::string(viewOf(data, size)), words, seed), data, size, mostSize);
}
