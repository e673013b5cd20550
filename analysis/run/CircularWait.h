// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How ranks would wait for one another in a circle if an exchange were shared, or if a loop became
// a collective operation (SharingWaits.h).

#ifndef SENDWRIGHT_ANALYSIS_RUN_CIRCULARWAIT_H
#define SENDWRIGHT_ANALYSIS_RUN_CIRCULARWAIT_H

#include <cstdint>
#include <string>

namespace sendwright {

struct CircularWait {
  enum class Kind : std::uint8_t {
    ComesTooLate,      ///< to a collective operation: `rank` comes only after `other`, which would
                       ///< wait for it there
    WaitsBeforeSend,   ///< `rank` waits for messages of the exchange before it has sent its own
    SendsAfterReceipt, ///< `rank` sends its own messages only after `other` has received messages
    KeptFromSending,   ///< ranks that wait for its messages would keep `rank` from sending its own
    NotFollowed        ///< the run cannot be followed to its end
  };
  static constexpr Kind lastKind = Kind::NotFollowed;

  Kind kind = Kind::NotFollowed;
  std::uint32_t rank = 0, other = 0; ///< world ranks
};

/// Part of a sentence: "rank 1 waits for its messages before it has sent its own".
std::string textOf(const CircularWait &wait);

} // namespace sendwright

#endif
