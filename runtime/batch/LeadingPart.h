// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A send whose leading part leaves with its request, so that the answer of the receiver is awaited
// while that part is on its way (analysis/ordering/IssueTrial.h). Open MPI does so for
// elements that do not lie side by side; others wait for the answer as a whole. So the last element
// is sent from a copy elsewhere in memory. Receivers see the same elements of the same type.

#ifndef SENDWRIGHT_RUNTIME_BATCH_LEADINGPART_H
#define SENDWRIGHT_RUNTIME_BATCH_LEADINGPART_H

#include "runtime/base/HeldSend.h"
#include "runtime/base/MpiDifferences.h"

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace sendwright {

/// Whether this MPI's answer is awaited while the leading part is on its way.
inline constexpr bool sendsLeadingParts = isOpenMpi && !isSimulated;

class LeadingPart {
public:
  /// Whether `send`, whose elements are `bytesOfElement` bytes side by side, is large enough.
  static bool suits(const SendArguments &send, MPI_Count bytesOfElement) {
    return send.count >= 2 && send.buffer && send.datatype != MPI_PACKED && bytesOfElement > 0 &&
           bytesOfElement <= largestElement && bytesOfElement * send.count >= leastBytes;
  }
  /// Copies the last element: the buffer must not change from here on, and this must live until
  /// the send is complete. Throws std::bad_alloc.
  LeadingPart(const SendArguments &send, MPI_Count bytesOfElement);
  LeadingPart(const LeadingPart &) = delete;
  LeadingPart &operator=(const LeadingPart &) = delete;
  ~LeadingPart() { freeDatatype(); }

  /// Calls MPI by `call`, with what is sent instead (the send itself if MPI cannot create the
  /// datatype), and returns its result. To be called once.
  template <typename Call> int pass(Call call) {
    const int result = call(changed);
    freeDatatype();
    return result;
  }

  /// For lists of parts that nobody completes.
  std::unique_ptr<LeadingPart> next;

private:
  void freeDatatype();

  static constexpr MPI_Count leastBytes = 32768; ///< smaller messages hardly ever wait
  static constexpr MPI_Count largestElement = 4096;

  std::unique_ptr<std::byte[]> lastElement;
  MPI_Datatype bothPlaces = MPI_DATATYPE_NULL;
  SendArguments changed;
};

} // namespace sendwright

#endif
