// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/machine/MachineCodec.h"

#include "analysis/file/Fields.h"
#include "analysis/file/Limits.h"
#include "analysis/machine/MachineRanges.h"

#include <initializer_list>
#include <string>

namespace sendwright {

namespace {

template <typename Fields>
void describeTimes(Fields fields, std::initializer_list<Described<Fields, double> *> times) {
  for (auto *seconds : times) {
    fields.finite(*seconds, "a machine's parameter");
    fields.expect(isMachineTime(*seconds), [&] {
      return "a machine's parameter of " + std::to_string(*seconds) +
             " s, expected 0, or 1e-18 to 1e6";
    });
  }
}

template <typename Fields>
void describeUpTo(Fields fields, Described<Fields, double> &value, double most, const char *what) {
  fields.finite(value, what);
  fields.expect(value >= 0 && value <= most, [&] {
    return std::string(what) + " of " + std::to_string(value) + ", expected 0 to " +
           std::to_string(most);
  });
}

template <typename Fields>
void describeLink(Fields fields, Described<Fields, LinkParameters> &link) {
  describeTimes(fields,
                {&link.L, &link.o_send, &link.o_recv, &link.g, &link.G, &link.O, &link.O_recv});
  describeUpTo(fields, link.eager_limit, mostMachineBytes, "an eager limit");
  fields.optional(link.large, [&](auto &large) {
    describeUpTo(fields, large.from, mostMachineBytes, "a size of messages");
    describeTimes(fields, {&large.o_send, &large.o_recv, &large.O, &large.O_recv});
  });
}

template <typename Fields>
void describeMachine(Fields fields, Described<Fields, Machine> &machine) {
  fields.text(machine.name);
  describeLink(fields, machine.between);
  fields.optional(machine.within, [&](auto &within) { describeLink(fields, within); });
  fields.signedNumber(machine.ranks_per_node, 1, mostPlannedRanks, "ranks per node");
  fields.length(machine.incast, 17);
  for (auto &row : machine.incast) {
    fields.signedNumber(row.senders, 0, mostPlannedRanks, "senders");
    describeUpTo(fields, row.bytes, mostMachineBytes, "a size of messages");
    describeUpTo(fields, row.factor, mostIncastFactor, "a factor");
  }
  fields.optional(machine.duplication, [&](auto &duplication) {
    fields.signedNumber(duplication.ranks, 1, mostPlannedRanks, "ranks");
    describeTimes(fields, {&duplication.seconds});
  });
}

} // namespace

void encodeMachine(ByteWriter &out, const Machine &machine) {
  describeMachine(FieldWriter(out), machine);
}

Machine decodeMachine(ByteReader &in) {
  Machine machine;
  describeMachine(FieldReader(in), machine);
  return machine;
}

} // namespace sendwright
