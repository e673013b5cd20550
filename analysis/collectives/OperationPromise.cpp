// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/collectives/OperationPromise.h"

namespace sendwright {

bool OperationPromise::owns(std::uint32_t member, std::uint32_t slot) const {
  switch (collective.operation) {
  case Collective::Broadcast:
  case Collective::Scatter:
    return member == collective.root;
  case Collective::AllToAll:
    return slot / ranks == member;
  default: // Gather, Allgather
    return (std::uint64_t{slot} + collective.root) % ranks == member;
  }
}

bool OperationPromise::isFor(std::uint32_t member, std::uint32_t slot) const {
  switch (collective.operation) {
  case Collective::Scatter:
    return (std::uint64_t{slot} + collective.root) % ranks == member;
  case Collective::Gather:
    return member == collective.root;
  case Collective::AllToAll:
    return slot % ranks == member;
  default: // Broadcast, Allgather
    return true;
  }
}

std::uint64_t OperationPromise::count(std::uint32_t member) const {
  switch (collective.operation) {
  case Collective::Broadcast:
    return member == collective.root ? 0 : collective.slots;
  case Collective::Scatter:
    return member == collective.root ? 0 : 1;
  case Collective::Gather:
    return member == collective.root ? ranks - 1 : 0;
  default: // Allgather, AllToAll
    return ranks - 1;
  }
}

} // namespace sendwright
