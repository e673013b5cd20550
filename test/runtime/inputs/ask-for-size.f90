! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! The size of a communicator, asked for in the three ways that MPI knows.

subroutine size_by_mpif_h(communicator, size)
  implicit none
  include 'mpif.h'
  integer communicator, size, error
  call MPI_COMM_SIZE(communicator, size, error)
end subroutine

subroutine size_by_mpi(communicator, size)
  use mpi
  implicit none
  integer communicator, size, error
  call MPI_Comm_size(communicator, size, error)
end subroutine

subroutine size_by_mpi_f08(communicator, size)
  use mpi_f08
  implicit none
  integer communicator, size
  type(MPI_Comm) handle
  handle%MPI_VAL = communicator
  call MPI_Comm_size(handle, size)
end subroutine
