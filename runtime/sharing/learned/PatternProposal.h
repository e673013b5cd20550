// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a member says of a loop whose patterns come in any order, and what its leader answers: the
// texts in ControlMessage::part.

#ifndef SENDWRIGHT_RUNTIME_SHARING_LEARNED_PATTERNPROPOSAL_H
#define SENDWRIGHT_RUNTIME_SHARING_LEARNED_PATTERNPROPOSAL_H

#include "analysis/sharing/CommonPatterns.h"
#include "analysis/sharing/SharedExchanges.h"
#include "runtime/sharing/learned/ControlMessage.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sendwright::adaptation {

struct PatternProposal {
  std::vector<std::vector<ProposedMessage>> patterns; ///< by the member's number, from 1 on; those
                                                      ///< that cannot be shared have no messages
  PatternHistory history;
};

/// Reading throws FormatError for anything that no member of a job of `ranks` ranks says.
std::string encodeProposal(const PatternProposal &proposal);
PatternProposal decodeProposal(const std::string &bytes, int ranks);

/// One rank's part of a plan.
struct PlannedPart {
  ExecutionMoment from; ///< executions of each pattern are counted from here on
  /// The rank's own number of each pattern, or 0 if it takes no part. Empty: all executions of the
  /// loop have one pattern, which is that of the rank's proposal.
  std::vector<std::uint32_t> own;
  std::vector<PatternContext> contexts; ///< for each of `own`
  std::vector<std::uint32_t> stages;    ///< of the routes of each pattern
  std::vector<RankExchange> parts;      ///< RankExchange::exchange: which pattern
};

std::string encodePart(const PlannedPart &part);
PlannedPart decodePart(const std::string &bytes, int ranks, int rank);

} // namespace sendwright::adaptation

#endif
