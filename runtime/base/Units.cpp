// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/base/Units.h"

#include "runtime/base/Interception.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace sendwright {

namespace {

std::atomic<sendwright_unit *> units{nullptr};
bool fortranStarted = false;

/// The base address of the module that holds `address`; null if unknown.
void *moduleOf(void *address, const char **name = nullptr) {
  Dl_info info;
  if (!dladdr(address, &info))
    return nullptr;
  if (name)
    *name = info.dli_fname;
  return info.dli_fbase;
}

/// The address that the program's calls of MPI_Send reach: resolved by the dynamic linker, as they
/// are.
void *resolvedSend() {
  int (*volatile send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
  return reinterpret_cast<void *>(send);
}

/// Keeps the shared library that contains `address` loaded, since its sites and call addresses are
/// read until MPI_Finalize.
void keepLoaded(void *address) {
  const char *name = nullptr;
  if (moduleOf(address, &name) && name)
    if (void *handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE))
      dlclose(handle);
}

} // namespace

sendwright_unit *registeredUnits() { return units.load(std::memory_order_acquire); }

const sendwright_unit *firstUnitWithPlan() {
  const sendwright_unit *unit = registeredUnits();
  while (unit && (unit->mode != SENDWRIGHT_UNIT_USE || !unit->plan))
    unit = unit->next;
  return unit;
}

bool disabled() {
  static const bool value = [] {
    const char *text = std::getenv("SENDWRIGHT_DISABLE");
    return text && *text && std::strcmp(text, "0") != 0;
  }();
  return value;
}

bool callsReachRuntime() {
  static const bool reached = [] {
    const char *name = "?";
    void *resolved = moduleOf(resolvedSend(), &name);
    // If an executable is not position-independent and takes the function's address, all modules
    // use an address inside the executable; its calls still come here.
    void *executable = moduleOf(reinterpret_cast<void *>(getauxval(AT_PHDR)));
    const bool ours = !resolved || resolved == executable ||
                      resolved == moduleOf(reinterpret_cast<void *>(&disabled));
    if (!ours && !disabled())
      sayOnce(
          "MPI_Send comes from %s, not from Sendwright, so no message is recorded or reordered; "
          "link -lsendwright before it",
          name);
    return ours;
  }();
  return reached;
}

bool startedByFortran() { return fortranStarted; }

void noteStartByFortran() { fortranStarted = true; }

bool addUnit(sendwright_unit *unit) {
  for (const sendwright_unit *known = registeredUnits(); known; known = known->next)
    if (known == unit)
      return false;
  keepLoaded(unit);
  unit->next = units.load(std::memory_order_relaxed);
  while (!units.compare_exchange_weak(unit->next, unit, std::memory_order_release))
    ;
  return true;
}

} // namespace sendwright
