// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime knows of this process: one object, which owns the states of the layers.
//
// A layer's state is a class derived from Layer that names its place. A layer begins when it hands
// its state to the process; it reaches the state through its own accessor function, which is an
// inline load from a fixed address. In MPI_Finalize the layers finish from the top down. The states
// stay until the process ends, since the program may call MPI until then. This file names the
// layers, as Interception.h does, but knows nothing about their contents.
//
// A layer that has to tell a layer above declares an abstract listener, a place of its own; the
// layer above hands its listener to the process.
//
// Outside of the process object stay: what belongs to a thread (thread_local); what must be there
// before MPI begins, or without memory (units, the phase of the process, the duty to answer rank 0
// about the profile); flags that wrappers test in every call (sendwright_interception, pausing);
// and what a signal handler reads (UnfinishedRun.cpp).

#ifndef SENDWRIGHT_RUNTIME_BASE_PROCESS_H
#define SENDWRIGHT_RUNTIME_BASE_PROCESS_H

#include <cstddef>
#include <memory>
#include <utility>

namespace sendwright {

/// The layers that keep a state, from the bottom up.
enum class LayerPlace : std::size_t {
  RedistributionGroups,
  RedistributionSchedules,
  Recording,
  MarkedScopes, ///< told about scopes in place of the recorder
  PrivateCommunicator,
  Verification,
  ChainTurns,
  StrictBuffers,
  StrictProgress, ///< told about the progress of strict buffers
  Batches,
  LearnedScopes, ///< told about scopes whose plan is for other numbers of ranks
  Completion,
  Synchronization,
  Sharing,
  Learning,
  Collectives,
  Irregular,
};
inline constexpr std::size_t layerPlaces = static_cast<std::size_t>(LayerPlace::Irregular) + 1;

/// The state of a layer. A class derived from it has a `static constexpr LayerPlace place`, and has
/// Layer as its first base.
class Layer {
public:
  Layer() = default;
  Layer(const Layer &) = delete;
  Layer &operator=(const Layer &) = delete;
  virtual ~Layer() = default;

  /// This rank is in MPI_Finalize, and all others are or will be: does what other ranks wait for,
  /// and frees what belongs to MPI. The layers above have finished.
  virtual void finish() {}
};

/// Not thread-safe, except for find(), and that threads may begin different layers at the same
/// time. Never destroyed.
class Process {
public:
  /// The state of a layer; null if the layer has not begun or has been left.
  template <typename State> State *find() const noexcept {
    return static_cast<State *>(reachable[static_cast<std::size_t>(State::place)]);
  }

  /// Takes over the state of a layer that has not begun before.
  template <typename State> State &begin(std::unique_ptr<State> state) noexcept {
    const auto place = static_cast<std::size_t>(State::place);
    reachable[place] = owned[place] = state.get();
    return *state.release();
  }

  /// The same for a state that is a part of another layer's, which owns it; the place may be taken.
  template <typename State> void use(State &state) noexcept {
    reachable[static_cast<std::size_t>(State::place)] = &state;
  }

  /// From here on find() does not find the state. It is not freed, because others may point into
  /// it.
  void leave(LayerPlace place) noexcept { reachable[static_cast<std::size_t>(place)] = nullptr; }

  /// Finishes the layers that have a state, from the top down.
  void finish();

private:
  Layer *reachable[layerPlaces] = {};
  Layer *owned[layerPlaces] = {};
};

extern constinit Process process __attribute__((visibility("hidden")));

} // namespace sendwright

#endif
