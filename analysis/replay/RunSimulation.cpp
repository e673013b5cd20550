// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank that waits for a message goes on once the message's arrival (or departure) is settled.

#include "analysis/replay/RunSimulation.h"

#include "analysis/file/Progress.h"
#include "analysis/machine/MessageSimulation.h"
#include "analysis/plan/Transformations.h"
#include "analysis/redistribution/Redistributions.h"
#include "analysis/replay/CriticalPath.h"
#include "analysis/replay/RankRun.h"
#include "analysis/replay/RunPlaces.h"
#include "analysis/replay/SimulatedCollectives.h"
#include "analysis/replay/WholeRun.h"
#include "analysis/run/RankDriver.h"
#include "analysis/simulation/CollectiveCalls.h"
#include "analysis/simulation/EventRole.h"
#include "analysis/simulation/PostedCollectives.h"
#include "analysis/simulation/RunMessages.h"
#include "analysis/simulation/StartCost.h"
#include "analysis/transformation/RunBehaviour.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace sendwright {

namespace {

class RunSimulator {
public:
  RunSimulator(const Profile &profile, const Timeline &timeline, const Machine &machine,
               const SendLoops *loops, const RankCountPlan *plan, RedistributionMethod method,
               RunRecord *record)
      : timeline(timeline), machine(machine), simulation(machine, timeline.ranks.size()),
        messages(timeline),
        planned(plan ? plannedSites(profile, *plan) : std::map<int, std::uint32_t>()),
        behaviours(behavioursIn(timeline, machine, loops, plan)), calls(timeline, machine),
        posted(machine, calls, simulation, timeline.ranks.size()),
        redistributions(timeline, machine, calls, method, simulation), runs(timeline.ranks.size()),
        driver(runs.size()), collectives(machine, calls, simulation), ends(timeline.ranks.size()),
        joins(timeline.ranks.size()), record(record) {
    simulation.addMessages(static_cast<std::uint32_t>(timeline.messages.size()));
    result.ranks.resize(timeline.ranks.size());
    if (record)
      record->waits.assign(timeline.ranks.size(), {});
    placeOf = numberPlaces(profile, result.places);
    prepareStartAndEnd();
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
      runs[rank].nextSend = messages.firstSentBy(rank);
      runs[rank].calls.resize(timeline.ranks[rank].profile->communicators.size());
      simulation.clock[rank] = begun;
      ends[rank].reserve(timeline.ranks[rank].size());
      prepareRank(rank);
    }
  }

  RunSimulation run() {
    std::uint64_t events = 0;
    for (const RankTimeline &rank : timeline.ranks)
      events += rank.size();
    Progress counted("calls", events);
    progress = &counted;
    const auto step = [&](std::size_t rank) { return advance(static_cast<std::uint32_t>(rank)); };
    driver.run(step);
    simulation.run([&](std::uint32_t rank, std::uint32_t message) {
      if (redistributions.isPart(message))
        proceed(rank, message);
      else if (RunBehaviour *owner = ownerOf(message))
        take(rank, message, *owner);
      driver.turn(rank, step);
    });
    result.messages += redistributions.sent() + collectives.sent();
    for (const auto &behaviour : behaviours)
      result.messages += behaviour->sent();
    for (std::size_t rank = 0; rank < runs.size(); ++rank) {
      simulation.clock[rank] += ending;
      SimulatedRank &times = result.ranks[rank];
      times.total = simulation.clock[rank];
      times.overhead = times.total - times.computation - times.waiting;
      result.seconds = std::max(result.seconds, times.total);
      result.events += runs[rank].position;
      if (!driver.hasEnded(rank) && result.stuck++ == 0)
        noteStuck(static_cast<std::uint32_t>(rank));
    }
    for (const MatchedMessage &message : timeline.messages)
      result.unmatched += !message.matched();
    result.wholeSeconds =
        timeline.cut && result.stuck == 0
            ? wholeBegun + wholeEnding + secondsOfWholeRun(timeline, ends, begun, placeOf)
            : result.seconds;
    followCriticalPath(timeline, joins, ends, placeOf, result);
    if (record) {
      record->begun = begun;
      record->ends = std::move(ends);
    }
    return std::move(result);
  }

private:
  using Behaviours = std::vector<std::unique_ptr<RunBehaviour>>;

  /// What the transformations do in the run. `loops` and `plan`: see simulateRun().
  Behaviours behavioursIn(const Timeline &timeline, const Machine &machine, const SendLoops *loops,
                          const RankCountPlan *plan) {
    Behaviours made;
    for (const auto &transformation : makeTransformations())
      if (auto behaviour = loops && plan ? transformation->behave({timeline, machine, *loops, *plan,
                                                                   planned, simulation})
                                         : transformation->behaveAsWritten(timeline))
        made.push_back(std::move(behaviour));
    return made;
  }

  /// The beginning of a run bears its part of what a plan costs once.
  void prepareStartAndEnd() {
    const auto ranks = static_cast<std::uint32_t>(timeline.ranks.size());
    if (!anyOf([](const auto &one) { return one.startsTogether(); }))
      return;
    wholeBegun = planStartSeconds(machine, ranks);
    for (const auto &behaviour : behaviours)
      wholeBegun += behaviour->startSeconds();
    if (anyOf([](const auto &one) { return one.endsTogether(); }))
      wholeEnding = planEndSeconds(machine, ranks);
    const double part = partOfRun(timeline);
    begun = part * wholeBegun;
    ending = part * wholeEnding;
  }

  template <typename Condition> bool anyOf(Condition condition) const {
    return std::any_of(behaviours.begin(), behaviours.end(),
                       [&](const auto &behaviour) { return condition(*behaviour); });
  }

  /// The behaviour that sent the message, or null.
  RunBehaviour *ownerOf(std::uint32_t message) const {
    for (const auto &behaviour : behaviours)
      if (behaviour->owns(message))
        return behaviour.get();
    return nullptr;
  }

  bool replaces(std::uint32_t message) const {
    return anyOf([&](const auto &one) { return one.replaces(message); });
  }

  void prepareRank(std::size_t rank) {
    const RankTimeline &events = timeline.ranks[rank];
    roles.push_back(rolesOf(*events.profile, rank, calls));
    for (std::size_t number = 0; number < roles[rank].size(); ++number)
      if (const auto event = static_cast<std::uint32_t>(number);
          roles[rank][number].leftOut && !anyOf([&](const auto &one) {
            return one.models(static_cast<std::uint32_t>(rank), event);
          }))
        result.leftOut[std::string(mpiFunction(events.profile->events[number].function).name)] +=
            events.count[number];
  }

  // One rank.

  /// Takes a rank over an event, or over what is left of it.
  RankProgress advance(std::uint32_t rank) {
    RankRun &run = runs[rank];
    const RankTimeline &events = timeline.ranks[rank];
    while (settleWaits(rank, run)) {
      switch (run.stage) {
      case RankRun::Work:
        if (run.position < events.size()) {
          const double work = events.work[events.numbers[run.position]];
          simulation.clock[rank] += work;
          result.ranks[rank].computation += work;
          hold(rank, run);
        }
        run.stage = RankRun::Issue;
        break;
      case RankRun::Issue:
        if (!issueSome(rank, run))
          run.stage = run.position < events.size() ? RankRun::Perform : RankRun::Done;
        break;
      case RankRun::Perform:
        perform(rank, run);
        break;
      case RankRun::InCollective:
        collectives.goThrough(rank, run);
        break;
      case RankRun::InRedistribution:
        if (redistributions.isInside(rank))
          return RankProgress::Blocked;
        run.stage = RankRun::Next;
        break;
      case RankRun::Next:
        ends[rank].push_back(simulation.clock[rank]);
        ++run.position;
        progress->advance();
        run.stage = RankRun::Work;
        return RankProgress::Advanced;
      case RankRun::Done:
        return RankProgress::Ended;
      }
    }
    return RankProgress::Blocked;
  }

  const Event &eventAt(std::uint32_t rank, std::size_t position) const {
    return timeline.ranks[rank].at(position);
  }

  void perform(std::uint32_t rank, RankRun &run) {
    run.stage = RankRun::Next;
    const std::uint32_t number = timeline.ranks[rank].numbers[run.position];
    const EventRole role = roles[rank][number];
    if (role.kind == EventRole::Nothing && !role.leftOut)
      return;
    if (role.kind == EventRole::Redistribution) {
      redistributions.enter(rank, run.position);
      run.stage = RankRun::InRedistribution;
      return;
    }
    for (std::uint32_t number = 0; number < behaviours.size(); ++number)
      if (const auto loop = behaviours[number]->entered(rank, run.position)) {
        run.nextSend += role.sends ? 1 : 0;
        if (role.kind == EventRole::Collective) // the call itself is replaced
          ++run.calls[eventAt(rank, run.position).communicator];
        return collectives.enterLoop(rank, run, *loop, loopGroup - number);
      }
    if (role.leftOut)
      return;
    const Event &event = timeline.ranks[rank].profile->events[number];
    if (role.kind == EventRole::Collective)
      return enterCollective(rank, run, event);
    if (role.kind == EventRole::PostedCollective) {
      std::uint32_t group = 0;
      calls.groupOf(rank, event.communicator, group);
      return posted.post(rank, run.position, event, group, run.calls[event.communicator]++);
    }
    if (role.kind == EventRole::Completion)
      posted.complete(rank, event, [&](std::uint32_t end) { run.waits.push_back(2 * end + 1); });
    if (role.kind == EventRole::Message && role.waitsForReceive) {
      // The receive of a Sendrecv is posted before its send begins.
      postAndWait(rank, run);
    } else {
      messages.at(
          rank, run.position, [&](std::uint32_t message) { simulation.post(message, rank); },
          [&](std::uint32_t message) { waitForDeparture(run, message); },
          [&](std::uint32_t message) { waitForArrival(run, message); });
    }
    if (role.sends && !run.held) {
      const std::uint32_t message = run.nextSend++;
      if (replaces(message))
        return;
      copy(rank, run, message, event);
      startSend(rank, message, run.position);
      if (role.blocking)
        waitForDeparture(run, message);
    }
  }

  /// The rank copies what it sends now if the send leaves from a copy.
  void copy(std::uint32_t rank, const RankRun &run, std::uint32_t message, const Event &event) {
    for (const auto &behaviour : behaviours)
      if (const auto seconds = behaviour->copySeconds(rank, run.position, message, event)) {
        simulation.clock[rank] += *seconds;
        copied.insert(message);
        return;
      }
  }

  void proceed(std::uint32_t rank, std::uint32_t message) {
    const Redistributions::Wait wait = redistributions.proceed(rank, message);
    if (wait.seconds > 0)
      noteWait(rank, wait);
  }

  void postAndWait(std::uint32_t rank, RankRun &run) {
    messages.at(
        rank, run.position, [&](std::uint32_t message) { simulation.post(message, rank); },
        [](std::uint32_t) {}, [&](std::uint32_t message) { waitForArrival(run, message); });
  }

  void startSend(std::uint32_t rank, std::uint32_t message, std::size_t position) {
    const MatchedMessage &sent = timeline.messages[message];
    const std::uint32_t number = timeline.ranks[rank].numbers[position];
    const EventRole role = roles[rank][number];
    const auto bytes = static_cast<double>(timeline.ranks[rank].profile->events[number].bytes);
    if (sent.receive.rank >= runs.size())
      return;
    const bool handshake =
        sent.matched() && !role.ready &&
        (role.synchronous || bytes > linkBetween(machine, rank, sent.receive.rank).eager_limit);
    ++result.messages;
    simulation.send(message, rank, sent.receive.rank, bytes,
                    handshake ? Protocol::Handshake : Protocol::Eager);
  }

  void waitForDeparture(RankRun &run, std::uint32_t message) {
    if (simulation.shakesHands(message) && copied.erase(message) == 0)
      run.waits.push_back(2 * message);
  }

  void waitForArrival(RankRun &run, std::uint32_t message) const {
    if (!replaces(message))
      run.waits.push_back(2 * message + 1);
  }

  // Batches.

  void hold(std::uint32_t rank, RankRun &run) {
    run.held = anyOf([&](auto &one) {
      return one.hold(rank, run.position, run.nextSend, eventAt(rank, run.position));
    });
    run.nextSend += run.held ? 1 : 0;
  }

  /// A rank that waits is inside MPI: it passes on what comes for others before it goes on waiting.
  void take(std::uint32_t rank, std::uint32_t message, RunBehaviour &owner) {
    double &clock = simulation.clock[rank];
    const double arrived = simulation.arrives(message), waited = arrived - clock;
    if (waited > 0) {
      clock = arrived;
      noteWait(rank, runs[rank], waited, arrived, 2 * message + 1);
    }
    clock += simulation.receiveTime(message);
    owner.take(message, runs[rank].position);
  }

  /// Issues messages of a batch that leaves here, until a message must wait; false if no message is
  /// left and nothing is waited for.
  bool issueSome(std::uint32_t rank, RankRun &run) {
    if (run.issued == run.issuing.size()) {
      std::optional<IssuedBatch> batch;
      for (std::size_t number = 0; number < behaviours.size() && !batch; ++number)
        batch = behaviours[number]->issue(rank, run.position);
      if (!batch)
        return false;
      run.issuing = std::move(batch->messages);
      run.window = batch->window;
      run.issued = 0;
      run.inFlight.clear();
      run.blocking.clear();
    }
    while (run.issued < run.issuing.size()) {
      if (run.window > 0 && run.inFlight.size() >= run.window) {
        run.waits.push_back(2 * run.inFlight.front());
        run.inFlight.erase(run.inFlight.begin());
        return true;
      }
      const HeldMessage &send = run.issuing[run.issued++];
      startSend(rank, send.message, send.position);
      if (!simulation.shakesHands(send.message))
        continue;
      run.inFlight.push_back(send.message);
      if (roles[rank][timeline.ranks[rank].numbers[send.position]].blocking)
        run.blocking.push_back(send.message);
    }
    for (std::uint32_t message : run.blocking)
      run.waits.push_back(2 * message);
    return !run.blocking.empty();
  }

  void enterCollective(std::uint32_t rank, RankRun &run, const Event &event) {
    collectives.enter(rank, run, event, [&](std::uint32_t communicator, std::uint32_t call) {
      return anyOf([&](const RunBehaviour &one) { return one.meetsBefore(communicator, call); });
    });
  }

  // Waiting.

  double settledTime(std::uint32_t wait) const {
    return wait & 1 ? simulation.arrives(wait / 2) : simulation.leaves(wait / 2);
  }

  /// True if everything that the rank waits for has happened; then its clock has moved past it.
  bool settleWaits(std::uint32_t rank, RankRun &run) {
    for (; run.settled < run.waits.size(); ++run.settled) {
      const std::uint32_t wait = run.waits[run.settled];
      if (settledTime(wait) != MessageSimulation::unknownTime)
        continue;
      wait & 1 ? simulation.wakeWhenIn(wait / 2) : simulation.wakeWhenOut(wait / 2);
      return false;
    }
    if (run.waits.empty())
      return true;
    if (run.waits.size() > 1) // each is handled when it happens
      std::sort(run.waits.begin(), run.waits.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(settledTime(a), a) < std::pair(settledTime(b), b);
      });
    double &clock = simulation.clock[rank];
    double waited = 0, until = 0;
    std::uint32_t last = 0;
    for (std::uint32_t wait : run.waits) {
      if (const double time = settledTime(wait); time > clock) {
        waited += time - clock;
        clock = time;
        last = wait;
        until = time;
      }
      if (wait & 1)
        clock += simulation.receiveTime(wait / 2);
    }
    run.waits.clear();
    run.settled = 0;
    if (waited > 0)
      noteWait(rank, run, waited, until, last);
    return true;
  }

  /// The wait for `last` held up the rank, until `until`.
  void noteWait(std::uint32_t rank, const RankRun &run, double waited, double until,
                std::uint32_t last) {
    const std::uint32_t message = last / 2;
    const MessageSimulation::Cause cause = simulation.causeOf(message);
    PathJoin &join = noteWait(rank, {waited, until, cause, 0});
    if (const std::optional<std::uint32_t> position = causeAmongBehaviours(message)) {
      join.causePosition = *position;
    } else if (posted.isPart(message)) {
      join.causePosition = posted.causePosition(message);
    } else if (message < timeline.messages.size()) {
      const MatchedMessage &matched = timeline.messages[message];
      join.causePosition = cause.lateReceiver ? matched.receive.position : matched.send.position;
    } else {
      join.causePosition = collectives.causePosition(run, message, cause.lateReceiver);
    }
  }

  std::optional<std::uint32_t> causeAmongBehaviours(std::uint32_t message) const {
    for (const auto &behaviour : behaviours)
      if (const std::optional<std::uint32_t> position = behaviour->causePosition(message))
        return position;
    return {};
  }

  void noteStuck(std::uint32_t rank) {
    const RankTimeline &events = timeline.ranks[rank];
    result.stuckRank = rank;
    result.stuckPlace =
        placeOf[rank][events.numbers[std::min(runs[rank].position, events.size() - 1)]];
  }

  PathJoin &noteWait(std::uint32_t rank, const Redistributions::Wait &wait) {
    const RankTimeline &events = timeline.ranks[rank];
    const std::size_t position = std::min(runs[rank].position, events.size() - 1);
    SimulatedPlace &place = result.places[placeOf[rank][events.numbers[position]]];
    place.waiting += wait.seconds;
    ++place.waits;
    result.ranks[rank].waiting += wait.seconds;
    if (record)
      record->waits[rank].push_back({wait.until - wait.seconds, wait.until,
                                     static_cast<std::uint32_t>(position),
                                     wait.cause.lateReceiver});
    return joins[rank].emplace_back(PathJoin{wait.until, wait.cause.time,
                                             static_cast<std::uint32_t>(position), wait.cause.rank,
                                             wait.causePosition});
  }

  const Timeline &timeline;
  const Machine &machine;
  MessageSimulation simulation;
  RunMessages messages;
  std::map<int, std::uint32_t> planned; // from sites of the profile to sites of the plan
  Behaviours behaviours;
  std::set<std::uint32_t> copied; // messages that nobody has waited for yet, sent from copies
  CollectiveCalls calls;
  PostedCollectives posted;
  Redistributions redistributions;
  std::vector<RankRun> runs;
  RankDriver driver;                         // messages wake ranks, in the order of simulated time
  std::vector<std::vector<EventRole>> roles; // by rank and event number
  std::vector<std::vector<std::uint32_t>> placeOf; // likewise
  SimulatedCollectives collectives;
  double begun = 0, wholeBegun = 0;      // when the first events begin, here and in the whole run
  double ending = 0, wholeEnding = 0;    // after the last events, likewise
  std::vector<std::vector<double>> ends; // by rank: of its events so far
  std::vector<std::vector<PathJoin>> joins; // by rank
  RunRecord *record;                        // may be null
  Progress *progress = nullptr;             // of run()
  RunSimulation result;
};

} // namespace

RunSimulation simulateRun(const Profile &profile, const Timeline &timeline, const Machine &machine,
                          const SendLoops *loops, const RankCountPlan *plan,
                          RedistributionMethod method, RunRecord *record) {
  return RunSimulator(profile, timeline, machine, loops, plan, method, record).run();
}

} // namespace sendwright
