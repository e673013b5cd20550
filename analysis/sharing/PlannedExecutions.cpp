// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/PlannedExecutions.h"

#include "analysis/run/LoopExecutions.h"

#include <algorithm>
#include <optional>

namespace sendwright {

namespace {

/// Decides for the executions of one loop at one rank, one after another.
class ExchangeOfExecution {
public:
  ExchangeOfExecution(const SharedExchanges &plan, std::size_t rank, std::uint32_t site) {
    const auto turns = std::ranges::find(plan.turns, site, &LoopTurns::site);
    if (turns != plan.turns.end() && turns->of(rank))
      byTurns.emplace(*turns->of(rank));
    for (const RankExchange &part : plan.rankExchanges[rank])
      for (const SharedMessage &message : part.messages)
        if (plan.exchanges[part.exchange].site == site &&
            message.source == static_cast<int>(rank)) {
          only = part.exchange;
          if (byTurns)
            byTurns->addOwn(part.exchange, message.destination, message.tags);
        }
  }

  std::uint32_t take(std::vector<SentEnvelope> sent) {
    if (!byTurns)
      return only;
    std::erase_if(sent, [&](const SentEnvelope &message) { return !byTurns->has(message); });
    return byTurns->take(sent);
  }

private:
  std::optional<TurnsOfRank> byTurns;
  std::uint32_t only = PlannedExecutions::nothing;
};

std::vector<SentEnvelope> messagesOf(const RankTimeline &rank, const RankBatches &batches,
                                     const LoopExecution &execution) {
  std::vector<SentEnvelope> sent;
  if (execution.batch == LoopExecution::none)
    return sent;
  const RecordedBatch &batch = batches.batches[execution.batch];
  for (std::size_t index = batch.first; index < batch.end; ++index) {
    const Event &send = rank.at(batches.sends[index]);
    sent.push_back({send.peer, send.tag});
  }
  return sent;
}

} // namespace

PlannedExecutions::PlannedExecutions(const Timeline &timeline, const SendLoops &loops,
                                     const SharedExchanges &plan,
                                     const std::map<int, std::uint32_t> &planned)
    : exchanges(plan.exchanges.size()), ranks(timeline.ranks.size()) {
  if (plan.rankExchanges.size() < ranks.size())
    return;
  for (const auto &[site, ofPlan] : planned)
    if (std::ranges::find(plan.exchanges, ofPlan, &SharedExchange::site) != plan.exchanges.end())
      ofLoops.insert(site);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    for (const int site : ofLoops)
      addLoop(timeline, loops, plan, rank, site, planned.at(site));
    std::ranges::sort(ranks[rank].empty, {}, &Empty::position);
    for (auto &[exchange, ends] : ranks[rank].ends)
      std::ranges::sort(ends);
  }
}

void PlannedExecutions::addLoop(const Timeline &timeline, const SendLoops &loops,
                                const SharedExchanges &plan, std::size_t rank, int site,
                                std::uint32_t planned) {
  const auto all = loopExecutions(timeline.ranks[rank], loops.ranks[rank]);
  const auto list = all.find(site);
  if (list == all.end())
    return;
  OfRank &own = ranks[rank];
  ExchangeOfExecution decides(plan, rank, planned);
  for (const LoopExecution &execution : list->second) {
    const std::uint32_t exchange =
        decides.take(messagesOf(timeline.ranks[rank], loops.ranks[rank], execution));
    if (exchange == nothing)
      continue;
    own.ends[exchange].push_back(execution.end);
    if (execution.batch == LoopExecution::none)
      own.empty.push_back({execution.end, exchange});
    else
      own.batches[execution.batch] = exchange;
  }
}

std::uint32_t PlannedExecutions::exchangeOf(std::size_t rank, std::size_t batch) const {
  const auto found = ranks[rank].batches.find(batch);
  return found == ranks[rank].batches.end() ? nothing : found->second;
}

std::uint64_t PlannedExecutions::count(std::size_t rank, std::uint32_t exchange) const {
  const auto found = ranks[rank].ends.find(exchange);
  return found == ranks[rank].ends.end() ? 0 : found->second.size();
}

std::vector<CollectiveMeetings::Instances> PlannedExecutions::instances() const {
  std::vector<CollectiveMeetings::Instances> all(exchanges);
  for (std::size_t rank = ranks.size(); rank-- > 0;)
    for (const auto &[exchange, ends] : ranks[rank].ends)
      all[exchange] = {rank, ends};
  return all;
}

} // namespace sendwright
