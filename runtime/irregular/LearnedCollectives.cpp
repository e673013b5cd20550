// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/irregular/LearnedCollectives.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/FigureText.h"
#include "analysis/file/Limits.h"
#include "analysis/irregular/IrregularCalls.h"
#include "runtime/base/LearningSetting.h"
#include "runtime/base/Neighbors.h"
#include "runtime/base/WorldRanks.h"
#include "runtime/sharing/planned/WaitingWhileSharing.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <numeric>
#include <utility>

namespace sendwright::irregular {

namespace {

constexpr std::uint64_t mostDecisions = 1024; ///< no call after this one is examined
constexpr std::uint64_t equalCalls = 3, measuredCalls = 8;
constexpr double clearGainPercent = 10; ///< as in a plan
constexpr std::uint64_t noBlock = std::numeric_limits<std::uint64_t>::max();

BlockPartners everyone(int ranks, int rank) {
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return {std::move(all), static_cast<std::size_t>((rank + 1) % ranks)};
}

/// The same at all members: a rank of another job has no number in this one, and sees none of its
/// ranks. Of more members nobody predicts the time.
bool mayLearn(MPI_Comm communicator) {
  int isInter = 0;
  PMPI_Comm_test_inter(communicator, &isInter);
  if (isInter)
    return false;
  const std::vector<int> members = localWorldRanksOf(communicator);
  return members.size() >= 2 && members.size() <= limits::scheduledRanks &&
         std::ranges::find(members, -1) == members.end();
}

} // namespace

LearnedCalls::LearnedCalls(LearnedCollectives &all, MpiFunctionId function, MPI_Comm communicator)
    : all(all) {
  kind.function = function;
  kind.communicator.members = localWorldRanksOf(communicator);
  calls.calls = &kind;
  calls.rank = rankIn(communicator);
  calls.handle = communicator;
  if (calls.isOfNeighbors()) {
    const Neighbors found = neighborsIn(communicator);
    calls.sources = {found.sources, 0};
    calls.destinations = {found.destinations, 0};
    eachOnce = found.eachOnce;
  } else {
    calls.sources = calls.destinations = everyone(ranksIn(communicator), calls.rank);
  }
}

/// Is the same at all members, as it follows from the numbers of calls and from agreements.
bool LearnedCalls::replaces(std::vector<LearnedBlock> sent) {
  ++begun;
  noteTime();
  equal = sent == last ? equal + 1 : 1;
  last = std::move(sent);
  if (isReplaced && !isJudged && begun == replacedFrom + measuredCalls + 1)
    judge();
  if (!isReplaced && !isJudged && begun == nextDecision) {
    nextDecision = begun < mostDecisions ? 4 * begun : 0;
    disturbed = true;
    isReplaced = findPlan();
    replacedFrom = begun;
  }
  return isReplaced;
}

/// From the beginning of one call to the beginning of the next.
void LearnedCalls::noteTime() {
  const double now = PMPI_Wtime();
  if (begun > 1 && !isJudged)
    (isReplaced ? after : before).add(now - beganAt, disturbed);
  beganAt = now;
  disturbed = false;
}

void LearnedCalls::agree(std::vector<std::int64_t> &numbers) const {
  if (exchange::on())
    return exchange::agreeOnLargest(calls.handle, numbers, name());
  PMPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T,
                 MPI_MAX, calls.handle);
}

void LearnedCalls::wait(MPI_Request &request) const {
  exchange::waitForRequest(&request, MPI_STATUS_IGNORE, name());
}

void LearnedCalls::say(const std::string &text) const {
  std::fprintf(stderr, "sendwright: %s among %zu ranks: %s\n", name(),
               kind.communicator.members.size(), text.c_str());
}

/// Every member goes through the same agreements, whatever fails at it.
bool LearnedCalls::findPlan() {
  const std::size_t members = kind.communicator.members.size();
  const bool isSparse = calls.isOfNeighbors() || isRooted(kind.function);
  const bool hasFew = last.size() <= members / 2 || isSparse;
  const bool isSteady = equal >= equalCalls && eachOnce && hasFew;
  std::vector<std::int64_t> numbers = {isSteady ? 0 : 1, static_cast<std::int64_t>(last.size()),
                                       all.freeTag};
  agree(numbers);
  if (numbers[0] != 0 || numbers[1] == 0)
    return false;
  all.freeTag = calls.tag = static_cast<int>(numbers[2]);
  if (calls.tag + tagsBeside > all.endOfTags)
    return false;
  const std::vector<Row> rows = gather(2 * static_cast<std::size_t>(numbers[1]));
  std::vector<std::string> answers(isLeader() ? members : 0);
  std::string line;
  if (isLeader())
    line = decide(rows, answers);
  std::size_t largest = 0;
  for (const std::string &answer : answers)
    largest = std::max(largest, answer.size());
  numbers = {static_cast<std::int64_t>(largest)};
  agree(numbers);
  if (numbers[0] == 0)
    return false;
  const bool canFollow = follow(receiveAnswer(answers, static_cast<std::size_t>(numbers[0])));
  numbers = {canFollow ? 0 : 1, all.freeTag};
  agree(numbers);
  all.freeTag = static_cast<int>(numbers[1]);
  if (numbers[0] == 0 && isLeader())
    say("from call " + std::to_string(begun) + " on " + line);
  return numbers[0] == 0;
}

/// The blocks of all members at the leader; each list has `words` numbers.
std::vector<LearnedCalls::Row> LearnedCalls::gather(std::size_t words) {
  Row own;
  for (const LearnedBlock &block : last) {
    own.push_back(static_cast<std::uint64_t>(block.to));
    own.push_back(block.bytes);
  }
  own.resize(words, noBlock);
  const MPI_Comm world = all.owner.world;
  const auto count = static_cast<int>(words);
  if (!isLeader()) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(own.data(), count, MPI_UINT64_T, kind.communicator.members[0], calls.tag, world,
               &request);
    wait(request);
    return {};
  }
  std::vector<Row> rows(kind.communicator.members.size(), Row(words, noBlock));
  std::vector<MPI_Request> requests(rows.size(), MPI_REQUEST_NULL);
  for (std::size_t member = 1; member < rows.size(); ++member)
    PMPI_Irecv(rows[member].data(), count, MPI_UINT64_T, kind.communicator.members[member],
               calls.tag, world, &requests[member]);
  for (MPI_Request &request : requests)
    wait(request);
  rows[0] = std::move(own);
  return rows;
}

/// The leader's decision, as a line for the user. Fills in an answer for each member if the calls
/// shall be replaced.
std::string LearnedCalls::decide(const std::vector<Row> &rows,
                                 std::vector<std::string> &answers) const {
  try {
    IrregularCalls seen;
    seen.calls = kind;
    seen.count = 1;
    seen.operations = {0};
    IrregularPattern &pattern = seen.patterns.emplace_back();
    pattern.count = 1;
    pattern.known = true;
    for (std::size_t from = 0; from < rows.size(); ++from)
      for (std::size_t word = 0; word < rows[from].size() && rows[from][word] != noBlock; word += 2)
        if (rows[from][word] != from)
          pattern.blocks.push_back({static_cast<std::uint32_t>(from),
                                    static_cast<std::uint32_t>(rows[from][word]),
                                    rows[from][word + 1]});
    const auto ranks = static_cast<std::size_t>(ranksIn(MPI_COMM_WORLD));
    if (pattern.blocks.empty())
      return "";
    const IrregularPrediction found = predictIrregular(seen, ranks, all.machine, true);
    const ReplacedIrregular &replaced = found.replaced;
    if (found.gainPercent() < clearGainPercent ||
        calls.tag + tagsBeside + static_cast<int>(replaced.stages) > all.endOfTags)
      return "";
    for (std::size_t member = 0; member < rows.size(); ++member) {
      const auto rank = static_cast<std::size_t>(kind.communicator.members[member]);
      ByteWriter out;
      out.number(replaced.stages);
      out.number(replaced.largest);
      std::vector<RankExchange> own;
      if (!found.routes.empty() && !found.routes[rank].messages.empty())
        own.push_back(found.routes[rank]);
      encodeParts(out, own);
      answers[member] = out.take();
    }
    return (found.routes.empty() ? "messages of its own" : found.method) + " (predicted " +
           microseconds(found.planned()) + " instead of " + microseconds(found.written) + ")";
  } catch (const std::exception &) {
    std::ranges::fill(answers, std::string()); // MPI goes on doing the calls
    return "";
  }
}

/// This member's answer, of at most `largest` bytes.
std::string LearnedCalls::receiveAnswer(const std::vector<std::string> &answers,
                                        std::size_t largest) {
  const MPI_Comm world = all.owner.world;
  if (!isLeader()) {
    std::string answer(largest, '\0');
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int received = 0;
    PMPI_Irecv(answer.data(), static_cast<int>(largest), MPI_BYTE, kind.communicator.members[0],
               calls.tag + 1, world, &request);
    if (exchange::waitForRequest(&request, &status, name()) != MPI_SUCCESS)
      return "";
    PMPI_Get_count(&status, MPI_BYTE, &received);
    answer.resize(static_cast<std::size_t>(received));
    return answer;
  }
  std::vector<MPI_Request> requests(answers.size(), MPI_REQUEST_NULL);
  for (std::size_t member = 1; member < answers.size(); ++member)
    PMPI_Isend(answers[member].data(), static_cast<int>(answers[member].size()), MPI_BYTE,
               kind.communicator.members[member], calls.tag + 1, world, &requests[member]);
  for (MPI_Request &request : requests)
    wait(request);
  return answers[0];
}

/// Whether this rank can do what the leader says.
bool LearnedCalls::follow(const std::string &answer) {
  try {
    ByteReader in(answer, "an answer");
    const auto stages = static_cast<std::uint32_t>(in.number(1 << 20, "number of stages"));
    const std::uint64_t largest = in.number(largestRouted, "size of a block");
    const int rank = rankIn(MPI_COMM_WORLD);
    std::vector<SharedExchange> exchanges(1);
    exchanges[0].stages = stages;
    std::vector<RankExchange> own = decodeParts(in, ranksIn(MPI_COMM_WORLD), rank, exchanges);
    calls.routes = nullptr;
    all.freeTag = calls.tag + tagsBeside + static_cast<int>(stages);
    if (own.empty())
      return true;
    part = std::move(own.front());
    calls.routes =
        std::make_unique<BlockRoutes>(part, rank, kind.function, largest, calls.tag + tagsBeside);
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

/// Members compare how long calls take, with what the program does between them.
void LearnedCalls::judge() {
  isJudged = true;
  const auto nanoseconds = [](double seconds) { return static_cast<std::int64_t>(seconds * 1e9); };
  std::vector<std::int64_t> numbers = {nanoseconds(before.typical()), nanoseconds(after.typical()),
                                       all.measures ? 0 : 1};
  agree(numbers);
  disturbed = true;
  if (numbers[1] < numbers[0] || numbers[2] != 0)
    return;
  isReplaced = false;
  calls.routes = nullptr;
  if (isLeader())
    say("MPI does it again: from one call to the next it takes " +
        timeText(static_cast<double>(numbers[1]) * 1e-9) + " instead of " +
        timeText(static_cast<double>(numbers[0]) * 1e-9));
}

LearnedCollectives::LearnedCollectives(const Machine &machine, PlannedCommunicators &owner,
                                       int firstTag, int tags)
    : machine(machine), owner(owner), freeTag(firstTag), endOfTags(firstTag + tags),
      measures(measuresWhatIsLearned()) {}

LearnedCalls *LearnedCollectives::find(MpiFunctionId function, MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL || !canReplace(function) || gathersToAll(function))
    return nullptr;
  auto *const ofCommunicator = known.find(communicator);
  if (!ofCommunicator)
    return nullptr;
  for (const std::unique_ptr<LearnedCalls> &one : *ofCommunicator)
    if (one->calls.calls->function == function)
      return one.get();
  if (!mayLearn(communicator)) {
    known.erase(communicator);
    return nullptr;
  }
  return ofCommunicator->emplace_back(std::make_unique<LearnedCalls>(*this, function, communicator))
      .get();
}

void LearnedCollectives::note(MPI_Comm communicator) {
  known[communicator].clear(); // an earlier one was freed unseen
}

void LearnedCollectives::drop(MPI_Comm communicator) {
  if (communicator != MPI_COMM_WORLD)
    known.erase(communicator);
}

} // namespace sendwright::irregular
