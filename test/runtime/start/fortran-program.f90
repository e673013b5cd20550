! A program whose MPI calls are all Fortran's begins and ends MPI through the runtime: what it recorded
! of a loop in C is written when Fortran ends MPI. Its own results are what they were: arguments,
! optional arguments, strings and constants pass through the forwarders unchanged.
!
! REQUIRES: fortran
! RUN: %mpicc -I%binary_root/include -c %S/../inputs/recorded-barrier.c -o %t.o
! RUN: %mpif90 -J %T %s %t.o -o %t %runtime
! RUN: rm -f %t.prof && env SENDWRIGHT_PROFILE=%t.prof %mpirun 3 %t | %FileCheck %s
! RUN: test -s %t.prof
! CHECK: sum 6 label pack of words in place 3
program wrappers
  use mpi_f08
  implicit none
  integer :: rank, size, total, length, error, i, received(3), all
  character(len=MPI_MAX_OBJECT_NAME) :: label
  type(MPI_Comm) :: copy
  type(MPI_Request) :: requests(4)
  type(MPI_Status) :: statuses(4)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  call MPI_Comm_set_name(copy, "pack of words")
  call MPI_Comm_get_name(copy, label, length)
  total = 0
  if (rank == 0) then
    do i = 1, size - 1
      call MPI_Irecv(received(i), 1, MPI_INTEGER, i, 0, copy, requests(i))
    end do
    call MPI_Waitall(size - 1, requests, statuses)
    do i = 1, size - 1
      total = total + received(i) * statuses(i)%MPI_SOURCE / i
    end do
  else
    call MPI_Send(rank * 2, 1, MPI_INTEGER, 0, 0, copy)
  end if
  all = 1
  call MPI_Allreduce(MPI_IN_PLACE, all, 1, MPI_INTEGER, MPI_SUM, copy)
  if (rank == 0) print '(A,I0,3A,I0)', 'sum ', total, ' label ', label(1:length), ' in place ', all
  call recorded_barrier(copy%MPI_VAL)
  call MPI_Comm_free(copy)
  call MPI_Finalize()
end program
