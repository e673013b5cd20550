// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/calibration/CalibratedMachine.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"
#include "analysis/machine/MessageCost.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace sendwright {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Four digits: the rest is noise.
double rounded(double value) { return std::strtod(formatted("%.3e", value).c_str(), nullptr); }

OrderedJson parametersJson(const LinkParameters &link) {
  return {{"L", link.L},           {"o_send", link.o_send},
          {"o_recv", link.o_recv}, {"g", link.g},
          {"G", link.G},           {"O", link.O},
          {"O_recv", link.O_recv}, {"eager_limit", static_cast<std::int64_t>(link.eager_limit)}};
}

OrderedJson figureJson(const Figure &figure) {
  OrderedJson json = {{"median", rounded(figure.median)},
                      {"spread", rounded(figure.spread)},
                      {"stable", figure.stable}};
  if (!figure.note.empty())
    json["note"] = figure.note;
  return json;
}

/// The measurements behind one link, which predictions do not read.
OrderedJson measurementsJson(const CalibratedLink &link) {
  OrderedJson json;
  LinkFigures figures = link.figures;
  for (const auto &[name, figure] : namedFigures(figures))
    json[name] = figureJson(*figure);
  json["g"]["seen"] = link.figures.gapSeen;
  json["eager_limit_found"] = link.eagerLimitFound;
  json["rounds"] = link.rounds;
  json["latencies"] = OrderedJson::array();
  for (const auto &[rank, seconds] : link.latencies)
    json["latencies"].push_back({{"rank", rank}, {"L", rounded(seconds)}});
  json["sizes"] = OrderedJson::array();
  for (const SizeTimes &times : link.small)
    json["sizes"].push_back({{"bytes", static_cast<std::int64_t>(times.bytes)},
                             {"send", rounded(times.send)},
                             {"receive", rounded(times.receive)},
                             {"round_trip", rounded(times.roundTrip)}});
  json["streams"] = OrderedJson::array();
  for (const StreamTimes &times : link.large)
    json["streams"].push_back(
        {{"bytes", static_cast<std::int64_t>(times.bytes)}, {"interval", rounded(times.interval)}});
  return json;
}

OrderedJson incastJson(const CalibratedIncast &row) {
  OrderedJson json = {{"senders", row.senders},
                      {"bytes", static_cast<std::int64_t>(row.bytes)},
                      {"factor", rounded(row.factor.median)},
                      {"spread", rounded(row.factor.spread)},
                      {"seconds", rounded(row.seconds.median)},
                      {"stable", row.factor.stable}};
  if (!row.factor.note.empty())
    json["note"] = row.factor.note;
  return json;
}

OrderedJson collectiveJson(const CalibratedCollective &row, int ranks) {
  OrderedJson json = {{"operation", nameOf(row.operation)},
                      {"ranks", ranks},
                      {"bytes", static_cast<std::int64_t>(row.bytes)},
                      {"seconds", rounded(row.seconds.median)},
                      {"spread", rounded(row.seconds.spread)},
                      {"stable", row.seconds.stable}};
  if (!row.seconds.note.empty())
    json["note"] = row.seconds.note;
  return json;
}

} // namespace

double incastFactor(const LinkFigures &link, int senders, double bytes, double seconds) {
  CalibratedLink measured;
  measured.figures = link;
  LinkParameters parameters = parametersOf(measured);
  const MessageCost asking = messageCost(parameters, 1);
  parameters.O = parameters.O_recv = 0; // measured with small messages, but these are large
  const MessageCost message = messageCost(parameters, bytes);
  const double expected =
      asking.delivery() + message.delivery() +
      (senders - 1) * std::max(asking.sendInterval(), message.receiveInterval());
  return expected > 0 ? seconds / expected : 0;
}

LinkParameters parametersOf(const CalibratedLink &link) {
  const LinkFigures &figures = link.figures;
  return {rounded(figures.L.median),      rounded(figures.o_send.median),
          rounded(figures.o_recv.median), rounded(figures.g.median),
          rounded(figures.G.median),      rounded(figures.O.median),
          rounded(figures.O_recv.median), link.eagerLimit};
}

std::vector<std::string> unstableFigures(const CalibratedMachine &machine) {
  std::vector<std::string> names;
  const auto add = [&](const std::optional<CalibratedLink> &link, const std::string &where) {
    if (!link)
      return;
    LinkFigures figures = link->figures;
    for (const auto &[name, figure] : namedFigures(figures))
      if (!figure->stable)
        names.push_back(where + ": " + name);
  };
  add(machine.between, "between nodes");
  add(machine.within, "within a node");
  if (machine.nodePort && !machine.nodePort->g.stable)
    names.emplace_back("port of a node: g");
  if (machine.nodePort && !machine.nodePort->G.stable)
    names.emplace_back("port of a node: G");
  for (const CalibratedIncast &row : machine.incast)
    if (!row.factor.stable)
      names.push_back("incast: " + std::to_string(row.senders) + " senders of " +
                      std::to_string(static_cast<long long>(row.bytes)) + " bytes");
  for (const CalibratedCollective &row : machine.collectives)
    if (!row.seconds.stable)
      names.push_back(std::string(nameOf(row.operation)) + ": " +
                      std::to_string(static_cast<long long>(row.bytes)) + " bytes");
  return names;
}

std::string machineFileOf(const CalibratedMachine &machine) {
  OrderedJson json = {{"name", machine.name}};
  if (const auto &link = machine.between ? machine.between : machine.within)
    json.update(parametersJson(parametersOf(*link)));
  json["ranks_per_node"] = machine.ranksPerNode;
  if (machine.within)
    json["intra"] = parametersJson(parametersOf(*machine.within));
  if (machine.nodePort)
    json["node_port"] = {{"g", rounded(machine.nodePort->g.median)},
                         {"G", rounded(machine.nodePort->G.median)}};
  if (!machine.incast.empty()) {
    json["incast"] = OrderedJson::array();
    for (const CalibratedIncast &row : machine.incast)
      json["incast"].push_back(incastJson(row));
  }
  for (const CalibratedCollective &row : machine.collectives)
    json["measured_collectives"].push_back(collectiveJson(row, machine.ranks));
  json["duplication"] = {{"ranks", machine.ranks}, {"seconds", rounded(machine.duplication)}};
  OrderedJson &calibration =
      json["calibration"] = {{"mpi", machine.mpi},
                             {"ranks", machine.ranks},
                             {"nodes", machine.nodes},
                             {"processors_per_node", machine.processorsPerNode},
                             {"seconds", rounded(machine.seconds)},
                             {"unstable", unstableFigures(machine)}};
  if (machine.between)
    calibration["between"] = measurementsJson(*machine.between);
  if (machine.within)
    calibration["within"] = measurementsJson(*machine.within);
  if (machine.nodePort) {
    calibration["node_port"] = {{"g", figureJson(machine.nodePort->g)},
                                {"G", figureJson(machine.nodePort->G)}};
    calibration["node_port"]["g"]["seen"] = machine.nodePort->gapSeen;
  }
  return escaped(json.dump(2, ' ', false, OrderedJson::error_handler_t::replace),
                 TextPlace::JsonDocument) +
         "\n";
}

} // namespace sendwright
