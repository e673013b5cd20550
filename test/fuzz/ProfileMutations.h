// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes to a profile's decoded fields that no recording would make.

#ifndef SENDWRIGHT_TEST_FUZZ_PROFILEMUTATIONS_H
#define SENDWRIGHT_TEST_FUZZ_PROFILEMUTATIONS_H

#include "analysis/trace/Profile.h"
#include "test/fuzz/Draw.h"

#include <cstdint>
#include <string>

namespace sendwright::fuzz {

/// Changes one thing. The result may be a profile that no reader accepts.
void mutateProfile(Profile &profile, Draw &draw);

/// Lowers repetitions until the ranks together have at most `most` events, or all are 1.
void limitEvents(Profile &profile, std::uint64_t most);

/// The number of events over all ranks, saturating.
std::uint64_t eventsOf(const Profile &profile);

/// The profile as a file.
std::string bytesOf(const Profile &profile);

// Mutates parts that plans have, too.
void mutateSite(SiteIdentity &site, Draw &draw);
void mutateCommunicator(Communicator &communicator, std::size_t ranks, Draw &draw);
/// The grammar of a sequence of numbers below `numbers`.
void mutateGrammar(Grammar &grammar, std::size_t numbers, Draw &draw);
void limitGrammar(Grammar &grammar, std::uint64_t most);
void mutateRedistribution(RecordedRedistribution &recorded, Draw &draw);

} // namespace sendwright::fuzz

#endif
