// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes text traces. A rank's run is expanded twice. The first pass learns which source each
// non-blocking wildcard receive took: this is known only where the receive was completed, but is
// written on its own line. The second pass writes the lines. Requests keep their numbers. If a
// recording left a request open and reused its number, the request gets a new number, so that the
// result can be read.

#include "analysis/trace/TextTrace.h"

#include "analysis/file/FormatError.h"
#include "analysis/trace/CommunicatorNumbers.h"
#include "analysis/trace/TextTraceWords.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <unordered_map>

namespace sendwright {

namespace {

constexpr std::uint64_t maximumEvents = 1'000'000'000;

bool holdsAll(const Communicator &communicator, std::size_t ranks) {
  if (communicator.intercommunicator || communicator.members.size() != ranks)
    return false;
  for (std::size_t member = 0; member < ranks; ++member)
    if (communicator.members[member] != static_cast<int>(member))
      return false;
  return true;
}

bool completes(MpiRole role) { return role == MpiRole::Completion || role == MpiRole::RequestFree; }

/// The source of the wildcard match that the event itself holds, or -1.
int ownSource(const Event &event) {
  for (const WildcardMatch &match : event.matches)
    if (match.request < 0)
      return match.source;
  return -1;
}

bool isOpenWildcard(const Event &event) {
  return event.kind == EventKind::Call && event.peer == anySource &&
         mpiFunction(event.function).request >= 0 &&
         !messageWord(mpiFunction(event.function)).empty();
}

/// What the non-blocking wildcard receives of a run took, in the order of posting.
std::vector<int> wildcardSources(const RankProfile &rank) {
  std::vector<int> sources;
  if (std::none_of(rank.events.begin(), rank.events.end(), isOpenWildcard))
    return sources;
  std::unordered_map<int, std::size_t> posted; // request -> index into sources
  rank.sequence.forEach([&](std::uint32_t number) {
    const Event &event = rank.events[number];
    if (isOpenWildcard(event)) {
      for (int request : event.requests)
        posted[request] = sources.size();
      sources.push_back(ownSource(event));
    } else if (event.kind == EventKind::Call && completes(mpiFunction(event.function).role)) {
      for (const WildcardMatch &match : event.matches)
        if (auto found = posted.find(match.request); found != posted.end())
          sources[found->second] = match.source;
      for (int request : event.requests)
        posted.erase(request);
    }
    return true;
  });
  return sources;
}

class RankWriter {
public:
  RankWriter(const Profile &profile, std::size_t rankNumber, const CommunicatorNumbers &numbers,
             const std::vector<unsigned> &names, const std::function<void(std::string_view)> &write)
      : profile(profile), rank(profile.ranks[rankNumber]), rankNumber(rankNumber), numbers(numbers),
        names(names), write(write) {
    for (const Event &event : rank.events)
      numbersInUse.insert(event.requests.begin(), event.requests.end());
    text = "rank " + std::to_string(rankNumber) + "\n";
  }

  void run() {
    const std::vector<int> sources = wildcardSources(rank);
    auto source = sources.begin();
    rank.sequence.forEach([&](std::uint32_t number) {
      addComputation(number);
      const Event &event = rank.events[number];
      if (event.kind == EventKind::Compute)
        writeCompute(event);
      else if (event.kind == EventKind::Call)
        writeCall(event, isOpenWildcard(event) ? *source++ : ownSource(event));
      if (text.size() > 1 << 16)
        flush();
      return true;
    });
    writePendingComputation();
    if (rank.truncated)
      text += "truncated\n";
    flush();
  }

private:
  void flush() {
    write(text);
    text.clear();
  }

  // Computation.

  void addComputation(std::uint32_t number) {
    if (number < rank.statistics.size() && rank.statistics[number].count > 0)
      pending += std::max(0.0, rank.statistics[number].before /
                                   static_cast<double>(rank.statistics[number].count));
  }

  void writePendingComputation() {
    const double seconds = std::round(pending * 1e9) / 1e9;
    pending = 0;
    if (seconds > 0) {
      text += "compute ";
      real(seconds);
      text += '\n';
    }
  }

  void writeCompute(const Event &event) {
    writePendingComputation();
    text += "compute ";
    real(event.seconds);
    finishLine(event);
  }

  // Calls.

  void writeCall(const Event &event, int from) {
    const MpiFunction &function = mpiFunction(event.function);
    if (const std::string word = messageWord(function); !word.empty())
      writeMessage(event, word, from);
    else if (function.role == MpiRole::SendReceive)
      writeExchange(event, from);
    else if (endsRequests(function.role))
      writeCompletion(event, function.role);
    else if (std::string collective = collectiveWord(function); !collective.empty())
      writeCollective(event, collective, function.request >= 0);
  }

  void writeMessage(const Event &event, std::string_view word, int from) {
    writePendingComputation();
    const bool hasRequest = mpiFunction(event.function).request >= 0;
    const int request = hasRequest ? open(event) : -1;
    messageLine(word, event.peer, request, event.bytes, event.tag, event.communicator, from);
    finishLine(event);
    if (hasRequest && event.requests.empty())
      text += "free req=" + std::to_string(request) + "\n";
  }

  /// Writes a Sendrecv as three equivalent events.
  void writeExchange(const Event &event, int from) {
    writePendingComputation();
    const int request = spareRequest();
    messageLine("irecv", event.receivePeer, request, event.receiveBytes, event.receiveTag,
                event.communicator, from);
    finishLine(event);
    messageLine("send", event.peer, -1, event.bytes, event.tag, event.communicator, -1);
    finishLine(event);
    text += "wait req=" + std::to_string(request);
    finishLine(event);
  }

  void messageLine(std::string_view word, int peer, int request, std::uint64_t bytes, int tag,
                   int communicator, int from) {
    text += word;
    text += peer == anySource ? " *" : peer < 0 ? " null" : " " + std::to_string(peer);
    if (request >= 0)
      text += " req=" + std::to_string(request);
    if (bytes > 0)
      text += " bytes=" + std::to_string(bytes);
    if (tag != 0)
      text += tag < 0 ? " tag=*" : " tag=" + std::to_string(tag);
    communicatorKey(communicator);
    if (peer == anySource && from >= 0)
      text += " from=" + std::to_string(from);
  }

  void writeCompletion(const Event &event, MpiRole role) {
    std::string requests;
    for (int number : event.requests) {
      auto found = openRequests.find(number);
      if (found == openRequests.end())
        continue;
      requests += (requests.empty() ? "" : ",") + std::to_string(found->second);
      if (role != MpiRole::Cancel)
        openRequests.erase(found);
    }
    if (requests.empty())
      return;
    writePendingComputation();
    text += role == MpiRole::Cancel ? "cancel" : role == MpiRole::RequestFree ? "free" : "wait";
    text += " req=" + requests;
    finishLine(event);
  }

  void writeCollective(const Event &event, const std::string &word, bool hasRequest) {
    writePendingComputation();
    const int request = hasRequest ? open(event) : -1;
    text += "collective " + word;
    if (hasRequest)
      text += " req=" + std::to_string(request);
    if (event.peer >= 0)
      text += " root=" + std::to_string(event.peer);
    if (event.bytes > 0)
      text += " bytes=" + std::to_string(event.bytes);
    communicatorKey(event.communicator);
    finishLine(event);
    if (hasRequest && event.requests.empty())
      text += "free req=" + std::to_string(request) + "\n";
  }

  // Requests.

  /// The number under which the request that `event` creates is written.
  int open(const Event &event) {
    if (event.requests.empty())
      return spareRequest();
    const int number = event.requests[0];
    const bool leftOpen = openRequests.count(number) > 0;
    return openRequests[number] = leftOpen ? freshNumber() : number;
  }

  /// A number for requests that end at once.
  int spareRequest() {
    if (spare < 0)
      spare = freshNumber();
    return spare;
  }

  int freshNumber() {
    while (!numbersInUse.insert(lowestFree).second)
      ++lowestFree;
    return lowestFree;
  }

  // Keys.

  void communicatorKey(int index) {
    const std::uint32_t number = numbers.of(rankNumber, index);
    if (number != CommunicatorNumbers::none && names[number] != 0)
      text += " comm=" + std::to_string(names[number]);
  }

  void finishLine(const Event &event) {
    if (event.site >= 0) {
      const SiteIdentity &site = profile.sites[static_cast<std::size_t>(event.site)];
      if (!site.file.empty())
        text += " site=" + encodeTraceFile(site.file) + ":" + std::to_string(site.line);
    }
    if (event.time >= 0) {
      text += " t=";
      real(event.time);
    }
    text += '\n';
  }

  void real(double value) {
    char digits[32];
    const double unsignedZero = value == 0 ? 0 : value; // "-0" would come back as "0"
    text.append(digits, std::to_chars(digits, digits + sizeof digits, unsignedZero).ptr);
  }

  const Profile &profile;
  const RankProfile &rank;
  const std::size_t rankNumber;
  const CommunicatorNumbers &numbers;
  const std::vector<unsigned> &names; // of communicators, by number
  const std::function<void(std::string_view)> &write;
  std::string text;
  double pending = 0;                        // computation before the next line, seconds
  std::unordered_map<int, int> openRequests; // number in the profile -> number written
  std::set<int> numbersInUse;
  int lowestFree = 0;
  int spare = -1;
};

} // namespace

std::vector<unsigned> textCommunicators(const CommunicatorNumbers &numbers, std::size_t ranks) {
  std::vector<unsigned> names(numbers.size());
  std::set<unsigned> taken{0};
  std::vector<std::uint32_t> others;
  for (std::uint32_t number = 0; number < numbers.size(); ++number)
    if (holdsAll(numbers[number], ranks))
      taken.insert(names[number] = numbers[number].instance);
    else
      others.push_back(number);
  unsigned next = 0;
  for (const std::uint32_t number : others) {
    while (!taken.insert(next).second)
      ++next;
    names[number] = next;
  }
  return names;
}

void formatTextTrace(const Profile &profile, const std::string &name,
                     const std::function<void(std::string_view)> &write) {
  std::uint64_t events = 0;
  for (const RankProfile &rank : profile.ranks)
    if (__builtin_add_overflow(events, rank.sequence.length(), &events) || events > maximumEvents)
      throw FormatError(name + ": more than " + std::to_string(maximumEvents) +
                        " events, expected a run that can be written event by event");
  write("sendwright-trace 1\nranks " + std::to_string(profile.ranks.size()) + "\n");
  const CommunicatorNumbers numbers(profile, IntercommunicatorNumbers::BySide);
  const std::vector<unsigned> names = textCommunicators(numbers, profile.ranks.size());
  for (std::size_t rank = 0; rank < profile.ranks.size(); ++rank)
    RankWriter(profile, rank, numbers, names, write).run();
}

} // namespace sendwright
