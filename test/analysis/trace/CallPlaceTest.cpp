// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/TraceLocation.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

SiteIdentity identity(const char *file, const char *function, unsigned line) {
  SiteIdentity site;
  site.file = file;
  site.function = function;
  site.line = line;
  return site;
}

/// A loop that calls a function of a layer, which calls MPI.
class CallPlace : public testing::Test {
protected:
  CallPlace() {
    profile.sites = {identity("src/halo.c", "exchange", 20), identity("layer.c", "layer_all", 50)};
    profile.callSites = {identity("layer.c", "layer_send", 40),
                         identity("layer.c", "layer_all", 51)};
    profile.ranks.resize(1);
    profile.ranks[0].callers = {"app+0x1234", "halo.c:21"};
    event.function = MpiFunctionId::Isend;
  }
  std::string place() const { return callPlace(profile, profile.ranks[0], event); }

  Profile profile;
  Event event;
};

TEST_F(CallPlace, IsTheCallerOfAWrapper) {
  event.call = 0;
  event.address = 2;
  EXPECT_EQ(place(), "halo.c:21 (through layer.c:40)");
  event.site = 0;
  EXPECT_EQ(place(), "halo.c:21 (through layer.c:40)");
}

TEST_F(CallPlace, IsTheLoopAroundACallInAnotherFunctionIfTheCallerIsUnknown) {
  event.call = 0;
  event.site = 0;
  EXPECT_EQ(place(), "src/halo.c:20 (through layer.c:40)");
}

TEST_F(CallPlace, IsTheCallWhereItsFunctionHoldsTheLoop) {
  event.call = 1;
  event.site = 1;
  EXPECT_EQ(place(), "layer.c:51");
}

TEST_F(CallPlace, IsTheCallWhereOnlyAnAddressIsKnown) {
  event.call = 0;
  event.address = 1;
  EXPECT_EQ(place(), "layer.c:40");
  event.call = noSite;
  EXPECT_EQ(place(), "app+0x1234");
}

} // namespace
} // namespace sendwright
