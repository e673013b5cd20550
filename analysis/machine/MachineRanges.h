// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges for the parameters of a machine, so that times of runs are finite and every step of a
// simulation advances time. All readers of machines, from JSON or from plans, check them.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_MACHINERANGES_H
#define SENDWRIGHT_ANALYSIS_MACHINE_MACHINERANGES_H

namespace sendwright {

inline constexpr double leastMachineSeconds = 1e-18; ///< the smallest time but 0
inline constexpr double mostMachineSeconds = 1e6;    ///< of a message, or of a byte
inline constexpr double mostMachineBytes = 1e18;
inline constexpr double mostIncastFactor = 1e6;

inline bool isMachineTime(double seconds) {
  return seconds == 0 || (seconds >= leastMachineSeconds && seconds <= mostMachineSeconds);
}

} // namespace sendwright

#endif
