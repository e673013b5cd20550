// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/machine/SharedPorts.h"

#include <algorithm>
#include <functional>

namespace sendwright {

void SharedPorts::enter(double time, std::uint32_t message, std::span<const Passage> passages) {
  now = time;
  if (unused.empty()) {
    unused.push_back(static_cast<std::uint32_t>(flows.size()));
    flows.emplace_back();
  }
  const std::uint32_t number = unused.back();
  unused.pop_back();
  Flow &flow = flows[number];
  double alone = 0;
  for (const Passage &passage : passages)
    alone = std::max(alone, passage.seconds);
  flow = {message, {}, {}, passages.size(), alone, time, 0, flow.version + 1};
  for (std::size_t index = 0; index < passages.size(); ++index) {
    const auto [port, seconds] = passages[index];
    flow.ports[index] = port;
    flow.most[index] = seconds > 0 ? alone / seconds : never;
    atPort[port].push_back(number);
    change(port);
  }
  entered.push_back(number);
}

double SharedPorts::next() {
  for (const std::uint32_t port : changedPorts)
    counted[port] = atPort[port].size();
  for (const std::uint32_t port : changedPorts) {
    changed[port] = 0;
    for (const std::uint32_t flow : atPort[port])
      setSpeed(flow);
  }
  for (const std::uint32_t flow : entered)
    setSpeed(flow);
  changedPorts.clear();
  entered.clear();
  while (!ends.empty() && ends.front().version != flows[ends.front().flow].version) {
    std::pop_heap(ends.begin(), ends.end(), std::greater<>());
    ends.pop_back();
  }
  return ends.empty() ? never : ends.front().time;
}

std::uint32_t SharedPorts::takeNext() {
  const End end = ends.front();
  Flow &flow = flows[end.flow];
  now = std::max(now, end.time);
  ++flow.version;
  for (std::size_t index = 0; index < flow.count; ++index)
    removeFrom(flow.ports[index], end.flow);
  unused.push_back(end.flow);
  return flow.message;
}

void SharedPorts::change(std::uint32_t port) {
  const std::size_t there = atPort[port].size(), before = counted[port];
  const std::size_t difference = there > before ? there - before : before - there;
  if (changed[port] || 32 * difference < before)
    return;
  changed[port] = 1;
  changedPorts.push_back(port);
}

void SharedPorts::setSpeed(std::uint32_t number) {
  Flow &flow = flows[number];
  double speed = 1;
  for (std::size_t index = 0; index < flow.count; ++index)
    speed = std::min(speed, flow.most[index] / static_cast<double>(std::max<std::size_t>(
                                                   counted[flow.ports[index]], 1)));
  if (speed == flow.speed)
    return;
  flow.left = std::max(0.0, flow.left - (now - flow.since) * flow.speed);
  flow.since = now;
  flow.speed = speed;
  ends.push_back({now + flow.left / speed, number, ++flow.version});
  std::push_heap(ends.begin(), ends.end(), std::greater<>());
}

void SharedPorts::removeFrom(std::uint32_t port, std::uint32_t flow) {
  std::vector<std::uint32_t> &there = atPort[port];
  *std::find(there.begin(), there.end(), flow) = there.back();
  there.pop_back();
  change(port);
}

} // namespace sendwright
