// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/mpi/MpiFunctions.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace sendwright {

namespace {

constexpr MpiFunction collectiveLine(MpiFunction function, std::optional<Collective> operation,
                                     CollectiveFlow flow, CollectiveAmount amount) {
  function.operation = operation;
  function.flow = flow;
  function.amount = amount;
  return function;
}

constexpr MpiFunction probeLine(MpiFunction function, bool polls, int message) {
  function.polls = polls;
  function.message = message;
  return function;
}

constexpr MpiFunction sendReceiveLine(MpiFunction function, MessageArguments received) {
  function.received = received;
  return function;
}

constexpr MpiFunction completionLine(MpiFunction function, bool polls, Completes completes) {
  function.polls = polls;
  function.completes = completes;
  return function;
}

/// Words of the table that stand for values of other types.
namespace tableWords {

using enum Collective;
constexpr std::optional<Collective> Neighborhood; // no simulated run does it
constexpr bool Waits = false, Polls = true;

} // namespace tableWords

#define MPI_LINE(name, role, effect, ...)                                                          \
  {MpiFunctionId::name, "MPI_" #name, MpiRole::role, BatchEffect::effect, __VA_ARGS__}

constexpr MpiFunction functions[] = {
#define MPI_FUNCTION(...) MPI_LINE(__VA_ARGS__),
#define MPI_COLLECTIVE(name, role, operation, flow, amount, buffer, count, datatype, inPlace,      \
                       root, communicator, request)                                                \
  collectiveLine(                                                                                  \
      MPI_LINE(name, role, Flush, buffer, count, datatype, root, -1, communicator, request),       \
      tableWords::operation, CollectiveFlow::flow, CollectiveAmount::amount),
#define MPI_SEND_RECEIVE(name, buffer, count, datatype, destination, tag, receiveBuffer,           \
                         receiveCount, receiveDatatype, source, receiveTag, communicator)          \
  sendReceiveLine(MPI_LINE(name, SendReceive, Flush, buffer, count, datatype, destination, tag,    \
                           communicator, -1),                                                      \
                  {receiveBuffer, receiveCount, receiveDatatype, source, receiveTag}),
#define MPI_PROBE(name, returns, source, tag, communicator, flag, message)                         \
  probeLine(MPI_LINE(name, Probe, Flush, -1, -1, -1, source, tag, communicator, -1),               \
            tableWords::returns, message),
#define MPI_COMPLETION(name, returns, completes, count, request, flag, completed, index)           \
  completionLine(MPI_LINE(name, Completion, Complete, -1, count, -1, -1, -1, -1, request),         \
                 tableWords::returns, Completes::completes),
#include "analysis/mpi/MpiFunctions.def"
};

#undef MPI_LINE

} // namespace

const MpiFunction *findMpiFunction(std::string_view name) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const MpiFunction *> map;
    for (const MpiFunction &function : functions)
      map.emplace(function.name, &function);
    return map;
  }();
  if (name.starts_with("PMPI_"))
    name.remove_prefix(1);
  auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

const MpiFunction &mpiFunction(MpiFunctionId id) { return functions[static_cast<std::size_t>(id)]; }

const MpiFunction &mpiFunction(Collective operation) {
  return *std::ranges::find(functions, std::optional(operation), &MpiFunction::operation);
}

std::size_t mpiFunctionCount() { return std::size(functions); }

bool isSend(MpiRole role) { return role <= MpiRole::NonblockingSynchronousSend; }

bool isBufferedSend(MpiRole role) {
  return role == MpiRole::BufferedSend || role == MpiRole::NonblockingBufferedSend;
}

bool isReadySend(MpiRole role) {
  return role == MpiRole::ReadySend || role == MpiRole::NonblockingReadySend;
}

bool isSynchronousSend(MpiRole role) {
  return role == MpiRole::SynchronousSend || role == MpiRole::NonblockingSynchronousSend;
}

bool isReceive(MpiRole role) {
  return role == MpiRole::Receive || role == MpiRole::NonblockingReceive ||
         role == MpiRole::MatchedReceive;
}

bool isCollective(MpiRole role) {
  return role == MpiRole::Collective || role == MpiRole::NeighborCollective ||
         role == MpiRole::NonblockingCollective;
}

bool endsRequests(MpiRole role) {
  return role == MpiRole::Completion || role == MpiRole::RequestFree || role == MpiRole::Cancel;
}

bool isSynchronizing(const MpiFunction &function) {
  return function.role == MpiRole::Collective && function.flow == CollectiveFlow::AllToAll;
}

bool waitsForAll(const MpiFunction &function) {
  return function.completes == Completes::All && !function.polls;
}

} // namespace sendwright
