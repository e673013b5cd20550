// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/machine/MachineCodec.h"

#include "analysis/file/Limits.h"
#include "analysis/machine/MachineRanges.h"

#include <string>

namespace sendwright {

namespace {

double decodeMachineTime(ByteReader &in) {
  const double seconds = in.finite("a machine's parameter");
  if (!isMachineTime(seconds))
    in.fail("a machine's parameter of " + std::to_string(seconds) +
            " s, expected 0, or 1e-18 to 1e6");
  return seconds;
}

double decodeUpTo(ByteReader &in, double most, const char *what) {
  const double value = in.finite(what);
  if (value < 0 || value > most)
    in.fail(std::string(what) + " of " + std::to_string(value) + ", expected 0 to " +
            std::to_string(most));
  return value;
}

void encode(ByteWriter &out, const LinkParameters &link) {
  for (double value :
       {link.L, link.o_send, link.o_recv, link.g, link.G, link.O, link.O_recv, link.eager_limit})
    out.real(value);
  out.number(link.large.has_value());
  if (const auto &large = link.large)
    for (double value : {large->from, large->o_send, large->o_recv, large->O, large->O_recv})
      out.real(value);
}

void decode(ByteReader &in, LinkParameters &link) {
  for (double *value :
       {&link.L, &link.o_send, &link.o_recv, &link.g, &link.G, &link.O, &link.O_recv})
    *value = decodeMachineTime(in);
  link.eager_limit = decodeUpTo(in, mostMachineBytes, "an eager limit");
  if (!in.flag())
    return;
  LargeMessages &large = link.large.emplace();
  large.from = decodeUpTo(in, mostMachineBytes, "a size of messages");
  for (double *value : {&large.o_send, &large.o_recv, &large.O, &large.O_recv})
    *value = decodeMachineTime(in);
}

} // namespace

void encodeMachine(ByteWriter &out, const Machine &machine) {
  out.text(machine.name);
  encode(out, machine.between);
  out.number(machine.within.has_value());
  if (machine.within)
    encode(out, *machine.within);
  out.signedNumber(machine.ranks_per_node);
  out.number(machine.incast.size());
  for (const IncastRow &row : machine.incast) {
    out.signedNumber(row.senders);
    out.real(row.bytes);
    out.real(row.factor);
  }
  out.number(machine.duplication.has_value());
  if (machine.duplication) {
    out.signedNumber(machine.duplication->ranks);
    out.real(machine.duplication->seconds);
  }
}

Machine decodeMachine(ByteReader &in) {
  Machine machine;
  machine.name = in.text();
  decode(in, machine.between);
  if (in.flag())
    decode(in, machine.within.emplace());
  machine.ranks_per_node = static_cast<int>(in.signedNumber(1, mostPlannedRanks, "ranks per node"));
  in.resize(machine.incast, 17);
  for (IncastRow &row : machine.incast) {
    row.senders = static_cast<int>(in.signedNumber(0, mostPlannedRanks, "senders"));
    row.bytes = decodeUpTo(in, mostMachineBytes, "a size of messages");
    row.factor = decodeUpTo(in, mostIncastFactor, "a factor");
  }
  if (in.flag()) {
    Duplication &duplication = machine.duplication.emplace();
    duplication.ranks = static_cast<int>(in.signedNumber(1, mostPlannedRanks, "ranks"));
    duplication.seconds = decodeMachineTime(in);
  }
  return machine;
}

} // namespace sendwright
