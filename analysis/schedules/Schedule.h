// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every rank does in a collective operation: a list of sends and receives, and what each
// message carries.
//
// Data are slots: blocks of the data that is moved, or pieces of the data that is reduced. A
// message carries slots of its sender; its receiver stores them or combines them with its own.

#ifndef SENDWRIGHT_ANALYSIS_SCHEDULES_SCHEDULE_H
#define SENDWRIGHT_ANALYSIS_SCHEDULES_SCHEDULE_H

#include <cstdint>
#include <utility>
#include <vector>

namespace sendwright {

/// What a receiver does with the slots that arrive.
enum class Arrival : std::uint8_t {
  Store,        ///< replaces its own
  CombineLeft,  ///< received * own: what arrives comes first
  CombineRight, ///< own * received
};

struct ScheduledMessage {
  std::uint32_t from = 0, to = 0;
  std::uint64_t bytes = 0;
  Arrival arrival = Arrival::Store;
};

/// One operation of a rank. Sends do not wait; a receive waits for its message.
struct ScheduledOperation {
  std::uint32_t message = 0; ///< index into Schedule::messages
  bool isSend = false;
};

struct Schedule {
  std::vector<std::vector<ScheduledOperation>> ranks; ///< in the order of each rank
  std::vector<ScheduledMessage> messages;
  std::vector<std::vector<std::uint32_t>> slots; ///< by message, if they were asked for
};

/// Whether a schedule lists the slots that its messages carry; only verification needs them.
enum class SlotsKept : std::uint8_t { No, Yes };

/// Builds a schedule from operations in any order that keeps the order of each rank.
class ScheduleBuilder {
public:
  explicit ScheduleBuilder(std::size_t ranks, SlotsKept kept) : kept(kept) {
    schedule.ranks.resize(ranks);
  }

  /// `from` begins to send; `slots()` gives the message's slots. Returns the message.
  template <typename Slots>
  std::uint32_t send(std::size_t from, std::size_t to, std::uint64_t bytes, Slots &&slots,
                     Arrival arrival = Arrival::Store) {
    const auto message = static_cast<std::uint32_t>(schedule.messages.size());
    schedule.messages.push_back(
        {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), bytes, arrival});
    if (kept == SlotsKept::Yes)
      schedule.slots.push_back(slots());
    schedule.ranks[from].push_back({message, true});
    return message;
  }

  /// The receiver of `message` takes it.
  void receive(std::uint32_t message) {
    schedule.ranks[schedule.messages[message].to].push_back({message, false});
  }

  /// A send and its receive, if the receive is the receiver's next operation.
  template <typename Slots>
  void pass(std::size_t from, std::size_t to, std::uint64_t bytes, Slots &&slots,
            Arrival arrival = Arrival::Store) {
    receive(send(from, to, bytes, std::forward<Slots>(slots), arrival));
  }

  /// Receives the messages from number `first` on: all ranks have sent in this step.
  void receiveFrom(std::uint32_t first) {
    for (auto message = first; message < schedule.messages.size(); ++message)
      receive(message);
  }
  std::uint32_t messages() const { return static_cast<std::uint32_t>(schedule.messages.size()); }

  Schedule take() { return std::move(schedule); }

private:
  Schedule schedule;
  SlotsKept kept;
};

/// Seconds until each rank is done with its receives and sends, if all ranks begin at 0. Messages
/// beyond the eager limit of `machine` wait until their receiver comes to the receive, which posts
/// it. Runs MessageSimulation; O(m log m) for m messages if they pass ports one after another.
std::vector<double> simulateSchedule(const Schedule &schedule, const struct Machine &machine);

} // namespace sendwright

#endif
