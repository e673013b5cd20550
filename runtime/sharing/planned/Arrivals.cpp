// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/Arrivals.h"

#include "runtime/base/MpiDifferences.h"
#include "runtime/base/PrivateCommunicator.h"
#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <atomic>

namespace sendwright::exchange {

namespace {

class ArrivalsInWindow final : public Arrivals {
public:
  /// Collective. Returns whether all ranks could.
  bool begin(PrivateCommunicator &world);

  const std::vector<int> &come(std::uint64_t call) override;
  bool haveAllCome(std::uint64_t call) override;
  void endWait() override { next = 0; }
  void end() override;

private:
  bool hasCome(int rank, std::uint64_t call);
  void takeAnswer();

  MPI_Win window = MPI_WIN_NULL;
  std::uint64_t *counted = nullptr; ///< this rank's number
  std::vector<std::uint64_t> calls; ///< of each rank, as this rank knows
  int next = 0;                     ///< the first rank that may not have come
  int asked = 0;                    ///< whose number is on its way to `answer`
  std::uint64_t answer = 0;
  MPI_Request request = MPI_REQUEST_NULL; ///< null: no number is on its way
};

bool ArrivalsInWindow::begin(PrivateCommunicator &world) {
  bool isMade = PMPI_Win_allocate(sizeof *counted, sizeof *counted, MPI_INFO_NULL, world.handle(),
                                  static_cast<void *>(&counted), &window) == MPI_SUCCESS;
  if (isMade) {
    PMPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    *counted = 0;
    isMade = PMPI_Win_lock_all(MPI_MODE_NOCHECK, window) == MPI_SUCCESS &&
             PMPI_Win_sync(window) == MPI_SUCCESS;
  }
  std::vector<unsigned long long> all{isMade}; // also, nobody looks before all numbers are 0
  world.findLeast(all);
  calls.assign(static_cast<std::size_t>(ranksIn(MPI_COMM_WORLD)), 0);
  return all.front() != 0;
}

const std::vector<int> &ArrivalsInWindow::come(std::uint64_t call) {
  static const std::vector<int> nobody;
  std::atomic_ref(*counted).store(call);
  PMPI_Win_sync(window);
  return nobody;
}

void ArrivalsInWindow::takeAnswer() { calls[static_cast<std::size_t>(asked)] = answer; }

bool ArrivalsInWindow::hasCome(int rank, std::uint64_t call) {
  if (calls[static_cast<std::size_t>(rank)] >= call)
    return true;
  if (request == MPI_REQUEST_NULL) {
    asked = rank;
    PMPI_Rget(&answer, 1, MPI_UINT64_T, rank, 0, 1, MPI_UINT64_T, window, &request);
  }
  int done = 0;
  if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done)
    takeAnswer();
  return calls[static_cast<std::size_t>(rank)] >= call;
}

/// Asks one rank after another: it must hear of all of them.
bool ArrivalsInWindow::haveAllCome(std::uint64_t call) {
  while (next < static_cast<int>(calls.size()) && hasCome(next, call))
    ++next;
  return next == static_cast<int>(calls.size());
}

void ArrivalsInWindow::end() {
  if (request != MPI_REQUEST_NULL)
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
  PMPI_Win_unlock_all(window);
  PMPI_Win_free(&window);
}

/// What all ranks of a simulated run share.
struct SharedNumbers {
  std::vector<std::uint64_t> calls;   ///< to which each rank has come
  std::vector<std::uint64_t> awaited; ///< by each rank: all ranks at this call; 0: none
  int waiting = 0;                    ///< ranks that wait
};

class ArrivalsInMemory final : public Arrivals {
public:
  explicit ArrivalsInMemory(SharedNumbers &shared)
      : shared(shared), own(static_cast<std::size_t>(rankIn(MPI_COMM_WORLD))) {}

  const std::vector<int> &come(std::uint64_t call) override;
  bool haveAllCome(std::uint64_t call) override;
  void endWait() override;
  void end() override {}

private:
  SharedNumbers &shared;
  const std::size_t own;
  std::vector<int> waiting;
};

const std::vector<int> &ArrivalsInMemory::come(std::uint64_t call) {
  waiting.clear();
  shared.calls[own] = call;
  for (std::size_t rank = 0; shared.waiting > 0 && rank < shared.awaited.size(); ++rank)
    if (shared.awaited[rank] != 0 && shared.awaited[rank] <= call && rank != own)
      waiting.push_back(static_cast<int>(rank));
  return waiting;
}

bool ArrivalsInMemory::haveAllCome(std::uint64_t call) {
  if (std::ranges::all_of(shared.calls, [=](std::uint64_t come) { return come >= call; }))
    return true;
  shared.waiting += shared.awaited[own] == 0 ? 1 : 0;
  shared.awaited[own] = call;
  return false;
}

void ArrivalsInMemory::endWait() {
  shared.waiting -= shared.awaited[own] == 0 ? 0 : 1;
  shared.awaited[own] = 0;
}

} // namespace

/// Never freed: other ranks may look at it until the end.
std::int64_t placeOfArrivals() {
  if (!isSimulated || rankIn(MPI_COMM_WORLD) != 0)
    return 0;
  static SharedNumbers *const shared = [] {
    const auto ranks = static_cast<std::size_t>(ranksIn(MPI_COMM_WORLD));
    return new SharedNumbers{std::vector<std::uint64_t>(ranks), std::vector<std::uint64_t>(ranks)};
  }();
  return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(shared));
}

std::unique_ptr<Arrivals> beginArrivals(std::int64_t place) {
  if (isSimulated) // all ranks are in this process
    return std::make_unique<ArrivalsInMemory>(
        *reinterpret_cast<SharedNumbers *>(static_cast<std::intptr_t>(place)));
  auto made = std::make_unique<ArrivalsInWindow>();
  if (!made->begin(*privateCommunicator()))
    return nullptr;
  return made;
}

} // namespace sendwright::exchange
