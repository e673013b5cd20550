// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/OwnPatterns.h"

#include "analysis/file/Hashing.h"
#include "runtime/sharing/learned/LearnedExchange.h"

#include <algorithm>

namespace sendwright::adaptation {

namespace {

constexpr unsigned mostSamples = 8; ///< executions whose sizes enter the mean

std::uint64_t digestOf(const Execution &execution) {
  if (execution.count == 0 && !execution.irregular)
    return 0;
  const std::uint64_t all[] = {execution.sum, execution.count, execution.irregular};
  return XXH64(all, sizeof all, 0) | 1;
}

} // namespace

void OwnPatterns::note(const Execution &execution, std::uint64_t calls) {
  lastButOne = lastNumber;
  lastNumber = past.note(digestOf(execution), calls);
  if (forgotten != past.forgotten()) {
    forgotten = past.forgotten();
    lastButOne = 0;
    known.clear();
  }
  if (lastNumber == 0)
    return;
  Known &pattern = known[lastNumber];
  pattern.irregular = execution.irregular;
  if (execution.irregular || pattern.samples == mostSamples ||
      execution.sent.size() != execution.count)
    return;
  ++pattern.samples;
  for (const SentMessage &message : execution.sent)
    pattern.bytes[message.destination] += static_cast<double>(message.bytes);
}

void OwnPatterns::noteSeconds(double seconds, bool disturbed) {
  if (const auto found = known.find(lastButOne); found != known.end())
    found->second.times.add(seconds, disturbed);
}

std::uint32_t OwnPatterns::numberOf(const Execution &execution) const {
  return past.numberOf(digestOf(execution));
}

const ExecutionTimes &OwnPatterns::times(std::uint32_t number) const {
  static const ExecutionTimes nothing;
  const auto found = known.find(number);
  return found == known.end() ? nothing : found->second.times;
}

void OwnPatterns::forgetTimes() {
  for (auto &[number, pattern] : known)
    pattern.times.clear();
}

PatternProposal OwnPatterns::proposal(std::uint64_t calls) const {
  PatternProposal made;
  made.history = past.history(calls);
  made.patterns.resize(past.patterns());
  for (const auto &[number, pattern] : known)
    if (!pattern.irregular)
      for (const auto &[destination, bytes] : pattern.bytes)
        made.patterns[number - 1].push_back({destination, bytes / pattern.samples});
  return made;
}

bool OwnPatterns::haveMoreThan(std::size_t messages) const {
  return std::ranges::any_of(known, [messages](const auto &entry) {
    return !entry.second.irregular && entry.second.bytes.size() > messages;
  });
}

} // namespace sendwright::adaptation
