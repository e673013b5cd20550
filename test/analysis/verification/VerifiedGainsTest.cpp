// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/verification/VerifiedGains.h"

#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

using namespace sendwright;

namespace {

VerifiedGains example() {
  VerifiedGains gains;
  gains.ranks = 8;
  SiteIdentity site;
  site.file = "app.c";
  site.function = "exchange";
  site.line = 42;
  site.hash = 0xfedcba9876543210;
  gains.sites.push_back(
      {site, "message-ordering", 1000, MeasuredGain{120, 2e-3, 1e-3, 50, 48, 51}, ""});
  site.line = 50;
  site.instantiation = "Value = double";
  gains.sites.push_back({site, "collectives", 12, std::nullopt, "too few executions"});
  gains.sites.push_back({{},
                         "irregular-collectives",
                         500,
                         MeasuredGain{60, 1e-3, 2e-3, -100, -101, -99},
                         "",
                         "MPI_Alltoallv",
                         64,
                         0x0123456789abcdef});
  return gains;
}

std::string problemOf(std::string text) {
  try {
    parseVerifiedGains(text, "v.json");
  } catch (const FormatError &error) {
    return error.what();
  }
  return "";
}

std::string changed(const std::string &from, const std::string &to) {
  std::string text = encodeVerifiedGains(example());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(VerifiedGains, AreReadAsWritten) {
  const VerifiedGains read = parseVerifiedGains(encodeVerifiedGains(example()), "v.json");
  EXPECT_EQ(encodeVerifiedGains(read), encodeVerifiedGains(example()));
  EXPECT_EQ(read.ranks, 8);
  ASSERT_EQ(read.sites.size(), 3u);
  EXPECT_EQ(read.sites[2].function, "MPI_Alltoallv");
  EXPECT_EQ(read.sites[2].callers, 64);
  EXPECT_EQ(read.sites[2].digest, 0x0123456789abcdefu);
  EXPECT_TRUE(read.sites[1].site.sameAs(example().sites[1].site));
  EXPECT_EQ(read.find(example().sites[0].site, "message-ordering"), &read.sites[0]);
  EXPECT_EQ(read.find(example().sites[0].site, "collectives"), nullptr);
}

TEST(VerifiedGains, MakeATable) {
  EXPECT_EQ(tableOf(example()), "site                                               executions  "
                                "as written  as planned  gain (95 % confidence)\n"
                                "app.c:42 (message-ordering)                              1000  "
                                "      2 ms        1 ms  50.0 % (48.0 to 51.0)\n"
                                "app.c:50 [Value = double] (collectives)                    12  "
                                "         -           -  too few executions\n"
                                "MPI_Alltoallv on 64 ranks (irregular-collectives)         500  "
                                "      1 ms        2 ms  "
                                "-100.0 % (-101.0 to -99.0)\n");
}

TEST(VerifiedGains, WithAWrongValueNameItsLine) {
  EXPECT_EQ(problemOf("[1"), "v.json:1: not JSON, expected a file that a run with "
                             "SENDWRIGHT_VERIFY wrote");
  EXPECT_EQ(problemOf("{}"), "v.json:1: no \"verified_gains\": 1, expected a file that a run with "
                             "SENDWRIGHT_VERIFY wrote");
  EXPECT_EQ(problemOf("{\"verified_gains\": 1, \"ranks\": 8}"),
            "v.json:1: no \"sites\", expected a list of sites");
  EXPECT_EQ(
      problemOf("{\"verified_gains\": 1, \"ranks\": 8,\n\"sites\": [3]}"),
      "v.json:2: a site that is not an object, expected an object with file, line, function, ...");
  EXPECT_EQ(problemOf(changed("\"ranks\": 8", "\"ranks\": 0")),
            "v.json:1: \"ranks\" is 0, expected a number from 1.0 to 4194304.0");
  EXPECT_EQ(problemOf(changed("\"line\":50", "\"line\":-1")),
            "v.json:4: \"line\" is -1, expected a number from 0.0 to 4294967295.0");
  EXPECT_EQ(problemOf(changed("fedcba9876543210", "FEDCBA9876543210")),
            "v.json:3: \"hash\" is \"FEDCBA9876543210\", expected 16 hexadecimal digits");
  EXPECT_EQ(problemOf(changed("0123456789abcdef", "0")),
            "v.json:5: \"digest\" is \"0\", expected 16 hexadecimal digits");
  EXPECT_EQ(problemOf(changed("\"MPI_Alltoallv\"", "\"\"")),
            "v.json:5: \"calls\" is \"\", expected the name of a function");
  EXPECT_EQ(problemOf(changed("\"callers\":64", "\"callers\":0")),
            "v.json:5: \"callers\" is 0, expected a number from 1.0 to 4194304.0");
  EXPECT_EQ(problemOf(changed("\"lowest_percent\":48.0", "\"lowest_percent\":50.5")),
            "v.json:3: \"gain_percent\" is 50.0, expected a number from lowest_percent to "
            "highest_percent");
  EXPECT_EQ(problemOf(changed("\"pairs\":120", "\"pairs\":1e999")),
            "v.json:1: a number that is too large, expected finite numbers");
  EXPECT_NE(problemOf(std::string(100000, '[')), "");
}

/// Whatever one byte becomes, the file is read or refused.
TEST(VerifiedGains, WithAnyChangedByteAreReadOrRefused) {
  const std::string text = encodeVerifiedGains(example());
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char byte : {'\0', '"', '{', ']', '9', '-', '\xff'}) {
      std::string other = text;
      other[at] = byte;
      problemOf(other);
    }
}

} // namespace
