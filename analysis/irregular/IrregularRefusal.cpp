// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/irregular/IrregularRefusal.h"

#include "analysis/file/FigureText.h"
#include "analysis/verification/VerifiedGains.h"

namespace sendwright {

namespace {

std::string whyUnknown(MpiFunctionId function) {
  return mpiFunction(function).operation // a root is always known
             ? " calls some rank has data for more than half of the others, or its blocks change "
               "too often to be recorded"
             : " calls some rank's blocks change too often to be recorded, or MPI alone knows "
               "which goes where";
}

} // namespace

std::string callTimesText(double planned, double written) {
  return microseconds(planned) + " instead of " + microseconds(written) + " a call";
}

std::string textOf(const IrregularRefusal &refusal) {
  const std::string count = std::to_string(refusal.count);
  switch (refusal.obstacle) {
  case IrregularObstacle::NotRecorded:
    return "no call of all its ranks was recorded";
  case IrregularObstacle::ManyRanks:
    return "more than " + count + " ranks call it, for which its time is not predicted";
  case IrregularObstacle::DoesNotWait:
    return "a rank goes on before its blocks have arrived, so it would not pass on blocks of "
           "others, and messages of their own are what MPI sends";
  case IrregularObstacle::UnknownBlocks:
    return "in " + count + " of " + std::to_string(refusal.otherCount) +
           whyUnknown(refusal.function);
  case IrregularObstacle::NotClearlyFaster:
    return "messages of its own are not predicted to be clearly faster (" +
           callTimesText(refusal.planned, refusal.written) + ")";
  case IrregularObstacle::GainsLessThanStart:
    return "its " + count + " calls would gain " + gainText(refusal.gain) +
           ", less than the start takes (" + gainText(refusal.limit) + ")";
  case IrregularObstacle::MeasuredLoss:
    return "measured to be slower than as written: " + describe(refusal.measured);
  case IrregularObstacle::BuffersPlanned:
    return "buffers are planned for the calls as written";
  }
  return "";
}

} // namespace sendwright
