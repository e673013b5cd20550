// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/machine/Machine.h"

namespace sendwright {

Machine defaultMachine() {
  Machine machine;
  machine.name = "default: switched Gigabit Ethernet";
  machine.between.L = 30e-6;
  machine.between.o_send = 10e-6;
  machine.between.o_recv = 10e-6;
  machine.between.g = 10e-6;
  machine.between.G = 8e-9; // 125 MB/s
  machine.between.eager_limit = 65536;
  return machine;
}

} // namespace sendwright
