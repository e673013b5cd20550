// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/GroupMeetings.h"

#include "runtime/interception/WorldRanks.h"
#include "runtime/strict/Blocking.h"

#include <algorithm>
#include <vector>

#ifndef SMPI_H

namespace sendwright::strict {

namespace {

/// World ranks in ascending order; empty where one is of another job.
std::vector<int> membersOf(MPI_Group group) {
  std::vector<int> members = worldRanksOf(group);
  std::ranges::sort(members);
  if (!members.empty() && members[0] < 0)
    members.clear();
  return members;
}

} // namespace

void GroupMeetings::meet(MPI_Group group) {
  const std::vector<int> members = membersOf(group);
  PMPI_Group_free(&group);
  if (members.size() < 2)
    return;
  std::int64_t name = 0;
  for (const int member : members)
    name = (name ^ member) * 0x100000001B3 + 1;
  const WaitItem unknown;
  BlockedCall call;
  call.item = &unknown;
  if (theState->rank == members[0]) {
    const std::int64_t others = std::int64_t(members.size()) - 1;
    waitUntil(call, [&] { return arrivals[name] >= others; });
    arrivals[name] -= others;
    for (const int member : members)
      if (member != members[0])
        theState->tell(member, {Token::Go, name});
  } else {
    theState->tell(members[0], {Token::Arrived, name});
    waitUntil(call, [&] { return permits[name] > 0; });
    --permits[name];
  }
}

} // namespace sendwright::strict

#endif
