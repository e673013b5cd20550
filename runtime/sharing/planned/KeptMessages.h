// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop with several exchanges at one rank: each execution is an instance of one of them, or of
// none. Which one is known when the execution is over, by what it has sent: until then its messages
// are kept here.

#ifndef SENDWRIGHT_RUNTIME_SHARING_PLANNED_KEPTMESSAGES_H
#define SENDWRIGHT_RUNTIME_SHARING_PLANNED_KEPTMESSAGES_H

#include "runtime/sharing/planned/Routes.h"
#include "runtime/sharing/planned/SharedCommunicator.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace sendwright::exchange {

class KeptMessages : public RouteTaker {
public:
  /// Gets messages that go directly: the record, and its bytes.
  using Straight = std::function<void(const SharedCommunicator &communicator, const Target &target,
                                      Record record, std::span<const std::byte> bytes)>;

  explicit KeptMessages(Straight straight) : straight(std::move(straight)) {}
  KeptMessages(const KeptMessages &) = delete;
  KeptMessages &operator=(const KeptMessages &) = delete;

  void open() override;
  void close() override;
  bool holdsAny() const override { return isOpen && !kept.empty(); }
  const FirstHop *hopOf(const Target &target, int tag) const override;
  std::byte *capture(const Target &target, const FirstHop &hop, const Record &record) override;
  /// The routes may no longer be used: everything that is kept goes directly.
  void giveUp();

protected:
  ~KeptMessages() = default;
  struct Kept {
    const SharedCommunicator *communicator = nullptr;
    const Target *target = nullptr;
    Record record;
    std::size_t at = 0; ///< of its bytes
  };
  /// The routes to which the execution belongs that sent this, or null.
  virtual Routes *choose(const std::vector<Kept> &sent) = 0;

  std::vector<Routes *> all; ///< of the exchanges

private:
  void pass(const Kept &message, Routes *routes);
  void passAll(Routes *routes);

  Straight straight;
  std::vector<Kept> kept;
  std::vector<std::byte> bytes; ///< of the kept messages
  bool isOpen = false;
};

} // namespace sendwright::exchange

#endif
