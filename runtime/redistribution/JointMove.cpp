// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/JointMove.h"

#include "analysis/redistribution/PairDigest.h"
#include "runtime/redistribution/Failure.h"
#include "runtime/redistribution/ScheduleCache.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace sendwright::redistribution {

namespace {

/// The layer begins with the first schedule, in whichever thread.
ScheduleCache &scheduleCache() {
  static ScheduleCache &cache = process.begin(std::make_unique<ScheduleCache>());
  return cache;
}

/// `communicator` says how the peers of messages are numbered.
void addMoved(std::vector<MovedMessage> &moved, const Recorder &current, int communicator,
              const std::vector<PeerMessage> &messages, bool received) {
  for (const PeerMessage &message : messages)
    moved.push_back({current.communicators.peer(communicator, message.peer), received,
                     message.bytes, message.chunkBytes});
}

} // namespace

void JointMove::propose(unsigned schedule, const sendwright_schedule *knownSchedule,
                        const std::function<std::string(Proposal &)> &add) {
  proposal.schedule = schedule;
  proposal.useKnown = knownSchedule != nullptr;
  known = knownSchedule;
  try {
    setProblem(add(proposal));
    if (proposal.problem.empty())
      setProblem(findProblem(proposal.moves, group.rank, group.ranks));
    if (proposal.problem.empty())
      prepare();
  } catch (const std::bad_alloc &) {
    setProblem("no memory");
  }
  if (!proposal.problem.empty())
    giveBack(); // votes need memory, too
}

void JointMove::giveBack() {
  movement.reset();
  buffers.reset();
  motions.reset();
  blocks = {};
  discardBlocks(proposal.moves);
}

/// Does everything that needs memory, so that nothing can fail later.
void JointMove::prepare() {
  digest = proposal.digest();
  motions = schedule();
  setProblem(createBlocks(proposal.moves, group.rank));
  if (!proposal.problem.empty())
    return;
  for (const ArrayMove &move : proposal.moves)
    if (!move.isTemplate()) {
      blocks.before.push_back(move.oldBlock);
      blocks.after.push_back(move.newBlock);
    }
  if (group.disabled)
    buffers.emplace(group, *motions);
  else
    movement = std::make_unique<Movement>(group, *motions, blocks, site, digest.low64);
}

std::shared_ptr<const RankSchedule> JointMove::schedule() {
  const std::uint64_t further[] = {group.memoryBound, static_cast<std::uint64_t>(group.rank),
                                   reinterpret_cast<std::uintptr_t>(known)};
  const ScheduleKey key{digest.low64 + XXH64(further, sizeof further, 0), digest.high64};
  return scheduleCache().find(key, group.memoryBound / 4, [&] {
    std::vector<ArrayMotion> arrays;
    arrays.reserve(proposal.moves.size());
    for (const ArrayMove &move : proposal.moves)
      if (!move.isTemplate())
        arrays.push_back({move.before->distribution.get(), move.after->distribution.get(),
                          move.array->element_size,
                          move.inPlace() ? Indices::Global : Indices::Local, move.before->halo});
    if (arrays.empty())
      return RankSchedule();
    return scheduleOf(group.rank, group.ranks, arrays, proposal.schedule, known, group.memoryBound);
  });
}

void JointMove::setProblem(std::string problem) { proposal.problem = std::move(problem); }

std::string JointMove::run() {
  const std::string problem = group.trusting ? moveTrusting() : move();
  if (problem.empty() && mpiError == MPI_SUCCESS) {
    record();
    commitBlocks(proposal.moves);
  } else
    discardBlocks(proposal.moves);
  return problem;
}

std::string JointMove::moveTrusting() {
  const std::string here = "rank " + std::to_string(group.rank) + ": ";
  if (!proposal.problem.empty())
    return here + proposal.problem;
  const int stranger = movement->runTrusting();
  mpiError = movement->error();
  if (stranger < 0)
    return "";
  [[maybe_unused]] const Movement *kept = movement.release(); // MPI may still read from its memory
  return here + "rank " + std::to_string(stranger) +
         " moves something else, or calls something else before";
}

std::string JointMove::move() {
  if (!movement) { // this rank only votes
    static const RankSchedule nothing;
    movement = std::make_unique<Movement>(group, nothing, blocks, site, digest.low64);
  }
  const bool able = proposal.problem.empty();
  const Vote own =
      able ? Vote::agreeing(digest.low64, largestMessage(*motions)) : Vote::problem(group.rank);
  const Vote result = movement->run(own, able && !group.disabled);
  if (!result.passed())
    return explainFailure(group, proposal, result);
  mpiError = group.disabled && buffers ? buffers->move(*motions, blocks, result.largestMessage)
                                       : movement->error();
  return "";
}

std::uint64_t JointMove::movedBytes() const {
  const auto sum = [](const std::vector<PeerMessage> &messages) {
    std::uint64_t bytes = 0;
    for (const PeerMessage &message : messages)
      bytes += message.bytes;
    return bytes;
  };
  return motions ? std::max(sum(motions->sends), sum(motions->receives)) : 0;
}

/// Records what this rank sent and received, if a profile is recorded.
void JointMove::record() {
  if (!recorder())
    return;
  times.end = PMPI_Wtime();
  withRecorder([&](Recorder &current) {
    EventContent content;
    content.kind = EventKind::Redistribution;
    content.function = MpiFunctionId::Alltoallv; // what it would be without the runtime
    content.communicator = current.communicators.index(proposal.moves.front().before->communicator);
    std::vector<MovedMessage> moved;
    addMoved(moved, current, content.communicator, motions->sends, false);
    addMoved(moved, current, content.communicator, motions->receives, true);
    content.moved = moved;
    current.add(content, times);
  });
  recordBlocks();
}

/// Likewise records the blocks, if they are the same for all arrays.
void JointMove::recordBlocks() const {
  const ArrayMove &first = proposal.moves.front();
  const Distribution &before = *first.before->distribution, &after = *first.after->distribution;
  if (group.rank != 0 || !site ||
      std::any_of(proposal.moves.begin() + 1, proposal.moves.end(), [&](const ArrayMove &move) {
        return pairDigest(*move.before->distribution, *move.after->distribution) !=
               pairDigest(before, after);
      }))
    return;
  withRecorder([&](Recorder &current) { current.redistributions.add(*site, before, after); });
}

} // namespace sendwright::redistribution
