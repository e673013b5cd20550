// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profile and plan files that were cut, damaged, or made to do harm: each is refused with a
// message, or holds what was written.

#include "analysis/epochs/steps/SynchronizationInPlan.h"
#include "analysis/epochs/steps/SynchronizationPlan.h"
#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"
#include "analysis/ordering/PlannedOrders.h"
#include "analysis/plan/Plan.h"
#include "analysis/planner/Planner.h"
#include "analysis/trace/ProfileCodec.h"
#include "test/analysis/file/FileSamples.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <random>
#include <tuple>
#include <unistd.h>

using namespace sendwright;

namespace {

const std::string file = testing::TempDir() + "sendwright-formats-" + std::to_string(getpid());

void expectEqual(const Profile &a, const Profile &b) {
  ASSERT_EQ(a.program, b.program);
  ASSERT_EQ(a.sites.size(), b.sites.size());
  for (std::size_t i = 0; i < a.sites.size(); ++i) {
    ASSERT_TRUE(a.sites[i].sameAs(b.sites[i]));
    ASSERT_EQ(a.sites[i].display(), b.sites[i].display());
  }
  ASSERT_EQ(a.callSites.size(), b.callSites.size());
  for (std::size_t i = 0; i < a.callSites.size(); ++i)
    ASSERT_EQ(a.callSites[i].display(), b.callSites[i].display());
  ASSERT_EQ(a.units.size(), b.units.size());
  ASSERT_EQ(a.ranks.size(), b.ranks.size());
  for (std::size_t i = 0; i < a.ranks.size(); ++i) {
    const RankProfile &x = a.ranks[i], &y = b.ranks[i];
    ASSERT_EQ(x.events, y.events);
    ASSERT_EQ(x.communicators, y.communicators);
    ASSERT_EQ(x.callers, y.callers);
    ASSERT_EQ(x.sequence.rules, y.sequence.rules);
    ASSERT_EQ(x.host, y.host);
    ASSERT_EQ(x.seconds, y.seconds);
    ASSERT_EQ(x.truncated, y.truncated);
    ASSERT_EQ(x.loads.size(), y.loads.size());
    for (std::size_t k = 0; k < x.loads.size(); ++k) {
      const RecordedLoad &load = x.loads[k], &other = y.loads[k];
      ASSERT_EQ(load.site.display(), other.site.display());
      ASSERT_EQ(std::tie(load.array, load.rows, load.rowBytes, load.processors, load.executions,
                         load.executionsEach),
                std::tie(other.array, other.rows, other.rowBytes, other.processors,
                         other.executions, other.executionsEach));
      ASSERT_EQ(load.periods, other.periods);
    }
    ASSERT_EQ(x.leftOut, y.leftOut);
    ASSERT_EQ(x.statistics.size(), y.statistics.size());
    for (std::size_t k = 0; k < x.statistics.size(); ++k) {
      ASSERT_EQ(x.statistics[k].count, y.statistics[k].count);
      ASSERT_EQ(x.statistics[k].before, y.statistics[k].before);
      ASSERT_EQ(x.statistics[k].inside, y.statistics[k].inside);
    }
  }
}

std::string bytesOf(const Profile &profile) {
  writeProfile(profile, file);
  return readTextFile(file);
}

std::string bytesOf(const Plan &plan) {
  writePlan(plan, file);
  return readTextFile(file);
}

// Equal content has equal bytes: what was read is written again. The checksums leave no other way.
bool readsAs(FileKind kind, const std::string &bytes, const std::string &original,
             std::string &problem) {
  try {
    const std::string again = kind == FileKind::Profile
                                  ? bytesOf(decodeProfile(bytes.data(), bytes.size(), "f"))
                                  : bytesOf(decodePlan(bytes.data(), bytes.size(), "f"));
    EXPECT_EQ(again, original);
    return true;
  } catch (const FormatError &error) {
    problem = error.what();
    return false;
  }
}

class DamagedFile : public testing::TestWithParam<FileKind> {
protected:
  void SetUp() override {
    original = GetParam() == FileKind::Profile ? bytesOf(sampleProfile()) : bytesOf(samplePlan());
  }
  void TearDown() override { std::filesystem::remove(file); }

  std::string original, problem;
};

/// Changes, adds or removes a few bytes.
void damage(std::string &content, std::mt19937 &random) {
  if (content.empty())
    return;
  const std::size_t at = random() % content.size();
  switch (random() % 4) {
  case 0:
    content[at] = static_cast<char>(content[at] ^ (1 << random() % 8));
    break;
  case 1:
    content[at] = static_cast<char>(random());
    break;
  case 2:
    content.erase(at, 1 + random() % 3);
    break;
  case 3:
    content.insert(at, 1 + random() % 9, static_cast<char>(random() % 2 ? 0xff : random()));
    break;
  }
}

/// The file with one section damaged and all checksums correct.
std::string damagedBehindChecksums(FileKind kind, const std::string &original,
                                   std::mt19937 &random) {
  const auto version = static_cast<std::uint32_t>(original[8]);
  const ContainerReader reader(original, kind, version, "f");
  const std::size_t chosen = random() % reader.sections().size();
  ContainerWriter writer(file, kind, version);
  for (const ContainerReader::Section &section : reader.sections()) {
    std::string content = reader.content(section);
    if (&section == &reader.sections()[chosen])
      damage(content, random);
    writer.add(section.key, packSection(content));
  }
  writer.finish();
  return readTextFile(file);
}

void expectSound(const Profile &profile, std::size_t ranks) {
  for (const RankProfile &rank : profile.ranks) {
    ASSERT_TRUE(rank.sequence.valid(static_cast<std::uint32_t>(rank.events.size())));
    for (const Event &event : rank.events) {
      ASSERT_LT(event.peer, static_cast<int>(ranks));
      ASSERT_LT(event.site, static_cast<int>(profile.sites.size()));
      ASSERT_LT(event.call, static_cast<int>(profile.callSites.size()));
      const bool mark = event.kind == EventKind::SiteEnter || event.kind == EventKind::SiteLeave;
      ASSERT_TRUE(!mark || event.site >= 0);
      ASSERT_LT(static_cast<std::size_t>(event.communicator), rank.communicators.size());
      ASSERT_LE(event.address, rank.callers.size());
    }
  }
}

void expectSound(const Plan &plan) {
  for (const auto &[count, part] : plan.rankCounts)
    for (const auto &rank : part.of<PlannedOrders>().ranks)
      for (const RankSite &site : rank) {
        ASSERT_LT(site.site, part.sites.size());
        for (const SendOrder &order : site.orders)
          for (int destination : order.destinations)
            ASSERT_TRUE(destination >= 0 && destination < count);
      }
}

} // namespace

TEST_P(DamagedFile, IsRefusedWhereverItEnds) {
  for (std::size_t size = 0; size < original.size(); size += size < 512 ? 1 : 97) {
    ASSERT_FALSE(readsAs(GetParam(), original.substr(0, size), original, problem)) << size;
    ASSERT_EQ(problem.substr(0, 3), "f: ");
    ASSERT_EQ(problem.find('\n'), std::string::npos);
  }
  ASSERT_FALSE(readsAs(GetParam(), original + "x", original, problem));
  EXPECT_EQ(problem, "f: has " + std::to_string(original.size() + 1) + " bytes, expected " +
                         std::to_string(original.size()));
  ASSERT_FALSE(readsAs(GetParam(), original.substr(0, 97), original, problem));
  EXPECT_EQ(problem, "f: ends after 97 bytes, expected " + std::to_string(original.size()));
}

TEST_P(DamagedFile, IsRefusedForEveryChangedBit) {
  std::mt19937 random(31);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes = original;
    const std::size_t at = random() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
    ASSERT_FALSE(readsAs(GetParam(), bytes, original, problem)) << "byte " << at;
  }
}

TEST_P(DamagedFile, IsReadOrRefusedForRandomBytes) {
  std::mt19937 random(37);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes = original;
    for (std::size_t changes = 1 + random() % 8; changes > 0; --changes)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    readsAs(GetParam(), bytes, original, problem);
  }
}

TEST_P(DamagedFile, NeverHarmsBehindRightChecksums) {
  std::mt19937 random(41);
  int refused = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::string bytes = damagedBehindChecksums(GetParam(), original, random);
    try {
      if (GetParam() == FileKind::Profile) {
        const Profile profile = decodeProfile(bytes.data(), bytes.size(), "f");
        expectSound(profile, profile.ranks.size());
        if (trial % 3 != 0)
          continue; // planning takes most of the time
        PlannerOptions options;
        options.machine = defaultMachine();
        options.events = 20000;
        planProfile(profile, "f", options); // must not fail under the sanitizers, whatever the
                                            // profile holds
      } else {
        expectSound(decodePlan(bytes.data(), bytes.size(), "f"));
        for (int rank = 0; rank < 3; ++rank) {
          decodeRankPlan(bytes.data(), bytes.size(), "f", 3, rank);
          decodeRankSteps(bytes.data(), bytes.size(), "f", 3, rank);
        }
      }
    } catch (const FormatError &error) {
      // "f: ", or "f (app.c): " if what its unit says is not valid.
      ASSERT_EQ(std::string(error.what()).substr(0, 1), "f");
      ++refused;
    }
  }
  EXPECT_GT(refused, 25);
}

TEST_P(DamagedFile, SaysWhichKindWasExpected) {
  const bool profile = GetParam() == FileKind::Profile;
  const std::string kind = profile ? "profile" : "plan", other = profile ? "plan" : "profile";
  readsAs(GetParam(), "", original, problem);
  EXPECT_EQ(problem, "f: is empty, expected a " + kind);
  readsAs(GetParam(), "int main() {}\n", original, problem);
  EXPECT_EQ(problem, "f: not a Sendwright " + kind + ", expected a file that Sendwright wrote");
  readsAs(GetParam(), profile ? bytesOf(samplePlan()) : bytesOf(sampleProfile()), original,
          problem);
  EXPECT_EQ(problem, "f: is a " + other + ", expected a " + kind);
  std::string later = original;
  later[8] = 9;
  readsAs(GetParam(), later, original, problem);
  EXPECT_EQ(problem, std::string("f: version 9, expected version ") + (profile ? "6 to 7" : "8") +
                         " as this build reads");
  std::string damaged = original;
  damaged[56 + 12] = static_cast<char>(damaged[56 + 12] ^ 1);
  readsAs(GetParam(), damaged, original, problem);
  EXPECT_EQ(problem, "f: damaged in section 1 (checksum differs), expected an intact " + kind);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DamagedFile, testing::Values(FileKind::Profile, FileKind::Plan),
                         [](const auto &kind) {
                           return kind.param == FileKind::Profile ? "Profile" : "Plan";
                         });

TEST(ProfileFile, ComesBackAsItWas) {
  const Profile profile = sampleProfile();
  writeProfile(profile, file);
  expectEqual(readProfile(file), profile);
  std::filesystem::remove(file);
}

TEST(ProfileFile, LoadsThatContradictThemselvesAreErrors) {
  const auto refused = [](const std::function<void(RecordedLoad &)> &change) {
    Profile profile = sampleProfile();
    change(profile.ranks[3].loads.front());
    try {
      const std::string bytes = bytesOf(profile);
      decodeProfile(bytes.data(), bytes.size(), "f");
      return false;
    } catch (const FormatError &) {
      return true;
    }
  };
  EXPECT_FALSE(refused([](RecordedLoad &) {}));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.processors = 0; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.processors = 6; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.executions = 5; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.executionsEach = 0; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.rows = 8; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.rowBytes = mostRowBytes + 1; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.periods[0].rows[0].seconds = -1; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.periods[0].rows[1].begin = 4; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) { load.periods[0].rows[1].end = 5; }));
  EXPECT_TRUE(refused([](RecordedLoad &load) {
    load.periods.resize(mostLoadPeriods + 1);
    load.executions = 2 * load.periods.size();
  }));
}

TEST(ProfileFile, SitesOfRanksBecomeOneList) {
  auto rankWith = [](int site) {
    RankProfile rank;
    rank.communicators = {{{0, 1}, 0, false}};
    rank.events = {message(MpiFunctionId::Send, 0, 1, {})};
    rank.events[0].site = site;
    return rank;
  };
  const SiteIdentity a{"x/app.c", "f", 3, 0, 9, ""}, sameA{"y/app.c", "f", 4, 0, 9, ""},
      b{"x/app.c", "f", 3, 1, 9, ""};
  ProfileFileWriter writer(file, "app", 2);
  writer.add(encodeRankSection(rankWith(0), {a}, {}, {{"app.c", "{}"}}));
  writer.add(encodeRankSection(rankWith(1), {b, sameA}, {}, {{"app.c", "{}"}, {"b.c", "{}"}}));
  writer.finish();
  const Profile profile = readProfile(file);
  ASSERT_EQ(profile.sites.size(), 2u);
  EXPECT_EQ(profile.ranks[0].events[0].site, 0);
  EXPECT_EQ(profile.ranks[1].events[0].site, 0);
  EXPECT_EQ(profile.sites[1].ordinal, 1u);
  EXPECT_EQ(profile.units.size(), 2u);
  std::filesystem::remove(file);
}

TEST(ProfileFile, InstantiationsOfALoopAreSites) {
  const SiteIdentity one{"app.hpp", "f", 3, 0, 9, "T = int"},
      sameOne{"app.hpp", "f", 3, 0, 9, "T = int"}, other{"app.hpp", "f", 3, 0, 9, "T = char"};
  EXPECT_FALSE(one.sameAs(other));
  EXPECT_TRUE(one.sameLoopAs(other));
  EXPECT_EQ(one.display(), "app.hpp:3 [T = int]");
  ProfileAssembler assembler;
  EXPECT_EQ(assembler.siteIndex(one), 0);
  EXPECT_EQ(assembler.siteIndex(other), 1);
  EXPECT_EQ(assembler.siteIndex(sameOne), 0);
  ByteWriter out;
  encodeSite(out, other);
  const std::string bytes = out.take();
  ByteReader in(bytes, "f");
  EXPECT_TRUE(decodeSite(in).sameAs(other));
}

TEST(ProfileFile, DamagedRanksAreReadOrRefused) {
  std::mt19937 random(43);
  const Profile profile = sampleProfile();
  int refused = 0;
  MemberWriter lists;
  for (int trial = 0; trial < 20000; ++trial) {
    ByteWriter out;
    const RankProfile &rank = profile.ranks[trial % 5];
    encodeRankContent(out, rank, eventsOf(rank), profile.sites, profile.callSites, {}, lists);
    std::string content = out.take();
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes)
      damage(content, random);
    ProfileAssembler assembler;
    try {
      assembler.add(ByteReader(content, "f: damaged"), 5);
      expectSound(assembler.profile, 5);
    } catch (const FormatError &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5000);
}

TEST(ProfileFile, MissingRankIsAnError) {
  std::filesystem::remove(file); // of another test of this process
  {
    ProfileFileWriter writer(file, "app", 2);
    writer.add(encodeRankSection({}, {}, {}, {}));
    EXPECT_THROW(writer.finish(), FormatError);
  }
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(PlanFile, ComesBackAsItWas) {
  const Plan plan = samplePlan();
  const std::string bytes = bytesOf(plan);
  const Plan read = decodePlan(bytes.data(), bytes.size(), "f");
  EXPECT_TRUE(read.machineMeasured);
  EXPECT_EQ(read.machine.name, plan.machine.name);
  EXPECT_EQ(read.machine.between.G, plan.machine.between.G);
  EXPECT_EQ(read.machine.incast[0].factor, 2.5);
  EXPECT_EQ(read.functionFiles, plan.functionFiles);
  EXPECT_EQ(read.functions.at("pack").callees, plan.functions.at("pack").callees);
  ASSERT_EQ(read.rankCounts.size(), 3u);
  const RankCountPlan &part = read.rankCounts.at(8), &expected = plan.rankCounts.at(8);
  EXPECT_EQ(part.profile, "run-8.prof");
  EXPECT_EQ(part.sites[0].decision, Decision::Rewrite);
  EXPECT_EQ(part.sites[0].site.hash, 77u);
  EXPECT_EQ(part.sites[0].site.instantiation, "Value = int");
  EXPECT_EQ(part.sites[0].of<SiteOrdering>().figures[0].key, "work");
  EXPECT_EQ(part.sites[0].of<SiteOrdering>().figures[0].bytes, 72u);
  for (std::size_t rank = 0; rank < 8; ++rank)
    EXPECT_EQ(part.of<PlannedOrders>().ranks[rank][0].orders,
              expected.of<PlannedOrders>().ranks[rank][0].orders);
  const SynchronizationPlan &synchronized = read.rankCounts.at(3).of<SynchronizationPlan>();
  ASSERT_EQ(synchronized.calls.size(), 2u);
  EXPECT_EQ(synchronized.calls[0].site.display(), "app.c:43");
  EXPECT_EQ(synchronized.calls[0].site.hash, 78u);
  EXPECT_EQ(synchronized.calls[0].actions.acts, 12u);
  EXPECT_EQ(synchronized.calls[0].actions.ranks, 3u);
  EXPECT_EQ(synchronized.actsUnmarked, 4u);
  EXPECT_EQ(synchronized.actsAtEnd, 2u);
  EXPECT_EQ(bytesOf(read), bytes) << "the bytes depend on the content alone";
  std::filesystem::remove(file);
}

TEST(PlanFile, RankTakesItsPart) {
  const Plan plan = samplePlan();
  const std::string bytes = bytesOf(plan);
  const RankPlan mine = decodeRankPlan(bytes.data(), bytes.size(), "f", 8, 5);
  EXPECT_TRUE(mine.found);
  EXPECT_EQ(mine.rankCounts, (std::vector<int>{1, 3, 8}));
  ASSERT_EQ(mine.own.sites.size(), 2u);
  EXPECT_TRUE(mine.own.sites[0].site.sameAs(plan.rankCounts.at(8).sites[0].site));
  ASSERT_EQ(mine.own.of<PlannedOrders>().ranks.at(0).size(), 1u);
  EXPECT_EQ(mine.own.of<PlannedOrders>().ranks.at(0)[0].orders,
            plan.rankCounts.at(8).of<PlannedOrders>().ranks[5][0].orders);
  EXPECT_FALSE(decodeRankPlan(bytes.data(), bytes.size(), "f", 4, 0).found);
  EXPECT_FALSE(decodeRankPlan(bytes.data(), bytes.size(), "f", 3, 3).found);
  std::filesystem::remove(file);
}

TEST(PlanFile, WhatARankReadsDoesNotGrowWithTheRanks) {
  std::uint64_t read[2];
  int number = 0;
  for (int ranks : {64, 16'384}) {
    Plan plan;
    RankCountPlan &part = plan.rankCounts[ranks];
    part.sites.emplace_back().site = {"app.c", "exchange", 12, 0, 77, ""};
    part.sites[0].decision = Decision::Rewrite;
    part.sites[0].transformation = "message-ordering";
    std::vector<std::vector<RankSite>> &orders = part.of<PlannedOrders>().ranks;
    orders.resize(static_cast<std::size_t>(ranks));
    for (std::vector<RankSite> &rank : orders)
      rank = {{0, {{{1, 2, 3}, 0, 10}}}};
    const std::string bytes = bytesOf(plan);
    const RankPlan mine = decodeRankPlan(bytes.data(), bytes.size(), "f", ranks, 60);
    ASSERT_EQ(mine.own.of<PlannedOrders>().ranks.at(0).size(), 1u);
    read[number++] = mine.bytesRead;
    EXPECT_LT(mine.bytesRead, 20'000u);
  }
  // Eight more steps of a search in the table for each kind of section.
  EXPECT_LT(read[1], read[0] + 8 * 40 * 24);
  std::filesystem::remove(file);
}

TEST(PlanFile, OtherRunsTakeTheDecisionsOfTheNearestRankCount) {
  const Plan plan = samplePlan(); // for 1, 3 and 8 ranks
  const std::string bytes = bytesOf(plan);
  const auto nearest = [&](int ranks) {
    return decodeRankPlan(bytes.data(), bytes.size(), "f", ranks, 0).other.rankCount;
  };
  EXPECT_EQ(nearest(2), 3); // 3/2 is less than 2/1
  EXPECT_EQ(nearest(4), 3);
  EXPECT_EQ(nearest(6), 8);
  EXPECT_EQ(nearest(1000), 8);
  EXPECT_EQ(nearest(8), 0) << "it has a part of its own";
  const RankPlan other = decodeRankPlan(bytes.data(), bytes.size(), "f", 64, 63);
  EXPECT_FALSE(other.found);
  EXPECT_TRUE(other.own.sites.empty());
  ASSERT_EQ(other.other.sites.size(), 2u);
  EXPECT_EQ(other.other.sites[0].decision, Decision::Rewrite);
  EXPECT_TRUE(other.other.sites[0].site.sameAs(plan.rankCounts.at(8).sites[0].site));
  EXPECT_TRUE(hasRankCount(bytes.data(), bytes.size(), 8));
  EXPECT_FALSE(hasRankCount(bytes.data(), bytes.size(), 64));
  std::filesystem::remove(file);
}

TEST(PlanFile, SaysWhomItSynchronizesWhateverIsDamaged) {
  std::string bytes = bytesOf(samplePlan());
  const auto synchronizes = [&](int ranks) {
    return synchronizesRun(bytes.data(), bytes.size(), ranks);
  };
  EXPECT_TRUE(synchronizes(3));
  EXPECT_FALSE(synchronizes(1));
  EXPECT_FALSE(synchronizes(4));
  const std::size_t sections = 56; // the header comes before them
  bytes[sections] = static_cast<char>(bytes[sections] ^ 1);
  EXPECT_TRUE(synchronizes(3));
  std::mt19937 random(53);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string damaged = bytes.substr(0, random() % (bytes.size() + 1));
    for (int changes = 0; !damaged.empty() && changes < 4; ++changes)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    synchronizesRun(damaged.data(), damaged.size(), 3); // must read nothing outside
  }
  std::filesystem::remove(file);
}

TEST(PlanFile, DigestTellsFilesApart) {
  EXPECT_EQ(planDigest("a", 1).size(), 16u);
  EXPECT_EQ(planDigest("a", 1), planDigest("a", 1));
  EXPECT_NE(planDigest("a", 1), planDigest("b", 1));
}
