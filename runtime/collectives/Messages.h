// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the message of a step travels. Both ends know from the plan how large it was in the profile:
//
//     small there    one message, head and data, if it is small again; else head, then the rest
//     large there    the head; of the data as much as in the profile, for which a receive may
//                    already be posted where it belongs; then the rest
//
// The head says which operation the message belongs to and how large its slots are. If slots differ
// in size, and the sizes do not follow from the whole, the sizes come before the data: behind the
// head in a small message, else with the rest.

#ifndef SENDWRIGHT_RUNTIME_COLLECTIVES_MESSAGES_H
#define SENDWRIGHT_RUNTIME_COLLECTIVES_MESSAGES_H

#include "runtime/collectives/LocalSchedule.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sendwright::collectives {

struct MessageHead {
  std::uint32_t collective = 0;  ///< index in the plan
  std::uint16_t sizesFollow = 0; ///< whether sizes of the slots follow, 8 bytes each
  std::uint16_t refused = 0;     ///< the sender, or a rank that it heard of, cannot carry it out
  std::uint64_t instance = 0;    ///< number of its earlier operations on this communicator
  std::uint64_t bytes = 0;       ///< of the whole of which slots are pieces; or of each slot; or of
                                 ///< all slots, if sizes follow
};
static_assert(sizeof(MessageHead) == collectiveMessageHead);

/// The room for data behind the head of a small message. Head and data together stay below the size
/// from which on most MPIs make a sender wait for its receiver.
inline constexpr std::uint64_t smallData = 16320 - sizeof(MessageHead);
inline bool isSmall(const LocalStep &step) { return step.bytes <= smallData; }

/// The messages of each collective of the plan have their own tags. So have small steps: SMPI keeps
/// large and small receives in two places, and might match a head with a later receive.
enum class MessagePart { Small, Head, Data, Rest };
inline constexpr int messageParts = 4;
inline MessagePart firstPart(const LocalStep &step) {
  return isSmall(step) ? MessagePart::Small : MessagePart::Head;
}

/// Copied messages, so that no rank waits until they are sent.
class CopiedMessages {
public:
  /// An empty buffer.
  std::vector<std::byte> buffer();
  /// Sends the message and takes over its buffer. Returns MPI's error code. Throws std::bad_alloc,
  /// having sent nothing.
  int send(std::vector<std::byte> &&message, int peer, int tag, MPI_Comm world);
  /// Takes back the buffers of messages that have left; false if some have not.
  bool takeBack();

private:
  static constexpr std::size_t least = 64;
  int findLeft();
  std::vector<MPI_Request> requests;
  std::vector<std::vector<std::byte>> buffers, spare;
  std::vector<int> indices;
  std::size_t most = least; ///< beyond it, a send looks for messages that have left
};

} // namespace sendwright::collectives

#endif
