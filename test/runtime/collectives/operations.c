// Operations that the plan has do exactly what their loops did: all six, by every algorithm and by MPI's
// function, with sizes as in the profile, larger, smaller, zero, and different on each rank; with datatypes
// that have gaps, on ranks with more room than is sent, on other communicators and with other roots, with and
// without a rank's block for itself; step by step, where a rank that receives into its send buffer keeps
// everything; in an order and with sizes that a seed gives. Memory that no message is for stays unchanged. In
// between come operations that all ranks must leave to the loop, a message that is too long, and a batch that
// must leave first. Fails without the runtime's part: the first operation is left to the loop.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: %source_root/test/runtime/inputs/collective-cases %t %write_plan "%mpirun" 7 1 1
// RUN: %source_root/test/runtime/inputs/collective-cases %t %write_plan "%mpirun" 4 2 2 shared
// More of them by hand: test/benchmark/collectives/random-cases.

#include "../inputs/drawn-collectives.h"
#include "../inputs/planned-loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { instances = 3, untouched = 0x5a5a5a5a, shared_site = 1000, tag = 7 };

static struct sendwright_site loops[sites];
PLANNED_LOOP(shared_loop, shared_site, 0)

/* Untouched memory for `blocks` blocks of `room` elements, and one block more. */
static int *memory(int blocks, int room, struct type type) {
  size_t count = (size_t)(blocks + 1) * (size_t)(room + 1) * (size_t)type.step;
  int *all = malloc(sizeof(int) * count);
  for (size_t index = 0; index < count; ++index)
    all[index] = untouched;
  return all;
}
static int *block_of(int *all, int block, int room, struct type type) {
  return all + (size_t)block * (size_t)(room + 1) * (size_t)type.step;
}

static void fill(int *block, struct type type, int site, int instance, int from, int to) {
  for (int index = 0; index < elements(site, instance, from); ++index)
    block[index * type.step] = value_of(site, instance, from, to, index);
}

/* Checks that the block has what `from` sent `to`, and nothing else; `from` -1: nothing at all. */
static void check(const int *block, int room, struct type type, int site, int instance, int from,
                  int to) {
  int count = from < 0 ? 0 : elements(site, instance, from);
  for (int index = 0; index < (room + 1) * type.step; ++index) {
    int is_element = index % type.step == 0 && index / type.step < count;
    EXPECT(block[index] ==
           (is_element ? value_of(site, instance, from, to, index / type.step) : untouched));
  }
}

static void check_status(MPI_Status *status, int site, int instance, int from, int source) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  EXPECT(count == elements(site, instance, from) && status->MPI_TAG == tag &&
         status->MPI_SOURCE == source);
}

/* One operation at this rank, `self` in the communicator, and its result. */
struct operation {
  int site, instance, self, members, root, room, first, end;
  MPI_Comm communicator;
  struct type sent, received;
  MPI_Status status;
};

static void broadcast(struct operation *o) {
  struct type type = o->self == o->root ? o->sent : o->received;
  int *block = memory(0, o->room, type);
  if (o->self == o->root) {
    int count = elements(o->site, o->instance, o->root) * type.each;
    fill(block, type, o->site, o->instance, o->root, 0);
    EXPECT(sendwright_broadcast(loops[o->site], block, count, type.datatype, o->root, tag,
                                o->communicator, o->first, o->end, 0));
  } else {
    EXPECT(sendwright_broadcast(loops[o->site], block, o->room * type.each, type.datatype, o->root,
                                tag, o->communicator, o->first, o->end, &o->status));
    check_status(&o->status, o->site, o->instance, o->root, o->root);
  }
  check(block, o->room, type, o->site, o->instance, o->root, 0);
  free(block);
}

static void scatter(struct operation *o) {
  int count = elements(o->site, o->instance, o->root) * o->sent.each;
  if (o->self == o->root) {
    int *all = memory(o->members, o->room, o->sent), *zero = block_of(all, 0, o->room, o->sent),
        *one = block_of(all, 1, o->room, o->sent);
    for (int to = 0; to < o->members; ++to)
      fill(block_of(all, to, o->room, o->sent), o->sent, o->site, o->instance, o->root, to);
    EXPECT(sendwright_scatter_send(loops[o->site], zero, one, count, o->sent.datatype, o->root, tag,
                                   o->communicator, o->first, o->end));
    free(all);
  } else {
    int *block = memory(0, o->room, o->received);
    EXPECT(sendwright_scatter_receive(loops[o->site], block, o->room * o->received.each,
                                      o->received.datatype, o->root, tag, o->communicator, o->first,
                                      o->end, &o->status));
    check(block, o->room, o->received, o->site, o->instance, o->root, o->self);
    check_status(&o->status, o->site, o->instance, o->root, o->root);
    free(block);
  }
}

static void gather(struct operation *o) {
  if (o->self == o->root) {
    int last = o->root == o->members - 1 ? o->root - 1 : o->members - 1;
    int *all = memory(o->members, o->room, o->received),
        *zero = block_of(all, 0, o->room, o->received),
        *one = block_of(all, 1, o->room, o->received);
    EXPECT(sendwright_gather_receive(loops[o->site], zero, one, o->room * o->received.each,
                                     o->received.datatype, o->root, tag, o->communicator, o->first,
                                     o->end, &o->status));
    for (int from = 0; from < o->members; ++from)
      check(block_of(all, from, o->room, o->received), o->room, o->received, o->site, o->instance,
            from == o->root ? -1 : from, 0);
    check_status(&o->status, o->site, o->instance, last, last);
    free(all);
  } else {
    int *block = memory(0, o->room, o->sent);
    fill(block, o->sent, o->site, o->instance, o->self, 0);
    EXPECT(sendwright_gather_send(
        loops[o->site], block, elements(o->site, o->instance, o->self) * o->sent.each,
        o->sent.datatype, o->root, tag, o->communicator, o->first, o->end));
    memset(block, 0, sizeof(int)); /* it is the program's again */
    free(block);
  }
}

/* Whether the loops also go over the rank itself. */
static int with_own(const struct operation *o) { return below(2, 22, o->site, o->instance, 0); }

/* How the loops run: step by step or not, and over the rank itself or not. */
static int manner(const struct operation *o) {
  return (with_own(o) ? SENDWRIGHT_WITH_OWN : 0) |
         (below(2, 24, o->site, o->instance, 0) ? SENDWRIGHT_IN_STEPS : 0);
}

/* Whether a member receives into its send buffer. */
static int in_one_place(const struct operation *o, int member) {
  return type_of(o->site, o->instance, member, 0).step ==
             type_of(o->site, o->instance, member, 1).step &&
         elements(o->site, o->instance, member) > 0 &&
         below(4, 21, o->site, o->instance, 0) == 0;
}

static void allgather(struct operation *o) {
  int count = elements(o->site, o->instance, o->self) * o->sent.each;
  int in_place = o->sent.step == o->received.step && below(2, 20, o->site, o->instance, 0);
  int *block = memory(0, o->room, o->sent), *all = memory(o->members, o->room, o->received),
      *zero = block_of(all, 0, o->room, o->received), *one = block_of(all, 1, o->room, o->received);
  int *own = in_place ? block_of(all, o->self, o->room, o->received) : block;
  fill(own, o->sent, o->site, o->instance, o->self, 0);
  EXPECT(sendwright_planned(loops[o->site], o->communicator, 0, o->members));
  EXPECT(SENDWRIGHT_ALLGATHER_OF(manner(o), loops[o->site], own, count, o->sent.datatype, zero,
                                 one, o->room * o->received.each, o->received.datatype, tag,
                                 o->communicator, 0, o->members));
  for (int from = 0; from < o->members; ++from)
    check(block_of(all, from, o->room, o->received), o->room, o->received, o->site, o->instance,
          from == o->self && !in_place && !with_own(o) ? -1 : from, 0);
  free(block);
  free(all);
}

static void check_block_from(const struct operation *o, int *in, int from, int same) {
  int *block = block_of(in, from, o->room, o->received);
  int came = elements(o->site, o->instance, from), own = elements(o->site, o->instance, o->self);
  for (int index = came; same && from != o->self && index < own; ++index)
    block[index * o->received.step] = untouched; /* what was sent from there */
  check(block, o->room, o->received, o->site, o->instance,
        from == o->self && !with_own(o) ? -1 : from, o->self);
}

static void all_to_all(struct operation *o) {
  int count = elements(o->site, o->instance, o->self) * o->sent.each;
  int *out = memory(o->members, o->room, o->sent), *in = memory(o->members, o->room, o->received);
  int same = in_one_place(o, o->self), refused = 0;
  int *sent = same ? in : out;
  int *zero = block_of(in, 0, o->room, o->received), *one = block_of(in, 1, o->room, o->received);
  int *sent_zero = block_of(sent, 0, o->room, o->sent),
      *sent_one = block_of(sent, 1, o->room, o->sent);
  for (int to = 0; to < o->members; ++to)
    if (to != o->self || with_own(o))
      fill(block_of(sent, to, o->room, o->sent), o->sent, o->site, o->instance, o->self, to);
  for (int member = 0; member < o->members && manner(o) & SENDWRIGHT_IN_STEPS; ++member)
    refused |= in_one_place(o, member);
  EXPECT(SENDWRIGHT_ALL_TO_ALL_OF(manner(o), loops[o->site], sent_zero, sent_one, count,
                                  o->sent.datatype, zero, one, o->room * o->received.each,
                                  o->received.datatype, tag, o->communicator, 0,
                                  o->members) == !refused);
  for (int to = 0; refused && same && to < o->members; ++to) /* unchanged, for the loop */
    check(block_of(in, to, o->room, o->received), o->room, o->received, o->site, o->instance,
          to == o->self && !with_own(o) ? -1 : o->self, to);
  for (int from = refused ? o->members : 0; from < o->members; ++from)
    check_block_from(o, in, from, same);
  free(out);
  free(in);
}

static int combined(unsigned reduction, int left, int right) {
  switch (reduction) {
  case SENDWRIGHT_SUM:
    return (int)((unsigned)left + (unsigned)right);
  case SENDWRIGHT_PRODUCT:
    return (int)((unsigned)left * (unsigned)right);
  case SENDWRIGHT_MINIMUM:
    return left < right ? left : right;
  case SENDWRIGHT_MAXIMUM:
    return left > right ? left : right;
  case SENDWRIGHT_BITWISE_AND:
    return left & right;
  case SENDWRIGHT_BITWISE_OR:
    return left | right;
  default:
    return left ^ right;
  }
}

/* As bytes where the operation has no carry; else as unsigned, as sums of ints may overflow. */
static void reduce(struct operation *o) {
  unsigned reduction = 1 + (unsigned)below(7, 22, o->site, o->instance, 0);
  int count = elements(o->site, o->instance, 0), bytes = reduction >= SENDWRIGHT_BITWISE_AND;
  MPI_Datatype datatype = bytes                             ? MPI_UNSIGNED_CHAR
                          : reduction <= SENDWRIGHT_PRODUCT ? MPI_UNSIGNED
                                                            : MPI_INT;
  int *block = memory(0, o->room, o->sent), each = bytes ? 4 : 1;
  fill(block, o->sent, o->site, o->instance, o->self, 0);
  if (o->self == o->root) {
    int last = o->root == o->members - 1 ? o->root - 1 : o->members - 1;
    EXPECT(sendwright_reduce_receive(loops[o->site], block, count * each, datatype, reduction,
                                     o->root, tag, o->communicator, o->first, o->end, &o->status));
    check_status(&o->status, o->site, o->instance, last, last);
  } else {
    EXPECT(sendwright_reduce_send(loops[o->site], block, count * each, datatype, reduction, o->root,
                                  tag, o->communicator, o->first, o->end));
    check(block, o->room, o->sent, o->site, o->instance, o->self, 0);
  }
  for (int index = 0; o->self == o->root && index < count; ++index) {
    int expected = value_of(o->site, o->instance, 0, 0, index);
    for (int from = 1; from < o->members; ++from)
      expected = combined(reduction, expected, value_of(o->site, o->instance, from, 0, index));
    EXPECT(block[index] == expected);
  }
  free(block);
}

static MPI_Comm communicators[3];

static void run_operation(int site, int instance) {
  static void (*const operations[])(struct operation *) = {broadcast, scatter,    gather,
                                                           allgather, all_to_all, reduce};
  struct operation o = {0};
  o.communicator = communicators[communicator_of(site)];
  if (o.communicator == MPI_COMM_NULL)
    return;
  MPI_Comm_rank(o.communicator, &o.self);
  MPI_Comm_size(o.communicator, &o.members);
  o.site = site;
  o.instance = instance;
  o.root = root_of(site);
  o.room = most_elements(site, instance) + below(4, 23, site, instance, o.self) / 3 * 1000;
  if (algorithms[site % kinds].operation == SENDWRIGHT_REDUCE)
    o.room = elements(site, instance, 0);
  /* Loops may leave out the root, or include it. */
  o.first = o.root == 0 && instance % 2;
  o.end = o.members - (o.root == o.members - 1 && instance % 2);
  o.sent = type_of(site, instance, o.self, 0);
  o.received = type_of(site, instance, o.self, 1);
  operations[algorithms[site % kinds].operation](&o);
}

/* All ranks leave to the loop what the plan does not have. */
static void leave(int with_plan) {
  int value = 0, self = my_rank(), root = root_of(0);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* the second one */
  EXPECT(!sendwright_broadcast(loops[0], &value, 1, MPI_INT, root, tag, copy, 0, ranks, 0));
  MPI_Comm_free(&copy);
  EXPECT(!sendwright_broadcast(loops[0], &value, 1, MPI_INT, root, tag, MPI_COMM_SELF, 0, 1, 0));
  EXPECT(!sendwright_broadcast(loops[0], &value, 1, MPI_INT, (root + 1) % ranks, tag,
                               MPI_COMM_WORLD, 0, ranks, 0));
  EXPECT(!sendwright_broadcast(loops[0], &value, 1, MPI_INT, root, tag, MPI_COMM_WORLD,
                               root == 0 ? 2 : 1, ranks, 0));
  EXPECT(!sendwright_broadcast(loops[0], &value, 1, MPI_INT, root, tag, MPI_COMM_WORLD, 0,
                               ranks + 1, 0));
  EXPECT(!sendwright_planned(loops[16], MPI_COMM_WORLD, 1, ranks));
  EXPECT(sendwright_planned(loops[16], MPI_COMM_WORLD, 0, ranks) == with_plan);
  EXPECT(!sendwright_reduce_send(loops[18], &value, 1, MPI_CHAR, SENDWRIGHT_SUM, root_of(18), tag,
                                 MPI_COMM_WORLD, 0, ranks));
  EXPECT(!sendwright_reduce_send(loops[18], &value, 1, MPI_FLOAT, SENDWRIGHT_BITWISE_OR,
                                 root_of(18), tag, MPI_COMM_WORLD, 0, ranks));
  (void)self;
}

static int errors_seen, class_seen;
static void count_error(MPI_Comm *communicator, int *error, ...) {
  (void)communicator;
  ++errors_seen;
  MPI_Error_class(*error, &class_seen);
}

/* A rank with too little room gets an error on its communicator; all others get their data. */
static void cut_short(int site, int count) {
  int root = root_of(site), self = my_rank(), short_of = (root + 1) % ranks;
  int room = self == short_of ? count - 1 : count, *block = malloc(sizeof(int) * (size_t)count);
  MPI_Comm communicator = communicators[communicator_of(site)];
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(communicator, handler);
  for (int index = 0; index < count; ++index)
    block[index] = self == root ? index : -1;
  errors_seen = 0;
  EXPECT(sendwright_broadcast(loops[site], block, self == root ? count : room, MPI_INT, root, tag,
                              communicator, 0, ranks, 0));
  EXPECT(errors_seen == (self == short_of));
  EXPECT(!errors_seen || class_seen == MPI_ERR_TRUNCATE);
  int told = MPI_SUCCESS;
  MPI_Error_class(sendwright_collective_error(), &told);
  EXPECT(told == (errors_seen ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
  for (int index = 0; index < room; ++index)
    EXPECT(block[index] == index);
  EXPECT(self != short_of || block[room] == -1);
  MPI_Comm_set_errhandler(communicator, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  free(block);
}

/* A captured send leaves before its rank waits in an operation that the receiver reaches later.
 */
static void flush_first(void) {
  int self = my_rank(), value = self, root = root_of(1);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm communicator = communicators[communicator_of(1)];
  if (self != root)
    MPI_Recv(&value, 1, MPI_INT, (self + ranks - 1) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  {
    sendwright_batch(shared_loop);
    if ((self + 1) % ranks != root)
      MPI_Isend(&value, 1, MPI_INT, (self + 1) % ranks, 5, MPI_COMM_WORLD, &request);
    EXPECT(
        sendwright_broadcast(loops[1], &value, 1, MPI_INT, root, tag, communicator, 0, ranks, 0));
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(value == root);
}

static void print_plan(int shared) {
  printf("ranks %d\n", ranks);
  for (int site = 0; site < sites; ++site) {
    printf("site %d\ncollective %s bytes=%d", site + 1, algorithms[site % kinds].name,
           4 * profiled(site));
    if (has_root(site))
      printf(" root=%d", root_of(site));
    if (communicator_of(site) == 1)
      printf(" instance=1");
    for (int rank = ranks - 1; communicator_of(site) == 2 && rank > 0; --rank)
      printf("%s%d", rank == ranks - 1 ? " members=" : ",", rank);
    printf(" %s\n", algorithms[site % kinds].algorithm);
  }
  printf("site %d\n", shared_site);
  if (shared)
    printf("exchange direct\nmessages 5\n");
  else
    printf("order *\n");
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  seed = strtoull(argv[2], NULL, 10);
  ranks = atoi(argv[3]);
  if (strcmp(argv[1], "plan") == 0) {
    print_plan(argc > 4);
    return 0;
  }
  for (int site = 0; site < sites; ++site) {
    loops[site] = shared_loop;
    loops[site].hash = (unsigned long long)site + 1;
    register_planned(&loops[site]);
  }
  MPI_Init(&argc, &argv);
  communicators[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicators[1]);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() ? 0 : MPI_UNDEFINED, -my_rank(), &communicators[2]);
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &with_gap);
  MPI_Type_commit(&with_gap);
  for (int turn = 0; turn < sites * instances; ++turn) {
    int site = (turn * 11 + (int)(seed % sites)) % sites, instance = turn / sites;
    run_operation(site, instance);
  }
  leave(1);
  cut_short(0, 9);
  cut_short(3, 100000);
  for (int count = 1; count <= ranks; ++count) /* so that pieces are empty */
    cut_short(few_elements_site, count);
  flush_first();
  for (int again = 0; again < 2; ++again) { /* another one takes its place */
    MPI_Comm_free(&communicators[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicators[1]);
    run_operation(1, again);
  }
  MPI_Type_free(&with_gap);
  MPI_Comm_free(&communicators[1]);
  if (communicators[2] != MPI_COMM_NULL)
    MPI_Comm_free(&communicators[2]);
  if (my_rank() == 0)
    printf("done\n");
  MPI_Finalize();
}
