// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A piece in a stream is a header of four numbers and its bytes. A parent asks for at most so many
// bytes, 0 if it wants no more; the child answers with at most so many, 0 if its stream has ended.

#include "runtime/recording/SectionGathering.h"

#include "runtime/base/WorldRanks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <string>

namespace sendwright {

namespace {

constexpr int gatherAskTag = 1, gatherBlockTag = 2;
constexpr std::size_t gatherBlockBytes = std::size_t{1} << 18;
/// Lists that a rank drops if they come again; each takes 60 bytes.
constexpr std::size_t mostKnownLists = 4096;

using PieceHeader = std::array<std::uint64_t, 4>;
constexpr std::size_t headerBytes = sizeof(PieceHeader);

PieceHeader headerOf(const GatheredPiece &piece) {
  const bool isList = piece.kind == PieceKind::Members;
  return {static_cast<std::uint64_t>(piece.kind), piece.bytes.size(),
          isList ? piece.digest.low : piece.kinds, isList ? piece.digest.high : piece.truncated};
}

GatheredPiece pieceOf(const PieceHeader &header, std::string_view bytes) {
  GatheredPiece piece;
  piece.kind = static_cast<PieceKind>(header[0]);
  if (piece.kind == PieceKind::Members) {
    piece.digest = {header[2], header[3]};
  } else {
    piece.kinds = header[2];
    piece.truncated = header[3] != 0;
  }
  piece.bytes = bytes;
  return piece;
}

/// Takes out of a child's stream the lists of members that went up before.
class RepeatedLists {
public:
  /// Notes a piece; true if it is a list that went up before.
  bool isRepeated(const PieceHeader &header) {
    if (static_cast<PieceKind>(header[0]) != PieceKind::Members)
      return false;
    const MembersDigest digest{header[2], header[3]};
    try {
      return known.size() < mostKnownLists ? !known.insert(digest).second : known.contains(digest);
    } catch (const std::bad_alloc &) {
      return false; // rank 0 writes each list once in any case
    }
  }

private:
  std::set<MembersDigest> known;
};

/// A child's stream is cut anywhere, so a header may come in two blocks. It is held back until it
/// is complete.
class ChildFilter {
public:
  explicit ChildFilter(RepeatedLists &lists) : lists(lists) {}

  /// Moves what goes up from `from` to `to`, which lies at least headerBytes before it. Returns how
  /// many bytes.
  std::size_t filter(char *to, const char *from, std::size_t size) {
    char *const begin = to;
    while (size > 0) {
      const bool inHeader = left == 0;
      const std::size_t part = std::min<std::uint64_t>(size, inHeader ? headerBytes - held : left);
      if (inHeader) {
        std::memcpy(reinterpret_cast<char *>(header.data()) + held, from, part);
        held += part;
      } else {
        left -= part;
        if (goesUp) {
          std::memmove(to, from, part);
          to += part;
        }
      }
      from += part;
      size -= part;
      if (held == headerBytes)
        to = endHeader(to);
    }
    return static_cast<std::size_t>(to - begin);
  }

private:
  char *endHeader(char *to) {
    held = 0;
    left = header[1];
    goesUp = !lists.isRepeated(header);
    if (!goesUp)
      return to;
    std::memcpy(to, header.data(), headerBytes);
    return to + headerBytes;
  }

  RepeatedLists &lists;
  PieceHeader header{};
  std::size_t held = 0;   // bytes of the header
  std::uint64_t left = 0; // bytes of the piece after its header
  bool goesUp = true;
};

/// The pieces of this rank and of those below it in the tree.
class SubtreeStream {
public:
  SubtreeStream(MPI_Comm communicator, const PieceSource &source)
      : communicator(communicator), source(source), rank(rankIn(communicator)),
        ranks(ranksIn(communicator)), filter(lists),
        large(new(std::nothrow) char[gatherBlockBytes]), buffer(large ? large.get() : small.data()),
        room(large ? gatherBlockBytes : small.size()) {}
  ~SubtreeStream() {
    for (; hasChild(); distance *= 2)
      ask(0);
  }
  SubtreeStream(const SubtreeStream &) = delete;
  SubtreeStream &operator=(const SubtreeStream &) = delete;

  int parent() const { return rank & (rank - 1); }
  /// What is ready; nothing at the end of the stream.
  std::string_view fill() {
    while (used == 0 && !ended)
      advance();
    // More only if that does not make the parent wait long: from the own pieces, and from a child
    // that fills its block at the same time.
    while (!ended && room - used > room / 2)
      advance();
    return {buffer, used};
  }
  void drop(std::size_t size) {
    used -= size;
    std::memmove(buffer, buffer + size, used);
  }

private:
  bool hasChild() const {
    return (rank == 0 || distance < (rank & -rank)) && distance < ranks - rank;
  }

  void advance() {
    if (!ownEnded)
      addOwn();
    else if (hasChild())
      addFromChild();
    else
      ended = true;
  }

  void addOwn() {
    if (headerLeft == 0 && piece.bytes.empty()) {
      piece = {};
      ownEnded = !source(piece);
      if (ownEnded)
        return;
      header = headerOf(piece);
      headerLeft = headerBytes;
      lists.isRepeated(header);
    }
    const char *const bytes =
        reinterpret_cast<const char *>(header.data()) + headerBytes - headerLeft;
    headerLeft -= put({bytes, headerLeft});
    piece.bytes.remove_prefix(put(piece.bytes));
  }

  std::size_t put(std::string_view bytes) {
    const std::size_t part = std::min(bytes.size(), room - used);
    std::memcpy(buffer + used, bytes.data(), part);
    used += part;
    return part;
  }

  void addFromChild() {
    char *const begin = buffer + used + headerBytes;
    ask(static_cast<int>(room - used - headerBytes));
    MPI_Status status;
    int size = 0;
    if (PMPI_Recv(begin, static_cast<int>(room - used - headerBytes), MPI_BYTE, rank + distance,
                  gatherBlockTag, communicator, &status) == MPI_SUCCESS)
      PMPI_Get_count(&status, MPI_BYTE, &size);
    if (size > 0)
      used += filter.filter(buffer + used, begin, static_cast<std::size_t>(size));
    else
      distance *= 2;
  }

  void ask(int bytes) {
    PMPI_Send(&bytes, 1, MPI_INT, rank + distance, gatherAskTag, communicator);
  }

  MPI_Comm communicator;
  const PieceSource &source;
  const int rank, ranks;
  int distance = 1; // to the child whose turn it is
  RepeatedLists lists;
  ChildFilter filter;
  GatheredPiece piece;
  PieceHeader header{};
  std::size_t headerLeft = 0;
  bool ownEnded = false, ended = false;
  std::unique_ptr<char[]> large;
  std::array<char, 1024> small; // if there is no memory
  char *buffer;
  std::size_t room, used = 0;
};

void sendUpwards(SubtreeStream &stream, MPI_Comm communicator) {
  for (;;) {
    const std::string_view ready = stream.fill();
    int wanted = 0;
    if (PMPI_Recv(&wanted, 1, MPI_INT, stream.parent(), gatherAskTag, communicator,
                  MPI_STATUS_IGNORE) != MPI_SUCCESS ||
        wanted <= 0)
      return;
    const std::size_t size = std::min(ready.size(), static_cast<std::size_t>(wanted));
    PMPI_Send(ready.data(), static_cast<int>(size), MPI_BYTE, stream.parent(), gatherBlockTag,
              communicator);
    if (size == 0)
      return;
    stream.drop(size);
  }
}

/// Takes `size` bytes; false if the stream ends before.
bool takeBytes(SubtreeStream &stream, char *to, std::size_t size) {
  while (size > 0) {
    const std::string_view ready = stream.fill();
    const std::size_t part = std::min(ready.size(), size);
    if (part == 0)
      return false;
    std::memcpy(to, ready.data(), part);
    stream.drop(part);
    to += part;
    size -= part;
  }
  return true;
}

} // namespace

bool gatherPieces(MPI_Comm communicator, const PieceSource &source, const PieceSink &sink) {
  SubtreeStream stream(communicator, source);
  if (rankIn(communicator) != 0) {
    sendUpwards(stream, communicator);
    return true;
  }
  std::string bytes;
  for (PieceHeader header;
       takeBytes(stream, reinterpret_cast<char *>(header.data()), headerBytes);) {
    bytes.resize(header[1]);
    if (!takeBytes(stream, bytes.data(), bytes.size()) || !sink(pieceOf(header, bytes)))
      return false;
  }
  return true;
}

} // namespace sendwright
