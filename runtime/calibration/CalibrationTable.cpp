// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/calibration/CalibrationTable.h"

#include "analysis/calibration/MeasuredCollectives.h"

#include <cstdio>
#include <string>

namespace sendwright {

namespace {

/// "not stable: why", or the note alone.
std::string remarkOn(const Figure &figure) {
  return figure.stable ? figure.note : "not stable: " + figure.note;
}

void printFigure(const char *title, const Figure &figure, double unit, const char *unitName) {
  std::printf("  %-36s %12.4f %12.4f %-8s %s\n", title, figure.median / unit, figure.spread / unit,
              unitName, remarkOn(figure).c_str());
}

void printLink(const char *title, const CalibratedLink &link) {
  const LinkFigures &figures = link.figures;
  std::printf("\n%s, %d rounds\n  %-36s %12s %12s\n", title, link.rounds, "", "median", "spread");
  printFigure("latency (L)", figures.L, 1e-6, "us");
  printFigure("to send a message (o_send)", figures.o_send, 1e-6, "us");
  printFigure("to receive a message (o_recv)", figures.o_recv, 1e-6, "us");
  if (figures.gapSeen)
    printFigure("between messages of a rank (g)", figures.g, 1e-6, "us");
  else
    std::printf("  %-36s %12s %12s %-8s %s\n", "between messages of a rank (g)", "-", "-", "us",
                remarkOn(figures.g).c_str());
  printFigure("per byte (G)", figures.G, 1e-9, "ns/byte");
  printFigure("processor time per byte (O)", figures.O, 1e-9, "ns/byte");
  printFigure("of a receiver (O_recv)", figures.O_recv, 1e-9, "ns/byte");
  std::printf("  %-36s %12.0f %12s %-8s %s\n", "sent without waiting (eager limit)",
              link.eagerLimit, "", "bytes",
              link.eagerLimitFound ? "" : "or more (no larger send was tried)");
}

} // namespace

void printCalibration(const CalibratedMachine &machine) {
  if (machine.between)
    printLink("between nodes", *machine.between);
  if (machine.within)
    printLink("within a node", *machine.within);
  if (machine.nodePort) {
    std::printf("\nport of a node, which its ranks share\n");
    if (machine.nodePort->gapSeen)
      printFigure("between messages (g)", machine.nodePort->g, 1e-6, "us");
    else
      std::printf("  %-36s %12s %12s %-8s %s\n", "between messages (g)", "-", "-", "us",
                  remarkOn(machine.nodePort->g).c_str());
    printFigure("per byte (G)", machine.nodePort->G, 1e-9, "ns/byte");
  }
  if (!machine.between)
    std::printf("\nall ranks are on one node: the file gives its figures for messages between "
                "nodes, too\n");
  if (!machine.incast.empty())
    std::printf("\nmany senders to one receiver, %s\n  %7s %10s %14s %12s %12s\n",
                machine.between ? "between nodes" : "within the node", "senders", "bytes",
                "median, us", "factor", "spread");
  for (const CalibratedIncast &row : machine.incast)
    std::printf("  %7d %10.0f %14.3f %12.3f %12.3f %s\n", row.senders, row.bytes,
                row.seconds.median * 1e6, row.factor.median, row.factor.spread,
                remarkOn(row.factor).c_str());
  if (!machine.collectives.empty())
    std::printf("\nMPI's own collectives, %d ranks\n  %-13s %10s %14s %12s\n", machine.ranks, "",
                "bytes", "median, us", "spread");
  for (const CalibratedCollective &row : machine.collectives)
    std::printf("  %-13s %10.0f %14.3f %12.3f %s\n",
                std::string(libraryFunctionOf(row.operation)).c_str(), row.bytes,
                row.seconds.median * 1e6, row.seconds.spread * 1e6, remarkOn(row.seconds).c_str());
  const std::size_t unstable = unstableFigures(machine).size();
  std::printf("\nmeasured in %.1f s; %zu figures are not stable\n", machine.seconds, unstable);
}

} // namespace sendwright
