// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/Investigation.h"

#include "analysis/file/Escaping.h"
#include "runtime/strict/SourceLines.h"
#include "runtime/strict/StrictRank.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace sendwright::strict {

namespace {

/// A rank that does not answer for this many seconds counts as not being in MPI.
constexpr double patience = 0.5;
constexpr double pause = 0.5;
constexpr int exitStatus = 86;

bool sameButForQuestion(const RankReport &one, RankReport other) {
  other.question = one.question;
  return one.write() == other.write();
}

/// A line that names the ranks which wait for those of the cycle.
std::string othersWaiting(const std::set<std::int64_t> &stuck,
                          const std::set<std::int64_t> &cycle) {
  constexpr int most = 16;
  int others = 0;
  std::string names;
  for (const std::int64_t rank : stuck)
    if (!cycle.contains(rank) && ++others <= most)
      names += (others == 1 ? "" : ", ") + std::to_string(rank);
  if (others == 0)
    return "";
  return "sendwright: for them " + std::string(others == 1 ? "waits rank " : "wait ranks ") +
         names + (others > most ? ", ..." : "") + "\n";
}

/// MPI_Abort may end the launcher before it has passed on what was written: waits until the pipe is
/// empty, and slightly longer.
void letLauncherRead() {
  int unread = 0;
  for (int turn = 0; turn < 100 && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0;
       ++turn)
    usleep(20000);
  usleep(200000);
}

} // namespace

void Investigation::rest() {
  phase = Phase::Idle;
  suspected = false;
  idleUntil = PMPI_Wtime() + pause;
}

void Investigation::ask(Phase next) {
  phase = next;
  ++question;
  askedAt = PMPI_Wtime();
  answers.clear();
  answers[0] = makeReport(question);
  for (const std::int64_t rank : asked)
    if (rank != 0)
      strictRank()->tokens.send(static_cast<int>(rank), {Token::Query, question});
}

void Investigation::collect() {
  std::string text;
  int rank = 0;
  while (strictRank()->tokens.receiveReport(text, rank)) {
    RankReport report = RankReport::read(text);
    if (report.question == question)
      answers[rank] = std::move(report);
  }
}

void Investigation::step() {
  collect();
  if (phase == Phase::Idle && (!suspected || PMPI_Wtime() < idleUntil))
    return;
  if (phase == Phase::Idle) {
    asked.clear();
    for (int rank = 0; rank < strictRank()->ranks; ++rank)
      asked.insert(rank);
    ask(Phase::First);
  } else if (answers.size() == asked.size() || PMPI_Wtime() - askedAt > patience) {
    if (phase == Phase::First)
      judgeFirst();
    else
      judgeSecond();
  }
}

void Investigation::judgeFirst() {
  if (deadlockedRanks(answers).empty()) {
    rest();
    return;
  }
  first = std::move(answers);
  asked.clear();
  for (const auto &[rank, report] : first)
    asked.insert(rank);
  ask(Phase::Second);
}

void Investigation::judgeSecond() {
  Reports unchanged = answers;
  for (auto &[rank, report] : unchanged) // for a rank that went on, nothing it waits for is known
    if (report.blocked && !sameButForQuestion(first.at(rank), report))
      report.blocked = 0;
  const std::set<std::int64_t> stuck = deadlockedRanks(unchanged);
  if (!stuck.empty())
    endProgram(stuck);
  rest();
}

void Investigation::endProgram(const std::set<std::int64_t> &stuck) {
  const std::set<std::int64_t> cycle = cycleAmong(answers, stuck);
  SourceLines lines;
  const auto line = [&](const std::string &address) { return lines.of(address); };
  const char *buffers = std::getenv("SENDWRIGHT_BUFFERS");
  std::string text =
      "sendwright: deadlock with SENDWRIGHT_BUFFERS=" + printable(buffers ? buffers : "") +
      (cycle.size() == 1 ? ": a rank waits for itself\n" : ": these ranks wait for one another\n");
  for (const std::int64_t rank : cycle)
    text += "sendwright:   " + describeWait(answers, stuck, rank, line) + "\n";
  text += othersWaiting(stuck, cycle);
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
  letLauncherRead();
  PMPI_Abort(MPI_COMM_WORLD, exitStatus);
  std::_Exit(exitStatus);
}

} // namespace sendwright::strict
