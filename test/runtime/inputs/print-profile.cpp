// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what a text trace leaves out of a profile: where marked loops begin and end, which
// function was called from where, probes, and what wildcards matched. One line an event.
//
// Usage: print-profile PROFILE

#include "analysis/trace/Profile.h"

#include <cstdio>
#include <exception>

using namespace sendwright;

static void print(const Profile &profile, const RankProfile &rank, const Event &event) {
  if (event.kind == EventKind::SiteEnter || event.kind == EventKind::SiteLeave ||
      event.kind == EventKind::SiteSkip) {
    std::printf("%s %s\n",
                event.kind == EventKind::SiteEnter   ? "enter"
                : event.kind == EventKind::SiteLeave ? "leave"
                                                     : "skip",
                profile.sites[event.site].display().c_str());
    return;
  }
  std::printf("%s", event.kind == EventKind::Redistribution
                        ? "redistribute"
                        : mpiFunction(event.function).name.data());
  for (const WildcardMatch &match : event.matches)
    std::printf(" match=%d:%d:%llu", match.source, match.tag,
                static_cast<unsigned long long>(match.bytes));
  if (event.site != noSite)
    std::printf(" in %s", profile.sites[event.site].display().c_str());
  if (event.call != noSite)
    std::printf(" as %s", profile.callSites[event.call].display().c_str());
  if (event.address != 0)
    std::printf(" at %s", rank.callers[event.address - 1].c_str());
  std::printf("\n");
}

int main(int, char **argv) {
  try {
    const Profile profile = readProfile(argv[1]);
    for (const RankProfile &rank : profile.ranks) {
      std::printf("rank\n");
      rank.sequence.forEach([&](std::uint32_t number) {
        print(profile, rank, rank.events[number]);
        return true;
      });
    }
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
