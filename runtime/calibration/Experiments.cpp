// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each experiment, the follower's part stands before the director's: read the two side by side.

#include "runtime/calibration/Experiments.h"

#include "runtime/calibration/Clock.h"

#include <algorithm>

namespace sendwright {

namespace {

/// The orders to a follower.
enum class Experiment : int { Answer, SendWhenAsked, TakeStreams, ReceiveWhenTold, Rest, End };

struct Order {
  Experiment experiment = Experiment::End;
  int bytes = 0;
  int count = 0;
  int repetitions = 0;
};

constexpr int orderTag = 1, messageTag = 2, tokenTag = 3;
constexpr double sleepingTime = 0.01; // between two checks for an order

void give(MPI_Comm communicator, int partner, const Order &order) {
  MPI_Send(&order, sizeof order, MPI_BYTE, partner, orderTag, communicator);
}

Order await(MPI_Comm communicator, bool resting) {
  for (int here = 0; resting && !here;) {
    MPI_Iprobe(0, orderTag, communicator, &here, MPI_STATUS_IGNORE);
    if (!here)
      sleepFor(sleepingTime);
  }
  Order order;
  MPI_Recv(&order, sizeof order, MPI_BYTE, 0, orderTag, communicator, MPI_STATUS_IGNORE);
  return order;
}

void sendToken(MPI_Comm communicator, int to) {
  char token = 0;
  MPI_Send(&token, 1, MPI_BYTE, to, tokenTag, communicator);
}

void receiveToken(MPI_Comm communicator, int from) {
  char token = 0;
  MPI_Recv(&token, 1, MPI_BYTE, from, tokenTag, communicator, MPI_STATUS_IGNORE);
}

char *roomIn(std::vector<char> &buffer, std::size_t bytes) {
  if (buffer.size() < bytes)
    buffer.resize(bytes);
  return buffer.data();
}

/// Posts `count` receives from the ranks that `source` gives, one after another.
template <typename Source>
std::vector<MPI_Request> postReceives(MPI_Comm communicator, char *buffer, int bytes, int count,
                                      Source &&source) {
  std::vector<MPI_Request> requests(static_cast<std::size_t>(count));
  for (std::size_t index = 0; index < requests.size(); ++index)
    MPI_Irecv(buffer + index * static_cast<std::size_t>(bytes), bytes, MPI_BYTE, source(index),
              messageTag, communicator, &requests[index]);
  return requests;
}

void waitForAll(std::vector<MPI_Request> &requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

/// The median cost of reading the clock.
double clockCostHere() {
  std::vector<double> costs(101);
  for (double &cost : costs) {
    const double before = MPI_Wtime();
    cost = MPI_Wtime() - before;
  }
  std::nth_element(costs.begin(), costs.begin() + 50, costs.end());
  return costs[50];
}

} // namespace

Director::Director(MPI_Comm communicator)
    : communicator(communicator), clockCost(clockCostHere()) {}

Director::~Director() {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  for (int rank = 1; rank < ranks; ++rank)
    give(communicator, rank, {});
}

char *Director::room(std::size_t bytes) { return roomIn(buffer, bytes); }

void Director::rest(int partner) {
  Order order;
  order.experiment = Experiment::Rest;
  give(communicator, partner, order);
}

// Round trips.

static void answer(MPI_Comm communicator, const Order &order, char *message) {
  for (int done = 0; done < order.repetitions; ++done) {
    MPI_Recv(message, order.bytes, MPI_BYTE, 0, messageTag, communicator, MPI_STATUS_IGNORE);
    MPI_Send(message, order.bytes, MPI_BYTE, 0, messageTag, communicator);
  }
}

RoundTrips Director::roundTrips(int partner, int bytes, int repetitions) {
  give(communicator, partner, {Experiment::Answer, bytes, 0, repetitions});
  char *message = room(2 * static_cast<std::size_t>(bytes)), *answer = message + bytes;
  RoundTrips times;
  for (int done = 0; done < repetitions; ++done) {
    MPI_Request request = MPI_REQUEST_NULL;
    const double start = MPI_Wtime();
    MPI_Isend(message, bytes, MPI_BYTE, partner, messageTag, communicator, &request);
    const double sent = MPI_Wtime();
    MPI_Recv(answer, bytes, MPI_BYTE, partner, messageTag, communicator, MPI_STATUS_IGNORE);
    const double back = MPI_Wtime();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    times.send.push_back(sent - start - clockCost);
    times.roundTrip.push_back(back - start - 2 * clockCost);
  }
  return times;
}

// Messages that arrive before they are received.

static void sendWhenAsked(MPI_Comm communicator, const Order &order, char *message) {
  for (int done = 0; done < order.repetitions; ++done) {
    receiveToken(communicator, 0);
    MPI_Send(message, order.bytes, MPI_BYTE, 0, messageTag, communicator);
  }
}

std::vector<double> Director::receivesOfEarly(int partner, int bytes, int repetitions,
                                              double pause) {
  give(communicator, partner, {Experiment::SendWhenAsked, bytes, 0, repetitions});
  char *message = room(static_cast<std::size_t>(bytes));
  std::vector<double> times;
  for (int done = 0; done < repetitions; ++done) {
    sendToken(communicator, partner);
    computeFor(pause);
    const double start = MPI_Wtime();
    MPI_Recv(message, bytes, MPI_BYTE, partner, messageTag, communicator, MPI_STATUS_IGNORE);
    times.push_back(MPI_Wtime() - start - clockCost);
  }
  return times;
}

// Messages without a pause.

static void takeStreams(MPI_Comm communicator, const Order &order, char *messages) {
  for (int done = 0; done < order.repetitions; ++done) {
    std::vector<MPI_Request> requests = postReceives(communicator, messages, order.bytes,
                                                     order.count, [](std::size_t) { return 0; });
    sendToken(communicator, 0);
    waitForAll(requests);
    sendToken(communicator, 0);
  }
}

std::vector<double> Director::streams(int partner, int bytes, int count, int repetitions) {
  give(communicator, partner, {Experiment::TakeStreams, bytes, count, repetitions});
  char *message = room(static_cast<std::size_t>(bytes));
  std::vector<double> times;
  for (int done = 0; done < repetitions; ++done) {
    std::vector<MPI_Request> requests(static_cast<std::size_t>(count), MPI_REQUEST_NULL);
    receiveToken(communicator, partner);
    const double start = MPI_Wtime();
    for (MPI_Request &request : requests)
      MPI_Isend(message, bytes, MPI_BYTE, partner, messageTag, communicator, &request);
    waitForAll(requests);
    receiveToken(communicator, partner);
    times.push_back(MPI_Wtime() - start - clockCost);
  }
  return times;
}

// A message whose receive is not posted.

static void receiveWhenTold(MPI_Comm communicator, const Order &order, char *message) {
  receiveToken(communicator, 0);
  MPI_Recv(message, order.bytes, MPI_BYTE, 0, messageTag, communicator, MPI_STATUS_IGNORE);
}

bool Director::waitsForReceive(int partner, int bytes, double patience) {
  give(communicator, partner, {Experiment::ReceiveWhenTold, bytes, 0, 1});
  char *message = room(static_cast<std::size_t>(bytes));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(message, bytes, MPI_BYTE, partner, messageTag, communicator, &request);
  int complete = 0;
  MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
  for (const double end = MPI_Wtime() + patience; !complete && MPI_Wtime() < end;) {
    sleepFor(patience / 10);
    MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
  }
  sendToken(communicator, partner);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return !complete;
}

// Many senders, each of which does what sendWhenAsked() says.

std::vector<double> Director::manySenders(const std::vector<int> &senders, int bytes,
                                          int repetitions) {
  for (int sender : senders)
    give(communicator, sender, {Experiment::SendWhenAsked, bytes, 0, repetitions});
  char *messages = room(senders.size() * static_cast<std::size_t>(bytes));
  std::vector<double> times;
  for (int done = 0; done < repetitions; ++done) {
    std::vector<MPI_Request> requests =
        postReceives(communicator, messages, bytes, static_cast<int>(senders.size()),
                     [&](std::size_t index) { return senders[index]; });
    const double start = MPI_Wtime();
    for (int sender : senders)
      sendToken(communicator, sender);
    waitForAll(requests);
    times.push_back(MPI_Wtime() - start - clockCost);
  }
  return times;
}

void follow(MPI_Comm communicator) {
  std::vector<char> buffer;
  bool resting = true;
  for (;;) {
    const Order order = await(communicator, resting);
    resting = false;
    char *room = roomIn(buffer, static_cast<std::size_t>(order.bytes) *
                                    static_cast<std::size_t>(std::max(order.count, 1)));
    switch (order.experiment) {
    case Experiment::Answer:
      answer(communicator, order, room);
      break;
    case Experiment::SendWhenAsked:
      sendWhenAsked(communicator, order, room);
      break;
    case Experiment::TakeStreams:
      takeStreams(communicator, order, room);
      break;
    case Experiment::ReceiveWhenTold:
      receiveWhenTold(communicator, order, room);
      break;
    case Experiment::Rest:
      resting = true;
      break;
    case Experiment::End:
      return;
    }
  }
}

} // namespace sendwright
