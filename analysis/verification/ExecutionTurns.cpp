// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/verification/ExecutionTurns.h"

#include <algorithm>
#include <limits>

namespace sendwright {

namespace {

constexpr std::uint64_t unmeasuredTurns = 2;

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): every bit depends on all bits.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

bool isTurnAsPlanned(std::uint64_t site, std::uint64_t turn) {
  const std::uint64_t pair = turn / 2;
  return ((mixed(mixed(site) + pair) ^ turn) & 1) != 0;
}

} // namespace

bool ExecutionTurns::isMeasuredAsPlanned(std::uint64_t site, std::uint64_t turn) {
  return isTurnAsPlanned(site, turn + unmeasuredTurns);
}

bool ExecutionTurns::isAsPlanned() const {
  if (site == endedFromOutside)
    return ended == 0 || isTurnAsPlanned(site, ended - 1);
  return isTurnAsPlanned(site, begun / length);
}

/// A turn that is ended from outside takes any number of executions. The time of its last one
/// includes what happens between turns, and is never noted.
bool ExecutionTurns::begin(double now) {
  const bool result = isAsPlanned();
  const double since = now - last;
  last = now;
  if (site == endedFromOutside)
    sum += begunInTurn++ >= 2 ? since : 0;
  else if (begun > 0)
    note(begun - 1, since);
  ++begun;
  return result;
}

void ExecutionTurns::end() {
  if (ended == 0)
    ended = 1;
  else
    finishTurn(begunInTurn > 2 ? sum / double(begunInTurn - 2)
                               : std::numeric_limits<double>::quiet_NaN(),
               ended - 1);
  begunInTurn = 0;
  sum = 0;
}

bool ExecutionTurns::isNextAsPlanned() const { return isTurnAsPlanned(site, ended); }

void ExecutionTurns::finishTurn(double mean, std::uint64_t turn) {
  ++ended;
  if (turn >= unmeasuredTurns && measured.size() < mostTurns)
    measured.push_back(mean);
}

void ExecutionTurns::note(std::uint64_t execution, double seconds) {
  const std::uint64_t place = execution % length, counted = std::max<std::uint64_t>(length - 1, 1);
  sum = (place == 0 ? 0 : sum) + (place == 0 && length > 1 ? 0 : seconds);
  if (place == length - 1)
    finishTurn(sum / double(counted), ended);
}

} // namespace sendwright
