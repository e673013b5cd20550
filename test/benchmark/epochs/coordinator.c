/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Synchronisation between super epochs as in J. Sampson's thesis, as a baseline. A process of its
 * own coordinates partial barriers: ranks with an event in the next super epoch send to it and wait
 * for its reply, and it replies to all of them, one after another, when all have come. Full
 * barriers are MPI_Barrier of all ranks.
 *
 * The thesis starts the process by MPI_Comm_spawn. So does this with -DCOORDINATOR_SPAWNED, and
 * each rank prints the seconds from the start of the program proper to its end. SimGrid has no such
 * function: there the process is the last rank of the run, and the program (built with -include
 * coordinator.h) runs on the others. Its start costs nothing then.
 *
 * COORDINATOR_BOUNDARIES names the file of `sendwright analyze epochs --boundaries`,
 * COORDINATOR_KIND is full or partial. */

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int application_main(int argc, char **argv);

enum { tag = 1 };

struct part { /* of a rank's events: a super epoch and how many are done when it ends */
  int super_epoch, end;
};

static MPI_Comm world, channel; /* of the program's ranks; to the coordinator */
static int coordinator, is_full;
static struct part *parts;
static int part_count, part_at, events, super_epoch, super_epochs;
static int *participants; /* by super epoch */

static void fail(const char *what) {
  fprintf(stderr, "coordinator: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *grown(void *list, int count, size_t size) {
  void *larger = realloc(list, (size_t)count * size);
  if (larger == NULL)
    fail("out of memory");
  return larger;
}

static void note(int line, int rank, int number, int end) {
  while (super_epochs <= number) {
    participants = grown(participants, super_epochs + 1, sizeof(*participants));
    participants[super_epochs++] = 0;
  }
  ++participants[number];
  if (line != rank)
    return;
  parts = grown(parts, part_count + 1, sizeof(*parts));
  parts[part_count].super_epoch = number;
  parts[part_count++].end = end;
}

/* A line for each rank, with SUPER_EPOCH:EVENTS for each super epoch in which it has events. */
static void read_boundaries(int rank) {
  const char *name = getenv("COORDINATOR_BOUNDARIES");
  FILE *file = name ? fopen(name, "r") : NULL;
  int line = 0, number, end;
  if (file == NULL)
    fail("COORDINATOR_BOUNDARIES names no file");
  for (int next = fgetc(file); next != EOF; next = fgetc(file)) {
    if (next == '\n')
      ++line;
    if (next == '\n' || next == ' ')
      continue;
    ungetc(next, file);
    if (fscanf(file, "%d:%d", &number, &end) != 2 || number < 0)
      fail("expected SUPER_EPOCH:EVENTS");
    note(line, rank, number, end);
  }
  fclose(file);
}

static void coordinate(void) {
  int left = 0;
  int *come = calloc((size_t)super_epochs + 1, sizeof(*come));
  int **who = calloc((size_t)super_epochs + 1, sizeof(*who));
  if (come == NULL || who == NULL)
    fail("out of memory");
  for (int number = 1; number < super_epochs; ++number)
    left += participants[number];
  while (left-- > 0) {
    int number;
    MPI_Status status;
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, tag, channel, &status);
    who[number] = grown(who[number], come[number] + 1, sizeof(int));
    who[number][come[number]++] = status.MPI_SOURCE;
    if (come[number] < participants[number])
      continue;
    for (int each = 0; each < come[number]; ++each)
      MPI_Send(&number, 1, MPI_INT, who[number][each], tag, channel);
    free(who[number]);
  }
  free(who);
  free(come);
}

/* Comes to super epoch `next`, in which this rank has events, or to the end of all. */
static void enter(int next, int has_events) {
  if (is_full)
    for (; super_epoch < next; ++super_epoch)
      MPI_Barrier(world);
  else if (next > super_epoch && has_events) {
    MPI_Send(&next, 1, MPI_INT, coordinator, tag, channel);
    MPI_Recv(&next, 1, MPI_INT, coordinator, tag, channel, MPI_STATUS_IGNORE);
  }
  super_epoch = next;
}

static void before_event(void) {
  while (part_at < part_count && events >= parts[part_at].end)
    ++part_at;
  if (part_at < part_count)
    enter(parts[part_at].super_epoch, 1);
  ++events;
}

MPI_Comm coordinated_world(void) { return world; }

int coordinated_send(const void *data, int count, MPI_Datatype type, int to, int message_tag,
                     MPI_Comm comm) {
  before_event();
  return MPI_Send(data, count, type, to, message_tag, comm);
}

int coordinated_recv(void *data, int count, MPI_Datatype type, int from, int message_tag,
                     MPI_Comm comm, MPI_Status *status) {
  before_event();
  return MPI_Recv(data, count, type, from, message_tag, comm, status);
}

#ifdef COORDINATOR_SPAWNED

/* Returns whether this process is the coordinator. */
static int start_coordinator(const char *program) {
  MPI_Comm_get_parent(&channel);
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  if (channel != MPI_COMM_NULL)
    return 1;
  MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &channel,
                 MPI_ERRCODES_IGNORE);
  return 0;
}

#else

static int start_coordinator(const char *program) {
  int rank, ranks;
  (void)program;
  channel = MPI_COMM_WORLD;
  MPI_Comm_rank(channel, &rank);
  MPI_Comm_size(channel, &ranks);
  coordinator = ranks - 1;
  MPI_Comm_split(channel, rank == coordinator, rank, &world);
  return rank == coordinator;
}

#endif

static int run_application(int argc, char **argv) {
  int result;
#ifdef COORDINATOR_SPAWNED
  double begin;
  MPI_Barrier(world);
  begin = MPI_Wtime();
#endif
  result = application_main(argc, argv);
  enter(super_epochs - 1, 0);
#ifdef COORDINATOR_SPAWNED
  fprintf(stderr, "elapsed: %.9f seconds\n", MPI_Wtime() - begin);
#endif
  return result;
}

int main(int argc, char **argv) {
  int rank, is_coordinator, result = 0;
  const char *kind = getenv("COORDINATOR_KIND");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  is_full = kind != NULL && strcmp(kind, "full") == 0;
  is_coordinator = start_coordinator(argv[0]);
  read_boundaries(is_coordinator ? -1 : rank);
  if (!is_coordinator)
    result = run_application(argc, argv);
  else if (!is_full)
    coordinate();
  MPI_Comm_free(&world);
  MPI_Finalize();
  free(parts);
  free(participants);
  return result;
}
