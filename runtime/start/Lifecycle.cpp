// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When MPI begins and ends, and what is registered before. MPI_Init and MPI_Finalize are the only
// wrappers written by hand: they run whether anything is intercepted or not.

#include "runtime/start/Lifecycle.h"

#include "runtime/base/Interception.h"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace sendwright {

namespace {

std::atomic<sendwright_unit *> units{nullptr};
enum class Phase { Before, Running, After };
std::atomic<Phase> phase{Phase::Before};
bool fortranStarted = false;

/// The base address of the module that holds `address`, null where it is unknown.
void *moduleOf(void *address, const char **name = nullptr) {
  Dl_info info;
  if (!dladdr(address, &info))
    return nullptr;
  if (name)
    *name = info.dli_fname;
  return info.dli_fbase;
}

/// The address that the program's calls of MPI_Send go to: through the dynamic linker, as theirs.
void *resolvedSend() {
  int (*volatile send)(const void *, int, MPI_Datatype, int, int, MPI_Comm) = MPI_Send;
  return reinterpret_cast<void *>(send);
}

/// Keeps the shared library that `address` lies in loaded, since its sites and call addresses are
/// looked at until MPI_Finalize.
void keepLoaded(void *address) {
  const char *name = nullptr;
  if (moduleOf(address, &name) && name)
    if (void *handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE))
      dlclose(handle);
}

} // namespace

sendwright_unit *registeredUnits() { return units.load(std::memory_order_acquire); }

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
    // An executable that is not position-independent and takes the function's address owns the
    // address by which all modules know it; its calls still come here.
    void *executable = moduleOf(reinterpret_cast<void *>(getauxval(AT_PHDR)));
    const bool ours = !resolved || resolved == executable ||
                      resolved == moduleOf(reinterpret_cast<void *>(&disabled));
    if (!ours)
      sayOnce("MPI_Send is that of %s, not Sendwright's, so no message is recorded or reordered; "
              "link -lsendwright before it",
              name);
    return ours;
  }();
  return reached;
}

bool startedByFortran() { return fortranStarted; }

void beginLifecycle(bool byFortran) {
  int initialized = 0;
  if (PMPI_Initialized(&initialized) != MPI_SUCCESS || !initialized)
    return; // a failed start whose error handler returned
  Phase before = Phase::Before;
  if (!phase.compare_exchange_strong(before, Phase::Running))
    return;
  fortranStarted = byFortran;
  int threadLevel = MPI_THREAD_SINGLE;
  if (PMPI_Query_thread(&threadLevel) != MPI_SUCCESS)
    threadLevel = MPI_THREAD_MULTIPLE;
  startStrictBuffers(threadLevel);
  if (disabled() || !registeredUnits())
    return;
  startRecording(threadLevel);
  startBatches(threadLevel);
  startSynchronization(threadLevel);
  startJointPlans(threadLevel);
}

void endLifecycle() {
  Phase running = Phase::Running;
  if (!phase.compare_exchange_strong(running, Phase::After))
    return;
  endBatches();
  endCollectives();
  endExchanges();
  endSynchronization();
  endStrictBuffers();
  endRedistribution();
  endRecording();
}

} // namespace sendwright

extern "C" {

void sendwright_register(sendwright_unit *unit) {
  if (unit->version != SENDWRIGHT_RUNTIME_VERSION) {
    // Only the version's place is the same in every layout.
    sendwright::sayOnce(
        "an object file of this program was compiled for version %u of the runtime, "
        "which is version %u: it is left out; compile it again",
        unit->version, unsigned(SENDWRIGHT_RUNTIME_VERSION));
    return;
  }
  for (sendwright_unit *known = sendwright::registeredUnits(); known; known = known->next)
    if (known == unit)
      return;
  if (!sendwright::disabled())
    sendwright::callsReachRuntime(); // MPI_Init may never come here to say so
  sendwright::keepLoaded(unit);
  unit->next = sendwright::units.load(std::memory_order_relaxed);
  while (!sendwright::units.compare_exchange_weak(unit->next, unit, std::memory_order_release))
    ;
  if (sendwright::phase.load() == sendwright::Phase::Running && !sendwright::disabled()) {
    sendwright::startRecordingOf(unit);
    sendwright::startBatchesOf(unit);
  }
}

__attribute__((visibility("default"))) int MPI_Init(int *argc, char ***argv) {
  const int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS)
    sendwright::beginLifecycle();
  return result;
}

__attribute__((visibility("default"))) int MPI_Init_thread(int *argc, char ***argv, int required,
                                                           int *provided) {
  const int result = PMPI_Init_thread(argc, argv, required, provided);
  if (result == MPI_SUCCESS)
    sendwright::beginLifecycle();
  return result;
}

__attribute__((visibility("default"))) int MPI_Finalize(void) {
  sendwright::endLifecycle();
  return PMPI_Finalize();
}

} // extern "C"
