// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of the table that stand for one operation agree about it.

#include "analysis/mpi/MpiFunctions.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

namespace sendwright {
namespace {

std::vector<const MpiFunction *> functionsOf(MpiRole role) {
  std::vector<const MpiFunction *> found;
  for (std::size_t number = 0; number < mpiFunctionCount(); ++number)
    if (const MpiFunction &each = mpiFunction(static_cast<MpiFunctionId>(number));
        each.role == role)
      found.push_back(&each);
  return found;
}

/// For example MPI_Bcast for MPI_Ibcast.
const MpiFunction *blockingTwin(const MpiFunction &function) {
  std::string name(function.name.substr(5));
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return findMpiFunction("MPI_" + name);
}

/// False for functions that make communicators: they imply nothing, whatever simulates them.
bool carriesData(const MpiFunction &function) {
  return function.amount != CollectiveAmount::Context &&
         function.amount != CollectiveAmount::Membership;
}

TEST(MpiFunctions, NonblockingCollectivesDifferByTheirRequestOnly) {
  for (const MpiFunction *function : functionsOf(MpiRole::NonblockingCollective)) {
    SCOPED_TRACE(function->name);
    const MpiFunction *twin = blockingTwin(*function);
    ASSERT_NE(twin, nullptr);
    EXPECT_EQ(function->operation, twin->operation);
    EXPECT_EQ(function->flow, twin->flow);
    EXPECT_EQ(function->amount, twin->amount);
    EXPECT_EQ(function->effect, twin->effect);
    EXPECT_EQ(function->buffer, twin->buffer);
    EXPECT_EQ(function->count, twin->count);
    EXPECT_EQ(function->datatype, twin->datatype);
    EXPECT_EQ(function->peer, twin->peer);
    EXPECT_EQ(function->communicator, twin->communicator);
    EXPECT_EQ(function->request, twin->communicator + 1);
    EXPECT_EQ(twin->request, -1);
  }
}

TEST(MpiFunctions, CollectivesOfAnOperationWaitAlike) {
  for (const MpiFunction *function : functionsOf(MpiRole::Collective)) {
    SCOPED_TRACE(function->name);
    ASSERT_TRUE(function->operation);
    const MpiFunction &first = mpiFunction(*function->operation);
    EXPECT_EQ(function->flow, carriesData(*function) ? first.flow : CollectiveFlow::None);
  }
}

TEST(MpiFunctions, CollectivesHaveARootWhereDataFlowFromItOrToIt) {
  for (MpiRole role : {MpiRole::Collective, MpiRole::NeighborCollective})
    for (const MpiFunction *function : functionsOf(role))
      EXPECT_EQ(function->peer >= 0, function->flow == CollectiveFlow::FromRoot ||
                                         function->flow == CollectiveFlow::ToRoot)
          << function->name;
}

TEST(MpiFunctions, CollectivesHaveABufferWhereTheProgramGivesData) {
  for (MpiRole role : {MpiRole::Collective, MpiRole::NeighborCollective})
    for (const MpiFunction *function : functionsOf(role)) {
      const bool carries = carriesData(*function) && function->amount != CollectiveAmount::Nothing;
      EXPECT_EQ(function->buffer >= 0, carries) << function->name;
      EXPECT_EQ(function->count >= 0, carries) << function->name;
      EXPECT_EQ(function->datatype >= 0, carries) << function->name;
    }
}

TEST(MpiFunctions, EveryOperationIsDoneBySomeFunction) {
  for (Collective operation : allCollectives())
    EXPECT_EQ(mpiFunction(operation).operation, operation) << nameOf(operation);
}

TEST(MpiFunctions, ASendrecvNamesBothMessages) {
  for (const MpiFunction *function : functionsOf(MpiRole::SendReceive)) {
    EXPECT_GE(function->received.buffer, 0) << function->name;
    EXPECT_EQ(function->received.tag, function->received.peer + 1) << function->name;
    EXPECT_EQ(function->communicator, function->received.tag + 1) << function->name;
  }
}

} // namespace
} // namespace sendwright
