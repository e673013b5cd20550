// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each rank must do so that a number of buffers suffices: after how many of its communication
// events it waits for whom. A plan can hold it; a running rank needs only its own part.
//
// A communication event is a send that begins, a receive that is posted (a blocking one is both
// posted and complete), a request that completes, whichever call tells, and a collective. So a
// program that completes its requests in another order, or in other groups, counts the same.
//
// The steps of a rank are a Grammar over its distinct steps: a million equal super epochs cost what
// one costs.

#ifndef SENDWRIGHT_ANALYSIS_EPOCHS_SYNCHRONIZATIONPLAN_H
#define SENDWRIGHT_ANALYSIS_EPOCHS_SYNCHRONIZATIONPLAN_H

#include "analysis/epochs/EpochAnalysis.h"
#include "analysis/file/Bytes.h"
#include "analysis/trace/Grammar.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright {

/// Who waits for whom before a super epoch begins.
enum class SynchronizationKind : std::uint8_t {
  Full,     ///< every rank for every other
  Partial,  ///< the ranks that have events in it, for one another
  Component ///< the ranks that exchange messages in it, directly or through others
};

/// One synchronisation of one rank. The ranks of a group have it in common: between two ranks the
/// n-th step whose group holds both is the n-th of either.
struct SynchronizationStep {
  std::uint64_t events = 0; ///< communication events of the rank since its step before
  std::uint32_t group = 0;  ///< index into RankSynchronization::groups
  auto operator<=>(const SynchronizationStep &) const = default;
};

/// Calls after which the rank synchronises.
struct SynchronizationPlace {
  int site = noSite;  ///< index into Profile::sites
  std::string caller; ///< where no site is known
  std::uint64_t count = 0;
  bool operator==(const SynchronizationPlace &) const = default;
};

struct RankSynchronization {
  std::uint64_t events = 0;                       ///< communication events of the whole run
  std::uint32_t buffers = 0;                      ///< with which the rank has enough
  std::vector<std::vector<std::uint32_t>> groups; ///< distinct ones; ranks ascending, its own too
  std::vector<SynchronizationStep> steps;         ///< distinct ones
  Grammar sequence;                               ///< over indices into `steps`
  std::vector<SynchronizationPlace> places;       ///< most first
  bool operator==(const RankSynchronization &) const;
};

struct SynchronizationPlan {
  SynchronizationKind kind = SynchronizationKind::Component;
  std::uint32_t superEpochs = 0;
  std::vector<RankSynchronization> ranks;
};

/// The plan for the super epochs of an analysis. Linear in the run, and in the members of all
/// groups (of full and partial synchronisation ranks times super epochs at most).
SynchronizationPlan makeSynchronizationPlan(const Profile &profile, const EpochAnalysis &analysis,
                                            SynchronizationKind kind);

/// One rank's part as bytes, for a section of a plan. The bytes depend on the content alone.
void encodeRankSynchronization(ByteWriter &out, const RankSynchronization &rank);
/// The inverse. Throws FormatError, as its reader does: ranks must be below `ranks`, sites below
/// `sites`, groups and steps must exist, the grammar must be well-formed.
RankSynchronization decodeRankSynchronization(ByteReader &in, std::uint32_t ranks,
                                              std::uint32_t sites);

} // namespace sendwright

#endif
