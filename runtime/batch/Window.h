// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many messages of a batch are in flight at once. Large messages that all leave together
// collide at their receivers; a window lets the next message leave when one is complete. It never
// blocks forever: if nothing completes for a while (because a receiver is not ready), the rest
// leaves regardless.

#ifndef SENDWRIGHT_RUNTIME_BATCH_WINDOW_H
#define SENDWRIGHT_RUNTIME_BATCH_WINDOW_H

#include "analysis/ordering/IssueTrial.h"

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace sendwright {

/// What is remembered about a site's window from batch to batch.
struct WindowHistory {
  int stalls = 0; ///< batches in which it stalled, minus batches in which it did not
  bool abandoned = false;
  bool wasLimited = false; ///< the last batch had a window
  IssueTrial trial;
};

/// The window of one batch. Uses PMPI only to test requests, never to complete a captured one.
class Window {
public:
  /// `limit` 0: no limit. `own` holds the requests of blocking sends, which may be completed here
  /// (their entries then become MPI_REQUEST_NULL); it must outlive the window.
  Window(std::uint32_t limit, std::vector<MPI_Request> &own, WindowHistory &history);
  ~Window(); ///< notes in the history whether the window stalled

  bool limited() const { return limit != 0; }
  /// From here on no message leaves before the earlier ones can have left at this rate.
  void pace(double secondsPerByte) { gap = secondsPerByte; }
  /// Returns when fewer messages than the limit are in flight and the next one may leave, or
  /// nothing completes for too long.
  void makeRoom();
  /// Adds a captured request that was started, or own[index]. `bytes` is the message's size.
  void addCaptured(MPI_Request request, double bytes);
  void addOwn(std::size_t index, double bytes);

private:
  struct InFlight {
    bool isOwn;
    MPI_Request captured;
    std::size_t index;
    double bytes;
  };
  bool hasRoom() const { return inFlight.size() < limit; }
  bool isTooEarly() const;
  void add(const InFlight &message);
  bool complete(const InFlight &message);
  double patience() const;

  std::uint32_t limit;
  std::vector<MPI_Request> &own;
  WindowHistory &history;
  std::vector<InFlight> inFlight;
  double gap = 0;     ///< seconds per byte between the beginnings of messages
  double nextAt = -1; ///< when the next message may leave, by MPI's clock; negative: at once
  bool waited = false, stalled = false;
};

} // namespace sendwright

#endif
