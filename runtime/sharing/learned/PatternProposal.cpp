// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/sharing/learned/PatternProposal.h"

#include "analysis/file/Bytes.h"

namespace sendwright::adaptation {

namespace {

void encodeNumbers(ByteWriter &out, const std::vector<std::uint32_t> &numbers) {
  out.number(numbers.size());
  for (const std::uint32_t number : numbers)
    out.number(number);
}

void decodeNumbers(ByteReader &in, std::vector<std::uint32_t> &numbers) {
  in.resize(numbers);
  for (std::uint32_t &number : numbers)
    number = static_cast<std::uint32_t>(in.number(PatternRecord::mostPatterns, "pattern"));
}

} // namespace

std::string encodeProposal(const PatternProposal &proposal) {
  ByteWriter out;
  out.number(proposal.patterns.size());
  for (const std::vector<ProposedMessage> &pattern : proposal.patterns)
    encodeMessages(out, pattern);
  encodeHistory(out, proposal.history);
  return out.take();
}

PatternProposal decodeProposal(const std::string &bytes, int ranks) {
  ByteReader in(bytes, "a proposal of SENDWRIGHT_ADAPT");
  PatternProposal proposal;
  in.resize(proposal.patterns);
  for (std::vector<ProposedMessage> &pattern : proposal.patterns)
    decodeMessages(in, pattern, ranks);
  proposal.history = decodeHistory(in, proposal.patterns.size());
  in.expectEnd();
  return proposal;
}

std::string encodePart(const PlannedPart &part) {
  ByteWriter out;
  out.number(part.from.calls);
  out.number(part.from.place);
  encodeNumbers(out, part.own);
  for (const PatternContext &context : part.contexts) {
    encodeNumbers(out, context.after);
    encodeNumbers(out, context.notAfter);
  }
  for (const std::uint32_t stages : part.stages)
    out.number(stages);
  encodeParts(out, part.parts);
  return out.take();
}

PlannedPart decodePart(const std::string &bytes, int ranks, int rank) {
  ByteReader in(bytes, "a plan of SENDWRIGHT_ADAPT");
  PlannedPart part;
  part.from.calls = in.number();
  part.from.place = in.number();
  decodeNumbers(in, part.own);
  if (part.own.size() > mostCommonPatterns)
    in.fail(std::to_string(part.own.size()) + " patterns, expected at most " +
            std::to_string(mostCommonPatterns));
  part.contexts.resize(part.own.size());
  for (PatternContext &context : part.contexts) {
    decodeNumbers(in, context.after);
    decodeNumbers(in, context.notAfter);
  }
  part.stages.resize(part.own.empty() ? 1 : part.own.size());
  for (std::uint32_t &stages : part.stages)
    stages = static_cast<std::uint32_t>(in.number(UINT16_MAX, "number of stages"));
  std::vector<SharedExchange> known(part.stages.size());
  for (std::size_t index = 0; index < known.size(); ++index)
    known[index].stages = part.stages[index];
  part.parts = decodeParts(in, ranks, rank, known);
  return part;
}

} // namespace sendwright::adaptation
