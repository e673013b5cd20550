// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redistribution at run time: what the calls of sendwright/redistribution.h do.
//
//     sendwright_redistribute()   DirectiveCalls.cpp
//       the private communicator  PrivateGroups.cpp   one for each ordered group of ranks
//       sizes that follow loads   Balancing.cpp       if asked for; after an agreement of its own
//         loads that are measured MeasuredBalancing.cpp
//       what this rank proposes   ArrayState.cpp      the arrays before and after; its own checks
//       its messages, in order    RankSchedule.cpp    kept for the next time (ScheduleCache.h)
//       agreement, by votes       Agreement.cpp       all ranks propose the same, and can
//       messages under way        Movement.cpp        into new blocks, while ranks still agree
//       the variables             JointMove.cpp       take the new blocks, if all agreed
//
//     sendwright_reflect_begin()  Reflection.cpp      cells around blocks, without an agreement
//
// The program sees no change before a rank knows that all ranks agree: messages go from the old
// blocks, which stay, to new blocks, which the program does not know yet. If the ranks do not
// agree, the same votes tell all of them so, and messages under way are received and dropped.
//
// A message is a stream of bytes: its elements, array by array, in an order that both ends compute
// (analysis/redistribution/Messages.h). SpanCursor.h walks along it. It is sent in chunks, directly
// from and into the blocks where a chunk is contiguous there.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_REDISTRIBUTION_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_REDISTRIBUTION_H

namespace sendwright::redistribution {

// Tags on private communicators.
inline constexpr int dataTag = 1;  ///< chunks of messages, in order
inline constexpr int votesTag = 2; ///< and one further tag for each vote message
/// Halo cells: each reflect of a group has the next of so many tags. Several may be under way, and
/// SMPI lets a short message overtake a long one of the same tag.
inline constexpr int reflectTag = 1024, reflectTags = 4096;
/// Where ranks do not agree first, a chunk has one of these tags: a digest of its sender's
/// proposal.
inline constexpr int trustedTag = 8192, trustedTags = 8192;

} // namespace sendwright::redistribution

#endif
