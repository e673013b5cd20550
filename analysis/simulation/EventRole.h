// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a simulated rank has to do for an event of its run, computed once for each event number.

#ifndef SENDWRIGHT_ANALYSIS_SIMULATION_EVENTROLE_H
#define SENDWRIGHT_ANALYSIS_SIMULATION_EVENTROLE_H

#include "analysis/simulation/CollectiveCalls.h"
#include "analysis/trace/Matching.h"
#include "analysis/trace/Profile.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

struct EventRole {
  enum Kind : std::uint8_t {
    Nothing,
    Message,
    Completion,
    Collective,
    PostedCollective, // non-blocking
    Redistribution
  } kind = Nothing;
  bool sends = false;
  bool blocking = false;        ///< the send returns when its message has left
  bool synchronous = false;     ///< it uses a handshake, whatever its size
  bool ready = false;           ///< it never uses a handshake
  bool waitsForReceive = false; ///< the receive is complete when the call returns
  bool leftOut = false;         ///< a collective call that is not modelled
};

/// The role of a call; `modelled`: a collective call that has a schedule.
inline EventRole roleOf(const Event &event, bool modelled) {
  EventRole role;
  if (modelled) {
    role.kind = mpiFunction(event.function).role == MpiRole::NonblockingCollective
                    ? EventRole::PostedCollective
                    : EventRole::Collective;
    return role;
  }
  const MpiFunction &function = mpiFunction(event.function);
  if (isCollective(function.role)) {
    role.leftOut = true;
    return role;
  }
  if (function.role == MpiRole::Completion) {
    role.kind = EventRole::Completion;
    return role;
  }
  role.sends = sendsMessage(event);
  if (role.sends || receivesMessage(event))
    role.kind = EventRole::Message;
  role.blocking = function.request < 0 && function.role != MpiRole::BufferedSend;
  role.synchronous = isSynchronousSend(function.role);
  role.ready = isReadySend(function.role);
  role.waitsForReceive = function.request < 0;
  return role;
}

/// The role of each event of a rank's profile.
inline std::vector<EventRole> rolesOf(const RankProfile &profile, std::size_t rank,
                                      const CollectiveCalls &calls) {
  std::vector<EventRole> roles;
  for (const Event &event : profile.events) {
    EventRole &role = roles.emplace_back();
    std::uint32_t group = 0;
    if (event.kind == EventKind::Redistribution)
      role.kind = EventRole::Redistribution;
    else if (event.kind == EventKind::Call)
      role = roleOf(event, mpiFunction(event.function).operation &&
                               calls.groupOf(rank, event.communicator, group));
  }
  return roles;
}

} // namespace sendwright

#endif
