// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/calibration/MachineFile.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/file/FigureText.h"
#include "analysis/file/JsonText.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/machine/MachineRanges.h"
#include "analysis/schedules/MpiAlgorithms.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace sendwright {

namespace {

using Json = nlohmann::json;

class MachineParser {
public:
  MachineParser(const std::string &text, std::string name) : text(text, std::move(name)) {}

  Machine parse() {
    Json json = text.parse("an object with L, o_send, o_recv, g and G");
    if (!json.is_object())
      text.fail(std::string("found ") + json.type_name() + ", expected an object of parameters");
    Machine machine;
    if (json.contains("name")) {
      if (!json["name"].is_string())
        text.wrong("name", json["name"], "text");
      machine.name = json["name"];
    }
    machine.between = readLink(json);
    if (json.contains("intra")) {
      text.searchFromKey("intra");
      if (!json["intra"].is_object())
        text.wrong("intra", json["intra"], "an object of parameters");
      machine.within = readLink(json["intra"]);
      text.searchFrom(0);
    }
    machine.ranks_per_node = readCount(json, "ranks_per_node", 1);
    machine.shared_ports = readFlag(json, "shared_ports", false);
    machine.intra_ports = readFlag(json, "intra_ports", true);
    if (json.contains("node_port"))
      machine.node_port = readNodePort(json["node_port"]);
    if (json.contains("incast"))
      machine.incast = readIncast(json["incast"]);
    if (json.contains("measured_collectives"))
      machine.measured_collectives = readMeasured(json["measured_collectives"]);
    if (json.contains("duplication"))
      machine.duplication = readDuplication(json["duplication"]);
    if (json.contains("calibration") && json["calibration"].is_object() &&
        json["calibration"].contains("unstable"))
      machine.unstable = readNames(json["calibration"]["unstable"]);
    if (json.contains("collectives"))
      machine.collectives = readCollectives(json["collectives"]);
    return machine;
  }

private:
  LinkParameters readLink(const Json &json) {
    LinkParameters link;
    link.L = readTime(json, "L");
    link.o_send = readTime(json, "o_send");
    link.o_recv = readTime(json, "o_recv");
    link.g = readTime(json, "g");
    link.G = readTime(json, "G");
    link.O = readTime(json, "O", 0.0);
    link.O_recv = readTime(json, "O_recv", link.O);
    link.eager_limit = readReal(json, "eager_limit", mostMachineBytes, 65536.0);
    if (json.contains("handshake"))
      link.handshake = readTime(json, "handshake");
    if (json.contains("large"))
      link.large = readLarge(json["large"]);
    return link;
  }

  LargeMessages readLarge(const Json &json) {
    const std::size_t around = text.searchStart();
    text.searchFromKey("large", around);
    if (!json.is_object())
      text.wrong("large", json, "an object of parameters");
    LargeMessages large;
    large.from = readReal(json, "from", mostMachineBytes);
    large.o_send = readTime(json, "o_send");
    large.o_recv = readTime(json, "o_recv");
    large.O = readTime(json, "O", 0.0);
    large.O_recv = readTime(json, "O_recv", large.O);
    text.searchFrom(around);
    return large;
  }

  NodePort readNodePort(const Json &json) {
    text.searchFromKey("node_port");
    if (!json.is_object())
      text.wrong("node_port", json, "an object with g and G");
    const NodePort port{readTime(json, "g"), readTime(json, "G")};
    text.searchFrom(0);
    return port;
  }

  /// The time of a message or of a byte, in seconds.
  double readTime(const Json &json, const char *key, std::optional<double> otherwise = {}) {
    const double value = readReal(json, key, mostMachineSeconds, otherwise);
    if (json.contains(key) && !isMachineTime(value))
      text.wrong(key, json[key], "0, or 1e-18 to 1e6 seconds");
    return value;
  }

  double readReal(const Json &json, const char *key, double most,
                  std::optional<double> otherwise = {}) {
    if (!json.contains(key)) {
      if (otherwise)
        return *otherwise;
      text.fail(std::string("no \"") + key + "\", expected it as a number of at least 0");
    }
    const Json &value = json[key];
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
      text.wrong(key, value, "a number of at least 0");
    if (value.get<double>() > most)
      text.wrong(key, value, formatted("at most %g", most));
    return value;
  }

  int readCount(const Json &json, const char *key, int otherwise) {
    if (!json.contains(key))
      return otherwise;
    const Json &value = json[key];
    if (!value.is_number_integer() || value.get<double>() < 1 || value.get<double>() > 1 << 22)
      text.wrong(key, value, "a whole number of at least 1");
    return value;
  }

  bool readFlag(const Json &json, const char *key, bool otherwise) {
    if (!json.contains(key))
      return otherwise;
    if (!json[key].is_boolean())
      text.wrong(key, json[key], "true or false");
    return json[key];
  }

  Duplication readDuplication(const Json &json) {
    text.searchFromKey("duplication");
    if (!json.is_object())
      text.wrong("duplication", json, "an object with ranks and seconds");
    Duplication duplication;
    duplication.ranks = readCount(json, "ranks", 1);
    duplication.seconds = readTime(json, "seconds");
    text.searchFrom(0);
    return duplication;
  }

  std::vector<std::string> readNames(const Json &json) {
    text.searchFromKey("calibration");
    if (!json.is_array() ||
        !std::all_of(json.begin(), json.end(), [](const Json &name) { return name.is_string(); }))
      text.wrong("unstable", json, "a list of names of figures");
    text.searchFrom(0);
    return json.get<std::vector<std::string>>();
  }

  std::map<std::string, std::vector<AlgorithmRow>> readCollectives(const Json &json) {
    text.searchFromKey("collectives");
    const std::size_t begin = text.searchStart();
    if (!json.is_object())
      text.wrong("collectives", json, "an object with lists of rows {ranks, bytes, algorithm}");
    std::map<std::string, std::vector<AlgorithmRow>> operations;
    for (const auto &[operation, rows] : json.items()) {
      text.searchFrom(begin);
      const std::vector<std::string> known = mpiAlgorithmNames(operation);
      if (known.empty())
        text.wrong(operation, rows, "an operation, one of " + listed(mpiOperationNames()));
      text.searchFromKey(operation, begin);
      if (!rows.is_array())
        text.wrong(operation, rows, "a list of rows {ranks, bytes, algorithm}");
      for (const Json &row : rows)
        operations[operation].push_back(readAlgorithm(operation, row, known));
    }
    text.searchFrom(0);
    return operations;
  }

  AlgorithmRow readAlgorithm(const std::string &operation, const Json &row,
                             const std::vector<std::string> &known) {
    if (!row.is_object())
      text.wrong(operation, row, "rows {ranks, bytes, algorithm}");
    if (!row.contains("algorithm"))
      text.fail("a row of \"" + operation + "\" without \"algorithm\", expected one of " +
                listed(known));
    AlgorithmRow read{readCount(row, "ranks", 1), readReal(row, "bytes", mostMachineBytes, 0.0), "",
                      readTime(row, "setup", 0.0)};
    const Json &algorithm = row["algorithm"];
    text.searchFromKey("algorithm", text.searchStart());
    if (!algorithm.is_string() ||
        std::find(known.begin(), known.end(), algorithm.get<std::string>()) == known.end())
      text.wrong("algorithm", algorithm, "one of " + listed(known));
    read.algorithm = algorithm;
    text.searchFrom(text.searchStart() + 1); // the next row comes after it
    return read;
  }

  static std::string listed(const std::vector<std::string> &names) {
    std::string list;
    for (const std::string &name : names)
      list += (list.empty() ? "\"" : ", \"") + name + '"';
    return list;
  }

  std::vector<IncastRow> readIncast(const Json &json) {
    text.searchFromKey("incast");
    if (!json.is_array())
      text.wrong("incast", json, "a list of rows {senders, bytes, factor}");
    std::vector<IncastRow> rows;
    for (Json row : json) {
      if (row.is_array() && row.size() == 3)
        row = Json{{"senders", row[0]}, {"bytes", row[1]}, {"factor", row[2]}};
      if (!row.is_object())
        text.wrong("incast", row, "rows {senders, bytes, factor}");
      rows.push_back({readCount(row, "senders", 1), readReal(row, "bytes", mostMachineBytes),
                      readReal(row, "factor", mostIncastFactor)});
    }
    text.searchFrom(0);
    return rows;
  }

  std::vector<MeasuredCollective> readMeasured(const Json &json) {
    const char *const key = "measured_collectives";
    text.searchFromKey(key);
    if (!json.is_array())
      text.wrong(key, json, "a list of rows {operation, ranks, bytes, seconds}");
    std::vector<MeasuredCollective> rows;
    for (const Json &row : json) {
      if (!row.is_object())
        text.wrong(key, row, "rows {operation, ranks, bytes, seconds}");
      // Each row begins after the previous row, so that a wrong value is found in its own row.
      text.searchFromNext("{");
      const auto &operations = allCollectives();
      const Json operation = row.value("operation", Json());
      if (std::none_of(operations.begin(), operations.end(), [&](Collective known) {
            return operation == std::string(nameOf(known)) && !libraryFunctionOf(known).empty();
          }))
        text.wrong("operation", operation,
                   "broadcast, scatter, gather, allgather, all-to-all or reduce");
      for (const char *needed : {"ranks", "bytes", "seconds"})
        readReal(row, needed, mostMachineBytes);
      rows.push_back({operation, readCount(row, "ranks", 1),
                      readReal(row, "bytes", mostMachineBytes), readTime(row, "seconds")});
    }
    text.searchFrom(0);
    return rows;
  }

  JsonText text;
};

} // namespace

Machine readMachine(const std::string &name) {
  return parseMachine(readTextFile(name), name == "-" ? "<stdin>" : name);
}

Machine parseMachine(const std::string &text, const std::string &name) {
  return MachineParser(text, name).parse();
}

} // namespace sendwright
