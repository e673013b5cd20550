#ifndef COMMUNICATOR_HPP
#define COMMUNICATOR_HPP
#include <mpi.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace amr {

template <class T> MPI_Datatype datatypeOf();
template <> inline MPI_Datatype datatypeOf<double>() { return MPI_DOUBLE; }
template <> inline MPI_Datatype datatypeOf<int>() { return MPI_INT; }

/// Completes at the latest when it is destroyed.
class Request {
public:
  Request() = default;
  Request(Request &&other) noexcept : handle(std::exchange(other.handle, MPI_REQUEST_NULL)) {}
  Request &operator=(Request &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Request() { wait(); }
  void wait() {
    if (handle != MPI_REQUEST_NULL)
      MPI_Wait(&handle, MPI_STATUS_IGNORE);
  }

private:
  friend class Communicator;
  MPI_Request handle = MPI_REQUEST_NULL;
};

class Communicator {
public:
  explicit Communicator(MPI_Comm parent);
  ~Communicator();
  Communicator(const Communicator &) = delete;
  int rank() const { return rank_; }
  int size() const { return size_; }
  MPI_Comm native() const { return communicator; }

  template <class T> void send(const T *data, std::size_t count, int to, int tag) const {
    stopUnless(MPI_Send(data, static_cast<int>(count), datatypeOf<T>(), to, tag, communicator) ==
               MPI_SUCCESS);
  }
  template <class T> Request post(const std::vector<T> &data, int to, int tag) const {
    Request request;
    check(MPI_Isend(data.data(), static_cast<int>(data.size()), datatypeOf<T>(), to, tag,
                    communicator, &request.handle));
    return request;
  }
  template <class T> std::vector<T> receive(int from, int tag) const {
    std::vector<T> data(waiting(from, tag, datatypeOf<T>()));
    check(MPI_Recv(data.data(), static_cast<int>(data.size()), datatypeOf<T>(), from, tag,
                   communicator, MPI_STATUS_IGNORE));
    return data;
  }

private:
  static void check(int code);
  static void stopUnless(bool good);
  std::size_t waiting(int from, int tag, MPI_Datatype type) const;
  MPI_Comm communicator;
  int rank_, size_;
};

} // namespace amr
#endif
