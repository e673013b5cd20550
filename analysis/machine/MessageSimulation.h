// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages under LogGOPS, in simulated time: LogGP with processor time for each byte (O) and a
// handshake for messages beyond the eager limit (S) (T. Hoefler, T. Schneider, A. Lumsdaine,
// "LogGOPSim", 2010). It knows nothing of programs: its driver moves each rank's clock through what
// the rank does, and is told when a waiting rank can go on.
//
// A rank has one port to send and one to receive, each for messages between and within nodes. A
// message occupies a port for (n - 1) G, and the next message follows g later. If the machine has
// node ports, a message between nodes passes the port of the sender's node behind the sender's own,
// and that of the receiver's node before the receiver's own, each for its own (n - 1) G and g. A
// sender's processor is free again after o_send; messages queue at its port. A receiver's port
// takes messages in the order in which they arrive. Beyond the eager limit a request goes ahead,
// which takes L; when the receive is posted a grant comes back, which takes L, and then the data
// leaves. Neither needs a processor.
//
// Nothing can overtake a rank that waits for nothing, so such a rank runs ahead of simulated time;
// only messages go through the queue of events, with one entry each or (with a handshake) three. An
// entry always lies in the future of the entry that made it, so ports see messages in order of
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
  Handshake,   ///< once its receive is posted
  Interleaved, ///< at once; passes between the packets of longer messages in the ports
};

class MessageSimulation {
public:
  static constexpr double unknownTime = std::numeric_limits<double>::infinity();

  /// `machine` must outlive this object.
  MessageSimulation(const Machine &machine, std::size_t ranks);

  /// When each rank's processor is free, in seconds. The driver adds a rank's computation.
  std::vector<double> clock;

  /// Makes room for messages and returns the number of the first. Amortised constant time.
  std::uint32_t addMessages(std::uint32_t count);
  /// Releases the room when all of these messages are done; `count` as in addMessages().
  void releaseMessages(std::uint32_t first, std::uint32_t count);

  /// The sender's processor hands the message over: its clock advances by o_send + n O. Once for
  /// each message. O(log n) for n messages under way.
  void send(std::uint32_t message, std::uint32_t sender, std::uint32_t receiver, double bytes,
            Protocol protocol);
  /// The receiver posts the receive, now. Required before a message with a handshake can come;
  /// without effect on other messages.
  void post(std::uint32_t message, std::uint32_t receiver);
  /// The receive is there before the message comes; call this instead of post(), before send().
  void expect(std::uint32_t message) { flights[message].posted = 0; }
  /// The message, which was never sent itself, has come inside another message that `sender` handed
  /// over at `begun`: it is there at `time`, and costs its receiver nothing more.
  void deliver(std::uint32_t message, double time, std::uint32_t sender, double begun);

  /// As deliver(), for a `time` in the future: a rank that waits for the message is woken then.
  void deliverLater(std::uint32_t message, std::uint32_t receiver, double time,
                    std::uint32_t sender, double begun);

  /// When the last byte leaves; unknownTime until this is settled.
  double leaves(std::uint32_t message) const { return flights[message].out; }
  /// When the last byte arrives; unknownTime until this is settled.
  double arrives(std::uint32_t message) const { return flights[message].in; }
  /// Makes run() call resume(rank) when that is settled.
  void wakeWhenOut(std::uint32_t message) { flights[message].wakeSender = true; }
  void wakeWhenIn(std::uint32_t message) { flights[message].wakeReceiver = true; }

  /// Makes run() call resume() for the receiver when the message has arrived and, with a handshake,
  /// for the sender when it has left. To be called before the message is sent.
  void report(std::uint32_t message) { flights[message].reported = true; }

  /// What a message's arrival depended on: the rank and time at which it was handed over or, if its
  /// receive was posted too late, at which the receive was posted. Settled when the message
  /// arrives.
  struct Cause {
    std::uint32_t rank = 0;
    double time = 0;
    bool lateReceiver = false;
  };
  Cause causeOf(std::uint32_t message) const;
  /// Whether the message was sent with a handshake.
  bool shakesHands(std::uint32_t message) const { return flights[message].handshake; }
  /// What the receiver's processor spends on a message that has arrived: o_recv + n O.
  double receiveTime(std::uint32_t message) const;

  /// Settles all events in order of time; calls `resume(rank, message)` when a rank that asked to
  /// be woken by a message can go on. O(log n) for each event.
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
    double out = unknownTime; // end of the last byte
    double in = unknownTime;
    double posted = unknownTime; // of the receive, with a handshake
    double bytes = 0;
    std::uint32_t sender = 0, receiver = 0;
    bool handshake = false, requested = false;
    bool wakeSender = false, wakeReceiver = false;
    bool lateReceiver = false;
    bool delivered = false; // inside another message
    bool reported = false, interleaved = false;
  };

  enum class Step : std::uint32_t {
    Leave,   // a message that had to wait for its turn enters the sender's port
    Depart,  // the first byte is at the port of the sender's node
    Arrive,  // the first byte is at the receiver's port, or at that of its node
    Request, // the handshake's request is at the receiver
    Left,    // the last byte has left, or has arrived, and somebody must be told
    Arrived
  };

  struct Entry {
    double time;
    std::uint32_t order; // among equal times the entry made first
    std::uint32_t message;
    Step step;
    bool operator>(const Entry &other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };

  struct Ports {
    double out[2] = {}, in[2] = {}; // free from this time on; between and within nodes
    std::uint32_t held = 0;         // messages that have not entered the port, in no particular
                                    // order
  };

  struct NodePorts {
    double out = 0, in = 0; // free from this time on
  };

  /// Whether a message passes the ports of two nodes.
  bool changesNode(const Flight &flight) const {
    return !nodePorts.empty() && nodeOf(machine, flight.sender) != nodeOf(machine, flight.receiver);
  }
  const LinkParameters &linkOf(const Flight &flight) const {
    return linkBetween(machine, flight.sender, flight.receiver);
  }
  /// Which of a rank's ports a message passes.
  std::uint32_t portOf(const LinkParameters &link) const {
    return &link == &machine.between || !machine.intra_ports ? 0 : 1;
  }
  /// The time of the handshake's request; the same for the grant.
  double requestTime(const Flight &flight) const;
  void push(double time, std::uint32_t message, Step step);
  bool hasNext();
  std::uint32_t settleNext(std::uint32_t &message);
  std::uint32_t settleShared(std::uint32_t &message);
  /// The time at which a message that is ready at `ready` begins to pass a port that is free from
  /// `free` on; advances `free`.
  static double enterPort(const Flight &flight, const MessageCost &cost, double ready,
                          double &free);
  void request(std::uint32_t message, double time);
  void leave(std::uint32_t message);
  void depart(std::uint32_t message, double time);
  void hasLeft(std::uint32_t message, double start, double out);
  /// A message needs `own` seconds of the ports of its two ranks, `ofNodes` of those of its nodes.
  void enterPorts(const Flight &flight, std::uint32_t message, double time, double own,
                  double ofNodes);
  void enterSharedPorts(std::uint32_t message, double time);
  double gapWithin(const Flight &flight, const MessageCost &cost) const;
  void arrive(Flight &flight, double time);
  void grant(std::uint32_t message, double time);

  const Machine &machine;
  std::vector<Flight> flights;
  std::map<std::uint32_t, std::vector<std::uint32_t>> released; // by count
  std::vector<Entry> events;                                    // a heap
  std::vector<Ports> ports;
  std::vector<NodePorts> nodePorts;    ///< by node; empty: nodes have none
  std::unique_ptr<SharedPorts> shared; ///< null: messages pass ports one after another
  bool sharedIsNext = false;           ///< set by hasNext()
  std::uint32_t made = 0;
  std::uint64_t count = 0;
};

} // namespace sendwright

#endif
