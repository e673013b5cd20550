// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All lists of up to four receives of two tags or any, and all lists of up to five messages, of
// which some may have been received before: a message that is said to be sure to be received gets a
// receive, and the next message always hears of it.

#include "analysis/sharing/PostedReceives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace sendwright;

namespace {

constexpr char any = '*';

/// A list of tags as digits, and '*' for any; all lists of up to `length`.
std::vector<std::string> lists(const std::string &letters, std::size_t length) {
  std::vector<std::string> all{""};
  for (std::size_t index = 0; index < all.size(); ++index)
    if (all[index].size() < length)
      for (const char letter : letters)
        all.push_back(all[index] + letter);
  return all;
}

std::uint32_t countOf(const std::string &list, char tag) {
  return static_cast<std::uint32_t>(std::ranges::count(list, tag));
}

/// `received`: messages that were received before.
PostedReceives describe(const std::string &receives, const std::string &received) {
  PostedReceives posted;
  posted.first = static_cast<std::uint32_t>(received.size());
  posted.ofAnyTag = countOf(receives, any);
  for (const char tag : {'1', '2'})
    if (countOf(receives, tag) != 0)
      posted.ofTags.push_back({tag, countOf(received, tag), countOf(receives, tag)});
  return posted;
}

/// Whether each message is received, in MPI's order.
std::vector<bool> match(std::string receives, const std::string &messages) {
  std::vector<bool> matched;
  for (const char message : messages) {
    const std::size_t which = receives.find_first_of({message, any});
    matched.push_back(which != std::string::npos);
    if (matched.back())
      receives.erase(which, 1);
  }
  return matched;
}

/// How the test breaks the rules.
enum class Mistake { Nothing, CountsAnyTagForEachTag, ForgetsEarlierMessages };

bool isSure(PostedReceives posted, char tag, std::uint32_t number, std::uint32_t tagNumber,
            Mistake mistake) {
  if (mistake == Mistake::CountsAnyTagForEachTag)
    for (PostedReceives::OfTag &one : posted.ofTags)
      one.count += posted.ofAnyTag;
  if (mistake == Mistake::ForgetsEarlierMessages)
    number = posted.first;
  return posted.areSureToReceive(tag, number, tagNumber);
}

/// How many messages are said to be sure to be received, and are not.
int countWrong(Mistake mistake) {
  int wrong = 0;
  for (const std::string &received : lists("12", 2))
    for (const std::string &receives : lists("12*", 4))
      for (const std::string &messages : lists("12", 5)) {
        const PostedReceives posted = describe(receives, received);
        const std::vector<bool> matched = match(receives, messages);
        std::string before = received;
        for (std::size_t index = 0; index < messages.size(); ++index) {
          const char tag = messages[index];
          wrong += !matched[index] && isSure(posted, tag, static_cast<std::uint32_t>(before.size()),
                                             countOf(before, tag), mistake);
          before += tag;
        }
      }
  return wrong;
}

TEST(PostedReceives, AMessageThatIsSureIsReceived) { EXPECT_EQ(countWrong(Mistake::Nothing), 0); }

TEST(PostedReceives, AMistakeIsFound) {
  EXPECT_NE(countWrong(Mistake::CountsAnyTagForEachTag), 0);
  EXPECT_NE(countWrong(Mistake::ForgetsEarlierMessages), 0);
}

TEST(PostedReceives, TheNextMessageHearsOfItsReceive) {
  for (const std::string &receives : lists("12*", 4))
    for (const char tag : {'1', '2'})
      EXPECT_EQ(describe(receives, "121").areSureToReceive(tag, 3, tag == '1' ? 2 : 1),
                receives.find_first_of({tag, any}) != std::string::npos);
}

TEST(PostedReceives, MessagesOfOneTagHearOfEachOfItsReceives) {
  const PostedReceives posted = describe("1*1", "2");
  EXPECT_TRUE(posted.areSureToReceive('1', 1, 0));
  EXPECT_TRUE(posted.areSureToReceive('1', 3, 2));
  EXPECT_FALSE(posted.areSureToReceive('1', 4, 3));
  EXPECT_TRUE(posted.areSureToReceive('1', 9, 1)) << "whatever other messages precede it";
}

TEST(PostedReceives, NumbersMayWrap) {
  PostedReceives posted;
  posted.first = UINT32_MAX;
  posted.ofAnyTag = 2;
  EXPECT_TRUE(posted.areSureToReceive(7, UINT32_MAX, 5));
  EXPECT_TRUE(posted.areSureToReceive(7, 0, 6));
  EXPECT_FALSE(posted.areSureToReceive(7, 1, 7));
}

} // namespace
