// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON library reports the place of text that is not JSON. If a value is wrong, its key is
// looked up in the text, so that every message has a line.

#include "analysis/calibration/MachineFile.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/file/FigureText.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/JsonNesting.h"
#include "analysis/file/Limits.h"
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
  MachineParser(const std::string &text, std::string name) : text(text), name(std::move(name)) {}

  Machine parse() {
    Json json = parseJson();
    if (!json.is_object())
      fail(1, std::string("found ") + json.type_name() + ", expected an object of parameters");
    Machine machine;
    if (json.contains("name")) {
      if (!json["name"].is_string())
        wrong("name", json["name"], "text");
      machine.name = json["name"];
    }
    machine.between = readLink(json);
    if (json.contains("intra")) {
      scope = std::min(text.find("\"intra\""), text.size());
      if (!json["intra"].is_object())
        wrong("intra", json["intra"], "an object of parameters");
      machine.within = readLink(json["intra"]);
      scope = 0;
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
  Json parseJson() {
    if (const std::size_t deep = findDeepNesting(text, limits::jsonNesting);
        deep != std::string_view::npos)
      fail(lineAt(deep), "lists and objects within one another, expected at most " +
                             std::to_string(limits::jsonNesting) + " levels");
    try {
      return Json::parse(text);
    } catch (const Json::parse_error &error) {
      std::size_t line = lineAt(std::min(error.byte, text.size()));
      fail(line, "not JSON, expected an object with L, o_send, o_recv, g and G");
    } catch (const Json::exception &) {
      fail(1, "a number that is too large, expected finite numbers");
    }
  }

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
    const std::size_t around = scope;
    scope = std::min(text.find("\"large\"", around), text.size());
    if (!json.is_object())
      wrong("large", json, "an object of parameters");
    LargeMessages large;
    large.from = readReal(json, "from", mostMachineBytes);
    large.o_send = readTime(json, "o_send");
    large.o_recv = readTime(json, "o_recv");
    large.O = readTime(json, "O", 0.0);
    large.O_recv = readTime(json, "O_recv", large.O);
    scope = around;
    return large;
  }

  NodePort readNodePort(const Json &json) {
    scope = std::min(text.find("\"node_port\""), text.size());
    if (!json.is_object())
      wrong("node_port", json, "an object with g and G");
    const NodePort port{readTime(json, "g"), readTime(json, "G")};
    scope = 0;
    return port;
  }

  /// The time of a message or of a byte, in seconds.
  double readTime(const Json &json, const char *key, std::optional<double> otherwise = {}) {
    const double value = readReal(json, key, mostMachineSeconds, otherwise);
    if (json.contains(key) && !isMachineTime(value))
      wrong(key, json[key], "0, or 1e-18 to 1e6 seconds");
    return value;
  }

  double readReal(const Json &json, const char *key, double most,
                  std::optional<double> otherwise = {}) {
    if (!json.contains(key)) {
      if (otherwise)
        return *otherwise;
      fail(lineAt(scope), std::string("no \"") + key + "\", expected it as a number of at least 0");
    }
    const Json &value = json[key];
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
      wrong(key, value, "a number of at least 0");
    if (value.get<double>() > most)
      wrong(key, value, formatted("at most %g", most));
    return value;
  }

  int readCount(const Json &json, const char *key, int otherwise) {
    if (!json.contains(key))
      return otherwise;
    const Json &value = json[key];
    if (!value.is_number_integer() || value.get<double>() < 1 || value.get<double>() > 1 << 22)
      wrong(key, value, "a whole number of at least 1");
    return value;
  }

  bool readFlag(const Json &json, const char *key, bool otherwise) {
    if (!json.contains(key))
      return otherwise;
    if (!json[key].is_boolean())
      wrong(key, json[key], "true or false");
    return json[key];
  }

  Duplication readDuplication(const Json &json) {
    scope = std::min(text.find("\"duplication\""), text.size());
    if (!json.is_object())
      wrong("duplication", json, "an object with ranks and seconds");
    Duplication duplication;
    duplication.ranks = readCount(json, "ranks", 1);
    duplication.seconds = readTime(json, "seconds");
    scope = 0;
    return duplication;
  }

  std::vector<std::string> readNames(const Json &json) {
    scope = std::min(text.find("\"calibration\""), text.size());
    if (!json.is_array() ||
        !std::all_of(json.begin(), json.end(), [](const Json &name) { return name.is_string(); }))
      wrong("unstable", json, "a list of names of figures");
    scope = 0;
    return json.get<std::vector<std::string>>();
  }

  std::map<std::string, std::vector<AlgorithmRow>> readCollectives(const Json &json) {
    const std::size_t begin = scope = std::min(text.find("\"collectives\""), text.size());
    if (!json.is_object())
      wrong("collectives", json, "an object with lists of rows {ranks, bytes, algorithm}");
    std::map<std::string, std::vector<AlgorithmRow>> operations;
    for (const auto &[operation, rows] : json.items()) {
      scope = begin;
      const std::vector<std::string> known = mpiAlgorithmNames(operation);
      if (known.empty())
        wrong(operation, rows, "an operation, one of " + listed(mpiOperationNames()));
      scope = std::min(text.find('"' + operation + '"', begin), text.size());
      if (!rows.is_array())
        wrong(operation, rows, "a list of rows {ranks, bytes, algorithm}");
      for (const Json &row : rows)
        operations[operation].push_back(readAlgorithm(operation, row, known));
    }
    scope = 0;
    return operations;
  }

  AlgorithmRow readAlgorithm(const std::string &operation, const Json &row,
                             const std::vector<std::string> &known) {
    if (!row.is_object())
      wrong(operation, row, "rows {ranks, bytes, algorithm}");
    if (!row.contains("algorithm"))
      fail(lineAt(scope), "a row of \"" + operation + "\" without \"algorithm\", expected one of " +
                              listed(known));
    AlgorithmRow read{readCount(row, "ranks", 1), readReal(row, "bytes", mostMachineBytes, 0.0), "",
                      readTime(row, "setup", 0.0)};
    const Json &algorithm = row["algorithm"];
    scope = std::min(text.find("\"algorithm\"", scope), text.size());
    if (!algorithm.is_string() ||
        std::find(known.begin(), known.end(), algorithm.get<std::string>()) == known.end())
      wrong("algorithm", algorithm, "one of " + listed(known));
    read.algorithm = algorithm;
    scope = std::min(scope + 1, text.size()); // the next row comes after it
    return read;
  }

  static std::string listed(const std::vector<std::string> &names) {
    std::string list;
    for (const std::string &name : names)
      list += (list.empty() ? "\"" : ", \"") + name + '"';
    return list;
  }

  std::vector<IncastRow> readIncast(const Json &json) {
    scope = std::min(text.find("\"incast\""), text.size());
    if (!json.is_array())
      wrong("incast", json, "a list of rows {senders, bytes, factor}");
    std::vector<IncastRow> rows;
    for (Json row : json) {
      if (row.is_array() && row.size() == 3)
        row = Json{{"senders", row[0]}, {"bytes", row[1]}, {"factor", row[2]}};
      if (!row.is_object())
        wrong("incast", row, "rows {senders, bytes, factor}");
      rows.push_back({readCount(row, "senders", 1), readReal(row, "bytes", mostMachineBytes),
                      readReal(row, "factor", mostIncastFactor)});
    }
    scope = 0;
    return rows;
  }

  std::vector<MeasuredCollective> readMeasured(const Json &json) {
    const char *const key = "measured_collectives";
    scope = std::min(text.find("\"" + std::string(key) + "\""), text.size());
    if (!json.is_array())
      wrong(key, json, "a list of rows {operation, ranks, bytes, seconds}");
    std::vector<MeasuredCollective> rows;
    for (const Json &row : json) {
      if (!row.is_object())
        wrong(key, row, "rows {operation, ranks, bytes, seconds}");
      // Each row begins after the previous row, so that a wrong value is found in its own row.
      scope = std::min(text.find('{', scope + 1), text.size());
      const auto &operations = allCollectives();
      const Json operation = row.value("operation", Json());
      if (std::none_of(operations.begin(), operations.end(), [&](Collective known) {
            return operation == std::string(nameOf(known)) && !libraryFunctionOf(known).empty();
          }))
        wrong("operation", operation,
              "broadcast, scatter, gather, allgather, all-to-all or reduce");
      for (const char *needed : {"ranks", "bytes", "seconds"})
        readReal(row, needed, mostMachineBytes);
      rows.push_back({operation, readCount(row, "ranks", 1),
                      readReal(row, "bytes", mostMachineBytes), readTime(row, "seconds")});
    }
    scope = 0;
    return rows;
  }

  std::size_t lineAt(std::size_t position) const {
    return 1 + static_cast<std::size_t>(
                   std::count(text.begin(), text.begin() + static_cast<long>(position), '\n'));
  }

  [[noreturn]] void wrong(const std::string &key, const Json &value, const std::string &expected) {
    std::size_t position = text.find('"' + key + '"', scope);
    fail(lineAt(position == std::string::npos ? scope : position),
         "\"" + key + "\" is " +
             value.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 60) +
             ", expected " + expected);
  }

  [[noreturn]] void fail(std::size_t line, const std::string &problem) const {
    throw FormatError(name + ":" + std::to_string(line) + ": " + problem);
  }

  const std::string &text;
  std::string name;
  std::size_t scope = 0; // where in the text the search for keys begins
};

} // namespace

Machine readMachine(const std::string &name) {
  return parseMachine(readTextFile(name), name == "-" ? "<stdin>" : name);
}

Machine parseMachine(const std::string &text, const std::string &name) {
  return MachineParser(text, name).parse();
}

} // namespace sendwright
