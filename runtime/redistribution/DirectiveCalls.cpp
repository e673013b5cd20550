// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that directives become.

#include "runtime/base/Interception.h"
#include "runtime/batch/Flush.h"
#include "runtime/recording/Marks.h"
#include "runtime/redistribution/AlignedArrays.h"
#include "runtime/redistribution/ArrayState.h"
#include "runtime/redistribution/BalancedArrays.h"
#include "runtime/redistribution/Balancing.h"
#include "runtime/redistribution/Failure.h"
#include "runtime/redistribution/JointMove.h"
#include "runtime/redistribution/LoadRecording.h"
#include "runtime/redistribution/MeasuredBalancing.h"
#include "runtime/redistribution/PrivateGroups.h"
#include "runtime/redistribution/Reflection.h"

#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sendwright::redistribution {

namespace {

bool mpiRuns() {
  int initialized = 0, finalized = 0;
  PMPI_Initialized(&initialized);
  PMPI_Finalized(&finalized);
  return initialized && !finalized;
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
  bool foundAlone = false; ///< `problem`: other ranks do not know of it
  bool succeeded() const { return problem.empty() && error == MPI_SUCCESS; }
};

/// Calls the error handler unless it succeeded.
void report(MPI_Comm communicator, const sendwright_site *site, const Outcome &outcome) {
  if (!outcome.problem.empty())
    reportFailure(communicator, site, outcome.problem, outcome.foundAlone);
  else if (outcome.error != MPI_SUCCESS)
    PMPI_Comm_call_errhandler(communicator, outcome.error);
}

Outcome outcomeOf(JointMove &redistribution) {
  std::string problem = redistribution.run();
  return {std::move(problem), redistribution.error(), redistribution.foundAlone()};
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

  /// `costs`: of this rank's rows, if they are known.
  Outcome move(const PrivateGroup &group, const sendwright_distribution &to,
               std::span<const double> costs = {}) const {
    const LoadRecording load(site, arrays, group.rank);
    JointMove redistribution(group, site, times);
    redistribution.propose(
        schedule, known, [&](Proposal &proposal) { return addMoves(proposal, arrays, onto, to); });
    const Outcome outcome = outcomeOf(redistribution);
    if (outcome.succeeded())
      load.finish(costs, redistribution.movedBytes());
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
    outcome = request.move(group, to, policy.costs());
  else if (outcome.succeeded())
    LoadRecording(request.site, request.arrays, group.rank).finish(policy.costs(), 0);
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
  JointMove redistribution(*call.group, site, call.times);
  redistribution.propose(SENDWRIGHT_SCHEDULE_AUTO, nullptr, [&](Proposal &proposal) {
    return addRealignments(proposal, arrays, with, as);
  });
  const Outcome outcome = outcomeOf(redistribution);
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
  const std::optional<int> other = state->reflection->otherRank();
  state->reflection.reset();
  if (other)
    return reportFailure(state->communicator, site,
                         nameOf(*array) + ": rank " + std::to_string(*other) +
                             " reflects something else, expected the same distribution, shadow, "
                             "periodic and corners on all ranks");
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
    beginLoadRecording(*state);
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
