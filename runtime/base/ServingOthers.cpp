// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/ServingOthers.h"

namespace sendwright {

namespace {

void (*service)() = nullptr;

} // namespace

void serveOthersBy(void (*serve)()) { service = serve; }

bool servesOthers() { return service != nullptr; }

void serveOthers() {
  if (service)
    service();
}

} // namespace sendwright
