/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* The ways in which a loop reaches MPI without calling it directly: functions of another file
 * (transport_Send ...), functions of a header (inline_Send ...), templates and methods. */

#ifndef TRANSPORT_H
#define TRANSPORT_H

#include "support.h"

#define BLOCKING_MODES(X) X(Send) X(Ssend) X(Bsend) X(Rsend)
#define NONBLOCKING_MODES(X) X(Isend) X(Issend) X(Ibsend) X(Irsend)

#ifdef __cplusplus
extern "C" {
#endif

#define DECLARE(MODE) int transport_##MODE(const void *, int, MPI_Datatype, int, int, MPI_Comm);
BLOCKING_MODES(DECLARE)
#undef DECLARE
#define DECLARE(MODE)                                                                              \
  int transport_##MODE(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
NONBLOCKING_MODES(DECLARE)
#undef DECLARE

/* Waits for x->requests and x->pending. */
void transport_finish(struct exchange *x);

#define DEFINE(MODE)                                                                               \
  static inline int inline_##MODE(const void *buffer, int count, MPI_Datatype type, int peer,      \
                                  int tag, MPI_Comm comm) {                                        \
    return MPI_##MODE(buffer, count, type, peer, tag, comm);                                       \
  }
BLOCKING_MODES(DEFINE)
#undef DEFINE
#define DEFINE(MODE)                                                                               \
  static inline int inline_##MODE(const void *buffer, int count, MPI_Datatype type, int peer,      \
                                  int tag, MPI_Comm comm, MPI_Request *request) {                  \
    return MPI_##MODE(buffer, count, type, peer, tag, comm, request);                              \
  }
NONBLOCKING_MODES(DEFINE)
#undef DEFINE

#ifdef __cplusplus
}

#define DEFINE(MODE)                                                                               \
  template <typename T>                                                                            \
  int template_##MODE(const T *buffer, int count, MPI_Datatype type, int peer, int tag,            \
                      MPI_Comm comm) {                                                             \
    return MPI_##MODE(buffer, count, type, peer, tag, comm);                                       \
  }
BLOCKING_MODES(DEFINE)
#undef DEFINE
#define DEFINE(MODE)                                                                               \
  template <typename T>                                                                            \
  int template_##MODE(const T *buffer, int count, MPI_Datatype type, int peer, int tag,            \
                      MPI_Comm comm, MPI_Request *request) {                                       \
    return MPI_##MODE(buffer, count, type, peer, tag, comm, request);                              \
  }
NONBLOCKING_MODES(DEFINE)
#undef DEFINE

struct Channel {
  int messages = 0;
#define DEFINE(MODE)                                                                               \
  int MODE(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {   \
    messages++;                                                                                    \
    return transport_##MODE(buffer, count, type, peer, tag, comm);                                 \
  }
  BLOCKING_MODES(DEFINE)
#undef DEFINE
#define DEFINE(MODE)                                                                               \
  int MODE(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,     \
           MPI_Request *request) {                                                                 \
    messages++;                                                                                    \
    return MPI_##MODE(buffer, count, type, peer, tag, comm, request);                              \
  }
  NONBLOCKING_MODES(DEFINE)
#undef DEFINE
};

struct EndOfMessages {};
#endif

#endif
