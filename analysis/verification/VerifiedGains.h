// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run with SENDWRIGHT_VERIFY measured at each site of its plan: a table for a person, and a
// JSON file for `sendwright plan --verified` (docs/file-formats.md).

#ifndef SENDWRIGHT_ANALYSIS_VERIFICATION_VERIFIEDGAINS_H
#define SENDWRIGHT_ANALYSIS_VERIFICATION_VERIFIEDGAINS_H

#include "analysis/trace/Profile.h"
#include "analysis/verification/MeasuredGain.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sendwright {

/// A site, or the calls of a function on a communicator.
struct VerifiedSite {
  SiteIdentity site;            ///< says nothing of calls
  std::string transformation;   ///< stem
  std::uint64_t executions = 0; ///< of the rank with the most
  std::optional<MeasuredGain> gain;
  std::string problem; ///< why there is no gain
  // For calls:
  std::string function = ""; ///< of MPI; "" for a site
  int callers = 0;           ///< ranks of the communicator
  std::uint64_t digest = 0;  ///< of function and communicator, in all runs with as many ranks

  /// "halo.c:120" or "MPI_Alltoallv on 64 ranks"
  std::string display() const;
};

struct VerifiedGains {
  int ranks = 0;
  std::vector<VerifiedSite> sites;

  /// The entry for a site that the transformation rewrites, or null.
  const VerifiedSite *find(const SiteIdentity &site, const std::string &transformation) const;
};

/// "0.0123 s as written, 0.0100 s as planned: gain 18.7 % (17.9 to 19.4, 120 pairs)"
std::string describe(const MeasuredGain &gain);

/// One line for each site or function, with a head; each line ends with a newline.
std::string tableOf(const VerifiedGains &gains);

/// The content of the file.
std::string encodeVerifiedGains(const VerifiedGains &gains);
/// Reads such a file. Throws FormatError, "FILE:LINE: ...".
VerifiedGains readVerifiedGains(const std::string &name);
/// The same from memory; `name` is for messages.
VerifiedGains parseVerifiedGains(const std::string &text, const std::string &name);

} // namespace sendwright

#endif
