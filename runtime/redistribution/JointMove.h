// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ranks of a group move arrays together: they propose, agree and exchange the elements.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_JOINTMOVE_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_JOINTMOVE_H

#include "runtime/base/Interception.h"
#include "runtime/recording/Recorder.h"
#include "runtime/redistribution/AlltoallvMovement.h"
#include "runtime/redistribution/ArrayState.h"
#include "runtime/redistribution/Movement.h"
#include "runtime/redistribution/PrivateGroups.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sendwright::redistribution {

/// One call of sendwright_redistribute() or sendwright_realign(), on this rank.
class JointMove {
public:
  JointMove(const PrivateGroup &group, sendwright_site *site, const CallTimes &times)
      : group(group), site(site), times(times) {}

  /// `add` adds the moves to the proposal, and returns what is wrong, or "".
  void propose(unsigned schedule, const sendwright_schedule *known,
               const std::function<std::string(Proposal &)> &add);
  /// Agrees and moves. Returns what is wrong, or "" if the variables have their new blocks or MPI
  /// failed; in the latter case error() is not MPI_SUCCESS.
  std::string run();
  /// Whether run() found what is wrong on this rank alone, without a word to the others.
  bool foundAlone() const { return group.trusting; }
  int error() const { return mpiError; }
  /// Bytes that this rank sent or received, whichever is more.
  std::uint64_t movedBytes() const;

private:
  void prepare();
  void giveBack();
  std::string move();
  std::string moveTrusting();
  std::shared_ptr<const RankSchedule> schedule();
  void setProblem(std::string problem);
  void record();
  void recordBlocks() const;

  const PrivateGroup &group;
  sendwright_site *site;
  CallTimes times;
  Proposal proposal;
  const sendwright_schedule *known = nullptr;
  XXH128_hash_t digest{};
  Blocks blocks;
  std::shared_ptr<const RankSchedule> motions;
  std::unique_ptr<Movement> movement;
  std::optional<AlltoallvBuffers> buffers;
  int mpiError = MPI_SUCCESS;
};

} // namespace sendwright::redistribution

#endif
