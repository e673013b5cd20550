// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/planned/KeptMessages.h"

#include <cstring>

namespace sendwright::exchange {

void KeptMessages::open() {
  close();
  isOpen = true;
}

const FirstHop *KeptMessages::hopOf(const Target &target, int tag) const {
  if (isOpen)
    for (const Routes *routes : all)
      if (const FirstHop *hop = target.hopInto(*routes, tag))
        return hop;
  return nullptr;
}

std::byte *KeptMessages::capture(const Target &target, const FirstHop &hop, const Record &record) {
  const std::size_t at = bytes.size();
  kept.reserve(kept.size() + 1);
  bytes.resize(at + padded(record.bytes));
  kept.push_back({hop.routes->communicator, &target, record, at});
  return bytes.data() + at;
}

void KeptMessages::pass(const Kept &message, Routes *routes) {
  const std::span<const std::byte> content(bytes.data() + message.at, message.record.bytes);
  const FirstHop *hop = routes ? routes->hopOf(*message.target, message.record.tag) : nullptr;
  if (!hop)
    return straight(*message.communicator, *message.target, message.record, content);
  std::byte *room = routes->capture(*message.target, *hop, message.record);
  if (!content.empty())
    std::memcpy(room, content.data(), content.size());
}

void KeptMessages::passAll(Routes *routes) {
  isOpen = false;
  if (routes)
    routes->open();
  for (const Kept &message : kept)
    pass(message, routes);
  kept.clear();
  bytes.clear();
  if (routes)
    routes->close();
}

void KeptMessages::close() {
  if (isOpen)
    passAll(choose(kept));
}

void KeptMessages::giveUp() {
  if (isOpen)
    passAll(nullptr);
}

} // namespace sendwright::exchange
