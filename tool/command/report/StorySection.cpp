// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the run takes, where it waits, and how efficient it is, by the figures of the
// Performance Optimisation and Productivity centre (pop-coe.eu):
//
//   parallel efficiency = load balance * communication efficiency
//   communication efficiency = serialisation efficiency * transfer efficiency
//
// Load balance compares the ranks' computation, communication efficiency the longest computation
// with the run; transfer efficiency compares a network without costs with the run, and
// serialisation efficiency the longest computation with the run on such a network.

#include "tool/command/report/ReportSections.h"
#include "tool/command/show/ShownLeftOut.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostWaitingPlaces = 10;

Json ratio(double part, double whole) { return whole > 0 ? Json(part / whole) : Json(nullptr); }

/// `ideal`: of the same run on a network without costs.
Json efficiencies(const char *run, double seconds, double ideal,
                  const std::vector<double> &computation) {
  const double sum = std::accumulate(computation.begin(), computation.end(), 0.0);
  const double most =
      computation.empty() ? 0 : *std::max_element(computation.begin(), computation.end());
  const double average = computation.empty() ? 0 : sum / static_cast<double>(computation.size());
  return {{"run", run},
          {"seconds", seconds},
          {"ideal_seconds", ideal},
          {"computation_average", average},
          {"computation_longest", most},
          {"parallel_efficiency", ratio(average, seconds)},
          {"load_balance", ratio(average, most)},
          {"communication_efficiency", ratio(most, seconds)},
          {"serialisation_efficiency", ratio(most, ideal)},
          {"transfer_efficiency", ratio(ideal, seconds)}};
}

Json ofSimulation(const char *name, const ReportedSimulation &simulation) {
  // Computation is that of the simulated part; the rest of the run is taken to be alike.
  const RunSimulation &run = simulation.run;
  const double part = run.seconds > 0 ? run.wholeSeconds / run.seconds : 1;
  std::vector<double> computation;
  for (const SimulatedRank &rank : run.ranks)
    computation.push_back(part * rank.computation);
  return efficiencies(name, run.wholeSeconds, simulation.idealSeconds, computation);
}

/// Nothing for a profile without times.
Json ofRecording(const ReportData &data) {
  double seconds = 0;
  std::vector<double> computation;
  for (const RankProfile &rank : data.profile.ranks) {
    if (rank.statistics.empty())
      return nullptr;
    seconds = std::max(seconds, rank.seconds);
    double &sum = computation.emplace_back();
    for (const EventStatistics &each : rank.statistics)
      sum += each.before;
  }
  // Interruptions that a simulated run leaves out are part of the recorded computation.
  const double ideal = std::max(data.written.idealSeconds,
                                *std::max_element(computation.begin(), computation.end()));
  return efficiencies("recorded", seconds, ideal, computation);
}

Json waitingPlaces(const RunSimulation &run) {
  std::vector<const SimulatedPlace *> places;
  for (const SimulatedPlace &place : run.places)
    if (place.waiting > 0)
      places.push_back(&place);
  std::stable_sort(places.begin(), places.end(), [](const auto *one, const auto *other) {
    return one->waiting > other->waiting;
  });
  places.resize(std::min(places.size(), mostWaitingPlaces));
  Json json = Json::array();
  for (const SimulatedPlace *place : places)
    json.push_back({{"place", place->place},
                    {"function", place->function},
                    {"seconds", place->waiting},
                    {"waits", place->waits}});
  return json;
}

Json simulationJson(const ReportedSimulation &simulation) {
  const RunSimulation &run = simulation.run;
  SimulatedRank sum;
  for (const SimulatedRank &rank : run.ranks) {
    sum.computation += rank.computation;
    sum.overhead += rank.overhead;
    sum.waiting += rank.waiting;
  }
  return {{"seconds", run.wholeSeconds},  {"simulated_seconds", run.seconds},
          {"messages", run.messages},     {"computation", sum.computation},
          {"overhead", sum.overhead},     {"waiting", sum.waiting},
          {"places", waitingPlaces(run)}, {"ranks_not_at_their_end", run.stuck},
          {"left_out", run.leftOut}};
}

} // namespace

Json storySection(const ReportData &data) {
  Json json = {{"cut", data.timeline.cut},
               {"not_recorded", leftOutJson(data.profile)},
               {"efficiency", Json::array()}};
  Json recorded = ofRecording(data);
  json["recorded"] = !recorded.is_null();
  if (!recorded.is_null())
    json["efficiency"].push_back(std::move(recorded));
  json["efficiency"].push_back(ofSimulation("written", data.written));
  json["written"] = simulationJson(data.written);
  if (data.planned) {
    json["efficiency"].push_back(ofSimulation("planned", *data.planned));
    json["planned"] = simulationJson(*data.planned);
  }
  return json;
}

} // namespace sendwright
