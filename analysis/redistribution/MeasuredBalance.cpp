// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/redistribution/MeasuredBalance.h"

#include "analysis/redistribution/BalancedBlocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sendwright {

namespace {

/// The part of a row's cost that goes to each neighbour before a fit. Without it, a row that cost
/// nothing once would cost nothing for ever.
constexpr double wandering = 0.05;
/// A proposal is proved by a period that shows this part of the saving that it promised.
constexpr double proving = 0.5;
/// Savings below this part of the largest load are within what times of equal work differ by.
constexpr double noticeable = 0.01;
/// Proofs in a row before a move: while moves have gained nothing, and afterwards.
constexpr unsigned firstProofs = 3, furtherProofs = 1;
/// The part of the time that moves may lose, and the part that meetings may take.
constexpr double affordable = 0.005;
constexpr double mostPassed = 1000;
/// What a byte is taken to cost until a move has shown it: as at 1 GB/s.
constexpr double guessedSecondsPerByte = 1e-9;

double secondsOfAll(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

} // namespace

MeasuredBalance::MeasuredBalance(std::int64_t rows, int processors)
    : count(static_cast<std::size_t>(processors)), known(static_cast<std::size_t>(rows), 1.0),
      spread(known.size()) {}

MeasuredChoice MeasuredBalance::after(const MeasuredPeriod &period) {
  MeasuredChoice choice;
  choice.sizes.assign(period.present.begin(), period.present.end());
  const double sum = secondsOfAll(period.seconds);
  learn(period);
  if (period.present.empty()) {
    go(choice, balancedBlocks(known, static_cast<int>(count)).sizes, 0);
    choice.bytes = period.bytes(choice.sizes);
    return choice;
  }
  if (!(sum > 0))
    return choice;
  if (first.empty())
    first = choice.sizes;
  choice.loadNow = *std::max_element(period.seconds.begin(), period.seconds.end());
  judge(choice, sum);
  BalancedBlocks best = balancedBlocks(known, static_cast<int>(count), period.present);
  choice.loadThen = std::min(best.largestLoad, choice.loadNow);
  proposal = {best.sizes, (choice.loadNow - choice.loadThen) / sum};
  choice.pass = passed(period, choice);

  const double price = period.secondsPerByte > 0 ? period.secondsPerByte : guessedSecondsPerByte;
  const auto costOf = [&](std::span<const std::int64_t> sizes) {
    choice.bytes = period.bytes(sizes);
    return static_cast<double>(choice.bytes) * price;
  };
  const bool noticed = choice.loadNow - choice.loadThen > noticeable * choice.loadNow;
  if (noticed && best.sizes != choice.sizes)
    if (const double cost = costOf(best.sizes); isDue(cost)) {
      go(choice, std::move(best.sizes), cost);
      follows = true;
      return choice;
    }
  if (first != choice.sizes && lostToFirst > 0)
    if (const double cost = costOf(first); lostToFirst > cost) {
      go(choice, first, cost);
      proofs = 0;
      return choice;
    }
  choice.bytes = 0;
  return choice;
}

void MeasuredBalance::learn(const MeasuredPeriod &period) {
  const std::size_t rows = known.size();
  if (rows == 0 || !(secondsOfAll(period.seconds) > 0))
    return;
  for (std::size_t row = 0; row < rows; ++row)
    spread[row] = (1 - 2 * wandering) * known[row] +
                  wandering * (known[row > 0 ? row - 1 : 0] + known[std::min(row + 1, rows - 1)]);
  std::vector<double> fitted(count), counts(count);
  const auto forEachRow = [&](auto visit) {
    for (const RowRange &range : period.owners)
      for (std::int64_t row = range.begin; row < range.end; ++row)
        visit(static_cast<std::size_t>(row), range.processor);
  };
  forEachRow([&](std::size_t row, std::size_t owner) {
    fitted[owner] += spread[row];
    ++counts[owner];
  });
  forEachRow([&](std::size_t row, std::size_t owner) {
    const double seconds = period.seconds[owner];
    known[row] =
        fitted[owner] > 0 ? spread[row] * (seconds / fitted[owner]) : seconds / counts[owner];
  });
}

void MeasuredBalance::moveOnto(int processors) {
  MeasuredBalance anew(0, processors);
  anew.known = std::move(known);
  anew.spread = std::move(spread);
  *this = std::move(anew);
}

/// Whether the last proposal, or the move to it, was good for this period, and what the present
/// blocks saved and lost in it.
void MeasuredBalance::judge(const MeasuredChoice &choice, double sum) {
  elapsed += choice.loadNow;
  const double saved = largestLoad(known, first) - choice.loadNow;
  account += saved;
  lostToFirst -= saved;
  if (proposal.sizes.empty())
    return;
  if (std::exchange(follows, false)) {
    const bool better = before.empty() || largestLoad(known, before) > choice.loadNow;
    proofs = better ? proofs + 1 : 0;
    return;
  }
  const double saving = choice.loadNow - largestLoad(known, proposal.sizes);
  const bool proved = saving > 0 && saving >= proving * proposal.promised * sum;
  proofs = proved ? proofs + 1 : 0;
  missed = std::max(missed + saving, 0.0);
}

/// Whether the arrays move to the present proposal.
bool MeasuredBalance::isDue(double cost) const {
  const bool canPay = !everMoved || account - 2 * cost >= -affordable * elapsed;
  return canPay && missed > cost && proofs >= (account > 0 ? furtherProofs : firstProofs);
}

void MeasuredBalance::go(MeasuredChoice &choice, std::vector<std::int64_t> sizes, double cost) {
  before = std::exchange(choice.sizes, std::move(sizes));
  choice.moves = everMoved = true;
  missed = lostToFirst = 0;
  account -= cost;
}

unsigned MeasuredBalance::passed(const MeasuredPeriod &period, const MeasuredChoice &choice) const {
  if (proofs > 0 && choice.loadNow - choice.loadThen > period.meeting)
    return 0;
  const double between = choice.loadNow / std::max(period.directives, 1U);
  const double meetings = std::min(period.meeting / (affordable * between), mostPassed);
  return static_cast<unsigned>(meetings);
}

} // namespace sendwright
