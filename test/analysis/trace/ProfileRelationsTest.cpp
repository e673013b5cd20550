// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles with correct checksums whose parts do not fit together are refused, one relation in each
// case.

#include "test/analysis/file/FileSamples.h"

#include "analysis/file/FormatError.h"
#include "analysis/trace/ProfileRelations.h"

#include <gtest/gtest.h>

#include <functional>

namespace sendwright {
namespace {

struct BrokenRelation {
  const char *name;
  std::function<void(Profile &)> change;
  const char *problem;
};

Event &eventOf(Profile &profile, MpiFunctionId function) {
  for (Event &event : profile.ranks[1].events)
    if (event.kind == EventKind::Call && event.function == function)
      return event;
  ADD_FAILURE() << "no such event";
  return profile.ranks[1].events[0];
}

const BrokenRelation broken[] = {
    {"WorldIsMissing", [](Profile &p) { p.ranks[1].communicators.clear(); },
     "communicator 0, expected one of 0"},
    {"WorldLacksARank", [](Profile &p) { p.ranks[1].communicators[0].members = {0, 1, 2, 3}; },
     "rank 1: communicator 0 is not MPI_COMM_WORLD, expected all 5 ranks in order"},
    {"WorldInAnotherOrder",
     [](Profile &p) { p.ranks[1].communicators[0].members = {1, 0, 2, 3, 4}; },
     "communicator 0 is not MPI_COMM_WORLD"},
    {"RankIsNoMember", [](Profile &p) { p.ranks[1].communicators[1].members = {2, 3}; },
     "communicator 1 does not have this rank, expected it among the members"},
    {"MemberTwice", [](Profile &p) { p.ranks[1].communicators[1].members = {1, 3, 3}; },
     "communicator 1 has a rank twice, expected each member once"},
    {"PeerOutsideItsCommunicator",
     [](Profile &p) {
       eventOf(p, MpiFunctionId::Isend).communicator = 1;
       eventOf(p, MpiFunctionId::Isend).peer = 4;
     },
     "peer 4 is not in communicator 1, expected one of its 2 members"},
    {"RootOutsideItsCommunicator",
     [](Profile &p) {
       Event &event = eventOf(p, MpiFunctionId::Waitall);
       event = Event();
       event.function = MpiFunctionId::Bcast;
       event.communicator = 1;
       event.peer = 4;
     },
     "peer 4 is not in communicator 1"},
    {"SourceOfAnExchangeOutside",
     [](Profile &p) { eventOf(p, MpiFunctionId::Sendrecv).communicator = 1; },
     "source 0 is not in communicator 1"},
    {"SendToAnySource", [](Profile &p) { eventOf(p, MpiFunctionId::Isend).peer = anySource; },
     "a send without a destination, expected a rank or MPI_PROC_NULL"},
    {"SeveralRequestsOfOneSend",
     [](Profile &p) { eventOf(p, MpiFunctionId::Isend).requests = {0, 1}; },
     "2 requests of MPI_Isend, expected at most 1"},
    {"RequestOfABlockingCall",
     [](Profile &p) { eventOf(p, MpiFunctionId::Sendrecv).requests = {0}; },
     "1 requests of MPI_Sendrecv, expected at most 0"},
    {"MatchOfAnotherRequest",
     [](Profile &p) { eventOf(p, MpiFunctionId::Waitall).matches[0].request = 5; },
     "a match of request 5, expected one of the requests that the call completes"},
    {"MovedOutsideItsCommunicator",
     [](Profile &p) {
       p.ranks[1].events.back().communicator = 1;
       p.ranks[1].events.back().moved[0].peer = 4;
     },
     "peer 4 is not in communicator 1"},
    {"RedistributionBetweenGroups", [](Profile &p) { p.ranks[1].events.back().communicator = 2; },
     "a redistribution on an intercommunicator, expected one group of ranks"},
    {"MoreCallsThanCounted", [](Profile &p) { p.ranks[1].statistics[1].count = 3; },
     "event 1 occurs 500 times, expected at most 3 as its statistics count"},
    {"ShortestTimeAboveTheLongest", [](Profile &p) { p.ranks[1].statistics[1].beforeMinimum = 1; },
     "event 1 has a shortest time above the longest, expected it below"},
    {"RuleThatIsAnother",
     [](Profile &p) {
       p.ranks[1].sequence.rules = {{{1, true, 9}}, {{2, true, 1}}, {{0, false, 1}}};
     },
     "an invalid sequence"},
};

class ProfileRelations : public testing::TestWithParam<BrokenRelation> {};

TEST_P(ProfileRelations, AreCheckedWhenAProfileIsRead) {
  Profile profile = sampleProfile();
  GetParam().change(profile);
  const std::string file = testing::TempDir() + "broken-relation.prof";
  writeProfile(profile, file);
  try {
    readProfile(file);
    FAIL() << "it was read";
  } catch (const FormatError &error) {
    EXPECT_TRUE(std::string(error.what()).starts_with(file + ": ")) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().problem), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProfileRelations, testing::ValuesIn(broken),
                         [](const auto &relation) { return std::string(relation.param.name); });

TEST(RelationsOfAProfile, TheSampleKeepsAll) {
  EXPECT_NO_THROW(checkRelations(sampleProfile(), "sample"));
}

TEST(RelationsOfAProfile, RanksShareOneListOfMembers) {
  const std::string file = testing::TempDir() + "shared-members.prof";
  writeProfile(sampleProfile(), file);
  const Profile profile = readProfile(file);
  EXPECT_EQ(&profile.ranks[0].communicators[0].members.vector(),
            &profile.ranks[4].communicators[0].members.vector());
}

} // namespace
} // namespace sendwright
