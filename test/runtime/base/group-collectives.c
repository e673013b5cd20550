// Collectives of a group, not of a communicator that all ranks know: a rank that waits in such a
// collective serves ranks that need it. Here ranks 1 and 2 wait in each for rank 3, which waits for
// a message of rank 0. A shared message comes through one of them; with limited buffers rank 0
// first asks each for a buffer. Names the call in which ranks wait forever, if any.
//
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessage 0 1 5\nmessage 0 2 5\nmessage 0 3 5\n' | %write_plan %t.plan
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t %t.file
// RUN: env SENDWRIGHT_WATCHDOG=20,abort TEST_PLAN=%t.plan %mpirun 4 %t %t.file
// RUN: env SENDWRIGHT_WATCHDOG=20,abort SENDWRIGHT_BUFFERS=1000 %mpirun 4 %t %t.file

#include "../inputs/planned-loop.h"

#include <stdio.h>
#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

static MPI_Group group; /* ranks 1 to 3 */
static MPI_Comm of_group;
static MPI_Comm of_side; /* ranks 1 and 2, or rank 3 */
static MPI_Win window;
static MPI_File file;
static const char *name;

static void create_group(void) {
  MPI_Comm made;
  MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &made);
  MPI_Comm_free(&made);
}
static void fence(void) { MPI_Win_fence(0, window); }
static void free_window(void) { MPI_Win_free(&window); }
static void set_size(void) { MPI_File_set_size(file, 0); }
static void close_file(void) { MPI_File_close(&file); }
static void intercommunicator(void) { /* ranks 1 and 2 with rank 3 */
  MPI_Comm made;
  MPI_Intercomm_create(of_side, 0, MPI_COMM_WORLD, my_rank() == 3 ? 1 : 3, 4, &made);
  MPI_Comm_free(&made);
}

static void with(void (*collective)(void), const char *its_name) {
  int values[4] = {0, 1, 2, 3};
  MPI_Barrier(MPI_COMM_WORLD);
  if (my_rank() == 0) {
    fprintf(stderr, "%s\n", its_name);
    usleep(100000); /* the others are in it */
    sendwright_batch(loop);
    for (int rank = 1; rank < 4; ++rank)
      MPI_Send(&values[rank], 1, MPI_INT, rank, 5, MPI_COMM_WORLD);
    return;
  }
  if (my_rank() != 3)
    collective();
  MPI_Recv(values, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT(values[0] == my_rank());
  if (my_rank() == 3)
    collective();
}

int main(int argc, char **argv) {
  static int shared[4];
  const int members[] = {1, 2, 3};
  MPI_Group all;
  MPI_Init(&argc, &argv);
  name = argc > 1 ? argv[1] : "";
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 3, members, &group);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() == 0, my_rank(), &of_group);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() == 0 ? 0 : my_rank() == 3 ? 2 : 1, my_rank(), &of_side);
  if (my_rank() != 0) {
    MPI_Win_create(shared, sizeof shared, sizeof *shared, MPI_INFO_NULL, of_group, &window);
    MPI_File_open(of_group, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  }
  with(create_group, "MPI_Comm_create_group");
  with(intercommunicator, "MPI_Intercomm_create");
  with(fence, "MPI_Win_fence");
  with(free_window, "MPI_Win_free");
  with(set_size, "MPI_File_set_size");
  with(close_file, "MPI_File_close");
  MPI_Group_free(&all);
  MPI_Group_free(&group);
  MPI_Comm_free(&of_group);
  MPI_Comm_free(&of_side);
  MPI_Finalize();
}
