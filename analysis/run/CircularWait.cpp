// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/run/CircularWait.h"

#include "analysis/run/RefusalWords.h"

namespace sendwright {

std::string textOf(const CircularWait &wait) {
  const std::string rank = nameOfRank(wait.rank), other = nameOfRank(wait.other);
  switch (wait.kind) {
  case CircularWait::Kind::ComesTooLate:
    return rank + " comes to it only after " + other + ", which would wait for it there";
  case CircularWait::Kind::WaitsBeforeSend:
    return rank + " waits for its messages before it has sent its own";
  case CircularWait::Kind::SendsAfterReceipt:
    return rank + " sends its own only after " + other + " has received its messages";
  case CircularWait::Kind::KeptFromSending:
    return "ranks that wait for its messages would keep " + rank + " from sending its own";
  case CircularWait::Kind::NotFollowed:
    return "the run cannot be followed to its end to see that no rank would wait for another in a "
           "circle";
  }
  return "";
}

} // namespace sendwright
