// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/GroupMeetings.h"

#include "runtime/strict/Blocking.h"

#include <algorithm>

namespace sendwright::strict {

void GroupMeetings::meet(std::vector<int> members) {
  std::ranges::sort(members);
  if (!members.empty() && members[0] < 0) // a member belongs to another job and does not answer
    return;
  if (members.size() < 2)
    return;
  std::uint64_t hash = 0;
  for (const int member : members)
    hash = (hash ^ static_cast<std::uint64_t>(member)) * 0x100000001B3 + 1;
  const auto name = static_cast<std::int64_t>(hash);
  const WaitItem unknown;
  BlockedCall call;
  call.item = &unknown;
  if (strictRank()->rank == members[0]) {
    const std::int64_t others = std::int64_t(members.size()) - 1;
    waitUntil(call, [&] { return arrivals[name] >= others; });
    arrivals[name] -= others;
    for (const int member : members)
      if (member != members[0])
        strictRank()->tell(member, {Token::Go, name});
  } else {
    strictRank()->tell(members[0], {Token::Arrived, name});
    waitUntil(call, [&] { return permits[name] > 0; });
    --permits[name];
  }
}

} // namespace sendwright::strict
