// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ports that messages share: each of n messages at a port goes at 1/n of its speed, and a message
// is at its sender's port and at its receiver's at once, so that it goes as fast as the busier of
// the two lets it. So do connections of TCP, and the flows of SimGrid, but for this: what a message
// leaves of its share because its other port is busier, nobody takes.
//
// A change at a port changes the speed of the messages there alone. It takes effect when simulated
// time goes on, so that what begins or ends at one time is looked at once, and at ports with more
// than 32 messages when their number has changed by a 32nd: a port that n messages enter one after
// another would else take n^2 steps.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_SHAREDPORTS_H
#define SENDWRIGHT_ANALYSIS_MACHINE_SHAREDPORTS_H

#include <cstdint>
#include <limits>
#include <vector>

namespace sendwright {

class SharedPorts {
public:
  explicit SharedPorts(std::size_t ports) : atPort(ports), counted(ports), changed(ports) {}

  static constexpr double never = std::numeric_limits<double>::infinity();

  /// A message enters two different ports at `time`, which is none before that of an earlier call.
  /// Alone it would take `seconds`. O(1).
  void enter(double time, std::uint32_t message, std::uint32_t out, std::uint32_t in,
             double seconds);

  /// Changes wait for simulated time to go beyond this; it is at most that of next().
  bool hasChanges() const { return !changedPorts.empty() || !entered.empty(); }
  double changesSince() const { return now; }

  /// When the next message leaves its ports; `never` where there is none. Puts changes into effect:
  /// O(n log m) for n messages at the changed ports and m at all.
  double next();
  /// Takes out that message. Only after next().
  std::uint32_t takeNext();

private:
  struct Flow {
    std::uint32_t message = 0, out = 0, in = 0;
    double left = 0; // seconds, were it alone
    double since = 0;
    double speed = 0;          // 1: alone
    std::uint32_t version = 0; // of its expected end
  };
  struct End {
    double time;
    std::uint32_t flow, version;
    bool operator>(const End &other) const {
      return time != other.time ? time > other.time : flow > other.flow;
    }
  };

  void change(std::uint32_t port);
  void setSpeed(std::uint32_t flow);
  void removeFrom(std::uint32_t port, std::uint32_t flow);

  std::vector<Flow> flows;
  std::vector<std::uint32_t> unused;              // of flows
  std::vector<std::vector<std::uint32_t>> atPort; // flows
  std::vector<std::size_t> counted;               // how many of these the speeds are for
  std::vector<char> changed;                      // by port
  std::vector<std::uint32_t> entered;             // flows that have no speed
  std::vector<std::uint32_t> changedPorts;
  std::vector<End> ends; // a heap; those of an older version do not count
  double now = 0;
};

} // namespace sendwright

#endif
