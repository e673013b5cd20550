// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instance numbers its messages: first the votes, by sender and round; then the chunks of each
// message or, with MPI_Alltoallv, the messages from each member to each member.

#include "analysis/redistribution/Redistributions.h"

#include "analysis/redistribution/MovementProtocol.h"
#include "analysis/schedules/MpiAlgorithms.h"
#include "analysis/simulation/StartCost.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace sendwright {

namespace {

/// Approximate limit for all messages together: a file may claim any size. More chunks would not
/// make the result more exact.
constexpr std::uint64_t mostChunks = 1 << 18;

} // namespace

bool hasRedistributions(const RankProfile &rank) {
  return std::any_of(rank.events.begin(), rank.events.end(),
                     [](const Event &event) { return event.kind == EventKind::Redistribution; });
}

Redistributions::Redistributions(const Timeline &timeline, const Machine &machine,
                                 const CollectiveCalls &calls, RedistributionMethod method,
                                 MessageSimulation &simulation)
    : timeline(timeline), machine(machine), method(method), simulation(simulation),
      called(timeline.ranks.size()), open(timeline.ranks.size()) {
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
    const RankTimeline &events = timeline.ranks[rank];
    if (!hasRedistributions(*events.profile))
      continue;
    for (std::size_t position = 0; position < events.size(); ++position) {
      const Event &event = events.at(position);
      std::uint32_t number = 0;
      const CallGroup *group = event.kind == EventKind::Redistribution
                                   ? calls.groupOf(rank, event.communicator, number)
                                   : nullptr;
      if (!group)
        continue;
      Sequence &sequence = sequences[number];
      sequence.members = &group->members;
      sequence.positions.resize(group->members.size());
      const std::uint32_t member = memberOf(group->members, static_cast<int>(rank));
      if (member == group->members.size())
        continue;
      sequence.positions[member].push_back(position);
      called[rank].emplace(position, number);
    }
  }
}

// What is moved.

Redistributions::Instance *Redistributions::make(Sequence &sequence, std::size_t number) {
  if (std::any_of(sequence.positions.begin(), sequence.positions.end(),
                  [&](const auto &positions) { return number >= positions.size(); }))
    return nullptr; // the run was cut, or the file is wrong
  Instance made;
  made.members = sequence.members;
  made.distances = voteDistances(static_cast<int>(sequence.members->size()));
  made.of.resize(sequence.members->size());
  made.left = made.ranks();
  for (std::uint32_t member = 0; member < made.ranks(); ++member) {
    made.of[member].position = static_cast<std::uint32_t>(sequence.positions[member][number]);
    made.of[member].voted.resize(made.distances.size());
  }
  made.makesCommunicator = known.insert(*sequence.members).second;
  collectMessages(made);
  numberMessages(made);
  const std::uint32_t first = made.first;
  return &instances.emplace(first, std::move(made)).first->second;
}

/// Collects messages that both ends list, each in the orders of its ends.
void Redistributions::collectMessages(Instance &instance) const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sent, received;
  std::vector<Message> all;
  for (const bool receiving : {false, true})
    for (std::uint32_t member = 0; member < instance.ranks(); ++member) {
      const Event &event =
          timeline.ranks[worldRank(instance, member)].at(instance.of[member].position);
      for (const MovedMessage &moved : event.moved) {
        const std::uint32_t peer = memberOf(*instance.members, moved.peer);
        if (moved.received != receiving || peer == instance.ranks() || peer == member)
          continue;
        if (!receiving) {
          const auto number = static_cast<std::uint32_t>(instance.messages.size());
          if (sent.try_emplace({member, peer}, number).second) {
            instance.messages.push_back({member, peer, moved.bytes, moved.chunkBytes, 0, 0});
          }
        } else if (const auto found = sent.find({peer, member});
                   found != sent.end() && received.try_emplace(found->first, 0).second) {
          instance.of[member].receives.messages.push_back(found->second);
        }
      }
    }
  // Messages are numbered by sender, in the sender's order.
  for (const auto &[pair, number] : sent)
    if (received.contains(pair))
      instance.of[pair.first].sends.messages.push_back(number);
  for (Member &member : instance.of)
    std::sort(member.sends.messages.begin(), member.sends.messages.end());
}

void Redistributions::numberMessages(Instance &instance) {
  std::size_t messages = instance.votes();
  if (method == RedistributionMethod::Schedule) {
    const std::uint64_t most =
        mostChunks / std::max<std::uint64_t>(instance.messages.size(), 1) + 16;
    for (Message &message : instance.messages) {
      message.chunkBytes = std::max({message.chunkBytes, message.bytes / most, std::uint64_t(1)});
      message.chunks = static_cast<std::uint32_t>((message.bytes - 1) / message.chunkBytes + 1);
      message.firstChunk = static_cast<std::uint32_t>(instance.messageOfChunk.size());
      instance.messageOfChunk.insert(
          instance.messageOfChunk.end(), message.chunks,
          static_cast<std::uint32_t>(&message - instance.messages.data()));
    }
    messages += instance.messageOfChunk.size();
  } else {
    instance.bytes.resize(instance.ranks() * instance.ranks());
    for (const Message &message : instance.messages)
      instance.bytes[message.from * instance.ranks() + message.to] = message.bytes;
    messages += instance.bytes.size();
  }
  instance.first = simulation.addMessages(static_cast<std::uint32_t>(messages));
  instance.receives.resize(messages, NotPosted);
  for (std::uint32_t local = 0; local < messages; ++local)
    simulation.report(instance.first + local);
}

Redistributions::Ends Redistributions::endsOf(const Instance &instance, std::uint32_t local) const {
  const auto ranks = static_cast<std::uint32_t>(instance.ranks());
  const auto votes = static_cast<std::uint32_t>(instance.votes());
  if (local < votes) {
    const auto rounds = static_cast<std::uint32_t>(instance.distances.size());
    const std::uint32_t from = local / rounds;
    return {from, (from + static_cast<std::uint32_t>(instance.distances[local % rounds])) % ranks};
  }
  local -= votes;
  if (method == RedistributionMethod::Alltoallv)
    return {local / ranks, local % ranks};
  const Message &message = instance.messages[instance.messageOfChunk[local]];
  return {message.from, message.to};
}

// What ranks do.

void Redistributions::enter(std::uint32_t rank, std::size_t position) {
  const auto found = called[rank].find(position);
  if (found == called[rank].end())
    return;
  Sequence &sequence = sequences.at(found->second);
  const std::uint32_t member = memberOf(*sequence.members, static_cast<int>(rank));
  const std::vector<std::size_t> &own = sequence.positions[member];
  const auto number =
      static_cast<std::size_t>(std::lower_bound(own.begin(), own.end(), position) - own.begin());
  const auto [place, isNew] = sequence.open.try_emplace(number, nullptr);
  if (isNew)
    place->second = make(sequence, number);
  if (!place->second)
    return;
  open[rank] = place->second;
  begin(*place->second, member);
}

bool Redistributions::isPart(std::uint32_t message) const {
  auto after = instances.upper_bound(message);
  if (after == instances.begin())
    return false;
  const Instance &instance = std::prev(after)->second;
  return message - instance.first < instance.receives.size();
}

std::optional<Redistributions::Transfer> Redistributions::movedBy(std::uint32_t message) const {
  const Instance &instance = std::prev(instances.upper_bound(message))->second;
  const std::uint32_t local = message - instance.first;
  if (local < instance.votes())
    return std::nullopt;
  const auto number = static_cast<std::uint32_t>(local - instance.votes());
  const Ends ends = endsOf(instance, local);
  Transfer transfer{worldRank(instance, ends.from), worldRank(instance, ends.to), 0};
  if (method == RedistributionMethod::Alltoallv) {
    transfer.bytes = instance.bytes[number];
  } else {
    const Message &moved = instance.messages[instance.messageOfChunk[number]];
    transfer.bytes =
        std::min(moved.chunkBytes, moved.bytes - (number - moved.firstChunk) * moved.chunkBytes);
  }
  return transfer.bytes > 0 ? std::optional(transfer) : std::nullopt;
}

void Redistributions::begin(Instance &instance, std::uint32_t member) {
  if (instance.makesCommunicator)
    simulation.clock[worldRank(instance, member)] +=
        communicatorSeconds(machine, static_cast<std::uint32_t>(instance.ranks()));
  if (method == RedistributionMethod::Schedule)
    beginMore(instance, member);
  const auto ranks = static_cast<std::uint32_t>(instance.ranks());
  const auto rounds = static_cast<std::uint32_t>(instance.distances.size());
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const auto distance = static_cast<std::uint32_t>(instance.distances[round]) % ranks;
    post(instance, (member + ranks - distance) % ranks * rounds + round);
  }
  sendVotes(instance, member);
  handleReady(instance, member);
  leaveIfThrough(instance, member);
}

Redistributions::Wait Redistributions::proceed(std::uint32_t rank, std::uint32_t message) {
  Instance &instance = std::prev(instances.upper_bound(message))->second;
  const std::uint32_t local = message - instance.first;
  const Ends ends = endsOf(instance, local);
  const bool arrival = worldRank(instance, ends.to) == rank;
  Wait wait;
  if (arrival && instance.receives[local] == NotPosted) {
    instance.receives[local] = Early;
    return wait;
  }
  double &clock = simulation.clock[rank];
  wait.until = arrival ? simulation.arrives(message) : simulation.leaves(message);
  wait.seconds = std::max(wait.until - clock, 0.0);
  wait.cause = simulation.causeOf(message);
  wait.causePosition = instance.of[wait.cause.lateReceiver ? ends.to : ends.from].position;
  clock += wait.seconds;
  const std::uint32_t member = arrival ? ends.to : ends.from;
  handle(instance, member, local, arrival);
  handleReady(instance, member);
  leaveIfThrough(instance, member);
  return wait;
}

void Redistributions::handle(Instance &instance, std::uint32_t number, std::uint32_t local,
                             bool arrival) {
  Member &member = instance.of[number];
  if (arrival)
    simulation.clock[worldRank(instance, number)] += simulation.receiveTime(instance.first + local);
  const std::size_t rounds = instance.distances.size();
  if (local < instance.votes()) {
    if (!arrival)
      return;
    member.voted[local % rounds] = 1;
    while (member.heard < rounds && member.voted[member.heard]) {
      ++member.heard;
      sendVotes(instance, number);
    }
    if (member.heard == rounds)
      method == RedistributionMethod::Schedule ? beginMore(instance, number)
                                               : exchange(instance, number);
    return;
  }
  if (method == RedistributionMethod::Alltoallv) {
    if (--member.outstanding == 0)
      exchange(instance, number);
    return;
  }
  const auto chunk = static_cast<std::uint32_t>(local - instance.votes());
  const Message &message = instance.messages[instance.messageOfChunk[chunk]];
  Stream &stream = arrival ? member.receives : member.sends;
  --stream.underWay;
  stream.bytesUnderWay -= std::min(
      message.chunkBytes, message.bytes - (chunk - message.firstChunk) * message.chunkBytes);
  beginMore(instance, number);
}

void Redistributions::handleReady(Instance &instance, std::uint32_t number) {
  std::vector<std::uint32_t> &ready = instance.of[number].ready;
  for (std::size_t next = 0; next < ready.size(); ++next)
    handle(instance, number, ready[next], true); // may append to `ready`
  ready.clear();
}

void Redistributions::sendVotes(Instance &instance, std::uint32_t number) {
  Member &member = instance.of[number];
  const std::size_t rounds = instance.distances.size();
  for (; member.votesSent < rounds && member.votesSent <= member.heard + unansweredVotes;
       ++member.votesSent)
    send(instance, static_cast<std::uint32_t>(number * rounds + member.votesSent), voteBytes);
}

// By the schedule.

void Redistributions::beginMore(Instance &instance, std::uint32_t number) {
  Member &member = instance.of[number];
  fill(instance, member.receives, false, UINT64_MAX);
  fill(instance, member.sends, true,
       member.heard == instance.distances.size() ? UINT64_MAX : headStartBytes);
}

void Redistributions::fill(Instance &instance, Stream &stream, bool sending,
                           std::uint64_t allowance) {
  for (; stream.current < stream.messages.size(); ++stream.current, stream.chunk = 0) {
    const Message &message = instance.messages[stream.messages[stream.current]];
    for (; stream.chunk < message.chunks; ++stream.chunk) {
      const std::uint64_t bytes =
          std::min(message.chunkBytes, message.bytes - stream.chunk * message.chunkBytes);
      const bool allowed = stream.bytesBegun == 0 || stream.bytesBegun + bytes <= allowance;
      if (!allowed || !hasRoom(stream.underWay, stream.bytesUnderWay, bytes))
        return;
      stream.bytesBegun += bytes;
      const auto local =
          static_cast<std::uint32_t>(instance.votes()) + message.firstChunk + stream.chunk;
      if (!sending)
        post(instance, local);
      else if (!send(instance, local, bytes))
        continue; // complete at once
      ++stream.underWay;
      stream.bytesUnderWay += bytes;
    }
  }
}

// By MPI_Alltoallv.

/// Starts messages to all partners at once, or one partner after another; empty messages count.
void Redistributions::exchange(Instance &instance, std::uint32_t number) {
  Member &member = instance.of[number];
  const auto ranks = static_cast<std::uint32_t>(instance.ranks());
  const auto votes = static_cast<std::uint32_t>(instance.votes());
  const bool pairwise = exchangesPairwise(machine, ranks);
  const auto partner = [&](std::uint32_t step, bool source) {
    if (!pairwise)
      return step <= number ? step - 1 : step; // in the order of their ranks
    if (std::has_single_bit(ranks))
      return number ^ step;
    return (number + (source ? ranks - step : step)) % ranks;
  };
  while (member.outstanding == 0 && member.step + 1 < ranks) {
    const std::uint32_t first = member.step + 1, last = pairwise ? first : ranks - 1;
    for (std::uint32_t step = first; step <= last; ++step, ++member.outstanding)
      post(instance, votes + partner(step, true) * ranks + number);
    for (std::uint32_t step = first; step <= last; ++step) {
      const std::uint32_t pair = number * ranks + partner(step, false);
      member.outstanding += send(instance, votes + pair, instance.bytes[pair]) ? 1 : 0;
    }
    member.step = last;
  }
}

// Messages.

/// True if the sender must wait until the message has left. Votes pass between packets of elements.
bool Redistributions::send(Instance &instance, std::uint32_t local, std::uint64_t bytes) {
  const Ends ends = endsOf(instance, local);
  const std::uint32_t from = worldRank(instance, ends.from), to = worldRank(instance, ends.to);
  const auto size = static_cast<double>(bytes);
  Protocol protocol = local < instance.votes() ? Protocol::Interleaved : Protocol::Eager;
  if (size > linkBetween(machine, from, to).eager_limit)
    protocol = Protocol::Handshake;
  ++count;
  simulation.send(instance.first + local, from, to, size, protocol);
  return protocol == Protocol::Handshake;
}

void Redistributions::post(Instance &instance, std::uint32_t local) {
  const std::uint32_t to = endsOf(instance, local).to;
  if (instance.receives[local] == Early)
    instance.of[to].ready.push_back(local);
  else
    simulation.post(instance.first + local, worldRank(instance, to));
  instance.receives[local] = Posted;
}

void Redistributions::leaveIfThrough(Instance &instance, std::uint32_t number) {
  const Member &member = instance.of[number];
  const bool moved = method == RedistributionMethod::Schedule
                         ? member.sends.done() && member.receives.done()
                         : member.step + 1 == instance.ranks() && member.outstanding == 0;
  if (member.heard < instance.distances.size() || !moved)
    return;
  open[worldRank(instance, number)] = nullptr;
  if (--instance.left > 0)
    return;
  simulation.releaseMessages(instance.first, static_cast<std::uint32_t>(instance.receives.size()));
  instances.erase(instance.first);
}

} // namespace sendwright
