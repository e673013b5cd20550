// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/transformations/redistribution/RedistributionTables.h"

#include "analysis/file/FormatError.h"
#include "analysis/redistribution/AsynchronousOrder.h"
#include "analysis/redistribution/Distribution.h"
#include "analysis/redistribution/FrequentRedistributions.h"
#include "analysis/redistribution/Messages.h"
#include "analysis/redistribution/PairDigest.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <numeric>

namespace sendwright {

namespace {

constexpr std::size_t mostMessages = 4096;

/// How one dimension is cut; nothing where a part of the format is not constant.
std::optional<DimensionFormat> constantFormat(const DirectiveFormat &format,
                                              const DirectivePlace &place,
                                              const DirectiveConstants &constants) {
  if (format.kind == DirectiveFormat::GenBlock) {
    const KnownSizes sizes = constants.sizesOf(format.argument->text, place);
    if (!sizes.values)
      return std::nullopt;
    return DimensionFormat::genBlock({sizes.values->begin(), sizes.values->end()});
  }
  if (format.kind == DirectiveFormat::Indirect || format.kind == DirectiveFormat::Balance)
    return std::nullopt;
  std::int64_t length = 0;
  if (format.argument) {
    const std::optional<long long> given = constants.valueOf(format.argument->text, place);
    if (!given)
      return std::nullopt;
    length = *given;
  }
  return format.kind == DirectiveFormat::Block ? DimensionFormat::block(length)
                                               : DimensionFormat::cyclic(length);
}

/// How a directive of one dimension distributes; nothing where the distribution is not constant.
std::optional<Distribution> constantDistribution(const MeantDirective &directive,
                                                 std::optional<long long> extent,
                                                 std::optional<long long> ranks,
                                                 const DirectiveConstants &constants) {
  if (!extent || !ranks || *ranks > INT32_MAX || directive.said->formats.size() != 1)
    return std::nullopt;
  const std::optional<DimensionFormat> format =
      constantFormat(directive.said->formats.front(), directive.place, constants);
  if (!format)
    return std::nullopt;
  try {
    return Distribution({*format}, {*extent}, {static_cast<int>(*ranks)});
  } catch (const FormatError &) {
    return std::nullopt; // reported at run time
  }
}

/// The directive before `number` that says how its first array is distributed.
std::size_t before(const MeantDirectives &meant, std::size_t number) {
  const MeantDirective &directive = meant.directives[number];
  const NamedArray &array = directive.arrays.front();
  std::size_t found = array.distribution;
  for (std::size_t other = 0; other < number; ++other)
    if (meant.directives[other].is(Directive::Redistribute))
      for (const NamedArray &named : meant.directives[other].arrays)
        if (named.block.isSameAs(array.block) && named.distribution == array.distribution)
          found = other;
  return found;
}

std::string sizesText(const Distribution &distribution) {
  std::string text;
  for (int rank = 0; rank < distribution.ranks(); ++rank)
    text += " " + std::to_string(distribution.localElements(rank));
  return text;
}

/// Who sends to whom, rank by rank.
std::vector<std::string> describe(const Distribution &from, const Distribution &to,
                                  const std::vector<Message> &messages,
                                  const AsynchronousOrder &order) {
  std::vector<std::string> lines{"elements of each rank before:" + sizesText(from),
                                 "elements of each rank after: " + sizesText(to)};
  for (std::size_t rank = 0; rank < order.orders.send.size(); ++rank) {
    if (order.orders.send[rank].empty())
      continue;
    std::string line = "rank " + std::to_string(rank) + " sends";
    for (const std::uint32_t number : order.orders.send[rank])
      line += (number == order.orders.send[rank].front() ? " " : ", ") +
              std::to_string(messages[number].elements) + " to " +
              std::to_string(messages[number].destination);
    lines.push_back(std::move(line));
  }
  lines.push_back("the busiest port is occupied for " + std::to_string(order.lowerBound) +
                  " elements, all ranks are done after " + std::to_string(order.makespan));
  return lines;
}

/// `next` is the name of a schedule for other sizes, defined earlier, or "".
std::string define(const std::string &name, const std::string &next, const Distribution &from,
                   const Distribution &to, const std::vector<Message> &messages,
                   const PortOrders &orders) {
  std::vector<std::uint32_t> positions(messages.size());
  for (const std::vector<std::uint32_t> &received : orders.receive)
    for (std::size_t position = 0; position < received.size(); ++position)
      positions[received[position]] = static_cast<std::uint32_t>(position);
  std::string rows;
  std::size_t count = 0;
  for (const std::vector<std::uint32_t> &sent : orders.send)
    for (const std::uint32_t number : sent) {
      const Message &message = messages[number];
      rows += "{" + std::to_string(message.source) + ", " + std::to_string(message.destination) +
              ", " + std::to_string(positions[number]) + ", " + std::to_string(message.elements) +
              "}, ";
      ++count;
    }
  const std::string local = "static __attribute__((nodebug)) const struct ";
  return local + "sendwright_scheduled_message " + name + "_messages[] = {" + rows + "};\n" +
         local + "sendwright_schedule " + name + " = {0x" +
         llvm::utohexstr(pairDigest(from, to), /*LowerCase=*/true) + "ULL, 0, " +
         std::to_string(count) + ", " + name + "_messages, " + (next.empty() ? "0" : "&" + next) +
         "};\n";
}

/// Whether elements move between distributions with one block for each rank, and the schedule is
/// small enough for a table.
bool worthATable(const Distribution &from, const Distribution &to) {
  if (static_cast<std::size_t>(from.ranks()) > mostMessages / 2)
    return false;
  for (int rank = 0; rank < from.ranks(); ++rank)
    if (from.localElements(rank) != to.localElements(rank))
      return true;
  return false;
}

/// The schedule of such a pair.
ScheduleTable tableOf(const Distribution &from, const Distribution &to, const std::string &name,
                      const std::string &next) {
  const std::vector<Message> messages = messagesBetween(from, to);
  const AsynchronousOrder order = asynchronousOrder(messages, from.ranks());
  return {define(name, next, from, to, messages, order.orders),
          describe(from, to, messages, order)};
}

/// Whether the directive lets Sendwright choose the order.
bool wantsBestOrder(const MeantDirective &directive) {
  if (!directive.said->schedule)
    return true;
  const llvm::StringRef schedule = directive.said->schedule->text;
  return schedule.equals_insensitive("auto") || schedule.equals_insensitive("asynchronous");
}

/// Blocks of these sizes, one for each rank.
Distribution blocks(const std::vector<std::int64_t> &sizes) {
  return Distribution({DimensionFormat::genBlock(sizes)},
                      {std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})},
                      {static_cast<int>(sizes.size())});
}

std::string timesText(const RecordedRedistribution &recorded) {
  return std::to_string(recorded.count) + (recorded.count == 1 ? " time" : " times");
}

} // namespace

std::optional<ScheduleTable> scheduleTable(const MeantDirectives &meant, std::size_t directive,
                                           const DirectiveConstants &constants,
                                           const std::string &name) {
  const MeantDirective &change = meant.directives[directive];
  const MeantDirective &distribution = meant.directives[change.arrays.front().distribution];
  for (const NamedArray &array : change.arrays)
    if (array.distribution != change.arrays.front().distribution)
      return std::nullopt; // each chosen in its own way
  if (!wantsBestOrder(change) || change.said->onto || !change.processors)
    return std::nullopt;
  const MeantDirective &processors = meant.directives[*change.processors];
  if (processors.extents.size() != 1 || !processors.said->ranks.empty())
    return std::nullopt;
  const std::optional<Distribution> from =
      constantDistribution(meant.directives[before(meant, directive)], distribution.extents.front(),
                           processors.extents.front(), constants);
  const std::optional<Distribution> to = constantDistribution(
      change, distribution.extents.front(), processors.extents.front(), constants);
  if (!from || !to || !from->dimension(0).contiguous() || !to->dimension(0).contiguous() ||
      !worthATable(*from, *to))
    return std::nullopt;
  return tableOf(*from, *to, name, "");
}

std::optional<ScheduleTable> plannedSchedules(const MeantDirective &directive,
                                              const SiteIdentity &site, const Plan &plan,
                                              const std::string &name) {
  if (!wantsBestOrder(directive))
    return std::nullopt;
  std::vector<const RecordedRedistribution *> pairs;
  for (const auto &[rankCount, part] : plan.rankCounts)
    for (const RecordedRedistribution &recorded : part.of<PlannedRedistributions>().frequent)
      if (recorded.site.sameLoopAs(site) &&
          worthATable(blocks(recorded.before), blocks(recorded.after)))
        pairs.push_back(&recorded);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto *a, const auto *b) { return a->count > b->count; });
  // From the least frequent on, so that each schedule can name the next.
  ScheduleTable all;
  std::string next;
  for (std::size_t number = pairs.size(); number-- > 0;) {
    const RecordedRedistribution &recorded = *pairs[number];
    const std::string own = number == 0 ? name : name + "_" + std::to_string(number);
    ScheduleTable table = tableOf(blocks(recorded.before), blocks(recorded.after), own, next);
    next = own;
    all.definition += table.definition;
    table.comment.insert(table.comment.begin(), "seen in the profile " + timesText(recorded) + ":");
    all.comment.insert(all.comment.begin(), table.comment.begin(), table.comment.end());
  }
  return pairs.empty() ? std::nullopt : std::optional(std::move(all));
}

} // namespace sendwright
