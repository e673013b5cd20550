// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/Process.h"

namespace sendwright {

constinit Process process;

void Process::finish() {
  for (std::size_t place = layerPlaces; place-- > 0;)
    if (Layer *layer = reachable[place])
      layer->finish();
}

} // namespace sendwright
