// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine files: with the result, runs are simulated and planned, and collectives and exchanges are
// compared. Half of the changes are to values of the parsed JSON, half to its text.

#include "test/fuzz/Commands.h"
#include "test/fuzz/Mutator.h"
#include "test/fuzz/Scratch.h"
#include "test/fuzz/TextMutations.h"

#include <nlohmann/json.hpp>

using namespace sendwright::fuzz;
using Json = nlohmann::json;

namespace {

const std::vector<std::string> &keys() {
  static const std::vector<std::string> known = {"L",           "o_send",
                                                 "o_recv",      "g",
                                                 "G",           "O",
                                                 "O_recv",      "eager_limit",
                                                 "handshake",   "large",
                                                 "from",        "shared_ports",
                                                 "intra_ports", "ranks_per_node",
                                                 "duplication", "measured_collectives",
                                                 "collectives", "name",
                                                 "intra",       "incast",
                                                 "senders",     "factor",
                                                 "operation",   "ranks",
                                                 "bytes",       "seconds",
                                                 "algorithm",   "setup",
                                                 "broadcast",   "alltoallv",
                                                 "calibration", "unstable"};
  return known;
}

void mutateValue(Json &value, Draw &draw) {
  static const Json wild[] = {
      nullptr,       true,           -1,       0, "fastest", "binomial tree", 1e308, 1e-308,
      Json::array(), Json::object(), 1LL << 40};
  if (value.is_number() && !draw.oneIn(8)) {
    double number = value.get<double>();
    draw.change(number);
    value = number;
  } else {
    value = wild[draw.below(std::size(wild))];
  }
}

/// Changes a value somewhere below `json`, or adds, removes or repeats one.
void mutateJson(Json &json, Draw &draw) {
  if (json.is_object() && draw.oneIn(8))
    json[keys()[draw.below(keys().size())]] = draw.oneIn(2) ? Json(1e-6) : Json::array();
  else if (json.is_array() && draw.oneIn(8) && !json.empty())
    json.push_back(Json(json[draw.below(json.size())]));
  else if (json.is_structured() && !json.empty()) {
    auto element = json.begin();
    std::advance(element, static_cast<std::ptrdiff_t>(draw.below(json.size())));
    if (draw.oneIn(16))
      json.erase(element);
    else
      mutateJson(*element, draw);
  } else {
    mutateValue(json, draw);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string file = writeScratch("input.json", viewOf(data, size));
  if (!run({"simulate", inputFile("exchanges.trace"), "--machine", file}))
    return run({"show", file}) ? (finding("a machine is shown, but not used"), 0) : 0;
  run({"show", file});
  run({"show", file, "--json"});
  run({"simulate", inputFile("collectives.trace"), "--machine", file, "--json"});
  run({"analyze", "collectives", "--ranks", "6", "--bytes", "1000", "--machine", file});
  run({"analyze", "collectives", "--ranks", "16", "--bytes", "100000", "--machine", file,
       "--json"});
  run({"analyze", "sharing", inputFile("exchange.txt"), "--machine", file});
  run({"analyze", "ordering", inputFile("exchange.txt"), inputFile("exchange.txt"), "--work", "5us",
       "--machine", file});
  const std::string profile = scratchFile("imported.prof"), plan = scratchFile("output.plan");
  for (const char *trace : {"exchanges.trace", "collectives.trace"}) {
    run({"trace", "import", inputFile(trace), "-o", profile});
    if (run({"plan", profile, "-o", plan, "--machine", file}) && !run({"show", plan}))
      finding("plan writes what cannot be read");
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t mostSize, unsigned seed) {
  Draw draw(seed);
  const std::string text(viewOf(data, size));
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || draw.oneIn(4))
    return handOver(mutatedText(text, keys(), seed), data, size, mostSize);
  for (std::size_t changes = 1 + draw.below(3); changes > 0; --changes)
    mutateJson(json, draw);
  return handOver(json.dump(-1, ' ', false, Json::error_handler_t::replace), data, size, mostSize);
}
