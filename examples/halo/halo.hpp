// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Halo exchange for data on an unstructured mesh that is distributed over the ranks. A rank owns
// some vertices and keeps copies of the neighbours' vertices that its own depend on (the halo).
// exchange() brings the copies up to date.
//
// The loop of sends is the most common kind in such codes: a running pointer packs the values one
// after another into one buffer, each message is sent as soon as it is packed, and its request goes
// to the next free element of an array.

#ifndef HALO_HPP
#define HALO_HPP

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

template <class T> struct MpiType;
template <> struct MpiType<std::int64_t> {
  static MPI_Datatype get() { return MPI_INT64_T; }
};
template <> struct MpiType<double> {
  static MPI_Datatype get() { return MPI_DOUBLE; }
};

/// What a rank exchanges with one other rank. Indices are positions in the array of values.
struct HaloNeighbour {
  int rank;
  std::vector<int> owned;  ///< values to send
  std::vector<int> copies; ///< where to put what arrives, in the sender's order of `owned`
};

template <class T> class HaloExchange {
public:
  HaloExchange(std::vector<HaloNeighbour> neighbours, MPI_Comm comm)
      : neighbours(std::move(neighbours)), comm(comm) {
    std::size_t sends = 0, receives = 0;
    for (const HaloNeighbour &n : this->neighbours)
      sends += n.owned.size(), receives += n.copies.size();
    sendBuffer.resize(sends);
    receiveBuffer.resize(receives);
    requests.resize(2 * this->neighbours.size());
  }

  /// Sends owned values and receives copies. Collective over neighbours; returns when both are
  /// done.
  void exchange(std::vector<T> &values) {
    int count = 0;
    T *incoming = receiveBuffer.data();
    for (const HaloNeighbour &n : neighbours) {
      MPI_Irecv(incoming, static_cast<int>(n.copies.size()), MpiType<T>::get(), n.rank, 0, comm,
                &requests[count++]);
      incoming += n.copies.size();
    }
    T *cursor = sendBuffer.data();
    for (const HaloNeighbour &n : neighbours) {
      T *message = cursor;
      for (int index : n.owned)
        *cursor++ = values[index];
      MPI_Isend(message, static_cast<int>(cursor - message), MpiType<T>::get(), n.rank, 0, comm,
                &requests[count++]);
    }
    MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE);
    incoming = receiveBuffer.data();
    for (const HaloNeighbour &n : neighbours)
      for (int index : n.copies)
        values[index] = *incoming++;
  }

private:
  std::vector<HaloNeighbour> neighbours;
  MPI_Comm comm;
  std::vector<T> sendBuffer, receiveBuffer;
  std::vector<MPI_Request> requests;
};

#endif
