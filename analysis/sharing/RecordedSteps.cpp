// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/sharing/RecordedSteps.h"

#include "analysis/file/Fields.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace sendwright {

namespace {

template <typename Fields>
void describeSteps(Fields fields, Described<Fields, RecordedSteps> &steps, std::size_t exchanges) {
  fields.length(steps.kinds);
  for (auto &kind : steps.kinds) {
    fields.length(kind);
    fields.expect(kind.size() == exchanges, [&] {
      return "a step of " + std::to_string(kind.size()) + " exchanges, expected " +
             std::to_string(exchanges);
    });
    std::uint64_t left = RecordedSteps::mostInstances;
    for (auto &instances : kind) {
      fields.number(instances, left, "a number of instances");
      left -= instances;
    }
  }
  fields.length(steps.order);
  fields.expect(steps.order.size() <= RecordedSteps::mostSteps,
                [] { return "more steps than a plan holds"; });
  for (auto &kind : steps.order)
    describeIndex(fields, kind, steps.kinds.size(), "step");
}

} // namespace

bool RecordedSteps::add(const Counts &step) {
  if (order.size() == mostSteps ||
      std::accumulate(step.begin(), step.end(), std::uint64_t{0}) > mostInstances)
    return false;
  const auto known = std::ranges::find(kinds, step);
  order.push_back(static_cast<std::uint32_t>(known - kinds.begin()));
  if (known == kinds.end())
    kinds.push_back(step);
  return true;
}

void encodeSteps(ByteWriter &out, const RecordedSteps &steps) {
  describeSteps(FieldWriter(out), steps, steps.kinds.empty() ? 0 : steps.kinds.front().size());
}

RecordedSteps decodeSteps(ByteReader &in, std::size_t exchanges) {
  RecordedSteps steps;
  describeSteps(FieldReader(in), steps, exchanges);
  in.expectEnd();
  return steps;
}

} // namespace sendwright
