// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the messages collects, for each send loop, what its messages are and who else sends
// similar messages; one walk over the ranks' events collects who might receive or see them. Only
// the first condition that fails is kept.

#include "analysis/sharing/SharableExchanges.h"

#include "analysis/run/LoopExecutions.h"
#include "analysis/sharing/AlignedExecutions.h"
#include "analysis/sharing/FoundTurns.h"
#include "analysis/sharing/OtherCalls.h"
#include "analysis/sharing/PlannedMessages.h"
#include "analysis/trace/TraceLocation.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace sendwright {

namespace {

/// Largest shared message, bytes: messages wait in the memory of other ranks.
constexpr std::uint64_t largestShared = 1 << 20;
/// A send loop that is being judged.
struct SharableLoop {
  std::optional<SharingRefusal> refusal;
  const Communicator *communicator = nullptr;
  const Communicator *lastSeen = nullptr;  ///< the latest communicator that a rank used; equal to
                                           ///< `communicator`
  std::map<int, std::uint64_t> executions; ///< by rank that sends in it
  bool marked = false;                     ///< the profile says where executions begin and end
  std::uint64_t instances = 0;             ///< that all ranks have
  std::optional<SharingRefusal> unequal;   ///< if ranks execute it unequally often
  std::map<MatchingChannel, std::uint64_t> channels; ///< and the last instance that used it
  std::vector<LoopMessage> messages;                 ///< that travel, as each rank sends them
  std::vector<MessageBehind> behind;                 ///< that others send
  std::uint64_t received = 0,
                polled = 0;            ///< messages; those whose receives a call that polls ended
  std::optional<SharingRefusal> polls; ///< names such a call
  SharableExchange planned;

  void refuse(SharingRefusal why) {
    if (!refusal)
      refusal = std::move(why);
  }
};

class ExchangeRecognition {
public:
  ExchangeRecognition(const Profile &profile, const Timeline &timeline, const SendLoops &loops,
                      const std::vector<ExchangeInstance> &meetings)
      : profile(profile), timeline(timeline), loops(loops), meetings(meetings) {
    for (std::size_t site = 0; site < loops.loops.size(); ++site)
      if (loops.loops[site].batchDestinations >= 2)
        candidates[static_cast<int>(site)];
  }

  std::vector<ExchangeFinding> run() {
    if (candidates.empty())
      return {};
    for (auto &[site, candidate] : candidates)
      judgeLoop(site, candidate);
    findBatches();
    for (auto &[site, candidate] : candidates)
      judgeExecutions(site, candidate);
    judgeMessages();
    judgeOtherCalls();
    for (auto &[site, candidate] : candidates)
      judgePattern(site, candidate);
    judgeWaits();
    std::vector<ExchangeFinding> findings;
    findings.reserve(candidates.size());
    for (auto &[site, candidate] : candidates)
      findings.push_back(findingOf(site, candidate));
    return findings;
  }

private:
  /// The batch that holds a send.
  struct SendPlace {
    int site = noSite; ///< of the batch
    std::uint64_t instance = 0;
  };

  const Event &eventAt(EventPosition at) const { return timeline.ranks[at.rank].at(at.position); }

  /// Numbers the executions of each loop at each rank that sends in it: these numbers are the
  /// exchange's instances.
  void findBatches() {
    places.resize(timeline.ranks.size());
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
      for (const auto &[site, executions] : loopExecutions(timeline.ranks[rank], loops.ranks[rank]))
        if (const auto found = candidates.find(site); found != candidates.end())
          addExecutions(found->second, site, rank, executions);
      std::ranges::sort(places[rank], {}, [](const auto &place) { return place.first; });
    }
  }

  void addExecutions(SharableLoop &candidate, int site, std::size_t rank,
                     const std::vector<LoopExecution> &executions) {
    const RankBatches &batches = loops.ranks[rank];
    candidate.executions[static_cast<int>(rank)] = executions.size();
    std::vector<LoopExecutionOfRank> &known = executionsOf[site][rank];
    for (std::uint64_t instance = 0; instance < executions.size(); ++instance) {
      const LoopExecution &execution = executions[instance];
      known.push_back({instance, execution.end});
      if (execution.batch == LoopExecution::none)
        continue;
      const RecordedBatch &batch = batches.batches[execution.batch];
      judgeEnd(candidate, timeline.ranks[rank], batch.issued);
      for (std::size_t send = batch.first; send < batch.end; ++send) {
        const std::size_t position = batches.sends[send];
        places[rank].push_back({static_cast<std::uint32_t>(position), {site, instance}});
        judgeSend(candidate, rank, timeline.ranks[rank].at(position));
      }
    }
  }

  /// The batch that holds the message, and its index among the rank's executions of that loop.
  SendPlace placeOfSend(const MatchedMessage &message) const {
    const auto &known = places[message.send.rank];
    const auto found = std::lower_bound(
        known.begin(), known.end(), message.send.position,
        [](const auto &place, std::uint32_t position) { return place.first < position; });
    return found != known.end() && found->first == message.send.position ? found->second
                                                                         : SendPlace{};
  }

  /// Messages leave at the end of the loop: nothing in the loop may wait for them.
  static void judgeEnd(SharableLoop &candidate, const RankTimeline &rank, std::size_t issued) {
    if (candidate.marked && issued < rank.size() && rank.at(issued).kind == EventKind::Call)
      candidate.refuse(
          {.obstacle = SharingObstacle::CallBehindSends, .function = rank.at(issued).function});
  }

  void judgeLoop(int site, SharableLoop &candidate) const {
    const LoopFacts &facts = loops.loops[site];
    if (!facts.refusal.empty())
      candidate.refuse({.obstacle = SharingObstacle::LeftByCompiler});
    if (facts.synchronous > 0)
      candidate.refuse({.obstacle = SharingObstacle::SynchronousSends});
    candidate.marked = isMarked(site);
    if (facts.separated && candidate.marked) // otherwise nothing says where executions end
      candidate.refuse({.obstacle = SharingObstacle::SeparatedSends, .function = facts.separator});
  }

  /// The loop sends in standard mode, and all its sends use one communicator.
  void judgeSend(SharableLoop &candidate, std::size_t rank, const Event &event) const {
    const MpiFunction &function = mpiFunction(event.function);
    if (function.role != MpiRole::Send && function.role != MpiRole::NonblockingSend)
      candidate.refuse(
          {.obstacle = SharingObstacle::OtherSendFunction, .function = event.function});
    const Communicator *communicator = communicatorOf(event, profile.ranks[rank]);
    if (communicator == candidate.lastSeen)
      return;
    candidate.lastSeen = communicator;
    if (!candidate.communicator)
      candidate.communicator = communicator;
    else if (!(*candidate.communicator == *communicator))
      candidate.refuse({.obstacle = SharingObstacle::SeveralCommunicators});
  }

  /// All ranks that send in the loop execute it equally often. Nobody waits for a rank that sends
  /// nothing of its own: what it has to pass on leaves during any call of MPI.
  void judgeExecutions(int site, SharableLoop &candidate) {
    if (candidate.refusal)
      return;
    if (candidate.communicator->members.size() < 3)
      return candidate.refuse({.obstacle = SharingObstacle::NoThirdRank});
    std::map<int, std::uint64_t> whole = candidate.executions;
    if (timeline.cut) // ranks are cut at different instances, but their marks are counted to the
                      // end
      for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
        if (const std::uint64_t marked = marksOf(rank, site))
          whole[static_cast<int>(rank)] = marked;
    const auto most =
        std::max_element(whole.begin(), whole.end(), [](const auto &left, const auto &right) {
          return left.second < right.second;
        });
    candidate.instances = UINT64_MAX;
    for (const int rank : candidate.communicator->members) {
      if (!whole.contains(rank)) {
        if (timeline.cut && !candidate.marked)
          candidate.refuse({.obstacle = SharingObstacle::RankNotSeen, .rank = rank});
        continue;
      }
      if (whole[rank] != most->second && !candidate.unequal)
        candidate.unequal = {.obstacle = SharingObstacle::UnequalExecutions,
                             .rank = rank,
                             .otherRank = most->first,
                             .count = whole[rank],
                             .otherCount = most->second};
      candidate.instances =
          std::min(candidate.instances,
                   candidate.executions.contains(rank) ? candidate.executions[rank] : 0);
    }
    if (candidate.unequal && !align(site, candidate))
      candidate.refuse(*candidate.unequal);
  }

  /// Finds the instances of executions if ranks execute the loop unequally often.
  bool align(int site, SharableLoop &candidate) {
    std::vector<std::uint64_t> executions(timeline.ranks.size());
    for (const auto &[rank, count] : candidate.executions)
      executions[static_cast<std::size_t>(rank)] = count;
    const std::vector<ExecutionTarget> targets = targetsOf(site);
    const std::optional<AlignedExecutions> aligned =
        alignExecutions(executions, targets, timeline.cut);
    if (!aligned)
      return false;
    candidate.instances = aligned->instances;
    for (auto &[rank, list] : executionsOf[site])
      for (std::size_t index = 0; index < list.size(); ++index)
        list[index].instance = aligned->instanceOf[rank][index];
    for (std::size_t rank = 0; rank < places.size(); ++rank)
      for (auto &[position, place] : places[rank])
        if (place.site == site)
          place.instance = aligned->instanceOf[rank][place.instance];
    return true;
  }

  std::vector<ExecutionTarget> targetsOf(int site) const {
    std::vector<ExecutionTarget> targets;
    for (const MatchedMessage &message : timeline.messages) {
      if (message.send.position == noPosition)
        continue;
      const SendPlace place = placeOfSend(message);
      if (place.site == site)
        targets.push_back({static_cast<int>(message.send.rank), eventAt(message.send).peer,
                           place.instance, executionMet(site, message)});
    }
    std::ranges::stable_sort(targets, {}, &ExecutionTarget::execution);
    return targets;
  }

  /// The only execution of the receiver that ends while the receive is posted.
  std::uint64_t executionMet(int site, const MatchedMessage &message) const {
    const auto &ranks = executionsOf.at(site);
    const auto known = ranks.find(message.receive.rank);
    if (message.receive.position == noPosition || message.completion == noPosition ||
        known == ranks.end())
      return ExecutionTarget::none;
    const auto at = [&](std::uint32_t position) {
      return std::ranges::lower_bound(known->second, position, {}, &LoopExecutionOfRank::end);
    };
    const auto first = at(message.receive.position), behind = at(message.completion);
    return behind - first == 1 ? static_cast<std::uint64_t>(first - known->second.begin())
                               : ExecutionTarget::none;
  }

  bool isMarked(int site) const {
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
      if (marksOf(rank, site) > 0)
        return true;
    return false;
  }

  std::uint64_t marksOf(std::size_t rank, int site) const {
    std::uint64_t marks = 0;
    for (std::size_t number = 0; number < profile.ranks[rank].events.size(); ++number) {
      const Event &event = profile.ranks[rank].events[number];
      if ((event.kind == EventKind::SiteEnter || event.kind == EventKind::SiteSkip) &&
          event.site == site)
        marks += timeline.ranks[rank].count[number];
    }
    return marks;
  }

  /// Every message is taken by a receive that names source and tag, and no message is too large.
  void judgeMessages() {
    for (const MatchedMessage &message : timeline.messages) {
      if (message.send.position == noPosition)
        continue;
      const SendPlace place = placeOfSend(message);
      const auto found = candidates.find(place.site);
      if (found == candidates.end() || found->second.refusal ||
          place.instance >= found->second.instances)
        continue;
      SharableLoop &candidate = found->second;
      const Event &send = eventAt(message.send);
      if (send.bytes > largestShared)
        candidate.refuse({.obstacle = SharingObstacle::LargeMessages, .count = send.bytes});
      if (message.receive.position != noPosition) {
        judgeReceive(candidate, message);
        notePolls(candidate, message);
      } else if (!timeline.cut)
        candidate.refuse({.obstacle = SharingObstacle::NotReceived, .rank = message.receive.rank});
      addToChannel(candidate, message.send.rank, send, place.instance);
    }
  }

  void judgeReceive(SharableLoop &candidate, const MatchedMessage &message) const {
    const Event &receive = eventAt(message.receive);
    const MpiRole role = mpiFunction(receive.function).role;
    const auto refuse = [&](SharingObstacle obstacle) {
      candidate.refuse({.obstacle = obstacle,
                        .function = receive.function,
                        .place = callPlace(profile, profile.ranks[message.receive.rank], receive)});
    };
    if (role != MpiRole::Receive && role != MpiRole::NonblockingReceive)
      refuse(SharingObstacle::OtherReceiveFunction);
    else if (receive.peer < 0)
      refuse(SharingObstacle::ReceiveFromAnySource);
    else if (receive.tag == anyTag)
      refuse(SharingObstacle::ReceiveOfAnyTag);
  }

  void notePolls(SharableLoop &candidate, const MatchedMessage &message) const {
    if (message.completion == noPosition)
      return;
    ++candidate.received;
    const Event &completion = eventAt({message.receive.rank, message.completion});
    if (!mpiFunction(completion.function).polls)
      return;
    ++candidate.polled;
    if (!candidate.polls)
      candidate.polls = {.obstacle = SharingObstacle::PolledReceives,
                         .function = completion.function,
                         .place =
                             callPlace(profile, profile.ranks[message.receive.rank], completion)};
  }

  static void addToChannel(SharableLoop &candidate, std::uint32_t source, const Event &send,
                           std::uint64_t instance) {
    if (send.peer == static_cast<int>(source))
      return; // a message to itself never travels
    const MatchingChannel channel{static_cast<int>(source), send.peer, send.tag};
    const auto [last, isNew] = candidate.channels.try_emplace(channel, instance);
    if (!isNew && last->second == instance)
      candidate.refuse({.obstacle = SharingObstacle::SeveralWithOneTag,
                        .rank = source,
                        .otherRank = send.peer,
                        .tag = send.tag});
    last->second = instance;
    candidate.messages.push_back({channel, instance, send.bytes});
  }

  /// Nobody else sends what the exchange's receives could take, except in turn with its messages,
  /// and no wildcard or probe could meet these.
  void judgeOtherCalls() {
    for (auto &[site, candidate] : candidates) {
      if (candidate.refusal)
        continue;
      OwnMessages own;
      own.channels.communicator = candidate.communicator;
      for (const auto &[channel, last] : candidate.channels)
        own.channels.add(channel);
      own.has = [&, number = site](const MatchedMessage &message) {
        return placeOfSend(message).site == number;
      };
      own.sends = [&, number = site](std::size_t rank, const Event &event) {
        return event.site >= 0 && isDeferrable(event, profile.ranks[rank], timeline.ranks.size()) &&
               loops.loops[event.site].batchSite == number;
      };
      OtherCallsFinding others = sendwright::judgeOtherCalls(profile, timeline, own);
      if (others.conflict)
        candidate.refuse(
            {.obstacle = SharingObstacle::MetByAnotherCall, .conflict = *others.conflict});
      candidate.behind = std::move(others.behind);
    }
  }

  /// Most instances have much the same messages, or alternate between a few patterns.
  void judgePattern(int site, SharableLoop &candidate) const {
    if (candidate.refusal)
      return;
    candidate.planned.instances = candidate.instances;
    candidate.planned.unequal = candidate.unequal.has_value();
    candidate.planned.cut = timeline.cut;
    candidate.refusal = planMessages(candidate.messages, candidate.planned);
    if (candidate.refusal && candidate.unequal)
      candidate.refusal = candidate.unequal;
    if (candidate.refusal || candidate.planned.patterns.empty())
      return;
    candidate.planned.executions = executionsWithMessages(site);
    const bool haveTurns = canTellTurns(candidate.planned) || addSeldom(candidate.planned);
    if (candidate.unequal && !haveTurns)
      candidate.refuse(*candidate.unequal);
  }

  static bool canTellTurns(const SharableExchange &exchange) {
    return findTurns(exchange, std::vector<bool>(exchange.patterns.size(), true)).has_value();
  }

  /// Instances that come once, such as those of a set-up, may look like one of a pattern at some
  /// rank. They become patterns if ranks can tell the turns then.
  static bool addSeldom(SharableExchange &exchange) {
    SharableExchange whole = exchange;
    std::set<std::tuple<int, int, int>> known;
    const auto isNew = [&](const ExchangedMessage &message) {
      return known.emplace(message.source, message.destination, message.tag).second;
    };
    for (const ExchangedMessage &message : exchange.messages)
      isNew(message);
    for (const AlternatingPattern &pattern : exchange.seldom) {
      whole.patterns.push_back(pattern);
      std::ranges::copy_if(pattern.messages, std::back_inserter(whole.messages), isNew);
    }
    if (exchange.seldom.empty() || !canTellTurns(whole))
      return false;
    std::ranges::stable_sort(whole.messages, [](const auto &left, const auto &right) {
      return std::tie(left.source, left.destination, left.tag) <
             std::tie(right.source, right.destination, right.tag);
    });
    exchange = std::move(whole);
    return true;
  }

  std::map<int, std::vector<LoopExecutionOfRank>> executionsWithMessages(int site) const {
    std::map<int, std::vector<LoopExecutionOfRank>> executions;
    for (const auto &[rank, list] : executionsOf.at(site)) {
      std::vector<LoopExecutionOfRank> &filled = executions[static_cast<int>(rank)];
      filled = list;
      std::size_t index = 0;
      for (const auto &[position, place] : places[rank]) {
        if (place.site != site)
          continue;
        while (index < filled.size() && filled[index].instance != place.instance)
          ++index;
        if (index == filled.size())
          break;
        const Event &send = timeline.ranks[rank].at(position);
        filled[index].sent.push_back({send.peer, send.tag});
      }
    }
    return executions;
  }

  void judgeWaits() {
    SharedMessages shared;
    std::map<int, std::int64_t> firstInstance;
    for (const auto &[site, candidate] : candidates) {
      if (candidate.refusal)
        continue;
      const std::size_t first = shared.instances.size();
      firstInstance[site] = static_cast<std::int64_t>(first);
      shared.instances.resize(first + candidate.instances, {site, {}});
      for (const auto &[rank, list] : executionsOf[site])
        for (const LoopExecutionOfRank &execution : list)
          if (execution.instance < candidate.instances)
            shared.instances[first + execution.instance].entries.push_back(
                {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(execution.end)});
    }
    if (firstInstance.empty())
      return;
    shared.instances.insert(shared.instances.end(), meetings.begin(), meetings.end());
    shared.instanceOf.resize(timeline.messages.size(), SharedMessages::none);
    for (std::size_t index = 0; index < timeline.messages.size(); ++index) {
      const MatchedMessage &message = timeline.messages[index];
      if (message.send.position == noPosition)
        continue;
      const SendPlace place = placeOfSend(message);
      const auto first = firstInstance.find(place.site);
      if (first != firstInstance.end() && place.instance < candidates[place.site].instances)
        shared.instanceOf[index] = first->second + static_cast<std::int64_t>(place.instance);
    }
    for (const auto &[site, first] : firstInstance)
      for (const MessageBehind &behind : candidates[site].behind)
        if (const std::int64_t instance = shared.instanceOf[behind.earlier];
            instance != SharedMessages::none)
          shared.behind.push_back({behind.message, static_cast<std::size_t>(instance)});
    for (const auto &[site, wait] : findCircularWaits(timeline, shared))
      candidates[site].refuse({.obstacle = SharingObstacle::CircularWait, .wait = wait});
  }

  std::vector<std::int32_t> receiversFromAnySource(const SharableExchange &exchange) const {
    std::set<std::int32_t> ranks;
    for (const ExchangedMessage &message : exchange.messages)
      ranks.insert(message.destination);
    std::erase_if(ranks, [&](std::int32_t rank) {
      const RankProfile &known = profile.ranks[static_cast<std::size_t>(rank)];
      return std::none_of(known.events.begin(), known.events.end(), [&](const Event &event) {
        return takesFromAnySource(exchange.communicator, known, event);
      });
    });
    return {ranks.begin(), ranks.end()};
  }

  ExchangeFinding findingOf(int site, SharableLoop &candidate) const {
    ExchangeFinding finding;
    finding.site = site;
    finding.refusal = candidate.refusal;
    if (candidate.refusal)
      return finding;
    if (2 * candidate.polled > candidate.received)
      finding.polls = candidate.polls;
    finding.exchange = std::move(candidate.planned);
    finding.exchange.communicator = *candidate.communicator;
    finding.exchange.anySource = receiversFromAnySource(finding.exchange);
    return finding;
  }

  const Profile &profile;
  const Timeline &timeline;
  const SendLoops &loops;
  const std::vector<ExchangeInstance> &meetings;
  std::map<int, SharableLoop> candidates;                               // by site
  std::vector<std::vector<std::pair<std::uint32_t, SendPlace>>> places; // per rank, by position
  std::map<int, std::map<std::size_t, std::vector<LoopExecutionOfRank>>>
      executionsOf; // by site and rank that sends; without messages
};

} // namespace

std::vector<ExchangeFinding> findSharableExchanges(const Profile &profile, const Timeline &timeline,
                                                   const SendLoops &loops,
                                                   const std::vector<ExchangeInstance> &meetings) {
  return ExchangeRecognition(profile, timeline, loops, meetings).run();
}

} // namespace sendwright
