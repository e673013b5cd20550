// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/redistribution/Movement.h"

#include "analysis/redistribution/MovementProtocol.h"
#include "runtime/redistribution/Redistribution.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace sendwright::redistribution {

namespace {

/// Bytes copied between two looks at the messages.
constexpr std::uint64_t copiedAtOnce = isSimulated ? UINT64_MAX : std::uint64_t(1) << 18;

int tagOf(const PrivateGroup &group, std::uint64_t digest) {
  return group.trusting ? trustedTag + static_cast<int>(digest % trustedTags) : dataTag;
}

} // namespace

Movement::Movement(const PrivateGroup &group, const RankSchedule &schedule, const Blocks &blocks,
                   const sendwright_site *site, std::uint64_t digest)
    : group(group), site(site), tag(tagOf(group, digest)), agreement(group),
      sends(group, schedule.sends, true, blocks.before.data(), schedule.stagingBytes, tag),
      receives(group, schedule.receives, false, blocks.after.data(), schedule.stagingBytes, tag),
      keptBefore(schedule.keptBefore, blocks.before.data()),
      keptAfter(schedule.keptAfter, blocks.after.data()), keptLeft(schedule.keptBytes) {
  requests.reserve(agreement.mostRequests() + sends.mostRequests() + receives.mostRequests());
}

const Vote &Movement::run(const Vote &own, bool move) {
  moving = move;
  begin(own);
  while (!agreement.decided())
    takePart(!(moving && copyKept()));
  beginMore();
  if (!agreement.result().passed())
    takeBack(std::exchange(moving, false));
  while (!requests.empty() || (moving && !moved()))
    takePart(!(moving && copyKept()));
  return agreement.result();
}

int Movement::runTrusting() {
  moving = trusting = true;
  beginMore();
  while (stranger < 0 && !(requests.empty() && moved()))
    takePart(!copyKept());
  if (stranger >= 0)
    requests.abandon();
  return stranger;
}

/// Another rank's messages come in the order in which it sent them. So if the first one that no
/// receive has taken is not an awaited one, that rank did not send what is awaited before. But
/// the receive may have just taken what is awaited: then it is known to have ended soon.
int Movement::findStranger() {
  constexpr double patience = 2; // seconds
  for (std::uint32_t i = 0; i < receives.all().size(); ++i) {
    if (!requests.awaits(RequestUse::Receive, i))
      continue;
    int arrived = 0;
    MPI_Status status;
    const int peer = receives.all()[i].peer;
    PMPI_Iprobe(peer, MPI_ANY_TAG, group.communicator, &arrived, &status);
    if (!arrived || status.MPI_TAG == tag)
      continue;
    if (suspect != peer)
      suspectedSince = PMPI_Wtime();
    suspect = peer;
    return PMPI_Wtime() - suspectedSince > patience ? peer : -1;
  }
  suspect = -1;
  return -1;
}

void Movement::begin(const Vote &own) {
  beginMore(); // first: where the elements take longer than the votes, the votes cost no time
  agreement.begin(own, requests);
}

void Movement::beginMore() {
  if (!moving || (agreement.decided() && !agreement.result().passed()))
    return;
  receives.fill(requests);
  sends.fill(requests, trusting || agreement.decided() ? UINT64_MAX : headStartBytes);
}

bool Movement::copyKept() {
  if (keptLeft == 0)
    return false;
  keptLeft -= copyAlong(keptBefore, keptAfter, std::min(keptLeft, copiedAtOnce));
  return keptLeft != 0;
}

void Movement::takePart(bool wait) {
  bool any = false;
  const auto handle = [&](Purpose purpose) {
    any = true;
    completed(purpose);
  };
  requests.complete(wait && isSimulated, handle);
  if (isSimulated)
    return;
  serveOthers();
  if (any || !wait)
    idleTurns.reset();
  else if (idleTurns.next()) {
    if (trusting)
      stranger = findStranger();
    if (watchdog.due())
      watchdog.report(awaited());
  }
}

void Movement::completed(Purpose purpose) {
  switch (purpose.use) {
  case RequestUse::Vote:
  case RequestUse::SentVote:
    agreement.completed(purpose, requests);
    return;
  case RequestUse::Send:
    sends.completed(purpose);
    break;
  case RequestUse::Receive:
    receives.completed(purpose);
    break;
  }
  beginMore();
}

std::string Movement::awaited() const {
  std::string text = "in redistribute";
  if (site && site->file)
    text += std::string(" at ") + site->file + ":" + std::to_string(site->line);
  if (!trusting && !agreement.decided())
    return text + " for other ranks to arrive";
  return text + " for messages from or to other ranks";
}

// Cleans up where the ranks do not agree while messages are under way. Each rank tells each other
// rank how many messages it has sent, so that all are received; receives beyond that number are
// cancelled. Messages without a posted receive come first: their senders may be waiting for it.

void Movement::takeBack(bool began) {
  const auto ranks = static_cast<std::size_t>(group.ranks);
  std::vector<int> sent(ranks), arriving(ranks);
  for (std::size_t i = 0; began && i < sends.all().size(); ++i)
    sent[static_cast<std::size_t>(sends.all()[i].peer)] = static_cast<int>(sends.begun(i));
  PMPI_Alltoall(sent.data(), 1, MPI_INT, arriving.data(), 1, MPI_INT, group.communicator);
  for (std::uint32_t i = 0; began && i < receives.all().size(); ++i)
    cancelBeyond(i, arriving[static_cast<std::size_t>(receives.all()[i].peer)]);
  for (int peer = 0; peer < group.ranks; ++peer)
    for (; arriving[static_cast<std::size_t>(peer)] > 0; --arriving[static_cast<std::size_t>(peer)])
      receiveAndDiscard(peer);
}

/// Cancels the receives of a message for which nothing will arrive. Sets `arriving` to the number
/// of chunks without a receive.
void Movement::cancelBeyond(std::uint32_t message, int &arriving) {
  const std::uint32_t posted = receives.begun(message);
  for (auto chunk = static_cast<std::uint32_t>(arriving); chunk < posted; ++chunk)
    if (MPI_Request *request = requests.find({RequestUse::Receive, message, chunk}))
      PMPI_Cancel(request);
  arriving = std::max(arriving - static_cast<int>(posted), 0);
}

void Movement::receiveAndDiscard(int peer) {
  MPI_Status status;
  PMPI_Probe(peer, dataTag, group.communicator, &status);
  int bytes = 0;
  PMPI_Get_count(&status, MPI_BYTE, &bytes);
  const std::unique_ptr<char[]> memory(new (std::nothrow) char[static_cast<std::size_t>(bytes)]);
  // Without memory (possibly the reason why the ranks do not agree), MPI truncates the message,
  // which does no harm.
  PMPI_Recv(memory.get(), memory ? bytes : 0, MPI_BYTE, peer, dataTag, group.communicator,
            MPI_STATUS_IGNORE);
}

} // namespace sendwright::redistribution
