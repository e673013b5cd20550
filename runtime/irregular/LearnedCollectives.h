// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Irregular collectives without a plan, while a run learns. The calls of a function on a
// communicator are numbered alike by all members, since all make them in one order. So members
// decide together in certain calls, which are the same for all:
//
//     call 4, 16, 64, ...   Members agree whether each has had the same blocks in the last calls.
//                           If so, each tells the first member its blocks. That member predicts
//                           what the call takes as MPI does it and by messages of the runtime's
//                           own, and answers with the routes.
//     8 calls later         Members agree whether calls follow one another faster than before. If
//                           not, MPI does them again, for good.
//
// In these calls each member waits for the others. Any collective call may do so in MPI, and a rank
// that waits here serves other ranks. Between them a member asks nobody: blocks that are not
// those of the routes travel as messages of their own, as with a plan (BlockRoutes.h).

#ifndef SENDWRIGHT_RUNTIME_IRREGULAR_LEARNEDCOLLECTIVES_H
#define SENDWRIGHT_RUNTIME_IRREGULAR_LEARNEDCOLLECTIVES_H

#include "analysis/irregular/IrregularPrediction.h"
#include "analysis/machine/Machine.h"
#include "analysis/sharing/ExecutionTimes.h"
#include "runtime/base/HandleTable.h"
#include "runtime/irregular/PlannedCommunicators.h"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sendwright::irregular {

/// What this rank has for another member.
struct LearnedBlock {
  int to = 0; ///< its rank in the communicator
  std::uint64_t bytes = 0;
  bool operator==(const LearnedBlock &) const = default;
};

class LearnedCollectives;

/// The calls of one function on a communicator, at one rank.
class LearnedCalls {
public:
  LearnedCalls(LearnedCollectives &all, MpiFunctionId function, MPI_Comm communicator);

  /// The program makes a call with these blocks; they are empty if it sends nothing. Returns
  /// whether the runtime does it, which is the same at all members. Collective in some calls. The
  /// program's batches must be flushed. Throws std::bad_alloc.
  bool replaces(std::vector<LearnedBlock> sent);

  PlannedCalls calls; ///< how the runtime does them

private:
  using Row = std::vector<std::uint64_t>; ///< a member's blocks: to whom, and bytes, in turn

  void noteTime();
  bool findPlan();
  void judge();
  std::vector<Row> gather(std::size_t words);
  std::string decide(const std::vector<Row> &rows, std::vector<std::string> &answers) const;
  std::string receiveAnswer(const std::vector<std::string> &answers, std::size_t largest);
  bool follow(const std::string &answer);
  void agree(std::vector<std::int64_t> &numbers) const;
  void wait(MPI_Request &request) const;
  void say(const std::string &text) const;
  const char *name() const { return mpiFunction(kind.function).name.data(); }
  bool isLeader() const { return calls.rank == 0; }

  LearnedCollectives &all;
  IrregularCollective kind;
  RankExchange part; ///< this rank's part of the routes
  bool eachOnce = true, isReplaced = false, isJudged = false;
  std::vector<LearnedBlock> last; ///< the blocks of the latest call
  std::uint64_t begun = 0;        ///< calls
  std::uint64_t equal = 0;        ///< the latest calls with these blocks
  std::uint64_t nextDecision = 4; ///< a call in which members look for a plan
  std::uint64_t replacedFrom = 0;
  double beganAt = 0;     ///< seconds; the latest call
  bool disturbed = false; ///< members waited for one another in it
  ExecutionTimes before, after;
};

class LearnedCollectives {
public:
  /// Messages travel on `owner.world`, with `tags` tags from `firstTag` on. `owner` must outlive
  /// it.
  LearnedCollectives(const Machine &machine, PlannedCommunicators &owner, int firstTag, int tags);

  /// Null if MPI does these calls in any case.
  LearnedCalls *find(MpiFunctionId function, MPI_Comm communicator);
  /// The communicator was created by a call that all its members saw; is freed.
  void note(MPI_Comm communicator);
  void drop(MPI_Comm communicator);

  const Machine machine;
  PlannedCommunicators &owner;
  int freeTag; ///< a communicator's members agree on the largest of theirs
  const int endOfTags;
  const bool measures; ///< goes back where calls take longer

private:
  HandleTable<CommunicatorHandle, std::vector<std::unique_ptr<LearnedCalls>>> known;
};

} // namespace sendwright::irregular

#endif
