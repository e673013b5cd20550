// Random programs, identical to the bit with and without sharing: two exchanges whose sizes change
// from instance to instance, absent and unplanned messages, ranks that only receive, derived
// datatypes, other communicators, receives of every kind, completed in every way, probed, of any
// tag, from any source; with other calls in between, and collective calls that the runtime expects
// or does not.
//
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: %source_root/test/runtime/inputs/exchange-cases %t %write_plan "%mpirun" 6 1 4
// Ranks that pass on messages of the loop on a communicator that they are not in:
// RUN: %source_root/test/runtime/inputs/exchange-cases %t %write_plan "%mpirun" 9 3 3
// A probe while an earlier receive of any tag waits for the message before:
// RUN: %source_root/test/runtime/inputs/exchange-cases %t %write_plan "%mpirun" 4 450 450
// Tags that change from one instance to the next, with a plan for any tag:
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DVARYING_TAGS -o %t.varying %runtime
// RUN: %source_root/test/runtime/inputs/exchange-cases %t.varying %write_plan "%mpirun" 6 1 3
// Numbers of instances in the plan that this run has at times, and at times not:
// RUN: env PLAN_STEPS=1 %source_root/test/runtime/inputs/exchange-cases %t %write_plan "%mpirun" 6 5 8
//
// More of them by hand: the same script with the last two numbers, the first and the last case.
//
// With -DMARKED_LOOPS the loops are marked, and learn (../learned/random.test); with -DSTEADY_PATTERNS
// they learn from a plan for another number of ranks. What is sent is then the same for some
// instances.

#include "../../inputs/planned-loop.h"
#include "../../inputs/random-exchanges.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PLANNED_LOOP(first_loop, 1, 0)
PLANNED_LOOP(second_loop, 2, 0)

static MPI_Comm communicators[3];
static uint64_t digest;

static void add(uint64_t value) { digest = mix(digest ^ value); }
static void add_bytes(const unsigned char *bytes, int count) {
  for (int index = 0; index < count; ++index)
    digest = (digest ^ bytes[index]) * 0x100000001b3u;
}

static int rank_in(const struct message *message, int world) {
  if (communicator_of(message->site) < 2)
    return world;
  return (ranks - 1 - world) / 2; /* those of the same parity, backwards */
}

/* A datatype of so many bytes, a multiple of 16: contiguous, integers, or every second double. */
static MPI_Datatype datatype_of(int kind, int bytes, int *count, int *owned) {
  MPI_Datatype datatype = MPI_BYTE;
  *count = bytes;
  *owned = 0;
  if (kind == 1) {
    *count = bytes / 4;
    return MPI_INT;
  }
  if (kind == 2 && bytes) {
    MPI_Type_vector(bytes / 16, 1, 2, MPI_DOUBLE, &datatype);
    MPI_Type_commit(&datatype);
    *count = 2; /* the second begins directly after the first one's last element */
    *owned = 1;
  }
  return datatype;
}
static size_t memory_of(int bytes) { return 4 * (size_t)bytes + 64; }

static int send_kind(const struct message *message, int instance) {
#ifdef STEADY_PATTERNS
  if (draw(92, instance, 0, 0, 0) % 16) /* synchronous ones are not shared */
    return 3 + (int)(draw(93, message->order, message->from, message->bytes, 0) % 3);
#else
  (void)instance;
#endif
  return (int)(draw(50, message->order, message->from, message->bytes, 0) % 8);
}

static void send_one(struct message *message, int instance) {
  int count, owned,
      kind = (int)(draw(51, message->order, message->from, message->tag, instance) % 3);
#ifdef STEADY_PATTERNS
  if (kind == 2 && draw(94, instance, 0, 0, 0) % 12) /* freeing the type ends the instance */
    kind = 0;
#endif
  MPI_Datatype datatype = datatype_of(kind, message->bytes, &count, &owned);
  int to = rank_in(message, message->to);
  MPI_Comm communicator = communicators[communicator_of(message->site)];
  message->out = malloc(memory_of(message->bytes));
  for (size_t index = 0; index < memory_of(message->bytes); ++index)
    message->out[index] =
        (unsigned char)mix((uint64_t)message->order * 77777 + index / 64 + (uint64_t)instance);
  message->sent = MPI_REQUEST_NULL;
  int how = send_kind(message, instance);
  if (how == 0 && message->early) {
    MPI_Send(message->out, count, datatype, to, message->tag, communicator);
    memset(message->out, 0, (size_t)message->bytes);
  } else if (how == 1 && message->early) {
    MPI_Ssend(message->out, count, datatype, to, message->tag, communicator);
  } else if (how == 2) {
    MPI_Issend(message->out, count, datatype, to, message->tag, communicator, &message->sent);
  } else if (how == 3) {
    MPI_Send_init(message->out, count, datatype, to, message->tag, communicator, &message->sent);
    MPI_Start(&message->sent);
  } else {
    MPI_Isend(message->out, count, datatype, to, message->tag, communicator, &message->sent);
  }
  if (owned)
    MPI_Type_free(&datatype);
}

static int receive_kind(const struct message *message, int instance) {
  return (int)(draw(60, message->order, message->to, instance, 0) % 6);
}

static MPI_Datatype received_datatype(const struct message *message, int instance, int *count,
                                      int *owned) {
  int kind = (int)(draw(61, message->order, message->to, instance, 1) % 3);
  if (message->any_tag)
    kind = kind == 2 ? 0 : kind;
  return datatype_of(kind, message->any_tag ? largest : message->bytes, count, owned);
}

static void receive_early(struct message *message, int instance) {
  int count, owned;
  MPI_Datatype datatype = received_datatype(message, instance, &count, &owned);
  int from = rank_in(message, message->from), tag = message->any_tag ? MPI_ANY_TAG : message->tag;
  MPI_Comm communicator = communicators[communicator_of(message->site)];
  message->in = calloc(memory_of(message->any_tag ? largest : message->bytes), 1);
  if (receive_kind(message, instance) == 0) {
    MPI_Recv_init(message->in, count, datatype, from, tag, communicator, &message->received);
    MPI_Startall(1, &message->received);
  } else {
    MPI_Irecv(message->in, count, datatype, from, tag, communicator, &message->received);
  }
  if (owned)
    MPI_Type_free(&datatype);
}

static void receive_late(struct message *message, int instance) {
  int count, owned, kind = receive_kind(message, instance);
  MPI_Datatype datatype = received_datatype(message, instance, &count, &owned);
  int from = rank_in(message, message->from);
  MPI_Comm communicator = communicators[communicator_of(message->site)];
  message->in = calloc(memory_of(message->bytes), 1);
  message->received = MPI_REQUEST_NULL;
  if (kind == 1) {
    MPI_Probe(from, message->tag, communicator, &message->status);
    int probed;
    MPI_Get_count(&message->status, MPI_BYTE, &probed);
    EXPECT(probed == message->bytes);
  }
  if (kind == 2) {
    MPI_Message matched;
    MPI_Mprobe(from, message->tag, communicator, &matched, &message->status);
    MPI_Mrecv(message->in, count, datatype, &matched, &message->status);
  } else {
    MPI_Recv(message->in, count, datatype, from, message->tag, communicator, &message->status);
  }
  if (owned)
    MPI_Type_free(&datatype);
}

/* Completes all of them in one of the ways that MPI offers. */
static void complete_all(int way, int count, MPI_Request *requests, MPI_Status *statuses) {
  int done = 0, index = 0, flag = 0;
  if (way == 0) {
    MPI_Waitall(count, requests, statuses);
  } else if (way == 1) {
    for (index = 0; index < count; ++index)
      MPI_Wait(&requests[index], &statuses[index]);
  } else if (way == 2) {
    MPI_Status status;
    for (MPI_Waitany(count, requests, &index, &status); index != MPI_UNDEFINED;
         MPI_Waitany(count, requests, &index, &status))
      statuses[index] = status;
  } else if (way == 3) {
    int *indices = malloc(sizeof(int) * (size_t)(count + 1));
    MPI_Status *some = malloc(sizeof(MPI_Status) * (size_t)(count + 1));
    for (MPI_Waitsome(count, requests, &done, indices, some); done != MPI_UNDEFINED;
         MPI_Waitsome(count, requests, &done, indices, some))
      for (index = 0; index < done; ++index)
        statuses[indices[index]] = some[index];
    free(indices);
    free(some);
  } else if (way == 4) {
    for (index = 0; index < count; ++index)
      for (flag = 0; !flag;)
        MPI_Test(&requests[index], &flag, &statuses[index]);
  } else {
    while (!flag)
      MPI_Testall(count, requests, &flag, statuses);
  }
}

static void note_received(const struct message *message, const MPI_Status *status) {
  int bytes, elements;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  MPI_Get_elements(status, MPI_INT, &elements);
  add((uint64_t)bytes * 31 + (uint64_t)elements);
  add((uint64_t)status->MPI_SOURCE * 1000 + (uint64_t)status->MPI_TAG);
  add_bytes(message->in, (int)memory_of(message->any_tag ? bytes / 16 * 16 : message->bytes));
}

struct under_way {
  struct message *list;
  int count, instance;
};

static void finish(struct under_way *last) {
  int rank = my_rank(), receives = 0, sends = 0;
  MPI_Request *requests = malloc(sizeof(MPI_Request) * (size_t)(last->count + 1));
  MPI_Status *statuses = malloc(sizeof(MPI_Status) * (size_t)(last->count + 1));
  struct message **of = malloc(sizeof *of * (size_t)(last->count + 1));
  for (int index = 0; index < last->count; ++index)
    if (last->list[index].to == rank && last->list[index].early) {
      of[receives] = &last->list[index];
      requests[receives++] = last->list[index].received;
    }
  complete_all((int)(draw(70, last->instance, rank, 0, 0) % 6), receives, requests, statuses);
  for (int index = 0; index < receives; ++index) {
    of[index]->status = statuses[index];
    of[index]->received = requests[index];
    if (requests[index] != MPI_REQUEST_NULL)
      MPI_Request_free(&requests[index]);
  }
  for (int index = 0; index < last->count; ++index)
    if (last->list[index].from == rank)
      requests[sends++] = last->list[index].sent;
  complete_all((int)(draw(71, last->instance, rank, 0, 0) % 6), sends, requests, statuses);
  for (int index = 0; index < sends; ++index)
    if (requests[index] != MPI_REQUEST_NULL)
      MPI_Request_free(&requests[index]);
  for (int index = 0; index < last->count; ++index) {
    struct message *message = &last->list[index];
    if (message->to == rank)
      note_received(message, &message->status);
    free(message->out);
    free(message->in);
  }
  free(requests);
  free(statuses);
  free(of);
  free(last->list);
  last->list = NULL;
}

/* One rank gets a message of every rank, itself included, from any source. The runtime carries them
 * where the plan says so; otherwise MPI carries some of them. */
static uint64_t collect(int instance) {
  enum { most = 6000 };
  static int out[most], in[most];
  int tag = 200 + instance; /* a fast rank may be instances ahead */
  int rank = my_rank(), hub = (int)(draw(96, instance, 0, 0, 0) % (uint64_t)ranks);
  int count = draw(97, instance, rank, 0, 0) % 4 ? 1 : most;
  MPI_Comm communicator = communicators[instance % 2];
  MPI_Request sent, received;
  MPI_Status status;
  uint64_t sum = 0;
  out[0] = out[count - 1] = rank * 1000 + instance;
  MPI_Isend(out, count, MPI_INT, hub, tag, communicator, &sent);
  for (int left = rank == hub ? ranks : 0, got; left > 0; --left) {
    int way = (int)(draw(98, instance, left, 0, 0) % 3);
    if (way == 0)
      MPI_Probe(MPI_ANY_SOURCE, tag, communicator, &status);
    if (way == 1) {
      MPI_Irecv(in, most, MPI_INT, MPI_ANY_SOURCE, tag, communicator, &received);
      MPI_Wait(&received, &status);
    } else {
      MPI_Recv(in, most, MPI_INT, way == 0 ? status.MPI_SOURCE : MPI_ANY_SOURCE, tag, communicator,
               &status);
    }
    MPI_Get_count(&status, MPI_INT, &got);
    sum += mix((uint64_t)(in[0] + in[got - 1]) * 64 + (uint64_t)status.MPI_SOURCE) +
           (uint64_t)(got * status.MPI_TAG);
  }
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  return sum;
}

static void between(int instance) {
  int rank = my_rank(), value = rank + instance, sum = 0;
  int what = (int)(draw(80, instance, 0, 0, 0) % 4);
#ifdef STEADY_PATTERNS
  if (what == 0 && draw(99, instance, 0, 0, 0) % 4) /* where there are many, nothing is shared */
    what = 3;
#endif
  switch (what) {
  case 0:
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, communicators[2]);
    break;
  case 1:
    MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % ranks, 99, &sum, 1, MPI_INT,
                 (rank + ranks - 1) % ranks, 99, communicators[instance % 2], MPI_STATUS_IGNORE);
    break;
  case 2:
    MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % ranks, 98, (rank + ranks - 1) % ranks, 98,
                         communicators[0], MPI_STATUS_IGNORE);
    sum = value;
    break;
  default:
    add(collect(instance));
    break;
  }
  add((uint64_t)sum);
}

/* In a third of the programs each instance is followed by one collective call of all ranks, but
 * sometimes by none or by several. */
static int has_sums(void) { return draw(100, 0, 0, 0, 0) % 3 == 0; }

static void sum_all(int instance) {
  int calls = draw(101, instance, 0, 0, 0) % 9 ? 1 : (int)(draw(102, instance, 0, 0, 0) % 4);
  for (int call = 0; has_sums() && call < calls; ++call) {
    int own = my_rank() + instance + call, sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    add((uint64_t)sum);
  }
}

/* Sends the site's messages from `index` on; returns where they end. */
static int send_all(struct under_way *now, int site, int index) {
  for (; index < now->count && now->list[index].site == site; ++index)
    if (now->list[index].from == my_rank())
      send_one(&now->list[index], now->instance);
  return index;
}

static void run_instance(int instance, struct under_way *last) {
  int rank = my_rank();
  struct under_way now = {NULL, messages_of(instance, NULL), instance};
  now.list = calloc((size_t)now.count + 1, sizeof *now.list);
  messages_of(instance, now.list);
  for (int index = 0; index < now.count; ++index)
    if (now.list[index].to == rank && now.list[index].early)
      receive_early(&now.list[index], instance);
  int index = 0;
  if (is_silent(0, rank)) {
    index = send_all(&now, 0, index);
  } else {
    sendwright_batch(first_loop);
    index = send_all(&now, 0, index);
  }
  if (draw(81, instance, 0, 0, 0) % 2 && last->list)
    finish(last);
  if (is_silent(1, rank)) {
    send_all(&now, 1, index);
  } else {
    sendwright_batch(second_loop);
    send_all(&now, 1, index);
  }
  between(instance);
  sum_all(instance);
  for (index = 0; index < now.count; ++index)
    if (now.list[index].to == rank && !now.list[index].early)
      receive_late(&now.list[index], instance);
  if (last->list)
    finish(last);
  *last = now;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  seed = strtoull(argv[2], NULL, 10);
  instances = 4 + (int)(draw(90, 0, 0, 0, 0) % 6);
#ifdef STEADY_PATTERNS
  instances *= 5;
#else
  instances *= has_sums() ? 5 : 1;
#endif
#ifdef MORE_INSTANCES
  instances *= MORE_INSTANCES;
#endif
  if (strcmp(argv[1], "plan") == 0) {
    ranks = atoi(argv[3]);
    print_plan();
    return 0;
  }
  MPI_Init(&argc, &argv);
  ranks = rank_count();
  communicators[0] = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicators[1]);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() % 2, -my_rank(), &communicators[2]);
  struct under_way last = {NULL, 0, 0};
  for (int instance = 0; instance < instances; ++instance)
    run_instance(instance, &last);
  finish(&last);
  uint64_t *all = malloc(sizeof *all * (size_t)ranks);
  MPI_Gather(&digest, 8, MPI_BYTE, all, 8, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int rank = 0; my_rank() == 0 && rank < ranks; ++rank)
    printf("%d %016llx\n", rank, (unsigned long long)all[rank]);
  free(all);
  MPI_Comm_free(&communicators[1]);
  MPI_Comm_free(&communicators[2]);
  MPI_Finalize();
}
