// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/calibration/Measurements.h"

#include "analysis/file/FigureText.h"

#include <algorithm>

namespace sendwright {

namespace {

constexpr int smallSizes[] = {1, 256, 512, 1024};
constexpr int smallStream = 100, largeStream = 8; // messages without a pause
constexpr int largestEager = 4 << 20;             // the largest send tried
constexpr double longestStream = 0.5;             // seconds
constexpr std::size_t leastRounds = 3, mostRounds = 15, mostLatencies = 8;

double medianOf(std::vector<double> samples) { return figureOf(std::move(samples)).median; }

/// How often something that takes `each` seconds fits into `seconds`.
int repetitionsIn(double seconds, double each, int least, int most) {
  return each * most <= seconds ? most : std::max(least, static_cast<int>(seconds / each));
}

/// The time between two messages of a stream.
double streamInterval(Director &director, int partner, int bytes, int count, int repetitions) {
  const double one = medianOf(director.streams(partner, bytes, 1, repetitions));
  const double all = medianOf(director.streams(partner, bytes, count, repetitions));
  return std::max(all - one, 0.0) / (count - 1);
}

/// Sizes of large messages whose streams do not take too long, and the two smallest in any case.
std::vector<int> largeSizes(Director &director, int partner) {
  std::vector<int> sizes{1 << 16, 1 << 17};
  const double one = medianOf(director.streams(partner, sizes[0], 1, 3));
  for (int size : {1 << 18, 1 << 19})
    if (one * (size / sizes[0]) * largeStream <= longestStream)
      sizes.push_back(size);
  return sizes;
}

/// One round of all measurements. Each repetition is expected to take as long as in earlier rounds;
/// `trip`, the time of a round trip, stands for that.
CalibrationRound measureRound(Director &director, int partner, const std::vector<int> &large,
                              double trip) {
  constexpr double share = 0.02; // seconds for all repetitions of one experiment
  CalibrationRound round;
  for (int bytes : smallSizes) {
    const RoundTrips trips =
        director.roundTrips(partner, bytes, repetitionsIn(share, trip, 10, 200));
    const double roundTrip = medianOf(trips.roundTrip);
    // Long enough for the message to arrive even if it is much slower than most.
    const double pause = std::min(5 * std::max(roundTrip, 5e-6), 0.02);
    const std::vector<double> receives = director.receivesOfEarly(
        partner, bytes, repetitionsIn(share, pause + roundTrip, 5, 100), pause);
    round.small.push_back(
        {static_cast<double>(bytes), medianOf(trips.send), medianOf(receives), roundTrip});
  }
  round.interval = streamInterval(director, partner, smallSizes[0], smallStream,
                                  repetitionsIn(share, trip * smallStream, 3, 20));
  double expected = trip;
  for (int bytes : large) {
    const double interval = streamInterval(director, partner, bytes, largeStream,
                                           repetitionsIn(4 * share, expected, 1, 9));
    round.large.push_back({static_cast<double>(bytes), interval});
    expected = 2 * interval * largeStream;
  }
  return round;
}

/// The largest send that completes without its receive.
void findEagerLimit(Director &director, int partner, CalibratedLink &link) {
  constexpr double patience = 0.01; // longer than any copy or write to a socket
  int below = 0, above = largestEager + 1;
  link.eagerLimitFound = director.waitsForReceive(partner, largestEager, patience);
  if (!link.eagerLimitFound)
    below = largestEager;
  while (above - below > 1) {
    const int middle = below + (above - below) / 2;
    (director.waitsForReceive(partner, middle, patience) ? above : below) = middle;
  }
  link.eagerLimit = below;
}

/// Takes medians of the measurements over the rounds.
void summarise(const std::vector<CalibrationRound> &rounds, CalibratedLink &link) {
  const auto over = [&](auto &&value) {
    std::vector<double> samples;
    for (const CalibrationRound &round : rounds)
      samples.push_back(value(round));
    return medianOf(std::move(samples));
  };
  for (std::size_t size = 0; size < rounds[0].small.size(); ++size)
    link.small.push_back({rounds[0].small[size].bytes,
                          over([&](const auto &round) { return round.small[size].send; }),
                          over([&](const auto &round) { return round.small[size].receive; }),
                          over([&](const auto &round) { return round.small[size].roundTrip; })});
  for (std::size_t size = 0; size < rounds[0].large.size(); ++size)
    link.large.push_back({rounds[0].large[size].bytes,
                          over([&](const auto &round) { return round.large[size].interval; })});
}

/// Up to `most` of the partners, spread evenly from the first to the last.
std::vector<int> sampleOf(const std::vector<int> &partners, std::size_t most) {
  std::vector<int> sample;
  const std::size_t count = std::min(partners.size(), most);
  for (std::size_t index = 0; index < count; ++index)
    sample.push_back(partners[count < 2 ? 0 : index * (partners.size() - 1) / (count - 1)]);
  return sample;
}

/// Compares L to several partners, assuming that the processor's part is the same for all: L of the
/// link becomes their median, and its note says how far they are apart.
void compareLatencies(Director &director, const std::vector<int> &partners,
                      const std::vector<int> &worldRanks, double trip, CalibratedLink &link) {
  const SizeTimes &smallest = link.small.front();
  std::vector<double> latencies;
  for (int partner : sampleOf(partners, mostLatencies)) {
    const int repetitions = repetitionsIn(0.05, trip, 10, 200);
    director.roundTrips(partner, 1, 3); // the partner may have slept
    const double half = medianOf(director.roundTrips(partner, 1, repetitions).roundTrip) / 2;
    if (partner != partners[0])
      director.rest(partner);
    latencies.push_back(std::max(half - smallest.send - smallest.receive, 0.0));
    link.latencies.emplace_back(worldRanks[static_cast<std::size_t>(partner)], latencies.back());
  }
  if (latencies.size() < 2)
    return;
  const auto [least, most] = std::minmax_element(latencies.begin(), latencies.end());
  link.figures.L.median = medianOf(latencies);
  if (*most - *least <= link.figures.L.median / 10)
    return;
  link.figures.L.note +=
      (link.figures.L.note.empty() ? "" : "; ") +
      formatted("differs from rank to rank, from %.3f to %.3f us", *least * 1e6, *most * 1e6);
}

} // namespace

CalibratedLink measureLink(Director &director, const std::vector<int> &partners,
                           const std::vector<int> &worldRanks, double seconds,
                           ProgressLine &progress) {
  const double start = MPI_Wtime();
  const int partner = partners.front();
  CalibratedLink link;
  director.roundTrips(partner, 1024, 10); // sets up connections and wakes sleepers
  const double trip = medianOf(director.roundTrips(partner, 1, 20).roundTrip);
  findEagerLimit(director, partner, link);
  const std::vector<int> large = largeSizes(director, partner);
  std::vector<CalibrationRound> rounds;
  while (rounds.size() < leastRounds ||
         (rounds.size() < mostRounds && MPI_Wtime() - start < seconds)) {
    rounds.push_back(measureRound(director, partner, large, trip));
    progress.advance();
  }
  link.figures = fitLink(rounds);
  link.rounds = static_cast<int>(rounds.size());
  summarise(rounds, link);
  compareLatencies(director, partners, worldRanks, trip, link);
  director.rest(partner);
  return link;
}

std::vector<CalibratedIncast> measureIncast(Director &director, const std::vector<int> &senders,
                                            const LinkFigures &link, double seconds,
                                            ProgressLine &progress) {
  constexpr double share = 2;                        // seconds for the repetitions of one row
  constexpr std::size_t most = std::size_t{1} << 26; // bytes under way at once
  constexpr int leastTimes = 3, mostTimes = 21;
  const double start = MPI_Wtime();
  std::vector<CalibratedIncast> rows;
  std::vector<std::size_t> counts;
  for (std::size_t count = 2; count < senders.size(); count *= 2)
    counts.push_back(count);
  counts.push_back(senders.size());
  for (int bytes : {10'000, 100'000, 1'000'000}) {
    for (std::size_t count : counts) {
      const auto all = static_cast<double>(count) * bytes;
      if ((!rows.empty() && MPI_Wtime() - start > seconds) || all > most ||
          all * link.G.median * leastTimes > share)
        break;
      progress.advance();
      const std::vector<int> some(senders.begin(), senders.begin() + static_cast<long>(count));
      const double once = medianOf(director.manySenders(some, bytes, 1));
      const std::vector<double> times =
          director.manySenders(some, bytes, repetitionsIn(share, once, leastTimes, mostTimes));
      CalibratedIncast &row = rows.emplace_back();
      row.senders = static_cast<int>(count);
      row.bytes = bytes;
      row.seconds = figureOf(times);
      std::vector<double> factors;
      for (double time : times)
        factors.push_back(incastFactor(link, row.senders, bytes, time));
      row.factor = figureOf(std::move(factors));
      for (int sender : some)
        director.rest(sender);
    }
  }
  return rows;
}

} // namespace sendwright
