// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of numbers as in --old and --new: three lines, the third of which is the array's extent,
// become arguments, and the first two also files. The lists also serve as numbers of buffers and
// sizes of runs.

#include "test/fuzz/Commands.h"
#include "test/fuzz/Mutator.h"
#include "test/fuzz/Scratch.h"
#include "test/fuzz/TextMutations.h"

using namespace sendwright::fuzz;

namespace {

std::string takeLine(std::string_view &text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string line(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  std::string_view rest = viewOf(data, size);
  const std::string before = takeLine(rest), after = takeLine(rest), extent = takeLine(rest);
  const std::string beforeFile = "@" + writeScratch("before.txt", before),
                    afterFile = "@" + writeScratch("after.txt", after + "\n" + std::string(rest));
  const auto argument = [](const char *option, const std::string &value) {
    return option + ("=" + value);
  };
  run({"analyze", "redistribution", argument("--old", before), argument("--new", after)});
  run({"analyze", "redistribution", "--old", beforeFile, "--new", afterFile, "--rlr", "2",
       "--json"});
  if (!extent.empty())
    run({"analyze", "redistribution", "--old", beforeFile, "--new", afterFile,
         argument("--extent", extent)});
  run({"analyze", "epochs", inputFile("exchanges.trace"), argument("--buffers", after)});
  run({"analyze", "epochs", inputFile("exchanges.trace"), "--buffers", beforeFile});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t mostSize, unsigned seed) {
  static const std::vector<std::string> words = {
      "0", "1", "100", "0,0,0", "5,5", "9007199254740992", "#", "@-", "@/dev/null", ","};
  return handOver(mutatedText(std::string(viewOf(data, size)), words, seed), data, size, mostSize);
}
