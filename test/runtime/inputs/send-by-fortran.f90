! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! A non-blocking send and its completion; tells whether the request is null afterwards.

subroutine send_by_mpif_h(communicator, destination, null)
  implicit none
  include 'mpif.h'
  integer communicator, destination, null, request, error
  integer, save :: value = 7
  call MPI_ISEND(value, 1, MPI_INTEGER, destination, 0, communicator, request, error)
  call MPI_WAIT(request, MPI_STATUS_IGNORE, error)
  null = merge(1, 0, request .eq. MPI_REQUEST_NULL)
end subroutine

subroutine send_by_mpi_f08(communicator, destination, null)
  use mpi_f08
  implicit none
  integer communicator, destination, null
  integer, asynchronous, save :: value = 7
  type(MPI_Comm) handle
  type(MPI_Request) request
  handle%MPI_VAL = communicator
  call MPI_Isend(value, 1, MPI_INTEGER, destination, 0, handle, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  null = merge(1, 0, request == MPI_REQUEST_NULL)
end subroutine
