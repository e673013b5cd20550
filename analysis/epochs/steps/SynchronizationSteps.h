// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a running rank needs to synchronise between super epochs: the calls that it is expected to
// make, in order, and between them how it synchronises, either with whole groups or with the ranks
// that send it messages and the ranks that it sends to. Repetition costs nothing, so a million
// regular super epochs take a few kilobytes.
//
// The calls are listed so that a run that departs from the profile is noticed at its first
// differing call, before anybody waits for a rank that will not come.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_SYNCHRONIZATIONSTEPS_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_STEPS_SYNCHRONIZATIONSTEPS_H

#include "analysis/file/Bytes.h"
#include "analysis/mpi/MpiFunctions.h"
#include "analysis/trace/Grammar.h"
#include "analysis/trace/Profile.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace sendwright {

/// Who waits for whom between super epochs.
enum class SynchronizationKind : std::uint8_t {
  None,
  Full,     ///< all ranks wait for one another
  Partial,  ///< the ranks that have a part in the super epoch that begins
  Component ///< the ranks that exchange messages in it, directly or through others
};

/// "none", "full", "partial" or "component".
const char *nameOf(SynchronizationKind kind);

enum class StepKind : std::uint8_t {
  Call,        ///< sends, posts a receive, does both, or begins a collective
  Completion,  ///< one MPI_Wait or MPI_Waitall
  Completions, ///< consecutive MPI_Waitany, Waitsome and Test* calls
  Synchronize, ///< waits until all of `group` have come as far
  Announce,    ///< tells the ranks in list `group` that it has come to a boundary
  Await        ///< waits until `peer` has announced once more
};

/// One kind of step. Ranks are world ranks.
struct Step {
  StepKind kind = StepKind::Call;
  MpiFunctionId function = MpiFunctionId::Send; ///< of Call
  int peer = noPeer, tag = 0;                   ///< of Call: destination, source or root; of Await
  int communicator = 0;                         ///< of Call: index into RankSteps::communicators
  int receivePeer = noPeer, receiveTag = 0;     ///< for MPI_Sendrecv: its other half
  std::uint32_t group =
      0; ///< for Synchronize: index into RankSteps::groups; for Announce: into `listeners`
  std::uint64_t completed = 0; ///< of Completions: requests
  int source = noPeer; ///< for a receive from any source: the rank whose message it took in the
                       ///< profile
  auto operator<=>(const Step &) const = default;
};

/// The steps of one rank.
struct RankSteps {
  std::vector<Step> steps;
  Grammar sequence; ///< over indices into `steps`
  std::vector<Communicator> communicators;
  std::vector<std::vector<int>> groups;    ///< ascending world ranks; empty: all
  std::vector<std::vector<int>> listeners; ///< ascending world ranks without the rank itself;
                                           ///< empty: nobody
};

/// At how many boundaries the rank synchronises with others. Linear in the grammar.
std::uint64_t synchronizationsOf(const RankSteps &rank);

/// The step that an event of a profile is, without its group; nothing if it is no step: messages to
/// or from MPI_PROC_NULL, probes, and calls that do not communicate. The running program decides by
/// the same rule. Constant time.
std::optional<Step> stepOf(const Event &event);

/// True for a receive from any source that is not complete when its call returns: before others
/// depend on its message, a running program cannot find out whose message it takes.
bool takesAnySourceLater(const Event &event);

/// True if calls of `function` can be steps.
bool isStepRole(MpiRole role);

/// True for MPI_Waitany, Waitsome and the tests; consecutive calls of these are one step.
bool completesInAnyOrder(MpiFunctionId function);

void encodeSteps(ByteWriter &out, const RankSteps &steps);
/// Throws FormatError, as `in` does, unless all indices are valid, every group contains `rank`, and
/// no list of listeners does.
RankSteps decodeSteps(ByteReader &in, int rankCount, int rank);

} // namespace sendwright

#endif
