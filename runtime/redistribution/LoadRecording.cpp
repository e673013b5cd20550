// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/LoadRecording.h"

#include "analysis/redistribution/LoadHistory.h"
#include "runtime/recording/Recorder.h"

#include <algorithm>
#include <optional>

namespace sendwright::redistribution {

namespace {

/// The only dimension that is divided.
std::optional<std::size_t> dimensionOfRows(const ArrayState &state) {
  std::optional<std::size_t> found;
  for (std::size_t at = 0; at < state.formats.size(); ++at)
    if (state.formats[at].kind != DimensionFormat::Kind::Collapsed) {
      if (found)
        return std::nullopt;
      found = at;
    }
  return found;
}

/// Bytes of the array and of all that moves with it.
double bytesOfAll(const sendwright_array &array) {
  const auto &state = *static_cast<const ArrayState *>(array.state);
  double bytes = static_cast<double>(array.element_size);
  for (const std::int64_t extent : state.extents)
    bytes *= static_cast<double>(extent);
  for (const sendwright_array *follower : state.links.aligned)
    bytes += bytesOfAll(*follower);
  return bytes;
}

} // namespace

void beginLoadRecording(ArrayState &state) {
  if (!recorder())
    return;
  measureCalls();
  state.recorded.setNow();
}

LoadRecording::LoadRecording(const sendwright_site *directive,
                             std::span<sendwright_array *const> named, int rank)
    : site(directive), arrays(named) {
  const auto *state = static_cast<const ArrayState *>(named.front()->state);
  if (!recorder() || !site || !state || !state->distribution || !state->recorded.hasBegun())
    return;
  const std::optional<std::size_t> at = dimensionOfRows(*state);
  const Distribution &now = *state->distribution;
  if (!at || !now.dimension(*at).contiguous() || now.dimension(*at).extent() < 1 ||
      now.dimension(*at).extent() > mostLoadRows)
    return;
  seconds = state->recorded.computed();
  double bytes = 0;
  for (const sendwright_array *each : named)
    bytes += each->state ? bytesOfAll(*each) : 0;
  array.name = named.front()->name ? named.front()->name : "?";
  array.rows = now.dimension(*at).extent();
  bytes = std::min(bytes / static_cast<double>(array.rows), static_cast<double>(mostRowBytes));
  array.rowBytes = static_cast<std::uint64_t>(bytes);
  array.processors = now.processors();
  if (now.placeOf(rank) >= 0)
    now.dimension(*at).forEachBlock(now.coordinate(rank, *at),
                                    [&](std::int64_t from, std::int64_t to) {
                                      begin = from;
                                      rows = to - from;
                                      return false;
                                    });
}

void LoadRecording::finish(std::span<const double> costs, std::uint64_t moved) const {
  if (!recorder())
    return;
  if (array.rows > 0)
    withRecorder([&](Recorder &current) {
      current.loads.add(*site, array, loadPeriod(begin, rows, seconds, costs, moved));
    });
  for (sendwright_array *each : arrays)
    if (auto *state = static_cast<ArrayState *>(each->state))
      state->recorded.setNow();
}

} // namespace sendwright::redistribution
