// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/irregular/IrregularCollectives.h"

#include "analysis/file/Hashing.h"
#include "analysis/trace/ProfileFields.h"

#include <algorithm>
#include <set>

namespace sendwright {

namespace {

using IsExpected = bool (*)(MpiFunctionId function);

template <typename Fields>
void describeCalls(Fields fields, Described<Fields, IrregularCollective> &calls,
                   std::size_t rankCount, IsExpected isExpected) {
  fields.number(calls.function, mpiFunctionCount() - 1, "function");
  fields.expect(isExpected(calls.function), [&] {
    return std::string(mpiFunction(calls.function).name) + ", expected an irregular collective";
  });
  describeGroup(fields, calls.communicator, rankCount, 2,
                "an irregular collective's communicator, expected a group of two ranks or more");
}

template <typename Fields>
void describeReplaced(Fields fields, Described<Fields, std::vector<ReplacedIrregular>> &list,
                      std::size_t rankCount) {
  fields.length(list, 7);
  for (auto &one : list) {
    describeCalls(fields, one.calls, rankCount, canReplace);
    fields.number(one.stages, 1 << 20, "number of stages");
    fields.number(one.largest, largestRouted, "size of a block");
  }
}

template <typename Fields>
void describeDecisions(Fields fields, Described<Fields, std::vector<IrregularDecision>> &list,
                       std::size_t rankCount) {
  fields.length(list, 25);
  for (auto &decision : list) {
    describeCalls(fields, decision.calls, rankCount, isIrregular);
    fields.flag(decision.replaced);
    fields.text(decision.reason);
    fields.number(decision.count);
    fields.finite(decision.written, "a time");
    fields.finite(decision.planned, "a time");
    fields.length(decision.sites, leastSiteBytes);
    for (auto &site : decision.sites)
      describeSite(fields, site);
  }
}

} // namespace

bool isIrregular(MpiFunctionId id) {
  const MpiFunction &function = mpiFunction(id);
  const bool isOfNeighbors = isCollective(function.role) && !function.operation;
  return isOfNeighbors || isRooted(id) || gathersToAll(id) ||
         (function.operation == Collective::AllToAll &&
          function.amount == CollectiveAmount::CountForEach);
}

bool gathersToAll(MpiFunctionId id) {
  const MpiFunction &function = mpiFunction(id);
  return function.operation == Collective::Allgather &&
         function.amount == CollectiveAmount::OwnBlock;
}

bool sendsOneBlock(MpiFunctionId id) {
  const MpiFunction &function = mpiFunction(id);
  const bool hasOne =
      function.amount == CollectiveAmount::Block || function.amount == CollectiveAmount::OwnBlock;
  return isIrregular(id) && hasOne && !isRooted(id);
}

bool isRooted(MpiFunctionId id) {
  const MpiFunction &function = mpiFunction(id);
  return function.amount == CollectiveAmount::OwnBlock &&
         (function.flow == CollectiveFlow::FromRoot || function.flow == CollectiveFlow::ToRoot);
}

std::uint64_t digestOf(const IrregularCollective &calls) {
  std::string text(mpiFunction(calls.function).name);
  for (const int member : calls.communicator.members)
    text += ' ' + std::to_string(member);
  text += '/' + std::to_string(calls.communicator.instance);
  return XXH64(text.data(), text.size(), 0);
}

bool canReplace(MpiFunctionId function) {
  return isIrregular(function) && mpiFunction(function).role != MpiRole::NonblockingCollective;
}

void encodeIrregular(ByteWriter &out, const std::vector<ReplacedIrregular> &list) {
  describeReplaced(FieldWriter(out), list, 0);
}

std::vector<ReplacedIrregular> decodeIrregular(ByteReader &in, int rankCount) {
  std::vector<ReplacedIrregular> list;
  describeReplaced(FieldReader(in), list, static_cast<std::size_t>(rankCount));
  in.expectEnd();
  return list;
}

std::vector<std::uint32_t> blocksIn(const RankExchange &part, const Transfer &transfer,
                                    MpiFunctionId function) {
  std::vector<std::uint32_t> all(transfer.messages.begin(), transfer.messages.end());
  if (!sendsOneBlock(function))
    return all;
  std::set<std::int32_t> sources;
  std::vector<std::uint32_t> first;
  for (const std::uint32_t message : all)
    if (sources.insert(part.messages[message].source).second)
      first.push_back(message);
  return first;
}

bool hasRoom(const RankExchange &part, const ReplacedIrregular &replaced) {
  return std::ranges::all_of(part.stages, [&](const RankStage &stage) {
    return std::ranges::all_of(stage.sends, [&](const Transfer &transfer) {
      return blocksIn(part, transfer, replaced.calls.function).size() *
                 (blockHeader + replaced.largest) <=
             largestCombined;
    });
  });
}

std::vector<RankExchange> decodeIrregularRoutes(ByteReader &in, int rankCount, int rank,
                                                const std::vector<ReplacedIrregular> &replaced) {
  std::vector<SharedExchange> exchanges(replaced.size());
  for (std::size_t index = 0; index < replaced.size(); ++index)
    exchanges[index].stages = replaced[index].stages;
  return decodeParts(in, rankCount, rank, exchanges);
}

void encodeIrregularDecisions(ByteWriter &out, const std::vector<IrregularDecision> &list) {
  describeDecisions(FieldWriter(out), list, 0);
}

std::vector<IrregularDecision> decodeIrregularDecisions(ByteReader &in, int rankCount) {
  std::vector<IrregularDecision> list;
  describeDecisions(FieldReader(in), list, static_cast<std::size_t>(rankCount));
  in.expectEnd();
  return list;
}

} // namespace sendwright
