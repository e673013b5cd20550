// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages under LogGOPS, in simulated time: LogGP with processor time per byte (O) and a handshake
// for messages beyond the eager limit (S) (T. Hoefler, T. Schneider, A. Lumsdaine, "LogGOPSim",
// 2010). It knows nothing of programs: whoever drives it moves each rank's clock through what the
// rank does, and is told when a rank that waits can go on.
//
// A rank has one port to send and one to receive, each for messages between and within nodes. A
// message occupies a port for (n - 1) G, and the next one follows g later. A sender's processor is
// free again after o_send; messages queue at its port. A receiver's port takes messages in the
// order in which they arrive. Beyond the eager limit a request goes ahead, L long; when the receive
// is posted a grant comes back, L long, and then the data leaves. Neither needs a processor.
//
// A rank that waits for nothing cannot be overtaken by anything, so it runs ahead of simulated
// time; only messages go through the queue of events, one or (with a handshake) three entries each.
// An entry always lies in the future of the one that made it, so ports see messages in order of
// time.

#ifndef SENDWRIGHT_ANALYSIS_MACHINE_MESSAGESIMULATION_H
#define SENDWRIGHT_ANALYSIS_MACHINE_MESSAGESIMULATION_H

#include "analysis/machine/MessageCost.h"
#include "analysis/machine/SharedPorts.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

namespace sendwright {

/// How a message travels.
enum class Protocol : std::uint8_t {
  Eager,       ///< at once
  Handshake,   ///< when its receive is posted
  Interleaved, ///< at once, and between the packets of longer messages in the ports
};

class MessageSimulation {
public:
  static constexpr double unknownTime = std::numeric_limits<double>::infinity();

  /// `machine` must outlive this.
  MessageSimulation(const Machine &machine, std::size_t ranks);

  /// When each rank's processor is free, in seconds. Whoever drives a rank adds its computation.
  std::vector<double> clock;

  /// Makes room for messages and returns the number of the first. Constant time, amortised.
  std::uint32_t addMessages(std::uint32_t count);
  /// Gives that room back when all of them are done with; the same count as it was asked for.
  void releaseMessages(std::uint32_t first, std::uint32_t count);

  /// The sender's processor hands the message over: its clock moves on by o_send + n O. Each
  /// message once. O(log n) for n messages on their way.
  void send(std::uint32_t message, std::uint32_t sender, std::uint32_t receiver, double bytes,
            Protocol protocol);
  /// The receiver posts the receive, now. Needed before a message with a handshake can come; for
  /// others it does nothing.
  void post(std::uint32_t message, std::uint32_t receiver);
  /// The receive is there whenever the message comes: in place of post(), before send().
  void expect(std::uint32_t message) { flights[message].posted = 0; }
  /// What was never sent itself has come in another message, which `sender` handed over at `begun`:
  /// it is there at `time`, and costs its receiver nothing more.
  void deliver(std::uint32_t message, double time, std::uint32_t sender, double begun);

  /// The same, when that lies in the future: who waits for the message is woken then.
  void deliverLater(std::uint32_t message, std::uint32_t receiver, double time,
                    std::uint32_t sender, double begun);

  /// When the last byte has left; unknownTime while that is not settled.
  double leaves(std::uint32_t message) const { return flights[message].out; }
  /// When the last byte has arrived; unknownTime while that is not settled.
  double arrives(std::uint32_t message) const { return flights[message].in; }
  /// Has run() call resume(rank) when that is settled.
  void wakeWhenOut(std::uint32_t message) { flights[message].wakeSender = true; }
  void wakeWhenIn(std::uint32_t message) { flights[message].wakeReceiver = true; }

  /// Has run() call resume() for the receiver at the time at which it has arrived, and, of one that
  /// shakes hands, for the sender at the time at which it has left. Before it is sent.
  void report(std::uint32_t message) { flights[message].reported = true; }

  /// What a message's arrival hung on: the rank and time at which it was handed over, or, where its
  /// receive was posted too late, at which that was. Settled when it arrives.
  struct Cause {
    std::uint32_t rank = 0;
    double time = 0;
    bool lateReceiver = false;
  };
  Cause causeOf(std::uint32_t message) const;
  /// Whether it was sent with a handshake.
  bool shakesHands(std::uint32_t message) const { return flights[message].handshake; }
  /// What the receiver's processor spends on a message that has arrived: o_recv + n O.
  double receiveTime(std::uint32_t message) const;

  /// Settles events in order of time until none is left; calls `resume(rank, message)` for each
  /// rank that asked to be woken by a message, when it can go on. O(log n) an event.
  template <typename Resume> void run(Resume &&resume) {
    std::uint32_t message = 0;
    while (hasNext()) {
      const std::uint32_t woken = settleNext(message);
      if (woken != nobody)
        resume(woken, message);
    }
  }

  /// Events settled so far.
  std::uint64_t settled() const { return count; }

private:
  static constexpr std::uint32_t nobody = UINT32_MAX;

  struct Flight {
    double begun = 0;         // the sender's clock at send(); a late receiver's at post()
    double ready = 0;         // when the first byte may leave
    double out = unknownTime; // the last byte
    double in = unknownTime;
    double posted = unknownTime; // the receive, of a handshake
    double bytes = 0;
    std::uint32_t sender = 0, receiver = 0;
    bool handshake = false, requested = false;
    bool wakeSender = false, wakeReceiver = false;
    bool lateReceiver = false;
    bool delivered = false; // in another message
    bool reported = false, interleaved = false;
  };

  enum class Step : std::uint32_t {
    Leave,   // a message that had to wait for its turn among others enters the sender's port
    Arrive,  // the first byte is at the receiver's port
    Request, // the handshake's request is at the receiver
    Left,    // the last byte has left, or has arrived, and somebody is to be told
    Arrived
  };

  struct Entry {
    double time;
    std::uint32_t order; // of equal times the one that was made first
    std::uint32_t message;
    Step step;
    bool operator>(const Entry &other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  struct Ports {
    double out[2] = {}, in[2] = {}; // free from then on; between and within nodes
    std::uint32_t held = 0;         // messages that have not entered the port, in no known order
  };

  const LinkParameters &linkOf(const Flight &flight) const {
    return linkBetween(machine, flight.sender, flight.receiver);
  }
  /// Which of a rank's ports a message passes.
  std::uint32_t portOf(const LinkParameters &link) const {
    return &link == &machine.between || !machine.intra_ports ? 0 : 1;
  }
  /// What the request of a handshake takes, and the grant.
  double requestTime(const Flight &flight) const;
  void push(double time, std::uint32_t message, Step step);
  bool hasNext();
  std::uint32_t settleNext(std::uint32_t &message);
  std::uint32_t settleShared(std::uint32_t &message);
  /// When a message that is ready then begins to pass a port, which is free from `free` on; takes
  /// its time of the port.
  static double enterPort(const Flight &flight, const MessageCost &cost, double ready,
                          double &free);
  void leave(std::uint32_t message);
  void enterPorts(const Flight &flight, std::uint32_t message, double time, double seconds);
  void arrive(Flight &flight, double time);
  void grant(std::uint32_t message, double time);

  const Machine &machine;
  std::vector<Flight> flights;
  std::map<std::uint32_t, std::vector<std::uint32_t>> released; // by count
  std::vector<Entry> events;                                    // a heap
  std::vector<Ports> ports;
  std::unique_ptr<SharedPorts> shared; ///< null: messages pass ports one after another
  bool sharedIsNext = false;           ///< settled by hasNext()
  std::uint32_t made = 0;
  std::uint64_t count = 0;
};

} // namespace sendwright

#endif
