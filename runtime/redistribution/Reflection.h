// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The halo cells around a rank's block, filled by the elements that their owners have. One message
// for each pair of ranks: its boxes (analysis/redistribution/HaloExchange.h), packed one after
// another, and a digest of what the sender reflects: the distribution, the widths, the periods.
// They are sent and received by MPI's wrappers, like messages of the program: a profile has them,
// and a plan may reorder or share what is sent in the scope that the plugin puts around the call.
//
// Ranks do not agree first: the digest tells a receiver that its sender reflects something else,
// and the receiver then leaves all its cells as they are and says so. Nothing is lost, since a cell
// is only a copy. What this does not find: a rank waits as long as a message does not come that its
// partner does not send, and of two ranks that exchange nothing neither knows of the other. If
// messages come as expected from every rank, each pair of ranks that exchanges cells has reflected
// the same.

#ifndef SENDWRIGHT_RUNTIME_REDISTRIBUTION_REFLECTION_H
#define SENDWRIGHT_RUNTIME_REDISTRIBUTION_REFLECTION_H

#include "runtime/redistribution/ArrayState.h"
#include "runtime/redistribution/PrivateGroups.h"
#include "runtime/redistribution/SpanCursor.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sendwright::redistribution {

class Reflection {
public:
  /// Packs and sends; all messages are under way afterwards. `periodic` has an entry for each
  /// dimension; missing ones are not periodic. `number` counts the reflections of the group.
  /// Throws std::bad_alloc before anything is sent. The array's block must stay where it is until
  /// finish().
  Reflection(const PrivateGroup &group, unsigned number, const sendwright_array &array,
             const ArrayState &state, bool corners, std::span<const long long> periodic);

  /// Waits for messages that are still under way.
  ~Reflection();
  Reflection(const Reflection &) = delete;
  Reflection &operator=(const Reflection &) = delete;

  /// Waits for the messages and fills the cells. Returns MPI's first error code.
  int finish(const sendwright_site *site);
  /// After finish(): a rank that reflects something else, so that no cell was filled.
  std::optional<int> otherRank() const { return other; }

private:
  void wait(const sendwright_site *site);
  void noteError(int result);
  void findOther();
  struct Peer {
    int rank = 0;
    std::vector<HaloBox> boxes;
    std::vector<char> bytes;
  };
  /// A rank's memory for the array.
  struct Memory {
    char *first = nullptr;
    std::vector<Room> shape;
    bool global = false;
  };

  std::vector<Peer> byPeer(std::vector<HaloBox> boxes, bool sending);
  void start(std::vector<Peer> &peers, bool sending);
  template <typename Copy> void forEachRow(const HaloBox &box, bool sending, Copy copy) const;
  void pack(const HaloBox &box, char *&at) const;
  void unpack(const HaloBox &box, const char *&at) const;

  const PrivateGroup &group;
  int tag;
  std::uint64_t elementSize;
  std::uint64_t digest;
  Memory memory;
  std::vector<Peer> sends, receives;
  std::vector<MPI_Request> requests;
  int error = MPI_SUCCESS;
  bool truncated = false; ///< a message was longer than expected
  std::optional<int> other;
};

} // namespace sendwright::redistribution

#endif
