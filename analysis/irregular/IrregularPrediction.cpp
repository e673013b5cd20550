// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/irregular/IrregularPrediction.h"

#include "analysis/calibration/MeasuredCollectives.h"
#include "analysis/file/FigureText.h"
#include "analysis/file/Limits.h"
#include "analysis/schedules/MpiAlgorithms.h"
#include "analysis/sharing/ChosenRoutes.h"

#include <algorithm>
#include <cmath>

namespace sendwright {

namespace {

/// Patterns that are simulated; others count as the mean of these.
constexpr std::size_t mostSimulated = 8;
/// Percent of a call's time. The model knows MPI's algorithm only from the machine file, so a small
/// gain is no reason to replace MPI's own function.
constexpr double clearGain = 10;

/// The schedule between ranks of the world, which share nodes as the machine file says.
Schedule amongWorldRanks(Schedule schedule, const std::vector<int> &members, std::size_t ranks) {
  Schedule world;
  world.messages = std::move(schedule.messages);
  world.ranks.resize(ranks);
  for (std::size_t member = 0; member < members.size(); ++member)
    world.ranks[static_cast<std::size_t>(members[member])] = std::move(schedule.ranks[member]);
  for (ScheduledMessage &message : world.messages) {
    message.from = static_cast<std::uint32_t>(members[message.from]);
    message.to = static_cast<std::uint32_t>(members[message.to]);
  }
  return world;
}

double secondsOf(Schedule schedule, const IrregularCalls &calls, std::size_t ranks,
                 const Machine &machine) {
  const std::vector<double> clocks =
      simulateSchedule(amongWorldRanks(std::move(schedule), calls.members(), ranks), machine);
  return *std::max_element(clocks.begin(), clocks.end());
}

std::vector<const IrregularPattern *> mostFrequent(const IrregularCalls &calls) {
  std::vector<const IrregularPattern *> known;
  for (const IrregularPattern &pattern : calls.patterns)
    if (pattern.known)
      known.push_back(&pattern);
  std::stable_sort(known.begin(), known.end(),
                   [](const auto *one, const auto *other) { return one->count > other->count; });
  known.resize(std::min(known.size(), mostSimulated));
  return known;
}

std::uint64_t mostBlocksOf(const IrregularPattern &pattern, std::size_t members) {
  std::vector<std::uint64_t> sent(members), received(members);
  forEachBlock(pattern, static_cast<std::uint32_t>(members), [&](const IrregularBlock &block) {
    ++sent[block.from];
    ++received[block.to];
  });
  return std::max(*std::max_element(sent.begin(), sent.end()),
                  *std::max_element(received.begin(), received.end()));
}

} // namespace

namespace {

/// The mean over the patterns' operations of what `figure` says of a pattern.
template <typename Figure>
double meanOver(const std::vector<const IrregularPattern *> &patterns, Figure figure) {
  double sum = 0, weight = 0;
  for (const IrregularPattern *pattern : patterns) {
    const auto count = static_cast<double>(pattern->count);
    sum += count * figure(*pattern);
    weight += count;
  }
  return weight > 0 ? sum / weight : 0;
}

/// The mean seconds of the patterns' schedules; `schedule` makes one.
template <typename Make>
double meanSeconds(const std::vector<const IrregularPattern *> &patterns,
                   const IrregularCalls &calls, std::size_t ranks, const Machine &machine,
                   Make schedule) {
  return meanOver(patterns, [&](const IrregularPattern &pattern) {
    return secondsOf(schedule(pattern), calls, ranks, machine);
  });
}

/// The exchange in which the pattern's small blocks are messages. Copies of one block travel once,
/// so they count as if they had no size: what it adds is seen when the routes are simulated.
SharableExchange exchangeOf(const IrregularPattern &pattern, const IrregularCalls &calls) {
  SharableExchange exchange;
  exchange.communicator = calls.calls.communicator;
  exchange.instances = pattern.count;
  const bool areCopies = sendsOneBlock(calls.calls.function);
  forEachBlock(pattern, static_cast<std::uint32_t>(calls.members().size()),
               [&](const IrregularBlock &block) {
                 if (block.bytes <= largestRouted)
                   exchange.messages.push_back(
                       {calls.members()[block.from], calls.members()[block.to], 0,
                        areCopies ? 0 : static_cast<double>(block.bytes), pattern.count});
               });
  return exchange;
}

/// What MPI_Allgatherv takes, on the average of a pattern's blocks: all ranks know the sizes of all
/// blocks, so MPI uses its algorithms for equal ones.
double gatheredSeconds(const IrregularPattern &pattern, const IrregularCalls &calls,
                       std::size_t ranks, const Machine &machine) {
  double bytes = 0;
  for (const IrregularBlock &block : pattern.blocks)
    bytes += static_cast<double>(block.bytes);
  const std::vector<int> &members = calls.members();
  const auto size = static_cast<std::uint32_t>(members.size());
  const double each = std::ceil(bytes / size);
  if (const auto measured = measuredSeconds(machine, Collective::Allgather, size, each))
    return *measured;
  const auto [first, last] = std::ranges::minmax_element(members);
  const LinkParameters &link =
      linkBetween(machine, static_cast<std::size_t>(*first), static_cast<std::size_t>(*last));
  const CollectiveTask task{size, static_cast<std::uint64_t>(each), 0};
  const CollectiveAlgorithm &algorithm = mpiAlgorithm(machine, Collective::Allgather, task, link);
  return secondsOf(algorithm.schedule(task, link, SlotsKept::No), calls, ranks, machine);
}

/// The mean seconds of the patterns as MPI does them, where messages of their own take `direct`.
double writtenSeconds(const std::vector<const IrregularPattern *> &patterns,
                      const IrregularCalls &calls, std::size_t ranks, const Machine &machine,
                      double direct) {
  const auto members = static_cast<std::uint32_t>(calls.members().size());
  if (gathersToAll(calls.calls.function))
    return meanOver(patterns, [&](const IrregularPattern &pattern) {
      return gatheredSeconds(pattern, calls, ranks, machine);
    });
  const bool isPairwise =
      calls.calls.function == MpiFunctionId::Alltoallv && exchangesPairwise(machine, members);
  return isPairwise ? meanSeconds(patterns, calls, ranks, machine,
                                  [&](const IrregularPattern &pattern) {
                                    return writtenSchedule(pattern, members, true);
                                  })
                    : direct;
}

/// Takes the routes for the most frequent pattern if they are clearly faster than direct messages.
void seekRoutes(const std::vector<const IrregularPattern *> &patterns, const IrregularCalls &calls,
                std::size_t ranks, const Machine &machine, IrregularPrediction &prediction) {
  std::uint64_t blocks = 0;
  const auto members = static_cast<std::uint32_t>(calls.members().size());
  forEachBlock(*patterns.front(), members, [&](const IrregularBlock &) { ++blocks; });
  if (blocks > static_cast<std::uint64_t>(limits::sharedMessages.most))
    return;
  const SharableExchange exchange = exchangeOf(*patterns.front(), calls);
  if (exchange.messages.empty())
    return;
  const ChosenRoutes chosen = chooseRoutes(exchange, static_cast<int>(ranks), machine);
  if (chosen.table.stages < 2)
    return;
  IrregularCollectives planned;
  ReplacedIrregular &replaced = planned.replaced.emplace_back();
  replaced.calls = calls.calls;
  replaced.stages = static_cast<std::uint32_t>(chosen.table.stages);
  for (const IrregularBlock &block : patterns.front()->blocks)
    if (block.bytes <= largestRouted)
      replaced.largest = std::max(replaced.largest, block.bytes);
  std::vector<RankExchange> routes = partsOfRanks(0, chosen.pattern, chosen.tags, chosen.table);
  if (!std::ranges::all_of(routes,
                           [&](const RankExchange &part) { return hasRoom(part, replaced); }))
    return;
  for (RankExchange &part : routes)
    planned.routes.push_back(part.messages.empty() ? std::vector<RankExchange>()
                                                   : std::vector<RankExchange>{part});
  const std::vector<const RankExchange *> parts = partsOfMembers(planned, replaced);
  const double seconds =
      meanSeconds(patterns, calls, ranks, machine, [&](const IrregularPattern &pattern) {
        return routedSchedule(pattern, calls.members(), parts, replaced);
      });
  if (seconds > (1 - clearGain / 100) * prediction.direct)
    return;
  prediction.routed = seconds;
  prediction.method = chosen.prediction.method;
  prediction.replaced = replaced;
  prediction.routes = std::move(routes);
}

} // namespace

IrregularPrediction predictIrregular(const IrregularCalls &calls, std::size_t ranks,
                                     const Machine &machine, bool mayRoute) {
  const auto members = static_cast<std::uint32_t>(calls.members().size());
  IrregularPrediction prediction;
  prediction.replaced.calls = calls.calls;
  for (const IrregularPattern &pattern : calls.patterns)
    prediction.known += pattern.known ? pattern.count : 0;
  const std::vector<const IrregularPattern *> patterns = mostFrequent(calls);
  if (patterns.empty())
    return prediction;
  const auto directly = [&](const IrregularPattern &pattern) {
    return directSchedule(pattern, members);
  };
  prediction.direct = meanSeconds(patterns, calls, ranks, machine, directly);
  prediction.written = writtenSeconds(patterns, calls, ranks, machine, prediction.direct);
  prediction.blocks = meanOver(patterns, [&](const IrregularPattern &pattern) {
    double blocks = 0;
    forEachBlock(pattern, members, [&](const IrregularBlock &) { ++blocks; });
    return blocks / members;
  });
  for (const IrregularPattern *pattern : patterns)
    prediction.mostBlocks = std::max(prediction.mostBlocks, mostBlocksOf(*pattern, members));
  if (mayRoute)
    seekRoutes(patterns, calls, ranks, machine, prediction);
  return prediction;
}

namespace {

std::string whyReplaced(const IrregularPrediction &prediction) {
  return "a rank has data for " + formatted("%.3g", prediction.blocks) +
         " others on average, and at most " + std::to_string(prediction.mostBlocks) +
         " blocks leave or reach a rank; sent " +
         (prediction.routes.empty() ? "directly" : "by " + prediction.method) + ": " +
         callTimesText(prediction.planned(), prediction.written);
}

/// Why the calls are left to MPI whatever messages of their own would take; nothing if this is to
/// be predicted.
std::optional<IrregularRefusal> whyNotPredicted(const IrregularCalls &calls) {
  if (calls.operations.empty())
    return IrregularRefusal{.obstacle = IrregularObstacle::NotRecorded};
  if (calls.members().size() > limits::scheduledRanks)
    return IrregularRefusal{.obstacle = IrregularObstacle::ManyRanks,
                            .count = limits::scheduledRanks};
  if (!canReplace(calls.calls.function))
    return IrregularRefusal{.obstacle = IrregularObstacle::DoesNotWait};
  return {};
}

/// Nothing if messages of their own pay.
std::optional<IrregularRefusal> whyNotReplaced(const IrregularCalls &calls,
                                               const IrregularPrediction &prediction,
                                               const IrregularOptions &options) {
  const double all = prediction.gain() * static_cast<double>(calls.count);
  if (prediction.gainPercent() < std::max(clearGain, options.thresholdPercent))
    return IrregularRefusal{.obstacle = IrregularObstacle::NotClearlyFaster,
                            .written = prediction.written,
                            .planned = prediction.planned()};
  if (all <= options.startSeconds)
    return IrregularRefusal{.obstacle = IrregularObstacle::GainsLessThanStart,
                            .count = calls.count,
                            .gain = all,
                            .limit = options.startSeconds};
  const auto lost = std::ranges::find_if(options.lost, [&](const MeasuredLoss &loss) {
    return loss.transformation == irregularStem && loss.calls == digestOf(calls.calls);
  });
  if (lost != options.lost.end())
    return IrregularRefusal{.obstacle = IrregularObstacle::MeasuredLoss, .measured = lost->gain};
  return {};
}

/// Predicts what the calls take, and notes it; takes messages of their own if nothing speaks
/// against them.
std::optional<IrregularRefusal> decide(const IrregularCalls &calls, std::size_t ranks,
                                       const Machine &machine, const IrregularOptions &options,
                                       DecidedIrregular &decided) {
  if (std::optional<IrregularRefusal> refusal = whyNotPredicted(calls))
    return refusal;
  IrregularPrediction prediction = predictIrregular(calls, ranks, machine, options.mayRoute);
  if (2 * prediction.known < calls.operations.size())
    return IrregularRefusal{.obstacle = IrregularObstacle::UnknownBlocks,
                            .function = calls.calls.function,
                            .count = calls.operations.size() - prediction.known,
                            .otherCount = calls.operations.size()};
  IrregularDecision &decision = decided.decision;
  decision.written = prediction.written;
  decision.planned = prediction.planned();
  if (std::optional<IrregularRefusal> refusal = whyNotReplaced(calls, prediction, options))
    return refusal;
  decision.replaced = true;
  decision.reason = whyReplaced(prediction);
  decided.replaced = prediction.replaced;
  decided.routes = std::move(prediction.routes);
  return {};
}

} // namespace

DecidedIrregular decideIrregular(const IrregularCalls &calls, std::size_t ranks,
                                 const Machine &machine, const IrregularOptions &options) {
  DecidedIrregular decided;
  decided.decision.calls = calls.calls;
  decided.decision.count = calls.count;
  decided.refusal = decide(calls, ranks, machine, options, decided);
  if (decided.refusal)
    decided.decision.reason = textOf(*decided.refusal);
  return decided;
}

} // namespace sendwright
