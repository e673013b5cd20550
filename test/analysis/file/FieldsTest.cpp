// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One description writes and reads a struct: the same bytes as by hand, and nothing out of bounds.

#include "analysis/file/Fields.h"

#include "analysis/file/FormatError.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {
namespace {

enum class SampleColour : std::uint8_t { Red, Green };

struct DescribedSample {
  SampleColour colour = SampleColour::Red;
  int offset = 0;
  unsigned ordinal = 0;
  bool marked = false;
  double seconds = 0;
  std::uint64_t hash = 0;
  std::string name;
  std::vector<int> members;
  std::optional<int> root;
  bool operator==(const DescribedSample &) const = default;
};

template <typename Fields>
void describeSample(Fields fields, Described<Fields, DescribedSample> &sample) {
  fields.number(sample.colour, 1, "colour");
  fields.signedNumber(sample.offset, -5, 5, "offset");
  fields.number(sample.ordinal);
  fields.flag(sample.marked);
  fields.finite(sample.seconds, "a time");
  fields.fixed64(sample.hash);
  fields.text(sample.name);
  fields.length(sample.members);
  for (auto &member : sample.members)
    fields.signedNumber(member, 0, 9, "member");
  fields.optional(sample.root, [&](auto &root) { fields.signedNumber(root, 0, 9, "root"); });
  fields.expect(sample.name != "nobody", [&] { return "named " + sample.name; });
}

DescribedSample plainSample() {
  return {SampleColour::Green, -3, 70000, true, 0.5, 1234567, "somebody", {1, 2, 9}, 4};
}

std::string writeSample(const DescribedSample &sample) {
  ByteWriter out;
  describeSample(FieldWriter(out), sample);
  return out.take();
}

DescribedSample readSample(const std::string &bytes) {
  ByteReader in(bytes, "sample");
  DescribedSample sample;
  describeSample(FieldReader(in), sample);
  in.expectEnd();
  return sample;
}

/// What the reader says of a sample that was changed before it was written.
std::string refusalOfSample(const std::function<void(DescribedSample &)> &change) {
  DescribedSample changed = plainSample();
  change(changed);
  try {
    readSample(writeSample(changed));
  } catch (const FormatError &error) {
    return error.what();
  }
  return "";
}

TEST(Fields, WhatIsWrittenIsRead) {
  EXPECT_EQ(readSample(writeSample(plainSample())), plainSample());
  EXPECT_EQ(readSample(writeSample({})), DescribedSample());
}

TEST(Fields, TheBytesAreThoseOfTheByteWriter) {
  ByteWriter out;
  out.number(1);
  out.signedNumber(-3);
  out.number(70000);
  out.number(1);
  out.real(0.5);
  out.fixed64(1234567);
  out.text("somebody");
  out.number(3);
  for (const int member : {1, 2, 9})
    out.signedNumber(member);
  out.number(1);
  out.signedNumber(4);
  EXPECT_EQ(writeSample(plainSample()), out.take());
}

TEST(Fields, WhatIsOutOfBoundsIsWrittenAndNotRead) {
  EXPECT_EQ(refusalOfSample([](DescribedSample &s) { s.colour = static_cast<SampleColour>(2); }),
            "sample: colour 2, expected at most 1");
  EXPECT_EQ(refusalOfSample([](DescribedSample &s) { s.offset = 6; }),
            "sample: offset 6, expected -5 to 5");
  EXPECT_EQ(refusalOfSample([](DescribedSample &s) { s.seconds = 1 / 0.0; }),
            "sample: a time is not finite, expected a number");
  EXPECT_EQ(refusalOfSample([](DescribedSample &s) { s.members[1] = 10; }),
            "sample: member 10, expected 0 to 9");
  EXPECT_EQ(refusalOfSample([](DescribedSample &s) { s.root = -1; }),
            "sample: root -1, expected 0 to 9");
}

TEST(Fields, WhatElseMustHoldIsAskedOfTheReaderOnly) {
  EXPECT_EQ(refusalOfSample([](DescribedSample &s) { s.name = "nobody"; }), "sample: named nobody");
}

TEST(Fields, ANumberNearAnotherIsItsDifference) {
  ByteWriter out;
  for (const int value : {7, 10})
    FieldWriter(out).relativeNumber(value, 5, 0, 9, "peer, relative,");
  ByteWriter byHand;
  byHand.signedNumber(2);
  byHand.signedNumber(5);
  const std::string bytes = out.take();
  EXPECT_EQ(bytes, byHand.take());
  ByteReader in(bytes, "list");
  int value = 0;
  FieldReader(in).relativeNumber(value, 5, 0, 9, "peer, relative,");
  EXPECT_EQ(value, 7);
  EXPECT_THROW(FieldReader(in).relativeNumber(value, 5, 0, 9, "peer, relative,"), FormatError);
}

TEST(Fields, AnIndexIsBelowTheCount) {
  const std::string bytes("\3\4");
  ByteReader in(bytes, "list");
  std::uint32_t site = 0;
  describeIndex(FieldReader(in), site, 4, "site");
  EXPECT_EQ(site, 3u);
  try {
    describeIndex(FieldReader(in), site, 4, "site");
    FAIL();
  } catch (const FormatError &error) {
    EXPECT_STREQ(error.what(), "list: site 4, expected one of 4");
  }
}

TEST(Fields, AListIsNoLongerThanItsBytes) {
  ByteWriter out;
  out.number(1000);
  const std::string bytes = out.take();
  ByteReader in(bytes, "list");
  std::vector<int> list;
  EXPECT_THROW(FieldReader(in).length(list), FormatError);
}

TEST(Fields, AListIsPaidFor) {
  const std::string bytes("\3abc");
  MemoryBudget budget("list", 2 * sizeof(double));
  ByteReader in(bytes, "list", &budget);
  std::vector<double> list;
  EXPECT_THROW(FieldReader(in).length(list), FormatError);
}

} // namespace
} // namespace sendwright
