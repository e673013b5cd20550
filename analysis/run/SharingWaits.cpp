// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank has a list of what it must wait for, by position: that another rank reaches a
// position, or that all ranks take part in a meeting, which is a collective or an instance of a
// shared exchange. Every wait is handled once when it begins and once when it ends.

#include "analysis/run/SharingWaits.h"

#include "analysis/run/RankDriver.h"

#include <algorithm>
#include <utility>

namespace sendwright {

namespace {

constexpr std::uint32_t everything = UINT32_MAX; // a rank that has done everything is past any
                                                 // position
constexpr std::size_t noMeeting = SIZE_MAX;

/// Before a rank goes on from `position`, it waits for `other` to reach a position, or for everyone
/// in a meeting.
struct Wait {
  std::uint32_t position = 0;
  EventPosition other;
  std::size_t meeting = noMeeting;
  std::int64_t message = -1; ///< its send waits here, unless the message is buffered
};

struct Meeting {
  int site = noSite; ///< of an exchange; noSite: of a collective
  std::vector<EventPosition> entries;
  bool waitsAtEntry = true;
};

/// The waits of a run with all exchanges shared.
class WaitCollector {
public:
  WaitCollector(const Timeline &timeline, const SharedMessages &shared)
      : timeline(timeline), shared(shared), waits(timeline.ranks.size()) {}

  void run() {
    for (const ExchangeInstance &instance : shared.instances) {
      for (const EventPosition &entry : instance.entries)
        if (instance.meets)
          waits[entry.rank].push_back({entry.position, {}, meetings.size(), -1});
      meetings.push_back({instance.site, instance.entries, instance.meets});
    }
    addMessages();
    addCollectives();
    for (std::vector<Wait> &rank : waits)
      std::stable_sort(rank.begin(), rank.end(), [](const Wait &left, const Wait &right) {
        return left.position < right.position;
      });
  }

  const Timeline &timeline;
  const SharedMessages &shared;
  std::vector<std::vector<Wait>> waits; // by rank
  std::vector<Meeting> meetings;        // the instances of exchanges come first

private:
  /// The receive of a shared message also waits for its sender: if the message is not shared after
  /// all, for example because its site closes a circle, the receive waits for it as usual.
  void addMessages() {
    for (std::size_t index = 0; index < timeline.messages.size(); ++index) {
      const MatchedMessage &message = timeline.messages[index];
      if (!message.matched())
        continue;
      const std::int64_t instance = shared.instanceOf[index];
      if (message.completion != noPosition) {
        std::vector<Wait> &receiver = waits[message.receive.rank];
        receiver.push_back({message.completion, message.send, noMeeting, -1});
        if (instance != SharedMessages::none)
          receiver.push_back({message.completion, {}, static_cast<std::size_t>(instance), -1});
      }
      if (message.sendCompletion != noPosition && !isBuffered(message))
        waits[message.send.rank].push_back(
            {message.sendCompletion, message.receive, noMeeting, static_cast<std::int64_t>(index)});
    }
    for (const SharedMessages::Behind &behind : shared.behind) {
      const MatchedMessage &message = timeline.messages[behind.message];
      waits[message.receive.rank].push_back({message.completion, {}, behind.instance, -1});
    }
  }

  bool isBuffered(const MatchedMessage &message) const {
    const Event &send = timeline.ranks[message.send.rank].at(message.send.position);
    return isBufferedSend(mpiFunction(send.function).role);
  }

  void addCollectives() {
    // By communicator and number of the call on it.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> known;
    for (std::uint32_t rank = 0; rank < timeline.ranks.size(); ++rank) {
      std::map<std::uint32_t, std::uint64_t> calls; // by communicator
      std::map<int, std::size_t> requests;          // of non-blocking calls: their meetings
      const RankTimeline &events = timeline.ranks[rank];
      for (std::uint32_t position = 0; position < events.size(); ++position) {
        const Event &event = events.at(position);
        if (event.kind != EventKind::Call)
          continue;
        const MpiRole role = mpiFunction(event.function).role;
        if (role == MpiRole::Completion) {
          complete(event, rank, position, requests);
          continue;
        }
        const bool posted = role == MpiRole::NonblockingCollective;
        if (!isCollective(role))
          continue;
        const std::uint32_t communicator = timeline.communicators.ofGroup(rank, event.communicator);
        if (communicator == CommunicatorNumbers::none)
          continue;
        const auto [meeting, isNew] =
            known.try_emplace({communicator, calls[communicator]++}, meetings.size());
        if (isNew)
          meetings.emplace_back();
        meetings[meeting->second].entries.push_back({rank, position});
        if (!posted)
          waits[rank].push_back({position, {}, meeting->second, -1});
        else
          for (const int request : event.requests)
            requests[request] = meeting->second;
      }
    }
  }

  void complete(const Event &event, std::uint32_t rank, std::uint32_t position,
                std::map<int, std::size_t> &requests) {
    if (requests.empty())
      return;
    for (const int request : event.requests)
      if (const auto found = requests.find(request); found != requests.end()) {
        waits[rank].push_back({position, {}, found->second, -1});
        requests.erase(found);
      }
  }
};

/// One attempt to run the program.
class SharedRun {
public:
  /// `left`: sites that are not shared. Messages of at most `buffered` bytes are buffered.
  SharedRun(const WaitCollector &program, const std::map<int, CircularWait> &left,
            std::uint64_t buffered)
      : program(program), left(left), buffered(buffered), ranks(program.waits.size()),
        meetings(program.meetings.size()), driver(ranks.size()) {
    for (std::size_t meeting = 0; meeting < meetings.size(); ++meeting) {
      meetings[meeting].missing = program.meetings[meeting].entries.size();
      for (const EventPosition &entry : program.meetings[meeting].entries)
        ranks[entry.rank].entries.push_back({entry.position, meeting});
    }
    for (Rank &rank : ranks)
      std::sort(rank.entries.begin(), rank.entries.end());
  }

  /// True if every rank reaches its end.
  bool run() {
    driver.run([&](std::size_t rank) { return advance(rank); },
               [&](std::size_t rank) { return ranks[rank].reached; });
    return !driver.firstStuck();
  }

  /// For stuck ranks: an instance of an exchange that closes a circle of ranks waiting for one
  /// another, or noMeeting.
  std::size_t closesCircle() const {
    auto rank = static_cast<std::uint32_t>(driver.firstStuck().value_or(ranks.size()));
    for (std::size_t step = 0; step < ranks.size(); ++step) // following waits leads into a circle
      rank = waitsFor(rank);
    std::size_t instance = noMeeting;
    for (std::size_t step = 0; step < ranks.size(); ++step, rank = waitsFor(rank))
      if (const Wait *wait = waitOf(rank); wait && siteOf(*wait) != noSite)
        instance = std::min(instance, wait->meeting);
    return instance;
  }

  /// The size of the smallest message whose send is stuck, or `everything`.
  std::uint64_t smallestStuckSend() const {
    std::uint64_t smallest = everything;
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
      if (const Wait *wait = waitOf(rank); wait && wait->message >= 0)
        smallest = std::min(smallest, bytesOf(*wait));
    return smallest;
  }

  /// Why the instance does not happen: follows the waits from a rank that has not entered it to a
  /// rank that waits for an instance of the same site.
  CircularWait explain(std::size_t instance) const {
    const int site = program.meetings[instance].site;
    const std::uint32_t first = absentRank(instance);
    std::uint32_t rank = first;
    for (std::size_t step = 0; step < ranks.size(); ++step) {
      const Wait *wait = waitOf(rank);
      if (!wait)
        break;
      if (siteOf(*wait) == site && program.meetings[instance].waitsAtEntry)
        return {CircularWait::Kind::ComesTooLate, first, rank};
      if (siteOf(*wait) == site)
        return {rank == first ? CircularWait::Kind::WaitsBeforeSend
                              : CircularWait::Kind::SendsAfterReceipt,
                first, rank};
      rank = waitsFor(rank);
    }
    return {CircularWait::Kind::KeptFromSending, first};
  }

private:
  struct Rank {
    std::uint32_t reached = 0; ///< everything before this position is done
    std::size_t next = 0;      ///< the next wait
    std::size_t nextEntry = 0;
    std::vector<std::pair<std::uint32_t, std::size_t>> entries; ///< position, meeting
  };
  struct MeetingState {
    std::size_t missing = 0;
    std::vector<std::uint32_t> waiting; ///< ranks
  };

  /// Null for a rank at its end.
  const Wait *waitOf(std::uint32_t rank) const {
    const std::vector<Wait> &waits = program.waits[rank];
    return ranks[rank].next < waits.size() ? &waits[ranks[rank].next] : nullptr;
  }

  /// A rank that `rank` waits for; `rank` itself at its end.
  std::uint32_t waitsFor(std::uint32_t rank) const {
    const Wait *wait = rank < ranks.size() ? waitOf(rank) : nullptr;
    if (!wait)
      return rank;
    return wait->meeting != noMeeting ? absentRank(wait->meeting) : wait->other.rank;
  }

  int siteOf(const Wait &wait) const {
    return wait.meeting == noMeeting ? noSite : program.meetings[wait.meeting].site;
  }

  std::uint64_t bytesOf(const Wait &wait) const {
    const MatchedMessage &message =
        program.timeline.messages[static_cast<std::size_t>(wait.message)];
    return program.timeline.ranks[message.send.rank].at(message.send.position).bytes;
  }

  bool isShared(std::int64_t message) const {
    const std::int64_t instance = program.shared.instanceOf[static_cast<std::size_t>(message)];
    return instance != SharedMessages::none &&
           !left.contains(program.meetings[static_cast<std::size_t>(instance)].site);
  }

  bool isOver(const Wait &wait) const {
    if (wait.meeting != noMeeting)
      return meetings[wait.meeting].missing == 0 || left.contains(siteOf(wait));
    if (wait.message >= 0 && (bytesOf(wait) <= buffered || isShared(wait.message)))
      return true;
    return ranks[wait.other.rank].reached >= wait.other.position;
  }

  RankProgress advance(std::size_t index) {
    Rank &rank = ranks[index];
    const std::vector<Wait> &waits = program.waits[index];
    if (rank.next == waits.size()) {
      reach(rank, everything);
      return RankProgress::Ended;
    }
    const Wait &wait = waits[rank.next];
    reach(rank, wait.position);
    if (!isOver(wait)) {
      if (wait.meeting != noMeeting)
        meetings[wait.meeting].waiting.push_back(static_cast<std::uint32_t>(index));
      else
        driver.wakeWhenReached(wait.other.rank, wait.other.position, index);
      return RankProgress::Blocked;
    }
    ++rank.next;
    return RankProgress::Advanced;
  }

  void reach(Rank &rank, std::uint32_t position) {
    rank.reached = position;
    for (; rank.nextEntry < rank.entries.size() && rank.entries[rank.nextEntry].first <= position;
         ++rank.nextEntry) {
      MeetingState &meeting = meetings[rank.entries[rank.nextEntry].second];
      if (--meeting.missing == 0)
        for (const std::uint32_t waiting : std::exchange(meeting.waiting, {}))
          driver.wake(waiting);
    }
  }

  std::uint32_t absentRank(std::size_t meeting) const {
    for (const EventPosition &entry : program.meetings[meeting].entries)
      if (ranks[entry.rank].reached < entry.position)
        return entry.rank;
    return 0;
  }

  const WaitCollector &program;
  const std::map<int, CircularWait> &left;
  const std::uint64_t buffered;
  std::vector<Rank> ranks;
  std::vector<MeetingState> meetings;
  RankDriver driver; ///< marks: positions
};

/// The size in bytes up to which the run itself must have buffered messages.
std::uint64_t bytesBuffered(const WaitCollector &program) {
  std::map<int, CircularWait> all;
  for (const Meeting &meeting : program.meetings)
    if (meeting.site != noSite)
      all.try_emplace(meeting.site);
  std::uint64_t buffered = 0;
  for (;;) {
    SharedRun run(program, all, buffered);
    if (run.run())
      return buffered;
    const std::uint64_t smallest = run.smallestStuckSend();
    if (smallest == everything)
      return buffered;
    buffered = std::max(smallest, 2 * buffered); // keeps attempts few
  }
}

} // namespace

std::map<int, CircularWait> findCircularWaits(const Timeline &timeline,
                                              const SharedMessages &shared) {
  WaitCollector program(timeline, shared);
  program.run();
  const std::uint64_t buffered = bytesBuffered(program);
  std::map<int, CircularWait> left;
  for (;;) {
    SharedRun run(program, left, buffered);
    if (run.run())
      return left;
    const std::size_t instance = run.closesCircle();
    if (instance == noMeeting) { // the profile lacks something, so the run cannot be followed
      for (const ExchangeInstance &each : shared.instances)
        if (each.site != noSite)
          left.try_emplace(each.site, CircularWait{CircularWait::Kind::NotFollowed});
      return left;
    }
    left[program.meetings[instance].site] = run.explain(instance);
  }
}

} // namespace sendwright
