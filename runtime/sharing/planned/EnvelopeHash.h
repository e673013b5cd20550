// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number for the envelope of a message, with which ranks compare what they have sent with what
// they have received without naming it: sums of such numbers are equal if the envelopes are.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_ENVELOPEHASH_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_ENVELOPEHASH_H

#include <cstdint>

namespace sendwright::exchange {

/// `communicator`: a number that is the same on all ranks. Ranks are those of the world. Different
/// envelopes have the same number with a probability of about 2^-64. Thread-safe.
constexpr std::uint64_t envelopeHash(std::uint32_t communicator, int source, int destination,
                                     int tag) {
  std::uint64_t value = communicator;
  for (const int part : {source, destination, tag}) {
    value = (value ^ static_cast<std::uint32_t>(part)) + 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    value ^= value >> 31;
  }
  return value;
}

} // namespace sendwright::exchange

#endif
