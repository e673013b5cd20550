// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a program scales, from profiles of runs with several numbers of ranks: speed-up, efficiency,
// and the isoefficiency function, which says how fast the work must grow with the ranks to keep the
// efficiency constant. A. Grama, A. Gupta and V. Kumar, "Isoefficiency: Measuring the Scalability
// of Parallel Algorithms and Architectures" (1993).
//
// The overhead of a run on p ranks that takes T_p is T_o = p T_p - T_s, where T_s is the time of
// one processor for the same work. A law T_o = a f(p) T_s^c is fitted to the runs. The efficiency
// is E = 1 / (1 + T_o / T_s), so it stays constant if T_s = K T_o with K = E / (1 - E).
//
// In some programs T_o / T_s falls only with the logarithm of the work, as in a sort whose ranks
// pass all their data on p times: then the work must grow exponentially.

#ifndef SENDWRIGHT_ANALYSIS_SCALING_SCALING_H
#define SENDWRIGHT_ANALYSIS_SCALING_SCALING_H

#include "analysis/trace/Profile.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// The figures of one run. Times in seconds.
struct ScalingRun {
  std::string name; ///< of the file, for reports
  int ranks = 1;
  double seconds = 0;       ///< from MPI_Init to MPI_Finalize, of the slowest rank
  double computation = 0;   ///< outside MPI, summed over all ranks
  double communication = 0; ///< inside MPI, likewise
  double size = 1;          ///< the work, in any unit proportional to the time of one processor
};

/// Reads the times of a profile; `name` is for messages. Throws FormatError if the profile has no
/// times, like an imported trace. Linear in the distinct events.
ScalingRun scalingRunOf(const Profile &profile, const std::string &name);

/// Where T_s comes from.
enum class SerialTime {
  Given,      ///< by the user
  OneRank,    ///< a run on one rank
  Computation ///< the time outside MPI in the run with the fewest ranks, summed over its ranks
};

struct ScalingRow {
  ScalingRun run;
  double serial = 0;  ///< T_s for the run's size
  double speedUp = 0; ///< T_s / T_p
  double efficiency = 0;
  double communication = 0; ///< share of the ranks' time that is inside MPI, 0 to 1
  double overhead = 0;      ///< T_o
};

/// The form of f(p).
enum class OverheadShape {
  Power,        ///< p^exponent
  Linearithmic, ///< p log2 p
  Logarithmic   ///< p^exponent, and T_s / (ln T_s + offset) in place of T_s^workExponent
};

/// T_o = factor f(p) T_s^workExponent, or factor p^exponent T_s / (ln T_s + offset), with T_s in
/// seconds; fitted in logarithms.
struct OverheadLaw {
  OverheadShape shape = OverheadShape::Power;
  double factor = 0;
  double exponent = 1;     ///< of p; for Power and Logarithmic
  double workExponent = 0; ///< 0 if all runs have the same work
  double offset = 0;       ///< for Logarithmic
  /// Root of the sum of squared deviations of ln T_o divided by the degrees of freedom: 0.1 means a
  /// tenth. Nothing if there are no more runs than parameters: then the law goes through all runs,
  /// and nothing is known about its quality.
  std::optional<double> residual;
  /// The part of the variance of ln T_o that the law explains; 1 if T_o is the same in all runs.
  double explained = 1;

  /// T_o of `ranks` ranks (2 or more) and work that takes one processor `serial` seconds.
  double overhead(double ranks, double serial) const;
  /// T_s at which `ranks` ranks have the efficiency (between 0 and 1). Nothing if the overhead
  /// grows at least as fast as the work, or if the work is more than a number can say: then no work
  /// is enough.
  std::optional<double> serialFor(double ranks, double efficiency) const;
};

/// Reasons to doubt that a law holds beyond the runs that it was fitted to.
enum class LawDoubt {
  FewRuns,     ///< fewer than four
  NoResidual,  ///< no more runs than parameters
  Deviates,    ///< the runs deviate by a fifth of their overhead or more
  Unexplained, ///< less than half of the variance of ln T_o is explained
  Implausible  ///< the exponents are negative, or the work would have to grow by more than p^4
};

/// What a run on fewer ranks should take at most if it does the work of a run on more, q ranks for
/// p: T_q <= p T_p / q + T_p.
struct ScaledDown {
  int ranks = 1; ///< q
  double size = 1;
  double seconds = 0; ///< that the run took
  double bound = 0;   ///< seconds
};

struct ScalingReport {
  std::vector<ScalingRow> rows; ///< by ranks, then size
  SerialTime source = SerialTime::OneRank;
  std::size_t fitted = 0;             ///< rows with at least two ranks and an overhead above 0
  std::vector<OverheadLaw> laws;      ///< that the rows determine, best fit first
  std::vector<ScaledDown> scaledDown; ///< all rows but those with the most ranks of their size
  bool severalSizes = false;
  bool sizeFollowsRanks = false; ///< several sizes, but their effect cannot be told from that of p
};

/// Why `law` should not be trusted beyond the report's runs; empty if there is no reason.
std::vector<LawDoubt> doubtsOf(const OverheadLaw &law, const ScalingReport &report);

/// Evaluates the runs, at least one. `serial`: T_s of the first run's size, if known. Linear in the
/// runs, except for sorting.
ScalingReport analyzeScaling(std::vector<ScalingRun> runs, std::optional<double> serial = {});

} // namespace sendwright

#endif
