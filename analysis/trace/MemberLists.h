// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of communicators in profiles. Every rank lists the members of its communicators, so what
// a list takes must not grow with the number of ranks: it is runs of ranks with equal distances, of
// which MPI_COMM_WORLD and the rows and columns of a grid need one. A list that takes more than
// `mostOwnBytes` bytes is written once for all ranks, in a section of its own, and ranks name it by
// its digest.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_MEMBERLISTS_H
#define SENDWRIGHT_ANALYSIS_TRACE_MEMBERLISTS_H

#include "analysis/file/Bytes.h"
#include "analysis/trace/Profile.h"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sendwright {

inline constexpr std::size_t mostOwnBytes = 64;

/// The list as runs. Equal lists have equal bytes, different ones different bytes. Linear.
std::string encodeMembers(const std::vector<int> &members);

/// Writes the lists of ranks' sections. A process that writes several ranks uses one writer for all
/// of them, so that a list that they share is gone through once.
class MemberWriter {
public:
  /// Writes a list in place, or its digest if it is a long one. Linear in a list that is new, else
  /// in its bytes.
  void write(ByteWriter &out, const RankList &members);
  /// The long lists that were written for the first time since the last call, with their contents.
  std::vector<SharedMembers> takeShared() { return std::exchange(shared, {}); }

private:
  struct Known {
    RankList members; ///< keeps its address taken
    std::string content;
    MembersDigest digest; ///< of a long one
  };
  const Known &contentOf(const RankList &members);

  std::unordered_map<const std::vector<int> *, Known> known;
  Known small; // a list that is not kept
  std::vector<SharedMembers> shared;
  std::set<MembersDigest> given;
};

/// The lists that were read of one profile. Equal lists are one list in memory.
class MemberLists {
public:
  /// A list that MemberWriter::write() wrote, of ranks below `rankCount`. Throws FormatError, as
  /// `in` does: for ranks that do not exist, for a digest of no list that was added, and when all
  /// lists together exceed limits::members. Expected linear in the bytes and in the members of a
  /// list that is new.
  RankList read(ByteReader &in, std::size_t rankCount);
  /// The content of a section of its own, which ranks that are read later may name. Throws
  /// FormatError.
  void add(ByteReader in, std::string_view content, std::size_t rankCount);
  /// Counts members of lists that are kept elsewhere.
  void count(std::uint64_t members, const ByteReader &in);

private:
  RankList decode(ByteReader &in, std::size_t rankCount);

  std::unordered_map<std::string, RankList> lists; // by their bytes
  std::map<MembersDigest, RankList> shared;
  std::uint64_t members = 0;
};

} // namespace sendwright

#endif
