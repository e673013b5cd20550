// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines are not stored with the events: they are counted again when a message needs one.

#include "analysis/trace/TraceLocation.h"

#include "analysis/file/FormatError.h"

#include <algorithm>

namespace sendwright {

namespace {

/// The first two words of a line, ignoring its comment.
std::pair<std::string_view, std::string_view> firstWords(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::string_view words[2];
  for (std::string_view &word : words) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
    line.remove_prefix(begin);
    word = line.substr(0, line.find_first_of(" \t\r"));
    line.remove_prefix(word.size());
  }
  return {words[0], words[1]};
}

const SiteIdentity *identityIn(const std::vector<SiteIdentity> &sites, int number) {
  return number >= 0 && static_cast<std::size_t>(number) < sites.size()
             ? &sites[static_cast<std::size_t>(number)]
             : nullptr;
}

/// True for "app.c:12", false for "module+0x1234".
bool isSourceLine(std::string_view caller) {
  const std::size_t line = caller.rfind(':');
  return line != std::string_view::npos && line + 1 < caller.size() &&
         caller.find_first_not_of("0123456789", line + 1) == std::string_view::npos;
}

} // namespace

std::string callPlace(const Profile &profile, const RankProfile &rank, const Event &event) {
  const SiteIdentity *const call = identityIn(profile.callSites, event.call);
  const SiteIdentity *const loop = identityIn(profile.sites, event.site);
  const std::string caller = event.address > 0 && event.address <= rank.callers.size()
                                 ? rank.callers[event.address - 1]
                                 : "";
  if (!call)
    return loop ? loop->display() : caller;
  std::string around;
  if (isSourceLine(caller))
    around = caller;
  else if (loop && (loop->file != call->file || loop->function != call->function))
    around = loop->display();
  return around.empty() ? call->display() : around + " (through " + call->display() + ")";
}

const Event *TraceLocation::eventAt(std::uint32_t rank, std::uint64_t position) const {
  const Event *found = nullptr;
  const RankProfile &run = profile.ranks[rank];
  run.sequence.forEach([&](std::uint32_t number) {
    if (position-- > 0)
      return true;
    found = &run.events[number];
    return false;
  });
  return found;
}

/// For a position after the end: the line of the rank's last event.
std::uint64_t TraceLocation::lineOf(std::uint32_t rank, std::uint64_t position) const {
  const std::string wanted = std::to_string(rank);
  std::uint64_t line = 0, last = 1;
  bool inside = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto [first, second] = firstWords(text.substr(begin, end - begin));
    begin = end + 1;
    ++line;
    if (first.empty())
      continue;
    if (first == "rank") {
      inside = second.substr(std::min(second.find_first_not_of('0'), second.size() - 1)) == wanted;
      last = inside ? line : last;
    } else if (inside) {
      last = line;
      if (position-- == 0)
        break;
    }
  }
  return last;
}

std::string TraceLocation::describe(std::uint32_t rank, std::uint64_t position) const {
  std::string result = "rank " + std::to_string(rank);
  if (!text.empty())
    return result + ", line " + std::to_string(lineOf(rank, position));
  const Event *event = eventAt(rank, position);
  if (!event || event->kind != EventKind::Call)
    return result;
  result += ", " + std::string(mpiFunction(event->function).name);
  const std::string place = callPlace(profile, profile.ranks[rank], *event);
  return place.empty() ? result : result + " at " + place;
}

void TraceLocation::fail(std::uint32_t rank, std::uint64_t position,
                         const std::string &problem) const {
  if (!text.empty())
    throw FormatError(name + ":" + std::to_string(lineOf(rank, position)) + ": " + problem);
  throw FormatError(name + ": " + describe(rank, position) + ": " + problem);
}

void TraceLocation::fail(const std::string &problem) const {
  throw FormatError(name + ": " + problem);
}

} // namespace sendwright
