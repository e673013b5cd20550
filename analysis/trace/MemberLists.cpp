// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/MemberLists.h"

#include "analysis/file/Hashing.h"
#include "analysis/file/Limits.h"

#include <climits>

namespace sendwright {

namespace {

/// Ranks with equal distances.
struct RankRun {
  std::int64_t first = 0, distance = 1;
  std::uint64_t length = 1;

  std::int64_t end() const { return first + distance * static_cast<std::int64_t>(length); }
};

/// Each run takes as many ranks as it can; two ranks that are no neighbours make no run, unless the
/// third follows them.
std::vector<RankRun> runsOf(const std::vector<int> &members) {
  std::vector<RankRun> runs;
  for (std::size_t next = 0; next < members.size();) {
    RankRun run{members[next++]};
    if (next < members.size()) {
      const std::int64_t distance = std::int64_t{members[next]} - run.first;
      std::uint64_t length = 1;
      for (std::int64_t expected = run.first + distance;
           next + length - 1 < members.size() && members[next + length - 1] == expected;
           expected += distance)
        ++length;
      if (distance == 1 || length > 2) {
        run.distance = distance;
        run.length = length;
        next += length - 1;
      }
    }
    runs.push_back(run);
  }
  return runs;
}

/// Each run: where it begins, relative to the end of the run before; its length; of two ranks or
/// more, their distance.
std::string encodeRuns(const std::vector<RankRun> &runs) {
  ByteWriter out;
  out.number(runs.size());
  std::int64_t expected = 0;
  for (const RankRun &run : runs) {
    out.signedNumber(run.first - expected);
    out.number(run.length);
    if (run.length > 1)
      out.signedNumber(run.distance);
    expected = run.end();
  }
  return out.take();
}

RankRun decodeRun(ByteReader &in, std::int64_t expected, std::int64_t ranks) {
  RankRun run;
  run.first = expected + in.signedNumber(-expected, ranks - 1 - expected,
                                         "member of a communicator, relative,");
  run.length = in.number(static_cast<std::uint64_t>(ranks), "number of members");
  if (run.length == 0)
    in.fail("a run of no members, expected at least one");
  if (run.length > 1) {
    const auto steps = static_cast<std::int64_t>(run.length - 1);
    run.distance = in.signedNumber(-(run.first / steps), (ranks - 1 - run.first) / steps,
                                   "distance of members");
  }
  return run;
}

MembersDigest digestOf(std::string_view content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return {hash.low64, hash.high64};
}

} // namespace

std::string encodeMembers(const std::vector<int> &members) { return encodeRuns(runsOf(members)); }

const MemberWriter::Known &MemberWriter::contentOf(const RankList &members) {
  constexpr std::size_t worthKeeping = 64;
  const auto fill = [&](Known &list) {
    list.content = encodeMembers(members);
    if (list.content.size() > mostOwnBytes)
      list.digest = digestOf(list.content);
  };
  if (members.size() < worthKeeping) {
    fill(small);
    return small;
  }
  const auto [place, isNew] = known.try_emplace(&members.vector());
  if (isNew) {
    place->second.members = members;
    fill(place->second);
  }
  return place->second;
}

void MemberWriter::write(ByteWriter &out, const RankList &members) {
  const Known &list = contentOf(members);
  const bool isShared = list.content.size() > mostOwnBytes;
  out.number(isShared);
  if (!isShared) {
    for (const char byte : list.content)
      out.byte(static_cast<std::uint8_t>(byte));
    return;
  }
  out.fixed64(list.digest.low);
  out.fixed64(list.digest.high);
  if (given.insert(list.digest).second)
    shared.push_back({list.digest, list.content});
}

void MemberLists::count(std::uint64_t more, const ByteReader &in) {
  members += more;
  if (members > limits::members)
    in.fail("more than " + std::to_string(limits::members) +
            " members of communicators that differ, expected fewer");
}

RankList MemberLists::decode(ByteReader &in, std::size_t rankCount) {
  std::vector<RankRun> runs(in.countOf<RankRun>(2));
  std::int64_t expected = 0;
  std::uint64_t length = 0;
  for (RankRun &run : runs) {
    run = decodeRun(in, expected, static_cast<std::int64_t>(rankCount));
    expected = run.end();
    length += run.length;
  }
  const auto [place, isNew] = lists.try_emplace(encodeRuns(runs));
  if (!isNew)
    return place->second;
  count(length, in);
  std::vector<int> members;
  members.reserve(length);
  for (const RankRun &run : runs)
    for (std::uint64_t index = 0; index < run.length; ++index)
      members.push_back(
          static_cast<int>(run.first + run.distance * static_cast<std::int64_t>(index)));
  return place->second = std::move(members);
}

RankList MemberLists::read(ByteReader &in, std::size_t rankCount) {
  if (!in.flag())
    return decode(in, rankCount);
  MembersDigest digest;
  digest.low = in.fixed64();
  digest.high = in.fixed64();
  const auto found = shared.find(digest);
  if (found == shared.end())
    in.fail("a list of members that is not in the file, expected it before the first rank that "
            "names it");
  return found->second;
}

void MemberLists::add(ByteReader in, std::string_view content, std::size_t rankCount) {
  RankList list = decode(in, rankCount);
  in.expectEnd();
  shared.insert_or_assign(digestOf(content), std::move(list));
}

} // namespace sendwright
