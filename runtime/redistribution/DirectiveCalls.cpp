// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that directives become.

#include "analysis/redistribution/PairDigest.h"
#include "runtime/base/Interception.h"
#include "runtime/batch/Flush.h"
#include "runtime/recording/Marks.h"
#include "runtime/recording/Recorder.h"
#include "runtime/redistribution/AlignedArrays.h"
#include "runtime/redistribution/AlltoallvMovement.h"
#include "runtime/redistribution/ArrayState.h"
#include "runtime/redistribution/BalancedArrays.h"
#include "runtime/redistribution/Balancing.h"
#include "runtime/redistribution/Failure.h"
#include "runtime/redistribution/MeasuredBalancing.h"
#include "runtime/redistribution/Movement.h"
#include "runtime/redistribution/PrivateGroups.h"
#include "runtime/redistribution/Reflection.h"
#include "runtime/redistribution/ScheduleCache.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <vector>

namespace sendwright::redistribution {

namespace {

/// The layer begins with the first schedule, in whichever thread.
ScheduleCache &scheduleCache() {
  static ScheduleCache &cache = process.begin(std::make_unique<ScheduleCache>());
  return cache;
}

bool mpiRuns() {
  int initialized = 0, finalized = 0;
  PMPI_Initialized(&initialized);
  PMPI_Finalized(&finalized);
  return initialized && !finalized;
}

/// One call of sendwright_redistribute(), on this rank.
class Redistribution {
public:
  Redistribution(const PrivateGroup &group, sendwright_site *site, const CallTimes &times)
      : group(group), site(site), times(times) {}

  /// `add` adds the moves to the proposal, and returns what is wrong, or "".
  void propose(unsigned schedule, const sendwright_schedule *known,
               const std::function<std::string(Proposal &)> &add);
  /// Agrees and moves. Returns what is wrong, or "" if the variables have their new blocks or MPI
  /// failed; in the latter case error() is not MPI_SUCCESS.
  std::string run();
  int error() const { return mpiError; }

private:
  void prepare();
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
  std::optional<Movement> movement;
  std::optional<AlltoallvBuffers> buffers;
  int mpiError = MPI_SUCCESS;
};

void Redistribution::propose(unsigned schedule, const sendwright_schedule *knownSchedule,
                             const std::function<std::string(Proposal &)> &add) {
  proposal.schedule = schedule;
  proposal.useKnown = knownSchedule != nullptr;
  known = knownSchedule;
  try {
    setProblem(add(proposal));
    if (!proposal.problem.empty())
      return;
    setProblem(findProblem(proposal.moves, group.rank, group.ranks));
    if (proposal.problem.empty())
      prepare();
  } catch (const std::bad_alloc &) {
    setProblem("no memory");
  }
}

/// Does everything that needs memory, so that nothing can fail later.
void Redistribution::prepare() {
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
    movement.emplace(group, *motions, blocks, site);
}

std::shared_ptr<const RankSchedule> Redistribution::schedule() {
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

void Redistribution::setProblem(std::string problem) { proposal.problem = std::move(problem); }

std::string Redistribution::run() {
  if (!movement) { // this rank only votes
    static const RankSchedule nothing;
    movement.emplace(group, nothing, blocks, site);
  }
  const bool able = proposal.problem.empty();
  const Vote own =
      able ? Vote::agreeing(digest.low64, largestMessage(*motions)) : Vote::problem(group.rank);
  const Vote result = movement->run(own, able && !group.disabled);
  if (!result.passed()) {
    discardBlocks(proposal.moves);
    return explainFailure(group, proposal, result);
  }
  mpiError = group.disabled && buffers ? buffers->move(*motions, blocks, result.largestMessage)
                                       : movement->error();
  if (mpiError == MPI_SUCCESS) {
    record();
    commitBlocks(proposal.moves);
  } else
    discardBlocks(proposal.moves);
  return "";
}

/// `communicator` says how the peers of messages are numbered.
void addMoved(std::vector<MovedMessage> &moved, const Recorder &current, int communicator,
              const std::vector<PeerMessage> &messages, bool received) {
  for (const PeerMessage &message : messages)
    moved.push_back({current.communicators.peer(communicator, message.peer), received,
                     message.bytes, message.chunkBytes});
}

/// Records what this rank sent and received, if a profile is recorded.
void Redistribution::record() {
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
void Redistribution::recordBlocks() const {
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

/// Whether the communicator's ranks can exchange messages; reports it if they cannot.
bool isUsable(MPI_Comm communicator, const sendwright_site *site) {
  int inter = 0;
  if (communicator == MPI_COMM_NULL) {
    reportFailure(MPI_COMM_WORLD, site, "the communicator is MPI_COMM_NULL, expected a valid one");
    return false;
  }
  if (PMPI_Comm_test_inter(communicator, &inter) != MPI_SUCCESS)
    return false; // its error handler has been called
  if (inter)
    reportFailure(communicator, site, "the communicator joins two groups, expected one group");
  return !inter;
}

/// How a directive ended on this rank.
struct Outcome {
  std::string problem;
  int error = MPI_SUCCESS;
  bool succeeded() const { return problem.empty() && error == MPI_SUCCESS; }
};

/// Calls the error handler unless it succeeded.
void report(MPI_Comm communicator, const sendwright_site *site, const Outcome &outcome) {
  if (!outcome.problem.empty())
    reportFailure(communicator, site, outcome.problem);
  else if (outcome.error != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(communicator, outcome.error);
}

/// What a redistribute directive asks for.
struct Request {
  sendwright_site *site;
  unsigned schedule;
  const sendwright_schedule *known;
  std::span<sendwright_array *const> arrays;
  const sendwright_processors *onto;
  const sendwright_distribution &said;
  const CallTimes &times;

  Outcome move(const PrivateGroup &group, const sendwright_distribution &to) const {
    Redistribution redistribution(group, site, times);
    redistribution.propose(
        schedule, known, [&](Proposal &proposal) { return addMoves(proposal, arrays, onto, to); });
    Outcome outcome{redistribution.run(), MPI_SUCCESS};
    outcome.error = redistribution.error();
    return outcome;
  }
};

/// Moves the arrays to sizes that follow the load, if that pays.
template <typename Policy>
void balance(const Request &request, const PrivateGroup &group, MPI_Comm communicator,
             unsigned dimension) {
  Policy policy(group, request.site);
  sendwright_distribution to = request.said;
  Outcome outcome;
  outcome.problem = policy.run(request.schedule, request.arrays, request.onto, dimension, to);
  outcome.error = policy.error();
  if (outcome.succeeded() && !policy.stays())
    outcome = request.move(group, to);
  report(communicator, request.site, outcome);
  if (outcome.succeeded())
    policy.finish(request.arrays, request.said.dimension[dimension]);
}

/// Whether MPI runs; if not, it has been said.
bool canMove(const sendwright_site *site) {
  const bool can = mpiRuns();
  if (!can)
    sayOnce("redistribute at %s:%u outside of MPI_Init and MPI_Finalize: nothing is moved",
            site && site->file ? site->file : "?", site ? site->line : 0);
  return can;
}

/// Begins a call that all ranks make together for `array`. Returns the ranks; null where nothing
/// can be done, which has then been said.
const PrivateGroup *enter(Caller caller, sendwright_site *site, const sendwright_array &array,
                          CallTimes &times) {
  flushBatches();
  times = {caller.address, site, nullptr, PMPI_Wtime(), 0};
  endAbandonedScopes(caller.frame, times.begin);
  const auto *state = static_cast<const ArrayState *>(array.state);
  if (!state) { // and it is not known with which ranks to agree on that
    reportFailure(MPI_COMM_WORLD, site,
                  std::string(array.name ? array.name : "?") +
                      " is not distributed, expected a distribute directive before");
    return nullptr;
  }
  return isUsable(state->communicator, site) ? privateGroup(state->communicator) : nullptr;
}

/// What redistribute and realign begin with: a call that all ranks make together for some arrays.
class JointCall {
public:
  JointCall(Caller caller, sendwright_site *site, std::span<sendwright_array *const> arrays) {
    if (arrays.empty() || !canMove(site))
      return;
    measured.emplace();
    group = enter(caller, site, *arrays.front(), times);
    if (group)
      communicator = static_cast<const ArrayState *>(arrays.front()->state)->communicator;
  }

  CallTimes times{};
  /// The ranks; null where nothing can be done, which has then been said.
  const PrivateGroup *group = nullptr;
  MPI_Comm communicator = MPI_COMM_NULL; ///< of the first array

private:
  std::optional<MeasuredCall> measured; ///< until the call ends
};

void redistribute(Caller caller, sendwright_site *site, unsigned schedule,
                  const sendwright_schedule *known, std::span<sendwright_array *const> arrays,
                  const sendwright_processors *onto, const sendwright_distribution &said) {
  const JointCall call(caller, site, arrays);
  if (!call.group)
    return;
  const Request request{site, schedule, known, arrays, onto, said, call.times};
  const std::optional<unsigned> balanced = balancedDimension(said);
  if (!balanced)
    return report(call.communicator, site, request.move(*call.group, said));
  if (isMeasured(said.dimension[*balanced]))
    balance<MeasuredBalancing>(request, *call.group, call.communicator, *balanced);
  else
    balance<Balancing>(request, *call.group, call.communicator, *balanced);
}

void realign(Caller caller, sendwright_site *site, std::span<sendwright_array *const> arrays,
             sendwright_array &with, const sendwright_distribution &as) {
  const JointCall call(caller, site, arrays);
  if (!call.group)
    return;
  Redistribution redistribution(*call.group, site, call.times);
  redistribution.propose(SENDWRIGHT_SCHEDULE_AUTO, nullptr, [&](Proposal &proposal) {
    return addRealignments(proposal, arrays, with, as);
  });
  Outcome outcome{redistribution.run(), MPI_SUCCESS};
  outcome.error = redistribution.error();
  if (!outcome.succeeded())
    return report(call.communicator, site, outcome);
  try {
    for (sendwright_array *array : arrays)
      link(*array, with, alignedDimensions(as));
  } catch (const std::bad_alloc &) {
    sayOnce("no memory for the alignment with %s", with.name ? with.name : "?");
  }
}

void reflect(sendwright_site *site, sendwright_array *array, bool corners,
             std::span<const long long> periodic) {
  auto *state = static_cast<ArrayState *>(array->state);
  const std::string name = array->name ? array->name : "?";
  if (!mpiRuns()) {
    sayOnce("reflect of %s outside of MPI_Init and MPI_Finalize: nothing is sent", name.c_str());
    return;
  }
  const MeasuredCall measured;
  flushBatches();
  if (!state)
    return reportFailure(MPI_COMM_WORLD, site,
                         name + " is not distributed, expected a distribute directive before");
  if (!isUsable(state->communicator, site))
    return;
  const PrivateGroup *group = privateGroup(state->communicator);
  if (!group)
    return;
  const unsigned number = group->reflections++; // also of those that fail here
  const ArrayMove block{array, state, nullptr};
  std::string problem = problemOfArray(block, group->rank, group->ranks);
  if (problem.empty() && state->reflection)
    problem = name + " is being reflected, expected reflect_end before";
  if (problem.empty())
    try {
      state->reflection =
          std::make_unique<Reflection>(*group, number, *array, *state, corners, periodic);
    } catch (const std::bad_alloc &) {
      problem = name + ": no memory for the messages of reflect";
    }
  if (!problem.empty())
    reportFailure(state->communicator, site, problem);
}

void endReflect(sendwright_site *site, sendwright_array *array) {
  auto *state = static_cast<ArrayState *>(array->state);
  if (!mpiRuns() || !state || !state->reflection)
    return; // the beginning has said what is wrong
  const MeasuredCall measured;
  const int error = state->reflection->finish(site);
  state->reflection.reset();
  if (error != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(state->communicator, error);
}

void forget(sendwright_array *array) {
  unlink(*array);
  release(*array);
  delete static_cast<ArrayState *>(array->state);
  array->state = nullptr;
}

} // namespace

} // namespace sendwright::redistribution

extern "C" {

void sendwright_distribute(sendwright_site *site, sendwright_array *array,
                           const sendwright_processors *onto, const sendwright_distribution *as) {
  using namespace sendwright::redistribution;
  forget(array);
  try {
    auto state = distributed(site, *onto, *as);
    beginMeasuring(site, *state);
    array->state = state.release();
  } catch (const std::bad_alloc &) {
    sendwright::sayOnce("no memory for the distribution of %s", array->name ? array->name : "?");
  }
}

void sendwright_align(sendwright_site *site, sendwright_array *array, sendwright_array *with,
                      const sendwright_distribution *as) {
  using namespace sendwright::redistribution;
  forget(array);
  try {
    if (std::unique_ptr<ArrayState> state = aligned(site, *with, *as)) {
      array->state = state.release();
      link(*array, *with, alignedDimensions(*as));
    }
  } catch (const std::bad_alloc &) {
    sendwright::sayOnce("no memory for the alignment of %s", array->name ? array->name : "?");
  }
}

void sendwright_realign(sendwright_site *site, unsigned long array_count,
                        sendwright_array *const *arrays, sendwright_array *with,
                        const sendwright_distribution *as) {
  const sendwright::Caller caller{__builtin_return_address(0), __builtin_frame_address(0)};
  sendwright::redistribution::realign(caller, site, {arrays, array_count}, *with, *as);
}

void sendwright_forget(sendwright_array *array) { sendwright::redistribution::forget(array); }

void sendwright_redistribute(sendwright_site *site, unsigned schedule,
                             const sendwright_schedule *known, unsigned long array_count,
                             sendwright_array *const *arrays, const sendwright_distribution *to) {
  const sendwright::Caller caller{__builtin_return_address(0), __builtin_frame_address(0)};
  sendwright::redistribution::redistribute(caller, site, schedule, known, {arrays, array_count},
                                           nullptr, *to);
}

void sendwright_redistribute_onto(sendwright_site *site, unsigned schedule,
                                  const sendwright_schedule *known, unsigned long array_count,
                                  sendwright_array *const *arrays,
                                  const sendwright_processors *onto,
                                  const sendwright_distribution *to) {
  const sendwright::Caller caller{__builtin_return_address(0), __builtin_frame_address(0)};
  sendwright::redistribution::redistribute(caller, site, schedule, known, {arrays, array_count},
                                           onto, *to);
}

void sendwright_shadow(sendwright_site *, sendwright_array *array, unsigned dimensions,
                       const long long *widths) {
  try {
    if (auto *state = static_cast<sendwright::redistribution::ArrayState *>(array->state))
      sendwright::redistribution::giveHalo(*state, {widths, 2 * std::size_t(dimensions)});
  } catch (const std::bad_alloc &) {
    sendwright::sayOnce("no memory for the shadow of %s", array->name ? array->name : "?");
  }
}

void sendwright_reflect_begin(sendwright_site *site, sendwright_array *array, unsigned corners,
                              unsigned dimensions, const long long *periodic) {
  sendwright::redistribution::reflect(site, array, corners != 0, {periodic, dimensions});
}

void sendwright_reflect_end(sendwright_site *site, sendwright_array *array) {
  sendwright::redistribution::endReflect(site, array);
}

} // extern "C"
