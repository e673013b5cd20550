// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/steps/SynchronizationPlan.h"

#include "analysis/trace/ProfileFields.h"

namespace sendwright {

namespace {

template <typename Fields>
void describeSynchronization(Fields fields, Described<Fields, SynchronizationPlan> &plan,
                             std::size_t rankCount) {
  fields.number(plan.kind, 3, "kind of synchronisation");
  fields.length(plan.buffers);
  fields.expect(plan.buffers.empty() || plan.buffers.size() == rankCount, [&] {
    return std::to_string(plan.buffers.size()) + " numbers of buffers, expected one for each of " +
           std::to_string(rankCount) + " ranks";
  });
  for (auto &buffers : plan.buffers)
    fields.number(buffers, UINT32_MAX, "number of buffers");
  fields.number(plan.superEpochs);
  fields.number(plan.synchronizations);
  fields.number(plan.wildcardReceives);
  fields.length(plan.calls, leastSiteBytes + 2);
  for (auto &call : plan.calls) {
    describeSite(fields, call.site);
    fields.number(call.actions.acts);
    fields.number(call.actions.ranks, rankCount, "number of ranks that make a call");
  }
  fields.number(plan.actsUnmarked);
  fields.number(plan.actsAtEnd, rankCount, "number of ranks");
}

} // namespace

std::string encodeSynchronization(const SynchronizationPlan &plan) {
  ByteWriter out;
  describeSynchronization(FieldWriter(out), plan, 0);
  return out.take();
}

SynchronizationPlan decodeSynchronization(ByteReader &in, int rankCount) {
  SynchronizationPlan plan;
  describeSynchronization(FieldReader(in), plan, static_cast<std::size_t>(rankCount));
  in.expectEnd();
  return plan;
}

} // namespace sendwright
