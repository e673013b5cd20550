// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From measured times to LogGP parameters, and how far each can be trusted.
//
// Times come in rounds. Every round holds each measurement between two ranks once, so each
// parameter is computed once a round; its median and spread over the rounds say how well it is
// known. The measurements are those of parameterised LogP: T. Kielmann, H. Bal and K. Verstoep,
// "Fast Measurement of LogP Parameters for Message Passing Platforms" (2000), after D. Culler et
// al., "Assessing Fast Network Interfaces" (1996): the duration of a call to send, the duration of
// a call to receive when the message is already there, a round trip, and messages that follow one
// another without a pause.

#ifndef SENDWRIGHT_ANALYSIS_CALIBRATION_CALIBRATION_H
#define SENDWRIGHT_ANALYSIS_CALIBRATION_CALIBRATION_H

#include <string>
#include <utility>
#include <vector>

namespace sendwright {

/// One figure over repeated measurements, in SI units.
struct Figure {
  double median = 0;
  double spread = 0;  ///< distance between the quartiles
  bool stable = true; ///< the spread is small enough for predictions
  std::string note;   ///< why it is not stable, or other remarks; may be empty
};

/// Measurements of small messages of one size, in seconds.
struct SizeTimes {
  double bytes = 0;
  double send = 0;      ///< the call that sends
  double receive = 0;   ///< a call that receives a message already there
  double roundTrip = 0; ///< there and back
};

/// Messages of one size that follow one another without a pause, in seconds.
struct StreamTimes {
  double bytes = 0;
  double interval = 0; ///< from one message to the next
};

/// One round of all measurements between two ranks.
struct CalibrationRound {
  std::vector<SizeTimes> small;   ///< ascending; at least two sizes, the first of 1 byte
  double interval = 0;            ///< between messages of that first size, without a pause
  std::vector<StreamTimes> large; ///< ascending; at least two sizes
};

/// The parameters between two ranks as docs/cost-model.md defines them.
struct LinkFigures {
  Figure L, o_send, o_recv, g, G, O, O_recv;
  bool gapSeen = false; ///< g exceeds the time of both processors, which would hide it
};

/// One round of streams between several pairs of ranks at the same time, all from one node to
/// another: times from one message to the next at the nodes' ports.
struct NodePortRound {
  double interval = 0;            ///< of messages of 1 byte
  std::vector<StreamTimes> large; ///< at least two sizes
};

/// The port that the ranks of a node share.
struct NodePortFigures {
  Figure g, G;
  bool gapSeen = false; ///< g exceeds the part of the ranks' own time that would hide it
};

/// The port from the rounds, at least one, of `pairs` pairs: G is the slope of the interval over
/// the size, at least what the ranks' own G allows; g is the interval of small messages if it is
/// longer than what the ranks' own parameters allow by more than a tenth. Otherwise g is 0, with a
/// note.
NodePortFigures fitNodePort(const std::vector<NodePortRound> &rounds, int pairs,
                            const LinkFigures &between);

/// Median and spread of samples; (0, 0) without samples. Stable if the spread is within a tenth of
/// the median, or within `negligible`. O(n log n).
Figure figureOf(std::vector<double> samples, double negligible = 0);

/// The parameters from the rounds, at least one:
///  o_send + n O and o_recv + n O_recv are straight lines through the times of the calls;
///  L is what half a round trip of 1 byte takes beyond the two calls (not stable if nothing is
///  left); G is the slope of the interval over the size of large messages; g is the interval of
///  small messages, if it is longer than either call by more than a tenth.
/// Otherwise g is hidden: it is 0, with a note that gives its upper bound. Parts below a hundredth
/// of a message's time may vary freely. Linear in the measurements.
LinkFigures fitLink(const std::vector<CalibrationRound> &rounds);

/// The figures with their names in machine files.
std::vector<std::pair<const char *, Figure *>> namedFigures(LinkFigures &link);

/// Marks a figure as "not stable" for a reason other than its spread; keeps what the note says
/// already.
void markUnstable(Figure &figure, const std::string &reason);

} // namespace sendwright

#endif
