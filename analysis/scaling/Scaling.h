// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a program scales, from profiles of runs with several numbers of ranks: speed-up, efficiency,
// and the isoefficiency function, which says how fast the work must grow with the ranks so that the
// efficiency stays. A. Grama, A. Gupta and V. Kumar, "Isoefficiency: Measuring the Scalability of
// Parallel Algorithms and Architectures" (1993).
//
// The overhead of a run on p ranks that takes T_p is T_o = p T_p - T_s, where T_s is the time of
// one processor for the same work. A law T_o = a f(p) T_s^c is fitted to the runs; the efficiency
// is E = 1 / (1 + T_o / T_s), so that T_s = K T_o with K = E / (1 - E) keeps it.

#ifndef SENDWRIGHT_ANALYSIS_SCALING_SCALING_H
#define SENDWRIGHT_ANALYSIS_SCALING_SCALING_H

#include "analysis/trace/Profile.h"

#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// What one run says. Times in seconds.
struct ScalingRun {
  std::string name; ///< of the file, for reports
  int ranks = 1;
  double seconds = 0;       ///< from MPI_Init to MPI_Finalize, of the slowest rank
  double computation = 0;   ///< outside MPI, of all ranks together
  double communication = 0; ///< inside MPI, likewise
  double size = 1;          ///< the work, in any unit in which the time of one processor is linear
};

/// Reads the times of a profile; `name` is for messages. Throws FormatError where it has none, as
/// an imported trace. Linear in the distinct events.
ScalingRun scalingRunOf(const Profile &profile, const std::string &name);

/// Where T_s is from.
enum class SerialTime {
  Given,      ///< by the user
  OneRank,    ///< a run on one rank
  Computation ///< what the run with the fewest ranks spent outside MPI, all its ranks together
};

struct ScalingRow {
  ScalingRun run;
  double serial = 0;  ///< T_s for the run's size
  double speedUp = 0; ///< T_s / T_p
  double efficiency = 0;
  double communication = 0; ///< share of the ranks' time that is inside MPI, 0 to 1
  double overhead = 0;      ///< T_o
};

/// How f(p) is made.
enum class OverheadShape {
  Power,       ///< p^exponent
  Linearithmic ///< p log2 p
};

/// T_o = factor f(p) T_s^workExponent, fitted in logarithms.
struct OverheadLaw {
  OverheadShape shape = OverheadShape::Power;
  double factor = 0;
  double exponent = 1;     ///< of p; for a power
  double workExponent = 0; ///< 0 where all runs have the same work
  /// Root of the sum of squared deviations by degrees of freedom, of ln T_o: 0.1 is a tenth.
  /// Nothing where there are no more runs than parameters: the law then goes through all of them,
  /// and nothing is known of how good it is.
  std::optional<double> residual;

  /// T_o of `ranks` (2 or more) and work that takes one processor `serial` seconds.
  double overhead(double ranks, double serial) const;
  /// T_s at which `ranks` have the efficiency (between 0 and 1). Nothing where overhead grows as
  /// fast as the work, or faster: no work is enough then.
  std::optional<double> serialFor(double ranks, double efficiency) const;
};

/// Whether a law says anything beyond the runs that it was fitted to.
enum class LawDoubt {
  FewRuns,    ///< fewer than four
  NoResidual, ///< no more runs than parameters
  Deviates,   ///< the runs lie a fifth of their overhead or more beside it
  Implausible ///< the exponents are negative, or the work would have to grow by more than p^4
};

struct ScalingReport {
  std::vector<ScalingRow> rows; ///< by ranks, then size
  SerialTime source = SerialTime::OneRank;
  std::size_t fitted = 0;        ///< rows with two ranks or more, and an overhead above 0
  std::vector<OverheadLaw> laws; ///< those that the rows determine, the one that fits best first
  bool severalSizes = false;
  bool sizeFollowsRanks = false; ///< several sizes, but their part cannot be told from that of p
};

/// Why `law` is not to be trusted beyond the report's runs; empty where nothing speaks against it.
std::vector<LawDoubt> doubtsOf(const OverheadLaw &law, const ScalingReport &report);

/// Evaluates the runs, at least one. `serial`: T_s of the first run's size, where it is known.
/// Linear in the runs but for sorting.
ScalingReport analyzeScaling(std::vector<ScalingRun> runs, std::optional<double> serial = {});

} // namespace sendwright

#endif
