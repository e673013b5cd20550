// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/Deadlock.h"

#include <algorithm>

namespace sendwright::strict {

namespace {

using Ranks = std::set<std::int64_t>;

template <typename Map> std::int64_t countIn(const Map &map, std::int64_t key) {
  const auto found = map.find(key);
  return found == map.end() ? 0 : found->second;
}

bool sameOrAny(std::int64_t wanted, std::int64_t value, std::int64_t any) {
  return wanted == any || wanted == value;
}

/// A communicator without an id may be any.
bool sameCommunicator(std::int64_t one, std::int64_t other) {
  return one == other || one == 0 || other == 0;
}

/// Examines waits on the assumption that exactly the ranks of `stuck` never go on.
class Assumption {
public:
  Assumption(const Reports &reports, const Ranks &stuck) : reports(reports), stuck(stuck) {}

  bool isStuck(const RankReport &report) const {
    if (!report.blocked || report.items.empty())
      return false;
    const auto inVain = [&](const WaitItem &item) { return !blockers(report, item).empty(); };
    return report.any ? std::ranges::all_of(report.items, inVain)
                      : std::ranges::any_of(report.items, inVain);
  }

  /// The ranks of `stuck` that make the wait endless by being stuck; empty if it may end.
  std::vector<std::int64_t> blockers(const RankReport &report, const WaitItem &item) const {
    switch (item.kind) {
    case WaitItem::Sending:
      return sendsInVain(report, item) ? std::vector{item.peer} : std::vector<std::int64_t>{};
    case WaitItem::Receiving:
    case WaitItem::Probing:
      return item.peer == anyRank ? fromAny(report, item) : from(report, item, item.peer);
    case WaitItem::Meeting:
      return missing(item);
    case WaitItem::Boundary:
      return notCome(report, item.peer);
    default:
      return {};
    }
  }

private:
  const RankReport *find(std::int64_t rank) const {
    const auto found = reports.find(rank);
    return found == reports.end() ? nullptr : &found->second;
  }
  const RankReport *findStuck(std::int64_t rank) const {
    return stuck.contains(rank) ? find(rank) : nullptr;
  }

  static bool receives(const RankReport &receiver, std::int64_t source, const PendingSend &send) {
    return std::ranges::any_of(receiver.receives, [&](const ReportedReceive &posted) {
      return sameOrAny(posted.source, source, anyRank) &&
             sameOrAny(posted.tag, send.tag, anyTagValue) &&
             sameCommunicator(posted.communicator, send.communicator);
    });
  }

  static const PendingSend *findSend(const RankReport &sender, std::int64_t number) {
    const auto found = std::ranges::find(sender.sends, number, &PendingSend::number);
    return found == sender.sends.end() ? nullptr : &*found;
  }

  /// Whether the buffer is held by a message that the receiver, in its present state, does not
  /// take.
  bool staysHeld(const RankReport &receiver, const Ticket &holder) const {
    const RankReport *sender = find(holder.rank);
    const PendingSend *send = sender ? findSend(*sender, holder.number) : nullptr;
    return send && !receives(receiver, holder.rank, *send);
  }

  bool sendsInVain(const RankReport &report, const WaitItem &item) const {
    const RankReport *receiver = findStuck(item.peer);
    const PendingSend *send = findSend(report, item.number);
    if (!receiver || !send || receives(*receiver, report.rank, *send))
      return false;
    if (!send->limited)
      return true;
    const Ticket ticket{report.rank, send->number};
    return std::ranges::find(receiver->waiting, ticket) != receiver->waiting.end() &&
           std::int64_t(receiver->holders.size()) == receiver->buffers &&
           std::ranges::all_of(receiver->holders,
                               [&](const Ticket &holder) { return staysHeld(*receiver, holder); });
  }

  /// `source`, if it neither sends nor has sent anything that would end the wait.
  std::vector<std::int64_t> from(const RankReport &report, const WaitItem &item,
                                 std::int64_t source) const {
    const RankReport *sender = findStuck(source);
    if (!sender)
      return {};
    const bool comes = std::ranges::any_of(sender->sends, [&](const PendingSend &send) {
      return send.destination == report.rank && sameOrAny(item.tag, send.tag, anyTagValue) &&
             sameCommunicator(item.communicator, send.communicator);
    });
    const bool inTransit = !report.receivesUncounted && countIn(sender->matchedTo, report.rank) !=
                                                            countIn(report.receivedFrom, source);
    return comes || inTransit ? std::vector<std::int64_t>{} : std::vector{source};
  }

  std::vector<std::int64_t> fromAny(const RankReport &report, const WaitItem &item) const {
    std::vector<std::int64_t> all;
    for (const std::int64_t member : item.members) {
      if (from(report, item, member).empty())
        return {};
      all.push_back(member);
    }
    return all;
  }

  std::vector<std::int64_t> missing(const WaitItem &item) const {
    std::vector<std::int64_t> all;
    for (const std::int64_t member : item.members)
      if (const RankReport *report = findStuck(member)) {
        // A rank that no longer knows the communicator has freed it.
        const auto begun = report->collectives.find(item.communicator);
        if (begun != report->collectives.end() && begun->second < item.number)
          all.push_back(member);
      }
    return all;
  }

  /// `peer`, unless its announcement is under way.
  std::vector<std::int64_t> notCome(const RankReport &report, std::int64_t peer) const {
    const RankReport *other = findStuck(peer);
    return other && countIn(other->toldTo, report.rank) == countIn(report.toldBy, peer)
               ? std::vector{peer}
               : std::vector<std::int64_t>{};
  }

  const Reports &reports;
  const Ranks &stuck;
};

/// The ranks that a rank waits for. If it waits for all of several items, the first endless one
/// says enough.
std::vector<std::int64_t> awaited(const Reports &reports, const Ranks &stuck, std::int64_t rank) {
  const RankReport &report = reports.at(rank);
  const Assumption assumption(reports, stuck);
  std::vector<std::int64_t> all;
  for (const WaitItem &item : report.items) {
    std::vector<std::int64_t> blockers = assumption.blockers(report, item);
    if (item.kind == WaitItem::Meeting && blockers.size() > 1)
      blockers.resize(1);
    all.insert(all.end(), blockers.begin(), blockers.end());
    if (!report.any && !all.empty())
      break;
  }
  return all;
}

std::string join(const std::vector<std::int64_t> &ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t index = 0; index < ranks.size(); ++index)
    text += (index == 0                 ? ""
             : index + 1 < ranks.size() ? ", "
                                        : " and ") +
            std::to_string(ranks[index]);
  return text;
}

std::string holdersOf(const RankReport &receiver) {
  Ranks ranks;
  for (const Ticket &holder : receiver.holders)
    ranks.insert(holder.rank);
  return join({ranks.begin(), ranks.end()});
}

std::string whySendWaits(const RankReport &receiver, bool limited) {
  const std::string rank = "rank " + std::to_string(receiver.rank);
  if (!limited)
    return rank + " does not receive it";
  if (receiver.buffers == 0)
    return rank + " has no buffers and does not receive it";
  return "all " + std::to_string(receiver.buffers) + " buffers of " + rank +
         " are taken, by messages of " + holdersOf(receiver);
}

/// The program's call has not begun yet, so what it is does not matter for the wait.
std::string describeBoundary(const WaitItem &item,
                             const std::function<std::string(const std::string &)> &line) {
  const std::string peer = "rank " + std::to_string(item.peer);
  std::string text = "before " + item.origin.function;
  if (!item.origin.address.empty())
    text += " at " + line(item.origin.address);
  text += ", waits for " + peer;
  text += item.number ? " at the end of synchronisation" : " at the boundary of a super epoch";
  return text + ": " + peer + " has not reached it";
}

} // namespace

std::set<std::int64_t> deadlockedRanks(const Reports &reports) {
  Ranks stuck;
  for (const auto &[rank, report] : reports)
    if (report.blocked)
      stuck.insert(rank);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto rank = stuck.begin(); rank != stuck.end();) {
      const bool remains = Assumption(reports, stuck).isStuck(reports.at(*rank));
      changed = changed || !remains;
      rank = remains ? std::next(rank) : stuck.erase(rank);
    }
  }
  return stuck;
}

std::set<std::int64_t> cycleAmong(const Reports &reports, const Ranks &stuck) {
  const auto reachable = [&](std::int64_t from) {
    Ranks seen;
    std::vector<std::int64_t> open{from};
    while (!open.empty()) {
      const std::int64_t rank = open.back();
      open.pop_back();
      for (const std::int64_t next : awaited(reports, stuck, rank))
        if (seen.insert(next).second)
          open.push_back(next);
    }
    return seen;
  };
  Ranks cycle = reachable(*stuck.begin());
  for (std::int64_t rank = *stuck.begin(); !cycle.empty();) {
    const auto away = std::ranges::find_if(cycle, [&](std::int64_t other) {
      return other != rank && !reachable(other).contains(rank);
    });
    if (away == cycle.end())
      break;
    rank = *away;
    cycle = reachable(rank);
  }
  return cycle;
}

std::string describeWait(const Reports &reports, const Ranks &stuck, std::int64_t rank,
                         const std::function<std::string(const std::string &)> &line) {
  const RankReport &report = reports.at(rank);
  const Assumption assumption(reports, stuck);
  std::string text = "rank " + std::to_string(rank) + ": ";
  if (report.items.size() == 1 && report.items[0].kind == WaitItem::Boundary)
    return text + describeBoundary(report.items[0], line);
  int described = 0;
  for (const WaitItem &item : report.items) {
    const std::vector<std::int64_t> blockers = assumption.blockers(report, item);
    if (blockers.empty() || (described > 0 && !report.any))
      continue;
    if (described++ > 0)
      text += "; or ";
    else if (!(item.origin == report.call))
      text += report.call.function + " at " + line(report.call.address) + " for ";
    text += item.origin.function;
    std::string why;
    const std::string peer =
        item.peer == anyRank ? "any rank" : "rank " + std::to_string(item.peer);
    if (item.kind == WaitItem::Meeting) {
      if (!item.wholeWorld)
        text += " of " + std::to_string(item.members.size()) + " ranks";
      why = join(blockers) + (blockers.size() == 1 ? " has" : " have") + " not called it";
    } else if (item.kind == WaitItem::Sending) {
      const auto send = std::ranges::find(report.sends, item.number, &PendingSend::number);
      why = whySendWaits(reports.at(item.peer), send->limited);
      text += " to " + peer;
    } else {
      why = item.peer == anyRank ? "no rank sends it" : peer + " does not send it";
      text += " from " + peer;
    }
    if (item.kind != WaitItem::Meeting)
      text += item.tag == anyTagValue ? ", any tag" : ", tag " + std::to_string(item.tag);
    if (!item.origin.address.empty())
      text += ", at " + line(item.origin.address);
    text += ": " + why;
  }
  return text;
}

} // namespace sendwright::strict
