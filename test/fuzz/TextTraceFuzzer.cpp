// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text traces: what is imported is exported and imported again, simulated and analysed.

#include "test/fuzz/Commands.h"
#include "test/fuzz/Mutator.h"
#include "test/fuzz/Scratch.h"
#include "test/fuzz/TextMutations.h"

using namespace sendwright::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string file = writeScratch("input.trace", viewOf(data, size)),
                    profile = scratchFile("imported.prof"), text = scratchFile("exported.trace"),
                    again = scratchFile("again.trace");
  if (!run({"trace", "import", file, "-o", profile})) {
    if (run({"analyze", "epochs", file}) || run({"simulate", file}))
      finding("a trace is analysed that cannot be imported");
    return 0;
  }
  if (!run({"show", profile, "--json"}))
    finding("what was imported cannot be read");
  if (run({"trace", "export", profile, "-o", text}) &&
      (!run({"trace", "import", text, "-o", profile}) ||
       !run({"trace", "export", profile, "-o", again}) || readScratch(text) != readScratch(again)))
    finding("what was exported does not come back");
  run({"analyze", "epochs", file, "--boundaries", scratchFile("boundaries")});
  run({"analyze", "epochs", file, "--buffers", "1"});
  run({"simulate", file, "--machine", inputFile("machine.json")});
  run({"plan", profile, "-o", scratchFile("output.plan"), "--choose", "replay"});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t mostSize, unsigned seed) {
  static const std::vector<std::string> words = {
      "send",          "ssend",      "bsend",        "rsend",      "isend",
      "issend",        "ibsend",     "irsend",       "recv",       "irecv",
      "wait",          "free",       "cancel",       "collective", "compute",
      "truncated",     "rank",       "ranks",        "null",       "*",
      "tag=1",         "tag=*",      "comm=1",       "comm=0",     "bytes=8",
      "bytes=1000000", "site=a.c:1", "site=b%20c:2", "req=0",      "req=1",
      "req=0,1",       "t=0.5",      "from=0",       "from=1",     "root=0",
      "barrier",       "bcast",      "ibarrier",     "allreduce",  "iallreduce",
      "scan",          "alltoall",   "comm_dup",     "comm_split", "#"};
  return handOver(mutatedText(std::string(viewOf(data, size)), words, seed), data, size, mostSize);
}
