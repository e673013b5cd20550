// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Communication matrices: two in a file, divided by a line of dashes; after a second such line, the
// work between them.

#include "test/fuzz/Commands.h"
#include "test/fuzz/Mutator.h"
#include "test/fuzz/Scratch.h"
#include "test/fuzz/TextMutations.h"

using namespace sendwright::fuzz;

namespace {

/// Takes the part before the next line of dashes out of `text`.
std::string_view takePart(std::string_view &text) {
  constexpr std::string_view divider = "---\n";
  const std::size_t end = std::min(text.find(divider), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + divider.size(), text.size()));
  return part;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  std::string_view rest = viewOf(data, size);
  const std::string first = writeScratch("first.txt", takePart(rest)),
                    second = writeScratch("second.txt", takePart(rest)),
                    work = writeScratch("work.txt", rest);
  run({"analyze", "ordering", first, second});
  run({"analyze", "ordering", first, second, "--work", work, "--json"});
  run({"analyze", "sharing", first});
  run({"analyze", "sharing", second, "--item-bytes", "4096", "--machine", inputFile("machine.json"),
       "--json"});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t mostSize, unsigned seed) {
  static const std::vector<std::string> words = {
      "#",   "K=8", "# K=4",     "0:",  "1:",  "7:",  "0:1",
      "1:3", "2:0", "3:1000000", "---", "5us", "1.5", "2ms"};
  return handOver(mutatedText(std::string(viewOf(data, size)), words, seed), data, size, mostSize);
}
