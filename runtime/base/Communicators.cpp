// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/Communicators.h"

#include "runtime/base/HandleTable.h"
#include "runtime/base/WorldRanks.h"

#include <memory>
#include <mutex>
#include <numeric>

namespace sendwright {

namespace {

struct Table {
  std::mutex mutex;
  HandleTable<CommunicatorHandle, std::unique_ptr<CommunicatorInfo>> known;
  unsigned next = 0;
};

// Never destroyed: programs may call MPI from destructors of their own.
Table &table() {
  static Table &table = *new Table;
  return table;
}

bool hasDefaultErrorHandler(MPI_Comm communicator) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(communicator, &handler) != MPI_SUCCESS)
    return false;
  const bool isDefault = handler == MPI_ERRORS_ARE_FATAL;
  if (!isDefault && handler != MPI_ERRHANDLER_NULL)
    PMPI_Errhandler_free(&handler);
  return isDefault;
}

} // namespace

int CommunicatorInfo::worldRank(int rank) const {
  if (rank < 0 || worldRanks.empty())
    return rank;
  return rank < int(worldRanks.size()) ? worldRanks[rank] : -1;
}

std::vector<int> CommunicatorInfo::peers() const {
  if (!worldRanks.empty())
    return worldRanks;
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

const CommunicatorInfo &communicatorInfo(MPI_Comm communicator) {
  static const CommunicatorInfo none;
  if (communicator == MPI_COMM_NULL)
    return none; // the call itself reports the error
  Table &communicators = table();
  const std::lock_guard lock(communicators.mutex);
  std::unique_ptr<CommunicatorInfo> &info = communicators.known[communicator];
  if (!info) {
    info = std::make_unique<CommunicatorInfo>();
    int inter = 0;
    PMPI_Comm_test_inter(communicator, &inter);
    info->intercommunicator = inter != 0;
    info->defaultErrorHandler = hasDefaultErrorHandler(communicator);
    info->worldRanks = inter ? remoteWorldRanksOf(communicator) : localWorldRanksOf(communicator);
    if (inter)
      info->ownSide = localWorldRanksOf(communicator);
    info->size = int(info->worldRanks.size());
    if (isIdentity(info->worldRanks))
      info->worldRanks.clear();
    info->number = communicators.next++;
  }
  return *info;
}

const CommunicatorInfo *knownCommunicator(MPI_Comm communicator) {
  Table &communicators = table();
  const std::lock_guard lock(communicators.mutex);
  const std::unique_ptr<CommunicatorInfo> *found = communicators.known.find(communicator);
  return found ? found->get() : nullptr;
}

void (*beforeForgetting)(MPI_Comm communicator) = nullptr;

void forgetCommunicator(MPI_Comm communicator) {
  if (beforeForgetting)
    beforeForgetting(communicator);
  Table &communicators = table();
  const std::lock_guard lock(communicators.mutex);
  communicators.known.erase(communicator);
}

} // namespace sendwright
