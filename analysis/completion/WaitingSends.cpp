// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/completion/WaitingSends.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace sendwright {

namespace {

/// What one rank spends in the sends of one site.
struct OwnSends {
  double inside = 0; // seconds in the calls, and in calls that complete them
  double needed = 0; // what the machine needs for their messages
  std::uint64_t executions = 0;
  std::set<int> requests; // numbers of their requests
};

/// Seconds until a message has left whose receive is posted.
double secondsToLeave(const LinkParameters &link, std::uint64_t bytes) {
  return link.o_send + 2 * link.handshake.value_or(link.L) +
         static_cast<double>(bytes) * (link.G + link.O);
}

bool isCallOf(const Event &event, MpiRole role) {
  return event.kind == EventKind::Call && mpiFunction(event.function).role == role;
}

/// Adds what one rank does to the sites.
class RankSends {
public:
  RankSends(const Profile &profile, const Timeline &timeline, const Machine &machine,
            std::uint64_t most, std::size_t rank)
      : profile(profile), events(timeline.ranks[rank]), machine(machine), most(most), rank(rank),
        own(profile.sites.size()) {}

  void addTo(std::vector<WaitingSends> &sites) {
    const RankProfile &recorded = *events.profile;
    for (std::size_t number = 0; number < recorded.events.size(); ++number) {
      const Event &event = recorded.events[number];
      if (event.site < 0 || static_cast<std::size_t>(event.site) >= sites.size())
        continue;
      if (event.kind == EventKind::SiteEnter)
        own[static_cast<std::size_t>(event.site)].executions += events.count[number];
      else if (event.kind == EventKind::Call && event.peer >= 0 &&
               isStandardSend(mpiFunction(event.function).role) &&
               isDeferrable(event, recorded, profile.ranks.size()))
        add(event, number, sites[static_cast<std::size_t>(event.site)]);
    }
    for (std::size_t number = 0; number < recorded.statistics.size(); ++number)
      if (isCallOf(recorded.events[number], MpiRole::Completion))
        addCompletion(recorded.events[number], recorded.statistics[number].inside);
    for (std::size_t site = 0; site < sites.size(); ++site)
      compare(own[site], recorded.seconds, sites[site]);
  }

private:
  void add(const Event &event, std::size_t number, WaitingSends &site) {
    const LinkParameters &link = linkBetween(machine, rank, static_cast<std::size_t>(event.peer));
    site.sends += events.count[number];
    if (static_cast<double>(event.bytes) <= link.eager_limit)
      return;
    if (event.bytes > most) {
      site.tooLarge = std::max(site.tooLarge, event.bytes);
    } else {
      site.largest = std::max(site.largest, event.bytes);
      site.smallest = site.smallest == 0 ? event.bytes : std::min(site.smallest, event.bytes);
    }
    if (number >= events.profile->statistics.size())
      return;
    const EventStatistics &measured = events.profile->statistics[number];
    OwnSends &mine = own[static_cast<std::size_t>(event.site)];
    mine.requests.insert(event.requests.begin(), event.requests.end());
    mine.inside += measured.inside;
    mine.needed += static_cast<double>(measured.count) * secondsToLeave(link, event.bytes);
    site.measured = true;
  }

  /// Requests have numbers that are used again, so this may count waits for others, too.
  void addCompletion(const Event &event, double inside) {
    if (event.site < 0 || static_cast<std::size_t>(event.site) >= own.size())
      return;
    OwnSends &mine = own[static_cast<std::size_t>(event.site)];
    if (std::any_of(event.requests.begin(), event.requests.end(),
                    [&](int request) { return mine.requests.contains(request); }))
      mine.inside += inside;
  }

  static void compare(const OwnSends &mine, double seconds, WaitingSends &site) {
    const double waits = std::max(0.0, mine.inside - mine.needed) /
                         static_cast<double>(std::max<std::uint64_t>(mine.executions, 1));
    site.waiting = std::max(site.waiting, waits);
    if (seconds > 0)
      site.percent = std::max(site.percent, 100 * mine.inside / seconds);
  }

  const Profile &profile;
  const RankTimeline &events;
  const Machine &machine;
  std::uint64_t most;
  std::size_t rank;
  std::vector<OwnSends> own; // by site
};

} // namespace

std::uint64_t leastWaitingBytes(const Machine &machine) {
  double limit = machine.between.eager_limit;
  if (machine.within)
    limit = std::min(limit, machine.within->eager_limit);
  constexpr double largest = 1e18;
  return static_cast<std::uint64_t>(std::floor(std::clamp(limit, 0.0, largest))) + 1;
}

std::vector<WaitingSends> findWaitingSends(const Profile &profile, const Timeline &timeline,
                                           const Machine &machine, std::uint64_t most) {
  std::vector<WaitingSends> sites(profile.sites.size());
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    RankSends(profile, timeline, machine, most, rank).addTo(sites);
  return sites;
}

std::optional<CompletionRefusal> whyNotEarly(const WaitingSends &found, const LoopFacts &facts,
                                             int site, std::uint64_t least, std::uint64_t most,
                                             double thresholdPercent) {
  if (found.sends == 0)
    return CompletionRefusal{CompletionObstacle::NoStandardSend};
  if (found.largest == 0 && found.tooLarge == 0)
    return CompletionRefusal{CompletionObstacle::LeavesAtOnce, least - 1};
  if (found.measured && found.percent < thresholdPercent)
    return CompletionRefusal{CompletionObstacle::ShortWaits, 0, found.percent, thresholdPercent};
  if (found.largest == 0)
    return CompletionRefusal{CompletionObstacle::TooLarge, found.tooLarge, 0,
                             static_cast<double>(most)};
  if (facts.batchSite >= 0 && facts.batchSite != site)
    return CompletionRefusal{CompletionObstacle::HeldElsewhere};
  return {};
}

} // namespace sendwright
