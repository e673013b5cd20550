// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold between the parts of a profile. Checksums detect only accidents, and every
// analysis relies on these relations without checking again. The codec checks single numbers; this
// file checks that the numbers fit together.
//
// Checked by the codec, as each number is read:
// - peers, sources, members and ranks of moved messages are ranks of the run;
// - sites, marked calls, communicators and callers of an event are in the rank's lists, and marks
//   have a site;
// - a sequence is a grammar over the rank's events in which no rule contains itself and no rule but
//   the first is empty, or another rule once (Grammar::valid);
// - there are no statistics, or one for each event;
// - a redistribution has as many blocks before as after, with equally many elements;
// - times are finite, not negative, and below 10^12 s.
//
// Checked here, for the whole profile:
// - communicator 0 of every rank is MPI_COMM_WORLD: all ranks of the run, in order;
// - members of a communicator are distinct, and include the rank that lists it;
// - peers of messages, matched sources, roots of collectives and peers of a redistribution are
//   members of the event's communicator, unless it is an intercommunicator;
// - a send goes to a rank or to MPI_PROC_NULL;
// - a call has the requests that its function makes (at most one) or ends (any number); other
//   events have no requests;
// - a match belongs to the call itself or to one of its requests;
// - a redistribution happens on a communicator of one group;
// - no event occurs more often than its statistics count, and the shortest time before it is not
//   above the longest.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_PROFILERELATIONS_H
#define SENDWRIGHT_ANALYSIS_TRACE_PROFILERELATIONS_H

#include "analysis/trace/Profile.h"

#include <string>

namespace sendwright {

/// Throws FormatError at the first relation that does not hold: "NAME: rank 2, event 5: ...". O(n
/// log n) in the profile's events and members.
void checkRelations(const Profile &profile, const std::string &name);

} // namespace sendwright

#endif
