// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/epochs/steps/SynchronizationPlan.h"

#include "analysis/trace/ProfileCodec.h"

namespace sendwright {

std::string encodeSynchronization(const SynchronizationPlan &plan) {
  ByteWriter out;
  out.byte(static_cast<std::uint8_t>(plan.kind));
  out.number(plan.buffers.size());
  for (const std::uint32_t buffers : plan.buffers)
    out.number(buffers);
  out.number(plan.superEpochs);
  out.number(plan.synchronizations);
  out.number(plan.wildcardReceives);
  out.number(plan.calls.size());
  for (const SynchronizedCall &call : plan.calls) {
    encodeSite(out, call.site);
    out.number(call.actions.acts);
    out.number(call.actions.ranks);
  }
  out.number(plan.actsUnmarked);
  out.number(plan.actsAtEnd);
  return out.take();
}

SynchronizationPlan decodeSynchronization(ByteReader &in, int rankCount) {
  SynchronizationPlan plan;
  plan.kind = static_cast<SynchronizationKind>(in.number(3, "kind of synchronisation"));
  in.resize(plan.buffers);
  if (!plan.buffers.empty() && plan.buffers.size() != static_cast<std::size_t>(rankCount))
    in.fail(std::to_string(plan.buffers.size()) + " numbers of buffers, expected one for each of " +
            std::to_string(rankCount) + " ranks");
  for (std::uint32_t &buffers : plan.buffers)
    buffers = static_cast<std::uint32_t>(in.number(UINT32_MAX, "number of buffers"));
  plan.superEpochs = in.number();
  plan.synchronizations = in.number();
  plan.wildcardReceives = in.number();
  in.resize(plan.calls, leastSiteBytes + 2);
  for (SynchronizedCall &call : plan.calls) {
    call.site = decodeSite(in);
    call.actions.acts = in.number();
    call.actions.ranks = static_cast<std::uint32_t>(
        in.number(static_cast<std::uint64_t>(rankCount), "number of ranks that make a call"));
  }
  plan.actsUnmarked = in.number();
  plan.actsAtEnd = in.number(static_cast<std::uint64_t>(rankCount), "number of ranks");
  in.expectEnd();
  return plan;
}

} // namespace sendwright
