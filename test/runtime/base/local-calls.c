// Calls that MPI defines as local return whatever the other ranks do. Here all others stay
// outside of MPI until rank 0, which makes the call, tells them through memory that it has
// returned. One row for each call (docs/local-calls.md lists them), with short and long
// messages and messages at absolute addresses, outside of a send loop and in one that holds a
// message: as written, shared by a plan, learned, recorded, held back in a plan's order, and
// with limited buffers (with a plan, too). Names each call that waits, and then ends with
// status 1.
//
// RUN: printf 'ranks 4\nsite 1\nexchange 2x2\nmessage 0 1 5\nmessage 0 2 5\nmessage 1 0 5\n' | \
// RUN:   %write_plan %t.shared
// RUN: printf 'ranks 4\nsite 1\norder * window=1 3 2 1 0\n' | %write_plan %t.ordered
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -o %t %runtime
// RUN: %mpicc %s %planned_loop -DWITHOUT_LOG -DMARKED_LOOPS -o %t.marked %runtime
// RUN: env SENDWRIGHT_DISABLE=1 %mpirun 4 %t %t.memory
// RUN: env TEST_PLAN=%t.shared %mpirun 4 %t %t.memory >%t.said 2>&1 || (cat %t.said; false)
// RUN: ! grep sendwright: %t.said
// RUN: env TEST_PLAN=%t.ordered %mpirun 4 %t %t.memory
// RUN: env SENDWRIGHT_PROFILE=%t.prof %mpirun 4 %t.marked %t.memory
// RUN: env SENDWRIGHT_ADAPT_WATCH=0 SENDWRIGHT_ADAPT=%S/../inputs/latency-bound.json %mpirun 7 %t.marked %t.memory >%t.said 2>&1 || (cat %t.said; false)
// RUN: grep 'messages are shared from execution' %t.said
// RUN: env SENDWRIGHT_BUFFERS=1000 %mpirun 4 %t %t.memory
// RUN: env SENDWRIGHT_BUFFERS=1000 TEST_PLAN=%t.ordered %mpirun 4 %t %t.memory
// RUN: env SENDWRIGHT_BUFFERS=1000 SENDWRIGHT_PROFILE=%t.prof %mpirun 4 %t.marked %t.memory

#include "../inputs/planned-loop.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

PLANNED_LOOP(loop, 1, 0)

#define WORLD MPI_COMM_WORLD

enum { large = 1 << 18, most = 64, tag = 5, patience = 5 };

/* Shared memory by which ranks communicate without MPI. */
static struct {
  volatile int returned; /* calls that have */
  volatile int failed;
} *memory;

static int calls; /* so far, at every rank */

static void open_memory(const char *name) {
  int file = open(name, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof *memory) != 0)
    exit(2);
  memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    exit(2);
}

/* The message of a row. */
static int out[large], in[large], extra[most];
static struct {
  const char *name;
  const void *sent;
  void *received;
  int count;
  MPI_Datatype sent_type, received_type;
} message;

static MPI_Request request, others[2];
static MPI_Message matched;
static MPI_Comm made;
static int flag, index_of, indices[2], number, numbers[most], more_numbers[most];
static MPI_Status status;

static void nothing(void) {}
static void wait(void) { MPI_Wait(&request, MPI_STATUS_IGNORE); }
static void wait_and_free(void) {
  wait();
  MPI_Request_free(&request);
}
static void receive(void) {
  if (my_rank() == 1)
    MPI_Recv(message.received, message.count, message.received_type, 0, tag, WORLD, MPI_STATUS_IGNORE);
}

#define SEND(FUNCTION) FUNCTION(message.sent, message.count, message.sent_type, 1, tag, WORLD, &request)
#define AT_ROOT(STATEMENT)                                                                         \
  if (my_rank() == 0)                                                                              \
  STATEMENT
#define AT_PARTNER(STATEMENT)                                                                      \
  if (my_rank() == 1)                                                                              \
  STATEMENT

/* ROW(name, what is done before the call, the call) */
#define ROW(NAME, PREPARE, CALL)                                                                   \
  static void prepare_##NAME(void) { PREPARE; }                                                    \
  static void call_##NAME(void) { CALL; }

/* Sends */
ROW(isend, , SEND(MPI_Isend))
ROW(ibsend, , SEND(MPI_Ibsend))
ROW(issend, , SEND(MPI_Issend))
ROW(bsend, , MPI_Bsend(message.sent, message.count, message.sent_type, 1, tag, WORLD))

/* A ready send whose receive is posted. */
static void post(void) {
  AT_PARTNER(MPI_Irecv(message.received, message.count, message.received_type, 0, tag, WORLD, &request));
  MPI_Barrier(WORLD);
}
static void wait_at_partner(void) { AT_PARTNER(wait()); }
ROW(irsend, post(), SEND(MPI_Irsend))

/* Persistent sends */
ROW(start_send, AT_ROOT(SEND(MPI_Send_init)), MPI_Start(&request))
ROW(start_bsend, AT_ROOT(SEND(MPI_Bsend_init)), MPI_Start(&request))
ROW(start_ssend, AT_ROOT(SEND(MPI_Ssend_init)), MPI_Start(&request))
ROW(start_rsend, post(); AT_ROOT(SEND(MPI_Rsend_init)), MPI_Start(&request))
static void init_both(void) {
  if (my_rank() != 0)
    return;
  MPI_Ssend_init(message.sent, message.count, message.sent_type, 1, tag, WORLD, &others[0]);
  MPI_Recv_init(message.received, message.count, message.received_type, 1, tag, WORLD, &others[1]);
}
static void exchange_both(void) {
  receive();
  AT_PARTNER(MPI_Send(message.sent, message.count, message.sent_type, 0, tag, WORLD));
}
static void wait_for_both(void) {
  MPI_Waitall(2, others, MPI_STATUSES_IGNORE);
  MPI_Request_free(&others[0]);
  MPI_Request_free(&others[1]);
}
ROW(startall, init_both(), MPI_Startall(2, others))

/* Tests of an unmatched send, persistent or not */
ROW(test, , SEND(MPI_Issend); MPI_Test(&request, &flag, &status); EXPECT(!flag))
ROW(testall, , SEND(MPI_Issend); MPI_Testall(1, &request, &flag, &status); EXPECT(!flag))
ROW(testany, , SEND(MPI_Issend); MPI_Testany(1, &request, &index_of, &flag, &status); EXPECT(!flag))
ROW(testsome, , SEND(MPI_Issend); MPI_Testsome(1, &request, &number, indices, &status); EXPECT(number == 0))
ROW(get_status, , SEND(MPI_Issend); MPI_Request_get_status(request, &flag, &status); EXPECT(!flag))
#define START MPI_Start(&request)
ROW(test_started, AT_ROOT(SEND(MPI_Ssend_init)), START; MPI_Test(&request, &flag, &status); EXPECT(!flag))
ROW(testall_started, AT_ROOT(SEND(MPI_Ssend_init)), START; MPI_Testall(1, &request, &flag, &status); EXPECT(!flag))
ROW(testany_started, AT_ROOT(SEND(MPI_Ssend_init)), START;
    MPI_Testany(1, &request, &index_of, &flag, &status); EXPECT(!flag))
ROW(testsome_started, AT_ROOT(SEND(MPI_Ssend_init)), START;
    MPI_Testsome(1, &request, &number, indices, &status); EXPECT(number == 0))
ROW(get_status_started, AT_ROOT(SEND(MPI_Ssend_init)), START;
    MPI_Request_get_status(request, &flag, &status); EXPECT(!flag))
ROW(free_send, , SEND(MPI_Issend); MPI_Request_free(&request))
ROW(free_started, AT_ROOT(SEND(MPI_Ssend_init)), START; MPI_Request_free(&request))

/* Receives */
#define RECEIVE(SOURCE, TAG)                                                                       \
  MPI_Irecv(message.received, message.count, message.received_type, SOURCE, TAG, WORLD, &request)
static void send(void) {
  AT_PARTNER(MPI_Send(message.sent, message.count, message.sent_type, 0, tag, WORLD));
}
ROW(irecv, , RECEIVE(1, tag))
ROW(irecv_any, , RECEIVE(MPI_ANY_SOURCE, MPI_ANY_TAG))
#define RECV_INIT                                                                                  \
  MPI_Recv_init(message.received, message.count, message.received_type, 1, tag, WORLD, &request)
ROW(start_recv, AT_ROOT(RECV_INIT), MPI_Start(&request))
ROW(free_recv, , RECEIVE(1, tag); MPI_Request_free(&request))

/* A cancelled receive is complete. */
ROW(cancel, , RECEIVE(1, tag); MPI_Cancel(&request); wait())
ROW(cancel_any, , RECEIVE(MPI_ANY_SOURCE, tag); MPI_Cancel(&request); wait())
ROW(cancel_started, AT_ROOT(RECV_INIT), START; MPI_Cancel(&request); wait_and_free())

/* Probes without a message, and for a message whose sender has left MPI */
ROW(iprobe, , MPI_Iprobe(1, tag, WORLD, &flag, &status); EXPECT(!flag))
ROW(improbe, , MPI_Improbe(1, tag, WORLD, &flag, &matched, &status); EXPECT(!flag))
static int sender;
static void send_from(int rank) {
  sender = rank;
  if (my_rank() == sender)
    MPI_Isend(message.sent, message.count, message.sent_type, 0, tag, WORLD, &request);
  for (flag = my_rank() != 0; !flag;)
    MPI_Iprobe(sender, tag, WORLD, &flag, &status);
}
static void wait_at_sender(void) {
  if (my_rank() == sender)
    wait();
}
ROW(improbe_found, send_from(1), MPI_Improbe(1, tag, WORLD, &flag, &matched, &status); EXPECT(flag))
static void receive_matched(void) {
  MPI_Mrecv(message.received, message.count, message.received_type, &matched, &status);
}
ROW(imrecv, send_from(1); AT_ROOT(MPI_Improbe(1, tag, WORLD, &flag, &matched, &status)),
    MPI_Imrecv(message.received, message.count, message.received_type, &matched, &request))
ROW(irecv_sent, send_from(1), RECEIVE(1, tag))
ROW(irecv_any_sent, send_from(1), RECEIVE(MPI_ANY_SOURCE, tag))
ROW(irecv_any_of_third, send_from(3), RECEIVE(MPI_ANY_SOURCE, tag))

/* Nonblocking collectives */
#define ALL_FINISH(NAME, CALL, FINISH)                                                             \
  ROW(NAME, , CALL)                                                                                \
  static void match_##NAME(void) {                                                                 \
    CALL;                                                                                          \
    FINISH();                                                                                      \
  }
#define ALL(NAME, CALL) ALL_FINISH(NAME, CALL, wait)
ALL(ibarrier, MPI_Ibarrier(WORLD, &request))
ALL(ibcast, MPI_Ibcast(out, large, MPI_INT, 1, WORLD, &request))
ALL(igather, MPI_Igather(&number, 1, MPI_INT, numbers, 1, MPI_INT, 0, WORLD, &request))
ALL(iscatter, MPI_Iscatter(numbers, 1, MPI_INT, &number, 1, MPI_INT, 1, WORLD, &request))
ALL(iallgather, MPI_Iallgather(&number, 1, MPI_INT, numbers, 1, MPI_INT, WORLD, &request))
ALL(ialltoall, MPI_Ialltoall(numbers, 1, MPI_INT, more_numbers, 1, MPI_INT, WORLD, &request))
ALL(ireduce, MPI_Ireduce(out, in, large, MPI_INT, MPI_MAX, 0, WORLD, &request))
ALL(iallreduce, MPI_Iallreduce(out, in, large, MPI_INT, MPI_MAX, WORLD, &request))
ALL(iscan, MPI_Iscan(&number, numbers, 1, MPI_INT, MPI_MAX, WORLD, &request))
ALL(ireduce_scatter, MPI_Ireduce_scatter_block(numbers, more_numbers, 1, MPI_INT, MPI_MAX, WORLD, &request))
static void use_and_free(void) {
  wait();
  MPI_Barrier(made);
  MPI_Comm_free(&made);
}
ALL_FINISH(idup, MPI_Comm_idup(WORLD, &made, &request), use_and_free)
#if MPI_VERSION >= 4
ALL_FINISH(idup_with_info, MPI_Comm_idup_with_info(WORLD, MPI_INFO_NULL, &made, &request), use_and_free)
#define PERSISTENT(NAME, INIT)                                                                     \
  ROW(NAME, INIT, MPI_Start(&request))                                                             \
  static void match_##NAME(void) {                                                                 \
    MPI_Start(&request);                                                                           \
    wait_and_free();                                                                               \
  }
PERSISTENT(start_barrier, MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request))
PERSISTENT(start_bcast, MPI_Bcast_init(out, large, MPI_INT, 1, WORLD, MPI_INFO_NULL, &request))
PERSISTENT(start_allreduce,
           MPI_Allreduce_init(out, in, large, MPI_INT, MPI_MAX, WORLD, MPI_INFO_NULL, &request))
#endif

/* Calls that communicate with nobody, while a send waits */
static void types(void) {
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_size(pair, &number);
  MPI_Type_free(&pair);
}
static void groups(void) {
  MPI_Group group;
  MPI_Comm_group(WORLD, &group);
  MPI_Group_size(group, &number);
  MPI_Group_free(&group);
  MPI_Comm_rank(WORLD, &number);
  MPI_Comm_size(WORLD, &number);
}
static void attributes(void) {
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(WORLD, key, &number);
  MPI_Comm_delete_attr(WORLD, key);
  MPI_Comm_free_keyval(&key);
}
static void infos(void) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Info_free(&info);
}
ROW(types, , SEND(MPI_Issend); types())
ROW(groups, , SEND(MPI_Issend); groups())
ROW(attributes, , SEND(MPI_Issend); attributes())
ROW(infos, , SEND(MPI_Issend); infos())

/* MESSAGES: with each kind of message */
static const struct row {
  const char *name;
  void (*prepare)(void), (*call)(void), (*match)(void), (*finish)(void);
  int with_messages;
} rows[] = {
#define LINE(NAME, TEXT, MATCH, FINISH, MESSAGES)                                                  \
  {TEXT, prepare_##NAME, call_##NAME, MATCH, FINISH, MESSAGES},
    LINE(isend, "MPI_Isend", receive, wait, 1)
    LINE(ibsend, "MPI_Ibsend", receive, wait, 1)
    LINE(irsend, "MPI_Irsend", wait_at_partner, wait, 1)
    LINE(issend, "MPI_Issend", receive, wait, 1)
    LINE(bsend, "MPI_Bsend", receive, nothing, 1)
    LINE(start_send, "MPI_Start of MPI_Send_init", receive, wait_and_free, 1)
    LINE(start_bsend, "MPI_Start of MPI_Bsend_init", receive, wait_and_free, 1)
    LINE(start_rsend, "MPI_Start of MPI_Rsend_init", wait_at_partner, wait_and_free, 1)
    LINE(start_ssend, "MPI_Start of MPI_Ssend_init", receive, wait_and_free, 1)
    LINE(startall, "MPI_Startall", exchange_both, wait_for_both, 1)
    LINE(test, "MPI_Test", receive, wait, 1)
    LINE(testall, "MPI_Testall", receive, wait, 1)
    LINE(testany, "MPI_Testany", receive, wait, 1)
    LINE(testsome, "MPI_Testsome", receive, wait, 1)
    LINE(get_status, "MPI_Request_get_status", receive, wait, 1)
    LINE(test_started, "MPI_Test of a started request", receive, wait_and_free, 1)
    LINE(testall_started, "MPI_Testall of a started request", receive, wait_and_free, 1)
    LINE(testany_started, "MPI_Testany of a started request", receive, wait_and_free, 1)
    LINE(testsome_started, "MPI_Testsome of a started request", receive, wait_and_free, 1)
    LINE(get_status_started, "MPI_Request_get_status of a started request", receive, wait_and_free, 1)
    LINE(free_send, "MPI_Request_free of a send", receive, nothing, 0)
    LINE(free_started, "MPI_Request_free of a started request", receive, nothing, 0)
    LINE(irecv, "MPI_Irecv", send, wait, 1)
    LINE(irecv_any, "MPI_Irecv from any source", send, wait, 1)
    LINE(start_recv, "MPI_Start of MPI_Recv_init", send, wait_and_free, 1)
    LINE(free_recv, "MPI_Request_free of a receive", send, nothing, 0)
    LINE(cancel, "MPI_Cancel and MPI_Wait of a receive", nothing, nothing, 1)
    LINE(cancel_any, "MPI_Cancel and MPI_Wait of a receive from any source", nothing, nothing, 1)
    LINE(cancel_started, "MPI_Cancel and MPI_Wait of a started receive", nothing, nothing, 1)
    LINE(iprobe, "MPI_Iprobe", nothing, nothing, 0)
    LINE(improbe, "MPI_Improbe", nothing, nothing, 0)
    LINE(improbe_found, "MPI_Improbe of a message", wait_at_sender, receive_matched, 1)
    LINE(imrecv, "MPI_Imrecv", wait_at_sender, wait, 1)
    LINE(irecv_sent, "MPI_Irecv of a message", wait_at_sender, wait, 1)
    LINE(irecv_any_sent, "MPI_Irecv of a message from any source", wait_at_sender, wait, 1)
    LINE(irecv_any_of_third, "MPI_Irecv of another rank's message", wait_at_sender, wait, 1)
    LINE(ibarrier, "MPI_Ibarrier", match_ibarrier, wait, 0)
    LINE(ibcast, "MPI_Ibcast", match_ibcast, wait, 0)
    LINE(igather, "MPI_Igather", match_igather, wait, 0)
    LINE(iscatter, "MPI_Iscatter", match_iscatter, wait, 0)
    LINE(iallgather, "MPI_Iallgather", match_iallgather, wait, 0)
    LINE(ialltoall, "MPI_Ialltoall", match_ialltoall, wait, 0)
    LINE(ireduce, "MPI_Ireduce", match_ireduce, wait, 0)
    LINE(iallreduce, "MPI_Iallreduce", match_iallreduce, wait, 0)
    LINE(iscan, "MPI_Iscan", match_iscan, wait, 0)
    LINE(ireduce_scatter, "MPI_Ireduce_scatter_block", match_ireduce_scatter, wait, 0)
    {"MPI_Comm_idup", prepare_idup, call_idup, match_idup, use_and_free, 0},
#if MPI_VERSION >= 4
    {"MPI_Comm_idup_with_info", prepare_idup_with_info, call_idup_with_info, match_idup_with_info,
     use_and_free, 0},
    LINE(start_barrier, "MPI_Start of MPI_Barrier_init", match_start_barrier, wait_and_free, 0)
    LINE(start_bcast, "MPI_Start of MPI_Bcast_init", match_start_bcast, wait_and_free, 0)
    LINE(start_allreduce, "MPI_Start of MPI_Allreduce_init", match_start_allreduce, wait_and_free, 0)
#endif
    LINE(types, "MPI_Type_commit and others of datatypes", receive, wait, 0)
    LINE(groups, "MPI_Comm_rank and others of groups", receive, wait, 0)
    LINE(attributes, "MPI_Comm_set_attr and others of attributes", receive, wait, 0)
    LINE(infos, "MPI_Info_set and others of hints", receive, wait, 0)
};

/* All ranks but the caller stay outside of MPI until they are told. */
static void await_return(const struct row *row, const char *where) {
  for (int milliseconds = 0; memory->returned < calls; ++milliseconds) {
    if (milliseconds == 1000 * patience && my_rank() == 1) {
      fprintf(stderr, "%s waits for another rank: %s message, %s\n", row->name, message.name, where);
      memory->failed = 1;
    }
    if (milliseconds >= 1000 * patience)
      break;
    usleep(1000);
  }
}

static void call(const struct row *row) {
  row->call();
  memory->returned = calls;
}

/* In the loop, rank 0 has already sent rank 2 something, which may be held there. */
static void call_in_loop(const struct row *row, MPI_Request *held) {
  sendwright_batch(loop);
  if (my_rank() != 0)
    return;
  MPI_Isend(extra, 1, MPI_INT, 2, tag, WORLD, held);
  call(row);
}

static void run(const struct row *row, int in_loop) {
  MPI_Request held = MPI_REQUEST_NULL;
  request = MPI_REQUEST_NULL;
  ++calls;
  row->prepare();
  PMPI_Barrier(WORLD);
  if (in_loop)
    call_in_loop(row, &held);
  else if (my_rank() == 0)
    call(row);
  if (my_rank() == 0) {
    row->finish();
    MPI_Wait(&held, MPI_STATUS_IGNORE);
  } else {
    await_return(row, in_loop ? "in a loop" : "outside of loops");
    row->match();
    if (in_loop && my_rank() == 2)
      MPI_Recv(extra, 1, MPI_INT, 0, tag, WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(WORLD);
}

/* Executes the loop so often that its messages may be shared. */
static void learn(void) {
  MPI_Request requests[2 * most];
  int ranks = rank_count(), rank = my_rank();
  for (int round = 0; round < 12; ++round) {
    int count = 0;
    for (int other = 0; other < ranks; ++other)
      if (other != rank)
        MPI_Irecv(&numbers[other], 1, MPI_INT, other, tag, WORLD, &requests[count++]);
    {
      sendwright_batch(loop);
      for (int other = 0; other < ranks; ++other)
        if (other != rank)
          MPI_Isend(&extra[other], 1, MPI_INT, other, tag, WORLD, &requests[count++]);
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  }
}

static void set_message(int kind) {
  static MPI_Datatype absolute[2];
  static const char *const names[] = {"short", "long", "long absolute"};
  message.name = names[kind];
  message.sent = out;
  message.received = in;
  message.count = kind == 0 ? 1 : large;
  message.sent_type = message.received_type = MPI_INT;
  if (kind < 2)
    return;
  for (int which = 0; which < 2 && !absolute[which]; ++which) {
    MPI_Aint address;
    const int length = large;
    MPI_Get_address(which ? in : out, &address);
    MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &absolute[which]);
    MPI_Type_commit(&absolute[which]);
  }
  message.sent = message.received = MPI_BOTTOM;
  message.count = 1;
  message.sent_type = absolute[0];
  message.received_type = absolute[1];
}

int main(int argc, char **argv) {
  static char attached[4 << 20];
  open_memory(argv[argc - 1]);
  MPI_Init(&argc, &argv);
  EXPECT(rank_count() >= 4);
  MPI_Buffer_attach(attached, sizeof attached);
  AT_ROOT(memory->returned = memory->failed = 0);
  MPI_Barrier(WORLD);
  learn();
  for (int kind = 0; kind < 3; ++kind)
    for (unsigned row = 0; row < sizeof rows / sizeof *rows; ++row)
      for (int in_loop = 0; in_loop < 2; ++in_loop)
        if (kind == 0 || rows[row].with_messages) {
          set_message(kind);
          run(&rows[row], in_loop);
        }
  void *buffer;
  int size;
  MPI_Buffer_detach(&buffer, &size);
  MPI_Finalize();
  return memory->failed;
}
