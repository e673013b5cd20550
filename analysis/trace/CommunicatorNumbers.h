// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers for the communicators of a run that mean the same on all ranks: the index that a rank has
// for a communicator says nothing to another rank.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_COMMUNICATORNUMBERS_H
#define SENDWRIGHT_ANALYSIS_TRACE_COMMUNICATORNUMBERS_H

#include "analysis/trace/Profile.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright {

/// How the two sides of an intercommunicator, which see different local groups, are numbered.
enum class IntercommunicatorNumbers : std::uint8_t {
  OneForAll, ///< all intercommunicators of the run have one number
  BySide     ///< as if each side were a communicator of its own
};

class CommunicatorNumbers {
public:
  static constexpr std::uint32_t none = UINT32_MAX;

  CommunicatorNumbers() = default;
  /// Numbers from 0, in the order of the first rank that has the communicator, and its index there.
  /// O(c log n) for c communicators of all ranks together and n numbers; times the size of a group
  /// if ranks do not share its list.
  explicit CommunicatorNumbers(const Profile &profile, IntercommunicatorNumbers intercommunicators =
                                                           IntercommunicatorNumbers::OneForAll);

  /// The same for the communicators of each rank, without a profile.
  explicit CommunicatorNumbers(
      const std::vector<const std::vector<Communicator> *> &ofRanks,
      IntercommunicatorNumbers intercommunicators = IntercommunicatorNumbers::OneForAll);

  /// The number of the communicator that `rank` has at `index`; `none` if there is no such index.
  std::uint32_t of(std::size_t rank, int index) const {
    const auto place = static_cast<std::size_t>(index);
    return place < numbers[rank].size() ? numbers[rank][place] : none;
  }
  /// The same, but also `none` for intercommunicators.
  std::uint32_t ofGroup(std::size_t rank, int index) const {
    const std::uint32_t number = of(rank, index);
    return number == none || communicators[number].intercommunicator ? none : number;
  }

  /// How many numbers there are.
  std::size_t size() const { return communicators.size(); }
  /// The communicator as seen by the first rank that has it.
  const Communicator &operator[](std::uint32_t number) const { return communicators[number]; }

private:
  std::vector<std::vector<std::uint32_t>> numbers; // by rank and the rank's index
  std::vector<Communicator> communicators;         // by number
};

} // namespace sendwright

#endif
