// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ports that messages share: each of n messages at a port gets 1/n of its speed. A message is at
// all its ports, its sender's and its receiver's, at the same time, so it moves as fast as the
// busiest lets it. TCP connections and SimGrid's flows behave like this, except that here nobody
// takes the share that a message leaves unused because another of its ports is busier.
//
// A change at a port changes only the speed of the messages there. It takes effect when simulated
// time advances, so that everything that begins or ends at one time is handled once. At ports with
// more than 32 messages it takes effect when their number has changed by a 32nd: otherwise a port
// that n messages enter one after another would take n^2 steps.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_SHAREDPORTS_H
#define SENDWRIGHT_ANALYSIS_MACHINE_SHAREDPORTS_H

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace sendwright {

class SharedPorts {
public:
  explicit SharedPorts(std::size_t ports) : atPort(ports), counted(ports), changed(ports) {}

  static constexpr double never = std::numeric_limits<double>::infinity();

  /// What a message that is alone needs of a port.
  struct Passage {
    std::uint32_t port = 0;
    double seconds = 0;
  };
  static constexpr std::size_t mostPassages = 4;

  /// A message enters up to four different ports at `time`, which must not decrease from call to
  /// call. Alone it takes as long as at the slowest of them. O(1).
  void enter(double time, std::uint32_t message, std::span<const Passage> passages);

  /// Whether changes wait for simulated time to pass changesSince(), which is at most next().
  bool hasChanges() const { return !changedPorts.empty() || !entered.empty(); }
  double changesSince() const { return now; }

  /// When the next message leaves its ports, or `never`. Puts changes into effect: O(n log m) for n
  /// messages at the changed ports and m in all.
  double next();
  /// Takes out the message that leaves next. Only after next().
  std::uint32_t takeNext();

private:
  struct Flow {
    std::uint32_t message = 0;
    std::uint32_t ports[mostPassages] = {};
    double most[mostPassages] = {}; // its speed if a port were its own and the others infinitely
                                    // fast
    std::size_t count = 0;          // of ports
    double left = 0;                // seconds, if it were alone
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
  std::vector<std::size_t> counted;               // by port: the number of flows that speeds were
                                                  // computed for
  std::vector<char> changed;                      // by port
  std::vector<std::uint32_t> entered;             // flows without a speed yet
  std::vector<std::uint32_t> changedPorts;
  std::vector<End> ends; // a heap; entries of an older version do not count
  double now = 0;
};

} // namespace sendwright

#endif
