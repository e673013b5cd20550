// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/recording/Recorder.h"

#include "analysis/file/FigureText.h"
#include "analysis/file/Hashing.h"
#include "runtime/base/Interception.h"

#include <dlfcn.h>

#include <algorithm>

namespace sendwright {

namespace {

thread_local constinit RecordingThread thisThread{};

/// "module+0x1234" of an address in the program.
std::string describeCaller(const void *address) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname)
    return formatted("%p", address);
  const std::string name = info.dli_fname;
  return name.substr(name.rfind('/') + 1) +
         formatted("+0x%zx", std::size_t(static_cast<const char *>(address) -
                                         static_cast<const char *>(info.dli_fbase)));
}

// The pointer that the program keeps in a site: its number, once the profile has it, else how often
// it was executed without communication.

void *stateOf(int number) { return reinterpret_cast<void *>(2 * (std::uintptr_t(number) + 1)); }
bool isNumber(void *state) { return state && reinterpret_cast<std::uintptr_t>(state) % 2 == 0; }
int numberIn(void *state) { return int(reinterpret_cast<std::uintptr_t>(state) / 2 - 1); }

void *stateOfSkips(std::uint64_t skips) {
  return skips == 0 ? nullptr : reinterpret_cast<void *>(std::uintptr_t(2 * skips + 1));
}
std::uint64_t skipsIn(void *state) { return reinterpret_cast<std::uintptr_t>(state) / 2; }

/// A send loop that a rank executes without communication before it first communicates: so many
/// executions are recorded where they happen. The others follow when it communicates.
constexpr std::uint64_t mostEarlySkips = 64;
/// A loop that is executed so often before it communicates is no exchange.
constexpr std::uint64_t mostSkipsBefore = 1 << 16;
/// Loops that hardly ever communicate must not fill the profile: so many executions without
/// communication are recorded in any case, and so many for each other event.
constexpr std::uint64_t skipsInAnyCase = 10000, skipsOfEvent = 4;

/// Of calls that the program makes in one place, the same. What it computes before a loop depends
/// on which call came before: the loop may serve several phases of an iteration.
std::uint32_t placeOf(const EventContent &content) {
  constexpr std::uint32_t spread = 0x9e3779b1; // 2^32 over the golden ratio
  const std::uint32_t which =
      std::uint32_t(content.function) * spread + std::uint32_t(content.call);
  return which * spread + std::uint32_t(content.address);
}

} // namespace

RecordingThread &recordingThread() { return thisThread; }

Recorder::Recorder(int threadLevel, std::size_t memoryLimit)
    : threaded(threadLevel >= MPI_THREAD_MULTIPLE), memoryLimit(memoryLimit),
      begin(thisThread.clock.now()) {
  thisThread.lastEnd = begin;
}

double Recorder::takeBefore(RecordingThread &thread, double begin) {
  // A thread's first call has no earlier call to count from.
  const double since = thread.lastEnd >= 0 ? std::max(0.0, begin - thread.lastEnd) : 0;
  const double before = thread.carriedBefore + since;
  thread.carriedBefore = 0;
  return before;
}

void Recorder::callEnds(RecordingThread &thread, double end) {
  // Reading the clock after every call would cost as much as looking up an event.
  const unsigned call = thread.calls++;
  if (call < 16 || call % 16 == 0) {
    const double sample = thread.clock.now() - end;
    thread.overhead = call == 0 ? sample : std::min(sample, thread.overhead * 1.25 + 1e-9);
  }
  thread.lastEnd = end + thread.overhead;
}

int Recorder::addSite(std::vector<SiteIdentity> &list, SiteNumbers &numbers,
                      const sendwright_site &site, std::string instantiation) {
  const auto [place, isNew] = numbers.try_emplace(
      {site.file, site.function, site.hash, site.ordinal, instantiation}, list.size());
  if (isNew)
    list.push_back(
        {site.file, site.function, site.line, site.ordinal, site.hash, std::move(instantiation)});
  return place->second;
}

int Recorder::siteNumber(const MarkedScopes::Scope &scope) {
  sendwright_site &site = *scope.site;
  if (scope.function)
    return instances[&site].get(scope.function, [&](std::string instantiation) {
      return addSite(sites, siteNumbers, site, std::move(instantiation));
    });
  if (isNumber(site.state))
    return numberIn(site.state);
  const std::uint64_t before = skipsIn(site.state);
  const int number = addSite(sites, siteNumbers, site, "");
  site.state = stateOf(number);
  if (before <= mostSkipsBefore)
    addSkips(number, before);
  return number;
}

void Recorder::addSkips(int site, std::uint64_t count) {
  for (; count > 0 && skips < skipsInAnyCase + skipsOfEvent * (appended - skips); --count) {
    ++skips;
    addSiteEvent(EventKind::SiteSkip, site, 0);
  }
}

void Recorder::skip(const MarkedScopes::Scope &scope) {
  if (threaded || scope.function)
    return;
  void *&state = scope.site->state;
  if (!isNumber(state) && (scope.site->flags & SENDWRIGHT_SITE_DEFERRABLE))
    quietLoops[siteNumber(scope)] = 0;
  if (!isNumber(state))
    state = stateOfSkips(skipsIn(state) + 1);
  else if (const auto quiet = quietLoops.find(numberIn(state));
           quiet == quietLoops.end() || ++quiet->second <= mostEarlySkips)
    addSkips(numberIn(state), 1);
}

/// The site communicates: what was left out before is added, as if it were here.
void Recorder::endQuiet(int site) {
  const auto quiet = quietLoops.find(site);
  if (quiet == quietLoops.end())
    return;
  if (quiet->second > mostEarlySkips && quiet->second <= mostSkipsBefore)
    addSkips(site, quiet->second - mostEarlySkips);
  quietLoops.erase(quiet);
}

int Recorder::callNumber(sendwright_site &site) {
  if (!isNumber(site.state))
    site.state = stateOf(addSite(callSites, callNumbers, site, ""));
  return numberIn(site.state);
}

std::uint64_t Recorder::callerNumber(const void *address, const sendwright_caller *place) {
  const auto [known, isNew] = callers.try_emplace(place ? place : address, callerList.size() + 1);
  if (isNew) {
    SiteIdentity identity;
    if (place) {
      identity.file = place->file;
      identity.line = place->line;
    }
    callerList.push_back({address, place ? identity.display() : ""});
  }
  return known->second;
}

void Recorder::checkMemory() {
  if (events.memory() + sequence.memory() + requests.memory() > memoryLimit)
    truncated = true;
}

void Recorder::append(const EventContent &content, double before, double inside) {
  const std::size_t known = events.size();
  const std::uint32_t number = events.number(content, !truncated);
  if (content.kind == EventKind::Call)
    lastPlace = placeOf(content);
  if (truncated)
    leaveOut(content, number == EventTable::none);
  if (number == EventTable::none)
    return;
  events.count(number, before, inside);
  if (truncated)
    return;
  sequence.append(number);
  if ((++appended & 255) == 0 || events.size() > known)
    checkMemory();
}

/// Counts a call that the sequence no longer has, at its place.
void Recorder::leaveOut(const EventContent &content, bool isUncounted) {
  if (content.kind != EventKind::Call && content.kind != EventKind::Redistribution)
    return;
  LeftOutCalls &calls = leftOut[{content.site, content.address}];
  ++calls.calls;
  if (!isUncounted)
    return;
  ++calls.uncounted;
  calls.bytes += content.bytes;
}

void Recorder::addSiteEvent(EventKind kind, int site, double before) {
  EventContent content;
  content.kind = kind;
  content.site = site;
  if (kind == EventKind::SiteEnter)
    content.context = lastPlace;
  append(content, before, 0);
}

/// Records the thread's scopes; the time `before` belongs to the first of them. Returns false if
/// the profile has them already.
bool Recorder::announceScopes(RecordingThread &thread, double before) {
  MarkedScopes &marks = thread.marks;
  if (marks.announced == marks.depth)
    return false;
  addPending();
  for (; marks.announced < marks.depth; before = 0) {
    MarkedScopes::Scope &scope = marks.scopes[marks.announced];
    scope.number = siteNumber(scope);
    if (!quietLoops.empty())
      endQuiet(scope.number);
    ++marks.announced;
    addSiteEvent(EventKind::SiteEnter, scope.number, before);
  }
  return true;
}

void Recorder::leaveScopes(int depth, double now) {
  RecordingThread &thread = thisThread;
  MarkedScopes &marks = thread.marks;
  while (marks.depth > depth) {
    if (marks.announced == marks.depth) {
      addPending();
      addSiteEvent(EventKind::SiteLeave, marks.scopes[marks.depth - 1].number,
                   takeBefore(thread, now));
      thread.lastEnd = now;
      --marks.announced;
    } else {
      skip(marks.scopes[marks.depth - 1]);
    }
    --marks.depth;
  }
}

void Recorder::locate(EventContent &content, RecordingThread &thread, const CallTimes &times) {
  if (times.site)
    content.call = callNumber(*times.site);
  const MarkedScopes &marks = thread.marks;
  if (marks.depth > 0)
    content.site = marks.scopes[marks.depth - 1].number; // announced already, as by every call
  if (marks.depth == 0 || times.wrapped)
    content.address = callerNumber(times.caller, times.wrapped);
}

void Recorder::add(EventContent content, const CallTimes &times) {
  RecordingThread &thread = thisThread;
  double before = takeBefore(thread, times.begin);
  double inside = std::max(0.0, times.end - times.begin);
  if (const MpiFunction &function = mpiFunction(content.function);
      function.role == MpiRole::Probe && function.polls)
    inside += thread.carriedInside;
  thread.carriedInside = 0;
  if (announceScopes(thread, before))
    before = 0;
  addPending();
  locate(content, thread, times);
  append(content, before, inside);
  callEnds(thread, times.end);
}

void Recorder::addCompletion(MpiFunctionId function, bool anyOrder, std::span<const int> completed,
                             std::span<const WildcardMatch> matches, const CallTimes &times) {
  RecordingThread &thread = thisThread;
  double before = takeBefore(thread, times.begin);
  const double inside = std::max(0.0, times.end - times.begin) + thread.carriedInside;
  thread.carriedInside = 0;
  if (announceScopes(thread, before))
    before = 0;
  EventContent content;
  content.function = function;
  locate(content, thread, times);
  if (anyOrder) {
    if (!pending.active || pending.site != content.site) {
      addPending();
      pending.active = true;
      pending.function = function;
      pending.site = content.site;
      pending.call = content.call;
      pending.address = content.address;
      pending.before = pending.inside = 0;
    }
    pending.before += before;
    pending.inside += inside;
    pending.requests.insert(pending.requests.end(), completed.begin(), completed.end());
    pending.matches.insert(pending.matches.end(), matches.begin(), matches.end());
  } else {
    addPending();
    content.requests = completed;
    content.matches = matches;
    append(content, before, inside);
  }
  callEnds(thread, times.end);
}

bool Recorder::mayKeepBlocks(MpiFunctionId function, int communicator,
                             const std::vector<MovedMessage> &blocks) {
  if (blocks.empty())
    return true;
  std::vector<std::uint64_t> words;
  for (const MovedMessage &block : blocks)
    words.insert(words.end(), {static_cast<std::uint64_t>(block.peer), block.bytes});
  std::set<std::uint64_t> &known = blockLists[{function, communicator}];
  const std::uint64_t digest = XXH3_64bits(words.data(), words.size() * sizeof words.front());
  return known.contains(digest) ||
         (known.size() < distinctBlockLists && known.insert(digest).second);
}

void Recorder::addFruitlessTest(const CallTimes &times) {
  RecordingThread &thread = thisThread;
  thread.carriedBefore = takeBefore(thread, times.begin);
  thread.carriedInside += times.end - times.begin;
  thread.lastEnd = times.end;
}

void Recorder::addPending() {
  if (!pending.active)
    return;
  pending.active = false;
  std::sort(pending.requests.begin(), pending.requests.end());
  std::sort(pending.matches.begin(), pending.matches.end(),
            [](const WildcardMatch &a, const WildcardMatch &b) { return a.request < b.request; });
  EventContent content;
  content.function = pending.function;
  content.site = pending.site;
  content.call = pending.call;
  content.address = pending.address;
  content.requests = pending.requests;
  content.matches = pending.matches;
  append(content, pending.before, pending.inside);
  pending.requests.clear();
  pending.matches.clear();
}

void Recorder::complete() {
  leaveScopes(0, thisThread.clock.now());
  addPending();
  checkMemory();
}

RankProfile Recorder::takeProfile() {
  RankProfile profile;
  events.finish(); // first: the grammar is there twice for a moment
  profile.sequence = sequence.grammar();
  sequence = GrammarBuilder();
  profile.statistics = events.takeStatistics();
  profile.communicators.assign(communicators.communicators().begin(),
                               communicators.communicators().end());
  for (const KnownCaller &caller : callerList)
    profile.callers.push_back(caller.place.empty() ? describeCaller(caller.address) : caller.place);
  profile.redistributions = redistributions.list();
  profile.loads = loads.list();
  char host[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  PMPI_Get_processor_name(host, &length);
  profile.host.assign(host, length);
  profile.seconds = thisThread.clock.now() - begin;
  profile.truncated = truncated;
  for (const auto &[place, calls] : leftOut) {
    profile.leftOut.push_back(calls);
    std::tie(profile.leftOut.back().site, profile.leftOut.back().address) = place;
  }
  return profile;
}

EventSource Recorder::recordedEvents() const {
  return {events.size(), [this](std::size_t number, Event &event) {
            events.read(static_cast<std::uint32_t>(number), event);
          }};
}

} // namespace sendwright
