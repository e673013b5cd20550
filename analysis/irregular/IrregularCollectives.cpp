// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/irregular/IrregularCollectives.h"

#include "analysis/trace/ProfileCodec.h"

namespace sendwright {

namespace {

void encodeOne(ByteWriter &out, const IrregularCollective &one) {
  out.number(static_cast<std::uint64_t>(one.function));
  encodeCommunicators(out, {one.communicator});
}

using IsExpected = bool (*)(MpiFunctionId function);

IrregularCollective decodeOne(ByteReader &in, int rankCount, IsExpected isExpected) {
  IrregularCollective one;
  one.function = static_cast<MpiFunctionId>(in.number(mpiFunctionCount() - 1, "function"));
  if (!isExpected(one.function))
    in.fail(std::string(mpiFunction(one.function).name) + ", expected an irregular collective");
  std::vector<Communicator> communicators;
  decodeCommunicators(in, communicators, static_cast<std::size_t>(rankCount));
  if (communicators.size() != 1 || communicators.front().intercommunicator ||
      communicators.front().members.size() < 2)
    in.fail("an irregular collective's communicator, expected a group of two ranks or more");
  one.communicator = std::move(communicators.front());
  return one;
}

} // namespace

bool isIrregular(MpiFunctionId id) {
  const MpiFunction &function = mpiFunction(id);
  const bool isOfNeighbors = isCollective(function.role) && !function.operation;
  return isOfNeighbors || isRooted(id) ||
         (function.operation == Collective::AllToAll &&
          function.amount == CollectiveAmount::CountForEach);
}

bool isRooted(MpiFunctionId id) {
  const MpiFunction &function = mpiFunction(id);
  return function.amount == CollectiveAmount::OwnBlock &&
         (function.flow == CollectiveFlow::FromRoot || function.flow == CollectiveFlow::ToRoot);
}

bool canReplace(MpiFunctionId function) {
  return isIrregular(function) && mpiFunction(function).role != MpiRole::NonblockingCollective;
}

void encodeIrregular(ByteWriter &out, const std::vector<ReplacedIrregular> &list) {
  out.number(list.size());
  for (const ReplacedIrregular &one : list) {
    encodeOne(out, one.calls);
    out.number(one.stages);
    out.number(one.largest);
  }
}

std::vector<ReplacedIrregular> decodeIrregular(ByteReader &in, int rankCount) {
  std::vector<ReplacedIrregular> list(in.countOf<ReplacedIrregular>(7));
  for (ReplacedIrregular &one : list) {
    one.calls = decodeOne(in, rankCount, canReplace);
    one.stages = static_cast<std::uint32_t>(in.number(1 << 20, "number of stages"));
    one.largest = in.number(largestRouted, "size of a block");
  }
  in.expectEnd();
  return list;
}

std::vector<RankExchange> decodeIrregularRoutes(ByteReader &in, int rankCount, int rank,
                                                const std::vector<ReplacedIrregular> &replaced) {
  std::vector<SharedExchange> exchanges(replaced.size());
  for (std::size_t index = 0; index < replaced.size(); ++index)
    exchanges[index].stages = replaced[index].stages;
  return decodeParts(in, rankCount, rank, exchanges);
}

void encodeIrregularDecisions(ByteWriter &out, const std::vector<IrregularDecision> &list) {
  out.number(list.size());
  for (const IrregularDecision &decision : list) {
    encodeOne(out, decision.calls);
    out.number(decision.replaced);
    out.text(decision.reason);
    out.number(decision.count);
    out.real(decision.written);
    out.real(decision.planned);
    out.number(decision.sites.size());
    for (const SiteIdentity &site : decision.sites)
      encodeSite(out, site);
  }
}

std::vector<IrregularDecision> decodeIrregularDecisions(ByteReader &in, int rankCount) {
  std::vector<IrregularDecision> list(in.countOf<IrregularDecision>(25));
  for (IrregularDecision &decision : list) {
    decision.calls = decodeOne(in, rankCount, isIrregular);
    decision.replaced = in.flag();
    decision.reason = in.text();
    decision.count = in.number();
    decision.written = in.finite("a time");
    decision.planned = in.finite("a time");
    decision.sites.resize(in.countOf<SiteIdentity>(leastSiteBytes));
    for (SiteIdentity &site : decision.sites)
      site = decodeSite(in);
  }
  in.expectEnd();
  return list;
}

} // namespace sendwright
